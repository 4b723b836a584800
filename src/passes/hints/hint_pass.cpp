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
namespace {

constexpr const char* kRemarkPass = "kumi-hints";

/// The module's own function that passes the hint IN_KERNEL on to the shim, if a run has loaded it.
class HintCalls {
   public:
    explicit HintCalls(llvm::Module& module) : x_module(module) {}

    void add(llvm::Instruction& before, const char* value) {
        llvm::IRBuilder<> builder(&before);
        llvm::Function& passes = function();
        builder.CreateCall(&passes, {builder.CreateGlobalString(value, "kumi.value")});
    }

   private:
    llvm::Function& function() {
        if (x_function != nullptr) return *x_function;
        auto& context = x_module.getContext();
        llvm::IRBuilder<> builder(context);
        auto* pointer = builder.getPtrTy();
        auto* null = llvm::ConstantPointerNull::get(pointer);
        auto* hint =
            new llvm::GlobalVariable(x_module, pointer, /*isConstant=*/false,
                                     llvm::GlobalValue::InternalLinkage, null, "kumi.hint");
        auto* type = llvm::FunctionType::get(builder.getVoidTy(), {pointer}, false);
        // Calls of MPI stay on their side of it; the program's data need not be read again.
        x_function = add_reader(x_module, type, "kumi.pass_hint");
        auto* entry = llvm::BasicBlock::Create(context, "", x_function);
        auto* heard = llvm::BasicBlock::Create(context, "heard", x_function);
        auto* unheard = llvm::BasicBlock::Create(context, "unheard", x_function);
        builder.SetInsertPoint(entry);
        llvm::Value* found = builder.CreateLoad(pointer, hint);
        builder.CreateCondBr(builder.CreateIsNull(found), unheard, heard);
        builder.SetInsertPoint(heard);
        auto* hint_type =
            llvm::FunctionType::get(builder.getInt32Ty(), {pointer, pointer, pointer}, false);
        builder.CreateCall(
            hint_type, found,
            {builder.CreateGlobalString("IN_KERNEL", "kumi.key"), x_function->getArg(0), null});
        builder.CreateBr(unheard);
        builder.SetInsertPoint(unheard);
        builder.CreateRetVoid();
        add_shim_search(
            x_module, "kumi.find_hint", "kumi_hint",
            [hint](llvm::IRBuilder<>& at, llvm::Value* offer) { at.CreateStore(offer, hint); });
        return *x_function;
    }

    llvm::Module& x_module;
    llvm::Function* x_function = nullptr;
};

/// Makes one block of where the loop is entered, and lets no other way lead to where it is left.
bool has_borders(llvm::Loop& loop, llvm::FunctionAnalysisManager& analyses) {
    llvm::Function& function = *loop.getHeader()->getParent();
    auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    if (loop.getLoopPreheader() == nullptr)
        llvm::InsertPreheaderForLoop(&loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
    llvm::formDedicatedExitBlocks(&loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
    return loop.getLoopPreheader() != nullptr && loop.hasDedicatedExits();
}

bool bracket(llvm::Loop& loop, HintCalls& hints, llvm::FunctionAnalysisManager& analyses) {
    if (!has_borders(loop, analyses)) return false;
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    for (const llvm::BasicBlock* exit : exits)
        if (exit->getFirstInsertionPt() == exit->end()) return false;
    hints.add(*loop.getLoopPreheader()->getTerminator(), "1");
    for (llvm::BasicBlock* exit : exits) hints.add(*exit->getFirstInsertionPt(), "0");
    return true;
}

/// Whether both were one loop in the source: loops around it were unrolled, or functions inlined.
bool are_copies(const llvm::Loop& one, const llvm::Loop& other) {
    if (&one == &other) return true;
    const llvm::DebugLoc here = one.getStartLoc();
    const llvm::DebugLoc there = other.getStartLoc();
    return here && there && here.getLine() == there.getLine() && here.getCol() == there.getCol() &&
           here.getLine() > 0 && here->getFile() == there->getFile();
}

/// The loop and its copies that lie in no other.
std::vector<llvm::Loop*> copies_of(const llvm::Loop& loop, llvm::Module& module,
                                   llvm::FunctionAnalysisManager& analyses) {
    std::vector<llvm::Loop*> found;
    for (llvm::Function& function : module) {
        if (function.isDeclaration()) continue;
        for (llvm::Loop* each :
             analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
            if (are_copies(*each, loop) && llvm::none_of(found, [each](const llvm::Loop* outer) {
                    return outer->contains(each->getHeader());
                }))
                found.push_back(each);
    }
    return found;
}

std::string shown(const llvm::Loop& loop) {
    const llvm::DebugLoc start = loop.getStartLoc();
    if (!start || start.getLine() == 0) return shown_place(*loop.getHeader()->getTerminator());
    return llvm::sys::path::filename(start->getFilename()).str() + ":" +
           std::to_string(start.getLine());
}

}  // namespace

llvm::PreservedAnalyses HintPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    auto& functions =
        analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    const Communication communication(module, functions);
    const LoopChoice choice = LoopChooser(communication, functions).choose(module);
    if (choice.loop == nullptr) return llvm::PreservedAnalyses::all();
    const std::string where = shown(*choice.loop);
    const llvm::DebugLoc start = choice.loop->getStartLoc();
    llvm::BasicBlock& header = *choice.loop->getHeader();
    HintCalls hints(module);
    bool is_done = true;
    for (llvm::Loop* loop : copies_of(*choice.loop, module, functions))
        is_done = bracket(*loop, hints, functions) && is_done;
    std::string text = "IN_KERNEL around the loop: it has about " + std::to_string(choice.calls) +
                       " of " + std::to_string(choice.all_calls) + " calls that communicate";
    if (!is_done) text = "no IN_KERNEL around the loop: it is left in ways that cannot be followed";
    llvm::errs() << where << ": " << text << "\n";
    llvm::OptimizationRemarkEmitter remarks(header.getParent());
    if (is_done)
        remarks.emit(llvm::OptimizationRemark(kRemarkPass, "InKernel", start, &header) << text);
    else
        remarks.emit(llvm::OptimizationRemarkMissed(kRemarkPass, "NotInKernel", start, &header)
                     << text);
    return llvm::PreservedAnalyses::none();
}

}  // namespace kumi::passes
