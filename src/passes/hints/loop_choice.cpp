#include "passes/hints/loop_choice.hpp"

#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace kumi::passes {
namespace {

constexpr std::uint64_t kUnknownTrips = 100;
/// Weights are calls in these parts.
constexpr std::uint64_t kOne = 1024;

std::uint64_t times(std::uint64_t weight, std::uint64_t factor) {
    return llvm::SaturatingMultiply(weight, factor);
}

std::uint64_t sum_of(const auto& items) {
    std::uint64_t sum = 0;
    for (const auto& item : items) sum = llvm::SaturatingAdd(sum, item.weight);
    return sum;
}

/// How often `part` is run for each time that `whole` is, at most once.
std::uint64_t share(std::uint64_t weight, std::uint64_t part, std::uint64_t whole) {
    if (whole == 0 || part >= whole) return weight;
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(weight) * part / whole);
}

}  // namespace

LoopChoice LoopChooser::choose(llvm::Module& module) {
    llvm::Function* function = nullptr;
    for (llvm::Function& each : module)
        if (!each.isDeclaration() &&
            weight_of(each) > (function == nullptr ? 0 : weight_of(*function)))
            function = &each;
    LoopChoice choice;
    if (function == nullptr) return choice;
    std::uint64_t calls = weight_of(*function);
    choice.all_calls = calls / kOne;
    llvm::DenseSet<const llvm::Function*> seen{function};
    llvm::Loop* loop = nullptr;
    // Whether what lies further inwards is not all that the chosen loop does.
    bool is_narrower = true;
    for (bool is_first = true;; is_first = false) {
        const Items items = items_of(loop, *function);
        const auto heaviest = std::ranges::max_element(items, {}, &Item::weight);
        if (heaviest == items.end()) return choice;
        const std::uint64_t all = sum_of(items);
        if (!is_first && heaviest->weight <= all / 2) return choice;
        is_narrower = is_narrower || heaviest->weight < all;
        calls = share(calls, heaviest->weight, all);
        if (heaviest->loop != nullptr) {
            loop = heaviest->loop;
            if (is_narrower) {
                choice.loop = loop;
                choice.calls = calls / kOne;
            }
            is_narrower = false;
        } else if (heaviest->callee != nullptr && seen.insert(heaviest->callee).second) {
            function = heaviest->callee;
            loop = nullptr;
        } else {
            return choice;
        }
    }
}

std::uint64_t LoopChooser::weight_of(llvm::Function& function) {
    // Of one that calls itself, the calls within count nothing.
    const auto [known, is_new] = x_weights.try_emplace(&function, 0);
    if (!is_new) return known->second;
    const std::uint64_t weight = sum_of(items_of(nullptr, function));
    x_weights[&function] = weight;
    return weight;
}

std::uint64_t LoopChooser::weight_of(llvm::Loop& loop, llvm::Function& function) {
    return times(sum_of(items_of(&loop, function)), trips_of(loop, function));
}

std::uint64_t LoopChooser::trips_of(llvm::Loop& loop, llvm::Function& function) {
    auto& evolution = x_analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    if (const unsigned trips = evolution.getSmallConstantTripCount(&loop)) return trips;
    const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
    return most > 0 ? std::min<std::uint64_t>(most, kUnknownTrips) : kUnknownTrips;
}

LoopChooser::Items LoopChooser::items_of(llvm::Loop* loop, llvm::Function& function) {
    const auto& loops = x_analyses.getResult<llvm::LoopAnalysis>(function);
    const auto& frequencies = x_analyses.getResult<llvm::BlockFrequencyAnalysis>(function);
    const auto frequency = [&](const llvm::BasicBlock& block) {
        return frequencies.getBlockFreq(&block).getFrequency();
    };
    const llvm::BasicBlock& begin = loop != nullptr ? *loop->getHeader() : function.getEntryBlock();
    Items items;
    const auto add = [&](Item item, const llvm::BasicBlock& block) {
        item.weight = share(item.weight, frequency(block), frequency(begin));
        if (item.weight > 0) items.push_back(item);
    };
    for (llvm::BasicBlock& block : function) {
        if (loops.getLoopFor(&block) != loop) continue;
        for (const llvm::Instruction& instruction : block) {
            const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            if (call == nullptr) continue;
            if (x_communication.kind_of(instruction) == CallKind::kSite)
                add({.weight = kOne}, block);
            else if (llvm::Function* callee = call->getCalledFunction();
                     callee != nullptr && !callee->isDeclaration())
                add({.callee = callee, .weight = weight_of(*callee)}, block);
        }
    }
    const auto& inner = loop != nullptr ? loop->getSubLoops() : loops.getTopLevelLoops();
    for (llvm::Loop* each : inner) {
        const llvm::BasicBlock* before = each->getLoopPredecessor();
        add({.loop = each, .weight = weight_of(*each, function)},
            before != nullptr ? *before : begin);
    }
    return items;
}

}  // namespace kumi::passes
