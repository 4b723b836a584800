/* Requests that no message completes: another thread does, or the program itself while others wait.
   A rank that waits for one is not in a deadlock. */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

/* The rank that joins the thread takes over its time, while others may poll millions of times. */
enum { kLate_us = 200000, kLateForPolls_us = 4000 };

static int query(void* state, MPI_Status* status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
static int release(void* state) {
    ++*(int*)state;
    return MPI_SUCCESS;
}
static int cancel(void* state, int complete) {
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static useconds_t late_us = kLate_us;

static void* complete_late(void* request) {
    usleep(late_us);
    MPI_Grequest_complete(*(MPI_Request*)request);
    return NULL;
}

static pthread_t start_late(MPI_Request* request, int* released) {
    /* MPI_Wait overwrites the handle that the thread needs. */
    static MPI_Request handle;
    pthread_t thread;
    MPI_Grequest_start(query, release, cancel, released, request);
    handle = *request;
    CHECK(pthread_create(&thread, NULL, complete_late, &handle) == 0);
    return thread;
}

/* All the others wait for a message of this rank. */
static void wait_while_others_wait(int rank) {
    int value = -1, released = 0;
    if (world_rank == rank) {
        MPI_Request request;
        const pthread_t thread = start_late(&request, &released);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
        CHECK(released == 1 && request == MPI_REQUEST_NULL);
        value = 17;
    }
    MPI_Bcast(&value, 1, MPI_INT, rank, MPI_COMM_WORLD);
    CHECK(value == 17);
}

/* All the others ask for a message of this rank, again and again. */
static void wait_while_others_poll(int rank) {
    MPI_Request request;
    int value = -1, released = 0;
    if (world_rank == rank) {
        const pthread_t thread = start_late(&request, &released);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
        value = 18;
        for (int other = 0; other < world_size; ++other)
            if (other != rank) MPI_Send(&value, 1, MPI_INT, other, 3, MPI_COMM_WORLD);
        return;
    }
    int arrived = 0;
    MPI_Irecv(&value, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &request);
    while (!arrived) MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    CHECK(value == 18);
}

/* A request and a message, in either order. */
static void wait_for_both(void) {
    const int next = (world_rank + 1) % world_size;
    int released = 0, value = -1, arrived = 0;
    MPI_Request requests[2];
    MPI_Grequest_start(query, release, cancel, &released, &requests[0]);
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &requests[1]);
    MPI_Test(&requests[0], &arrived, MPI_STATUS_IGNORE);
    CHECK(!arrived);
    MPI_Send(&world_rank, 1, MPI_INT, next, 4, MPI_COMM_WORLD);
    MPI_Grequest_complete(requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(released == 1 && value == (world_rank + world_size - 1) % world_size);
}

int main(int argc, char** argv) {
    int provided = 0;
    /* The thread that completes a request does so while the other one waits; in simulated runs,
       which give no more than MPI_THREAD_SERIALIZED, that call is allowed all the same. */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    wait_while_others_wait(0);
    wait_while_others_wait(1);
    late_us = kLateForPolls_us;
    wait_while_others_poll(0);
    wait_for_both();
    return end("generalized_requests");
}
