/* Goes wrong in the way that the first argument names, on rank 1, after a barrier. The others wait
   for a message that never comes; with "abort-beside-loop" they compute without end. With
   "exchange" all go wrong. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static volatile int forever = 1;

static void go_wrong(const char* how) {
    int value = -1;
    if (strcmp(how, "segv") == 0) {
        volatile int* nowhere = NULL;
        *nowhere = 1;
    } else if (strcmp(how, "kill") == 0) {
        raise(SIGKILL);
    } else if (strcmp(how, "exit") == 0) {
        exit(0);
    } else if (strcmp(how, "exit-status") == 0) {
        _exit(42);
    } else if (strcmp(how, "abort") == 0 || strcmp(how, "abort-beside-loop") == 0) {
        MPI_Abort(MPI_COMM_WORLD, 17);
    } else if (strcmp(how, "c-abort") == 0) {
        abort();
    } else if (strcmp(how, "mpi-error") == 0) {
        MPI_Send(&value, 1, MPI_INT, 0, -7, MPI_COMM_WORLD);
    } else if (strcmp(how, "deadlock") == 0) {
        MPI_Recv(&value, 1, MPI_INT, 0, 66, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(how, "loop") == 0) {
        while (forever) {
        }
    } else if (strcmp(how, "poll") == 0) {
        for (int found = 0; !found;) {
            MPI_Iprobe(0, 66, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        }
    } else if (strcmp(how, "sleep") == 0) {
        const struct timespec thirty_years = {.tv_sec = 1000000000, .tv_nsec = 0};
        nanosleep(&thirty_years, NULL);
    } else if (strcmp(how, "stop") == 0) {
        raise(SIGSTOP);
    }
}

/* Each of two ranks sends what the other has not asked for yet. */
static void exchange(void) {
    static char sent[100000];
    static char received[sizeof sent];
    const int other = world_rank ^ 1;
    MPI_Send(sent, sizeof sent, MPI_CHAR, other, 68, MPI_COMM_WORLD);
    MPI_Recv(received, sizeof received, MPI_CHAR, other, 68, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    const char* how = argc > 1 ? argv[1] : "none";
    const int faulty_rank = argc > 2 ? atoi(argv[2]) : 1;
    begin(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == faulty_rank) go_wrong(how);
    if (strcmp(how, "abort-beside-loop") == 0) go_wrong("loop");
    const int is_exchange = strcmp(how, "exchange") == 0;
    if (is_exchange) exchange();
    if (strcmp(how, "none") != 0 && !is_exchange && strcmp(how, "after-finalize") != 0) {
        int value = -1;
        MPI_Recv(&value, 1, MPI_INT, faulty_rank, 67, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    end("faults");
    if (strcmp(how, "after-finalize") == 0 && world_rank == faulty_rank) raise(SIGKILL);
    return 0;
}
