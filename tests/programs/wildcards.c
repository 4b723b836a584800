/* MPI_ANY_SOURCE and MPI_ANY_TAG: everything arrives once, in order for each sender. */
#include "check.h"

#define MESSAGES 20

static void collect(void) {
    int* next = (int*)allocate(sizeof(int) * (size_t)world_size);
    memset(next, 0, sizeof(int) * (size_t)world_size);
    for (int i = 0; i < MESSAGES * (world_size - 1); ++i) {
        int value = -1, count = -1;
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == 1 && value == status.MPI_SOURCE * 1000 + next[status.MPI_SOURCE]);
        CHECK(status.MPI_TAG == next[status.MPI_SOURCE] % 5);
        ++next[status.MPI_SOURCE];
    }
    for (int i = 1; i < world_size; ++i) CHECK(next[i] == MESSAGES);
    free(next);
}

/* A receive for one tag passes over earlier messages of other tags. */
static void selective(void) {
    int value = -1;
    if (world_rank == 1) {
        for (int tag = 0; tag < 4; ++tag) {
            MPI_Send(&tag, 1, MPI_INT, 0, 100 + tag, MPI_COMM_WORLD);
        }
    } else if (world_rank == 0) {
        for (int tag = 3; tag >= 0; --tag) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 100 + tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            CHECK(value == tag);
        }
    }
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 2);
    if (world_rank == 0) {
        collect();
    } else {
        for (int i = 0; i < MESSAGES; ++i) {
            const int value = world_rank * 1000 + i;
            MPI_Send(&value, 1, MPI_INT, 0, i % 5, MPI_COMM_WORLD);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    selective();
    return end("wildcards");
}
