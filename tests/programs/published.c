/* Names that one rank publishes and others look up. */
#include "check.h"

int main(int argc, char** argv) {
    char port[MPI_MAX_PORT_NAME] = "tag#0$port#7$";
    char found[MPI_MAX_PORT_NAME] = "";
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Lookup_name("kumihimo", MPI_INFO_NULL, found) != MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0) {
        CHECK(MPI_Publish_name("kumihimo", MPI_INFO_NULL, port) == MPI_SUCCESS);
        CHECK(MPI_Publish_name("kumihimo", MPI_INFO_NULL, port) != MPI_SUCCESS);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPI_Lookup_name("kumihimo", MPI_INFO_NULL, found) == MPI_SUCCESS);
    CHECK(strcmp(found, port) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == world_size - 1) {
        CHECK(MPI_Unpublish_name("kumihimo", MPI_INFO_NULL, port) == MPI_SUCCESS);
        CHECK(MPI_Unpublish_name("kumihimo", MPI_INFO_NULL, port) != MPI_SUCCESS);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPI_Lookup_name("kumihimo", MPI_INFO_NULL, found) != MPI_SUCCESS);
    return end("published");
}
