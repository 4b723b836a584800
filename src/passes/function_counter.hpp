#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>

#include "passes/processor_model.hpp"

namespace llvm {
class AllocaInst;
class DominatorTree;
class Loop;
class LoopInfo;
class OptimizationRemarkEmitter;
class ScalarEvolution;
}  // namespace llvm

namespace kumi::passes {

/// Makes one function count.
class FunctionCounter {
   public:
    FunctionCounter(llvm::Function& function, llvm::GlobalVariable& counter,
                    const ProcessorModel& model, llvm::FunctionAnalysisManager& analyses);

    void run();

   private:
    /// A part of a block without a look at the counter inside: `cost` is added before `end`, and
    /// before a look also goes to memory.
    struct Stretch {
        llvm::Instruction* end;
        std::int64_t millicycles;
        bool is_seen;
    };

    void measure();
    void measure_block(llvm::BasicBlock& block);
    void add_recurrences();
    void add_recurrence(const llvm::Loop& loop);

    /// Charges in one go the innermost loops of which it is known before how often they run.
    void charge_whole_loops();
    bool charge_whole(llvm::Loop& loop);

    void emit();
    void emit_add(llvm::Instruction& before, llvm::Value* millicycles);
    void emit_copied(llvm::Instruction& copy);
    /// What was counted goes to memory in each iteration of an outermost loop around others, and
    /// before one without others: an observer outside sees how far the program has got. In
    /// inner loops that costs too much: 13 % of a stencil.
    void emit_progress(llvm::Loop& loop);
    void emit_store(llvm::Instruction& before);
    void report();

    llvm::Function& x_function;
    llvm::GlobalVariable& x_counter;
    const ProcessorModel& x_model;
    llvm::DominatorTree& x_dominators;  ///< Kept up to date: loops get blocks before them.
    llvm::LoopInfo& x_loops;
    llvm::ScalarEvolution& x_evolution;
    const llvm::TargetLibraryInfo& x_library;
    llvm::OptimizationRemarkEmitter& x_remarks;
    llvm::AllocaInst* x_sum = nullptr;

    llvm::MapVector<llvm::BasicBlock*, llvm::SmallVector<Stretch, 2>> x_stretches;
    llvm::SmallVector<llvm::Instruction*, 4> x_copies;
    unsigned x_whole_loops = 0;
};

}  // namespace kumi::passes
