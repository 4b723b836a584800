/* A thread computes while its rank is in MPI. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"
#include "kumihimo/compute.h"

static atomic_int is_told = 0, is_done = 0;

static void* compute(void* nothing) {
    while (!atomic_load(&is_told)) usleep(100);
    CHECK(kumi_compute_seconds(0.001) == KUMI_COMPUTE_OK);
    atomic_store(&is_done, 1);
    return nothing;
}

/* The library calls this while ranks are in MPI_Allreduce. */
static void sum(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
    atomic_store(&is_told, 1);
    while (!atomic_load(&is_done)) sched_yield();
}

int main(int argc, char** argv) {
    pthread_t thread;
    MPI_Op op;
    begin(&argc, &argv);
    int mine = 1, all = 0;
    MPI_Op_create(sum, 1, &op);
    CHECK(pthread_create(&thread, NULL, compute, NULL) == 0);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, op, MPI_COMM_WORLD);
    CHECK(pthread_join(thread, NULL) == 0);
    MPI_Op_free(&op);
    return end("thread_beside");
}
