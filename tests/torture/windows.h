/* One-sided operations under fences, locks, posts with starts, and to memory that is polled. */
#ifndef KUMIHIMO_TESTS_TORTURE_WINDOWS_H
#define KUMIHIMO_TESTS_TORTURE_WINDOWS_H

#include "point_to_point.h"

/* Some for single numbers, and as many as take MPI libraries more than a hundred pieces. */
enum { kPlaces = 2 * kMostRanks, kMany = 150000, kWithRequests = 30 };

static long* memory;
static MPI_Win window;

static void open_window(void) {
    const size_t bytes = (kPlaces + kMany + kWithRequests) * sizeof(long);
    MPI_Win_allocate((MPI_Aint)bytes, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    memset(memory, 0, bytes);
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

static void swap_in_pieces(const long* values, long* found, int count, int pieces, int to) {
    for (int piece = 0; piece < pieces; ++piece) {
        const int begin = (int)((long)count * piece / pieces);
        const int length = (int)((long)count * (piece + 1) / pieces) - begin;
        MPI_Get_accumulate(values + begin, length, MPI_LONG, found + begin, length, MPI_LONG, to,
                           kPlaces + begin, length, MPI_LONG, MPI_REPLACE, window);
    }
}

/* Ranks swap many numbers with the memory of others each, or some of them with their own: at once,
 * or in up to a hundred operations of one lock. */
static void many_under_lock(int round) {
    static long values[kMany], found[kMany];
    const int count = 1 + (int)shared(shared(3) == 0 ? kMany : 200);
    const int pieces = shared(2) == 0 ? 1 : 1 + (int)shared(100);
    const int distance = shared(2) == 0 ? 0 : (int)shared((uint32_t)world_size);
    const int to = (world_rank + distance) % world_size;
    const int from = (world_rank + world_size - distance) % world_size;
    const int takes_part = distance != 0 || chance(2);
    for (int i = 0; i < count; ++i) values[i] = round * 1000L + world_rank + i;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, world_rank, 0, window);
    for (int i = 0; i < count; ++i) memory[kPlaces + i] = -world_rank - i;
    MPI_Win_unlock(world_rank, window);
    MPI_Barrier(MPI_COMM_WORLD);
    sleep_for((long)draw(&private_state, 30000));
    const double began_s = MPI_Wtime();
    if (takes_part) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, window);
        swap_in_pieces(values, found, count, pieces, to);
        MPI_Win_unlock(to, window);
    }
    /* Other ranks have no part in what is done to the own memory. */
    CHECK(distance != 0 || MPI_Wtime() - began_s < 4e-6);
    see_clock();
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; takes_part && i < count; ++i) {
        CHECK(found[i] == -to - i);
        CHECK(memory[kPlaces + i] == round * 1000L + from + i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Operations with requests, and a value that changes only if it is the expected one. */
static void by_request(int round) {
    enum { kNumbers = 20, kPut = kPlaces + kMany, kSwapped = kPut + kNumbers, kAdded };
    const int distance = (int)shared((uint32_t)world_size), way = (int)shared(kWaysToWait);
    const int to = (world_rank + distance) % world_size;
    const int from = (world_rank + world_size - distance) % world_size;
    const int target = (int)shared((uint32_t)world_size);
    long values[kNumbers], found[kNumbers], old = -1;
    const long one = 1, expected = -1, mine = world_rank;
    MPI_Request requests[2];
    memory[kSwapped] = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < kNumbers; ++i) values[i] = round * 1000L + world_rank + i;
    MPI_Rput(values, kNumbers, MPI_LONG, to, kPut, kNumbers, MPI_LONG, window, &requests[0]);
    MPI_Raccumulate(&one, 1, MPI_LONG, target, kAdded, 1, MPI_LONG, MPI_SUM, window, &requests[1]);
    do_something();
    wait_for(2, requests, (uint32_t)way);
    MPI_Win_flush_local(to, window);
    MPI_Win_flush_all(window);
    MPI_Rget(found, kNumbers, MPI_LONG, to, kPut, kNumbers, MPI_LONG, window, &requests[0]);
    wait_for(1, requests, (uint32_t)way);
    for (int i = 0; i < kNumbers; ++i) CHECK(found[i] == values[i]);
    MPI_Compare_and_swap(&mine, &expected, &old, MPI_LONG, target, kSwapped, window);
    MPI_Win_flush(target, window);
    see((uint64_t)old);
    see_clock();
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < kNumbers; ++i) CHECK(memory[kPut + i] == round * 1000L + from + i);
    CHECK(old >= -1 && old < world_size);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A window over a part of the program's own memory, for one round. */
static void new_window(int round) {
    static long own[kMostRanks];
    const int distance = (int)shared((uint32_t)world_size);
    const int to = (world_rank + distance) % world_size;
    const int from = (world_rank + world_size - distance) % world_size;
    const long value = round * 1000L + world_rank;
    MPI_Win over;
    MPI_Win_create(own, sizeof own, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &over);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, over);
    MPI_Accumulate(&value, 1, MPI_LONG, to, world_rank, 1, MPI_LONG, MPI_REPLACE, over);
    do_something();
    MPI_Win_fence(MPI_MODE_NOSUCCEED, over);
    CHECK(own[from] == round * 1000L + from);
    MPI_Win_free(&over);
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
