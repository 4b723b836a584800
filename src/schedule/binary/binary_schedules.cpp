#include "schedule/binary/binary_schedules.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "schedule/binary/binary_format.hpp"
#include "schedule/mapped_schedule.hpp"
#include "schedule/schedule_builder.hpp"
#include "schedule/work_watch.hpp"

namespace kumi::schedule {
namespace {

// What is in memory is written as it is.
static_assert(std::endian::native == std::endian::little);
static_assert(offsetof(Operation, amount) == 0 && offsetof(Operation, peer) == 8 &&
              offsetof(Operation, tag) == 12 && offsetof(Operation, first_successor) == 16 &&
              offsetof(Operation, kind) == 20 && offsetof(Operation, cpu) == 21 &&
              offsetof(Operation, nic) == 22 && offsetof(Operation, traits) == 23);
static_assert(sizeof(Successor) == 4);

/// Knows where it is, for messages, and trusts no number: it never asks for more memory than the
/// input has bytes, give or take a block.
class BinaryReader {
   public:
    explicit BinaryReader(std::istream& input) : x_input(input) {}

    Schedule read() {
        const std::uint32_t ranks = read_header();
        return placing_mistakes([&] {
            ScheduleBuilder builder(ranks);
            read_recorded_order(builder);
            read_errors(builder);
            for (std::uint32_t rank = 0; rank < ranks; ++rank) read_rank(builder, rank);
            check_end(builder);
            return builder.finish();
        });
    }

    struct Checked {
        std::vector<RankPlace> places;  ///< Where the ranks' arrays lie.
        std::optional<ScheduleErrors> errors;
        RecordedOrder recorded_order;
    };
    /// Keeps nothing else.
    Checked check() {
        const std::uint32_t ranks = read_header();
        return placing_mistakes([&] {
            ScheduleBuilder builder(ranks);
            read_recorded_order(builder);
            read_errors(builder);
            std::vector<RankPlace> places;
            for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                places.push_back(read_rank(builder, rank));
                builder.check_rank();
            }
            check_end(builder);
            return Checked{std::move(places), builder.errors(), builder.recorded_order()};
        });
    }

   private:
    struct Located : ScheduleError {
        using ScheduleError::ScheduleError;
    };

    std::uint32_t read_header() {
        std::array<char, 8> magic{};
        get(magic.data(), magic.size(), "the first bytes");
        if (magic != kBinaryMagic) fail("this is no schedule in binary form");
        const std::uint32_t version = number("the version");
        if (version < kBinaryVersion || version > kVersionWithOrder) {
            fail("the version is " + std::to_string(version) + ", only " +
                 std::to_string(kBinaryVersion) + " to " + std::to_string(kVersionWithOrder) +
                 " can be read");
        }
        x_has_order = version == kVersionWithOrder;
        x_has_errors = version == kVersionWithErrors;
        return number("the number of ranks");
    }

    void read_recorded_order(ScheduleBuilder& builder) {
        if (!x_has_order) return;
        RecordedOrder order;
        get(&order.polls, 1, "the number of polls");
        get(&order.wildcards, 1, "the number of wildcards");
        // So that no two files say the same.
        if (!order.may_depend_on_time()) fail("there are neither polls nor wildcards");
        builder.count_recorded_order(order);
        const std::uint32_t has_errors = number("whether messages may have errors");
        if (has_errors > 1) fail("messages may have errors or not, thus 1 or 0");
        x_has_errors = has_errors == 1;
        if (number("the zeros of the header") != 0) fail("zeros are missing in the header");
    }

    void read_errors(ScheduleBuilder& builder) {
        if (!x_has_errors) return;
        const std::uint32_t protects_exact = number("what holds for exact messages");
        if (protects_exact > 1) fail("exact messages are protected or not, thus 1 or 0");
        builder.allow_errors(protects_exact == 1);
        const std::uint32_t count = number("a number of contents");
        if (count > ScheduleErrors::kMostContents) fail("there are too many contents");
        for (std::uint32_t i = 0; i < count; ++i) x_contents.push_back(read_content());
    }

