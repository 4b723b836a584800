#include "mpi/calls/asserted_calls.hpp"

#include <cstring>
#include <map>
#include <utility>

#include "base/assertions.hpp"
#include "mpi/run_link.hpp"
#include "mpi/wake/communicator.hpp"

namespace kumi::mpi::asserted_calls {

constinit bool detail::are_any = false;

namespace {

constinit MpiFunction<Word(int)> real_info_from_fortran{"PMPI_Info_f2c"};
constinit MpiFunction<int(Word, const char*, int, char*, int*)> real_get{"PMPI_Info_get"};

// Never destroyed: other threads may still call while the process ends.
constinit std::map<Word, AssertionSet>* known = nullptr;
constinit AssertedMessage next_receive{}, next_send{};

Word info_of(Word argument, Language language) {
    const Word handle =
        language == Language::kC ? argument : real_info_from_fortran(number_of(argument, language));
    return handle & known_abi().handle_mask;
}

/// Of a communicator at an address of the program's, which may have forgotten it: an error handler
/// of its own may make such a call succeed.
Word handle_at(Word address, Language language) {
    if (address == 0) return known_abi().comm_null;
    if (language == Language::kFortran) return wake::communicator_of(address, language);
    Word handle = 0;
    std::memcpy(&handle, reinterpret_cast<const void*>(address), known_abi().handle_bytes());
    return handle;
}

AssertionSet assertions_of(Word communicator) {
    if (known == nullptr) return {};
    const auto place = known->find(communicator);
    return place == known->end() ? AssertionSet{} : place->second;
}

void keep(Word communicator, AssertionSet assertions) {
    if (assertions.is_empty()) {
        if (known != nullptr) known->erase(communicator);
        return;
    }
    if (known == nullptr) known = new std::map<Word, AssertionSet>;
    (*known)[communicator] = assertions;
    detail::are_any = true;
}

/// Keys that the object lacks leave `assertions` as they are.
void read_info(Word info, AssertionSet& assertions) {
    if (info == known_abi().info_null) return;
    for (std::size_t i = 0; i < kAssertions; ++i) {
        char value[8] = {};
        int is_there = 0;
        const int failed = real_get(info, kAssertionKeys[i], sizeof value - 1, value, &is_there);
        if (failed == 0 && is_there != 0)
            assertions.set(static_cast<Assertion>(i), std::strcmp(value, "true") == 0);
    }
}

}  // namespace

void detail::communicates(const Places& places, Word communicator, const Word* arguments,
                          const char* function, Language language) {
    const AssertionSet assertions = assertions_of(wake::communicator_of(communicator, language));
    if (assertions.is_empty()) return;
    const MpiAbi& abi = known_abi();
    const bool sends =
        places.target >= 0 && number_of(arguments[places.target], language) != abi.no_process;
    const int source =
        places.source < 0 ? abi.no_process : number_of(arguments[places.source], language);
    const bool receives = source != abi.no_process;
    if (receives) {
        if (assertions.has(Assertion::kNoAnySource) && source == abi.any_source)
            run_link::note_broken_assertion(Assertion::kNoAnySource, function);
        const int tag = number_of(arguments[places.source + 1], language);
        if (assertions.has(Assertion::kNoAnyTag) && tag == abi.any_tag)
            run_link::note_broken_assertion(Assertion::kNoAnyTag, function);
    }
    const bool is_receive = receives && !places.is_probe;
    run_link::note_asserted(assertions, is_receive, sends);
    const bool has_no_wildcards =
        assertions.has(Assertion::kNoAnySource) && assertions.has(Assertion::kNoAnyTag);
    if (sends) next_send.has_no_wildcards = has_no_wildcards;
    if (!is_receive) return;
    next_receive.has_no_wildcards = has_no_wildcards;
    if (assertions.has(Assertion::kExactLength)) next_receive.exact_for = function;
}

void detail::ends_communication() { next_receive = next_send = {}; }

void detail::makes(const Places& places, Word communicator, const Word* arguments,
                   Language language) {
    AssertionSet assertions;
    const bool changes = places.made < 0;
    const Word old = communicator == 0 ? 0 : wake::communicator_of(communicator, language);
    if (changes) assertions = assertions_of(old);
    read_info(info_of(arguments[places.info], language), assertions);
    const Word made = changes ? old : handle_at(arguments[places.made], language);
    if (made != known_abi().comm_null) keep(made, assertions);
}

void detail::frees(Word address, Language language) { keep(handle_at(address, language), {}); }

AssertedMessage of_receive() { return std::exchange(next_receive, {}); }
AssertedMessage of_send() { return std::exchange(next_send, {}); }

}  // namespace kumi::mpi::asserted_calls
