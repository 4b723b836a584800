#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/memory/large_memory.hpp"
#include "schedule/message_errors.hpp"
#include "schedule/operation.hpp"

namespace kumi::schedule {

/// What in the calls of a recorded run may have depended on time. The program may do something else
/// over another platform; its schedule does not.
struct RecordedOrder {
    /// Calls that asked for completed requests, or waited for any of several, and found something.
    std::uint64_t polls = 0;
    /// Receives that accepted messages of several sources or tags.
    std::uint64_t wildcards = 0;

    bool may_depend_on_time() const { return polls > 0 || wildcards > 0; }
    bool operator==(const RecordedOrder&) const = default;
};

/// What every rank of a program does: for each a graph of operations, without cycles. Operations
/// without a path between them are concurrent; only a common cpu puts one after the other.
///
/// Immutable; made by a ScheduleBuilder, or lying in a file that is mapped into memory. Takes 24
/// bytes an operation and 4 a dependence; in a mapped file, as much of that as is in use.
class Schedule {
   public:
    std::uint32_t ranks() const { return static_cast<std::uint32_t>(x_starts.size() - 1); }
    std::uint32_t operations() const { return x_starts.back().operation; }
    std::uint32_t dependences() const { return x_starts.back().successor; }

    std::span<const Operation> operations_of(std::uint32_t rank) const {
        const Operation* first = x_mapped.empty() ? x_operations.data() + x_starts[rank].operation
                                                  : x_mapped[rank].operations;
        return {first, x_starts[rank + 1].operation - x_starts[rank].operation};
    }
    /// Those that wait for operation `operation` of `rank`, in ascending order.
    std::span<const Successor> successors(std::uint32_t rank, std::uint32_t operation) const {
        const auto operations = operations_of(rank);
        const auto all = successors_of(rank);
        const std::size_t first = operations[operation].first_successor;
        const std::size_t end = operation + std::size_t{1} < operations.size()
                                    ? operations[operation + 1].first_successor
                                    : all.size();
        return all.subspan(first, end - first);
    }
    /// Those of all operations of `rank`, one operation's after the other's.
    std::span<const Successor> successors_of(std::uint32_t rank) const {
        const Successor* first = x_mapped.empty() ? x_successors.data() + x_starts[rank].successor
                                                  : x_mapped[rank].successors;
        return {first, x_starts[rank + 1].successor - x_starts[rank].successor};
    }
    /// The number of a rank's first operation among those of all ranks.
    std::uint32_t first_operation(std::uint32_t rank) const { return x_starts[rank].operation; }

    /// Contents of messages that may arrive with errors; nullptr if no run allowed any.
    const ScheduleErrors* errors() const { return x_errors ? &*x_errors : nullptr; }

    /// Counts of a schedule of recorded calls; zero in others.
    const RecordedOrder& recorded_order() const { return x_recorded_order; }

    /// Whether both say the same, wherever they lie.
    bool operator==(const Schedule& other) const {
        if (x_starts != other.x_starts || x_errors != other.x_errors ||
            x_recorded_order != other.x_recorded_order)
            return false;
        for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
            if (!std::ranges::equal(operations_of(rank), other.operations_of(rank)) ||
                !std::ranges::equal(successors_of(rank), other.successors_of(rank))) {
                return false;
            }
        }
        return true;
    }

   private:
    friend class ScheduleBuilder;
    friend class MappedSchedule;

    struct Start {
        std::uint32_t operation = 0;
        std::uint32_t successor = 0;
        bool operator==(const Start&) const = default;
    };
    struct MappedRank {
        const Operation* operations = nullptr;
        const Successor* successors = nullptr;
    };

    std::vector<Start> x_starts{1};  ///< Of each rank, and the end.
    LargeVector<Operation> x_operations;
    LargeVector<Successor> x_successors;
    std::optional<ScheduleErrors> x_errors;
    RecordedOrder x_recorded_order;
    std::vector<MappedRank> x_mapped;    ///< In place of both, where each rank's are in the file.
    std::shared_ptr<const void> x_file;  ///< Keeps the file mapped.
};

}  // namespace kumi::schedule
