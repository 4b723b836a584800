/* Collectives that are made once and started several times (MPI 4.0, section 6.13). */
#ifndef KUMIHIMO_TESTS_TORTURE_STARTED_H
#define KUMIHIMO_TESTS_TORTURE_STARTED_H

#include "together.h"

#if MPI_VERSION >= 4
static void make_collective(uint32_t which, int root, MPI_Request* request) {
    switch (which) {
        case 0:
            MPI_Barrier_init(comm, MPI_INFO_NULL, request);
            break;
        case 1:
            MPI_Bcast_init(all, 1, MPI_LONG, root, comm, MPI_INFO_NULL, request);
            break;
        case 2:
            MPI_Allreduce_init(each, all, size, MPI_LONG, MPI_SUM, comm, MPI_INFO_NULL, request);
            break;
        case 3:
            MPI_Alltoall_init(each, 1, MPI_LONG, all, 1, MPI_LONG, comm, MPI_INFO_NULL, request);
            break;
        case 4:
            MPI_Allgather_init(each, 1, MPI_LONG, all, 1, MPI_LONG, comm, MPI_INFO_NULL, request);
            break;
        case 5:
            MPI_Gather_init(each, 1, MPI_LONG, all, 1, MPI_LONG, root, comm, MPI_INFO_NULL,
                            request);
            break;
        default:
            MPI_Reduce_init(each, all, 1, MPI_LONG, MPI_MAX, root, comm, MPI_INFO_NULL, request);
    }
}

static void started_collective(int round) {
    /* Not by MPI_Testall: with MPICH 5.0.2 it fails, natively too, as long as one goes on. */
    const uint32_t which = shared(7), times = 1 + shared(3), way = shared(kWaysToWait - 1);
    const int root = (int)shared((uint32_t)size), has_others = shared(2) == 0;
    MPI_Request request;
    use_data(0);
    for (int i = 0; i < size; ++i) each[i] = rank * 100 + i;
    make_collective(which, root, &request);
    for (uint32_t time = 0; time < times; ++time) {
        for (int i = 0; i < size; ++i) all[i] = which == 1 && rank == root ? 77 : -1;
        MPI_Start(&request);
        do_something();
        if (has_others) exchange(round);
        wait_for(1, &request, way);
        check_collective(which, root);
    }
    MPI_Request_free(&request);
}
#else
static void started_collective(int round) { collective(round); }
#endif

#endif
