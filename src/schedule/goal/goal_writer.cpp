#include "schedule/goal/goal.hpp"

#include <utility>

#include "schedule/work_watch.hpp"

namespace kumi::schedule {
namespace {

std::int64_t number_or_any(std::uint32_t number, std::uint32_t any) {
    return number == any ? -1 : std::int64_t{number};
}

void write_message(const Operation& operation, std::ostream& output) {
    const bool is_send = operation.kind == OperationKind::kSend;
    output << (is_send ? "send " : "recv ") << operation.amount << (is_send ? "b to " : "b from ")
           << number_or_any(operation.peer, kAnyPeer);
    if (operation.tag != 0) output << " tag " << number_or_any(operation.tag, kAnyTag);
}

void write_place(const Operation& operation, std::ostream& output) {
    if (operation.cpu != 0) output << " cpu " << unsigned{operation.cpu};
    const bool has_nic = operation.is_message() && !operation.has(traits::kApproximate);
    if (has_nic && operation.nic != 0) output << " nic " << unsigned{operation.nic};
}

constexpr std::pair<std::uint8_t, const char*> kTraitWords[] = {
    {traits::kSoftware, " software"}, {traits::kSleep, " sleep"},
    {traits::kBare, " bare"},         {traits::kControl, " control"},
    {traits::kRequest, " request"},   {traits::kInterface, " interface"}};

std::uint64_t whole_nanoseconds(std::uint64_t time_ps) { return (time_ps + 500) / 1000; }

/// As `write_operation`, in words that LogGOPSim knows.
void write_portable_operation(const Operation& operation, std::ostream& output) {
    if (operation.is_message()) {
        write_message(operation, output);
    } else {
        const bool is_compute = operation.kind == OperationKind::kCompute;
        output << "calc " << (is_compute ? whole_nanoseconds(operation.amount) : 0);
    }
    write_place(operation, output);
    output << '\n';
}

void write_errors(const ErrorContent& content, std::ostream& output) {
    output << " approximate " << word_of(content.element) << ' '
           << unsigned{content.protected_bits};
    if (content.order)
        output << (*content.order == network::BitOrder::kImportantFirst ? " important_first"
                                                                        : " in_order");
    if (content.function.text[0] != '\0') output << " by " << content.function.text;
}

const char* word_of_time(OperationKind kind) {
    if (kind == OperationKind::kCompute) return "calc ";
    return kind == OperationKind::kWaitUntil ? "wait_until " : "wait_after ";
}

void write_operation(const Operation& operation, const ScheduleErrors* errors,
                     std::ostream& output) {
    if (operation.is_message()) {
        write_message(operation, output);
    } else if (operation.kind == OperationKind::kSynchronise) {
        output << "synchronise";
    } else if (operation.kind == OperationKind::kHint) {
        output << "hint " << endpoint::service::kHintNames[operation.tag] << ' '
               << operation.amount;
        if (endpoint::service::is_size(operation.as_hint().key)) output << 'b';
    } else {
        const bool is_whole = operation.amount % 1000 == 0;
        output << word_of_time(operation.kind) << operation.amount / (is_whole ? 1000U : 1U)
               << (is_whole ? "" : "ps");
    }
    write_place(operation, output);
    for (const auto& [trait, word] : kTraitWords) {
        if (operation.has(trait)) output << word;
    }
    if (operation.has(traits::kApproximate))
        write_errors(errors->contents[operation.content()], output);
    output << '\n';
}

void write_recorded_order(const RecordedOrder& order, std::ostream& output) {
    if (order.polls > 0) output << "recorded_polls " << order.polls << '\n';
    if (order.wildcards > 0) output << "recorded_wildcards " << order.wildcards << '\n';
}

}  // namespace

void write_goal(const Schedule& schedule, std::ostream& output, GoalDialect dialect) {
    const bool is_portable = dialect == GoalDialect::kPortable;
    output << "num_ranks " << schedule.ranks() << '\n';
    if (schedule.errors() != nullptr && !is_portable)
        output << "exact_messages "
               << (schedule.errors()->protects_exact ? "protected" : "unprotected") << '\n';
    if (!is_portable) write_recorded_order(schedule.recorded_order(), output);
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
        output << "\nrank " << rank << " {\n";
        const auto operations = schedule.operations_of(rank);
        for (std::uint32_t index = 0; index < operations.size(); ++index) {
            output << 'l' << index << ": ";
            is_portable ? write_portable_operation(operations[index], output)
                        : write_operation(operations[index], schedule.errors(), output);
            WorkWatch::count(1);
        }
        for (std::uint32_t index = 0; index < operations.size(); ++index) {
            for (const Successor successor : schedule.successors(rank, index)) {
                output << 'l' << successor.operation()
                       << (successor.on_start() ? " irequires l" : " requires l") << index << '\n';
            }
        }
        output << "}\n";
    }
}

PortableLosses portable_losses(const Schedule& schedule) {
    PortableLosses losses{.recorded_order = schedule.recorded_order().polls +
                                            schedule.recorded_order().wildcards};
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
        for (const Operation& operation : schedule.operations_of(rank)) {
            const bool is_compute = operation.kind == OperationKind::kCompute;
            if (is_compute && operation.amount % 1000 != 0) ++losses.rounded;
            if (operation.kind == OperationKind::kWaitUntil) ++losses.waits;
            if (operation.kind == OperationKind::kSynchronise) ++losses.synchronisations;
            if (operation.kind == OperationKind::kWaitAfter) ++losses.waits_after;
            if (operation.kind == OperationKind::kHint) ++losses.hints;
            if (operation.has(traits::kSoftware)) ++losses.software;
            if (operation.has(traits::kSleep)) ++losses.sleeps;
            if (operation.has(traits::kBare)) ++losses.bare;
            if (operation.has(traits::kApproximate)) ++losses.approximate;
        }
    }
    return losses;
}

}  // namespace kumi::schedule
