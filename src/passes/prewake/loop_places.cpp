#include "passes/prewake/loop_places.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace kumi::passes {
namespace {

/// Larger loops are not written twice.
constexpr unsigned kMostInstructions = 400;

bool is_small(const llvm::Loop& loop) {
    std::size_t instructions = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) instructions += block->size();
    return instructions <= kMostInstructions;
}

/// Whether the loop has the form do { ... } while (...), and nothing inside that exists once only.
bool can_be_split(const llvm::Loop& loop) {
    return loop.isInnermost() && loop.getExitingBlock() != nullptr &&
           loop.getExitingBlock() == loop.getLoopLatch() &&
           llvm::isa<llvm::BranchInst>(loop.getLoopLatch()->getTerminator()) &&
           loop.isSafeToClone() && is_small(loop);
}

/// Makes `loop` run until its iteration number `at`, and then go to `after`.
void end_at(llvm::Loop& loop, llvm::Value* at, llvm::BasicBlock& after) {
    llvm::BasicBlock* const header = loop.getHeader();
    llvm::BasicBlock* const latch = loop.getLoopLatch();
    llvm::IRBuilder<> builder(header, header->begin());
    llvm::PHINode* const number = builder.CreatePHI(builder.getInt64Ty(), 2, "kumi.number");
    llvm::Instruction* const old_branch = latch->getTerminator();
    builder.SetInsertPoint(old_branch);
    llvm::Value* const next = builder.CreateAdd(number, builder.getInt64(1), "kumi.next",
                                                /*HasNUW=*/true, /*HasNSW=*/true);
    number->addIncoming(builder.getInt64(0), loop.getLoopPreheader());
    number->addIncoming(next, latch);
    llvm::BranchInst* const branch =
        builder.CreateCondBr(builder.CreateICmpEQ(next, at), &after, header);
    branch->setMetadata(llvm::LLVMContext::MD_loop,
                        old_branch->getMetadata(llvm::LLVMContext::MD_loop));
    branch->setDebugLoc(old_branch->getDebugLoc());
    old_branch->eraseFromParent();
}

}  // namespace

LoopPlace LoopPlacer::mark(llvm::BasicBlock& header, llvm::Constant* place) {
    x_analyses.invalidate(x_function, llvm::PreservedAnalyses::none());
    auto& dominators = x_analyses.getResult<llvm::DominatorTreeAnalysis>(x_function);
    auto& loops = x_analyses.getResult<llvm::LoopAnalysis>(x_function);
    auto& evolution = x_analyses.getResult<llvm::ScalarEvolutionAnalysis>(x_function);
    llvm::Loop* loop = loops.getLoopFor(&header);
    if (loop == nullptr || loop->getHeader() != &header) return LoopPlace::kNone;
    llvm::simplifyLoop(loop, &dominators, &loops, &evolution, nullptr, nullptr,
                       /*PreserveLCSSA=*/false);
    if (!loop->isLoopSimplifyForm() || header.getFirstInsertionPt() == header.end() ||
        header.isEHPad())
        return LoopPlace::kNone;
    llvm::Value* last = last_iteration(*loop);
    if (last != nullptr && can_be_split(*loop)) {
        split(*loop, last, place);
        return LoopPlace::kSplit;
    }
    guard(*loop, last, place);
    return last != nullptr ? LoopPlace::kGuarded : LoopPlace::kGuardedByLastTime;
}

llvm::Value* LoopPlacer::last_iteration(llvm::Loop& loop) {
    auto& evolution = x_analyses.getResult<llvm::ScalarEvolutionAnalysis>(x_function);
    const llvm::SCEV* count = evolution.getBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(count) || !count->getType()->isIntegerTy() ||
        count->getType()->getIntegerBitWidth() > 64)
        return nullptr;
    llvm::Instruction* const end = loop.getLoopPreheader()->getTerminator();
    llvm::SCEVExpander expander(evolution, x_function.getDataLayout(), "kumi.trips");
    if (!expander.isSafeToExpandAt(count, end)) return nullptr;
    llvm::Value* const narrow = expander.expandCodeFor(count, count->getType(), end);
    llvm::IRBuilder<> builder(end);
    return builder.CreateZExt(narrow, builder.getInt64Ty());
}

