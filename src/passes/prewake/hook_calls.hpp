#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>

namespace kumi::passes {

/// What a module calls at its places: functions of its own that call on by a table of hooks, for
/// which the module asks the run time of wake-ups (src/mpi/wake/session.cpp) when it is loaded. So
/// nothing has to be linked or exported, and outside of a run nothing is called. Nothing is made
/// before it is used.
class HookCalls {
   public:
    /// Of the constructor that asks for the table: no work of the program's.
    static constexpr const char* kSearchName = "kumi.find_hooks";

    explicit HookCalls(llvm::Module& module) : x_module(module) {}

    /// Data that stands for one place.
    llvm::Constant* make_place(const std::string& description);

    void pass_place(llvm::IRBuilder<>& builder, llvm::Constant* place);
    /// The iteration before which the place is; zero without a listener. `trips` is an i64.
    llvm::Value* begin_loop(llvm::IRBuilder<>& builder, llvm::Constant* place, llvm::Value* trips);
    void end_loop(llvm::IRBuilder<>& builder, llvm::Constant* place, llvm::Value* trips);

   private:
    /// The function that calls hook number `index` on, with its own arguments.
    llvm::Function* caller_of(unsigned index, const char* name, llvm::FunctionType* type);
    /// The module's pointer to the table; null where none is offered.
    llvm::GlobalVariable& hooks();

    llvm::Module& x_module;
    llvm::GlobalVariable* x_hooks = nullptr;
};

}  // namespace kumi::passes
