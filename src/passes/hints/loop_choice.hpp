#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>
#include <vector>

#include "passes/prewake/communication.hpp"

namespace llvm {
class Loop;
}

namespace kumi::passes {

/// The loop of a module that seems to communicate most.
struct LoopChoice {
    llvm::Loop* loop = nullptr;
    std::uint64_t calls = 0;      ///< Calls that communicate in it, as estimated.
    std::uint64_t all_calls = 0;  ///< Of the function from which the search began.
};

/// Estimates how often a module calls what communicates: calls of MPI that may send count once for
/// each iteration of the loops around them, and what functions of the module do counts where they
/// are called. Loops whose number of iterations is not known are taken to have a hundred; of
/// branches, a share of the calls counts, by LLVM's own estimate.
class LoopChooser {
   public:
    LoopChooser(const Communication& communication, llvm::FunctionAnalysisManager& analyses)
        : x_communication(communication), x_analyses(analyses) {}

    /// Begins at the function that communicates most, and goes inwards, into loops and functions,
    /// as long as one of them has more than half of the calls. The outermost loop that has nothing
    /// but these calls is chosen: what else loops around it do would count as well.
    LoopChoice choose(llvm::Module& module);

   private:
    /// Something in a function or loop that communicates: a loop, a call of a function of the
    /// module, or a call of MPI.
    struct Item {
        llvm::Loop* loop = nullptr;
        llvm::Function* callee = nullptr;
        std::uint64_t weight = 0;  ///< In an iteration of the loop, or call of the function.
    };
    using Items = std::vector<Item>;

    std::uint64_t weight_of(llvm::Function& function);
    /// Of the loop, each time that it is entered.
    std::uint64_t weight_of(llvm::Loop& loop, llvm::Function& function);
    /// `loop` null: of what is in no loop.
    Items items_of(llvm::Loop* loop, llvm::Function& function);
    std::uint64_t trips_of(llvm::Loop& loop, llvm::Function& function);

    const Communication& x_communication;
    llvm::FunctionAnalysisManager& x_analyses;
    llvm::DenseMap<const llvm::Function*, std::uint64_t> x_weights;
};

}  // namespace kumi::passes
