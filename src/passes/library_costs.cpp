#include "passes/library_costs.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>

namespace kumi::passes {
namespace {

struct LibraryFunction {
    llvm::StringRef name;  ///< In double precision; that for float ends with f.
    std::int64_t millicycles;
};

/// glibc's, in double precision, for ordinary arguments.
constexpr std::array<LibraryFunction, 20> kFunctions = {{
    {"acos", 30'000}, {"asin", 30'000},  {"atan", 35'000}, {"atan2", 45'000}, {"cbrt", 30'000},
    {"cos", 35'000},  {"cosh", 40'000},  {"exp", 20'000},  {"exp2", 18'000},  {"expm1", 30'000},
    {"fmod", 30'000}, {"hypot", 20'000}, {"log", 20'000},  {"log10", 40'000}, {"log1p", 35'000},
    {"log2", 20'000}, {"pow", 45'000},   {"sin", 35'000},  {"tan", 60'000},   {"tanh", 45'000},
}};

std::optional<std::int64_t> cost_of(llvm::StringRef name) {
    for (const LibraryFunction& function : kFunctions) {
        if (name == function.name) return function.millicycles;
    }
    return std::nullopt;
}

/// The mathematical function that an intrinsic stands for, such as "pow" of llvm.pow.f64.
llvm::StringRef intrinsic_name(const llvm::IntrinsicInst& call) {
    llvm::StringRef name = call.getCalledFunction()->getName();
    if (!name.consume_front("llvm.")) return {};
    return name.take_until([](char letter) { return letter == '.'; });
}

}  // namespace

std::optional<std::int64_t> library_millicycles(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr) return std::nullopt;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call))
        return cost_of(intrinsic_name(*intrinsic));
    const llvm::Function& function = *call->getCalledFunction();
    if (!function.isDeclaration()) return std::nullopt;
    llvm::StringRef name = function.getName();
    if (const auto cost = cost_of(name)) return cost;
    return name.consume_back("f") ? cost_of(name) : std::nullopt;
}

}  // namespace kumi::passes
