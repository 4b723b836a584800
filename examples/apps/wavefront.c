/* A sweep of discrete ordinates, as in neutron transport: wavefronts over a grid of ranks [Koch92].
 *
 * The cube of n x n x n cells lies on a grid of ranks along x and y. For each octant of directions
 * a wave starts in one corner: a rank takes the inflow of a block of planes from two neighbours,
 * computes the block and sends the outflow to two others. Scattering is iterated.
 *
 * It checks itself: source and inflow are those of a flux that grows linearly along x, y and z.
 * Diamond differences are exact for it, so the iterations must approach it at a known rate.
 * Arguments: cells along a side, planes in a block, iterations.
 */
#include <math.h>

#include "program.h"

#define ANGLES 3 /* directions in an octant: level-symmetric S4, all of equal weight */

static const double kCosines[ANGLES][3] = {{0.3500212, 0.3500212, 0.8688903},
                                           {0.3500212, 0.8688903, 0.3500212},
                                           {0.8688903, 0.3500212, 0.3500212}};
static const double kWeight = 1.0 / (8 * ANGLES);
static const double kTotal = 1.0, kScattering = 0.2; /* cross sections; the cube's side is 1 */
static const double kSlopes[3] = {1.0, 0.5, 0.25};   /* of the exact flux along x, y and z */

typedef struct {
    int cells, block, iterations;
    int parts[2], place[2]; /* the grid of ranks along x and y, and this rank's place */
    int first[2], count[2]; /* its cells */
    double *flux, *next;    /* [z][y][x]: of the last iteration and of this one */
    double* inflow[3];      /* into the next cell: [plane][y], [plane][x] and [y][x], [angle] */
} Sweep;

/* The wave of one octant: where its cells begin along each axis, and which way they go. */
typedef struct {
    int step[3]; /* +1 or -1 */
    int upstream[2], downstream[2];
} Wave;

static double exact(double x, double y, double z) {
    return 1 + kSlopes[0] * x + kSlopes[1] * y + kSlopes[2] * z;
}

static double middle(const Sweep* sweep, int cell) { return (cell + 0.5) / sweep->cells; }

/* The `index`-th of `count` cells in the order of the wave. */
static int in_order(int index, int count, int step) { return step > 0 ? index : count - 1 - index; }

static int neighbour(const Sweep* sweep, int axis, int step) {
    int at[2] = {sweep->place[0], sweep->place[1]};
    at[axis] += step;
    if (at[axis] < 0 || at[axis] >= sweep->parts[axis]) return MPI_PROC_NULL;
    return at[1] * sweep->parts[0] + at[0];
}

static Wave make_wave(const Sweep* sweep, int octant) {
    Wave wave;
    for (int axis = 0; axis < 3; ++axis) wave.step[axis] = octant >> axis & 1 ? -1 : 1;
    for (int axis = 0; axis < 2; ++axis) {
        wave.upstream[axis] = neighbour(sweep, axis, -wave.step[axis]);
        wave.downstream[axis] = neighbour(sweep, axis, wave.step[axis]);
    }
    return wave;
}

