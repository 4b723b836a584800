/* Probe, Iprobe, Mprobe and Improbe: sizes are known before the receive, messages are claimed. */
#include "check.h"

static void receive_probed(int expected_count) {
    MPI_Status status;
    int count = -1, values[100];
    MPI_Probe(0, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == expected_count);
    MPI_Recv(values, count, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(values[count - 1] == count - 1);
}

static void receive_polled(int expected_count) {
    MPI_Status status;
    int count = -1, found = 0, values[100];
    while (!found) MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &found, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == expected_count && status.MPI_SOURCE == 0);
    MPI_Recv(values, count, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Two messages of one tag: the first is claimed, the second received around it. */
static void receive_claimed(void) {
    MPI_Message message;
    MPI_Status status;
    int first = -1, second = -1, found = 0, third = -1;
    MPI_Mprobe(0, 3, MPI_COMM_WORLD, &message, &status);
    MPI_Recv(&second, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mrecv(&first, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    CHECK(first == 1 && second == 2);
    while (!found) MPI_Improbe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status);
    CHECK(status.MPI_TAG == 4);
    MPI_Request request;
    MPI_Imrecv(&third, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(third == 3);
}

static void receive_large(void) {
    const int size_bytes = 300000;
    char* buffer = (char*)allocate((size_t)size_bytes);
    MPI_Message message;
    MPI_Status status;
    int count = -1;
    MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK(count == size_bytes);
    MPI_Mrecv(buffer, count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    CHECK(pattern_matches(buffer, (size_t)size_bytes, 5));
    free(buffer);
}

static void send_all(int target) {
    int values[100];
    for (int i = 0; i < 100; ++i) values[i] = i;
    MPI_Send(values, 33, MPI_INT, target, 1, MPI_COMM_WORLD);
    MPI_Send(values, 44, MPI_INT, target, 2, MPI_COMM_WORLD);
    for (int i = 1; i <= 3; ++i) MPI_Send(&i, 1, MPI_INT, target, i < 3 ? 3 : 4, MPI_COMM_WORLD);
    char* buffer = (char*)allocate(300000);
    pattern_fill(buffer, 300000, 5);
    MPI_Send(buffer, 300000, MPI_BYTE, target, 5, MPI_COMM_WORLD);
    free(buffer);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    if (world_rank == 0) {
        for (int target = 1; target < world_size; ++target) send_all(target);
    } else {
        receive_probed(33);
        receive_polled(44);
        receive_claimed();
        receive_large();
        int found = -1;
        MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        CHECK(!found);
    }
    return end("probe");
}
