/* An MPI library that checks what reaches it. Built as each of the libraries that the shim knows
   (FAKE_OPEN_MPI, FAKE_STANDARD_ABI, or neither: MPICH), with the same weak names in front of its
   PMPI functions as the real ones have. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "handles.h"
#include "shim_table.h"

#define WEAK(name, real) __attribute__((weak, alias(#real))) int name()

/* The error handlers that end the program, and return; the error of MPI_Comm_spawn. */
#if defined(FAKE_OPEN_MPI)
char ompi_mpi_comm_world[64];
char ompi_mpi_comm_null[64];
char ompi_mpi_errors_are_fatal[64];
#define FATAL ((uintptr_t)ompi_mpi_errors_are_fatal)
#define SPAWN 50
#elif defined(FAKE_STANDARD_ABI)
#define FATAL ((uintptr_t)0x141)
#define SPAWN 53
#else
#define FATAL ((uintptr_t)0x54000000)
#define SPAWN 42
#endif

static int initialized;
static int finalized;
static int thread_level;

int PMPI_Initialized(int* flag) {
    *flag = initialized;
    return 0;
}
WEAK(MPI_Initialized, PMPI_Initialized);

int PMPI_Init(int* argc, char*** argv) {
    (void)argc;
    (void)argv;
    if (initialized) return 1;
    initialized = 1;
    printf("init\n");
    return 0;
}
WEAK(MPI_Init, PMPI_Init);

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    *provided = thread_level = required;
    printf("init_thread %d\n", required);
    (void)argc;
    (void)argv;
    initialized = 1;
    return 0;
}
WEAK(MPI_Init_thread, PMPI_Init_thread);

int PMPI_Query_thread(int* provided) {
    *provided = thread_level;
    return 0;
}
WEAK(MPI_Query_thread, PMPI_Query_thread);

/* MPICH's way: the Fortran function calls the C function by its outer name. */
int MPI_Init(int*, char***);
void pmpi_init_(int* error) { *error = MPI_Init(NULL, NULL); }
WEAK(mpi_init_, pmpi_init_);

/* Open MPI's way: it calls the inner one. */
void pmpi_init_thread_f08_(int* required, int* provided, int* error) {
    const int result = PMPI_Init_thread(NULL, NULL, *required, provided);
    if (error != NULL) *error = result;
}
WEAK(mpi_init_thread_f08_, pmpi_init_thread_f08_);

int PMPI_Barrier(uintptr_t communicator) {
    printf("barrier %s\n", communicator == WORLD ? "world" : "elsewhere");
    return 0;
}
WEAK(MPI_Barrier, PMPI_Barrier);

int PMPI_Finalize(void) {
    finalized = 1;
    printf("finalize\n");
    return 0;
}
WEAK(MPI_Finalize, PMPI_Finalize);

int PMPI_Abort(uintptr_t communicator, int code) {
    printf("abort %s %d\n", communicator == WORLD ? "world" : "elsewhere", code);
    fflush(stdout);
    _Exit(code);
}
WEAK(MPI_Abort, PMPI_Abort);

static const struct shim_table* shim_table(void) {
    const struct shim_table* (*table)(void) = dlsym(RTLD_DEFAULT, "kumi_shim_table");
    return table();
}

/* As the provider asks for it when a rank is about to sleep. */
static void print_needed(void) {
    uint32_t calls[3];
    const size_t count = shim_table()->needed_messages(calls, 3);
    printf(shim_table()->waits_for_messages() ? "needed only" : "needed");
    for (size_t i = 0; i < count && i < 3; ++i) printf(" %u", calls[i]);
    if (count > 3) printf(" and %zu", count - 3);
    printf("\n");
}

static void print_vain_polls(void) { printf("vain %zu\n", shim_table()->vain_polls()); }

static int next_request = 100;

/* Handles of C are pointers, but MPICH's are integers; Fortran's are integers. Fails without a
   buffer. */
static void put_request(void* request) {
    const int is_pointer = HANDLE_BYTES == sizeof(void*);
    const uintptr_t handle = is_pointer ? (uintptr_t)&next_request + next_request : next_request;
    memcpy(request, &handle, HANDLE_BYTES);
    ++next_request;
}

#include "fake_types.h"

