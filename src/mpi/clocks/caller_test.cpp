#include "mpi/clocks/caller.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <time.h>

namespace kumi::mpi {
namespace {

TEST(Caller, TheProgramAndLibcAreNoImplementation) {
    EXPECT_FALSE(is_implementation_code(reinterpret_cast<const void*>(&run_link::attach)));
    EXPECT_FALSE(is_implementation_code(dlsym(RTLD_NEXT, "strlen")));
}

TEST(Caller, CodeThatNoLibraryHoldsIsTheProgram) {
    int on_the_stack = 0;
    EXPECT_FALSE(is_implementation_code(&on_the_stack));
}

TEST(Caller, APluginIsKnownAsSoonAsItIsLoaded) {
    void* library = dlopen(KUMI_PROBE_FOLDER "/openmpi/libmpi.so.40", RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    EXPECT_TRUE(is_implementation_code(dlsym(library, "PMPI_Send")));
    dlclose(library);
}

}  // namespace
}  // namespace kumi::mpi
