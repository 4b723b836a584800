/* K-means clustering by Lloyd's algorithm [Lloyd82]: every iteration assigns each point to the
 * nearest centre, and an allreduce sums up where the new centres lie.
 *
 * Coordinates are whole numbers, so that sums do not depend on their order: rank 0 repeats the
 * whole computation alone, after the time is taken, and both must agree exactly.
 * Arguments: points, clusters, dimensions, iterations, and how far points lie from the middle of
 * their cluster, in percent of the range.
 *
 * Two words may stand anywhere. `float`: coordinates are summed up as floating-point numbers, which
 * messages may carry with errors; iterations end when no point has changed its cluster, and the
 * result is right if one point of a thousand, or fewer, is in another cluster than by whole
 * numbers. `error`: the share of points that are is printed, and whatever it is the program
 * succeeds.
 */
#include "npb_random.h"
#include "program.h"

#define RANGE 1048576.0 /* of coordinates; their squared distances are exact as int64 */

typedef struct {
    int points, clusters, dimensions, spread_percent;
    int in_floats;    /* how coordinates are summed up, and that iterations end by themselves */
    int first, count; /* of the points that are looked at here */
    int* coordinates; /* [point][dimension] */
    int* centres;     /* [cluster][dimension] */
    int* clusters_of; /* [point] */
    float* floats;    /* sums of coordinates, [cluster][dimension] */
    int64_t* sums;    /* [cluster][dimension], then how many points each cluster has, and how
                         many have changed their cluster */
} Clustering;

static size_t sums_count(const Clustering* c) {
    return (size_t)c->clusters * (size_t)(c->dimensions + 1);
}

/* Points lie around as many places as there are clusters, so that there is something to find. */
static void make_points(Clustering* c) {
    const double spread = c->spread_percent / 100.0;
    for (int i = 0; i < c->count; ++i) {
        const int point = c->first + i;
        uint64_t place = NPB_SEED, noise = NPB_SEED;
        const uint64_t dimensions = (uint64_t)c->dimensions;
        npb_next(&place, npb_power(NPB_MULTIPLIER, dimensions * (uint64_t)(point % c->clusters)));
        npb_next(&noise,
                 npb_power(NPB_MULTIPLIER, dimensions * ((uint64_t)c->clusters + (uint64_t)point)));
        for (int d = 0; d < c->dimensions; ++d) {
            const double at = (1 - spread) * npb_next(&place, NPB_MULTIPLIER);
            const double off = spread * npb_next(&noise, NPB_MULTIPLIER);
            c->coordinates[(size_t)i * (size_t)c->dimensions + (size_t)d] =
                (int)(RANGE * (at + off));
        }
    }
}

static Clustering make_clustering(const Clustering* shape, int first, int count) {
    Clustering c = *shape;
    const size_t dimensions = (size_t)c.dimensions;
    c.first = first;
    c.count = count;
    c.coordinates = (int*)allocate(sizeof(int) * (size_t)count * dimensions);
    c.centres = (int*)allocate(sizeof(int) * (size_t)c.clusters * dimensions);
    c.clusters_of = (int*)allocate(sizeof(int) * (size_t)count);
    c.floats = (float*)allocate(sizeof(float) * (size_t)c.clusters * dimensions);
    c.sums = (int64_t*)allocate(sizeof(int64_t) * (sums_count(&c) + 1));
    make_points(&c);
    return c;
}

static void free_clustering(Clustering* c) {
    free(c->coordinates);
    free(c->centres);
    free(c->clusters_of);
    free(c->floats);
    free(c->sums);
}

static int nearest(const Clustering* c, const int* point) {
    int64_t least = INT64_MAX;
    int best = 0;
    for (int cluster = 0; cluster < c->clusters; ++cluster) {
        const int* centre = c->centres + (size_t)cluster * (size_t)c->dimensions;
        int64_t distance = 0;
        for (int d = 0; d < c->dimensions; ++d) {
            const int64_t away = point[d] - centre[d];
            distance += away * away;
        }
        if (distance < least) {
            least = distance;
            best = cluster;
        }
    }
    return best;
}

static void assign(Clustering* c) {
    int64_t* counts = c->sums + (size_t)c->clusters * (size_t)c->dimensions;
    memset(c->sums, 0, sizeof(int64_t) * (sums_count(c) + 1));
    for (int i = 0; i < c->count; ++i) {
        const int* point = c->coordinates + (size_t)i * (size_t)c->dimensions;
        const int cluster = nearest(c, point);
        int64_t* sum = c->sums + (size_t)cluster * (size_t)c->dimensions;
        for (int d = 0; d < c->dimensions; ++d) sum[d] += point[d];
        ++counts[cluster];
        counts[c->clusters] += cluster != c->clusters_of[i];
        c->clusters_of[i] = cluster;
    }
}

/* Moves centres to the means; a cluster without points stays where it is. */
static void move_centres(Clustering* c) {
    const int64_t* counts = c->sums + (size_t)c->clusters * (size_t)c->dimensions;
    for (int cluster = 0; cluster < c->clusters; ++cluster) {
        if (counts[cluster] == 0) continue;
        for (int d = 0; d < c->dimensions; ++d) {
            const size_t at = (size_t)cluster * (size_t)c->dimensions + (size_t)d;
            c->centres[at] = (int)(c->sums[at] / counts[cluster]);
        }
    }
}