    ErrorContent read_content() {
        BinaryContent read{};
        get(&read, 1, "the contents of messages");
        ErrorContent content{.element = static_cast<Element>(read.element),
                             .protected_bits = read.protected_bits};
        if (read.order > 2 || read.reserved != decltype(read.reserved){})
            fail("the content of a message has an impossible value");
        if (read.order != 0) content.order = static_cast<network::BitOrder>(read.order - 1);
        std::copy(read.function.begin(), read.function.end(), content.function.text);
        if (const std::string problem = content.problem(); !problem.empty()) fail(problem);
        return content;
    }

    template <class Read>
    auto placing_mistakes(Read&& read) -> decltype(read()) {
        try {
            return read();
        } catch (const Located&) {
            throw;
        } catch (const ScheduleError& error) {
            fail(error.what());
        }
    }

    [[noreturn]] void fail(const std::string& text) const {
        throw Located("byte " + std::to_string(x_place) + ": " + text);
    }

    template <class T>
    void get(T* into, std::size_t count, const char* what) {
        const std::size_t size_bytes = count * sizeof(T);
        x_input.read(reinterpret_cast<char*>(into), static_cast<std::streamsize>(size_bytes));
        if (static_cast<std::size_t>(x_input.gcount()) != size_bytes) {
            fail(std::string("the data end within ") + what);
        }
        x_place += size_bytes;
    }

    template <class T>
    void get_array(std::vector<T>& into, std::size_t count, const char* what) {
        constexpr std::size_t kBlock = 4096;
        into.clear();
        while (into.size() < count) {
            const std::size_t begin = into.size();
            const std::size_t part = std::min(kBlock, count - begin);
            into.resize(begin + part);
            get(into.data() + begin, part, what);
        }
    }

    std::uint32_t number(const char* what) {
        std::uint32_t value = 0;
        get(&value, 1, what);
        return value;
    }

    void check_end(const ScheduleBuilder& builder) {
        if (x_has_errors && builder.errors()->contents.size() != x_contents.size())
            fail("there are contents of no message");
        x_input.peek();
        if (!x_input.eof()) fail("the schedule ends here, but the data go on");
    }

    RankPlace read_rank(ScheduleBuilder& builder, std::uint32_t rank) {
        builder.begin_rank(rank);
        const std::uint32_t operations = number("a number of operations");
        const std::uint32_t successors = number("a number of successors");
        RankPlace place{
            .operations_at = x_place, .operations = operations, .successors = successors};
        get_array(x_operations, operations, "the operations");
        for (const Operation& operation : x_operations) add(builder, operation);
        place.successors_at = x_place;
        get_array(x_successors, successors, "the successors");
        if (successors % 2 != 0 && number("the successors") != 0) {
            fail("zeros are missing behind the successors");
        }
        std::uint32_t first = 0;
        for (std::uint32_t index = 0; index < operations; ++index) {
            const std::uint32_t end =
                index + 1 < operations ? x_operations[index + 1].first_successor : successors;
            if (x_operations[index].first_successor != first || end < first || end > successors) {
                fail("the successors of rank " + std::to_string(rank) + " are in disorder");
            }
            for (; first < end; ++first)
                builder.depend(x_successors[first].operation(), index,
                               x_successors[first].on_start());
        }
        if (first != successors) fail("there are successors of no operation");
        return place;
    }

    void add(ScheduleBuilder& builder, const Operation& operation) const {
        const bool has_content =
            operation.has(traits::kApproximate) && operation.content() < x_contents.size();
        // So that no two files say the same.
        if (has_content && builder.content(x_contents[operation.content()]) != operation.content())
            fail("the contents of messages are in disorder");
        if (static_cast<std::uint8_t>(operation.kind) >= kOperationKinds) {
            fail("there is no operation of the kind " +
                 std::to_string(static_cast<unsigned>(operation.kind)));
        }
        const bool has_tag = operation.tag != 0 && operation.kind != OperationKind::kHint;
        const bool is_plain = operation.peer == 0 && !has_tag && operation.nic == 0;
        if (!operation.is_message() && !is_plain) {
            fail("an operation has a value that does not belong to its kind");
        }
        builder.add(operation);
    }

