#include "passes/function_counter.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "passes/work_cost.hpp"

namespace kumi::passes {
namespace {

constexpr const char* kRemarkPass = "kumi-count";
constexpr std::int64_t kMillicycles = 1000;

/// Whether what is called could look at the counter, or add to it: another function of the program,
/// or of a library that may call back or communicate.
bool sees_counter(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call) || call->isInlineAsm())
        return false;
    return !call->onlyReadsMemory() && !library_millicycles(*call);
}

/// The instruction at which a block is left: a call that must be a tail call belongs to its return.
llvm::Instruction* exit_of(llvm::BasicBlock& block) {
    if (llvm::CallInst* call = block.getTerminatingMustTailCall()) return call;
    return block.getTerminator();
}

bool leaves_function(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::ReturnInst, llvm::ResumeInst, llvm::UnreachableInst,
                     llvm::CleanupReturnInst>(instruction);
}

}  // namespace

FunctionCounter::FunctionCounter(llvm::Function& function, llvm::GlobalVariable& counter,
                                 const ProcessorModel& model,
                                 llvm::FunctionAnalysisManager& analyses)
    : x_function(function),
      x_counter(counter),
      x_model(model),
      x_dominators(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
      x_loops(analyses.getResult<llvm::LoopAnalysis>(function)),
      x_evolution(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
      x_library(analyses.getResult<llvm::TargetLibraryAnalysis>(function)),
      x_remarks(analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function)) {}

void FunctionCounter::run() {
    measure();
    add_recurrences();
    llvm::IRBuilder<> builder(&*x_function.getEntryBlock().getFirstInsertionPt());
    x_sum = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "kumi.sum");
    builder.CreateStore(builder.getInt64(0), x_sum);
    charge_whole_loops();
    emit();
    llvm::PromoteMemToReg(x_sum, x_dominators);
    report();
}

void FunctionCounter::measure() {
    for (llvm::BasicBlock& block : x_function) measure_block(block);
}

void FunctionCounter::measure_block(llvm::BasicBlock& block) {
    auto& stretches = x_stretches[&block];
    StretchCost cost(x_model);
    llvm::Instruction* const exit = exit_of(block);
    for (llvm::Instruction& instruction : block) {
        cost.add(instruction);
        if (copied_bytes(instruction) != nullptr) x_copies.push_back(&instruction);
        const bool is_exit = &instruction == exit;
        const bool is_seen = sees_counter(instruction) || leaves_function(instruction);
        if (is_exit || is_seen) {
            const bool leaves = is_exit && leaves_function(*block.getTerminator());
            stretches.push_back({&instruction, cost.millicycles(), is_seen || leaves});
            cost = StretchCost(x_model);
        }
        if (is_exit) break;
    }
}

void FunctionCounter::add_recurrences() {
    for (const llvm::Loop* loop : x_loops.getLoopsInPreorder()) {
        if (loop->isInnermost()) add_recurrence(*loop);
    }
}

void FunctionCounter::add_recurrence(const llvm::Loop& loop) {
    // What every iteration does overlaps with its chain; what is done now and then comes on top.
    const llvm::BasicBlock* latch = loop.getLoopLatch();
    if (latch == nullptr) return;
    std::int64_t every_iteration = 0;
    for (llvm::BasicBlock* block : loop.blocks()) {
        if (!x_dominators.dominates(block, latch)) continue;
        for (const Stretch& stretch : x_stretches[block]) every_iteration += stretch.millicycles;
    }
    const std::int64_t chain = recurrence_millicycles(loop, x_model);
    if (chain > every_iteration)
        x_stretches[loop.getHeader()].back().millicycles += chain - every_iteration;
}

void FunctionCounter::charge_whole_loops() {
    for (llvm::Loop* loop : x_loops.getLoopsInPreorder()) {
        if (loop->isInnermost() && charge_whole(*loop)) ++x_whole_loops;
    }
}

