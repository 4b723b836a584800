/* Starts, meets in a barrier and says how much memory the ranks have for themselves alone. */
#include "../../examples/apps/program.h"

/* Kilobytes that no other process shares, of the calling process. */
static long private_kb(void) {
    FILE* file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long total = 0, value = 0;
    if (file == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "Private_Clean: %ld", &value) == 1) total += value;
        if (sscanf(line, "Private_Dirty: %ld", &value) == 1) total += value;
    }
    fclose(file);
    return total;
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    const long mine = private_kb();
    long sum = 0, largest = 0;
    MPI_Reduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &largest, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("start_up private_kb mean %ld largest %ld\n", sum / ranks, largest);
    MPI_Finalize();
    return 0;
}
