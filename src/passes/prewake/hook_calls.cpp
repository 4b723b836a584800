#include "passes/prewake/hook_calls.hpp"

#include <llvm/Support/ModRef.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace kumi::passes {
namespace {

/// What the shim offers to programs with places (src/mpi/wake/hooks.hpp).
constexpr const char* kOffer = "kumi_wake_offer";
constexpr int kAnyPriority = 65535;

}  // namespace

llvm::Constant* HookCalls::make_place(const std::string& description) {
    llvm::Constant* text = llvm::ConstantDataArray::getString(x_module.getContext(), description);
    // Its address tells it from others with the same text.
    return new llvm::GlobalVariable(x_module, text->getType(), /*isConstant=*/true,
                                    llvm::GlobalValue::PrivateLinkage, text, "kumi.place");
}

llvm::GlobalVariable& HookCalls::hooks() {
    if (x_hooks != nullptr) return *x_hooks;
    auto* pointer = llvm::PointerType::getUnqual(x_module.getContext());
    x_hooks = new llvm::GlobalVariable(x_module, pointer, /*isConstant=*/false,
                                       llvm::GlobalValue::InternalLinkage,
                                       llvm::ConstantPointerNull::get(pointer), "kumi.hooks");
    add_search();
    return *x_hooks;
}

void HookCalls::add_search() {
    auto& context = x_module.getContext();
    llvm::IRBuilder<> builder(context);
    auto* pointer = builder.getPtrTy();
    auto* null = llvm::ConstantPointerNull::get(pointer);
    auto* search =
        llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), false),
                               llvm::GlobalValue::InternalLinkage, kSearchName, x_module);
    auto* entry = llvm::BasicBlock::Create(context, "", search);
    auto* look = llvm::BasicBlock::Create(context, "look", search);
    auto* take = llvm::BasicBlock::Create(context, "take", search);
    auto* done = llvm::BasicBlock::Create(context, "done", search);
    builder.SetInsertPoint(entry);
    auto dlsym = x_module.getOrInsertFunction("dlsym", pointer, pointer, pointer);
    // Not there in static programs, into which no run can load anything, and in libdl on old
    // systems.
    auto* declared = llvm::dyn_cast<llvm::Function>(dlsym.getCallee());
    if (declared != nullptr && declared->use_empty() && declared->isDeclaration())
        declared->setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
    builder.CreateCondBr(builder.CreateIsNull(dlsym.getCallee()), done, look);
    builder.SetInsertPoint(look);
    // The null pointer is RTLD_DEFAULT.
    llvm::Value* offer =
        builder.CreateCall(dlsym, {null, builder.CreateGlobalString(kOffer, "kumi.offer")});
    builder.CreateCondBr(builder.CreateIsNull(offer), done, take);
    builder.SetInsertPoint(take);
    builder.CreateStore(builder.CreateCall(llvm::FunctionType::get(pointer, false), offer),
                        x_hooks);
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
    llvm::appendToGlobalCtors(x_module, search, kAnyPriority);
}

llvm::Function* HookCalls::caller_of(unsigned index, const char* name, llvm::FunctionType* type) {
    if (llvm::Function* known = x_module.getFunction(name)) return known;
    auto* caller = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, x_module);
    caller->setDoesNotThrow();
    caller->setWillReturn();
    caller->addFnAttr(llvm::Attribute::NoInline);
    // Loops that are computed on both sides of it need not read their data again.
    caller->setMemoryEffects(llvm::MemoryEffects::readOnly() |
                             llvm::MemoryEffects::inaccessibleMemOnly());
    auto& context = x_module.getContext();
    auto* entry = llvm::BasicBlock::Create(context, "", caller);
    auto* offered = llvm::BasicBlock::Create(context, "offered", caller);
    auto* heard = llvm::BasicBlock::Create(context, "heard", caller);
    auto* unheard = llvm::BasicBlock::Create(context, "unheard", caller);
    llvm::IRBuilder<> builder(entry);
    auto* pointer = builder.getPtrTy();
    llvm::Value* table = builder.CreateLoad(pointer, &hooks());
    builder.CreateCondBr(builder.CreateIsNull(table), unheard, offered);
    builder.SetInsertPoint(offered);
    llvm::Value* hook =
        builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_32(pointer, table, index));
    builder.CreateCondBr(builder.CreateIsNull(hook), unheard, heard);
    const bool returns = !type->getReturnType()->isVoidTy();
    builder.SetInsertPoint(heard);
    llvm::SmallVector<llvm::Value*, 2> arguments;
    for (llvm::Argument& argument : caller->args()) arguments.push_back(&argument);
    llvm::Value* result = builder.CreateCall(type, hook, arguments);
    returns ? builder.CreateRet(result) : builder.CreateRetVoid();
    builder.SetInsertPoint(unheard);
    returns ? builder.CreateRet(builder.getInt64(0)) : builder.CreateRetVoid();
    return caller;
}

void HookCalls::pass_place(llvm::IRBuilder<>& builder, llvm::Constant* place) {
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
    builder.CreateCall(caller_of(0, "kumi.pass_place", type), {place});
}

llvm::Value* HookCalls::begin_loop(llvm::IRBuilder<>& builder, llvm::Constant* place,
                                   llvm::Value* trips) {
    auto* type = llvm::FunctionType::get(builder.getInt64Ty(),
                                         {builder.getPtrTy(), builder.getInt64Ty()}, false);
    return builder.CreateCall(caller_of(1, "kumi.begin_loop", type), {place, trips}, "kumi.at");
}

void HookCalls::end_loop(llvm::IRBuilder<>& builder, llvm::Constant* place, llvm::Value* trips) {
    auto* type = llvm::FunctionType::get(builder.getVoidTy(),
                                         {builder.getPtrTy(), builder.getInt64Ty()}, false);
    builder.CreateCall(caller_of(2, "kumi.end_loop", type), {place, trips});
}

}  // namespace kumi::passes
