/* One-sided operations under fences, locks, posts with starts, and to memory that is polled. */
#ifndef KUMIHIMO_TESTS_TORTURE_WINDOWS_H
#define KUMIHIMO_TESTS_TORTURE_WINDOWS_H

#include "torture.h"

enum { kPlaces = 2 * kMostRanks };

static long* memory;
static MPI_Win window;

static void open_window(void) {
    MPI_Win_allocate(kPlaces * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    memset(memory, 0, kPlaces * sizeof(long));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void under_fence(int round) {
    const int distance = (int)shared((uint32_t)world_size);
    const int to = (world_rank + distance) % world_size;
    const int from = (world_rank + world_size - distance) % world_size;
    const int is_read = shared(2) == 0;
    long value = round * 1000L + world_rank, found = -1;
    MPI_Win_fence(0, window);
    if (!is_read)
        MPI_Put(&value, 1, MPI_LONG, to, world_rank, 1, MPI_LONG, window);
    else
        memory[kMostRanks] = value;
    do_something();
    MPI_Win_fence(0, window);
    if (is_read) MPI_Get(&found, 1, MPI_LONG, to, kMostRanks, 1, MPI_LONG, window);
    MPI_Win_fence(0, window);
    if (is_read)
        CHECK(found == round * 1000L + to);
    else
        CHECK(memory[from] == round * 1000L + from);
}

/* All add to one place and see what was there: in the order in which they come. */
static void under_lock(int round) {
    const int target = (int)shared((uint32_t)world_size), is_exclusive = shared(2) == 0;
    const int times = 1 + (int)shared(3);
    long one = 1, before = 0;
    (void)round;
    do_something();
    for (int i = 0; i < times; ++i) {
        MPI_Win_lock(is_exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, target, 0, window);
        MPI_Fetch_and_op(&one, &before, MPI_LONG, target, kPlaces - 1, MPI_SUM, window);
        MPI_Win_flush(target, window);
        see((uint64_t)before);
        MPI_Accumulate(&one, 1, MPI_LONG, target, kPlaces - 2, 1, MPI_LONG, MPI_SUM, window);
        MPI_Win_unlock(target, window);
        do_something();
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void by_post_and_start(int round) {
    MPI_Group world, before, after;
    const int from = (world_rank + world_size - 1) % world_size, to = (world_rank + 1) % world_size;
    long value = round * 1000L + world_rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &from, &before);
    MPI_Group_incl(world, 1, &to, &after);
    MPI_Win_post(before, 0, window);
    do_something();
    MPI_Win_start(after, 0, window);
    MPI_Put(&value, 1, MPI_LONG, to, world_rank, 1, MPI_LONG, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    CHECK(memory[from] == round * 1000L + from);
    MPI_Group_free(&before);
    MPI_Group_free(&after);
    MPI_Group_free(&world);
}

/* A rank looks at its memory while it computes, and until another has put something there: a race,
 * of which the outcome is repeatable. */
static void by_polling(int round) {
    enum { kPolled = kMostRanks + 1 };
    const int from = (world_rank + world_size - 1) % world_size, to = (world_rank + 1) % world_size;
    const volatile long* polled = &memory[kPolled];
    long value = round * 1000L + world_rank;
    MPI_Win_lock_all(0, window);
    see((uint64_t)*polled);
    do_something();
    see((uint64_t)*polled);
    MPI_Put(&value, 1, MPI_LONG, to, kPolled, 1, MPI_LONG, window);
    see((uint64_t)*polled);
    work();
    see((uint64_t)*polled);
    MPI_Win_flush(to, window);
    see((uint64_t)*polled);
    uint64_t polls = 0;
    while (*polled != round * 1000L + from) {
        int flag = 0;
        MPI_Win_sync(window);
        /* Others may wait for something that only the MPI library gives them. */
        if (++polls % 100 == 0)
            MPI_Iprobe(MPI_ANY_SOURCE, kNeverSent, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    see(polls);
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
}

#endif
