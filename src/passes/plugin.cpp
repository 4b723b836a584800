// The LLVM plug-in: clang-19 -fpass-plugin=libkumi-passes.so

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <string>

#include "passes/passes.hpp"

namespace {

using kumi::passes::CountPass;
using kumi::passes::HintPass;
using kumi::passes::PrewakePass;
using kumi::passes::ProcessorModel;

/// Ends the compilation. LLVM's own ways to do that dump the compiler's stack (clang), or are not
/// heard (flang).
[[noreturn]] void refuse(const std::string& problem) {
    llvm::errs() << problem << "\n";
    // Removes unfinished files.
    llvm::sys::RunInterruptHandlers();
    std::_Exit(EXIT_FAILURE);
}

/// That of the file that KUMI_PROCESSOR_MODEL names, if it names one.
ProcessorModel chosen_model() {
    const char* path = std::getenv("KUMI_PROCESSOR_MODEL");
    if (path == nullptr || *path == '\0') return ProcessorModel::standard();
    ProcessorModel model;
    std::string problem;
    if (!ProcessorModel::read(path, model, problem)) refuse(problem);
    return model;
}

/// Whether the environment sets `variable` to `value`.
bool is_set(const char* variable, llvm::StringRef value) {
    const char* found = std::getenv(variable);
    return found != nullptr && value == found;
}

/// Adds the pass of that name; false if there is none.
bool add_pass(llvm::StringRef name, llvm::ModulePassManager& manager) {
    if (name == "kumi-count")
        manager.addPass(CountPass(chosen_model()));
    else if (name == "kumi-hints")
        manager.addPass(HintPass());
    else if (name == "kumi-prewake")
        manager.addPass(PrewakePass(chosen_model()));
    else
        return false;
    return true;
}

void register_passes(llvm::PassBuilder& builder) {
    const auto adding = [](const char* name) {
        return [name](llvm::ModulePassManager& manager, auto...) { add_pass(name, manager); };
    };
    // Everything has been inlined, loops have their simple form, and nothing is vectorised yet.
    if (is_set("KUMI_PREWAKE", "on"))
        builder.registerOptimizerEarlyEPCallback(adding("kumi-prewake"));
    if (is_set("KUMI_HINT_LOOPS", "on"))
        builder.registerOptimizerEarlyEPCallback(adding("kumi-hints"));
    if (!is_set("KUMI_COUNT", "off")) builder.registerOptimizerLastEPCallback(adding("kumi-count"));
    // For opt -passes=kumi-count, kumi-hints and kumi-prewake.
    builder.registerPipelineParsingCallback([](llvm::StringRef name,
                                               llvm::ModulePassManager& manager,
                                               auto) { return add_pass(name, manager); });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "kumihimo", KUMI_VERSION, register_passes};
}
