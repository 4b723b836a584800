/* Datatypes in which the program itself allows errors. Each rank sends numbers to the next one,
 * which knows what they were.
 *
 * Usage: approximate_source [count]: rank 0 also prints the wrong bits of each type, of all ranks
 * together. */
#include <kumihimo/approx.h>

#include "check.h"

enum { WORDS = 20000 };

static uint64_t out[2 * WORDS], in[2 * WORDS];
static int counts;

static uint64_t pattern(int sender, int place) {
    return ((uint64_t)(sender + 1) * 0x9E3779B97F4A7C15u) ^ ((uint64_t)place * 0xC2B2AE3D27D4EB4Fu);
}

/* To the next rank and from the one before. Of each word of `word_bits`, the first `protected_bits`
   must be right; of every second word of 64 bits nothing is sent if there are gaps. */
static void exchange(const char* name, MPI_Datatype type, int count, int has_gaps, int word_bits,
                     int protected_bits) {
    const int before = (world_rank + world_size - 1) % world_size;
    long wrong = 0, all = 0;
    for (int i = 0; i < 2 * WORDS; ++i) out[i] = pattern(world_rank, i);
    memset(in, 0, sizeof in);
    MPI_Sendrecv(out, count, type, (world_rank + 1) % world_size, 0, in, count, type, before, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < (has_gaps ? 2 : 1) * WORDS; ++i) {
        const int is_gap = has_gaps && i % 2 == 1;
        const uint64_t difference = in[i] ^ (is_gap ? 0 : pattern(before, i));
        for (int bit = 0; bit < 64; ++bit) {
            if ((difference >> bit & 1) == 0) continue;
            ++wrong;
            CHECK(!is_gap && word_bits - 1 - bit % word_bits >= protected_bits);
        }
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (counts && world_rank == 0) printf("%s wrong %ld\n", name, all);
}

static void numbers(void) {
    MPI_Datatype real, less, single, complex, integer;
    CHECK(kumi_approx_type(MPI_DOUBLE, 16, &real) == MPI_SUCCESS);
    exchange("double", real, WORDS, 0, 64, 16);
    /* One that is made of an approximate type in turn is what was said last. */
    CHECK(kumi_approx_type(real, 40, &less) == MPI_SUCCESS);
    MPI_Type_free(&real);
    exchange("double again", less, WORDS, 0, 64, 40);
    MPI_Type_free(&less);
    CHECK(kumi_approx_type(MPI_FLOAT, 9, &single) == MPI_SUCCESS);
    exchange("float", single, 2 * WORDS, 0, 32, 9);
    MPI_Type_free(&single);
    CHECK(kumi_approx_type(MPI_C_DOUBLE_COMPLEX, 12, &complex) == MPI_SUCCESS);
    exchange("complex", complex, WORDS / 2, 0, 64, 12);
    MPI_Type_free(&complex);
    CHECK(kumi_approx_type_forced(MPI_INT64_T, 48, &integer) == MPI_SUCCESS);
    exchange("integer", integer, WORDS, 0, 64, 48);
    MPI_Type_free(&integer);
}

/* The types that these are made of are freed before they are used. */
static void derived_types(void) {
    MPI_Datatype real, other, type, parts[2];
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, 8};
    kumi_approx_type(MPI_DOUBLE, 16, &real);
    kumi_approx_type(MPI_DOUBLE, 32, &other);
    MPI_Type_dup(real, &type);
    exchange("duplicate", type, WORDS, 0, 64, 16);
    MPI_Type_free(&type);
    MPI_Type_contiguous(WORDS, real, &type);
    MPI_Type_commit(&type);
    exchange("contiguous", type, 1, 0, 64, 16);
    MPI_Type_free(&type);
    parts[0] = real;
    parts[1] = other;
    MPI_Type_create_struct(2, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    exchange("structure", type, WORDS / 2, 0, 64, 32);
    MPI_Type_free(&type);
    parts[1] = MPI_DOUBLE;
    MPI_Type_create_struct(2, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    exchange("with plain numbers", type, WORDS / 2, 0, 64, 64);
    MPI_Type_free(&type);
    parts[1] = MPI_INT64_T;
    MPI_Type_create_struct(2, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    exchange("with integers", type, WORDS / 2, 0, 64, 64);
    MPI_Type_free(&type);
    MPI_Type_vector(WORDS, 1, 2, real, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&real);
    MPI_Type_free(&other);
    exchange("vector", type, 1, 1, 64, 16);
    MPI_Type_free(&type);
    exchange("plain", MPI_DOUBLE, WORDS, 0, 64, 64);
}

/* Numbers that every rank gets from rank 0. */
static void broadcast(void) {
    MPI_Datatype real;
    kumi_approx_type(MPI_DOUBLE, 16, &real);
    for (int i = 0; i < WORDS; ++i) in[i] = world_rank == 0 ? pattern(0, i) : 0;
    MPI_Bcast(in, WORDS, real, 0, MPI_COMM_WORLD);
    for (int i = 0; i < WORDS; ++i) CHECK((in[i] ^ pattern(0, i)) >> 48 == 0);
    MPI_Type_free(&real);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    counts = argc > 1 && strcmp(argv[1], "count") == 0;
    numbers();
    derived_types();
    broadcast();
    return end("approximate_source");
}
