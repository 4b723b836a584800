#include "passes/prewake/communication.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace kumi::passes {
namespace {

constexpr CallKind kLocal = CallKind::kHarmless;
constexpr CallKind kFreeing = CallKind::kHarmless;
constexpr CallKind kBlocking = CallKind::kSite;
constexpr CallKind kBackground = CallKind::kSite;
constexpr CallKind kSynchronous = CallKind::kSite;
constexpr CallKind kPersistent = CallKind::kSite;
constexpr CallKind kProbing = CallKind::kBarrier;
// Programs ask in loops, and mostly in vain.
constexpr CallKind kPolling = CallKind::kBarrier;
constexpr CallKind kWindow = CallKind::kSite;
constexpr CallKind kGeneralized = CallKind::kHarmless;
constexpr CallKind kCompleting = CallKind::kHarmless;
constexpr CallKind kRefused = CallKind::kBarrier;
// Start and end; the clocks are found before.
constexpr CallKind kSpecial = CallKind::kBarrier;

CallKind kind_in_mpi(llvm::StringRef symbol) {
    if (symbol.contains_insensitive("mpi_wti")) return CallKind::kHarmless;
    return llvm::StringSwitch<CallKind>(symbol)
#define KUMI_MPI_C(name, call_class, communicator, datatype) .Case(#name, k##call_class)
#define KUMI_MPI_C4(name, call_class, communicator, datatype) .Case(#name, k##call_class)
#define KUMI_MPI_FORTRAN(name, call_class, communicator, datatype) \
    .Case("mpi_" #name "_", k##call_class)
#define KUMI_MPI_F08(name, call_class, communicator, datatype) \
    .Case("mpi_" #name "_f08_", k##call_class)
#include "mpi/mpi_functions.def"
        .Default(CallKind::kBarrier);
}

/// Of the C library and others, what LLVM does not know by itself.
bool is_known_library_function(llvm::StringRef symbol) {
    for (const llvm::StringRef prefix :
         {"_ZNSt", "_ZNKSt", "_ZSt", "_ZNSo", "_ZNSi", "_Zn", "_Zd", "__cxa_", "__clang_",
          "_FortranA", "_Unwind_", "__assert", "kumi.", "kumi_"})
        if (symbol.starts_with(prefix)) return true;
    return llvm::StringSwitch<bool>(symbol)
        .Cases("rand", "srand", "random", "srandom", "drand48", "srand48", "lrand48", "erand48",
               "rand_r", true)
        .Cases("clock", "clock_gettime", "gettimeofday", "time", "usleep", "nanosleep", "sleep",
               true)
        .Cases("aligned_alloc", "posix_memalign", "getenv", "getopt", "getpid", "sysconf", "exit",
               "_exit", "abort", true)
        .Cases("sincos", "lgamma", "tgamma", "erf", "erfc", "dlsym", "__errno_location", true)
        .Default(false);
}

CallKind kind_of_declaration(llvm::Function& function, const llvm::TargetLibraryInfo& library) {
    if (function.isIntrinsic()) return CallKind::kHarmless;
    const llvm::StringRef symbol = function.getName();
    if (symbol.starts_with_insensitive("mpi_") || symbol.starts_with("MPIX_"))
        return kind_in_mpi(symbol);
    llvm::LibFunc known{};
    // Both call back.
    const bool calls_back = symbol == "qsort" || symbol == "bsearch";
    if (!calls_back && (library.getLibFunc(function, known) || is_known_library_function(symbol)))
        return CallKind::kHarmless;
    return CallKind::kBarrier;
}

}  // namespace

Communication::Communication(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
    for (llvm::Function& function : module) {
        CallKind& kind = x_kinds[&function];
        kind = CallKind::kHarmless;
        if (function.isDeclaration())
            kind = kind_of_declaration(function,
                                       analyses.getResult<llvm::TargetLibraryAnalysis>(function));
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (llvm::Function& function : module) {
            CallKind& kind = x_kinds[&function];
            if (function.isDeclaration() || kind != CallKind::kHarmless) continue;
            if (llvm::all_of(function, [this](const auto& block) { return is_harmless(block); }))
                continue;
            kind = CallKind::kBarrier;
            changed = true;
        }
    }
}

CallKind Communication::kind_of(const llvm::Instruction& instruction) const {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->isInlineAsm()) return CallKind::kHarmless;
    const auto* callee =
        llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCastsAndAliases());
    if (callee == nullptr) return CallKind::kBarrier;
    const auto found = x_kinds.find(callee);
    // What was added since is our own.
    return found == x_kinds.end() ? CallKind::kHarmless : found->second;
}

bool Communication::is_harmless(const llvm::BasicBlock& block) const {
    return llvm::all_of(block, [this](const llvm::Instruction& instruction) {
        return kind_of(instruction) == CallKind::kHarmless;
    });
}

std::string shown_name(const llvm::Function& function) {
    llvm::StringRef symbol = function.getName();
    if (!symbol.consume_front("mpi_")) return llvm::demangle(symbol);
    symbol.consume_back("_");
    symbol.consume_back("_f08");
    std::string name = "MPI_" + symbol.str();
    if (name.size() > 4) name[4] = llvm::toUpper(name[4]);
    return name;
}

}  // namespace kumi::passes
