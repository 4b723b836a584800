/* Threads hand on the time of messages: one that calls MPI, and one that only hears of them.
 *
 * Usage: thread_hands_on made | early
 *
 * A thread is made after MPI_Init and calls MPI, or is made before and sleeps when asked to.
 * Rank 1 comes late, so that the others have to wait for it, or for those that wait for it. Each
 * prints its clock.
 */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "check.h"

static sem_t told, done;

static void sleep_us(long span_us) {
    const struct timespec span = {0, span_us * 1000};
    nanosleep(&span, NULL);
}

static void shift(void) {
    int mine = world_rank, theirs = -1;
    const int to = (world_rank + 1) % world_size;
    const int from = (world_rank + world_size - 1) % world_size;
    MPI_Sendrecv(&mine, 1, MPI_INT, to, 0, &theirs, 1, MPI_INT, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(theirs == from);
}

static void* call(void* nothing) {
    sleep_us(3);
    shift();
    return nothing;
}

static void* sleep_when_told(void* nothing) {
    CHECK(sem_wait(&told) == 0);
    sleep_us(3);
    CHECK(sem_post(&done) == 0);
    return nothing;
}

int main(int argc, char** argv) {
    pthread_t thread;
    int level = 0;
    CHECK(argc == 2);
    const int is_early = strcmp(argv[1], "early") == 0;
    CHECK(sem_init(&told, 0, 0) == 0 && sem_init(&done, 0, 0) == 0);
    if (is_early) CHECK(pthread_create(&thread, NULL, sleep_when_told, NULL) == 0);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    if (world_rank == 1) sleep_us(500);
    if (is_early) {
        shift();
        CHECK(sem_post(&told) == 0 && sem_wait(&done) == 0);
    } else {
        CHECK(pthread_create(&thread, NULL, call, NULL) == 0);
    }
    CHECK(pthread_join(thread, NULL) == 0);
    const double ended_s = MPI_Wtime();
    for (int turn = 0; turn < world_size; ++turn) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (turn != world_rank) continue;
        printf("rank %d continues at %.3f µs\n", world_rank, (ended_s - start_s) * 1e6);
        fflush(stdout);
    }
    return end("thread_hands_on");
}
