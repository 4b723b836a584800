/* MPI sessions, without a world or in addition to one. Argument: which of the ways below. */
#include <unistd.h>

#include "check.h"

static MPI_Session open_session(void) {
    MPI_Session session = MPI_SESSION_NULL;
    CHECK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
    return session;
}

/* A communicator of all, or of the even and of the odd ranks. */
static MPI_Comm communicator_of(MPI_Session session, int by_halves) {
    MPI_Group all, group;
    MPI_Comm communicator = MPI_COMM_NULL;
    int size = 0, rank = -1;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Group_size(all, &size);
    MPI_Group_rank(all, &rank);
    int ranges[1][3] = {{by_halves ? rank % 2 : 0, size - 1, by_halves ? 2 : 1}};
    MPI_Group_range_incl(all, 1, ranges, &group);
    CHECK(MPI_Comm_create_from_group(group, by_halves ? "halves" : "all", MPI_INFO_NULL,
                                     MPI_ERRORS_RETURN, &communicator) == MPI_SUCCESS);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    return communicator;
}

static void exchange(MPI_Comm communicator) {
    int rank = -1, size = 0, sum = 0, value = -1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, communicator);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &value, 1, MPI_INT,
                 (rank + size - 1) % size, 1, communicator, MPI_STATUS_IGNORE);
    CHECK(value == (rank + size - 1) % size);
    world_rank = rank;
}

static void use_session(int by_halves) {
    MPI_Session session = open_session();
    MPI_Comm communicator = communicator_of(session, by_halves);
    exchange(communicator);
    MPI_Comm_free(&communicator);
    CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS);
}

static void use_world(int* argc, char*** argv) {
    begin(argc, argv);
    exchange(MPI_COMM_WORLD);
}

static int started_rank(void) {
    const char* rank = getenv("PMI_RANK");
    return rank == NULL ? 0 : atoi(rank);
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "alone";
    if (strcmp(way, "alone") == 0) {
        /* One after another, and two at once. */
        use_session(0);
        use_session(1);
        MPI_Session session = open_session();
        use_session(0);
        CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS);
        use_session(0);
    } else if (strcmp(way, "before") == 0) {
        use_session(0);
        use_world(&argc, &argv);
        MPI_Finalize();
    } else if (strcmp(way, "beside") == 0) {
        MPI_Session session = open_session();
        MPI_Comm communicator = communicator_of(session, 1);
        use_world(&argc, &argv);
        use_session(1);
        exchange(communicator);
        exchange(MPI_COMM_WORLD);
        MPI_Comm_free(&communicator);
        MPI_Finalize();
        CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS);
    } else if (strcmp(way, "inside") == 0) {
        use_world(&argc, &argv);
        use_session(0);
        use_session(1);
        exchange(MPI_COMM_WORLD);
        MPI_Finalize();
    } else if (strcmp(way, "after") == 0) {
        use_world(&argc, &argv);
        MPI_Finalize();
        use_session(0);
    } else if (strcmp(way, "some") == 0) {
        /* A session concerns its rank only. */
        if (started_rank() % 2 == 0) {
            MPI_Session session = open_session();
            MPI_Session_finalize(&session);
        }
        use_world(&argc, &argv);
        MPI_Finalize();
    } else if (strcmp(way, "unclosed") == 0) {
        open_session();
        return 0;
    } else if (strcmp(way, "missing") == 0) {
        if (started_rank() == 1) return 0;
        use_session(0);
    }
    if (world_rank == 0) printf("sessions: passed %s\n", way);
    return 0;
}
