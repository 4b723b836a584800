#include "passes/shim_search.hpp"

#include <llvm/Support/ModRef.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace kumi::passes {

void add_shim_search(llvm::Module& module, const char* name, const char* symbol,
                     const std::function<void(llvm::IRBuilder<>&, llvm::Value*)>& take) {
    constexpr int kAnyPriority = 65535;
    auto& context = module.getContext();
    llvm::IRBuilder<> builder(context);
    auto* pointer = builder.getPtrTy();
    auto* null = llvm::ConstantPointerNull::get(pointer);
    auto* search = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), false),
                                          llvm::GlobalValue::InternalLinkage, name, module);
    auto* entry = llvm::BasicBlock::Create(context, "", search);
    auto* look = llvm::BasicBlock::Create(context, "look", search);
    auto* found = llvm::BasicBlock::Create(context, "take", search);
    auto* done = llvm::BasicBlock::Create(context, "done", search);
    builder.SetInsertPoint(entry);
    auto dlsym = module.getOrInsertFunction("dlsym", pointer, pointer, pointer);
    // Not there in static programs, into which no run can load anything, and in libdl on old
    // systems.
    auto* declared = llvm::dyn_cast<llvm::Function>(dlsym.getCallee());
    if (declared != nullptr && declared->use_empty() && declared->isDeclaration())
        declared->setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
    builder.CreateCondBr(builder.CreateIsNull(dlsym.getCallee()), done, look);
    builder.SetInsertPoint(look);
    // The null pointer is RTLD_DEFAULT.
    llvm::Value* offer =
        builder.CreateCall(dlsym, {null, builder.CreateGlobalString(symbol, "kumi.offer")});
    builder.CreateCondBr(builder.CreateIsNull(offer), done, found);
    builder.SetInsertPoint(found);
    take(builder, offer);
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
    llvm::appendToGlobalCtors(module, search, kAnyPriority);
}

llvm::Function* add_reader(llvm::Module& module, llvm::FunctionType* type, const char* name) {
    auto* reader = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
    reader->setDoesNotThrow();
    reader->setWillReturn();
    reader->addFnAttr(llvm::Attribute::NoInline);
    reader->setMemoryEffects(llvm::MemoryEffects::readOnly() |
                             llvm::MemoryEffects::inaccessibleMemOnly());
    return reader;
}

}  // namespace kumi::passes
