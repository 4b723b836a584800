/* Messages of one sender and tag never overtake, though small and large ones take other ways. */
#include "check.h"

#define MESSAGES 200

/* Sizes on both sides of every usual eager limit, in an order that puts small behind large. */
static int size_of(int index) {
    static const int sizes[] = {100000, 4, 70000, 16, 20000, 8, 65536, 4, 1000000, 12, 65537, 4000};
    return sizes[index % (int)(sizeof sizes / sizeof *sizes)];
}

static void send_all(int target) {
    MPI_Request requests[MESSAGES];
    char* buffers[MESSAGES];
    for (int i = 0; i < MESSAGES; ++i) {
        buffers[i] = (char*)allocate((size_t)size_of(i));
        memset(buffers[i], i & 0x7f, (size_t)size_of(i));
        memcpy(buffers[i], &i, sizeof i);
        MPI_Isend(buffers[i], size_of(i), MPI_BYTE, target, 1, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MESSAGES; ++i) free(buffers[i]);
}

static void receive_all(int source, int tag) {
    char* buffer = (char*)allocate(1000000);
    for (int i = 0; i < MESSAGES; ++i) {
        MPI_Status status;
        int count = -1, number = -1;
        MPI_Recv(buffer, 1000000, MPI_BYTE, source, tag, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        memcpy(&number, buffer, sizeof number);
        CHECK(number == i && count == size_of(i));
        CHECK(count < 5 || buffer[count - 1] == (i & 0x7f));
    }
    free(buffer);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 2);
    if (world_rank == 0) {
        send_all(1);
        send_all(1);
    } else if (world_rank == 1) {
        receive_all(0, 1);
        receive_all(MPI_ANY_SOURCE, MPI_ANY_TAG);
    }
    return end("ordering");
}
