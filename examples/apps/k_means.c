/* K-means clustering by Lloyd's algorithm [Lloyd82]: every iteration assigns each point to the
 * nearest centre, and an allreduce sums up where the new centres lie.
 *
 * Coordinates are whole numbers, so that sums do not depend on who adds them up: rank 0 repeats the
 * whole computation alone, after the time is taken, and both must agree exactly.
 * Arguments: points, clusters, dimensions, iterations.
 */
#include "npb_random.h"
#include "program.h"

#define RANGE 1048576.0 /* of coordinates; their squared distances are exact as int64 */

typedef struct {
    int points, clusters, dimensions;
    int first, count; /* of the points that are looked at here */
    int* coordinates; /* [point][dimension] */
    int* centres;     /* [cluster][dimension] */
    int64_t* sums;    /* [cluster][dimension], then how many points each cluster has */
} Clustering;

static size_t sums_count(const Clustering* c) {
    return (size_t)c->clusters * (size_t)(c->dimensions + 1);
}

/* Points lie around as many places as there are clusters, so that there is something to find. */
static void make_points(Clustering* c) {
    for (int i = 0; i < c->count; ++i) {
        const int point = c->first + i;
        uint64_t place = NPB_SEED, noise = NPB_SEED;
        const uint64_t dimensions = (uint64_t)c->dimensions;
        npb_next(&place, npb_power(NPB_MULTIPLIER, dimensions * (uint64_t)(point % c->clusters)));
        npb_next(&noise,
                 npb_power(NPB_MULTIPLIER, dimensions * ((uint64_t)c->clusters + (uint64_t)point)));
        for (int d = 0; d < c->dimensions; ++d) {
            const double at = 0.9 * npb_next(&place, NPB_MULTIPLIER);
            const double off = 0.1 * npb_next(&noise, NPB_MULTIPLIER);
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
    c.sums = (int64_t*)allocate(sizeof(int64_t) * sums_count(&c));
    make_points(&c);
    return c;
}

static void free_clustering(Clustering* c) {
    free(c->coordinates);
    free(c->centres);
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
    memset(c->sums, 0, sizeof(int64_t) * sums_count(c));
    for (int i = 0; i < c->count; ++i) {
        const int* point = c->coordinates + (size_t)i * (size_t)c->dimensions;
        const int cluster = nearest(c, point);
        int64_t* sum = c->sums + (size_t)cluster * (size_t)c->dimensions;
        for (int d = 0; d < c->dimensions; ++d) sum[d] += point[d];
        ++counts[cluster];
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

/* Runs the iterations over `communicator`, whose rank 0 has the first points: the first centres. */
static void run(Clustering* c, int iterations, MPI_Comm communicator) {
    const int numbers = c->clusters * c->dimensions;
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    if (rank == 0) memcpy(c->centres, c->coordinates, sizeof(int) * (size_t)numbers);
    MPI_Bcast(c->centres, numbers, MPI_INT, 0, communicator);
    for (int i = 0; i < iterations; ++i) {
        assign(c);
        MPI_Allreduce(MPI_IN_PLACE, c->sums, (int)sums_count(c), MPI_INT64_T, MPI_SUM,
                      communicator);
        move_centres(c);
    }
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 0, right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Clustering shape = {.points = (int)argument(argc, argv, 1, 65536),
                              .clusters = (int)argument(argc, argv, 2, 16),
                              .dimensions = (int)argument(argc, argv, 3, 4)};
    const int iterations = (int)argument(argc, argv, 4, 20);
    require(shape.clusters > 0 && shape.dimensions > 0 && iterations > 0 &&
                shape.points / ranks >= shape.clusters,
            "usage: k_means [points [clusters [dimensions [iterations]]]], with at least as many "
            "points on each rank as clusters");
    const int first = (int)((long)shape.points * rank / ranks);
    const int end = (int)((long)shape.points * (rank + 1) / ranks);
    Clustering mine = make_clustering(&shape, first, end - first);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    run(&mine, iterations, MPI_COMM_WORLD);
    report("k_means", start);
    if (rank == 0) {
        Clustering whole = make_clustering(&shape, 0, shape.points);
        run(&whole, iterations, MPI_COMM_SELF);
        const size_t bytes = sizeof(int) * (size_t)(shape.clusters * shape.dimensions);
        right = memcmp(mine.centres, whole.centres, bytes) == 0;
        printf("k_means: %d centres of %d points: %s\n", shape.clusters, shape.points,
               right ? "VERIFIED" : "WRONG");
        free_clustering(&whole);
    }
    MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free_clustering(&mine);
    MPI_Finalize();
    return right ? 0 : 1;
}
