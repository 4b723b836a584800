#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
}

namespace kumi::passes {

/// What is known of a function of the C mathematics library, or its intrinsic, that an instruction
/// calls: thousandths of a cycle beyond the call itself. Nothing for every other instruction.
std::optional<std::int64_t> library_millicycles(const llvm::Instruction& instruction);

}  // namespace kumi::passes
