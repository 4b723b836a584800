/* Ranks sleep between messages, each for another time. */
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static void sleep_us(int span_us) {
    const struct timespec span = {.tv_sec = 0, .tv_nsec = span_us * 1000};
    CHECK(nanosleep(&span, NULL) == 0);
}

static void pass_on(int size_bytes) {
    const int next = (world_rank + 1) % world_size;
    const int previous = (world_rank + world_size - 1) % world_size;
    char* data = (char*)allocate((size_t)size_bytes);
    MPI_Request request;
    int has_come = 0;
    pattern_fill(data, (size_t)size_bytes, 1);
    if (world_rank == 0) {
        sleep_us(50);
        MPI_Send(data, size_bytes, MPI_BYTE, next, 0, MPI_COMM_WORLD);
    }
    MPI_Irecv(data, size_bytes, MPI_BYTE, previous, 0, MPI_COMM_WORLD, &request);
    while (!has_come) {
        CHECK(usleep(3) == 0);
        MPI_Test(&request, &has_come, MPI_STATUS_IGNORE);
    }
    CHECK(pattern_matches(data, (size_t)size_bytes, 1));
    if (world_rank != 0) MPI_Send(data, size_bytes, MPI_BYTE, next, 0, MPI_COMM_WORLD);
    free(data);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    for (int round = 0; round < 3; ++round) {
        int token = 0;
        sleep_us(10 * (world_rank + round));
        if (world_rank == 0) {
            for (int rank = 1; rank < world_size; ++rank)
                MPI_Send(&round, 1, MPI_INT, rank, round, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&token, 1, MPI_INT, 0, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(token == round);
        }
        pass_on(8);
        pass_on(5000);
        CHECK(poll(NULL, 0, 1) == 0);
    }
    return end("sleeps");
}
