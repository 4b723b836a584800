/* Loops around MPI_Test, Testany, Testall, Testsome and Iprobe: time must pass while they poll. */
#include "check.h"

static void test_loop(int left, int right) {
    int in = -1, done = 0;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&world_rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
    while (!done) MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
    CHECK(in == left);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

static void test_many(int left, int right) {
    int in[4], done = 0, finished = 0;
    MPI_Request requests[8];
    for (int i = 0; i < 4; ++i) {
        MPI_Irecv(&in[i], 1, MPI_INT, left, 10 + i, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(&world_rank, 1, MPI_INT, right, 10 + i, MPI_COMM_WORLD, &requests[4 + i]);
    }
    while (finished < 3) {
        int index = MPI_UNDEFINED;
        MPI_Testany(8, requests, &index, &done, MPI_STATUS_IGNORE);
        finished += done && index != MPI_UNDEFINED;
    }
    int indices[8], count = 0;
    MPI_Testsome(8, requests, &count, indices, MPI_STATUSES_IGNORE);
    for (done = 0; !done;) MPI_Testall(8, requests, &done, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; ++i) CHECK(in[i] == left);
}

/* Rank 0 polls for answers in any order while the others compute for different times. */
static void probe_loop(void) {
    if (world_rank != 0) {
        MPI_Send(&world_rank, 1, MPI_INT, 0, 50, MPI_COMM_WORLD);
        return;
    }
    for (int answers = 0; answers < world_size - 1;) {
        MPI_Status status;
        int found = 0, value = -1;
        MPI_Iprobe(MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &found, &status);
        if (!found) continue;
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(value == status.MPI_SOURCE);
        ++answers;
    }
}

/* A loop that waits for time to pass must end, though nothing else happens. */
static void clock_loop(void) {
    const double start = MPI_Wtime();
    while (MPI_Wtime() - start < 1e-4) {
    }
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    for (int i = 0; i < 20; ++i) {
        test_loop(left, right);
        test_many(left, right);
        probe_loop();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    clock_loop();
    return end("polling");
}