bool FunctionCounter::charge_whole(llvm::Loop& loop) {
    llvm::BasicBlock* const exiting = loop.getExitingBlock();
    llvm::BasicBlock* const latch = loop.getLoopLatch();
    if (exiting == nullptr || latch == nullptr) return false;
    // Only blocks that every iteration runs through: those up to the exit once more than the rest.
    std::int64_t before_exit = 0;
    std::int64_t after_exit = 0;
    for (llvm::BasicBlock* block : loop.blocks()) {
        const auto& stretches = x_stretches[block];
        if (!x_dominators.dominates(block, latch)) return false;
        if (stretches.size() != 1 || stretches[0].is_seen) return false;
        (x_dominators.dominates(block, exiting) ? before_exit : after_exit) +=
            stretches[0].millicycles;
    }
    const llvm::SCEV* count = x_evolution.getBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(count) || !count->getType()->isIntegerTy() ||
        count->getType()->getIntegerBitWidth() > 64)
        return false;
    llvm::BasicBlock* preheader = loop.getLoopPreheader();
    if (preheader == nullptr)
        preheader = llvm::InsertPreheaderForLoop(&loop, &x_dominators, &x_loops, nullptr, false);
    if (preheader == nullptr) return false;
    llvm::Instruction* const place = preheader->getTerminator();
    llvm::SCEVExpander expander(x_evolution, x_function.getDataLayout(), "kumi.trips");
    if (!expander.isSafeToExpandAt(count, place)) return false;
    llvm::Value* narrow = expander.expandCodeFor(count, count->getType(), place);
    llvm::IRBuilder<> builder(place);
    llvm::Value* trips = builder.CreateZExt(narrow, builder.getInt64Ty());
    llvm::Value* repeated = builder.CreateMul(
        trips, builder.getInt64(static_cast<std::uint64_t>(before_exit + after_exit)));
    emit_add(*place, builder.CreateAdd(repeated,
                                       builder.getInt64(static_cast<std::uint64_t>(before_exit))));
    for (llvm::BasicBlock* block : loop.blocks()) x_stretches[block].clear();
    return true;
}

void FunctionCounter::emit() {
    for (llvm::Instruction* copy : x_copies) emit_copied(*copy);
    for (auto& [block, stretches] : x_stretches) {
        for (const Stretch& stretch : stretches) {
            if (stretch.millicycles > 0) {
                auto* type = llvm::Type::getInt64Ty(x_function.getContext());
                emit_add(*stretch.end, llvm::ConstantInt::get(
                                           type, static_cast<std::uint64_t>(stretch.millicycles)));
            }
            if (stretch.is_seen) emit_store(*stretch.end);
        }
    }
    for (llvm::Loop* loop : x_loops) emit_progress(*loop);
}

void FunctionCounter::emit_progress(llvm::Loop& loop) {
    if (!loop.isInnermost()) {
        llvm::BasicBlock* const header = loop.getHeader();
        const auto place = header->getFirstInsertionPt();
        if (place != header->end()) emit_store(*place);
    } else if (llvm::BasicBlock* const preheader = loop.getLoopPreheader()) {
        emit_store(*preheader->getTerminator());
    }
}

void FunctionCounter::emit_add(llvm::Instruction& before, llvm::Value* millicycles) {
    llvm::IRBuilder<> builder(&before);
    llvm::Value* sum = builder.CreateLoad(builder.getInt64Ty(), x_sum);
    builder.CreateStore(builder.CreateAdd(sum, millicycles), x_sum);
}

void FunctionCounter::emit_copied(llvm::Instruction& copy) {
    llvm::IRBuilder<> builder(&copy);
    llvm::Value* bytes = builder.CreateZExtOrTrunc(copied_bytes(copy), builder.getInt64Ty());
    const auto rate = static_cast<std::uint64_t>(x_model.copied_bytes_per_cycle);
    emit_add(copy, builder.CreateUDiv(builder.CreateMul(bytes, builder.getInt64(kMillicycles)),
                                      builder.getInt64(rate)));
}

void FunctionCounter::emit_store(llvm::Instruction& before) {
    llvm::IRBuilder<> builder(&before);
    llvm::Value* address = builder.CreateThreadLocalAddress(&x_counter);
    llvm::Value* sum = builder.CreateLoad(builder.getInt64Ty(), x_sum);
    llvm::Value* before_sum = builder.CreateLoad(builder.getInt64Ty(), address);
    builder.CreateStore(builder.CreateAdd(before_sum, sum), address);
    builder.CreateStore(builder.getInt64(0), x_sum);
}

void FunctionCounter::report() {
    x_remarks.emit([&] {
        return llvm::OptimizationRemark(kRemarkPass, "Counts", &x_function)
               << "counts " << llvm::ore::NV("Blocks", static_cast<unsigned>(x_stretches.size()))
               << " blocks; " << llvm::ore::NV("WholeLoops", x_whole_loops)
               << " loops are charged as a whole";
    });
    llvm::LibFunc known{};
    for (llvm::Instruction& instruction : llvm::instructions(x_function)) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || !sees_counter(instruction)) continue;
        const llvm::Function* callee = call->getCalledFunction();
        // Communication is modelled, not counted.
        if (callee == nullptr || !callee->isDeclaration() ||
            callee->getName().starts_with_insensitive("MPI_"))
            continue;
        const bool is_library =
            x_library.getLibFunc(*callee, known) || callee->getName().starts_with("_FortranA");
        x_remarks.emit([&] {
            return llvm::OptimizationRemarkMissed(kRemarkPass, "NotCounted", &instruction)
                   << "the time inside of " << llvm::ore::NV("Callee", callee->getName())
                   << (is_library ? " is not counted"
                                  : " is counted only if that is compiled to count, too");
        });
    }
}

}  // namespace kumi::passes
