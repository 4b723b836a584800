/// Kumihimo's C API for approximate communication: numbers that may arrive with errors, in messages
/// over links that corrupt bits (docs/approximate.md).
///
/// Nothing needs to be linked: outside of a run these functions make plain duplicates of datatypes,
/// and nothing ever arrives with errors (on C libraries older than glibc 2.34, link with -ldl). For
/// C99 and C++11, and newer.
#ifndef KUMIHIMO_APPROX_H
#define KUMIHIMO_APPROX_H

#include <mpi.h>
#include <stdint.h>
#include "find.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline int kumi_approx_make_type_(MPI_Datatype type, int protected_bits, int is_forced,
                                         MPI_Datatype* new_type) {
    static int (*make)(uintptr_t, int, int, void*) = 0;
    static int searched = 0;
    int code;
    if (!searched) kumi_find_("kumi_approx_make_type", &make, sizeof make);
    searched = 1;
    if (make) return make((uintptr_t)type, protected_bits, is_forced, new_type);
    code = MPI_Type_dup(type, new_type);
    return code == MPI_SUCCESS ? MPI_Type_commit(new_type) : code;
}

/// Makes a committed duplicate of an MPI datatype, to be freed by MPI_Type_free. In runs with
/// `--approx`, what is sent with it may arrive with errors in all but the first `protected_bits`
/// bits of each number (sign first; of complex numbers, of either part), whatever the rules of the
/// policy say.
///
/// Types that are made of it (duplicates, vectors, structures) allow the same if all of their
/// numbers are of one kind and allow errors. If their parts differ, the largest number of protected
/// bits holds for all. As other types that programs make, it does not fit MPI's own operations
/// (MPI_SUM and its likes), only those of MPI_Op_create.
///
/// `type` consists of floating-point numbers of one kind, complex or not. Within a run, another
/// type is MPI_ERR_TYPE, and more protected bits than a number has, or fewer than 0, are
/// MPI_ERR_ARG: returned as they are, without a call of an error handler, and with
/// MPI_DATATYPE_NULL as the new type.
static inline int kumi_approx_type(MPI_Datatype type, int protected_bits, MPI_Datatype* new_type) {
    return kumi_approx_make_type_(type, protected_bits, 0, new_type);
}

/// The same, also of integers, which may be counts or places: a wrong one may be fatal.
static inline int kumi_approx_type_forced(MPI_Datatype type, int protected_bits,
                                          MPI_Datatype* new_type) {
    return kumi_approx_make_type_(type, protected_bits, 1, new_type);
}

#ifdef __cplusplus
}
#endif

#endif
