/* Rank 1 receives messages in the reverse of the order in which rank 0 has sent them: first out of
 * those that wait, then into receives that wait. Sizes take turns: with the head, behind it, and by
 * rendezvous. Says nothing to other ranks in between or at the end. */
#include "check.h"

#define MOST 200
#define TAG_ALL_SENT 1000
#define TAG_ALL_POSTED 1001
#define SIZES 3

static const int sizes[SIZES] = {16, 600, 5000};
static unsigned char bytes[MOST][5000];
static MPI_Request requests[MOST];

static void send_all(int count, int is_reverse) {
    for (int i = 0; i < count; ++i) {
        const int tag = is_reverse ? count - 1 - i : i;
        pattern_fill(bytes[tag], (size_t)sizes[tag % SIZES], (uint64_t)tag);
        MPI_Isend(bytes[tag], sizes[tag % SIZES], MPI_BYTE, 1, tag, MPI_COMM_WORLD, &requests[tag]);
    }
}

static void check_all(int count) {
    for (int tag = 0; tag < count; ++tag)
        CHECK(pattern_matches(bytes[tag], (size_t)sizes[tag % SIZES], (uint64_t)tag));
    memset(bytes, 0, sizeof bytes);
}

static void receive_waiting(int count) {
    MPI_Recv(bytes[0], 0, MPI_BYTE, 0, TAG_ALL_SENT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int tag = count - 1; tag >= 0; --tag)
        MPI_Recv(bytes[tag], sizes[tag % SIZES], MPI_BYTE, 0, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    check_all(count);
}

static void receive_posted(int count) {
    for (int tag = 0; tag < count; ++tag)
        MPI_Irecv(bytes[tag], sizes[tag % SIZES], MPI_BYTE, 0, tag, MPI_COMM_WORLD, &requests[tag]);
    MPI_Send(bytes[0], 0, MPI_BYTE, 0, TAG_ALL_POSTED, MPI_COMM_WORLD);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    check_all(count);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int count = argc > 1 ? atoi(argv[1]) : 20;
    CHECK(world_size == 2 && count <= MOST);
    if (world_rank == 0) {
        send_all(count, 0);
        MPI_Send(bytes[0], 0, MPI_BYTE, 1, TAG_ALL_SENT, MPI_COMM_WORLD);
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        MPI_Recv(bytes[0], 0, MPI_BYTE, 1, TAG_ALL_POSTED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        send_all(count, 1);
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    } else {
        receive_waiting(count);
        receive_posted(count);
        printf("waiting_messages: passed\n");
    }
    MPI_Finalize();
    return 0;
}
