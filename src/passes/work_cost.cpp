#include "passes/work_cost.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <unordered_map>

namespace kumi::passes {
namespace {

struct LibraryFunction {
    llvm::StringRef name;  ///< In double precision; that for float ends with f.
    std::int64_t millicycles;
};

/// glibc's, in double precision, for ordinary arguments.
constexpr std::array<LibraryFunction, 20> kFunctions = {{
    {"acos", 30'000}, {"asin", 30'000},  {"atan", 35'000}, {"atan2", 45'000}, {"cbrt", 30'000},
    {"cos", 35'000},  {"cosh", 40'000},  {"exp", 20'000},  {"exp2", 18'000},  {"expm1", 30'000},
    {"fmod", 30'000}, {"hypot", 20'000}, {"log", 20'000},  {"log10", 40'000}, {"log1p", 35'000},
    {"log2", 20'000}, {"pow", 45'000},   {"sin", 35'000},  {"tan", 60'000},   {"tanh", 45'000},
}};

std::optional<std::int64_t> cost_of(llvm::StringRef name) {
    const auto* found = std::ranges::find(kFunctions, name, &LibraryFunction::name);
    return found == kFunctions.end() ? std::nullopt : std::optional(found->millicycles);
}

/// The mathematical function that an intrinsic stands for, such as "pow" of llvm.pow.f64.
llvm::StringRef intrinsic_name(const llvm::IntrinsicInst& call) {
    llvm::StringRef name = call.getCalledFunction()->getName();
    if (!name.consume_front("llvm.")) return {};
    return name.take_until([](char letter) { return letter == '.'; });
}

using llvm::Instruction;
namespace Intrinsic = llvm::Intrinsic;

/// Whether a multiplication and an addition that may become one instruction do: x86-64 has had it
/// only since 2013, and it must be asked for (-mfma, -march).
bool fuses(const llvm::IntrinsicInst& call) {
    const llvm::Function& function = *call.getFunction();
    const llvm::StringRef triple = function.getParent()->getTargetTriple();
    if (!triple.starts_with("x86_64")) return true;
    return function.getFnAttribute("target-features").getValueAsString().contains("+fma");
}

/// The addition of a multiplication and addition that stay two instructions.
bool adds_as_well(const Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call != nullptr && call->getIntrinsicID() == Intrinsic::fmuladd && !fuses(*call);
}

/// Whether an operand meets only the addition of these two instructions: a sum does not wait for
/// the next product.
bool adds_only(const Instruction& instruction, const llvm::Use& operand) {
    return adds_as_well(instruction) && operand.getOperandNo() == 2;
}

/// What instructions of these opcodes, or of these intrinsics, are to the processor; nothing if
/// they vanish in code generation.
struct KnownWork {
    std::optional<Work> work;
    std::initializer_list<unsigned> numbers;
};

/// The entry that has `number`; null if there is none.
const KnownWork* find_work(llvm::ArrayRef<KnownWork> known, unsigned number) {
    const auto* found = llvm::find_if(
        known, [number](const auto& each) { return llvm::is_contained(each.numbers, number); });
    return found == known.end() ? nullptr : found;
}

constexpr KnownWork kIntrinsics[] = {
    {Work::kFloatMultiplyAdd, {Intrinsic::fma}},
    {Work::kFloatRoot, {Intrinsic::sqrt}},
    {Work::kFloatAdd,
     {Intrinsic::fabs, Intrinsic::minnum, Intrinsic::maxnum, Intrinsic::minimum, Intrinsic::maximum,
      Intrinsic::copysign}},
    {Work::kFloatConvert,
     {Intrinsic::floor, Intrinsic::ceil, Intrinsic::trunc, Intrinsic::rint, Intrinsic::nearbyint,
      Intrinsic::round, Intrinsic::roundeven, Intrinsic::lrint, Intrinsic::llrint}},
    {Work::kCall, {Intrinsic::memcpy, Intrinsic::memmove, Intrinsic::memset}},
    {Work::kLoad, {Intrinsic::masked_load, Intrinsic::masked_gather}},
    {Work::kStore, {Intrinsic::masked_store, Intrinsic::masked_scatter}}};

std::optional<Work> work_of_intrinsic(const llvm::IntrinsicInst& call) {
    if (call.getIntrinsicID() == Intrinsic::fmuladd)
        return fuses(call) ? Work::kFloatMultiplyAdd : Work::kFloatMultiply;
    if (const KnownWork* known = find_work(kIntrinsics, call.getIntrinsicID())) return known->work;
    if (library_millicycles(call)) return Work::kCall;
    if (call.getType()->isVoidTy() || call.isAssumeLikeIntrinsic()) return std::nullopt;
    // Reductions and what else works across lanes; overflow arithmetic, counting of bits.
    return call.getType()->isVectorTy() || !call.getType()->isIntOrIntVectorTy() ? Work::kShuffle
                                                                                 : Work::kInteger;
}

constexpr KnownWork kOpcodes[] = {
    {std::nullopt,
     {Instruction::PHI, Instruction::BitCast, Instruction::PtrToInt, Instruction::IntToPtr,
      Instruction::AddrSpaceCast, Instruction::Freeze, Instruction::Alloca,
      Instruction::ExtractValue, Instruction::InsertValue, Instruction::LandingPad,
      Instruction::Unreachable}},
    {Work::kIntegerMultiply, {Instruction::Mul}},
    {Work::kIntegerDivide,
     {Instruction::UDiv, Instruction::SDiv, Instruction::URem, Instruction::SRem}},
    {Work::kFloatAdd, {Instruction::FAdd, Instruction::FSub, Instruction::FNeg, Instruction::FCmp}},
    {Work::kFloatMultiply, {Instruction::FMul}},
    {Work::kFloatDivide, {Instruction::FDiv, Instruction::FRem}},
    {Work::kFloatConvert,
     {Instruction::FPTrunc, Instruction::FPExt, Instruction::FPToSI, Instruction::FPToUI,
      Instruction::SIToFP, Instruction::UIToFP}},
    {Work::kShuffle,
     {Instruction::ShuffleVector, Instruction::ExtractElement, Instruction::InsertElement}},
    {Work::kLoad, {Instruction::Load}},
    {Work::kStore, {Instruction::Store}},
    {Work::kAtomic, {Instruction::AtomicRMW, Instruction::AtomicCmpXchg, Instruction::Fence}},
    {Work::kBranch,
     {Instruction::Switch, Instruction::IndirectBr, Instruction::Ret, Instruction::Resume}},
    {Work::kCall, {Instruction::Call, Instruction::Invoke}}};

std::optional<Work> work_of(const Instruction& instruction) {
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        return work_of_intrinsic(*intrinsic);
    // Mostly part of the address that a load or store computes by itself.
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (address != nullptr && address->hasAllConstantIndices()) return std::nullopt;
    // To an only successor, blocks mostly follow each other without a jump.
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
        return branch->isConditional() ? std::optional(Work::kBranch) : std::nullopt;
    const KnownWork* known = find_work(kOpcodes, instruction.getOpcode());
    return known == nullptr ? Work::kInteger : known->work;
}

/// Into how many registers' worth of operations a vector operation falls.
std::int64_t parts_of(const Instruction& instruction, const ProcessorModel& model) {
    const llvm::Type* type = instruction.getType();
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        type = store->getValueOperand()->getType();
    else if (const auto* comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction))
        type = comparison->getOperand(0)->getType();
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (vector == nullptr) return 1;
    const std::int64_t element_bits = std::max<std::int64_t>(vector->getScalarSizeInBits(), 8);
    const std::int64_t bits = element_bits * vector->getNumElements();
    return std::max<std::int64_t>((bits + model.vector_bits - 1) / model.vector_bits, 1);
}

/// The longest chains that begin at one value, within a loop.
class Chains {
   public:
    Chains(const llvm::Loop& loop, const Instruction& start, const ProcessorModel& model)
        : x_loop(loop), x_start(start), x_model(model) {}

    /// Nothing if `value` does not depend on the start within one iteration.
    std::optional<std::int64_t> to(const llvm::Value* value) {
        if (value == &x_start) return 0;
        const auto* instruction = llvm::dyn_cast<Instruction>(value);
        if (instruction == nullptr || !x_loop.contains(instruction)) return std::nullopt;
        if (llvm::isa<llvm::PHINode>(instruction) && instruction->getParent() == x_loop.getHeader())
            return std::nullopt;
        const auto [place, is_new] = x_known.try_emplace(instruction, std::nullopt);
        if (!is_new) return place->second;
        std::optional<std::int64_t> longest;
        for (const llvm::Use& operand : instruction->operands()) {
            std::optional<std::int64_t> chain = to(operand.get());
            if (!chain) continue;
            *chain += latency_of(*instruction, x_model);
            if (adds_only(*instruction, operand))
                *chain -= x_model.of(Work::kFloatMultiply).latency;
            if (!longest || *chain > *longest) longest = chain;
        }
        x_known[instruction] = longest;
        return longest;
    }

   private:
    const llvm::Loop& x_loop;
    const Instruction& x_start;
    const ProcessorModel& x_model;
    std::unordered_map<const Instruction*, std::optional<std::int64_t>> x_known;
};

/// The longest chain from one iteration to the next through a place in memory that the loop reads
/// and writes, such as a variable of an unoptimised program.
std::int64_t memory_recurrence(const llvm::Loop& loop, const llvm::LoadInst& load,
                               const ProcessorModel& model) {
    const llvm::Value* place = load.getPointerOperand();
    if (!loop.isLoopInvariant(place)) return 0;
    std::int64_t longest = 0;
    Chains chains(loop, load, model);
    for (const llvm::User* user : place->users()) {
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
        if (store == nullptr || store->getPointerOperand() != place || !loop.contains(store))
            continue;
        const auto chain = chains.to(store->getValueOperand());
        if (chain) longest = std::max(longest, *chain + latency_of(*store, model));
    }
    return longest;
}

}  // namespace

std::optional<std::int64_t> library_millicycles(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr) return std::nullopt;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call))
        return cost_of(intrinsic_name(*intrinsic));
    const llvm::Function& function = *call->getCalledFunction();
    if (!function.isDeclaration()) return std::nullopt;
    llvm::StringRef name = function.getName();
    if (const auto cost = cost_of(name)) return cost;
    return name.consume_back("f") ? cost_of(name) : std::nullopt;
}

StretchCost::Resource StretchCost::resource_of(Work work) {
    switch (work) {
        case Work::kFloatAdd:
        case Work::kFloatMultiply:
        case Work::kFloatMultiplyAdd:
        case Work::kFloatConvert:
        case Work::kShuffle:
            return kFloat;
        case Work::kIntegerDivide:
        case Work::kFloatDivide:
        case Work::kFloatRoot:
            return kDivider;
        case Work::kLoad:
            return kLoad;
        case Work::kStore:
            return kStore;
        case Work::kBranch:
            return kBranch;
        case Work::kCall:
        case Work::kAtomic:
            return kSerial;
        case Work::kInteger:
        case Work::kIntegerMultiply:
            break;
    }
    return kInteger;
}

void StretchCost::add(const Instruction& instruction) {
    const std::optional<Work> work = work_of(instruction);
    if (!work) return;
    const std::int64_t parts = parts_of(instruction, *x_model);
    x_operations += parts;
    const Resource resource = resource_of(*work);
    std::int64_t busy = parts * x_model->of(*work).interval;
    if (adds_as_well(instruction)) {
        x_operations += parts;
        busy += parts * x_model->of(Work::kFloatAdd).interval;
    }
    // Nothing overlaps a call or an atomic operation.
    if (resource == kSerial)
        x_serial += busy + library_millicycles(instruction).value_or(0);
    else
        x_busy[resource] += busy;
}

std::int64_t StretchCost::millicycles() const {
    const std::int64_t busiest = *std::max_element(x_busy.begin(), x_busy.end());
    return std::max(busiest, x_operations * x_model->issue_interval) + x_serial;
}

std::int64_t latency_of(const Instruction& instruction, const ProcessorModel& model) {
    const std::optional<Work> work = work_of(instruction);
    if (!work) return 0;
    const std::int64_t addition = adds_as_well(instruction) ? model.of(Work::kFloatAdd).latency : 0;
    return model.of(*work).latency + addition + library_millicycles(instruction).value_or(0);
}

std::int64_t recurrence_millicycles(const llvm::Loop& loop, const ProcessorModel& model) {
    const llvm::BasicBlock* latch = loop.getLoopLatch();
    if (latch == nullptr) return 0;
    std::int64_t longest = 0;
    for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
        Chains chains(loop, phi, model);
        longest = std::max(longest, chains.to(phi.getIncomingValueForBlock(latch)).value_or(0));
    }
    for (const llvm::BasicBlock* block : loop.blocks()) {
        for (const Instruction& instruction : *block) {
            const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
            if (load != nullptr) longest = std::max(longest, memory_recurrence(loop, *load, model));
        }
    }
    return longest;
}

llvm::Value* copied_bytes(const Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    return call == nullptr ? nullptr : call->getLength();
}

}  // namespace kumi::passes