    std::istream& x_input;
    std::uint64_t x_place = 0;
    bool x_has_errors = false, x_has_order = false;
    std::vector<ErrorContent> x_contents;
    std::vector<Operation> x_operations;
    std::vector<Successor> x_successors;
};

template <class T>
void put(std::ostream& output, const T* values, std::size_t count) {
    output.write(reinterpret_cast<const char*>(values),
                 static_cast<std::streamsize>(count * sizeof(T)));
}

void put_number(std::ostream& output, std::uint32_t number) { put(output, &number, 1); }

std::uint32_t version_of(const Schedule& schedule) {
    if (schedule.recorded_order().may_depend_on_time()) return kVersionWithOrder;
    return schedule.errors() == nullptr ? kBinaryVersion : kVersionWithErrors;
}

void put_errors(const ScheduleErrors& errors, std::ostream& output) {
    put_number(output, errors.protects_exact ? 1 : 0);
    put_number(output, static_cast<std::uint32_t>(errors.contents.size()));
    for (const ErrorContent& content : errors.contents) {
        BinaryContent written{};
        written.element = static_cast<std::uint8_t>(content.element);
        written.protected_bits = content.protected_bits;
        if (content.order)
            written.order =
                static_cast<std::uint8_t>(static_cast<std::uint8_t>(*content.order) + 1);
        static_assert(sizeof written.function == CallName::kBytes);
        std::copy_n(content.function.text, CallName::kBytes, written.function.data());
        put(output, &written, 1);
    }
}

[[noreturn]] void fail(const std::string& path) {
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path);
}

/// The whole file, for reading, as long as the pointer or a copy exists.
std::shared_ptr<const void> map_file(const std::string& path, std::size_t size_bytes) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail(path);
    void* const memory = ::mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    const int error = errno;
    ::close(descriptor);
    errno = error;
    if (memory == MAP_FAILED) fail(path);
    return {memory,
            [size_bytes](const void* mapped) { ::munmap(const_cast<void*>(mapped), size_bytes); }};
}

}  // namespace

void write_binary(const Schedule& schedule, std::ostream& output) {
    put(output, kBinaryMagic.data(), kBinaryMagic.size());
    const bool has_errors = schedule.errors() != nullptr;
    put_number(output, version_of(schedule));
    put_number(output, schedule.ranks());
    if (version_of(schedule) == kVersionWithOrder) {
        put(output, &schedule.recorded_order().polls, 1);
        put(output, &schedule.recorded_order().wildcards, 1);
        put_number(output, has_errors ? 1 : 0);
        put_number(output, 0);
    }
    if (has_errors) put_errors(*schedule.errors(), output);
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
        const auto operations = schedule.operations_of(rank);
        const auto successors = schedule.successors_of(rank);
        put_number(output, static_cast<std::uint32_t>(operations.size()));
        put_number(output, static_cast<std::uint32_t>(successors.size()));
        put(output, operations.data(), operations.size());
        put(output, successors.data(), successors.size());
        if (successors.size() % 2 != 0) put_number(output, 0);
        WorkWatch::count(operations.size());
    }
}

Schedule read_binary(std::istream& input) { return BinaryReader(input).read(); }

Schedule map_binary(const std::string& path) {
    errno = 0;
    std::ifstream input(path, std::ios::binary);
    if (!input) fail(path);
    auto [places, errors, recorded_order] = BinaryReader(input).check();
    const RankPlace& last = places.back();
    const std::uint64_t size_bytes =
        last.successors_at + std::uint64_t{last.successors} * sizeof(Successor);
    return MappedSchedule::make(map_file(path, size_bytes), places, std::move(errors),
                                recorded_order);
}

}  // namespace kumi::schedule