int PMPI_Irecv(void* buffer, int count, uintptr_t type, int source, int tag, uintptr_t world,
               void* request) {
    (void)count;
    (void)type;
    (void)source;
    (void)tag;
    (void)world;
    if (buffer == NULL) return 1;
    put_request(request);
    return 0;
}
WEAK(MPI_Irecv, PMPI_Irecv);
void pmpi_irecv_(void* buffer, int* count, int* type, int* source, int* tag, int* world,
                 int* request, int* error) {
    (void)buffer;
    (void)count;
    (void)type;
    (void)source;
    (void)tag;
    (void)world;
    *request = next_request++;
    *error = 0;
}
WEAK(mpi_irecv_, pmpi_irecv_);
int PMPI_Startall(int count, void* requests) {
    (void)count;
    (void)requests;
    return 0;
}
WEAK(MPI_Startall, PMPI_Startall);
int PMPI_Start(void* request) { return PMPI_Startall(1, request); }
WEAK(MPI_Start, PMPI_Start);
int PMPI_Ssend_init(void) { return 0; }
WEAK(MPI_Ssend_init, PMPI_Ssend_init);
int PMPI_Waitall(int count, void* requests, void* statuses) {
    (void)count;
    (void)requests;
    (void)statuses;
    print_needed();
    return 0;
}
WEAK(MPI_Waitall, PMPI_Waitall);
void pmpi_waitall_(int* count, int* requests, void* statuses, int* error) {
    *error = PMPI_Waitall(*count, requests, statuses);
}
WEAK(mpi_waitall_, pmpi_waitall_);

int PMPI_Waitsome(int count, void* requests, int* completed, int* indices, void* statuses) {
    (void)count;
    (void)requests;
    (void)completed;
    (void)indices;
    (void)statuses;
    print_vain_polls();
    return 0;
}
WEAK(MPI_Waitsome, PMPI_Waitsome);
void pmpi_testany_(int* count, int* requests, int* index, int* flag, int* status, int* error) {
    (void)index;
    (void)flag;
    *error = PMPI_Waitsome(*count, requests, NULL, NULL, status);
}
WEAK(mpi_testany_, pmpi_testany_);

/* A call of the library's own, by the outer name, as MPI-IO does inside an MPI library. */
int PMPI_Wait(void* request, void* status) {
    (void)status;
    if (request != NULL) print_needed();
    return 0;
}
WEAK(MPI_Wait, PMPI_Wait);
int MPI_Wait(void*, void*);
int PMPI_Send(const void* buffer, int count, uintptr_t type, int target, int tag, uintptr_t world) {
    (void)buffer;
    (void)count;
    (void)type;
    (void)target;
    (void)tag;
    (void)world;
    return MPI_Wait(NULL, NULL);
}
WEAK(MPI_Send, PMPI_Send);
WEAK(pmpi_send_, PMPI_Send);
WEAK(mpi_send_, PMPI_Send);
WEAK(pmpi_send_f08_, PMPI_Send);
WEAK(mpi_send_f08_, PMPI_Send);

int PMPI_Recv(void* buffer, int count, uintptr_t type, int source, int tag, uintptr_t world,
              void* status) {
    (void)buffer;
    (void)count;
    (void)type;
    (void)source;
    (void)tag;
    (void)world;
    (void)status;
    print_needed();
    return 0;
}
WEAK(MPI_Recv, PMPI_Recv);
WEAK(pmpi_recv_, PMPI_Recv);
WEAK(mpi_recv_, PMPI_Recv);
WEAK(PMPI_Mrecv, PMPI_Recv);
WEAK(MPI_Mrecv, PMPI_Recv);

/* 14 arguments, of which ints come with rubbish above their 32 bits in real programs. */
int PMPI_Rget_accumulate(const void* origin, int origin_count, uintptr_t origin_type, void* result,
                         int result_count, uintptr_t result_type, int target, int64_t displacement,
                         int target_count, uintptr_t target_type, uintptr_t operation,
                         uintptr_t window, void* request, int* error) {
    const int right = origin == (void*)1 && origin_count == -2 && origin_type == 3 &&
                      result == (void*)4 && result_count == -5 && result_type == 6 &&
                      target == -7 && displacement == -8000000000 && target_count == -9 &&
                      target_type == 10 && operation == 11 && window == 12 && request == (void*)13;
    *error = right ? 14 : -14;
    return right ? 4711 : -1;
}
WEAK(MPI_Rget_accumulate, PMPI_Rget_accumulate);
/* The shim reads the numbers and handles that it is interested in. */
int pmpi_rget_accumulate_(const void* origin, int origin_count, uintptr_t origin_type, void* result,
                          const int* result_count, const int* result_type, int target,
                          int64_t displacement, int target_count, uintptr_t target_type,
                          uintptr_t operation, uintptr_t window, void* request, int* error) {
    return PMPI_Rget_accumulate(origin, origin_count, origin_type, result, *result_count,
                                (uintptr_t)*result_type, target, displacement, target_count,
                                target_type, operation, window, request, error);
}
WEAK(mpi_rget_accumulate_, pmpi_rget_accumulate_);

