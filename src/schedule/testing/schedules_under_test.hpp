#pragma once

#include <gtest/gtest.h>
// rapidcheck.h defines a type that GoogleTest's header must have seen first.
#include <rapidcheck.h>

#include <sstream>
#include <string>
#include <vector>

#include "schedule/goal/goal.hpp"
#include "schedule/schedule_builder.hpp"

namespace kumi::schedule {

inline Schedule goal(const std::string& text) {
    std::istringstream input(text);
    return read_goal(input);
}

/// A schedule from what GOAL text says of each rank.
inline Schedule of_ranks(const std::vector<std::string>& ranks) {
    std::string text = "num_ranks " + std::to_string(ranks.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        text += "\nrank " + std::to_string(rank) + " {\n" + ranks[rank] + "\n}";
    return goal(text);
}

/// Operations a, b and so on, each of which requires the one before.
inline std::string in_turn(const std::vector<std::string>& operations) {
    std::string text;
    for (char label = 'a'; const std::string& operation : operations) {
        text = text + label + ": " + operation + "\n";
        if (label > 'a') text = text + label + " requires " + static_cast<char>(label - 1) + "\n";
        ++label;
    }
    return text;
}

inline std::string text_of(const Schedule& schedule, GoalDialect dialect = GoalDialect::kOwn) {
    std::ostringstream output;
    write_goal(schedule, output, dialect);
    return output.str();
}

/// What reading complains about; nothing if it does not.
template <class Read>
std::string complaint_of(Read&& read) {
    try {
        read();
    } catch (const ScheduleError& error) {
        return error.what();
    }
    return "";
}

/// Whether a text has this part.
inline testing::AssertionResult says(const std::string& text, const std::string& part) {
    const bool has_part = text.find(part) != std::string::npos;
    return (has_part ? testing::AssertionSuccess() : testing::AssertionFailure()) << text;
}

inline Operation arbitrary_hint() {
    using endpoint::service::Hint;
    using endpoint::service::HintKey;
    if (*rc::gen::arbitrary<bool>()) return Operation::in_kernel(*rc::gen::arbitrary<bool>());
    if (*rc::gen::arbitrary<bool>())
        return Operation::hint({HintKey::kRepeated, *rc::gen::inRange<std::uint64_t>(0, 2)});
    if (*rc::gen::inRange(0, 4) == 0) return Operation::hint({HintKey::kInitDone, 1});
    return Operation::hint({*rc::gen::element(HintKey::kMemoryBudget, HintKey::kEager),
                            *rc::gen::inRange<std::uint64_t>(1, Hint::kMostSize + 1)});
}

inline Operation arbitrary_operation(std::uint32_t ranks) {
    Operation operation{
        .amount = *rc::gen::inRange<std::uint64_t>(0, kMostAmount + 1),
        .kind = static_cast<OperationKind>(*rc::gen::inRange(0, int{kOperationKinds})),
        .cpu = *rc::gen::arbitrary<std::uint8_t>()};
    if (operation.kind == OperationKind::kSynchronise) operation.amount = 0;
    if (operation.kind == OperationKind::kHint) return arbitrary_hint();
    const auto is_recorded = *rc::gen::arbitrary<bool>();
    if (operation.kind == OperationKind::kCompute && is_recorded) {
        operation.traits = *rc::gen::arbitrary<bool>() ? traits::kSoftware : traits::kSleep;
    }
    if (!operation.is_message()) return operation;
    if (is_recorded) {
        operation.traits = traits::kBare;
        if (*rc::gen::arbitrary<bool>()) operation.traits |= traits::kInterface;
        if (operation.kind == OperationKind::kSend && *rc::gen::arbitrary<bool>()) {
            operation.traits |= traits::kControl | traits::kRequest;
        }
    }
    operation.peer = *rc::gen::inRange<std::uint32_t>(0, ranks);
    operation.tag = *rc::gen::inRange<std::uint32_t>(0, kAnyTag);
    operation.nic = *rc::gen::arbitrary<std::uint8_t>();
    if (operation.kind != OperationKind::kReceive) return operation;
    if (*rc::gen::arbitrary<bool>()) operation.peer = kAnyPeer;
    if (*rc::gen::arbitrary<bool>()) operation.tag = kAnyTag;
    return operation;
}

inline ErrorContent arbitrary_content() {
    ErrorContent content{
        .element = static_cast<Element>(*rc::gen::inRange<std::size_t>(1, kElements.size()))};
    const auto bits = static_cast<int>(traits_of(content.element).word_bits);
    content.protected_bits = static_cast<std::uint8_t>(*rc::gen::inRange(0, bits + 1));
    if (*rc::gen::arbitrary<bool>()) content.order = network::BitOrder::kImportantFirst;
    if (*rc::gen::arbitrary<bool>()) content.function = "MPI_Send";
    return content;
}

/// Any operation, of which a send may arrive with errors.
inline Operation arbitrary_operation_of(ScheduleBuilder& builder) {
    Operation operation = arbitrary_operation(builder.ranks());
    if (operation.kind != OperationKind::kSend || operation.has(traits::kControl)) return operation;
    if (*rc::gen::inRange(0, 3) != 0) return operation;
    const ErrorContent content = arbitrary_content();
    operation.amount -= operation.amount % traits_of(content.element).bytes();
    operation.allow_errors(builder.content(content));
    return operation;
}

/// Any schedule that can be: some ranks do nothing, operations wait for earlier and, by a
/// permutation, for later ones.
inline Schedule arbitrary_schedule() {
    const auto ranks = *rc::gen::inRange<std::uint32_t>(1, 6);
    ScheduleBuilder builder(ranks);
    if (*rc::gen::inRange(0, 3) == 0) builder.allow_errors(*rc::gen::arbitrary<bool>());
    if (*rc::gen::inRange(0, 3) == 0)
        builder.count_recorded_order({.polls = *rc::gen::inRange<std::uint64_t>(0, 3),
                                      .wildcards = *rc::gen::inRange<std::uint64_t>(0, 3)});
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        if (*rc::gen::inRange(0, 4) == 0) continue;
        builder.begin_rank(rank);
        const auto count = *rc::gen::inRange<std::uint32_t>(0, 8);
        for (std::uint32_t i = 0; i < count; ++i) builder.add(arbitrary_operation_of(builder));
        const bool backwards = *rc::gen::arbitrary<bool>();
        for (std::uint32_t after = 1; after < count; ++after) {
            const auto before = *rc::gen::inRange<std::uint32_t>(0, after);
            const std::uint32_t a = backwards ? count - 1 - after : after;
            const std::uint32_t b = backwards ? count - 1 - before : before;
            if (*rc::gen::arbitrary<bool>()) builder.require(a, b);
            if (*rc::gen::arbitrary<bool>()) builder.require_start(a, b);
        }
    }
    return builder.finish();
}

}  // namespace kumi::schedule
