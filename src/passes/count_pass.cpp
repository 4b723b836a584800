#include "passes/passes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "passes/function_counter.hpp"
#include "passes/shim_search.hpp"

namespace kumi::passes {
namespace {

constexpr const char* kCounterName = "kumi_work";

/// Every object file of a program defines it; the linker keeps one. A program that wants to look at
/// it may have declared it.
void make_shared(llvm::GlobalVariable& variable, const char* name) {
    if (llvm::GlobalVariable* declared = variable.getParent()->getNamedGlobal(name)) {
        declared->replaceAllUsesWith(&variable);
        declared->eraseFromParent();
    }
    variable.setName(name);
    variable.setLinkage(llvm::GlobalValue::WeakODRLinkage);
    variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
    variable.setDSOLocal(false);
    variable.setAlignment(llvm::Align(8));
}

llvm::GlobalVariable& add_counter(llvm::Module& module) {
    auto* type = llvm::Type::getInt64Ty(module.getContext());
    auto* counter = new llvm::GlobalVariable(
        module, type, /*isConstant=*/false, llvm::GlobalValue::WeakODRLinkage,
        llvm::ConstantInt::get(type, 0), "", nullptr, llvm::GlobalValue::InitialExecTLSModel);
    make_shared(*counter, kCounterName);
    return *counter;
}

llvm::GlobalVariable& add_speed(llvm::Module& module, std::uint64_t flops_per_kilocycle) {
    auto* type = llvm::Type::getInt64Ty(module.getContext());
    auto* speed = new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                                           llvm::GlobalValue::WeakODRLinkage,
                                           llvm::ConstantInt::get(type, flops_per_kilocycle));
    make_shared(*speed, "kumi_work_flops_per_kilocycle");
    return *speed;
}

bool counts_already(const llvm::Module& module) {
    const llvm::GlobalVariable* counter = module.getNamedGlobal(kCounterName);
    return counter != nullptr && counter->hasInitializer();
}

bool is_countable(const llvm::Function& function) {
    return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
           !function.hasFnAttribute(llvm::Attribute::Naked) &&
           !function.getName().starts_with(kSearchPrefix);
}

/// A function that adds to the counter is not free of effects any more, whatever was known of it.
void forget_purity(llvm::Function& function) {
    function.removeFnAttr(llvm::Attribute::Memory);
    function.removeFnAttr(llvm::Attribute::Speculatable);
    for (llvm::User* user : function.users()) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        if (call == nullptr) continue;
        call->removeFnAttr(llvm::Attribute::Memory);
        call->removeFnAttr(llvm::Attribute::Speculatable);
    }
}

}  // namespace

llvm::PreservedAnalyses CountPass::run(llvm::Module& module,
                                       llvm::ModuleAnalysisManager& analyses) {
    if (counts_already(module)) return llvm::PreservedAnalyses::all();
    llvm::GlobalVariable& counter = add_counter(module);
    llvm::appendToCompilerUsed(module, {&counter, &add_speed(module, x_model.flops_per_kilocycle)});
    auto& functions =
        analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    for (llvm::Function& function : module) {
        if (!is_countable(function)) continue;
        FunctionCounter(function, counter, x_model, functions).run();
        forget_purity(function);
    }
    return llvm::PreservedAnalyses::none();
}

}  // namespace kumi::passes
