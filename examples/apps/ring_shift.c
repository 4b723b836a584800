/* Collective operations alternate with many ring shifts: the benchmark of the study that
 * introduced HINT (connections where the program says they matter; docs/services.md).
 *
 * Each round has ten times the same collective operation, of 64 B a rank, and then a loop of
 * shifts: every rank sends to the next one and receives from the one before, or to and from ranks
 * farther away. Hints say that the loop is where the time goes. It checks what every operation
 * gives. Arguments: allreduce, allgather or alltoall; shifts in a round; rounds; bytes of a shift;
 * its distance.
 */
#include <kumihimo/hint.h>
#include <stdint.h>

#include "program.h"

enum { kCalls = 10, kWords = 8 };

typedef enum { kAllreduce, kAllgather, kAlltoall } Collective;

typedef struct {
    int rank, ranks;
    int distance;          /* of a shift */
    int64_t *own, *others; /* a block of kWords for each rank */
} Job;

/* What rank `from` has for rank `to`, word by word. */
static int64_t word(const Job* job, int from, int to, int i) {
    return ((int64_t)from * job->ranks + to) * kWords + i;
}

static int sum_up(Job* job) {
    const int64_t ranks = job->ranks, sum = ranks * (ranks - 1) / 2;
    int right = 1;
    for (int i = 0; i < kWords; ++i) job->own[i] = job->rank + i;
    MPI_Allreduce(job->own, job->others, kWords, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < kWords; ++i) right &= job->others[i] == sum + ranks * i;
    return right;
}

static int gather(Job* job) {
    int right = 1;
    for (int i = 0; i < kWords; ++i) job->own[i] = word(job, job->rank, 0, i);
    MPI_Allgather(job->own, kWords, MPI_INT64_T, job->others, kWords, MPI_INT64_T, MPI_COMM_WORLD);
    for (int from = 0; from < job->ranks; ++from)
        for (int i = 0; i < kWords; ++i)
            right &= job->others[from * kWords + i] == word(job, from, 0, i);
    return right;
}

static int exchange(Job* job) {
    int right = 1;
    for (int to = 0; to < job->ranks; ++to)
        for (int i = 0; i < kWords; ++i) job->own[to * kWords + i] = word(job, job->rank, to, i);
    MPI_Alltoall(job->own, kWords, MPI_INT64_T, job->others, kWords, MPI_INT64_T, MPI_COMM_WORLD);
    for (int from = 0; from < job->ranks; ++from)
        for (int i = 0; i < kWords; ++i)
            right &= job->others[from * kWords + i] == word(job, from, job->rank, i);
    return right;
}

static int call(Job* job, Collective which) {
    if (which == kAllreduce) return sum_up(job);
    return which == kAllgather ? gather(job) : exchange(job);
}

static int shift(const Job* job, char* sent, char* received, int size_bytes, int number) {
    const int next = (job->rank + job->distance) % job->ranks;
    const int previous = (job->rank + job->ranks - job->distance) % job->ranks;
    sent[0] = (char)(job->rank + number);
    sent[size_bytes - 1] = (char)(job->rank - number);
    MPI_Sendrecv(sent, size_bytes, MPI_BYTE, next, 1, received, size_bytes, MPI_BYTE, previous, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return received[size_bytes - 1] == (char)(previous - number) &&
           (size_bytes == 1 || received[0] == (char)(previous + number));
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    Job job;
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
    const char* name = argc > 1 ? argv[1] : "allreduce";
    const Collective which = strcmp(name, "alltoall") == 0    ? kAlltoall
                             : strcmp(name, "allgather") == 0 ? kAllgather
                                                              : kAllreduce;
    const long shifts = argument(argc, argv, 2, 1000), rounds = argument(argc, argv, 3, 1);
    const long size_bytes = argument(argc, argv, 4, 10240);
    const long distance = argument(argc, argv, 5, 1);
    require(which != kAllreduce || strcmp(name, "allreduce") == 0,
            "expected allreduce, allgather or alltoall");
    require(shifts >= 0 && rounds > 0 && size_bytes > 0 && size_bytes < 1L << 30,
            "expected SHIFTS of 0 and more, ROUNDS and BYTES of 1 and more");
    require(distance >= 0 && distance <= job.ranks, "expected a DISTANCE of at most all ranks");
    job.distance = (int)(distance % job.ranks);
    job.own = (int64_t*)allocate((size_t)job.ranks * kWords * sizeof(int64_t));
    job.others = (int64_t*)allocate((size_t)job.ranks * kWords * sizeof(int64_t));
    char* sent = (char*)allocate((size_t)size_bytes);
    char* received = (char*)allocate((size_t)size_bytes);
    int right = 1, all_right = 0;
    const double start = MPI_Wtime();
    double in_kernel = 0;
    for (long round = 0; round < rounds; ++round) {
        for (int i = 0; i < kCalls; ++i) right &= call(&job, which);
        HINT("IN_KERNEL", "1");
        const double begin = MPI_Wtime();
        for (long i = 0; i < shifts; ++i)
            right &= shift(&job, sent, received, (int)size_bytes, (int)i);
        in_kernel += MPI_Wtime() - begin;
        HINT("IN_KERNEL", "0");
    }
    report(name, start);
    if (job.rank == 0 && shifts > 0)
        printf("%s of a shift virtual_seconds %.12f\n", name,
               in_kernel / (double)(shifts * rounds));
    MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (job.rank == 0) printf("ring_shift %s: %s\n", name, all_right ? "VERIFIED" : "NOT VERIFIED");
    free(job.own);
    free(job.others);
    free(sent);
    free(received);
    MPI_Finalize();
    return all_right ? 0 : 1;
}