/* The inflow of `planes` planes from the side `axis`: from a neighbour, or from the outside. */
static void get_inflow(Sweep* sweep, const Wave* wave, int axis, int begin, int planes) {
    const int across = sweep->count[1 - axis];
    double* inflow = sweep->inflow[axis];
    if (wave->upstream[axis] != MPI_PROC_NULL) {
        MPI_Recv(inflow, planes * across * ANGLES, MPI_DOUBLE, wave->upstream[axis], axis,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    double at[3];
    at[axis] = wave->step[axis] > 0 ? 0 : 1;
    for (int plane = 0; plane < planes; ++plane) {
        at[2] = middle(sweep, in_order(begin + plane, sweep->cells, wave->step[2]));
        for (int i = 0; i < across; ++i) {
            at[1 - axis] = middle(sweep, sweep->first[1 - axis] + i);
            for (int angle = 0; angle < ANGLES; ++angle) *inflow++ = exact(at[0], at[1], at[2]);
        }
    }
}

static void fill_inflow_along_z(Sweep* sweep, const Wave* wave) {
    double* inflow = sweep->inflow[2];
    for (int j = 0; j < sweep->count[1]; ++j) {
        for (int i = 0; i < sweep->count[0]; ++i) {
            const double flux =
                exact(middle(sweep, sweep->first[0] + i), middle(sweep, sweep->first[1] + j),
                      wave->step[2] > 0 ? 0 : 1);
            for (int angle = 0; angle < ANGLES; ++angle) *inflow++ = flux;
        }
    }
}

/* One cell: the outflow takes the place of the inflow; returns the sum over directions. */
static double compute_cell(const Wave* wave, double width, double emission, double* x, double* y,
                           double* z) {
    double sum = 0;
    for (int angle = 0; angle < ANGLES; ++angle) {
        const double* cosines = kCosines[angle];
        const double along_x = 2 * cosines[0] / width, along_y = 2 * cosines[1] / width;
        const double along_z = 2 * cosines[2] / width;
        const double source = emission + wave->step[0] * cosines[0] * kSlopes[0] +
                              wave->step[1] * cosines[1] * kSlopes[1] +
                              wave->step[2] * cosines[2] * kSlopes[2];
        const double flux =
            (source + along_x * x[angle] + along_y * y[angle] + along_z * z[angle]) /
            (kTotal + along_x + along_y + along_z);
        x[angle] = 2 * flux - x[angle];
        y[angle] = 2 * flux - y[angle];
        z[angle] = 2 * flux - z[angle];
        sum += flux;
    }
    return kWeight * sum;
}

static void compute_plane(Sweep* sweep, const Wave* wave, int plane, int z) {
    const int columns = sweep->count[0], rows = sweep->count[1];
    const double width = 1.0 / sweep->cells;
    for (int row = 0; row < rows; ++row) {
        const int j = in_order(row, rows, wave->step[1]);
        double* from_x = sweep->inflow[0] + (plane * rows + j) * ANGLES;
        for (int column = 0; column < columns; ++column) {
            const int i = in_order(column, columns, wave->step[0]);
            const size_t cell =
                ((size_t)z * (size_t)rows + (size_t)j) * (size_t)columns + (size_t)i;
            const double here = exact(middle(sweep, sweep->first[0] + i),
                                      middle(sweep, sweep->first[1] + j), middle(sweep, z));
            const double emission = kScattering * sweep->flux[cell] + (kTotal - kScattering) * here;
            sweep->next[cell] += compute_cell(wave, width, emission, from_x,
                                              sweep->inflow[1] + (plane * columns + i) * ANGLES,
                                              sweep->inflow[2] + (j * columns + i) * ANGLES);
        }
    }
}

static void sweep_octant(Sweep* sweep, int octant) {
    const Wave wave = make_wave(sweep, octant);
    fill_inflow_along_z(sweep, &wave);
    for (int begin = 0; begin < sweep->cells; begin += sweep->block) {
        const int left = sweep->cells - begin;
        const int planes = left < sweep->block ? left : sweep->block;
        for (int axis = 0; axis < 2; ++axis) get_inflow(sweep, &wave, axis, begin, planes);
        for (int plane = 0; plane < planes; ++plane) {
            compute_plane(sweep, &wave, plane, in_order(begin + plane, sweep->cells, wave.step[2]));
        }
        for (int axis = 0; axis < 2; ++axis) {
            MPI_Send(sweep->inflow[axis], planes * sweep->count[1 - axis] * ANGLES, MPI_DOUBLE,
                     wave.downstream[axis], axis, MPI_COMM_WORLD);
        }
    }
}

/* The largest difference of any rank's flux from the exact one. */
static double error_of(const Sweep* sweep) {
    double worst = 0, all = 0;
    const double* flux = sweep->flux;
    for (int z = 0; z < sweep->cells; ++z) {
        for (int j = 0; j < sweep->count[1]; ++j) {
            for (int i = 0; i < sweep->count[0]; ++i) {
                const double here = exact(middle(sweep, sweep->first[0] + i),
                                          middle(sweep, sweep->first[1] + j), middle(sweep, z));
                worst = fmax(worst, fabs(*flux++ - here));
            }
        }
    }
    MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static void set_up(Sweep* sweep, int rank, int ranks) {
    MPI_Dims_create(ranks, 2, sweep->parts);
    require(sweep->cells >= sweep->parts[0] && sweep->block > 0 && sweep->iterations > 0,
            "usage: wavefront [cells along a side [planes in a block [iterations]]], with at "
            "least as many cells as ranks along a side");
    sweep->place[0] = rank % sweep->parts[0];
    sweep->place[1] = rank / sweep->parts[0];
    for (int axis = 0; axis < 2; ++axis) {
        const int parts = sweep->parts[axis], place = sweep->place[axis];
        sweep->first[axis] = sweep->cells * place / parts;
        sweep->count[axis] = sweep->cells * (place + 1) / parts - sweep->first[axis];
    }
    const size_t columns = (size_t)sweep->count[0], rows = (size_t)sweep->count[1];
    const size_t face = sizeof(double) * ANGLES * (size_t)sweep->block;
    sweep->flux = (double*)allocate(sizeof(double) * columns * rows * (size_t)sweep->cells);
    sweep->next = (double*)allocate(sizeof(double) * columns * rows * (size_t)sweep->cells);
    sweep->inflow[0] = (double*)allocate(face * rows);
    sweep->inflow[1] = (double*)allocate(face * columns);
    sweep->inflow[2] = (double*)allocate(sizeof(double) * ANGLES * columns * rows);
}

static void iterate(Sweep* sweep) {
    const size_t cells = (size_t)sweep->cells * (size_t)(sweep->count[0] * sweep->count[1]);
    for (int iteration = 0; iteration < sweep->iterations; ++iteration) {
        memset(sweep->next, 0, sizeof(double) * cells);
        for (int octant = 0; octant < 8; ++octant) sweep_octant(sweep, octant);
        double* last = sweep->flux;
        sweep->flux = sweep->next;
        sweep->next = last;
    }
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Sweep sweep = {.cells = (int)argument(argc, argv, 1, 48),
                   .block = (int)argument(argc, argv, 2, 8),
                   .iterations = (int)argument(argc, argv, 3, 10)};
    set_up(&sweep, rank, ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    iterate(&sweep);
    report("wavefront", start);
    /* Each iteration leaves at most the share of particles that scatter of the error. */
    const double allowed = pow(kScattering / kTotal, sweep.iterations) * exact(1, 1, 1) + 1e-12;
    const double error = error_of(&sweep);
    const int right = error <= allowed;
    if (rank == 0) {
        printf("wavefront: largest error %.3e of %.3e allowed: %s\n", error, allowed,
               right ? "VERIFIED" : "WRONG");
    }
    free(sweep.flux);
    free(sweep.next);
    for (int axis = 0; axis < 3; ++axis) free(sweep.inflow[axis]);
    MPI_Finalize();
    return right ? 0 : 1;
}
