/* Prints the names that a rank finds for its host, which must agree. Argument, for MPICH: a file;
 * how many ranks access it for all is printed, which is one a host. */
#include <sys/utsname.h>
#include <unistd.h>

#include "check.h"

static void print_how_many_access(const char* path) {
    char ranks[16] = "?";
    int is_known = 0;
    MPI_File file;
    MPI_Info hints;
    CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                        &file) == MPI_SUCCESS);
    MPI_File_get_info(file, &hints);
    MPI_Info_get(hints, "cb_nodes", sizeof ranks - 1, ranks, &is_known);
    if (world_rank == 0) printf("%s access it\n", ranks);
    MPI_Info_free(&hints);
    MPI_File_close(&file);
}

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
    if (argc > 1) print_how_many_access(argv[1]);
    return end("host_names");
}
