/* A receive from any source, for which there are two messages: a large one of another rank, whose
 * data are on their way, and one of the rank itself. The rank asks for it, or waits for it. */
#include "check.h"

#define SIZE 200000
#define TAG 4

static void await(MPI_Request* request, int asks, MPI_Status* status) {
    int done = 0;
    if (!asks) MPI_Wait(request, status);
    while (asks && !done) MPI_Test(request, &done, status);
}

/* Whatever came first of the two; returns its source. */
static int check_message(const unsigned char* bytes, const MPI_Status* status, int left) {
    int size = 0;
    MPI_Get_count(status, MPI_BYTE, &size);
    CHECK(status->MPI_SOURCE == left || status->MPI_SOURCE == world_rank);
    CHECK(size == (status->MPI_SOURCE == left ? SIZE : 1));
    CHECK(pattern_matches(bytes, (size_t)size, (uint64_t)status->MPI_SOURCE));
    return status->MPI_SOURCE;
}

static void receive_both(unsigned char* bytes, int left, int asks) {
    MPI_Request request, own;
    MPI_Status status;
    unsigned char own_byte;
    int done = 0;
    pattern_fill(&own_byte, 1, (uint64_t)world_rank);
    MPI_Irecv(bytes, SIZE, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
    /* Often enough that the receive has matched, not so often that the data are there. */
    for (int i = 0; i < 20 && !done; ++i) MPI_Test(&request, &done, &status);
    MPI_Isend(&own_byte, 1, MPI_BYTE, world_rank, TAG, MPI_COMM_WORLD, &own);
    if (!done) await(&request, asks, &status);
    const int first = check_message(bytes, &status, left);
    MPI_Recv(bytes, SIZE, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    CHECK(check_message(bytes, &status, left) != first);
    MPI_Wait(&own, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    unsigned char* bytes = (unsigned char*)allocate(SIZE);
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    for (int asks = 0; asks < 2; ++asks) {
        for (int is_odd = 0; is_odd < 2; ++is_odd) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (world_rank % 2 == is_odd) {
                receive_both(bytes, left, asks);
            } else {
                pattern_fill(bytes, SIZE, (uint64_t)world_rank);
                MPI_Send(bytes, SIZE, MPI_BYTE, right, TAG, MPI_COMM_WORLD);
            }
        }
    }
    free(bytes);
    return end("own_messages");
}
