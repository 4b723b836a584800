#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>

namespace kumi::passes {

/// What a module calls at its places: functions of its own that call on by `kumi_wake_hooks`, which
/// the run time of wake-ups fills in (src/mpi/wake/hooks.hpp). Nothing is made before it is used.
class HookCalls {
   public:
    explicit HookCalls(llvm::Module& module) : x_module(module) {}

    /// Data that stands for one place.
    llvm::Constant* make_place(const std::string& description);

    void pass_place(llvm::IRBuilder<>& builder, llvm::Constant* place);
    /// The iteration before which the place is; zero where nobody listens. `trips` is an i64.
    llvm::Value* begin_loop(llvm::IRBuilder<>& builder, llvm::Constant* place, llvm::Value* trips);
    void end_loop(llvm::IRBuilder<>& builder, llvm::Constant* place, llvm::Value* trips);

   private:
    /// The function that calls hook number `index` on, with its own arguments.
    llvm::Function* caller_of(unsigned index, const char* name, llvm::FunctionType* type);
    llvm::GlobalVariable* hooks();

    llvm::Module& x_module;
};

}  // namespace kumi::passes
