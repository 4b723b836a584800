/* A thread sleeps and then lets the rank's first thread go on, by all means that there are: that
   one continues no earlier. With "print" rank 0 says how long each took, in nanoseconds. */
#define _GNU_SOURCE /* pthread_timedjoin_np */
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { kSleep_us = 20000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore, answer;
static mtx_t c_mutex;
static cnd_t c_condition;
static int is_ready = 0;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static struct timespec in_an_hour(void) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 3600;
    return deadline;
}

static void nap(void) { CHECK(usleep(kSleep_us) == 0); }

/* Each way: what the thread does, and what the first one does meanwhile. */

static void* sleep_only(void* unused) {
    nap();
    return unused;
}
static void join_it(pthread_t* thread) {
    CHECK(pthread_join(*thread, NULL) == 0);
    *thread = 0;
}
/* Both sleep at the same time. */
static void sleep_and_join_it(pthread_t* thread) {
    nap();
    join_it(thread);
}
static void join_it_in_time(pthread_t* thread) {
    const struct timespec deadline = in_an_hour();
    CHECK(pthread_timedjoin_np(*thread, NULL, &deadline) == 0);
    *thread = 0;
}

static void* post(void* unused) {
    nap();
    CHECK(sem_post(&semaphore) == 0);
    return unused;
}
static void await_post(pthread_t* unused) {
    (void)unused;
    CHECK(sem_wait(&semaphore) == 0);
}
static void await_post_in_time(pthread_t* unused) {
    const struct timespec deadline = in_an_hour();
    (void)unused;
    CHECK(sem_timedwait(&semaphore, &deadline) == 0);
}

static void* signal_it(void* unused) {
    nap();
    CHECK(pthread_mutex_lock(&mutex) == 0);
    is_ready = 1;
    CHECK(pthread_cond_signal(&condition) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}
static void await_signal(pthread_t* unused) {
    (void)unused;
    CHECK(pthread_mutex_lock(&mutex) == 0);
    while (!is_ready) CHECK(pthread_cond_wait(&condition, &mutex) == 0);
    is_ready = 0;
    CHECK(pthread_mutex_unlock(&mutex) == 0);
}

/* Unlocks first. */
static void* signal_late(void* unused) {
    nap();
    CHECK(pthread_mutex_lock(&mutex) == 0);
    is_ready = 1;
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_cond_broadcast(&condition) == 0);
    return unused;
}

static void* signal_c11(void* unused) {
    nap();
    CHECK(mtx_lock(&c_mutex) == thrd_success);
    is_ready = 1;
    CHECK(cnd_broadcast(&c_condition) == thrd_success);
    CHECK(mtx_unlock(&c_mutex) == thrd_success);
    return unused;
}
static void await_c11(pthread_t* unused) {
    (void)unused;
    CHECK(mtx_lock(&c_mutex) == thrd_success);
    while (!is_ready) CHECK(cnd_wait(&c_condition, &c_mutex) == thrd_success);
    is_ready = 0;
    CHECK(mtx_unlock(&c_mutex) == thrd_success);
}

/* The thread says when it has the lock; the first one then waits for that. */
static void* hold_mutex(void* unused) {
    CHECK(pthread_mutex_lock(&mutex) == 0);
    CHECK(sem_post(&answer) == 0);
    nap();
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}
static void lock_mutex(pthread_t* unused) {
    (void)unused;
    CHECK(sem_wait(&answer) == 0);
    CHECK(pthread_mutex_lock(&mutex) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
}

static void* hold_rwlock(void* unused) {
    CHECK(pthread_rwlock_wrlock(&rwlock) == 0);
    CHECK(sem_post(&answer) == 0);
    nap();
    CHECK(pthread_rwlock_unlock(&rwlock) == 0);
    return unused;
}
static void lock_rwlock(pthread_t* unused) {
    (void)unused;
    CHECK(sem_wait(&answer) == 0);
    CHECK(pthread_rwlock_rdlock(&rwlock) == 0);
    CHECK(pthread_rwlock_unlock(&rwlock) == 0);
}

static void* meet(void* unused) {
    nap();
    const int result = pthread_barrier_wait(&barrier);
    CHECK(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    return unused;
}
static void await_meeting(pthread_t* unused) {
    (void)unused;
    const int result = pthread_barrier_wait(&barrier);
    CHECK(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
}

/* There and back: the first one sleeps before it hands over, then the thread. */
static void* answer_post(void* start) {
    CHECK(sem_wait(&answer) == 0);
    CHECK(now_ns() - *(const int64_t*)start >= kSleep_us * 1000LL);
    return post(start);
}
static void* answer_signal(void* start) {
    await_signal(NULL);
    CHECK(now_ns() - *(const int64_t*)start >= kSleep_us * 1000LL);
    return post(start);
}
static void ask(pthread_t* unused) {
    nap();
    CHECK(sem_post(&answer) == 0);
    await_post(unused);
}
static void ask_by_signal(pthread_t* unused) {
    signal_it(NULL);
    await_post(unused);
}

/* A thread hands on what another one has handed to it. */
static void* post_for_another(void* unused) {
    pthread_t other;
    CHECK(pthread_create(&other, NULL, sleep_only, NULL) == 0);
    CHECK(pthread_join(other, NULL) == 0);
    return post(unused);
}

typedef void* Thread(void*);
static const struct {
    const char* name;
    Thread* thread;
    void (*wait)(pthread_t*);
    int sleeps;
} ways[] = {
    {"join", sleep_only, join_it, 1},
    {"both_sleep", sleep_only, sleep_and_join_it, 1},
    {"timed_join", sleep_only, join_it_in_time, 1},
    {"semaphore", post, await_post, 1},
    {"timed_semaphore", post, await_post_in_time, 1},
    {"condition", signal_it, await_signal, 1},
    {"late_signal", signal_late, await_signal, 1},
    {"c11", signal_c11, await_c11, 1},
    {"mutex", hold_mutex, lock_mutex, 1},
    {"rwlock", hold_rwlock, lock_rwlock, 1},
    {"barrier", meet, await_meeting, 1},
    {"answer", answer_post, ask, 2},
    {"answer_signal", answer_signal, ask_by_signal, 2},
    {"chain", post_for_another, await_post, 2},
};

static void exchange(void) {
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    int out = world_rank, in = -1;
    MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(in == left);
}

int main(int argc, char** argv) {
    int provided = 0;
    const int prints = argc > 1 && strcmp(argv[1], "print") == 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    CHECK(provided >= MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    CHECK(sem_init(&semaphore, 0, 0) == 0 && sem_init(&answer, 0, 0) == 0);
    CHECK(pthread_barrier_init(&barrier, NULL, 2) == 0);
    CHECK(mtx_init(&c_mutex, mtx_plain) == thrd_success);
    CHECK(cnd_init(&c_condition) == thrd_success);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        pthread_t thread;
        int64_t start_ns = now_ns();
        CHECK(pthread_create(&thread, NULL, ways[i].thread, &start_ns) == 0);
        exchange();
        ways[i].wait(&thread);
        const int64_t passed_ns = now_ns() - start_ns;
        CHECK(passed_ns >= ways[i].sleeps * kSleep_us * 1000LL);
        if (prints && world_rank == 0)
            printf("%s %d %lld\n", ways[i].name, ways[i].sleeps, (long long)passed_ns);
        if (thread != 0) CHECK(pthread_join(thread, NULL) == 0);
        exchange();
    }
    return end("thread_waits");
}
