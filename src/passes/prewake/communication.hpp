#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>
#include <string>

namespace kumi::passes {

/// What a call means to wake-ups.
enum class CallKind : std::uint8_t {
    kHarmless,  ///< Sends nothing.
    kSite,      ///< A call of MPI that may send.
    kBarrier,   ///< May communicate somewhere inside, or is unknown.
};

/// Which functions of a module may communicate.
///
/// A function of the module does if something that it calls may. Functions from elsewhere do,
/// unless they are known: MPI's local ones, the C and C++ libraries', the Fortran run time's.
class Communication {
   public:
    Communication(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);

    CallKind kind_of(const llvm::Instruction& instruction) const;
    bool is_harmless(const llvm::BasicBlock& block) const;

   private:
    llvm::DenseMap<const llvm::Function*, CallKind> x_kinds;
};

/// The name by which a user knows a function: "MPI_Bcast" of "mpi_bcast_" as well.
std::string shown_name(const llvm::Function& function);

}  // namespace kumi::passes
