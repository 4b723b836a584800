/* The processor's counter (rdtsc, rdtscp), raw system calls and CPU-time clocks go with the
   program's time; SIGSEGV stays the program's, and children start. With the argument "print", rank
   0 prints how far each clock went, in its own units; with "real", the counter shows real time. */
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "check.h"

static sigjmp_buf after_fault;
static volatile sig_atomic_t faults = 0;

static void note_fault(int number) {
    CHECK(number == SIGSEGV);
    ++faults;
    siglongjmp(after_fault, 1);
}

/* A fault of the program's own reaches the program's handler, again and again. */
static volatile int* volatile nowhere = NULL;

static void fault_once(void) {
    if (sigsetjmp(after_fault, 1) == 0) *nowhere = 1;
}

static void fault(void) {
    for (int i = 0; i < 3; ++i) fault_once();
    CHECK(faults == 3);
    faults = 0;
}

static void check_faults(void) {
    struct sigaction action, seen;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_fault;
    sigfillset(&action.sa_mask);
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    CHECK(sigaction(SIGSEGV, NULL, &seen) == 0);
    CHECK(seen.sa_handler == note_fault);
    fault();
    CHECK(signal(SIGSEGV, note_fault) == note_fault);
    fault();
}

static void check_children(void) {
    int status = -1;
    CHECK(system("exit 3") >> 8 == 3);
    const pid_t child = fork();
    if (child == 0) {
        const uint64_t before = __rdtsc();
        if (__rdtsc() >= before) execlp("sh", "sh", "-c", "exit 4", (char*)NULL);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 4);
}

enum { COUNTER, SYSTEM_CALL, CPU, CLOCK, USAGE, CLOCKS };
static const char* const kNames[CLOCKS] = {"rdtsc", "syscall", "cpu", "clock", "getrusage"};

static void read_all(uint64_t* clocks) {
    struct timespec now;
    struct rusage usage;
    clocks[COUNTER] = __rdtsc();
    CHECK(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) == 0);
    clocks[SYSTEM_CALL] = (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
    CHECK(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0);
    clocks[CPU] = (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
    clocks[CLOCK] = (uint64_t)clock();
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    clocks[USAGE] = (uint64_t)usage.ru_utime.tv_sec * 1000000U + (uint64_t)usage.ru_utime.tv_usec;
}

static void check_clocks(int prints, int shows_real_time) {
    uint64_t before[CLOCKS], after[CLOCKS];
    const struct timespec span = {.tv_sec = 0, .tv_nsec = 20000000};
    sigset_t all;
    unsigned processor = 0;
    CHECK(sigfillset(&all) == 0 && sigprocmask(SIG_BLOCK, &all, NULL) == 0);
    read_all(before);
    CHECK(nanosleep(&span, NULL) == 0);
    for (int i = 0; i < 5; ++i) MPI_Barrier(MPI_COMM_WORLD);
    read_all(after);
    CHECK(sigprocmask(SIG_UNBLOCK, &all, NULL) == 0);
    for (int i = 0; i < CLOCKS; ++i) {
        CHECK(after[i] >= before[i]);
        if (prints && world_rank == 0) {
            printf("%s %llu\n", kNames[i], (unsigned long long)(after[i] - before[i]));
        }
    }
    CHECK(shows_real_time || after[COUNTER] - before[COUNTER] >= 20000000);
    CHECK(after[SYSTEM_CALL] - before[SYSTEM_CALL] >= 20000000);
    uint64_t last = __rdtscp(&processor);
    for (int i = 0; i < 1000; ++i) {
        const uint64_t now = i % 2 == 0 ? __rdtsc() : __rdtscp(&processor);
        CHECK(now >= last);
        last = now;
    }
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "alarm") == 0) alarm(1000);
    check_faults();
    check_children();
    const char* how = argc > 1 ? argv[1] : "";
    check_clocks(strcmp(how, "print") == 0, strcmp(how, "real") == 0);
    return end("counter");
}
