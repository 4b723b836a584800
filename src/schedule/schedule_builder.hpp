#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "schedule/mapped_schedule.hpp"
#include "schedule/schedule.hpp"
#include "schedule/work_watch.hpp"

namespace kumi::schedule {

/// What is wrong with a schedule, in a plain sentence.
class ScheduleError : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
};

/// Operations of one rank that wait for each other.
class CycleError : public ScheduleError {
   public:
    CycleError(std::uint32_t rank, std::vector<std::uint32_t> operations);
    /// In the order of waiting: each waits for the one before, the first for the last.
    const std::vector<std::uint32_t>& operations() const { return x_operations; }

   private:
    std::vector<std::uint32_t> x_operations;
};

/// So much of a schedule is held in memory while it is made: a quarter of memory_budget_bytes.
std::uint64_t most_held_schedule_bytes();

/// Makes a schedule rank by rank, in ascending order; ranks that are passed over do nothing.
/// Everything that cannot be executed is refused with a ScheduleError.
///
/// A schedule of more than `most_held_bytes` is written to a temporary file while it is made, and
/// the schedule then refers to that: only its largest rank must fit into memory. begin_rank and
/// finish throw TemporaryFileError if there is no space for it.
class ScheduleBuilder {
   public:
    explicit ScheduleBuilder(std::uint64_t ranks,
                             std::uint64_t most_held_bytes = most_held_schedule_bytes());

    std::uint32_t ranks() const { return x_ranks; }
    /// The rank that is being described.
    std::uint32_t rank() const { return x_rank; }

    /// The expected numbers of operations and dependences in all; saves time only.
    void reserve(std::size_t operations, std::size_t dependences);
    /// Messages may arrive with errors; what that says of all messages.
    void allow_errors(bool protects_exact) { errors_here().protects_exact = protects_exact; }
    /// The number of what an approximate send consists of, for Operation::allow_errors. The send
    /// must be the next that is added.
    std::uint8_t content(const ErrorContent& content);
    const std::optional<ScheduleErrors>& errors() const { return x_schedule.x_errors; }
    /// Adds to what in recorded calls may have depended on time.
    void count_recorded_order(const RecordedOrder& order);
    const RecordedOrder& recorded_order() const { return x_schedule.x_recorded_order; }

    /// What follows belongs to `rank`. Ends the rank before, which throws CycleError if it has one.
    void begin_rank(std::uint64_t rank);
    /// Returns the operation's number in its rank, from 0. `first_successor` is ignored.
    std::uint32_t add(const Operation& operation) {
        KUMI_ASSERT(x_is_open, "an operation belongs to no rank");
        // Checked in full only if it could be wrong; as a copy, so that this one need not be in
        // memory.
        const bool is_plain = operation.amount <= kMostAmount && operation.traits == 0 &&
                              operation.tag != kAnyTag &&
                              operation.kind != OperationKind::kSynchronise &&
                              operation.kind != OperationKind::kHint &&
                              (operation.peer < x_ranks || !operation.is_message());
        if (!is_plain) check(Operation(operation));
        if (x_operations >= x_most_operations) refuse("the schedule has too many operations");
        Operation& added = x_schedule.x_operations.emplace_back();
        added = operation;
        added.first_successor = 0;
        if ((x_operations + 1) % kCountedTogether == 0) WorkWatch::count(kCountedTogether);
        return x_operations++;
    }
    /// `after` starts when `before` has ended; both must have been added to this rank.
    void require(std::uint32_t after, std::uint32_t before) { depend(after, before, false); }
    /// `after` starts when `before` has started, or later.
    void require_start(std::uint32_t after, std::uint32_t before) { depend(after, before, true); }
    /// The one or the other.
    void depend(std::uint32_t after, std::uint32_t before, bool on_start) {
        const bool is_plain = after < x_operations && before < x_operations && after != before;
        if (!is_plain || x_dependences.size() >= x_most_dependences) {
            refuse_dependence(after, before);
        }
        x_goes_back = x_goes_back || after < before;
        Dependence& added = x_dependences.emplace_back();
        added.before = before;
        added.after = Successor(after, on_start);
    }
    /// Ends the rank, and forgets what it does: for callers that only check. `finish` must not
    /// be called afterwards.
    void check_rank();
    /// Ends the last rank, as begin_rank does. The builder must not be used afterwards.
    Schedule finish();

   private:
    /// Operations of a longer rank that are reported to the WorkWatch together.
    static constexpr std::uint32_t kCountedTogether = 1 << 16;

    struct Dependence {
        std::uint32_t before = 0;
        Successor after;
    };

    [[noreturn]] void refuse(const std::string& what) const;
    [[noreturn]] void refuse_dependence(std::uint32_t after, std::uint32_t before) const;
    void check(const Operation& operation) const;
    void end_rank();
    void keep_rank();
    void spill();
    ScheduleErrors& errors_here() {
        if (!x_schedule.x_errors) x_schedule.x_errors.emplace();
        return *x_schedule.x_errors;
    }
    void check_errors(const Operation& send) const;
    void number_successors(std::span<Operation> operations);
    bool are_in_order(std::span<const Operation> operations) const;
    void put_in_order(std::span<Operation> operations);
    void check_cycles(std::span<const Operation> operations) const;

    std::uint32_t x_ranks = 0;
    std::uint32_t x_rank = 0;
    bool x_is_open = false;          ///< A rank has begun.
    bool x_goes_back = false;        ///< An operation waits for a later one: there may be a cycle.
    std::uint32_t x_operations = 0;  ///< Of the present rank.
    std::vector<Dependence> x_dependences;
    /// What there is room for in this rank, so that the whole schedule does not have too many.
    std::uint32_t x_most_operations = 0, x_most_dependences = 0;
    std::vector<std::uint32_t> x_places;  ///< By operation, where its next successor goes.
    std::vector<Successor> x_successors;  ///< Of the present rank, by operation.
    std::uint64_t x_most_held_bytes = 0;
    std::unique_ptr<SpilledRanks> x_spilled;  ///< Those that `x_schedule` holds no longer.
    /// Where ranks start is that in the whole schedule, also after some have been spilled.
    Schedule x_schedule;
};

}  // namespace kumi::schedule
