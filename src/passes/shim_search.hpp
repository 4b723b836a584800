#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>

namespace kumi::passes {

/// With this begin the names of such constructors, which are no work of the program's.
inline constexpr const char* kSearchPrefix = "kumi.find_";

/// Adds a constructor `name` to the module that asks for the shim's function `symbol` by dlsym. If
/// there is one, it does what `take` adds, which gets its address. So nothing has to be linked or
/// exported, and outside of a run nothing is found.
void add_shim_search(llvm::Module& module, const char* name, const char* symbol,
                     const std::function<void(llvm::IRBuilder<>&, llvm::Value*)>& take);

/// Adds a function of the module's own that is never inlined, ends, and writes no memory that the
/// program sees.
llvm::Function* add_reader(llvm::Module& module, llvm::FunctionType* type, const char* name);

}  // namespace kumi::passes
