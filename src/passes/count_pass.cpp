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

/// A variable that every object file of a program defines; the linker keeps one. A program that
/// wants to look at it may have declared it.
llvm::GlobalVariable& add_shared(llvm::Module& module, const char* name, std::uint64_t value,
                                 bool is_constant, llvm::GlobalValue::ThreadLocalMode mode) {
    auto* type = llvm::Type::getInt64Ty(module.getContext());
    auto* variable =
        new llvm::GlobalVariable(module, type, is_constant, llvm::GlobalValue::WeakODRLinkage,
                                 llvm::ConstantInt::get(type, value), "", nullptr, mode);
    if (llvm::GlobalVariable* declared = module.getNamedGlobal(name)) {
        declared->replaceAllUsesWith(variable);
        declared->eraseFromParent();
    }
    variable->setName(name);
    variable->setVisibility(llvm::GlobalValue::DefaultVisibility);
    variable->setDSOLocal(false);
    variable->setAlignment(llvm::Align(8));
    return *variable;
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
    llvm::GlobalVariable& counter = add_shared(module, kCounterName, 0, /*is_constant=*/false,
                                               llvm::GlobalValue::InitialExecTLSModel);
    llvm::GlobalVariable& speed =
        add_shared(module, "kumi_work_flops_per_kilocycle", x_model.flops_per_kilocycle,
                   /*is_constant=*/true, llvm::GlobalValue::NotThreadLocal);
    llvm::appendToCompilerUsed(module, {&counter, &speed});
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
