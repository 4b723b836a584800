/// Kumihimo's C API for explicit compute time.
///
/// A program that knows how much it computes can say so, and its virtual time is then the same in
/// every run and on every host. Explicit time counts in every compute mode; a program that says all
/// of it runs with `kumihimo run --compute none`. Threads of a rank compute at the same time, as
/// far as its host has cores.
///
/// Nothing needs to be linked: outside of a run these functions do nothing (on C libraries
/// older than glibc 2.34, link with -ldl). For C99 and C++11, and newer.
#ifndef KUMIHIMO_COMPUTE_H
#define KUMIHIMO_COMPUTE_H

#include "find.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The call was taken, or there is no virtual time to spend: outside of a run, before MPI_Init
/// returned, after MPI_Finalize.
#define KUMI_COMPUTE_OK 0
/// The value is negative, not a number, or more than a million seconds. Nothing was done.
#define KUMI_COMPUTE_INVALID (-1)
/// The calling thread is neither the one that called MPI last nor one that the program has made by
/// pthread_create or thrd_create. Nothing was done.
#define KUMI_COMPUTE_WRONG_THREAD (-2)

/// Computes for `seconds` of virtual time, 0 to 1e6. Returns a KUMI_COMPUTE code.
static inline int kumi_compute_seconds(double seconds) {
    static int (*compute)(double) = 0;
    static int searched = 0;
    if (!searched) kumi_find_("kumi_compute_seconds", &compute, sizeof compute);
    searched = 1;
    if (compute) return compute(seconds);
    return seconds >= 0 && seconds <= 1e6 ? KUMI_COMPUTE_OK : KUMI_COMPUTE_INVALID;
}

/// Computes `flops` floating-point operations, not negative, at the speed of the platform file's
/// nodes ([node] speed), for at most a million seconds. Returns a KUMI_COMPUTE code.
static inline int kumi_compute_flops(double flops) {
    static int (*compute)(double) = 0;
    static int searched = 0;
    if (!searched) kumi_find_("kumi_compute_flops", &compute, sizeof compute);
    searched = 1;
    if (compute) return compute(flops);
    return flops >= 0 && flops - flops == 0 ? KUMI_COMPUTE_OK : KUMI_COMPUTE_INVALID;
}

/// Seconds of virtual time since all ranks left MPI_Init; 0 where there is no virtual time. Unlike
/// MPI_Wtime, looking costs nothing.
static inline double kumi_virtual_seconds(void) {
    static double (*look)(void) = 0;
    static int searched = 0;
    if (!searched) kumi_find_("kumi_virtual_seconds", &look, sizeof look);
    searched = 1;
    return look ? look() : 0.0;
}

/// 1 while the program runs in virtual time, else 0.
static inline int kumi_is_simulated(void) {
    static int (*ask)(void) = 0;
    static int searched = 0;
    if (!searched) kumi_find_("kumi_is_simulated", &ask, sizeof ask);
    searched = 1;
    return ask ? ask() : 0;
}

#ifdef __cplusplus
}
#endif

#endif
