#pragma once

#include <llvm/IR/PassManager.h>

#include "passes/processor_model.hpp"

namespace kumi::passes {

/// Makes a module count its work: what each basic block costs on the modelled processor is added
/// up, in thousandths of a cycle, in the thread-local variable `kumi_work`.
///
/// To be run last, on what is really executed. Inside of functions the sum is kept in a register;
/// it goes to memory before calls that could look at it, and at the end. A loop whose trip count
/// can be computed beforehand is charged as a whole and stays untouched. Nothing else about the
/// program changes, and it runs by itself as before.
class CountPass : public llvm::PassInfoMixin<CountPass> {
   public:
    explicit CountPass(ProcessorModel model) : x_model(model) {}

    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
    static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name

   private:
    ProcessorModel x_model;
};

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
