/* Communicators of groups, of two sides, and over graphs. */
#ifndef KUMIHIMO_TESTS_TORTURE_GROUPS_H
#define KUMIHIMO_TESTS_TORTURE_GROUPS_H

#include "../programs/ranges.h"
#include "together.h"

static void check_sum(MPI_Comm of, long expected) {
    long mine = rank, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, of);
    CHECK(sum == expected);
}

static void check_copy(MPI_Comm of, long expected) {
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_idup(of, &copy, &request);
    do_something();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_sum(copy, expected);
    MPI_Comm_free(&copy);
}

/* The ranks below one of them and the others: apart, with each other, and joined. */
static void two_sides(int round) {
    const int split = 1 + (int)shared((uint32_t)size - 1), is_low = rank < split;
    const int first = is_low ? 0 : split, last = is_low ? split - 1 : size - 1;
    const int is_by_group = shared(2) == 0, has_copies = shared(3) == 0;
    const long near = sum_of(first, last), all_ranks = sum_of(0, size - 1);
    MPI_Comm side, between, joined;
    if (is_by_group)
        side = made_of(comm, first, last, tag_of(round, 1));
    else
        MPI_Comm_split(comm, is_low, rank, &side);
    check_sum(side, near);
    do_something();
    MPI_Intercomm_create(side, 0, comm, is_low ? split : 0, tag_of(round, 0), &between);
    check_sum(between, all_ranks - near);
    long told = rank == 0 ? round : -1, from = -1;
    const int to = is_low ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    MPI_Bcast(&told, 1, MPI_LONG, to, between);
    CHECK(is_low ? told == (rank == 0 ? round : -1) : told == round);
    /* The first ranks of the sides to each other. */
    told = rank;
    if (rank == first) {
        MPI_Sendrecv(&told, 1, MPI_LONG, 0, 1, &from, 1, MPI_LONG, 0, 1, between,
                     MPI_STATUS_IGNORE);
        CHECK(from == (is_low ? split : 0));
    }
    if (has_copies) check_copy(side, near);
    MPI_Intercomm_merge(between, !is_low, &joined);
    check_sum(joined, all_ranks);
    MPI_Comm_free(&joined);
    MPI_Comm_free(&between);
    MPI_Comm_free(&side);
}

/* Each rank sends to two others, which may be one, or itself. */
static void over_a_graph(int round) {
    const int distance = (int)shared((uint32_t)size), is_uneven = shared(2) == 0;
    const int is_beside = shared(2) == 0;
    const int sources[2] = {rank_at(-distance), rank_at(-2 * distance)};
    const int destinations[2] = {rank_at(distance), rank_at(2 * distance)};
    const int weights[2] = {1, 1};
    int here = rank % 3, lengths[2], starts[2] = {0, 3};
    MPI_Comm graph;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Dist_graph_create_adjacent(comm, 2, sources, weights, 2, destinations, weights,
                                   MPI_INFO_NULL, 0, &graph);
    for (int i = 0; i < 2; ++i) lengths[i] = is_uneven ? sources[i] % 3 : 1;
    if (!is_uneven) here = 1;
    for (int k = 0; k < here; ++k) each[k] = round * 1000L + 10 * rank + k;
    if (is_beside)
        MPI_Ineighbor_allgatherv(each, here, MPI_LONG, all, lengths, starts, MPI_LONG, graph,
                                 &request);
    else
        MPI_Neighbor_allgatherv(each, here, MPI_LONG, all, lengths, starts, MPI_LONG, graph);
    do_something();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < lengths[i]; ++k)
            CHECK(all[starts[i] + k] == round * 1000L + 10 * sources[i] + k);
    MPI_Comm_free(&graph);
}

#endif
