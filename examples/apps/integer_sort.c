/* The kernel IS of the NAS Parallel Benchmarks, written anew from its specification [Bailey94]:
 * the ranks of integer keys among all keys. Every iteration changes two keys, sums up how many keys
 * fall into each bucket, and sends each key to the rank that has its bucket, by all-to-alls.
 *
 * Argument: class S, W or A. At most 128 ranks in class S, 1,024 in the others.
 */
#include "npb_random.h"
#include "program.h"

#define ITERATIONS 10
#define PROBES 5

typedef struct {
    char letter;
    int keys_log2, range_log2, buckets_log2;
    int index[PROBES], rank[PROBES]; /* keys whose ranks are known */
    int rising;                      /* how many of these ranks grow with the iterations */
    int up, down;                    /* which iteration leaves growing, and falling, ranks alone */
} Class;

/* Published with the reference implementation, for partial verification. */
static const Class kClasses[] = {
    {'S', 16, 11, 9, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}, 3, 0, 0},
    {'W',
     20,
     16,
     10,
     {357773, 934767, 875723, 898999, 404505},
     {1249, 11698, 1039987, 1043896, 1048018},
     2,
     2,
     0},
    {'A',
     23,
     19,
     10,
     {2112377, 662041, 5336171, 3642833, 4250760},
     {104, 17523, 123928, 8288932, 8388264},
     3,
     1,
     1},
};

typedef struct {
    const Class* class;
    int rank, ranks;
    int first, count; /* this rank's share of the unsorted keys */
    int* keys;
    int buckets, shift; /* a key's bucket is key >> shift */
    int *bucket_counts, *bucket_totals, *owners;
    int *outgoing, *sent, *send_counts, *send_starts; /* keys by bucket, and by target */
    int *incoming, *receive_counts, *receive_starts;
    int lowest, values;       /* of the keys that this rank's buckets hold */
    int received;             /* how many such keys there are */
    long before;              /* how many keys lie in lower buckets */
    int *histogram, *smaller; /* by key: how many; how many keys are smaller, of those here */
} Sort;

static void make_keys(Sort* sort) {
    uint64_t seed = NPB_SEED;
    npb_next(&seed, npb_power(NPB_MULTIPLIER, 4 * (uint64_t)sort->first));
    const double quarter = (double)(1 << sort->class->range_log2) / 4;
    for (int i = 0; i < sort->count; ++i) {
        double sum = 0;
        for (int k = 0; k < 4; ++k) sum += npb_next(&seed, NPB_MULTIPLIER);
        sort->keys[i] = (int)(quarter * sum);
    }
}

/* The two keys that the specification changes before each iteration. */
static void change_keys(Sort* sort, int iteration) {
    if (sort->rank != 0) return;
    sort->keys[iteration] = iteration;
    sort->keys[iteration + ITERATIONS] = (1 << sort->class->range_log2) - iteration;
}

/* Gives each rank buckets in order, until it has its share of the keys. */
static void share_buckets(Sort* sort) {
    const long total = 1L << sort->class->keys_log2;
    long sum = 0;
    sort->lowest = -1;
    sort->values = 0;
    sort->before = 0;
    for (int bucket = 0; bucket < sort->buckets; ++bucket) {
        int owner = (int)(sum * sort->ranks / total);
        if (owner >= sort->ranks) owner = sort->ranks - 1;
        sort->owners[bucket] = owner;
        if (owner < sort->rank) sort->before += sort->bucket_totals[bucket];
        if (owner == sort->rank) {
            if (sort->lowest < 0) sort->lowest = bucket << sort->shift;
            sort->values += 1 << sort->shift;
        }
        sum += sort->bucket_totals[bucket];
    }
}

/* Lays this rank's keys in order of their buckets, and so of the ranks that they go to. */
static void fill_outgoing(Sort* sort) {
    int start = 0;
    memset(sort->send_counts, 0, sizeof(int) * (size_t)sort->ranks);
    for (int bucket = 0; bucket < sort->buckets; ++bucket) {
        sort->sent[bucket] = start;
        start += sort->bucket_counts[bucket];
        sort->send_counts[sort->owners[bucket]] += sort->bucket_counts[bucket];
    }
    for (int i = 0; i < sort->count; ++i) {
        sort->outgoing[sort->sent[sort->keys[i] >> sort->shift]++] = sort->keys[i];
    }
}

static int starts_of(const int* counts, int* starts, int ranks) {
    int sum = 0;
    for (int i = 0; i < ranks; ++i) {
        starts[i] = sum;
        sum += counts[i];
    }
    return sum;
}

