/* A call that looks through requests returns as soon as one of them is complete, also where the MPI
 * library polls on while it looks. Usage: looks_through some | any. */
#include <time.h>

#include "check.h"

#define REQUESTS 8

static void sleep_ms(long ms) {
    const struct timespec span = {0, ms * 1000000};
    nanosleep(&span, NULL);
}

/* Five sends that are complete at once, and three receives, of which two have arrived. */
static void look(int any) {
    int in[3] = {0}, out = 5, count = -1, indices[REQUESTS];
    MPI_Request requests[REQUESTS];
    for (int i = 0; i < 3; ++i) MPI_Irecv(&in[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 3; i < REQUESTS; ++i)
        MPI_Isend(&out, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, &requests[i]);
    const double begin_s = MPI_Wtime();
    sleep_ms(1);
    MPI_Waitsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE);
    CHECK(count >= 1);
    if (any)
        MPI_Waitany(REQUESTS, requests, indices, MPI_STATUS_IGNORE);
    else
        MPI_Waitsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE);
    CHECK(MPI_Wtime() - begin_s < 5e-3);
    MPI_Send(&out, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; ++i) CHECK(in[i] == 10 + i);
    for (int i = 0; i < 2; ++i) MPI_Recv(in, 1, MPI_INT, 2, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 3 && argc == 2);
    int value = 0;
    if (world_rank == 0) {
        look(strcmp(argv[1], "any") == 0);
    } else if (world_rank == 1) {
        for (value = 10; value < 12; ++value)
            MPI_Send(&value, 1, MPI_INT, 0, value - 10, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = 12;
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    } else if (world_rank == 2) {
        for (int i = 0; i < 5; ++i)
            MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; ++i) {
            sleep_ms(10);
            MPI_Send(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
        }
    }
    return end("looks_through");
}
