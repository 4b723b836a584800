#include "passes/prewake/place_finder.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/Path.h>

#include "passes/work_cost.hpp"

namespace kumi::passes {

/// More places ahead of a call than that are not looked for.
constexpr std::size_t kMostPlaces = 4;
/// A loop that is known to take less than that, in thousandths of a cycle, is passed over.
constexpr std::int64_t kShort = 500'000;
/// How many calls upwards a search goes; recursion ends there, too.
constexpr unsigned kMostLevels = 3;

Findings PlaceFinder::search(llvm::Instruction& call) {
    x_findings = Findings{};
    x_waiting.clear();
    x_seen.clear();
    look_above(*call.getParent(), call.getPrevNode());
    while (!x_waiting.empty()) {
        llvm::BasicBlock* const block = x_waiting.pop_back_val();
        if (x_findings.places.size() >= kMostPlaces) break;
        look_above(*block, block->getTerminator());
    }
    return std::move(x_findings);
}

void PlaceFinder::look_above(llvm::BasicBlock& block, llvm::Instruction* above) {
    for (; above != nullptr; above = above->getPrevNode()) {
        if (x_communication.kind_of(*above) != CallKind::kHarmless) {
            const auto* callee = llvm::cast<llvm::CallBase>(above)->getCalledFunction();
            add_once(x_findings.limits, (callee == nullptr ? std::string("a call of unknown code")
                                                           : shown_name(*callee)) +
                                            " " + shown_place(*above));
            return;
        }
        if (computes(*above)) add({Place::Kind::kCall, above});
    }
    look_above_block(block);
}

void PlaceFinder::look_above_block(llvm::BasicBlock& block) {
    if (block.isEntryBlock()) {
        x_findings.reaches_entry = true;
        return;
    }
    if (x_loops.isLoopHeader(&block)) return spread(block);
    const auto* node = x_dominators.getNode(&block);
    if (node == nullptr || node->getIDom() == nullptr) return;
    llvm::BasicBlock& above = *node->getIDom()->getBlock();
    Blocks way = between(above, block);
    way.push_back(&above);
    const auto loops = loops_on_the_way(way, block);
    way.pop_back();
    for (llvm::Loop* loop : loops) way.append(loop->block_begin(), loop->block_end());
    for (const llvm::BasicBlock* passed : way)
        if (!x_communication.is_harmless(*passed)) return spread(block);
    const llvm::Loop* left = nullptr;
    for (llvm::Loop* loop : loops) {
        if (!is_short(*loop)) add({Place::Kind::kLoop, loop->getHeader()});
        if (loop->contains(&above)) left = loop;
    }
    if (left == nullptr) return enqueue_end(above);
    for (llvm::BasicBlock* entering : llvm::predecessors(left->getHeader()))
        if (!left->contains(entering)) enqueue_end(*entering);
}

void PlaceFinder::enqueue_end(llvm::BasicBlock& block) {
    if (x_seen.insert(&block).second) x_waiting.push_back(&block);
}

void PlaceFinder::spread(llvm::BasicBlock& block) {
    for (llvm::BasicBlock* previous : llvm::predecessors(&block)) enqueue_end(*previous);
}

PlaceFinder::Blocks PlaceFinder::between(llvm::BasicBlock& from, llvm::BasicBlock& to) const {
    Blocks found;
    llvm::DenseSet<llvm::BasicBlock*> seen = {&from, &to};
    Blocks waiting(llvm::pred_begin(&to), llvm::pred_end(&to));
    while (!waiting.empty()) {
        llvm::BasicBlock* const block = waiting.pop_back_val();
        if (!seen.insert(block).second) continue;
        found.push_back(block);
        waiting.append(llvm::pred_begin(block), llvm::pred_end(block));
    }
    return found;
}

llvm::SetVector<llvm::Loop*> PlaceFinder::loops_on_the_way(const Blocks& blocks,
                                                           const llvm::BasicBlock& outside) const {
    llvm::SetVector<llvm::Loop*> found;
    for (const llvm::BasicBlock* block : blocks) {
        llvm::Loop* loop = x_loops.getLoopFor(block);
        if (loop == nullptr || loop->contains(&outside)) continue;
        while (loop->getParentLoop() != nullptr && !loop->getParentLoop()->contains(&outside))
            loop = loop->getParentLoop();
        found.insert(loop);
    }
    return found;
}

bool PlaceFinder::is_short(const llvm::Loop& loop) const {
    const unsigned trips = x_evolution.getSmallConstantTripCount(&loop);
    if (trips == 0 || !loop.isInnermost()) return false;
    std::int64_t millicycles = recurrence_millicycles(loop, x_model);
    for (const llvm::BasicBlock* block : loop.blocks()) {
        StretchCost cost(x_model);
        for (const llvm::Instruction& instruction : *block) {
            if (computes(instruction)) return false;
            cost.add(instruction);
        }
        millicycles += cost.millicycles();
    }
    return millicycles * trips < kShort;
}

bool PlaceFinder::computes(const llvm::Instruction& instruction) const {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr) return false;
    const llvm::Function& callee = *call->getCalledFunction();
    if (callee.isDeclaration()) return false;
    // Without branches it cannot take long, but for what it calls in turn.
    if (callee.size() > 1) return true;
    for (const llvm::Instruction& inside : callee.getEntryBlock()) {
        const auto* nested = llvm::dyn_cast<llvm::CallBase>(&inside);
        if (nested != nullptr && nested->getCalledFunction() != nullptr &&
            !nested->getCalledFunction()->isDeclaration())
            return true;
    }
    return false;
}

