/* Every rank sends to its right and receives from its left. Arguments: rounds, bytes, and how:
 * "token" (one message goes round: a rank sends on what it has received) or "all" (all ranks send
 * at once). */
#include "../../examples/apps/program.h"

typedef struct {
    int rank, left, right, size_bytes;
    char *out, *in;
} Ring;

static void pass_token(const Ring* ring) {
    if (ring->rank == 0)
        MPI_Send(ring->out, ring->size_bytes, MPI_BYTE, ring->right, 0, MPI_COMM_WORLD);
    MPI_Recv(ring->out, ring->size_bytes, MPI_BYTE, ring->left, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (ring->rank != 0)
        MPI_Send(ring->out, ring->size_bytes, MPI_BYTE, ring->right, 0, MPI_COMM_WORLD);
}

static void shift(const Ring* ring) {
    MPI_Sendrecv(ring->out, ring->size_bytes, MPI_BYTE, ring->right, 0, ring->in, ring->size_bytes,
                 MPI_BYTE, ring->left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int ranks = 0;
    Ring ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &ring.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long rounds = argument(argc, argv, 1, 160);
    ring.size_bytes = (int)argument(argc, argv, 2, 1024);
    const int all_at_once = argc > 3 && strcmp(argv[3], "all") == 0;
    ring.left = (ring.rank + ranks - 1) % ranks;
    ring.right = (ring.rank + 1) % ranks;
    ring.out = (char*)allocate((size_t)ring.size_bytes);
    ring.in = (char*)allocate((size_t)ring.size_bytes);
    const double start = MPI_Wtime();
    for (long i = 0; i < rounds; ++i) {
        if (all_at_once)
            shift(&ring);
        else
            pass_token(&ring);
    }
    report("ring", start);
    free(ring.out);
    free(ring.in);
    MPI_Finalize();
    return 0;
}
