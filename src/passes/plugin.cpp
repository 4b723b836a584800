// The LLVM plug-in: clang-19 -fpass-plugin=libkumi-passes.so

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/ErrorHandling.h>

#include <cstdlib>
#include <string>

#include "passes/count_pass.hpp"

namespace {

using kumi::passes::CountPass;
using kumi::passes::MachineModel;

/// That of the file that KUMI_MACHINE_MODEL names, if it names one.
MachineModel chosen_model() {
    const char* path = std::getenv("KUMI_MACHINE_MODEL");
    if (path == nullptr || *path == '\0') return MachineModel::standard();
    MachineModel model;
    std::string problem;
    if (!MachineModel::read(path, model, problem))
        llvm::report_fatal_error(llvm::Twine("kumihimo: ") + problem, /*gen_crash_diag=*/false);
    return model;
}

void register_passes(llvm::PassBuilder& builder) {
    builder.registerOptimizerLastEPCallback(
        [](llvm::ModulePassManager& manager, llvm::OptimizationLevel) {
            manager.addPass(CountPass(chosen_model()));
        });
    // For opt -passes=kumi-count.
    builder.registerPipelineParsingCallback(
        [](llvm::StringRef name, llvm::ModulePassManager& manager, auto) {
            if (name != "kumi-count") return false;
            manager.addPass(CountPass(chosen_model()));
            return true;
        });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "kumihimo", KUMI_VERSION, register_passes};
}
