/* The rank computes, then a thread that it joins does the same work. Prints what both took. */
#include <pthread.h>

#include "check.h"

static void* work(void* nothing) {
    volatile double x = 1;
    for (long i = 0; i < 20000000; ++i) x = x * 1.0000001 + 1e-9;
    return nothing;
}

int main(int argc, char** argv) {
    pthread_t thread;
    begin(&argc, &argv);
    const double begin_s = MPI_Wtime();
    work(NULL);
    const double between_s = MPI_Wtime();
    CHECK(pthread_create(&thread, NULL, work, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    const double end_s = MPI_Wtime();
    printf("rank %.0f ns, thread %.0f ns\n", (between_s - begin_s) * 1e9,
           (end_s - between_s) * 1e9);
    return end("thread_work");
}
