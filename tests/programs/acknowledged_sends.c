/* Large sends end by an acknowledgement, long before their target waits for the payload. What the
 * sender waits for next ends when that is complete. Usage: acknowledged_sends [synchronous]. */
#include <time.h>

#include "check.h"

enum { LARGE = 2 << 20 };

static void sleep_ms(long ms) {
    const struct timespec span = {0, ms * 1000000};
    nanosleep(&span, NULL);
}

/* A point where the rank's time is known. */
static void look(void) {
    int flag;
    MPI_Iprobe(0, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void send(unsigned char* buffer, int sends) {
    int values[2] = {0};
    MPI_Request requests[2];
    for (int i = 0; i < sends; ++i) {
        pattern_fill(buffer, LARGE, (uint64_t)i);
        MPI_Isend(buffer, LARGE, MPI_BYTE, 1, i, MPI_COMM_WORLD, requests);
        MPI_Wait(requests, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2; ++i)
        MPI_Irecv(&values[i], 1, MPI_INT, 2 + i, 3, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(values[0] == 2 && values[1] == 3);
}

static void receive(unsigned char* buffer, int sends) {
    int value = 0;
    MPI_Request requests[3];
    for (int i = 0; i < sends; ++i)
        MPI_Irecv(buffer + (size_t)i * LARGE, LARGE, MPI_BYTE, 0, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Irecv(&value, 1, MPI_INT, 4, 2, MPI_COMM_WORLD, &requests[sends]);
    MPI_Waitall(sends + 1, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < sends; ++i)
        CHECK(pattern_matches(buffer + (size_t)i * LARGE, LARGE, (uint64_t)i));
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size == 5);
    const int synchronous = argc > 1 && strcmp(argv[1], "synchronous") == 0;
    unsigned char* buffer = (unsigned char*)allocate(2 * LARGE);
    if (world_rank == 0) {
        send(buffer, 1 + synchronous);
    } else if (world_rank == 1) {
        receive(buffer, 1 + synchronous);
    } else if (world_rank == 4) {
        sleep_ms(4);
        look();
        MPI_Send(&world_rank, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        sleep_ms(world_rank == 2 ? 10 : 30);
        look();
        if (synchronous)
            MPI_Ssend(&world_rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        else
            MPI_Send(&world_rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    free(buffer);
    return end("acknowledged_sends");
}
