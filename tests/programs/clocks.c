/* Every clock of the program advances together, by what was slept at least, and never backwards.
   With the argument "print", rank 0 prints how far each clock went, in nanoseconds. */
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#define CLOCKS 5

static const char* const kNames[CLOCKS] = {"MPI_Wtime", "realtime", "monotonic", "gettimeofday",
                                           "time"};

static int64_t clock_ns(clockid_t id) {
    struct timespec now;
    CHECK(clock_gettime(id, &now) == 0);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void read_all(int64_t* clocks) {
    struct timeval day;
    clocks[0] = (int64_t)(MPI_Wtime() * 1e9);
    clocks[1] = clock_ns(CLOCK_REALTIME);
    clocks[2] = clock_ns(CLOCK_MONOTONIC);
    CHECK(gettimeofday(&day, NULL) == 0);
    clocks[3] = (int64_t)day.tv_sec * 1000000000 + (int64_t)day.tv_usec * 1000;
    clocks[4] = (int64_t)time(NULL) * 1000000000;
}

static void sleep_for(int64_t total_us) {
    const struct timespec half = {.tv_sec = 0, .tv_nsec = total_us * 500};
    CHECK(nanosleep(&half, NULL) == 0);
    CHECK(usleep((useconds_t)(total_us / 2)) == 0);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int64_t slept_us = 200000;
    int64_t before[CLOCKS], after[CLOCKS];
    read_all(before);
    sleep_for(slept_us);
    read_all(after);
    for (int i = 0; i < CLOCKS; ++i) {
        const int64_t passed_ns = after[i] - before[i];
        /* time() has whole seconds only; microseconds and double rounding take up to 1 µs. */
        const int64_t least_ns = i == 4 ? 0 : slept_us * 1000 - 1000;
        CHECK(passed_ns >= least_ns);
        CHECK(passed_ns < slept_us * 1000 + 2000000000);
        if (argc > 1 && strcmp(argv[1], "print") == 0 && world_rank == 0) {
            printf("%s %lld\n", kNames[i], (long long)passed_ns);
        }
    }
    double tick = MPI_Wtick();
    CHECK(tick > 0 && tick < 1);
    int64_t last = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < 1000; ++i) {
        const int64_t now = clock_ns(CLOCK_MONOTONIC);
        CHECK(now >= last);
        last = now;
    }
    return end("clocks");
}
