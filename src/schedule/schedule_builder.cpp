#include "schedule/schedule_builder.hpp"

#include <algorithm>
#include <utility>

#include "base/memory/memory_budget.hpp"

namespace kumi::schedule {
namespace {

std::string cycle_text(std::uint32_t rank, const std::vector<std::uint32_t>& operations) {
    constexpr std::size_t kShown = 8;
    std::string text = "rank " + std::to_string(rank) + ": operations wait for each other: ";
    for (std::size_t i = 0; i < std::min(operations.size(), kShown); ++i) {
        text += std::to_string(operations[i]) + ", ";
    }
    if (operations.size() > kShown) text += "..., ";
    return text + "and then " + std::to_string(operations.front()) + " again";
}

bool has_possible_traits(const Operation& operation) {
    if (operation.traits == 0) return true;
    std::uint8_t possible = 0;
    if (operation.kind == OperationKind::kCompute)
        possible = operation.has(traits::kSoftware) ? traits::kSoftware : traits::kSleep;
    if (operation.is_message()) possible = traits::kBare;
    if (operation.kind == OperationKind::kSend && !operation.has(traits::kControl))
        possible |= traits::kApproximate;
    if (operation.is_message() && operation.has(traits::kBare)) possible |= traits::kInterface;
    if (operation.kind == OperationKind::kSend && operation.has(traits::kBare)) {
        possible |= traits::kControl | traits::kRequest;
    }
    return (operation.traits & ~possible) == 0;
}

}  // namespace

CycleError::CycleError(std::uint32_t rank, std::vector<std::uint32_t> operations)
    : ScheduleError(cycle_text(rank, operations)), x_operations(std::move(operations)) {}

std::uint64_t most_held_schedule_bytes() { return memory_budget_bytes() / 4; }

ScheduleBuilder::ScheduleBuilder(std::uint64_t ranks, std::uint64_t most_held_bytes)
    : x_most_held_bytes(most_held_bytes) {
    if (ranks == 0 || ranks > kMostScheduleRanks) {
        throw ScheduleError("the number of ranks is " + std::to_string(ranks) +
                            ", it must be from 1 to " + std::to_string(kMostScheduleRanks));
    }
    x_ranks = static_cast<std::uint32_t>(ranks);
}

void ScheduleBuilder::refuse(const std::string& what) const {
    throw ScheduleError("rank " + std::to_string(x_rank) + ": " + what);
}

void ScheduleBuilder::reserve(std::size_t operations, std::size_t dependences) {
    const std::uint64_t size_bytes =
        operations * sizeof(Operation) + dependences * sizeof(Successor);
    if (size_bytes > x_most_held_bytes) return;
    x_schedule.x_operations.reserve(operations);
    x_schedule.x_successors.reserve(dependences);
}

void ScheduleBuilder::begin_rank(std::uint64_t rank) {
    if (rank >= x_ranks) {
        throw ScheduleError("there is no rank " + std::to_string(rank) + ", only 0 to " +
                            std::to_string(x_ranks - 1));
    }
    if (x_is_open && rank <= x_rank) {
        throw ScheduleError("rank " + std::to_string(rank) + " comes after rank " +
                            std::to_string(x_rank) + ": ranks must be in ascending order");
    }
    if (x_is_open) keep_rank();
    x_is_open = true;
    x_rank = static_cast<std::uint32_t>(rank);
    x_schedule.x_starts.resize(rank + 1, x_schedule.x_starts.back());
    x_most_operations = std::min(kMostOperationsOfRank, kMostOperations - x_schedule.operations());
    x_most_dependences = kMostOperations - x_schedule.dependences();
}

void ScheduleBuilder::check(const Operation& operation) const {
    if (operation.amount > kMostAmount) {
        refuse(std::to_string(operation.amount) +
               (operation.is_message() ? " bytes are" : " ps are") +
               " too much, at most 2^62 will do");
    }
    if (!has_possible_traits(operation))
        refuse("an operation has traits that do not belong together");
    if (operation.kind == OperationKind::kSynchronise && operation.amount != 0)
        refuse("a synchronisation has neither a size nor a time");
    if (operation.kind == OperationKind::kHint &&
        (operation.tag >= endpoint::service::kHintKeys || operation.cpu != 0 ||
         !operation.as_hint().is_possible()))
        refuse("there is no such hint");
    if (!operation.is_message()) return;
    const bool is_send = operation.kind == OperationKind::kSend;
    if (operation.has(traits::kApproximate)) check_errors(operation);
    if (is_send && operation.tag == kAnyTag)
        refuse("a send needs a tag, only a receive may accept any");
    if (operation.peer == kAnyPeer && !is_send) return;
    if (operation.peer >= x_ranks) {
        refuse("there is no rank " + std::to_string(operation.peer) +
               (is_send ? " to send to" : " to receive from") + ", only 0 to " +
               std::to_string(x_ranks - 1));
    }
}

void ScheduleBuilder::check_errors(const Operation& send) const {
    if (!errors() || send.content() >= errors()->contents.size())
        refuse("it is not said what an approximate message consists of");
    const Element element = errors()->contents[send.content()].element;
    if (send.amount % traits_of(element).bytes() == 0) return;
    refuse(std::to_string(send.amount) + " bytes are no whole number of " + word_of(element));
}

std::uint8_t ScheduleBuilder::content(const ErrorContent& content) {
    if (const std::string problem = content.problem(); !problem.empty()) refuse(problem);
    std::vector<ErrorContent>& contents = errors_here().contents;
    const auto found = std::find(contents.begin(), contents.end(), content);
    const auto number = static_cast<std::size_t>(found - contents.begin());
    if (number == ScheduleErrors::kMostContents)
        refuse("there are more than " + std::to_string(ScheduleErrors::kMostContents) +
               " kinds of approximate messages");
    if (found == contents.end()) contents.push_back(content);
    return static_cast<std::uint8_t>(number);
}

void ScheduleBuilder::count_recorded_order(const RecordedOrder& order) {
    RecordedOrder& sum = x_schedule.x_recorded_order;
    if (order.polls > kMostAmount - sum.polls || order.wildcards > kMostAmount - sum.wildcards)
        throw ScheduleError("there are more than 2^62 recorded polls or wildcards");
    sum.polls += order.polls;
    sum.wildcards += order.wildcards;
}

void ScheduleBuilder::refuse_dependence(std::uint32_t after, std::uint32_t before) const {
    if (after >= x_operations || before >= x_operations) {
        refuse("operation " + std::to_string(after) + " waits for " + std::to_string(before) +
               ", but there are only " + std::to_string(x_operations));
    }
    if (after == before) throw CycleError(x_rank, {after});
    refuse("the schedule has too many dependences");
}

void ScheduleBuilder::end_rank() {
    const std::span<Operation> operations{
        x_schedule.x_operations.data() + x_schedule.x_operations.size() - x_operations,
        x_operations};
    number_successors(operations);
    if (!are_in_order(operations)) put_in_order(operations);
    if (x_goes_back) check_cycles(operations);
    x_schedule.x_successors.insert(x_schedule.x_successors.end(), x_successors.begin(),
                                   x_successors.end());
    x_schedule.x_starts.push_back(
        {x_schedule.operations() + x_operations,
         x_schedule.dependences() + static_cast<std::uint32_t>(x_successors.size())});
    x_dependences.clear();
    WorkWatch::count(x_operations % kCountedTogether);
    x_operations = 0;
    x_goes_back = false;
    x_is_open = false;
}

/// Puts what waits for an operation into one place, in the order in which it was named: counts
/// instead of comparing.
void ScheduleBuilder::number_successors(std::span<Operation> operations) {
    x_places.assign(operations.size(), 0);
    for (const Dependence& dependence : x_dependences) ++x_places[dependence.before];
    std::uint32_t next = 0;
    for (std::size_t index = 0; index < operations.size(); ++index) {
        operations[index].first_successor = next;
        next += std::exchange(x_places[index], next);
    }
    x_successors.resize(x_dependences.size());
    for (const Dependence& dependence : x_dependences) {
        x_successors[x_places[dependence.before]++] = dependence.after;
    }
}

/// Whether the successors of each operation ascend. From `number_successors` it is known where they
/// end.
bool ScheduleBuilder::are_in_order(std::span<const Operation> operations) const {
    for (std::size_t index = 0; index < operations.size(); ++index) {
        for (std::uint32_t place = operations[index].first_successor + 1; place < x_places[index];
             ++place) {
            if (!(x_successors[place - 1] < x_successors[place])) return false;
        }
    }
    return true;
}

/// Sorts the successors of each operation; each once.
void ScheduleBuilder::put_in_order(std::span<Operation> operations) {
    std::uint32_t kept = 0;
    for (std::size_t index = 0; index < operations.size(); ++index) {
        const auto first = x_successors.begin() + operations[index].first_successor;
        const auto end = x_successors.begin() + x_places[index];
        std::sort(first, end);
        operations[index].first_successor = kept;
        const auto unique_end = std::unique(first, end);
        for (auto place = first; place != unique_end; ++place) x_successors[kept++] = *place;
        x_places[index] = kept;
    }
    x_successors.resize(kept);
}

/// Takes away what waits for nothing until nothing is left. From anything that is left, going from
/// one that it waits for to the next must come back to where it has been.
void ScheduleBuilder::check_cycles(std::span<const Operation> operations) const {
    std::vector<std::uint32_t> waits(x_operations), ready;
    for (const Successor after : x_successors) ++waits[after.operation()];
    for (std::uint32_t i = 0; i < x_operations; ++i) {
        if (waits[i] == 0) ready.push_back(i);
    }
    for (std::size_t done = 0; done < ready.size(); ++done) {
        const std::uint32_t before = ready[done];
        for (std::uint32_t i = operations[before].first_successor; i < x_places[before]; ++i) {
            const std::uint32_t after = x_successors[i].operation();
            if (--waits[after] == 0) ready.push_back(after);
        }
    }
    if (ready.size() == x_operations) return;

    std::vector<std::uint32_t> waits_for(x_operations, x_operations);
    for (std::uint32_t before = 0; before < x_operations; ++before) {
        if (waits[before] == 0) continue;
        for (std::uint32_t i = operations[before].first_successor; i < x_places[before]; ++i) {
            waits_for[x_successors[i].operation()] = before;
        }
    }
    std::vector<bool> seen(x_operations);
    std::uint32_t place = 0;
    while (waits[place] == 0) ++place;
    for (; !seen[place]; place = waits_for[place]) seen[place] = true;
    std::vector<std::uint32_t> cycle;
    const std::uint32_t first_of_cycle = place;
    do {
        cycle.push_back(place);
        place = waits_for[place];
    } while (place != first_of_cycle);
    std::reverse(cycle.begin(), cycle.end());
    throw CycleError(x_rank, std::move(cycle));
}

void ScheduleBuilder::keep_rank() {
    end_rank();
    const std::uint64_t held_bytes = x_schedule.x_operations.size() * sizeof(Operation) +
                                     x_schedule.x_successors.size() * sizeof(Successor);
    if (held_bytes > x_most_held_bytes) spill();
}

void ScheduleBuilder::spill() {
    if (x_spilled == nullptr) x_spilled = std::make_unique<SpilledRanks>();
    const std::vector<Schedule::Start>& starts = x_schedule.x_starts;
    const Operation* operations = x_schedule.x_operations.data();
    const Successor* successors = x_schedule.x_successors.data();
    for (std::uint32_t rank = x_spilled->ranks(); rank < x_schedule.ranks(); ++rank) {
        const std::size_t count = starts[rank + 1].operation - starts[rank].operation;
        const std::size_t dependences = starts[rank + 1].successor - starts[rank].successor;
        x_spilled->write({operations, count}, {successors, dependences});
        operations += count;
        successors += dependences;
    }
    x_schedule.x_operations.clear();
    x_schedule.x_successors.clear();
}

void ScheduleBuilder::check_rank() {
    end_rank();
    x_schedule.x_operations.clear();
    x_schedule.x_successors.clear();
}

Schedule ScheduleBuilder::finish() {
    if (x_is_open) keep_rank();
    x_schedule.x_starts.resize(std::size_t{x_ranks} + 1, x_schedule.x_starts.back());
    if (x_spilled != nullptr) {
        spill();
        Schedule spilled = x_spilled->finish();
        spilled.x_errors = std::move(x_schedule.x_errors);
        spilled.x_recorded_order = x_schedule.x_recorded_order;
        return spilled;
    }
    return std::move(x_schedule);
}

}  // namespace kumi::schedule
