#include "passes/prewake/hook_calls.hpp"

#include "passes/shim_search.hpp"

namespace kumi::passes {

/// What the shim offers to programs with places (src/mpi/wake/session.cpp).
constexpr const char* kOffer = "kumi_wake_offer";

llvm::Constant* HookCalls::make_place(const std::string& description) {
    llvm::Constant* text = llvm::ConstantDataArray::getString(x_module.getContext(), description);
    // Its address distinguishes it from others with the same text.
    return new llvm::GlobalVariable(x_module, text->getType(), /*isConstant=*/true,
                                    llvm::GlobalValue::PrivateLinkage, text, "kumi.place");
}

llvm::GlobalVariable& HookCalls::hooks() {
    if (x_hooks != nullptr) return *x_hooks;
    auto* pointer = llvm::PointerType::getUnqual(x_module.getContext());
    x_hooks = new llvm::GlobalVariable(x_module, pointer, /*isConstant=*/false,
                                       llvm::GlobalValue::InternalLinkage,
                                       llvm::ConstantPointerNull::get(pointer), "kumi.hooks");
    add_shim_search(x_module, kSearchName, kOffer,
                    [this](llvm::IRBuilder<>& builder, llvm::Value* offer) {
                        auto* type = llvm::FunctionType::get(builder.getPtrTy(), false);
                        builder.CreateStore(builder.CreateCall(type, offer), x_hooks);
                    });
    return *x_hooks;
}

llvm::Function* HookCalls::caller_of(unsigned index, const char* name, llvm::FunctionType* type) {
    if (llvm::Function* known = x_module.getFunction(name)) return known;
    // Loops that are computed on both sides of it need not read their data again.
    auto* caller = add_reader(x_module, type, name);
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