/* The same, where sums are floating-point numbers. A mean that lies nowhere is not one. */
static void sum_in_floats(Clustering* c, MPI_Comm communicator) {
    const int numbers = c->clusters * c->dimensions;
    int64_t* counts = c->sums + numbers;
    for (int i = 0; i < numbers; ++i) c->floats[i] = (float)c->sums[i];
    MPI_Allreduce(MPI_IN_PLACE, c->floats, numbers, MPI_FLOAT, MPI_SUM, communicator);
    MPI_Allreduce(MPI_IN_PLACE, counts, c->clusters + 1, MPI_INT64_T, MPI_SUM, communicator);
    for (int i = 0; i < numbers; ++i) {
        const float mean = c->floats[i] / (float)counts[i / c->dimensions];
        if (mean >= 0 && mean < RANGE) c->centres[i] = (int)mean;
    }
}

/* Runs the iterations over `communicator`, whose rank 0 has the first points: the first centres.
 * Returns how many there were. */
static int run(Clustering* c, int iterations, MPI_Comm communicator) {
    const int numbers = c->clusters * c->dimensions;
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    if (rank == 0) memcpy(c->centres, c->coordinates, sizeof(int) * (size_t)numbers);
    MPI_Bcast(c->centres, numbers, MPI_INT, 0, communicator);
    for (int i = 0; i < iterations; ++i) {
        assign(c);
        if (c->in_floats) {
            sum_in_floats(c, communicator);
            if (i > 0 && c->sums[sums_count(c)] == 0) return i + 1;
            continue;
        }
        MPI_Allreduce(MPI_IN_PLACE, c->sums, (int)sums_count(c), MPI_INT64_T, MPI_SUM,
                      communicator);
        move_centres(c);
    }
    return iterations;
}

/* The share of points of all ranks that are in another cluster than by the centres of rank 0. */
static double share_elsewhere(const Clustering* mine, Clustering* whole) {
    const int numbers = mine->clusters * mine->dimensions;
    const size_t dimensions = (size_t)mine->dimensions;
    int64_t here = 0, all = 0;
    MPI_Bcast(whole->centres, numbers, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < mine->count; ++i) {
        const int* point = mine->coordinates + (size_t)i * dimensions;
        here += nearest(whole, point) != nearest(mine, point);
    }
    MPI_Allreduce(&here, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return (double)all / mine->points;
}

/* Prints how the result compares with that of rank 0 alone; returns whether it is right. */
static int check(const Clustering* mine, const Clustering* shape, int iterations, int taken,
                 int tells_error) {
    int rank = 0, right = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Clustering alone = *shape;
    alone.in_floats = 0;
    Clustering whole = make_clustering(&alone, 0, rank == 0 ? shape->points : 0);
    if (rank == 0) run(&whole, iterations, MPI_COMM_SELF);
    if (shape->in_floats) {
        const double share = share_elsewhere(mine, &whole);
        right = share <= 1e-3;
        if (rank == 0) {
            printf("k_means: %d iterations, %.6f of %d points in another cluster: %s\n", taken,
                   share, shape->points, right ? "VERIFIED" : "WRONG");
            if (tells_error) printf("k_means: error %.6e\n", share);
        }
    } else {
        const size_t bytes = sizeof(int) * (size_t)(shape->clusters * shape->dimensions);
        if (rank == 0) {
            right = memcmp(mine->centres, whole.centres, bytes) == 0;
            printf("k_means: %d centres of %d points: %s\n", shape->clusters, shape->points,
                   right ? "VERIFIED" : "WRONG");
        }
        MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    free_clustering(&whole);
    return right;
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int in_floats = take_word(&argc, argv, "float");
    const int tells_error = take_word(&argc, argv, "error");
    const Clustering shape = {.points = (int)argument(argc, argv, 1, 65536),
                              .clusters = (int)argument(argc, argv, 2, 16),
                              .dimensions = (int)argument(argc, argv, 3, 4),
                              .spread_percent = (int)argument(argc, argv, 5, 10),
                              .in_floats = in_floats};
    const int iterations = (int)argument(argc, argv, 4, 20);
    require(shape.clusters > 0 && shape.dimensions > 0 && iterations > 0 &&
                shape.spread_percent >= 0 && shape.spread_percent <= 100 &&
                shape.points / ranks >= shape.clusters,
            "usage: k_means [points [clusters [dimensions [iterations [percent]]]]] [float] "
            "[error], with at least as many points on each rank as clusters");
    require(in_floats || !tells_error, "k_means: error needs float");
    const int first = (int)((long)shape.points * rank / ranks);
    const int end = (int)((long)shape.points * (rank + 1) / ranks);
    Clustering mine = make_clustering(&shape, first, end - first);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    const int taken = run(&mine, iterations, MPI_COMM_WORLD);
    report("k_means", start);
    const int right = check(&mine, &shape, iterations, taken, tells_error);
    free_clustering(&mine);
    MPI_Finalize();
    return tells_error || right ? 0 : 1;
}
