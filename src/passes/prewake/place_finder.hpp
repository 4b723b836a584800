#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <string>

#include "passes/prewake/communication.hpp"
#include "passes/processor_model.hpp"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
}  // namespace llvm
namespace kumi::passes {

/// Texts in the order in which they were first said.
using Texts = llvm::SmallVector<std::string, 2>;
template <class List>
void add_once(List& list, const typename List::value_type& added) {
    if (!llvm::is_contained(list, added)) list.push_back(added);
}

/// Where, ahead of a communication call, the program can announce it.
struct Place {
    enum class Kind : std::uint8_t {
        kLoop,   ///< Some iterations before the end of the loop with this header.
        kCall,   ///< Before a function is called that computes.
        kEntry,  ///< Where the function begins.
    };

    Kind kind = Kind::kEntry;
    const void* where = nullptr;  ///< The header, the call or the function.

    bool operator==(const Place&) const = default;
};

/// The places ahead of one call, the nearest first.
struct Findings {
    llvm::SmallVector<Place, 4> places;
    /// Why the search went no further, for each way that leads to the call.
    Texts limits;
    /// Whether nothing is in the way from where the function begins.
    bool reaches_entry = false;
};

/// Searches one function, upwards from a call, along all ways that lead to it.
///
/// Never across what may communicate: there the run time decides by itself. A loop that feeds the
/// call is a place, and so is a call of a function that computes for long; what is too short to
/// matter is passed over.
class PlaceFinder {
   public:
    PlaceFinder(const Communication& communication, const ProcessorModel& model,
                llvm::DominatorTree& dominators, llvm::LoopInfo& loops,
                llvm::ScalarEvolution& evolution)
        : x_communication(communication),
          x_model(model),
          x_dominators(dominators),
          x_loops(loops),
          x_evolution(evolution) {}

    Findings search(llvm::Instruction& call);

   private:
    using Blocks = llvm::SmallVector<llvm::BasicBlock*, 16>;

    /// From `above` upwards in its block, and then above that block.
    void look_above(llvm::BasicBlock& block, llvm::Instruction* above);
    void look_above_block(llvm::BasicBlock& block);
    void enqueue_end(llvm::BasicBlock& block);
    /// From all its predecessors, one by one.
    void spread(llvm::BasicBlock& block);

    /// Blocks on the ways from `from` to `to`, without both.
    Blocks between(llvm::BasicBlock& from, llvm::BasicBlock& to) const;
    /// The outermost loops that some of these blocks are in, and `outside` is not.
    llvm::SetVector<llvm::Loop*> loops_on_the_way(const Blocks& blocks,
                                                  const llvm::BasicBlock& outside) const;
    bool is_short(const llvm::Loop& loop) const;
    bool computes(const llvm::Instruction& instruction) const;
    void add(Place place);

    const Communication& x_communication;
    const ProcessorModel& x_model;
    llvm::DominatorTree& x_dominators;
    llvm::LoopInfo& x_loops;
    llvm::ScalarEvolution& x_evolution;

    Findings x_findings;
    llvm::SmallVector<llvm::BasicBlock*, 16> x_waiting;
    llvm::DenseSet<llvm::BasicBlock*> x_seen;
};

/// A function as the source names it.
std::string shown_function(const llvm::Function& function);
/// "file.c:12" of an instruction; where that is not known, "in f".
std::string shown_place(const llvm::Instruction& instruction);

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