/* Ranks all keys: afterwards `smaller` has how many keys here are less than each value. */
static void rank_keys(Sort* sort) {
    memset(sort->bucket_counts, 0, sizeof(int) * (size_t)sort->buckets);
    for (int i = 0; i < sort->count; ++i) ++sort->bucket_counts[sort->keys[i] >> sort->shift];
    MPI_Allreduce(sort->bucket_counts, sort->bucket_totals, sort->buckets, MPI_INT, MPI_SUM,
                  MPI_COMM_WORLD);
    share_buckets(sort);
    fill_outgoing(sort);
    MPI_Alltoall(sort->send_counts, 1, MPI_INT, sort->receive_counts, 1, MPI_INT, MPI_COMM_WORLD);
    starts_of(sort->send_counts, sort->send_starts, sort->ranks);
    sort->received = starts_of(sort->receive_counts, sort->receive_starts, sort->ranks);
    free(sort->incoming);
    sort->incoming = (int*)allocate(sizeof(int) * (size_t)sort->received);
    MPI_Alltoallv(sort->outgoing, sort->send_counts, sort->send_starts, MPI_INT, sort->incoming,
                  sort->receive_counts, sort->receive_starts, MPI_INT, MPI_COMM_WORLD);
    memset(sort->histogram, 0, sizeof(int) * (size_t)sort->values);
    for (int i = 0; i < sort->received; ++i) ++sort->histogram[sort->incoming[i] - sort->lowest];
    starts_of(sort->histogram, sort->smaller, sort->values);
}

/* Returns how many of the known ranks came out wrong on this rank. */
static int wrong_probes(const Sort* sort, const int* probes, int iteration) {
    int wrong = 0;
    for (int i = 0; i < PROBES; ++i) {
        const int at = probes[i] - sort->lowest;
        if (at < 0 || at >= sort->values) continue;
        /* How many keys are less than the key: for equal keys, the rank of the first. */
        const long found = sort->before + sort->smaller[at];
        const Class* class = sort->class;
        const int moved = i < class->rising ? iteration - class->up : class->down - iteration;
        wrong += found != class->rank[i] + moved;
    }
    return wrong;
}

/* The keys at the known places, which lie on several ranks. */
static void read_probes(const Sort* sort, int* probes) {
    int mine[PROBES];
    for (int i = 0; i < PROBES; ++i) {
        const int at = sort->class->index[i] - sort->first;
        mine[i] = at >= 0 && at < sort->count ? sort->keys[at] : 0;
    }
    MPI_Allreduce(mine, probes, PROBES, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* Whether every key is on the rank that has its bucket, and none was lost. */
static int is_sorted(const Sort* sort) {
    long count = 0, all = 0;
    for (int i = 0; i < sort->received; ++i) {
        const int value = sort->incoming[i] - sort->lowest;
        count += value >= 0 && value < sort->values;
    }
    MPI_Allreduce(&count, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all == 1L << sort->class->keys_log2;
}

static void set_up(Sort* sort) {
    const Class* class = sort->class;
    sort->count = (1 << class->keys_log2) / sort->ranks;
    sort->first = sort->rank * sort->count;
    /* One more than the buckets of the range: the changed keys reach up to the range itself. */
    sort->buckets = (1 << class->buckets_log2) + 1;
    sort->shift = class->range_log2 - class->buckets_log2;
    const size_t buckets = sizeof(int) * (size_t)sort->buckets;
    const size_t ranks = sizeof(int) * (size_t)sort->ranks;
    const size_t values = buckets << sort->shift;
    sort->keys = (int*)allocate(sizeof(int) * (size_t)sort->count);
    sort->outgoing = (int*)allocate(sizeof(int) * (size_t)sort->count);
    int** const by_bucket[] = {&sort->bucket_counts, &sort->bucket_totals, &sort->owners,
                               &sort->sent};
    int** const by_rank[] = {&sort->send_counts, &sort->send_starts, &sort->receive_counts,
                             &sort->receive_starts};
    for (int i = 0; i < 4; ++i) {
        *by_bucket[i] = (int*)allocate(buckets);
        *by_rank[i] = (int*)allocate(ranks);
    }
    sort->histogram = (int*)allocate(values);
    sort->smaller = (int*)allocate(values);
    make_keys(sort);
}

static void free_sort(Sort* sort) {
    int* const blocks[] = {sort->keys,        sort->outgoing,      sort->bucket_counts,
                           sort->owners,      sort->bucket_totals, sort->sent,
                           sort->send_counts, sort->send_starts,   sort->receive_counts,
                           sort->histogram,   sort->smaller,       sort->receive_starts,
                           sort->incoming};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) free(blocks[i]);
}

int main(int argc, char** argv) {
    Sort sort = {0};
    int wrong = 0, all_wrong = 0, probes[PROBES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &sort.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &sort.ranks);
    const char letter = argc > 1 ? argv[1][0] : 'S';
    for (size_t i = 0; i < sizeof kClasses / sizeof *kClasses; ++i) {
        if (kClasses[i].letter == letter) sort.class = &kClasses[i];
    }
    require(sort.class != NULL, "usage: integer_sort [S | W | A]");
    require((sort.ranks & (sort.ranks - 1)) == 0 && sort.ranks <= (letter == 'S' ? 128 : 1024),
            "integer_sort: needs 2^n ranks, at most 128 (class S) or 1024 (W, A)");
    set_up(&sort);
    read_probes(&sort, probes);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int iteration = 1; iteration <= ITERATIONS; ++iteration) {
        change_keys(&sort, iteration);
        rank_keys(&sort);
        wrong += wrong_probes(&sort, probes, iteration);
    }
    report("integer_sort", start);
    wrong += !is_sorted(&sort);
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sort.rank == 0) {
        printf("integer_sort: class %c, %d known ranks: %s\n", letter, ITERATIONS * PROBES,
               all_wrong == 0 ? "VERIFIED" : "WRONG");
    }
    free_sort(&sort);
    MPI_Finalize();
    return all_wrong == 0 ? 0 : 1;
}
