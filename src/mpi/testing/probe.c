/* A program under the shim. `probe WHAT` does one thing and prints what it saw; shim_test.cpp says
   what that must be. With -DPROBE_PLUGIN it is a library that probe_host loads RTLD_LOCAL, as
   Python loads mpi4py. */

#include "probe.h"

#include <errno.h>
#include <linux/futex.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "handles.h"
#include "kumihimo/compute.h"

static int64_t clock_ns(clockid_t id) {
    struct timespec now;
    clock_gettime(id, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void probe_forward(void) {
    int error = 0;
    MPI_Init(NULL, NULL);
    const int result = MPI_Rget_accumulate((void*)1, -2, 3, (void*)4, -5, 6, -7, -8000000000, -9,
                                           10, 11, 12, (void*)13, &error);
    printf("%d %d\n", result, error);
    error = 0;
    const int count = -5, type = 6;
    printf("%d", mpi_rget_accumulate_((void*)1, -2, 3, (void*)4, &count, &type, -7, -8000000000, -9,
                                      10, 11, 12, (void*)13, &error));
    printf(" %d\n", error);
    MPI_Finalize();
}

static void probe_calls(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Send(NULL, 0, 0, 0, 0, 0);
    mpi_send_(NULL, 0, 0, 0, 0, 0);
    mpi_send_f08_(NULL, 0, 0, 0, 0, 0);
    MPI_Comm_rank(0, &rank);
    MPI_Iprobe();
    MPI_Probe();
    MPI_Win_fence();
    MPI_Finalize();
    MPI_Send(NULL, 0, 0, 0, 0, 0);
}

/* Requests of receives: of the calls 2, 4 and 5; the others are not known. */
static void probe_receives(void) {
    char buffer[1], requests[4 * HANDLE_BYTES] = {0};
    void* const second = requests + HANDLE_BYTES;
    void* const third = requests + 2 * HANDLE_BYTES;
    void* const fourth = requests + 3 * HANDLE_BYTES;
    int number = 0, error = 0, two = 2, both[2];
    MPI_Init(NULL, NULL);
    MPI_Send(NULL, 0, 0, 0, 0, 0);
    MPI_Irecv(buffer, 1, 0, 0, 0, 0, requests);
    MPI_Irecv(NULL, 1, 0, 0, 0, 0, third);
    MPI_Irecv(buffer, 1, 0, 0, 0, 0, second);
    MPI_Irecv(buffer, 1, 0, 0, 0, 0, fourth);
    MPI_Waitall(4, requests, NULL);
    MPI_Wait(second, NULL);
    MPI_Waitall(0, NULL, NULL);
    MPI_Irecv(buffer, 1, 0, 0, 0, 0, requests);
    MPI_Isend(buffer, 1, fake_type(0), 0, 0, 0, third);
    MPI_Waitall(4, requests, NULL); /* More than the caller has room for. */
    mpi_irecv_(buffer, &number, &number, &number, &number, &number, &both[1], &error);
    mpi_irecv_(buffer, &number, &number, &number, &number, &number, &both[0], &error);
    mpi_waitall_(&two, both, NULL, &error);
    MPI_Finalize();
    MPI_Wait(second, NULL);
}

/* Calls that look through arrays of requests, and one that does not. */
static void probe_looks(void) {
    char requests[HANDLE_BYTES] = {0};
    int many = 2000, error = 0;
    MPI_Init(NULL, NULL);
    MPI_Waitsome(7, NULL, NULL, NULL, NULL);
    MPI_Waitsome(41, NULL, NULL, NULL, NULL);
    mpi_testany_(&many, NULL, NULL, NULL, NULL, &error);
    MPI_Wait(requests, NULL);
    MPI_Finalize();
}

/* Numbers of type 0 have 8 bytes, those of type 3 have 80. */
static void probe_accumulates(void) {
    const uintptr_t number = fake_type(0), none = fake_type(-1);
    const int many = 1024, rows = 3;
    MPI_Init(NULL, NULL);
    MPI_Win_flush();
    MPI_Accumulate("", 1, number);
    MPI_Win_flush();
    MPI_Win_flush();
    MPI_Accumulate("", 2097152, number);
    MPI_Accumulate(NULL, 4096, number);
    MPI_Accumulate("", -4096, number);
    MPI_Accumulate("", 4096, none);
    MPI_Win_flush();
    MPI_Get_accumulate(NULL, 0, none, "", 1024, number);
    MPI_Win_flush();
    MPI_Fetch_and_op();
    mpi_accumulate_("", &many, &rows);
    MPI_Win_flush();
    MPI_Finalize();
}

/* Calls that only wait for messages, and one that does not. */
static void probe_waits_for_messages(void) {
    char request[HANDLE_BYTES] = {0};
    int none = 0;
    MPI_Recv(NULL, 1, 0, 0, 0, 0, NULL);
    MPI_Init(NULL, NULL);
    MPI_Recv(NULL, 1, 0, 0, 0, 0, NULL);
    MPI_Mrecv(NULL, 1, 0, NULL, NULL);
    mpi_recv_(NULL, &none, &none, &none, &none, &none, NULL, &none);
    MPI_Wait(request, NULL);
    MPI_Mrecv(NULL, 1, 0, NULL, NULL);
    MPI_Finalize();
}

/* What messages consist of: doubles, integers, complex numbers, rows of doubles, pairs of a double
   and an integer, a grid of rows, rows that are marked, nothing. */
static void probe_contents(void) {
    const uintptr_t other_half = HANDLE_BYTES == 4 ? (uintptr_t)7 << 32 : 0;
    char request[HANDLE_BYTES];
    int three = 3, type = 3, none = 0, handle = 0, error = 0;
    uintptr_t freed = fake_type(1);
    MPI_Init(NULL, NULL);
    for (int i = 0; i < 7; ++i) MPI_Isend(NULL, 2, fake_type(i), 0, 0, 0, request);
    mpi_isend_(NULL, &three, &type, &none, &none, &none, &handle, &error);
    MPI_Bcast(NULL, 1, fake_type(0) | other_half);
    MPI_Bcast(NULL, 1, fake_type(-1));
    const int described = fake_descriptions();
    MPI_Bcast(NULL, 1, fake_type(5));
    const int again = fake_descriptions();
    MPI_Type_free(&freed);
    MPI_Bcast(NULL, 1, fake_type(5));
    printf("described %d %d\n", again - described, fake_descriptions() - again);
    MPI_Ibcast(NULL, 1, fake_type(0));
    MPI_Ibcast(NULL, 1, fake_type(0));
    MPI_Bcast(NULL, 1, fake_type(0));
    MPI_Isend(NULL, 2, fake_type(0), 0, 0, 0, request);
    MPI_Finalize();
}

/* Persistent requests: two are started together by call 1, one by call 2. */
static void probe_persistent(void) {
    char requests[3 * HANDLE_BYTES];
    for (int i = 0; i < 3 * HANDLE_BYTES; ++i) requests[i] = (char)(1 + i);
    MPI_Init(NULL, NULL);
    MPI_Startall(2, requests);
    MPI_Start(requests + 2 * HANDLE_BYTES);
    MPI_Waitall(3, requests, NULL);
    MPI_Waitall(2, requests, NULL);
    MPI_Waitall(2, requests + HANDLE_BYTES, NULL); /* One of those that were started together. */
    MPI_Wait(requests, NULL);
    MPI_Ssend_init();
    MPI_Start(requests);
    MPI_Finalize();
}

static void probe_init_twice(void) {
    printf("%d", MPI_Init(NULL, NULL));
    printf("%d\n", MPI_Init(NULL, NULL));
    MPI_Finalize();
    MPI_Finalize();
}

static void probe_fortran_init(void) {
    int error = -1;
    mpi_init_(&error);
    printf("error %d\n", error);
    MPI_Finalize();
}

static void probe_thread_level(const char* required_text) {
    int provided = -1;
    MPI_Init_thread(NULL, NULL, atoi(required_text), &provided);
    printf("provided %d\n", provided);
    MPI_Finalize();
}

static void probe_f08_thread_level(const char* required_text) {
    int required = atoi(required_text);
    int provided = -1;
    mpi_init_thread_f08_(&required, &provided, NULL);
    printf("required %d provided %d\n", required, provided);
    MPI_Finalize();
}

static void probe_clocks(void) {
    const int64_t before_ns = clock_ns(CLOCK_REALTIME);
    const int64_t before_monotonic_ns = clock_ns(CLOCK_MONOTONIC);
    MPI_Init(NULL, NULL);
    struct timeval of_day;
    struct timespec utc;
    printf("before %lld %lld\n", (long long)(before_ns / 1000000000),
           (long long)(before_monotonic_ns / 1000000000));
    printf("wtime %.12f tick %g\n", MPI_Wtime(), MPI_Wtick());
    printf("realtime %lld\n", (long long)clock_ns(CLOCK_REALTIME));
    printf("monotonic %lld\n", (long long)clock_ns(CLOCK_MONOTONIC_RAW));
    gettimeofday(&of_day, NULL);
    printf("gettimeofday %lld %lld\n", (long long)of_day.tv_sec, (long long)of_day.tv_usec);
    printf("time %lld\n", (long long)time(NULL));
    timespec_get(&utc, TIME_UTC);
    printf("utc %lld %ld\n", (long long)utc.tv_sec, utc.tv_nsec);
    printf("library sees %s\n", fake_library_date() > 1700000000 ? "real" : "virtual");
    printf("cpu time %s\n", clock_ns(CLOCK_PROCESS_CPUTIME_ID) < 10000000000 ? "real" : "virtual");
    const int64_t last_ns = clock_ns(CLOCK_MONOTONIC);
    MPI_Finalize();
    const int64_t after_ns = clock_ns(CLOCK_MONOTONIC) - last_ns;
    printf("after %s\n", after_ns > 0 && after_ns < 10000000000 ? "goes on" : "jumps");
}

/* As the library calls an operation of the program's. */
static void sleep_in_callback(void) { printf("in a callback %u\n", sleep(500)); }

static void probe_sleeps(void) {
    struct timespec span = {1000, 5};
    struct timespec wrong = {0, 1000000000};
    MPI_Init(NULL, NULL);
    printf("sleep %u\n", sleep(1000));
    printf("usleep %d\n", usleep(7));
    printf("nanosleep %d\n", nanosleep(&span, NULL));
    printf("wrong %d", nanosleep(&wrong, NULL));
    printf(" %s\n", strerrorname_np(errno));
    printf("clock_nanosleep %d\n", clock_nanosleep(CLOCK_REALTIME, 0, &span, NULL));
    clock_gettime(CLOCK_MONOTONIC, &span);
    span.tv_sec += 60;
    printf("until %d\n", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &span, NULL));
    printf("past %d\n", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &span, NULL));
    printf("poll %d\n", poll(NULL, 0, 3));
    MPI_Reduce(sleep_in_callback);
    printf("now %.9f\n", kumi_virtual_seconds());
    MPI_Finalize();
}

