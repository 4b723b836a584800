#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include "passes/prewake/hook_calls.hpp"

namespace llvm {
class Loop;
}

namespace kumi::passes {

/// What became of a place in a loop.
enum class LoopPlace : std::uint8_t {
    kNone,               ///< The loop has no form in which that could be done.
    kSplit,              ///< The loop is two now, and the place is between them.
    kGuarded,            ///< Each iteration asks whether it is the one.
    kGuardedByLastTime,  ///< The same, and the number of iterations is taken from the last time.
};

/// Marks a place in the loop with this header, some iterations before the loop's end; how many, the
/// run time decides when the loop begins.
///
/// An innermost loop whose number of iterations is known when it begins is split in two, so that
/// each can still be vectorised and unrolled. In others, where an iteration is long or the last one
/// is not known, iterations are counted.
class LoopPlacer {
   public:
    LoopPlacer(llvm::Function& function, HookCalls& hooks, llvm::FunctionAnalysisManager& analyses)
        : x_function(function), x_hooks(hooks), x_analyses(analyses) {}

    LoopPlace mark(llvm::BasicBlock& header, llvm::Constant* place);

   private:
    /// The loop's number of iterations less one, as an i64 in its preheader; null if it is unknown.
    llvm::Value* last_iteration(llvm::Loop& loop);
    void split(llvm::Loop& loop, llvm::Value* last, llvm::Constant* place);
    void guard(llvm::Loop& loop, llvm::Value* last, llvm::Constant* place);

    llvm::Function& x_function;
    HookCalls& x_hooks;
    llvm::FunctionAnalysisManager& x_analyses;
};

}  // namespace kumi::passes
