#include "mpi/code/library_names.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace kumi::mpi {
namespace {

void expect_each(bool (*is_it)(const char*), bool expected,
                 std::initializer_list<const char*> names) {
    for (const char* name : names) EXPECT_EQ(is_it(name), expected) << name;
}

TEST(LibraryNames, FileNameIsTheLastComponent) {
    EXPECT_STREQ(file_name("/usr/lib/libmpi.so.40"), "libmpi.so.40");
    EXPECT_STREQ(file_name("program"), "program");
    EXPECT_STREQ(file_name(""), "");
}

TEST(LibraryNames, KnowsEveryMpi) {
    expect_each(is_mpi_binding, true,
                {"libmpi.so.12", "libmpi.so.40", "libmpi_abi.so.1", "libmpi-3f2a.so.12",
                 "libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpifort.so.12"});
    expect_each(is_mpi_binding, false,
                {"libmpi_cxx.so.40", "libmpic.so", "libm.so.6", "", "libkumi-mpi.so",
                 "MPI.mpich.cpython-311-x86_64-linux-gnu.so"});
}

TEST(LibraryNames, KnowsTheStandardAbi) {
    EXPECT_TRUE(is_standard_abi("libmpi_abi.so.1"));
    EXPECT_FALSE(is_standard_abi("libmpi.so.12"));
}

TEST(LibraryNames, TellsImplementationsFromPrograms) {
    expect_each(
        is_implementation, true,
        {"libmpi.so.12", "mca_mtl_ofi.so", "libopen-pal.so.40", "libpmix.so.2",
         "libevent_core-2.1.so.7", "libfabric.so.1", "libucp.so.0", "libefa-fi.so", "libkumi-fi.so",
         "libkumi-mpi.so", "libhwloc.so.15", "libpsm2.so.2.2", "libinfinipath.so.4.0"});
    expect_each(
        is_implementation, false,
        {"", "libc.so.6", "libgfortran.so.5", "libstdc++.so.6", "libgomp.so.1", "python3.11",
         "libopenblas.so.0", "libucontext.so.1", "MPI.mpich.cpython-311-x86_64-linux-gnu.so"});
}

TEST(LibraryNames, KnowsWhatTimesTheProcessorsCounter) {
    expect_each(times_counter, true, {"libpsm2.so.2.2", "libinfinipath.so.4.0"});
    expect_each(times_counter, false,
                {"", "libpsm_infinipath.so.1", "libfabric.so.1", "libc.so.6"});
}

TEST(LibraryNames, KnowsWhatWaitsForThreads) {
    expect_each(is_thread_runtime, true,
                {"libomp.so.5", "libomp-1a2b.so", "libiomp5.so", "libgomp.so.1",
                 "libgomp-24e2ab19.so.1.0.0", "libtbb.so.12"});
    expect_each(is_thread_runtime, false,
                {"", "libompi.so", "libopenblas.so.0", "libmpi.so.40", "libc.so.6"});
}

TEST(LibraryNames, KnowsInterpreters) {
    EXPECT_TRUE(is_interpreter("libpython3.11.so.1.0"));
    expect_each(is_interpreter, false, {"", "libc.so.6", "python3.11", "libpyglib-2.0.so"});
}

}  // namespace
}  // namespace kumi::mpi
