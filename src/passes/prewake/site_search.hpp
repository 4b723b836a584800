#pragma once

#include <llvm/IR/PassManager.h>

#include "passes/prewake/place_finder.hpp"

namespace kumi::passes {

/// Searches a module for places ahead of a call: first its function, and where nothing is in the
/// way from that function's beginning, the functions of the module that call it.
class SiteSearch {
   public:
    SiteSearch(const Communication& communication, const ProcessorModel& model,
               llvm::FunctionAnalysisManager& analyses)
        : x_communication(communication), x_model(model), x_analyses(analyses) {}

    Findings ahead_of(llvm::Instruction& call);

   private:
    Findings search(llvm::Instruction& call);
    /// Continues at the callers of `function`.
    void climb(llvm::Function& function, unsigned levels, Findings& findings);

    const Communication& x_communication;
    const ProcessorModel& x_model;
    llvm::FunctionAnalysisManager& x_analyses;
};

}  // namespace kumi::passes
