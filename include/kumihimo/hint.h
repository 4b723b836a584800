/// Kumihimo's C API for hints: what a program knows of its communication ahead of time.
///
/// Hints change no result and no matching of messages; where they cannot be used they do nothing.
///
/// Nothing needs to be linked: outside of a run these functions do nothing (on C libraries
/// older than glibc 2.34, link with -ldl). For C99 and C++11, and newer.
#ifndef KUMIHIMO_HINT_H
#define KUMIHIMO_HINT_H

#include <stdint.h>
#include "find.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The hint was taken, or there is no run to take it.
#define KUMI_HINT_OK 0
/// The key or the value is not known, or there is no such rank. Nothing was done.
#define KUMI_HINT_UNKNOWN (-1)

/// Wakes the sleeping links on the way to rank `rank` of MPI_COMM_WORLD: this rank is going to send
/// there. The wake frame leaves at once, and the rank goes on. Returns a KUMI_HINT code.
static inline int kumi_wake(int rank) {
    static int (*wake)(int) = 0;
    static int searched = 0;
    if (!searched) kumi_find_("kumi_wake_rank", &wake, sizeof wake);
    searched = 1;
    return wake ? wake(rank) : KUMI_HINT_OK;
}

static inline int kumi_wake_member_(uintptr_t communicator, int rank) {
    static int (*wake)(uintptr_t, int) = 0;
    static int searched = 0;
    if (!searched) kumi_find_("kumi_wake_member", &wake, sizeof wake);
    searched = 1;
    return wake ? wake(communicator, rank) : KUMI_HINT_OK;
}

static inline int kumi_wake_members_(uintptr_t communicator) {
    static int (*wake)(uintptr_t) = 0;
    static int searched = 0;
    if (!searched) kumi_find_("kumi_wake_members", &wake, sizeof wake);
    searched = 1;
    return wake ? wake(communicator) : KUMI_HINT_OK;
}

static inline int kumi_hint_(const char* key, const char* value, const void* place) {
    static int (*hint)(const char*, const char*, const void*) = 0;
    static int searched = 0;
    if (!searched) kumi_find_("kumi_hint", &hint, sizeof hint);
    searched = 1;
    if (hint) return hint(key, value, place);
    return strcmp(key, "WAKE") == 0 || strcmp(key, "IN_KERNEL") == 0 ||
                   strcmp(key, "REPEATED") == 0 || strcmp(key, "MEMORY_BUDGET") == 0 ||
                   strcmp(key, "EAGER") == 0 || strcmp(key, "INIT_DONE") == 0
               ? KUMI_HINT_OK
               : KUMI_HINT_UNKNOWN;
}

/// Wakes the links to all other ranks. Returns a KUMI_HINT code.
static inline int kumi_wake_all(void) { return kumi_hint_("WAKE", "all", 0); }

#ifdef __cplusplus
}
#endif

/// As kumi_wake, for rank `rank` of the communicator (an MPI_Comm): of its remote group, if it has
/// two. MPI_COMM_NULL is KUMI_HINT_UNKNOWN.
#define kumi_wake_member(communicator, rank) kumi_wake_member_((uintptr_t)(communicator), (rank))

/// The same for all ranks of the communicator.
#define kumi_wake_members(communicator) kumi_wake_members_((uintptr_t)(communicator))

/// A hint: a key and its value, both text. Returns a KUMI_HINT code.
///
///   HINT("WAKE", "next")  Wakes the links that the next MPI calls will use, in time: those to the
///                         ranks to which this rank sent after it had been here before, whatever
///                         algorithm the MPI library uses. The first time nothing is known yet.
///   HINT("WAKE", "7")     As kumi_wake(7).
///   HINT("WAKE", "all")   As kumi_wake_all().
///   HINT("IN_KERNEL", "1")  A region begins that takes most of the time: connections are asked for
///                           to ranks to which this one sends in it, if the service is "hint".
///   HINT("IN_KERNEL", "0")  The region ends. Regions may be nested.
///   HINT("REPEATED", "1")   What follows will be repeated: connections are asked for at the first
///                           message to a rank, not only after some ("hybrid", "hint").
///   HINT("REPEATED", "0")   That ends. May be nested, too.
///   HINT("MEMORY_BUDGET", "64 MiB")  From here on connections are asked for only as long as this
///                           rank's memory for communication stays below. Units are B, kB, MB, GB,
///                           KiB, MiB and GiB, bytes without one; whole KiB count.
///   HINT("EAGER", "256 KiB")  From here on this rank sends messages up to that size at once,
///   without
///                             asking the receiver; for each connection buffers grow as much.
///   HINT("EAGER", "0")        That ends; the platform's limit counts, as it does if it is larger.
///   HINT("INIT_DONE", "1")    The program has all the memory that it needs: what is left below the
///                             budget may become connections, also beyond their cap.
///
/// Each line with a HINT is a place of its own.
#define HINT(key, value) kumi_hint_((key), (value), __FILE__ ":" KUMI_HINT_TEXT_(__LINE__))
#define KUMI_HINT_TEXT_(line) KUMI_HINT_QUOTED_(line)
#define KUMI_HINT_QUOTED_(line) #line

#endif