void LoopPlacer::split(llvm::Loop& loop, llvm::Value* last, llvm::Constant* place) {
    auto& dominators = x_analyses.getResult<llvm::DominatorTreeAnalysis>(x_function);
    auto& loops = x_analyses.getResult<llvm::LoopAnalysis>(x_function);
    // before -> first part -> join (the place) -> second part; without a first part, before ->
    // join.
    llvm::BasicBlock* const before = loop.getLoopPreheader();
    llvm::BasicBlock* const join = llvm::SplitBlock(before, before->getTerminator(), &dominators,
                                                    &loops, nullptr, "kumi.join");
    llvm::BasicBlock* const second =
        llvm::SplitBlock(join, join->getTerminator(), &dominators, &loops, nullptr, "kumi.rest");
    llvm::IRBuilder<> builder(before->getTerminator());
    llvm::Value* const asked = x_hooks.begin_loop(
        builder, place, builder.CreateAdd(last, builder.getInt64(1), "kumi.count"));
    // The second part is never empty.
    llvm::Value* const at = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, asked, last);

    llvm::ValueToValueMapTy copies;
    llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
    llvm::Loop* const first = llvm::cloneLoopWithPreheader(
        join, before, &loop, copies, ".kumi.first", &loops, &dominators, blocks);
    llvm::remapInstructionsInBlocks(blocks, copies);
    end_at(*first, at, *join);
    llvm::BasicBlock* const entry = first->getLoopPreheader();
    llvm::Instruction* const old_branch = before->getTerminator();
    builder.SetInsertPoint(old_branch);
    builder.CreateCondBr(builder.CreateIsNull(at), join, entry);
    old_branch->eraseFromParent();

    builder.SetInsertPoint(join, join->begin());
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
        llvm::PHINode* const carried =
            builder.CreatePHI(phi.getType(), 2, phi.getName() + ".kumi.carried");
        llvm::Value* const from_latch = phi.getIncomingValueForBlock(loop.getLoopLatch());
        const auto copy = copies.find(from_latch);
        carried->addIncoming(phi.getIncomingValueForBlock(second), before);
        carried->addIncoming(copy == copies.end() ? from_latch : &*copy->second,
                             first->getLoopLatch());
        phi.setIncomingValueForBlock(second, carried);
    }
    builder.SetInsertPoint(join->getTerminator());
    x_hooks.pass_place(builder, place);
    x_analyses.invalidate(x_function, llvm::PreservedAnalyses::none());
}

void LoopPlacer::guard(llvm::Loop& loop, llvm::Value* last, llvm::Constant* place) {
    llvm::BasicBlock* const header = loop.getHeader();
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    llvm::IRBuilder<> builder(&*x_function.getEntryBlock().getFirstInsertionPt());
    auto* const type = builder.getInt64Ty();
    llvm::AllocaInst* const number = builder.CreateAlloca(type, nullptr, "kumi.number");
    builder.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
    builder.CreateStore(builder.getInt64(0), number);
    llvm::Value* const trips = last == nullptr
                                   ? builder.getInt64(static_cast<std::uint64_t>(-1))
                                   : builder.CreateAdd(last, builder.getInt64(1), "kumi.count");
    llvm::Value* const at = x_hooks.begin_loop(builder, place, trips);
    llvm::Instruction* const first = &*header->getFirstInsertionPt();
    builder.SetInsertPoint(first);
    llvm::Value* const now = builder.CreateLoad(type, number);
    builder.CreateStore(builder.CreateAdd(now, builder.getInt64(1)), number);
    llvm::Value* const is_here = builder.CreateICmpEQ(now, at);
    builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_here, first, /*Unreachable=*/false));
    x_hooks.pass_place(builder, place);
    if (last == nullptr) {
        for (llvm::BasicBlock* exit : exits) {
            if (exit->getFirstInsertionPt() == exit->end()) continue;
            builder.SetInsertPoint(&*exit->getFirstInsertionPt());
            x_hooks.end_loop(builder, place, builder.CreateLoad(type, number));
        }
    }
    x_analyses.invalidate(x_function, llvm::PreservedAnalyses::none());
    llvm::PromoteMemToReg(number, x_analyses.getResult<llvm::DominatorTreeAnalysis>(x_function));
}

}  // namespace kumi::passes