static struct timespec soon(clockid_t id) {
    struct timespec deadline;
    clock_gettime(id, &deadline);
    deadline.tv_nsec += 20000000;
    deadline.tv_sec += deadline.tv_nsec / 1000000000;
    deadline.tv_nsec %= 1000000000;
    return deadline;
}

/* Waits for what never comes: for 20 ms, and until a deadline. */
static void wait_at_futex(void) {
    int word = 1;
    const struct timespec span = {.tv_sec = 0, .tv_nsec = 20000000};
    const int64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
    printf("futex %ld", syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &span, NULL, 0));
    printf(" %s %d\n", strerrorname_np(errno), clock_ns(CLOCK_MONOTONIC) >= begin_ns + 20000000);
    for (int i = 0; i < 2; ++i) {
        const clockid_t id = i == 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
        const int operation = FUTEX_WAIT_BITSET_PRIVATE | (i == 0 ? 0 : FUTEX_CLOCK_REALTIME);
        const struct timespec deadline = soon(id);
        printf("futex %ld", syscall(SYS_futex, &word, operation, 1, &deadline, NULL, ~0));
        printf(" %s", strerrorname_np(errno));
        printf(" %d\n", clock_ns(id) >= deadline.tv_sec * 1000000000LL + deadline.tv_nsec);
    }
}

