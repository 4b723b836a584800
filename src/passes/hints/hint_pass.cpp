#include "passes/passes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "passes/hints/loop_choice.hpp"
#include "passes/prewake/communication.hpp"
#include "passes/prewake/place_finder.hpp"
#include "passes/shim_search.hpp"

namespace kumi::passes {

using namespace llvm;
namespace {

constexpr const char* kRemarkPass = "kumi-hints";

/// The module's own function that passes the hint IN_KERNEL on to the shim, if a run has loaded it.
class HintCalls {
   public:
    explicit HintCalls(Module& module) : x_module(module) {}

    void add(Instruction& before, const char* value) {
        IRBuilder<> builder(&before);
        Function& passes = function();
        builder.CreateCall(&passes, {builder.CreateGlobalString(value, "kumi.value")});
    }

   private:
    Function& function() {
        if (x_function != nullptr) return *x_function;
        auto& context = x_module.getContext();
        IRBuilder<> builder(context);
        auto* pointer = builder.getPtrTy();
        auto* null = ConstantPointerNull::get(pointer);
        auto* hint = new GlobalVariable(x_module, pointer, /*isConstant=*/false,
                                        GlobalValue::InternalLinkage, null, "kumi.hint");
        auto* type = FunctionType::get(builder.getVoidTy(), {pointer}, false);
        // Calls of MPI stay on their side of it; the program's data need not be read again.
        x_function = add_reader(x_module, type, "kumi.pass_hint");
        auto* entry = BasicBlock::Create(context, "", x_function);
        auto* heard = BasicBlock::Create(context, "heard", x_function);
        auto* unheard = BasicBlock::Create(context, "unheard", x_function);
        builder.SetInsertPoint(entry);
        Value* found = builder.CreateLoad(pointer, hint);
        builder.CreateCondBr(builder.CreateIsNull(found), unheard, heard);
        builder.SetInsertPoint(heard);
        auto* hint_type =
            FunctionType::get(builder.getInt32Ty(), {pointer, pointer, pointer}, false);
        builder.CreateCall(
            hint_type, found,
            {builder.CreateGlobalString("IN_KERNEL", "kumi.key"), x_function->getArg(0), null});
        builder.CreateBr(unheard);
        builder.SetInsertPoint(unheard);
        builder.CreateRetVoid();
        add_shim_search(x_module, "kumi.find_hint", "kumi_hint",
                        [hint](IRBuilder<>& at, Value* offer) { at.CreateStore(offer, hint); });
        return *x_function;
    }

    Module& x_module;
    Function* x_function = nullptr;
};

/// Makes one block of where the loop is entered, and lets no other way lead to where it is left.
bool has_borders(Loop& loop, FunctionAnalysisManager& analyses) {
    Function& function = *loop.getHeader()->getParent();
    auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    auto& loops = analyses.getResult<LoopAnalysis>(function);
    if (loop.getLoopPreheader() == nullptr)
        InsertPreheaderForLoop(&loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
    formDedicatedExitBlocks(&loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
    return loop.getLoopPreheader() != nullptr && loop.hasDedicatedExits();
}

bool bracket(Loop& loop, HintCalls& hints, FunctionAnalysisManager& analyses) {
    if (!has_borders(loop, analyses)) return false;
    SmallVector<BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    for (const BasicBlock* exit : exits)
        if (exit->getFirstInsertionPt() == exit->end()) return false;
    hints.add(*loop.getLoopPreheader()->getTerminator(), "1");
    for (BasicBlock* exit : exits) hints.add(*exit->getFirstInsertionPt(), "0");
    return true;
}

/// Whether both were one loop in the source: loops around it were unrolled, or functions inlined.
bool are_copies(const Loop& one, const Loop& other) {
    if (&one == &other) return true;
    const DebugLoc here = one.getStartLoc();
    const DebugLoc there = other.getStartLoc();
    return here && there && here.getLine() == there.getLine() && here.getCol() == there.getCol() &&
           here.getLine() > 0 && here->getFile() == there->getFile();
}

/// The loop and its copies that lie in no other.
std::vector<Loop*> copies_of(const Loop& loop, Module& module, FunctionAnalysisManager& analyses) {
    std::vector<Loop*> found;
    for (Function& function : module) {
        if (function.isDeclaration()) continue;
        for (Loop* each : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
            if (are_copies(*each, loop) && none_of(found, [each](const Loop* outer) {
                    return outer->contains(each->getHeader());
                }))
                found.push_back(each);
    }
    return found;
}

std::string shown(const Loop& loop) {
    const DebugLoc start = loop.getStartLoc();
    if (!start || start.getLine() == 0) return shown_place(*loop.getHeader()->getTerminator());
    return sys::path::filename(start->getFilename()).str() + ":" + std::to_string(start.getLine());
}

}  // namespace

PreservedAnalyses HintPass::run(Module& module, ModuleAnalysisManager& analyses) {
    auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    const Communication communication(module, functions);
    const LoopChoice choice = LoopChooser(communication, functions).choose(module);
    if (choice.loop == nullptr) return PreservedAnalyses::all();
    const std::string where = shown(*choice.loop);
    const DebugLoc start = choice.loop->getStartLoc();
    BasicBlock& header = *choice.loop->getHeader();
    HintCalls hints(module);
    bool is_done = true;
    for (Loop* loop : copies_of(*choice.loop, module, functions))
        is_done = bracket(*loop, hints, functions) && is_done;
    std::string text = "IN_KERNEL around the loop: it has about " + std::to_string(choice.calls) +
                       " of " + std::to_string(choice.all_calls) + " calls that communicate";
    if (!is_done) text = "no IN_KERNEL around the loop: it is left in ways that cannot be followed";
    errs() << where << ": " << text << "\n";
    OptimizationRemarkEmitter remarks(header.getParent());
    if (is_done)
        remarks.emit(OptimizationRemark(kRemarkPass, "InKernel", start, &header) << text);
    else
        remarks.emit(OptimizationRemarkMissed(kRemarkPass, "NotInKernel", start, &header) << text);
    return PreservedAnalyses::none();
}

}  // namespace kumi::passes
