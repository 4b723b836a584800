// kumihimo._core.search_ps: what a search costs on a platform; and the queues of matching, as the
// model of hardware.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "configuration.hpp"
#include "matching/queue.hpp"

namespace nb = nanobind;

namespace {

std::int64_t search_ps(const nb::dict& config, const std::string& queue, std::uint64_t searched) {
    const kumi::matching::CostModel cost = matching_cost(config);
    if (queue == "posted") return cost.posted.of(searched).ps;
    if (queue == "unexpected") return cost.unexpected.of(searched).ps;
    throw std::invalid_argument("queue must be \"posted\" or \"unexpected\", not \"" + queue +
                                "\"");
}

using namespace kumi::matching;

/// The process's own memory, as queues want it.
struct HeapMemory {
    static constexpr std::align_val_t kLine{64};
    void* allocate(std::size_t size_bytes) { return ::operator new(size_bytes, kLine); }
    void release(void* block, std::size_t) { ::operator delete(block, kLine); }
};

Pattern pattern_of(std::optional<std::uint32_t> source, std::uint64_t tag, std::uint64_t ignore) {
    return {source.value_or(kAnySource), tag, ignore};
}

/// A queue with its memory. `Entry` is what it keeps.
template <class Entry>
class OwnQueue {
   public:
    OwnQueue() = default;
    OwnQueue(const OwnQueue&) = delete;
    OwnQueue& operator=(const OwnQueue&) = delete;
    ~OwnQueue() { x_queue.clear(x_memory); }

    void insert(const Entry& entry) { x_queue.append(x_memory, entry); }
    std::optional<std::uint32_t> look(const typename Entry::Probe& probe, bool takes) {
        const Search search = takes ? x_queue.take(x_memory, probe, Counting::kNo)
                                    : x_queue.find(x_memory, probe, Counting::kNo);
        return search.found ? std::optional(search.id) : std::nullopt;
    }
    bool cancel(std::uint32_t id) { return x_queue.remove(x_memory, id); }
    std::uint32_t size() const { return x_queue.size(); }

   private:
    HeapMemory x_memory;
    Queue<Entry> x_queue;
};

using OwnPosted = OwnQueue<PostedEntry>;
using OwnUnexpected = OwnQueue<UnexpectedEntry>;
using Source = std::optional<std::uint32_t>;

void bind_queues(nb::module_& module) {
    nb::class_<OwnPosted>(module, "PostedQueue", "Receives that wait, the oldest first.")
        .def(nb::init<>())
        .def(
            "insert",
            [](OwnPosted& queue, Source source, std::uint64_t tag, std::uint64_t ignore,
               std::uint32_t id) {
                queue.insert(PostedEntry::of(pattern_of(source, tag, ignore), id));
            },
            nb::arg("source").none(), nb::arg("tag"), nb::arg("ignore"), nb::arg("number"))
        .def(
            "look",
            [](OwnPosted& queue, std::uint32_t source, std::uint64_t tag, bool takes) {
                return queue.look({source, tag}, takes);
            },
            nb::arg("source"), nb::arg("tag"), nb::arg("takes"))
        .def("cancel", &OwnPosted::cancel, nb::arg("number"))
        .def("__len__", &OwnPosted::size);
    nb::class_<OwnUnexpected>(module, "UnexpectedQueue", "Messages that wait, the oldest first.")
        .def(nb::init<>())
        .def(
            "insert",
            [](OwnUnexpected& queue, std::uint32_t source, std::uint64_t tag, std::uint32_t id) {
                queue.insert(UnexpectedEntry::of({source, tag}, id));
            },
            nb::arg("source"), nb::arg("tag"), nb::arg("number"))
        .def(
            "look",
            [](OwnUnexpected& queue, Source source, std::uint64_t tag, std::uint64_t ignore,
               bool takes) { return queue.look(pattern_of(source, tag, ignore), takes); },
            nb::arg("source").none(), nb::arg("tag"), nb::arg("ignore"), nb::arg("takes"))
        .def("cancel", &OwnUnexpected::cancel, nb::arg("number"))
        .def("__len__", &OwnUnexpected::size);
}

}  // namespace

void bind_matching(nb::module_& module) {
    module.def(
        "search_ps", &search_ps, nb::arg("config"), nb::arg("queue"), nb::arg("searched"),
        "The time in ps of a search in the \"posted\" or the \"unexpected\" queue that looks\n"
        "at `searched` entries, on a platform of this configuration.\n"
        "\n"
        "Raises ValueError if a key of `config` is missing or impossible, or for another\n"
        "queue.");
    bind_queues(module);
}