static void probe_waits(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    sem_t semaphore;
    struct timespec deadline;
    sem_init(&semaphore, 0, 0);
    MPI_Init(NULL, NULL);
    pthread_mutex_lock(&mutex);
    deadline = soon(CLOCK_REALTIME);
    printf("%s", strerrorname_np(pthread_cond_timedwait(&condition, &mutex, &deadline)));
    printf(" %d\n", clock_ns(CLOCK_REALTIME) >= deadline.tv_sec * 1000000000LL + deadline.tv_nsec);
    deadline = soon(CLOCK_MONOTONIC);
    printf("%s",
           strerrorname_np(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &deadline)));
    printf(" %d\n", clock_ns(CLOCK_MONOTONIC) >= deadline.tv_sec * 1000000000LL + deadline.tv_nsec);
    deadline = soon(CLOCK_REALTIME);
    printf("%d", sem_timedwait(&semaphore, &deadline));
    printf(" %s", strerrorname_np(errno));
    printf(" %d\n", clock_ns(CLOCK_REALTIME) >= deadline.tv_sec * 1000000000LL + deadline.tv_nsec);
    sem_post(&semaphore);
    deadline = soon(CLOCK_REALTIME);
    printf("%d\n", sem_timedwait(&semaphore, &deadline));
    wait_at_futex();
    MPI_Finalize();
}

