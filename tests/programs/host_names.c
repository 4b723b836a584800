/* Prints the names that a rank finds for its host, which must agree. */
#include <sys/utsname.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    char name[MPI_MAX_PROCESSOR_NAME], other[256];
    int length = 0;
    struct utsname system;
    MPI_Get_processor_name(name, &length);
    CHECK(length == (int)strlen(name));
    CHECK(gethostname(other, sizeof other) == 0 && strcmp(other, name) == 0);
    CHECK(uname(&system) == 0 && strcmp(system.nodename, name) == 0);
    CHECK(gethostname(other, (size_t)length) != 0);
    for (int rank = 0; rank < world_size; ++rank) {
        if (rank == world_rank) printf("rank %d on %s\n", rank, name);
        fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return end("host_names");
}
