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

}  // namespace kumi::passes
