/* Ring shifts of 64 bytes with pairs of hints around each of them. Arguments: shifts, pairs of
 * hints for each shift. */
#include <kumihimo/hint.h>

#include "../../examples/apps/program.h"

enum { kBytes = 64 };

int main(int argc, char** argv) {
    int rank = 0, ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long shifts = argument(argc, argv, 1, 1);
    const long pairs = argument(argc, argv, 2, 1);
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    char out[kBytes] = {0}, in[kBytes];
    for (long shift = 0; shift < shifts; ++shift) {
        for (long pair = 1; pair < pairs; ++pair) {
            HINT("IN_KERNEL", "1");
            HINT("IN_KERNEL", "0");
        }
        if (pairs > 0) HINT("IN_KERNEL", "1");
        MPI_Sendrecv(out, kBytes, MPI_BYTE, right, 0, in, kBytes, MPI_BYTE, left, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (pairs > 0) HINT("IN_KERNEL", "0");
    }
    MPI_Finalize();
    return 0;
}
