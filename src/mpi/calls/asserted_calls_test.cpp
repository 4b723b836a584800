#include "mpi/calls/asserted_calls.hpp"

#include <gtest/gtest.h>

#include "base/assertions.hpp"

namespace kumi::mpi::asserted_calls {
namespace {

// In C, with large counts, and in Fortran a function has its arguments at the same places.
TEST(AssertedCalls, KnowWhereReceivesAndSendsHaveTheirArguments) {
    for (const char* name : {"MPI_Recv", "MPI_Irecv", "MPI_Recv_init", "MPI_Irecv_c", "mpi_recv"}) {
        EXPECT_EQ(places_of(name).source, 3) << name;
        EXPECT_EQ(places_of(name).target, -1) << name;
    }
    for (const char* name : {"MPI_Send", "MPI_Isend", "MPI_Ssend", "MPI_Issend", "MPI_Rsend",
                             "MPI_Bsend_init", "MPI_Send_init", "MPI_Isend_c", "mpi_ibsend"}) {
        EXPECT_EQ(places_of(name).target, 3) << name;
        EXPECT_EQ(places_of(name).source, -1) << name;
    }
    for (const char* name : {"MPI_Sendrecv", "MPI_Isendrecv", "mpi_sendrecv"}) {
        EXPECT_EQ(places_of(name).target, 3) << name;
        EXPECT_EQ(places_of(name).source, 8) << name;
    }
    EXPECT_EQ(places_of("MPI_Sendrecv_replace").source, 5);
    for (const char* name : {"MPI_Probe", "MPI_Iprobe", "MPI_Mprobe", "MPI_Improbe", "mpi_probe"}) {
        EXPECT_EQ(places_of(name).source, 0) << name;
        EXPECT_TRUE(places_of(name).is_probe) << name;
    }
}

TEST(AssertedCalls, KnowWhatMakesCommunicators) {
    EXPECT_FALSE(places_of("MPI_Comm_dup").matters());
    EXPECT_FALSE(places_of("mpi_comm_idup").matters());
    EXPECT_EQ(places_of("MPI_Comm_dup_with_info").made, 2);
    EXPECT_EQ(places_of("MPI_Comm_set_info").made, -1);
    EXPECT_EQ(places_of("MPI_Dist_graph_create_adjacent").info, 7);
    EXPECT_TRUE(places_of("MPI_Comm_free").frees);
    for (const char* name :
         {"MPI_Comm_split", "MPI_Win_set_info", "MPI_Bcast", "MPI_Mrecv", "MPI_Comm_free_keyval",
          "MPI_Precv_init", "MPI_Psend_init", "MPI_Mrecv_c", "mpi_mrecv", "MPI_Waitall"})
        EXPECT_FALSE(places_of(name).matters()) << name;
}

TEST(AssertionSet, IsSetAndTakenBack) {
    AssertionSet assertions;
    EXPECT_TRUE(assertions.is_empty());
    assertions.set(Assertion::kExactLength, true);
    assertions.set(Assertion::kNoAnyTag, true);
    assertions.set(Assertion::kNoAnyTag, false);
    EXPECT_TRUE(assertions.has(Assertion::kExactLength));
    EXPECT_FALSE(assertions.has(Assertion::kNoAnyTag));
    assertions.set(Assertion::kExactLength, false);
    EXPECT_TRUE(assertions.is_empty());
}

}  // namespace
}  // namespace kumi::mpi::asserted_calls
