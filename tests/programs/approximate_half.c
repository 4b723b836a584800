/* Numbers of 16 bits, each rank to the next: IEEE's half precision, and bfloat16 where the MPI
 * library has it. Prints for each how many bits were wrong, and how many of those a policy protects
 * that protects the first 9. */
#include <inttypes.h>

#include "check.h"

enum { WORDS = 200000, PROTECTED = 9 };

static uint16_t value_of(int rank, int at) { return (uint16_t)(0x3C00 + (rank * 37 + at) % 512); }

static void pass_on(const char* name, MPI_Datatype type) {
    const int next = (world_rank + 1) % world_size;
    const int before = (world_rank + world_size - 1) % world_size;
    uint16_t* out = allocate(WORDS * sizeof(uint16_t));
    uint16_t* in = allocate(WORDS * sizeof(uint16_t));
    for (int i = 0; i < WORDS; ++i) out[i] = value_of(world_rank, i);
    MPI_Sendrecv(out, WORDS, type, next, 0, in, WORDS, type, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    int64_t own[2] = {0, 0}, all[2];
    for (int i = 0; i < WORDS; ++i) {
        const unsigned wrong = in[i] ^ value_of(before, i);
        own[0] += __builtin_popcount(wrong);
        own[1] += __builtin_popcount(wrong >> (16 - PROTECTED));
    }
    MPI_Reduce(own, all, 2, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (world_rank == 0)
        printf("%s: %" PRId64 " wrong, %" PRId64 " protected\n", name, all[0], all[1]);
    free(out);
    free(in);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    pass_on("half", MPIX_C_FLOAT16);
    pass_on("bfloat16", MPIX_BFLOAT16);
    return end("approximate_half");
}
