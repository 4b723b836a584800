/* Communicators made from groups of one rank and of more, while a receive is outstanding. */
#include "check.h"
#include "ranges.h"

static void check_sum(MPI_Comm comm, int expected) {
    int sum = -1;
    MPI_Allreduce(&world_rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == expected);
}

static void check_copies(MPI_Comm comm, int expected) {
    MPI_Comm copy, later;
    MPI_Request request;
    MPI_Comm_dup(comm, &copy);
    check_sum(copy, expected);
    MPI_Comm_idup(copy, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_sum(later, expected);
    MPI_Comm_free(&later);
    MPI_Comm_free(&copy);
}

/* The ranks below `split` and the others, joined. */
static void check_two_sides(int split) {
    const int is_low = world_rank < split;
    MPI_Comm side, between, joined;
    MPI_Comm_split(MPI_COMM_WORLD, is_low, world_rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_low ? split : 0, 7, &between);
    check_sum(between, is_low ? sum_of(split, world_size - 1) : sum_of(0, split - 1));
    MPI_Intercomm_merge(between, !is_low, &joined);
    check_sum(joined, sum_of(0, world_size - 1));
    MPI_Comm_free(&joined);
    MPI_Comm_free(&between);
    MPI_Comm_free(&side);
}

int main(int argc, char** argv) {
    int in = -1;
    MPI_Request request;
    begin(&argc, &argv);
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    for (int is_outstanding = 0; is_outstanding < 2; ++is_outstanding) {
        if (is_outstanding) MPI_Irecv(&in, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &request);
        MPI_Comm alone = made_of(MPI_COMM_WORLD, world_rank, world_rank, 3);
        check_sum(alone, world_rank);
        check_copies(alone, world_rank);
        MPI_Comm_free(&alone);
        if (world_rank > 0) {
            MPI_Comm others = made_of(MPI_COMM_WORLD, 1, world_size - 1, 3);
            check_copies(others, sum_of(1, world_size - 1));
            MPI_Comm_free(&others);
        }
        for (int split = 1; split < world_size; ++split) check_two_sides(split);
    }
    MPI_Send(&world_rank, 1, MPI_INT, right, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in == left);
    return end("communicators");
}
