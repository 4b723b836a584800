/* Messages that may arrive with errors: each rank sends numbers to the next one, which knows what
   they were. Bits that are protected, integers and what is not known to be numbers must be right;
   other bits may be wrong, and are counted.

   approximate            prints that all that must be right is right.
   approximate count      also prints wrong bits by datatype and size, of all ranks together.

   Protected bits: 16 of double, 12 of float. */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { ROUNDS = 4 };

static int rank, ranks;

static uint64_t pattern(int sender, int place) {
    return ((uint64_t)(sender + 1) * 0x9E3779B97F4A7C15u) ^ ((uint64_t)place * 0xC2B2AE3D27D4EB4Fu);
}

/* Wrong bits of words of `bytes` bytes; those among the first `protected_bits` are faults. */
static long compare(const unsigned char* got, const unsigned char* sent, int words, int bytes,
                    int protected_bits) {
    long wrong = 0;
    for (int word = 0; word < words; ++word) {
        for (int byte = 0; byte < bytes; ++byte) {
            const int at = word * bytes + byte;
            const unsigned difference = got[at] ^ sent[at];
            const int first = (bytes - 1 - byte) * 8; /* Of its bits, 0 is the word's highest. */
            for (int bit = 0; bit < 8; ++bit) {
                if ((difference >> (7 - bit) & 1) == 0) continue;
                ++wrong;
                CHECK(first + bit >= protected_bits);
            }
        }
    }
    return wrong;
}

static void fill(unsigned char* data, int bytes, int sender) {
    for (int at = 0; at < bytes; at += 8) {
        const uint64_t word = pattern(sender, at);
        memcpy(data + at, &word, 8);
    }
}

/* To the next rank and from the one before; returns wrong bits of all ranks. */
static long exchange(MPI_Datatype type, int count, int bytes, int word_bytes, int protected_bits) {
    unsigned char* out = calloc(1, (size_t)bytes + 8);
    unsigned char* in = calloc(1, (size_t)bytes + 8);
    unsigned char* expected = calloc(1, (size_t)bytes + 8);
    const int before = (rank + ranks - 1) % ranks;
    long wrong = 0, all = 0;
    fill(out, bytes, rank);
    fill(expected, bytes, before);
    for (int round = 0; round < ROUNDS; ++round) {
        MPI_Request request;
        memset(in, 0, (size_t)bytes);
        MPI_Irecv(in, count, type, before, round, MPI_COMM_WORLD, &request);
        MPI_Send(out, count, type, (rank + 1) % ranks, round, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += compare(in, expected, bytes / word_bytes, word_bytes, protected_bits);
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    free(out);
    free(in);
    free(expected);
    return all;
}

/* Every second double of an array, and a double next to an integer. */
static void derived_types(void) {
    MPI_Datatype every_second, pair;
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, 8};
    const MPI_Datatype parts[2] = {MPI_DOUBLE, MPI_INT};
    const int before = (rank + ranks - 1) % ranks, count = 2000;
    uint64_t *out = calloc(4000, 8), *in = calloc(4000, 8);
    MPI_Type_vector(count, 1, 2, MPI_DOUBLE, &every_second);
    MPI_Type_create_struct(2, lengths, places, parts, &pair);
    MPI_Type_commit(&every_second);
    MPI_Type_commit(&pair);
    for (int i = 0; i < 2 * count; ++i) out[i] = pattern(rank, i);
    MPI_Sendrecv(out, 1, every_second, (rank + 1) % ranks, 0, in, 1, every_second, before, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2 * count; ++i) {
        const uint64_t expected = i % 2 == 0 ? pattern(before, i) : 0;
        CHECK((in[i] ^ expected) >> 48 == 0);
    }
    MPI_Sendrecv(out, count, pair, (rank + 1) % ranks, 0, in, count, pair, before, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&every_second);
    MPI_Type_free(&pair);
    free(out);
    free(in);
}

/* What is no number, or not known to be one. */
static void exact(void) {
    CHECK(exchange(MPI_INT, 5000, 20000, 4, 32) == 0);
    CHECK(exchange(MPI_BYTE, 8000, 8000, 8, 64) == 0);
    uint64_t word = pattern(rank, 1);
    MPI_Bcast(&word, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    CHECK(word == pattern(0, 1));
}

/* A sum of numbers is near what it is without errors: the top bits are right at each step. */
static void collective(void) {
    double numbers[1000], sums[1000];
    for (int i = 0; i < 1000; ++i) numbers[i] = 1.0 + i;
    MPI_Allreduce(numbers, sums, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 1000; ++i) {
        const double expected = ranks * (1.0 + i), error = sums[i] / expected - 1;
        CHECK(error < 0.07 * ranks && error > -0.07 * ranks);
    }
}

int main(int argc, char** argv) {
    const int counts = argc > 1 && strcmp(argv[1], "count") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const struct {
        const char* name;
        MPI_Datatype type;
        int elements, bytes, word_bytes, protected_bits;
    } cases[] = {
        {"double 800", MPI_DOUBLE, 100, 800, 8, 16},
        {"double 160000", MPI_DOUBLE, 20000, 160000, 8, 16},
        {"float 4800", MPI_FLOAT, 1200, 4800, 4, 12},
        {"float 160000", MPI_FLOAT, 40000, 160000, 4, 12},
        {"complex 160000", MPI_C_DOUBLE_COMPLEX, 10000, 160000, 8, 16},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const long wrong = exchange(cases[i].type, cases[i].elements, cases[i].bytes,
                                    cases[i].word_bytes, cases[i].protected_bits);
        if (counts && rank == 0) printf("%s wrong %ld\n", cases[i].name, wrong);
    }
    derived_types();
    exact();
    collective();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("what must be right is right\n");
    MPI_Finalize();
    return 0;
}
