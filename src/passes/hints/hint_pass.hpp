#pragma once

#include <llvm/IR/PassManager.h>

namespace kumi::passes {

/// Puts HINT("IN_KERNEL", "1") before the loop of a module that seems to communicate most, and
/// HINT("IN_KERNEL", "0") at all its exits. What it chose, and why, is printed to standard error,
/// and reported as a remark (-Rpass=kumi-hints).
///
/// To be run after loops have been simplified and functions inlined, and before vectorisation.
class HintPass : public llvm::PassInfoMixin<HintPass> {
   public:
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
    static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name
};

}  // namespace kumi::passes
