/* A token goes round processes that share a page, on one core: what the computer itself takes to
   change from one process to the next. Each process touches some pages of its own on the way, as a
   rank's MPI library does. Arguments: processes, rounds, pages, cache lines a page. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    kPageBytes = 4096,
    kLineBytes = 64,
    kLinesPerPage = kPageBytes / kLineBytes,
    /* Far enough from each other that no two share a cache line of the page table: a rank's pages
       lie in a dozen libraries, its heap and its stack. */
    kStrideBytes = 67 * kPageBytes
};

/* One word a process, each on a page of its own. */
typedef struct {
    int turn;
    char padding[kPageBytes - sizeof(int)];
} Slot;

static void* map(size_t size_bytes, int flags) {
    void* place = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) abort();
    return place;
}

static void give(Slot* slot) {
    __atomic_fetch_add(&slot->turn, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &slot->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void take_part(Slot* slots, long process, long processes, long rounds, long pages,
                      long lines) {
    volatile char* own = map((size_t)(pages + 1) * kStrideBytes, MAP_PRIVATE);
    for (long page = 0; page < pages; ++page) own[page * kStrideBytes] = 1;
    for (int round = 0; round < rounds; ++round) {
        while (__atomic_load_n(&slots[process].turn, __ATOMIC_ACQUIRE) <= round)
            syscall(SYS_futex, &slots[process].turn, FUTEX_WAIT, round, NULL, NULL, 0);
        for (long page = 0; page < pages; ++page) {
            for (long line = 0; line < lines; ++line)
                ++own[page * kStrideBytes + (page * 7 + line * 5) % kLinesPerPage * kLineBytes];
        }
        give(&slots[(process + 1) % processes]);
    }
    _exit(0);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    const long processes = atol(argv[1]), rounds = atol(argv[2]);
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(sched_getcpu(), &core);
    sched_setaffinity(0, sizeof core, &core);
    Slot* slots = map((size_t)processes * sizeof(Slot), MAP_SHARED);
    for (long process = 0; process < processes; ++process) {
        if (fork() == 0) take_part(slots, process, processes, rounds, atol(argv[3]), atol(argv[4]));
    }
    usleep(300000); /* Until all of them wait. */
    const double start = seconds();
    give(&slots[0]);
    while (wait(NULL) > 0) continue;
    printf("microseconds %.3f\n", (seconds() - start) * 1e6 / (double)(processes * rounds));
    return 0;
}