void PlaceFinder::add(Place place) {
    if (x_findings.places.size() < kMostPlaces && !llvm::is_contained(x_findings.places, place))
        x_findings.places.push_back(place);
}

std::string shown_function(const llvm::Function& function) {
    return llvm::demangle(function.getName());
}

std::string shown_place(const llvm::Instruction& instruction) {
    const llvm::DILocation* location = instruction.getDebugLoc();
    // Inlined code is shown where it was written.
    if (location == nullptr || location->getLine() == 0)
        return "in " + shown_function(*instruction.getFunction());
    return llvm::sys::path::filename(location->getFilename()).str() + ":" +
           std::to_string(location->getLine());
}

Findings SiteSearch::ahead_of(llvm::Instruction& call) {
    Findings findings = search(call);
    if (findings.reaches_entry) climb(*call.getFunction(), kMostLevels, findings);
    return findings;
}

Findings SiteSearch::search(llvm::Instruction& call) {
    llvm::Function& function = *call.getFunction();
    PlaceFinder finder(x_communication, x_model,
                       x_analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                       x_analyses.getResult<llvm::LoopAnalysis>(function),
                       x_analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
    return finder.search(call);
}

void SiteSearch::climb(llvm::Function& function, unsigned levels, Findings& findings) {
    bool has_callers = false;
    for (llvm::User* user : function.users()) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        if (call == nullptr || call->getCalledFunction() != &function) continue;
        has_callers = true;
        if (levels == 0) {
            add_once(findings.limits, "the beginning of " + shown_function(function));
            continue;
        }
        const Findings above = search(*call);
        for (const Place& place : above.places) add_once(findings.places, place);
        for (const std::string& limit : above.limits) add_once(findings.limits, limit);
        if (above.reaches_entry) climb(*call->getFunction(), levels - 1, findings);
    }
    if (has_callers) return;
    // Others may call it: it is a place that comes early enough if it computes before the call.
    const Place entry{Place::Kind::kEntry, &function};
    if (function.getName() == "main")
        add_once(findings.limits, "the beginning of main");
    else
        add_once(findings.places, entry);
}

}  // namespace kumi::passes
