/* Ranks from one to another. */
#ifndef KUMIHIMO_TESTS_RANGES_H
#define KUMIHIMO_TESTS_RANGES_H

#include <mpi.h>

/* A communicator of the ranks `first` to `last` of `comm`, which alone make it. */
static MPI_Comm made_of(MPI_Comm comm, int first, int last, int tag) {
    MPI_Group whole, group;
    MPI_Comm made;
    int range[1][3] = {{first, last, 1}};
    MPI_Comm_group(comm, &whole);
    MPI_Group_range_incl(whole, 1, range, &group);
    MPI_Comm_create_group(comm, group, tag, &made);
    MPI_Group_free(&group);
    MPI_Group_free(&whole);
    return made;
}

static int sum_of(int first, int last) { return (last - first + 1) * (first + last) / 2; }

#endif
