/* A receive that is cancelled when its message is there has got it, or has not and the next receive
 * gets it: as MPI says. From rank 1, and from any source; short messages, and long ones, of which
 * only the announcement is there. */
#include "check.h"

#define ROUNDS 8
#define MOST (1 << 18)

static int first[MOST], second[MOST], out[MOST];

/* How many numbers, and from whom, in a round. */
static int count_in(int round) { return round < ROUNDS / 2 ? 1 : MOST; }
static int source_in(int round) { return round % 2 == 0 ? 1 : MPI_ANY_SOURCE; }
static int is_filled(const int* numbers, int count, int value) {
    return numbers[0] == value && numbers[count - 1] == value;
}

static void receive_late(int count, int source, int tag) {
    int is_cancelled = 0;
    MPI_Request request;
    MPI_Status status;
    for (int i = 0; i < count; ++i) first[i] = second[i] = 0;
    /* This one overtakes nothing, so the message is there when its receive is posted. */
    MPI_Recv(NULL, 0, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(first, count, MPI_INT, source, tag, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &is_cancelled);
    MPI_Send(NULL, 0, MPI_INT, 1, 99, MPI_COMM_WORLD);
    if (is_cancelled) {
        MPI_Recv(second, count, MPI_INT, source, tag, MPI_COMM_WORLD, &status);
        CHECK(is_filled(first, count, 0) && is_filled(second, count, tag));
    } else {
        CHECK(is_filled(first, count, tag));
    }
    CHECK(status.MPI_SOURCE == 1 && status.MPI_TAG == tag);
    MPI_Recv(second, count, MPI_INT, source, tag, MPI_COMM_WORLD, &status);
    CHECK(is_filled(second, count, tag + 1000) && status.MPI_SOURCE == 1);
}

static void send(int count, int tag) {
    MPI_Request request;
    for (int i = 0; i < count; ++i) out[i] = tag;
    MPI_Isend(out, count, MPI_INT, 0, tag, MPI_COMM_WORLD, &request);
    MPI_Send(NULL, 0, MPI_INT, 0, 99, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i) out[i] = tag + 1000;
    MPI_Send(out, count, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 2);
    for (int round = 0; round < ROUNDS; ++round) {
        if (world_rank == 0)
            receive_late(count_in(round), source_in(round), round + 1);
        else if (world_rank == 1)
            send(count_in(round), round + 1);
    }
    return end("cancelled_too_late");
}
