#pragma once

#include <llvm/IR/PassManager.h>

#include "passes/processor_model.hpp"

namespace kumi::passes {

/// Marks places ahead of a program's communication calls, at which the run time of wake-ups
/// (src/mpi/wake) can wake links so that they are awake when the call needs them.
///
/// To be run after loops have been simplified and functions inlined, and before vectorisation. What
/// became of each call is printed to standard error, and reported as remarks (-Rpass=kumi-prewake).
class PrewakePass : public llvm::PassInfoMixin<PrewakePass> {
   public:
    explicit PrewakePass(ProcessorModel model) : x_model(model) {}

    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
    static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name

   private:
    ProcessorModel x_model;
};

}  // namespace kumi::passes