static void* other_thread(void* unused) {
    const double before = kumi_virtual_seconds();
    const int64_t start_ns = clock_ns(CLOCK_MONOTONIC);
    usleep(1000);
    printf("after a sleep %lld\n", (long long)(clock_ns(CLOCK_MONOTONIC) - start_ns));
    while (clock_ns(CLOCK_MONOTONIC) < start_ns + 2000000) continue;
    poll(NULL, 0, 1);
    printf("after a poll %lld\n", (long long)(clock_ns(CLOCK_MONOTONIC) - start_ns));
    const int code = kumi_compute_seconds(1);
    printf("rank %g %d\n", kumi_virtual_seconds() - before, code);
    MPI_Send(NULL, 0, 0, 0, 0, 0);
    printf("rank after a call %.9f\n", kumi_virtual_seconds());
    return unused;
}

static void probe_threads(void) {
    pthread_t thread;
    MPI_Init(NULL, NULL);
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);
    printf("rank at the end %.9f\n", kumi_virtual_seconds());
    MPI_Finalize();
}

static void probe_fork(void) {
    MPI_Init(NULL, NULL);
    sleep(100);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        printf("child %lld %d\n", (long long)(clock_ns(CLOCK_MONOTONIC) / 1000000000),
               kumi_is_simulated());
        fflush(stdout);
        MPI_Send(NULL, 0, 0, 0, 0, 0);
        printf("goes on\n");
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    printf("parent %d\n", kumi_is_simulated());
    MPI_Finalize();
}

static void callback(void) {
    clock_ns(CLOCK_MONOTONIC);
    printf("compute %d\n", kumi_compute_flops(1e9));
}

static void probe_compute(void) {
    printf("before %d %g\n", kumi_is_simulated(), kumi_virtual_seconds());
    printf("early %d\n", kumi_compute_seconds(5));
    MPI_Init(NULL, NULL);
    printf("simulated %d\n", kumi_is_simulated());
    printf("seconds %d", kumi_compute_seconds(1.5));
    printf(" %.9f\n", kumi_virtual_seconds());
    printf("flops %d", kumi_compute_flops(2e9));
    printf(" %.9f\n", kumi_virtual_seconds());
    printf("wrong %d %d %d %d %d\n", kumi_compute_seconds(-1), kumi_compute_seconds(NAN),
           kumi_compute_flops(INFINITY), kumi_compute_flops(-0.5), kumi_compute_flops(1e30));
    MPI_Reduce(callback);
    printf("at the end %.9f\n", kumi_virtual_seconds());
    MPI_Finalize();
    printf("after %d %g\n", kumi_is_simulated(), kumi_virtual_seconds());
}

