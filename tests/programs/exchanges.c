/* All ranks exchange parts of random sizes, now and then none, many at once: by the program's own
 * receives and sends in rounds, or by the library's all-to-all functions. A message that is to be
 * answered, or one that is not, is often outstanding meanwhile. Usage: exchanges SEED [library]. */
#include <time.h>

#include "check.h"

enum { STEPS = 12, MOST_BYTES = 5000, ROUND = 32, SIDE_TAG = 99 };

static uint64_t drawn;

/* The same on all ranks. */
static unsigned draw(unsigned below) {
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(drawn >> 33) % below;
}

static unsigned mix(unsigned base, int source, int target) {
    return (base ^ ((unsigned)source * 131u + (unsigned)target)) * 2654435761u;
}

/* What `source` sends to `target`. */
static int part_bytes(unsigned base, int source, int target, int below, int is_sparse) {
    const unsigned mixed = mix(base, source, target);
    if (is_sparse && (mixed >> 5 & 3) != 0) return 0;
    return (int)((mixed >> 8) % (unsigned)below);
}

typedef struct {
    int *sent, *received, *places; /* Bytes, for each rank. */
    MPI_Datatype* types;
    unsigned char *out, *in;
} Parts;

static void exchange(const Parts* parts) {
    MPI_Request requests[2 * ROUND];
    for (int first = 0; first < world_size; first += ROUND) {
        const int behind = first + ROUND < world_size ? first + ROUND : world_size;
        int count = 0;
        for (int step = first; step < behind; ++step) {
            const int source = (world_rank + step) % world_size;
            if (parts->received[source] > 0)
                MPI_Irecv(parts->in + parts->places[source], parts->received[source], MPI_BYTE,
                          source, 5, MPI_COMM_WORLD, &requests[count++]);
        }
        for (int step = first; step < behind; ++step) {
            const int target = (world_rank + world_size - step) % world_size;
            if (parts->sent[target] > 0)
                MPI_Isend(parts->out + parts->places[target], parts->sent[target], MPI_BYTE, target,
                          5, MPI_COMM_WORLD, &requests[count++]);
        }
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    }
}

static void exchange_by_library(const Parts* parts, int is_general) {
    if (is_general)
        MPI_Alltoallw(parts->out, parts->sent, parts->places, parts->types, parts->in,
                      parts->received, parts->places, parts->types, MPI_COMM_WORLD);
    else
        MPI_Alltoallv(parts->out, parts->sent, parts->places, MPI_BYTE, parts->in, parts->received,
                      parts->places, MPI_BYTE, MPI_COMM_WORLD);
}

static void sleep_before(unsigned base, unsigned most_ns) {
    const unsigned mixed = mix(base, world_rank, world_size);
    const struct timespec span = {0, (long)((mixed >> 8) % most_ns)};
    nanosleep(&span, NULL);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int by_library = argc > 2 && strcmp(argv[2], "library") == 0;
    drawn = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    const size_t ranks = (size_t)world_size;
    Parts parts = {.sent = allocate(ranks * sizeof(int)),
                   .received = allocate(ranks * sizeof(int)),
                   .places = allocate(ranks * sizeof(int)),
                   .types = allocate(ranks * sizeof(MPI_Datatype)),
                   .out = allocate(ranks * MOST_BYTES),
                   .in = allocate(ranks * MOST_BYTES)};
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    for (int step = 0; step < STEPS; ++step) {
        const int below = 2 + (int)draw(step % 3 == 0 ? 64 : MOST_BYTES / (step % 3 == 1 ? 8 : 1));
        const int is_sparse = (int)draw(2), is_general = (int)draw(2), side = (int)draw(3);
        const unsigned base = draw(1u << 30), most_ns = draw(3);
        if (most_ns > 0) sleep_before(base, most_ns == 1 ? 3000 : 60000);
        int from_left = -1;
        MPI_Request requests[2];
        if (side > 0) {
            MPI_Irecv(&from_left, 1, MPI_INT, left, SIDE_TAG, MPI_COMM_WORLD, &requests[0]);
            if (side == 1)
                MPI_Isend(&world_rank, 1, MPI_INT, right, SIDE_TAG, MPI_COMM_WORLD, &requests[1]);
            else
                MPI_Issend(&world_rank, 1, MPI_INT, right, SIDE_TAG, MPI_COMM_WORLD, &requests[1]);
        }
        for (int rank = 0; rank < world_size; ++rank) {
            parts.sent[rank] = part_bytes(base, world_rank, rank, below, is_sparse);
            parts.received[rank] = part_bytes(base, rank, world_rank, below, is_sparse);
            parts.places[rank] = rank * MOST_BYTES;
            parts.types[rank] = MPI_BYTE;
            pattern_fill(parts.out + parts.places[rank], (size_t)parts.sent[rank],
                         mix(base, world_rank, rank));
        }
        if (by_library)
            exchange_by_library(&parts, is_general);
        else
            exchange(&parts);
        for (int rank = 0; rank < world_size; ++rank)
            CHECK(pattern_matches(parts.in + parts.places[rank], (size_t)parts.received[rank],
                                  mix(base, rank, world_rank)));
        if (side > 0) {
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
            CHECK(from_left == left);
        }
    }
    return end("exchanges");
}
