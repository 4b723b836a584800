/* Standard, synchronous, buffered and ready sends, blocking and not, small and large. */
#include "check.h"

static void blocking(int size_bytes) {
    char* buffer = (char*)allocate((size_t)size_bytes);
    pattern_fill(buffer, (size_t)size_bytes, 1);
    if (world_rank == 0) {
        const int room = size_bytes + MPI_BSEND_OVERHEAD;
        void* space = allocate((size_t)room);
        MPI_Send(buffer, size_bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Ssend(buffer, size_bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Buffer_attach(space, room);
        MPI_Bsend(buffer, size_bytes, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
        int detached_bytes = 0;
        void* detached = NULL;
        MPI_Buffer_detach(&detached, &detached_bytes);
        CHECK(detached == space && detached_bytes == room);
        /* Rank 1 says when its receive is posted, which a ready send relies on. */
        MPI_Recv(NULL, 0, MPI_BYTE, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Rsend(buffer, size_bytes, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
        free(space);
    } else if (world_rank == 1) {
        for (int mode = 0; mode < 3; ++mode) {
            memset(buffer, 0, (size_t)size_bytes);
            MPI_Recv(buffer, size_bytes, MPI_BYTE, 0, mode, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(pattern_matches(buffer, (size_t)size_bytes, 1));
        }
        MPI_Request request;
        memset(buffer, 0, (size_t)size_bytes);
        MPI_Irecv(buffer, size_bytes, MPI_BYTE, 0, 3, MPI_COMM_WORLD, &request);
        MPI_Send(NULL, 0, MPI_BYTE, 0, 8, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(pattern_matches(buffer, (size_t)size_bytes, 1));
    }
    free(buffer);
}

static void nonblocking(int size_bytes) {
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    char* out = (char*)allocate((size_t)size_bytes);
    char* in[3];
    MPI_Request requests[6];
    pattern_fill(out, (size_t)size_bytes, (uint64_t)world_rank);
    for (int i = 0; i < 3; ++i) {
        in[i] = (char*)allocate((size_t)size_bytes);
        MPI_Irecv(in[i], size_bytes, MPI_BYTE, left, 20 + i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(out, size_bytes, MPI_BYTE, right, 20, MPI_COMM_WORLD, &requests[3]);
    MPI_Issend(out, size_bytes, MPI_BYTE, right, 21, MPI_COMM_WORLD, &requests[4]);
    MPI_Irsend(out, size_bytes, MPI_BYTE, right, 22, MPI_COMM_WORLD, &requests[5]);
    for (int left_over = 6; left_over > 0; --left_over) {
        int index = -1;
        MPI_Waitany(6, requests, &index, MPI_STATUS_IGNORE);
        CHECK(index >= 0 && index < 6);
    }
    for (int i = 0; i < 3; ++i) {
        CHECK(pattern_matches(in[i], (size_t)size_bytes, (uint64_t)left));
        free(in[i]);
    }
    free(out);
}

/* A synchronous send must not complete before its receive has begun. */
static void synchronous_waits(void) {
    if (world_rank == 0) {
        MPI_Request request;
        int done = -1;
        MPI_Issend(NULL, 0, MPI_BYTE, 1, 30, MPI_COMM_WORLD, &request);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        CHECK(!done);
        MPI_Send(NULL, 0, MPI_BYTE, 1, 31, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (world_rank == 1) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 2);
    const int sizes[] = {0, 8, 5000, 200000};
    for (int i = 0; i < 4; ++i) {
        blocking(sizes[i]);
        nonblocking(sizes[i]);
    }
    synchronous_waits();
    int moving = world_rank;
    MPI_Sendrecv_replace(&moving, 1, MPI_INT, (world_rank + 1) % world_size, 40,
                         (world_rank + world_size - 1) % world_size, 40, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    CHECK(moving == (world_rank + world_size - 1) % world_size);
    return end("send_modes");
}
