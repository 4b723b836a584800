/* Hints for communicators. Ranks 0 and 1 have an intercommunicator with 2 and 3. When all links are
 * idle, rank 0 says that it is going to send.
 *
 * Usage: hints WHAT, of: nothing, rank (3), all, member (rank 1 of the intercommunicator), members
 * (of it), none (of MPI_COMM_NULL). Rank 0 prints the code that it got. */
#include <kumihimo/compute.h>
#include <kumihimo/hint.h>

#include "check.h"

static int hint(const char* what, MPI_Comm two_groups) {
    if (strcmp(what, "rank") == 0) return kumi_wake(3);
    if (strcmp(what, "all") == 0) return kumi_wake_all();
    if (strcmp(what, "member") == 0) return kumi_wake_member(two_groups, 1);
    if (strcmp(what, "members") == 0) return kumi_wake_members(two_groups);
    if (strcmp(what, "none") != 0) return KUMI_HINT_OK;
    CHECK(kumi_wake_member(MPI_COMM_NULL, 0) == kumi_wake_members(MPI_COMM_NULL));
    return kumi_wake_members(MPI_COMM_NULL);
}

int main(int argc, char** argv) {
    MPI_Comm half, two_groups;
    begin(&argc, &argv);
    CHECK(argc == 2 && world_size == 4);
    const int is_second = world_rank >= 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_second, world_rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_second ? 0 : 2, 0, &two_groups);
    kumi_compute_seconds(1e-3);
    if (world_rank == 0) {
        printf("%s: %d\n", argv[1], hint(argv[1], two_groups));
        fflush(stdout);
    }
    kumi_compute_seconds(1e-3);
    MPI_Finalize();
    return 0;
}