static void probe_abort(const char* code) {
    MPI_Init(NULL, NULL);
    MPI_Abort(WORLD, atoi(code));
}

/* By rank 0 of a communicator, which may be the world. */
static void probe_spawn(uintptr_t communicator) {
    int codes[3] = {0, 0, 0};
    char made[HANDLE_BYTES] = {0}, none[HANDLE_BYTES];
    const uintptr_t null = NONE;
    memcpy(none, &null, sizeof none);
    MPI_Init(NULL, NULL);
    printf("spawned %d", MPI_Comm_spawn("it", NULL, 2, 0, -1, communicator, made, codes));
    printf(" %d %d %d\n", memcmp(made, none, sizeof none) == 0, codes[1], codes[2]);
    MPI_Finalize();
}

static void probe_generalized(void) {
    MPI_Grequest_start();
    MPI_Init(NULL, NULL);
    MPI_Grequest_start();
    MPI_Grequest_complete();
    MPI_Finalize();
    MPI_Grequest_complete();
}

static void probe_large_count(void) {
    printf("MPI_Send_c %s\n", MPI_Send_c ? "exists" : "lacks");
    if (MPI_Send_c) MPI_Send_c();
}

#ifdef PROBE_PLUGIN
#define main probe_main
int probe_main(int, char**);
#endif
int main(int argc, char** argv) {
    const char* what = argc > 1 ? argv[1] : "";
    const char* argument = argc > 2 ? argv[2] : "0";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(what, "forward") == 0)
        probe_forward();
    else if (strcmp(what, "calls") == 0)
        probe_calls();
    else if (strcmp(what, "receives") == 0)
        probe_receives();
    else if (strcmp(what, "contents") == 0)
        probe_contents();
    else if (strcmp(what, "looks") == 0)
        probe_looks();
    else if (strcmp(what, "accumulates") == 0)
        probe_accumulates();
    else if (strcmp(what, "waits-for-messages") == 0)
        probe_waits_for_messages();
    else if (strcmp(what, "persistent") == 0)
        probe_persistent();
    else if (strcmp(what, "init-twice") == 0)
        probe_init_twice();
    else if (strcmp(what, "fortran-init") == 0)
        probe_fortran_init();
    else if (strcmp(what, "thread-level") == 0)
        probe_thread_level(argument);
    else if (strcmp(what, "f08-thread-level") == 0)
        probe_f08_thread_level(argument);
    else if (strcmp(what, "clocks") == 0)
        probe_clocks();
    else if (strcmp(what, "sleeps") == 0)
        probe_sleeps();
    else if (strcmp(what, "waits") == 0)
        probe_waits();
    else if (strcmp(what, "threads") == 0)
        probe_threads();
    else if (strcmp(what, "fork") == 0)
        probe_fork();
    else if (strcmp(what, "compute") == 0)
        probe_compute();
    else if (strcmp(what, "abort") == 0)
        probe_abort(argument);
    else if (strcmp(what, "spawn") == 0)
        probe_spawn(strcmp(argument, "other") == 0 ? WORLD + 16 : WORLD);
    else if (strcmp(what, "generalized") == 0)
        probe_generalized();
    else if (strcmp(what, "large-count") == 0)
        probe_large_count();
    else if (strcmp(what, "wake-place") == 0)
        probe_wake_place();
    else if (strcmp(what, "wake-calls") == 0)
        probe_wake_calls();
    else if (strcmp(what, "hints") == 0)
        probe_hints(WORLD, WORLD + 8);
    else if (strcmp(what, "other-communicators") == 0)
        probe_other_communicators(WORLD + 16, NONE);
    else
        return 2;
    return 0;
}
