#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/large_memory.hpp"
#include "schedule/operation.hpp"

namespace kumi {

/// What every rank of a program does: for each a graph of operations, without cycles. Operations
/// without a path between them are concurrent; only a common cpu puts one after the other.
///
/// Immutable; made by a ScheduleBuilder. Takes 24 bytes an operation and 4 a dependence.
class Schedule {
   public:
    std::uint32_t ranks() const { return static_cast<std::uint32_t>(x_starts.size() - 1); }
    std::uint32_t operations() const { return x_starts.back().operation; }
    std::uint32_t dependences() const { return x_starts.back().successor; }

    std::span<const Operation> operations_of(std::uint32_t rank) const {
        return std::span(x_operations).subspan(first_operation(rank), count_of(rank));
    }
    /// Those that wait for operation `operation` of `rank`, in ascending order.
    std::span<const Successor> successors(std::uint32_t rank, std::uint32_t operation) const {
        const std::uint32_t index = first_operation(rank) + operation;
        const std::uint32_t first = x_operations[index].first_successor;
        const std::uint32_t end = operation + 1 < count_of(rank)
                                      ? x_operations[index + 1].first_successor
                                      : x_starts[rank + 1].successor - x_starts[rank].successor;
        return std::span(x_successors).subspan(x_starts[rank].successor + first, end - first);
    }
    /// Those of all operations of `rank`, one operation's after the other's.
    std::span<const Successor> successors_of(std::uint32_t rank) const {
        const std::uint32_t first = x_starts[rank].successor;
        return std::span(x_successors).subspan(first, x_starts[rank + 1].successor - first);
    }
    /// The number of a rank's first operation among those of all ranks.
    std::uint32_t first_operation(std::uint32_t rank) const { return x_starts[rank].operation; }

    bool operator==(const Schedule&) const = default;

   private:
    friend class ScheduleBuilder;

    struct Start {
        std::uint32_t operation = 0;
        std::uint32_t successor = 0;
        bool operator==(const Start&) const = default;
    };

    std::uint32_t count_of(std::uint32_t rank) const {
        return x_starts[rank + 1].operation - x_starts[rank].operation;
    }

    std::vector<Start> x_starts{1};  ///< Of each rank, and the end.
    LargeVector<Operation> x_operations;
    LargeVector<Successor> x_successors;
};

}  // namespace kumi