/* Fails without numbers. */
int PMPI_Accumulate(const void* origin) { return origin == NULL; }
WEAK(MPI_Accumulate, PMPI_Accumulate);
WEAK(pmpi_accumulate_, PMPI_Accumulate);
WEAK(mpi_accumulate_, PMPI_Accumulate);
int PMPI_Get_accumulate(void) { return 0; }
WEAK(MPI_Get_accumulate, PMPI_Get_accumulate);
int PMPI_Fetch_and_op(void) { return 0; }
WEAK(MPI_Fetch_and_op, PMPI_Fetch_and_op);
/* As the provider asks, in poll after poll. */
int PMPI_Win_flush(void) {
    int steps = 0;
    while (shim_table()->takes_step()) ++steps;
    printf("steps %d\n", steps);
    return 0;
}
WEAK(MPI_Win_flush, PMPI_Win_flush);

int PMPI_Comm_rank(uintptr_t communicator, int* rank) {
    *rank = communicator == WORLD ? 0 : -1;
    return 0;
}
WEAK(MPI_Comm_rank, PMPI_Comm_rank);

/* Two ranks; every other communicator has the second one alone. */
int PMPI_Comm_size(uintptr_t communicator, int* size) {
    *size = communicator == WORLD ? 2 : 1;
    return 0;
}
int PMPI_Comm_group(uintptr_t communicator, int* group) {
    if (communicator == NONE) abort();
    *group = communicator == WORLD ? 2 : 1;
    return 0;
}
/* One communicator has the second rank on this side, and both on the other one. */
int PMPI_Comm_test_inter(uintptr_t communicator, int* flag) {
    if (communicator == NONE) abort();
    *flag = communicator == WORLD + 16;
    return 0;
}
int PMPI_Comm_remote_group(uintptr_t communicator, int* group) {
    if (communicator != WORLD + 16) abort();
    *group = 2;
    return 0;
}
/* Integers of the handles of Fortran; what is beyond them is anything. */
uintptr_t PMPI_Comm_f2c(int handle) {
    if (handle == 1) return NONE;
    return handle == 0 ? WORLD : WORLD + (uintptr_t)handle;
}
int PMPI_Group_size(uintptr_t group, int* size) {
    *size = (int)group;
    return 0;
}
int PMPI_Group_translate_ranks(uintptr_t group, int count, const int* ranks, uintptr_t world,
                               int* translated) {
    for (int i = 0; i < count; ++i) translated[i] = ranks[i] + (int)(world - group);
    return 0;
}
int PMPI_Group_free(int* group) {
    *group = 0;
    return 0;
}

int PMPI_Iprobe(void) { return 0; }
WEAK(MPI_Iprobe, PMPI_Iprobe);
int PMPI_Probe(void) { return 0; }
WEAK(MPI_Probe, PMPI_Probe);
int PMPI_Win_fence(void) { return 0; }
WEAK(MPI_Win_fence, PMPI_Win_fence);
int PMPI_Comm_spawn(void) { return 77; }
WEAK(MPI_Comm_spawn, PMPI_Comm_spawn);
/* The world's ends the program. */
int PMPI_Comm_get_errhandler(uintptr_t communicator, void* handler) {
    const uintptr_t handle = communicator == WORLD ? FATAL : FATAL + 2;
    memcpy(handler, &handle, HANDLE_BYTES);
    return 0;
}
int PMPI_Errhandler_free(void* handler) {
    (void)handler;
    return 0;
}
int PMPI_Comm_call_errhandler(uintptr_t communicator, int code) {
    printf("error %s\n", communicator != WORLD && code == SPAWN ? "of spawning" : "elsewhere");
    return 0;
}
int PMPI_Grequest_start(void) {
    printf("starts\n");
    return 0;
}
WEAK(MPI_Grequest_start, PMPI_Grequest_start);
int PMPI_Grequest_complete(void) {
    printf("completes\n");
    return 0;
}
WEAK(MPI_Grequest_complete, PMPI_Grequest_complete);

double PMPI_Wtime(void) { return -1.0; }
__attribute__((weak, alias("PMPI_Wtime"))) double MPI_Wtime(void);
double PMPI_Wtick(void) { return -2.0; }
__attribute__((weak, alias("PMPI_Wtick"))) double MPI_Wtick(void);

/* A reduction that calls back into the program. */
int PMPI_Reduce(void (*operation)(void)) {
    operation();
    return 0;
}
WEAK(MPI_Reduce, PMPI_Reduce);

/* What the library's own code sees. */
int64_t fake_library_date(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec;
}
