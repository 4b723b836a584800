#include "passes/passes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <tuple>

#include "passes/prewake/communication.hpp"
#include "passes/prewake/hook_calls.hpp"
#include "passes/prewake/loop_places.hpp"
#include "passes/prewake/place_finder.hpp"

namespace kumi::passes {

using namespace llvm;
namespace {

constexpr const char* kRemarkPass = "kumi-prewake";

/// More of one kind are not listed.
constexpr std::size_t kMostListed = 4;

std::string listed(const Texts& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size() && i < kMostListed; ++i)
        text += (i > 0 ? ", " : "") + parts[i];
    if (parts.size() > kMostListed)
        text += " and " + std::to_string(parts.size() - kMostListed) + " others";
    return text;
}

/// Where a loop was written: in the file of its function, if any of its code is from there.
std::string shown_loop(const BasicBlock& header) {
    const DISubprogram* function = header.getParent()->getSubprogram();
    const Instruction* found = header.getTerminator();
    const auto look = [&](const BasicBlock& block) {
        for (const Instruction& instruction : block) {
            const DILocation* location = instruction.getDebugLoc();
            if (location == nullptr || location->getLine() == 0 || function == nullptr) continue;
            found = &instruction;
            if (location->getFilename() == function->getFilename()) return true;
        }
        return false;
    };
    if (!look(header))
        for (const BasicBlock* block : successors(&header))
            if (look(*block)) break;
    return shown_place(*found);
}

class Prewaking {
   public:
    Prewaking(Module& module, FunctionAnalysisManager& functions, const ProcessorModel& model)
        : x_module(module),
          x_functions(functions),
          x_communication(module, functions),
          x_search(x_communication, model, functions),
          x_hooks(module) {}

    bool run() {
        for (Function& function : x_module)
            for (Instruction& instruction : instructions(function))
                if (x_communication.kind_of(instruction) == CallKind::kSite)
                    x_sites.push_back({&instruction, x_search.ahead_of(instruction)});
        // What is said of places is found out before anything moves.
        for (const Site& site : x_sites) {
            for (const Place& place : site.findings.places) {
                if (find_marked(place) == nullptr)
                    x_marked.push_back({place, shown(place), {}, LoopPlace::kNone});
            }
        }
        mark_all();
        for (const Copies& copies : copies_by_call()) report(copies);
        return !x_marked.empty();
    }

   private:
    struct Site {
        Instruction* call;
        Findings findings;
    };
    /// Of one call in the source: loops that are unrolled and functions that are inlined have many.
    using Copies = SmallVector<const Site*, 1>;
    struct Marked {
        Place place;
        std::string shown;
        std::string done;
        LoopPlace loop;
    };

    static const Function& callee_of(const Instruction& call) {
        const auto& operand = *cast<CallBase>(call).getCalledOperand();
        return *cast<Function>(operand.stripPointerCastsAndAliases());
    }
    static std::string name_of(const Instruction& call) { return shown_name(callee_of(call)); }

    Marked* find_marked(const Place& place) {
        const auto found = find_if(x_marked, [&](const auto& each) { return each.place == place; });
        return found == x_marked.end() ? nullptr : &*found;
    }

    static std::string shown(const Place& place) {
        if (place.kind == Place::Kind::kLoop)
            return shown_loop(*static_cast<const BasicBlock*>(place.where));
        if (place.kind == Place::Kind::kCall)
            return shown_place(*static_cast<const Instruction*>(place.where));
        return shown_function(*static_cast<const Function*>(place.where));
    }

    void mark_all() {
        // Calls first: they change no blocks, and loops are written twice with what is in them.
        for (Marked& marked : x_marked)
            if (marked.place.kind != Place::Kind::kLoop) mark_straight(marked);
        for (Marked& marked : x_marked)
            if (marked.place.kind == Place::Kind::kLoop) mark_loop(marked);
    }

    void mark_straight(Marked& marked) {
        auto* where = const_cast<void*>(marked.place.where);
        Instruction* before = nullptr;
        if (marked.place.kind == Place::Kind::kCall) {
            before = static_cast<Instruction*>(where);
            marked.done = "before the call " + marked.shown;
        } else {
            auto* function = static_cast<Function*>(where);
            before = &*function->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
            marked.done = "at the beginning of " + marked.shown;
        }
        IRBuilder<> builder(before);
        x_hooks.pass_place(builder, x_hooks.make_place(marked.done));
    }

    void mark_loop(Marked& marked) {
        auto* header = static_cast<BasicBlock*>(const_cast<void*>(marked.place.where));
        LoopPlacer placer(*header->getParent(), x_hooks, x_functions);
        const std::string loop = "in the loop " + marked.shown;
        marked.loop = placer.mark(*header, x_hooks.make_place(loop));
        switch (marked.loop) {
            case LoopPlace::kSplit:
                marked.done = loop + " (split)";
                break;
            case LoopPlace::kGuarded:
                marked.done = loop + " (counted)";
                break;
            case LoopPlace::kGuardedByLastTime:
                marked.done = loop + " (as long as before)";
                break;
            case LoopPlace::kNone:
                break;
        }
    }

    /// In the order of the first of each.
    std::vector<Copies> copies_by_call() const {
        using Written = std::tuple<StringRef, StringRef, unsigned, unsigned>;
        std::map<Written, std::size_t> known;
        std::vector<Copies> calls;
        for (const Site& site : x_sites) {
            const DILocation* at = site.call->getDebugLoc();
            if (at == nullptr || at->getLine() == 0) {
                calls.push_back({&site});
                continue;
            }
            const Written written(callee_of(*site.call).getName(), at->getFilename(), at->getLine(),
                                  at->getColumn());
            const auto [found, is_new] = known.try_emplace(written, calls.size());
            if (is_new) calls.emplace_back();
            calls[found->second].push_back(&site);
        }
        return calls;
    }

    void report(const Copies& copies) {
        Texts done;
        Texts limits;
        for (const Site* site : copies) {
            for (const Place& place : site->findings.places) {
                const Marked& marked = *find_marked(place);
                if (!marked.done.empty()) add_once(done, marked.done);
            }
            for (const std::string& limit : site->findings.limits) add_once(limits, limit);
        }
        const Instruction& call = *copies.front()->call;
        std::string text =
            done.empty() ? "woken by a timer of an earlier call" : "woken " + listed(done);
        if (!limits.empty()) text += "; not above " + listed(limits);
        tell(call, !done.empty(), name_of(call) + ": " + text);
    }

    static void tell(const Instruction& call, bool is_ahead, const std::string& text) {
        errs() << shown_place(call) << ": " << text << "\n";
        OptimizationRemarkEmitter remarks(call.getFunction());
        if (is_ahead)
            remarks.emit(OptimizationRemark(kRemarkPass, "Ahead", &call) << text);
        else
            remarks.emit(OptimizationRemarkMissed(kRemarkPass, "NotAhead", &call) << text);
    }

    Module& x_module;
    FunctionAnalysisManager& x_functions;
    Communication x_communication;
    SiteSearch x_search;
    HookCalls x_hooks;
    std::vector<Site> x_sites;
    std::vector<Marked> x_marked;
};

}  // namespace

PreservedAnalyses PrewakePass::run(Module& module, ModuleAnalysisManager& analyses) {
    auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    return Prewaking(module, functions, x_model).run() ? PreservedAnalyses::none()
                                                       : PreservedAnalyses::all();
}

}  // namespace kumi::passes
