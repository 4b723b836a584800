/* Threads that compute by what they say (kumi_compute_seconds), and meet in different ways.
 *
 * Usage: thread_computing THREADS CASE
 *
 * In each of three rounds of 12 ms of work: `balanced`, every thread has an equal part; `uneven`,
 * the first one has a tenth, the others equal parts of the rest; `joined`, as `balanced` with a
 * thread made for each part but the first; `alone`, a thread that is joined has all of it; `loops`,
 * half of it as `balanced`, the rest in a team of one thread; `asleep`, every thread of a team
 * sleeps for 12 ms. Rank 0 prints when it sees the end of the first round, and of all.
 */
#include <pthread.h>
#include <time.h>

#include "check.h"
#include "kumihimo/compute.h"

enum { kRounds = 3, kMost = 16 };
static const double kWork_s = 0.012;

static int threads = 1;

static double part_of(int thread, const char* kind) {
    if (strcmp(kind, "uneven") != 0 || threads == 1) return kWork_s / threads;
    return thread == 0 ? 0.1 * kWork_s : 0.9 * kWork_s / (threads - 1);
}

static void* compute(void* seconds) {
    CHECK(kumi_compute_seconds(*(const double*)seconds) == KUMI_COMPUTE_OK);
    return NULL;
}

/* Threads of their own compute `seconds` each, and the calling one `own`. */
static void join(int count, double seconds, double own) {
    pthread_t made[kMost];
    for (int i = 0; i < count; ++i) CHECK(pthread_create(&made[i], NULL, compute, &seconds) == 0);
    CHECK(kumi_compute_seconds(own) == KUMI_COMPUTE_OK);
    for (int i = 0; i < count; ++i) CHECK(pthread_join(made[i], NULL) == 0);
}

static void run_in_regions(const char* kind) {
    if (strcmp(kind, "loops") == 0) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int i = 0; i < threads; ++i)
            CHECK(kumi_compute_seconds(kWork_s / 2 / threads) == KUMI_COMPUTE_OK);
#pragma omp parallel for schedule(dynamic, 1) num_threads(1)
        for (int i = 0; i < 2; ++i) CHECK(kumi_compute_seconds(kWork_s / 8) == KUMI_COMPUTE_OK);
#pragma omp parallel sections num_threads(1)
        {
#pragma omp section
            CHECK(kumi_compute_seconds(kWork_s / 4) == KUMI_COMPUTE_OK);
        }
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        int thread = 0;
#pragma omp critical
        {
            static int next = 0;
            thread = next++ % threads;
        }
        const struct timespec pause = {0, (long)(kWork_s * 1e9)};
        if (strcmp(kind, "asleep") == 0)
            nanosleep(&pause, NULL);
        else
            CHECK(kumi_compute_seconds(part_of(thread, kind)) == KUMI_COMPUTE_OK);
    }
}

int main(int argc, char** argv) {
    int level = 0;
    CHECK(argc == 3);
    threads = atoi(argv[1]);
    const char* kind = argv[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin_s = MPI_Wtime();
    double first_s = 0;
    for (int round = 0; round < kRounds; ++round) {
        if (strcmp(kind, "joined") == 0) {
            join(threads - 1, kWork_s / threads, kWork_s / threads);
        } else if (strcmp(kind, "alone") == 0) {
            join(1, kWork_s, 0);
        } else {
            run_in_regions(kind);
        }
        if (round == 0) first_s = MPI_Wtime();
    }
    const double end_s = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0) {
        const double reading_s = 50e-9;
        printf("first %.3f ms, all %.3f ms\n", (first_s - begin_s - reading_s) * 1e3,
               (end_s - begin_s - 2 * reading_s) * 1e3);
    }
    return end("thread_computing");
}
