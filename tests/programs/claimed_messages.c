/* A message that MPI_Mrecv takes was never posted for: a receive from any source that follows gets
 * what arrives first, whatever other ranks have sent in real time. Ranks sleep, so that rank 3's
 * message is the first. Usage: claimed_messages [barrier | window | cancel]: what rank 0 calls
 * between its receives. */
#include <time.h>

#include "check.h"

static void sleep_ms(long ms) {
    const struct timespec span = {0, ms * 1000000};
    nanosleep(&span, NULL);
}

static void call_between(const char* what) {
    MPI_Request request;
    int unused = 0;
    if (strcmp(what, "barrier") == 0) {
        MPI_Ibarrier(MPI_COMM_SELF, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (strcmp(what, "window") == 0) {
        MPI_Win window;
        MPI_Win_create(&unused, 4, 4, MPI_INFO_NULL, MPI_COMM_SELF, &window);
        MPI_Win_free(&window);
    } else if (strcmp(what, "cancel") == 0) {
        MPI_Irecv(&unused, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void collect(const char* between) {
    int value = -1;
    MPI_Message message;
    MPI_Status status;
    MPI_Mprobe(1, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    CHECK(value == 1);
    MPI_Send(&value, 1, MPI_INT, 3, 3, MPI_COMM_WORLD);
    for (int expected = 3; expected >= 1; expected -= 2) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
        CHECK(status.MPI_SOURCE == expected && value == expected);
        call_between(between);
    }
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size == 4);
    int value = world_rank;
    if (world_rank == 0) {
        collect(argc > 1 ? argv[1] : "nothing");
    } else if (world_rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = 1;
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    } else if (world_rank == 2) {
        sleep_ms(300);
        MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sleep_ms(1);
        value = 3;
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    return end("claimed_messages");
}
