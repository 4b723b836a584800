#pragma once

#include <cstdint>
#include <optional>

#include "passes/processor_model.hpp"

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class Value;
}  // namespace llvm

namespace kumi::passes {

/// The cost of a stretch of instructions that a processor may overlap: each resource is busy for
/// the sum of its operations, and the busiest decides.
class StretchCost {
   public:
    explicit StretchCost(const ProcessorModel& model) : x_model(&model) {}

    void add(const llvm::Instruction& instruction);
    /// Thousandths of a cycle.
    std::int64_t millicycles() const;

   private:
    enum Resource : std::uint8_t { kInteger, kFloat, kDivider, kLoad, kStore, kBranch, kSerial };
    static constexpr std::size_t kResources = 7;
    static Resource resource_of(Work work);

    const ProcessorModel* x_model;
    std::int64_t x_operations = 0;
    std::array<std::int64_t, kResources> x_busy = {};
    std::int64_t x_serial = 0;
};

/// Latency of one instruction's result, in thousandths of a cycle.
std::int64_t latency_of(const llvm::Instruction& instruction, const ProcessorModel& model);

/// The least time of one iteration of an innermost loop, in thousandths of a cycle: the longest
/// chain of operations from a value of the iteration before to that of this one.
std::int64_t recurrence_millicycles(const llvm::Loop& loop, const ProcessorModel& model);

/// The number of bytes that an instruction copies or fills; null if it is no such instruction.
llvm::Value* copied_bytes(const llvm::Instruction& instruction);

/// What is known of a function of the C mathematics library, or its intrinsic, that an instruction
/// calls: thousandths of a cycle beyond the call itself. Nothing for every other instruction.
std::optional<std::int64_t> library_millicycles(const llvm::Instruction& instruction);

}  // namespace kumi::passes
