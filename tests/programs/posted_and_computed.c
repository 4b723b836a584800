/* Rank 1 posts receives, computes, and waits for their messages, which rank 0 sends meanwhile, in
 * the reverse order. Arguments: how many messages, and of what size. */
#include "check.h"
#include "kumihimo/compute.h"

#define MOST 1000
#define LARGEST 5000

static unsigned char bytes[MOST][LARGEST];
static MPI_Request requests[MOST];

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int count = argc > 1 ? atoi(argv[1]) : 20;
    const int size = argc > 2 ? atoi(argv[2]) : 16;
    CHECK(world_size == 2 && count <= MOST && size <= LARGEST);
    if (world_rank == 0) {
        kumi_compute_seconds(0.001);
        for (int tag = count - 1; tag >= 0; --tag) {
            pattern_fill(bytes[tag], (size_t)size, (uint64_t)tag);
            MPI_Isend(bytes[tag], size, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &requests[tag]);
        }
    } else {
        for (int tag = 0; tag < count; ++tag)
            MPI_Irecv(bytes[tag], size, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &requests[tag]);
        kumi_compute_seconds(0.1);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    if (world_rank == 1) {
        for (int tag = 0; tag < count; ++tag)
            CHECK(pattern_matches(bytes[tag], (size_t)size, (uint64_t)tag));
        printf("posted_and_computed: passed\n");
    }
    MPI_Finalize();
    return 0;
}
