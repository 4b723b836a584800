/* Two ranks that compute at the same time: after MPI_Init each waits in a loop for a sign of the
 * other in a file. Usage: beside FILE. Ends with 0 if both got it. */
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char** argv) {
    CHECK(argc == 2);
    /* Before MPI_Init, when all ranks run in real time. */
    const int file = open(argv[1], O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0 && ftruncate(file, 4096) == 0);
    _Atomic int* signs = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(signs != MAP_FAILED);
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atomic_store(&signs[rank], 1);
    long looks = 0;
    while (atomic_load(&signs[1 - rank]) == 0 && looks < 1000000000) ++looks;
    CHECK(atomic_load(&signs[1 - rank]) == 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
