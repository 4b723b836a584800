#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace kumi::passes {

/// Calls for which a profile has shown that no place ahead of them is of use.
class MeasuredSites {
   public:
    /// From lines of the form "file.c:12 mpi_send", a tab, what was measured.
    static MeasuredSites of(llvm::StringRef text);

    /// What was measured for the call of `function` ("MPI_Send") at `place` ("file.c:12"); empty if
    /// it may have a place.
    llvm::StringRef without_place(llvm::StringRef place, llvm::StringRef function) const;

   private:
    llvm::StringMap<std::string> x_reasons;
};

}  // namespace kumi::passes
