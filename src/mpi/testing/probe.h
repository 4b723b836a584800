/* What the probe calls of the fake MPI library. */
#pragma once

#include <stdint.h>

extern int MPI_Init(int*, char***);
extern int MPI_Init_thread(int*, char***, int, int*);
extern int MPI_Initialized(int*);
extern int MPI_Finalize(void);
extern int MPI_Abort(uintptr_t, int);
extern int MPI_Send(const void*, int, uintptr_t, int, int, uintptr_t);
extern int MPI_Isend(const void*, int, uintptr_t, int, int, uintptr_t, void*);
extern int MPI_Bcast(void*, int, uintptr_t);
extern int MPI_Ibcast(void*, int, uintptr_t);
extern int MPI_Type_free(void*);
extern void mpi_isend_(const void*, int*, int*, int*, int*, int*, int*, int*);
extern uintptr_t fake_type(int);
extern int fake_descriptions(void);
extern int MPI_Irecv(void*, int, uintptr_t, int, int, uintptr_t, void*);
extern int MPI_Wait(void*, void*);
extern int MPI_Ssend_init(void);
extern int MPI_Start(void*);
extern int MPI_Startall(int, void*);
extern int MPI_Waitall(int, void*, void*);
extern int MPI_Waitsome(int, void*, int*, int*, void*);
extern int MPI_Recv(void*, int, uintptr_t, int, int, uintptr_t, void*);
extern int MPI_Mrecv(void*, int, uintptr_t, void*, void*);
extern int MPI_Rget_accumulate(const void*, int, uintptr_t, void*, int, uintptr_t, int, int64_t,
                               int, uintptr_t, uintptr_t, uintptr_t, void*, int*);
extern int MPI_Accumulate(const void*, int, uintptr_t);
extern int MPI_Get_accumulate(const void*, int, uintptr_t, void*, int, uintptr_t);
extern int MPI_Fetch_and_op(void);
extern int MPI_Win_flush(void);
extern int MPI_Comm_rank(uintptr_t, int*);
extern int MPI_Iprobe(void);
extern int MPI_Probe(void);
extern int MPI_Win_fence(void);
extern int MPI_Comm_spawn(const char*, char**, int, uintptr_t, int, uintptr_t, void*, int*);
extern int MPI_Grequest_start(void);
extern int MPI_Grequest_complete(void);
extern int MPI_Reduce(void (*)(void));
extern double MPI_Wtime(void);
extern double MPI_Wtick(void);
extern int MPI_Send_c(void) __attribute__((weak));
extern void mpi_init_(int*);
extern void mpi_init_thread_f08_(int*, int*, int*);
extern void mpi_send_(const void*, int, uintptr_t, int, int, uintptr_t);
extern void mpi_irecv_(void*, int*, int*, int*, int*, int*, int*, int*);
extern void mpi_recv_(void*, int*, int*, int*, int*, int*, int*, int*);
extern void mpi_waitall_(int*, int*, void*, int*);
extern void mpi_testany_(int*, int*, int*, int*, int*, int*);
extern void mpi_send_f08_(const void*, int, uintptr_t, int, int, uintptr_t);
extern int mpi_rget_accumulate_(const void*, int, uintptr_t, void*, const int*, const int*, int,
                                int64_t, int, uintptr_t, uintptr_t, uintptr_t, void*, int*);
extern void mpi_accumulate_(const void*, const int*, const int*);
extern int64_t fake_library_date(void);

/* probe_wake.c; communicators as the MPI library names them. */
void probe_wake_place(void);
void probe_wake_calls(void);
void probe_hints(uintptr_t world, uintptr_t elsewhere);
void probe_other_communicators(uintptr_t two_groups, uintptr_t none);
