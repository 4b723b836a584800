/* Heat spreading over a square plate: Jacobi steps on a grid that is split into tiles, one a rank.
 *
 * Each step exchanges the tiles' edges with four neighbours; every `kCheckEvery` steps an allreduce
 * sums the heat that is left. The start is the product of two sine waves, which the discrete
 * equation only makes smaller, by the same known factor each step. So the exact answer is known and
 * the program checks itself. An ordinary MPI program: it knows nothing of Kumihimo.
 *
 * Usage: heat [side of the grid] [steps]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const double kPi = 3.14159265358979323846;
static const double kDiffusion = 0.25; /* of a cell's difference, to each neighbour, each step */
static const int kCheckEvery = 20;

typedef struct {
    int side;          /* inner points along one side of the whole plate */
    int rows, columns; /* of this rank's tile */
    int row0, column0; /* its first point in the plate */
    double* now;       /* (rows + 2) x (columns + 2): the tile with a frame of neighbours' points */
    double* next;
    MPI_Comm grid;
    int up, down, left, right;
    MPI_Datatype column; /* one column of the tile */
} Tile;

static double* at(const Tile* tile, double* values, int row, int column) {
    return &values[(size_t)row * (size_t)(tile->columns + 2) + (size_t)column];
}

/* The first of `side` points that part `index` of `parts` holds; parts differ by one at most. */
static int first_point(int side, int parts, int index) { return (int)((long)side * index / parts); }

static double sine(const Tile* tile, int point) {
    return sin(kPi * (point + 1) / (tile->side + 1));
}

static void make_tile(Tile* tile, int side, int ranks) {
    int parts[2] = {0, 0}, periodic[2] = {0, 0}, place[2], rank = 0;
    MPI_Dims_create(ranks, 2, parts);
    MPI_Cart_create(MPI_COMM_WORLD, 2, parts, periodic, 0, &tile->grid);
    MPI_Comm_rank(tile->grid, &rank);
    MPI_Cart_coords(tile->grid, rank, 2, place);
    MPI_Cart_shift(tile->grid, 0, 1, &tile->up, &tile->down);
    MPI_Cart_shift(tile->grid, 1, 1, &tile->left, &tile->right);
    tile->side = side;
    tile->row0 = first_point(side, parts[0], place[0]);
    tile->rows = first_point(side, parts[0], place[0] + 1) - tile->row0;
    tile->column0 = first_point(side, parts[1], place[1]);
    tile->columns = first_point(side, parts[1], place[1] + 1) - tile->column0;
    const size_t points = (size_t)(tile->rows + 2) * (size_t)(tile->columns + 2);
    tile->now = calloc(points, sizeof(double));
    tile->next = calloc(points, sizeof(double));
    if (tile->now == NULL || tile->next == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 1; i <= tile->rows; ++i) {
        for (int j = 1; j <= tile->columns; ++j) {
            *at(tile, tile->now, i, j) =
                sine(tile, tile->row0 + i - 1) * sine(tile, tile->column0 + j - 1);
        }
    }
    MPI_Type_vector(tile->rows, 1, tile->columns + 2, MPI_DOUBLE, &tile->column);
    MPI_Type_commit(&tile->column);
}

static void free_tile(Tile* tile) {
    MPI_Type_free(&tile->column);
    MPI_Comm_free(&tile->grid);
    free(tile->now);
    free(tile->next);
}

static void exchange_edges(Tile* tile) {
    const int rows = tile->rows, columns = tile->columns;
    double* now = tile->now;
    MPI_Request requests[8];
    MPI_Irecv(at(tile, now, 0, 1), columns, MPI_DOUBLE, tile->up, 0, tile->grid, &requests[0]);
    MPI_Irecv(at(tile, now, rows + 1, 1), columns, MPI_DOUBLE, tile->down, 1, tile->grid,
              &requests[1]);
    MPI_Irecv(at(tile, now, 1, 0), 1, tile->column, tile->left, 2, tile->grid, &requests[2]);
    MPI_Irecv(at(tile, now, 1, columns + 1), 1, tile->column, tile->right, 3, tile->grid,
              &requests[3]);
    MPI_Isend(at(tile, now, rows, 1), columns, MPI_DOUBLE, tile->down, 0, tile->grid, &requests[4]);
    MPI_Isend(at(tile, now, 1, 1), columns, MPI_DOUBLE, tile->up, 1, tile->grid, &requests[5]);
    MPI_Isend(at(tile, now, 1, columns), 1, tile->column, tile->right, 2, tile->grid, &requests[6]);
    MPI_Isend(at(tile, now, 1, 1), 1, tile->column, tile->left, 3, tile->grid, &requests[7]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

static void step(Tile* tile) {
    exchange_edges(tile);
    for (int i = 1; i <= tile->rows; ++i) {
        for (int j = 1; j <= tile->columns; ++j) {
            const double centre = *at(tile, tile->now, i, j);
            const double around = *at(tile, tile->now, i - 1, j) + *at(tile, tile->now, i + 1, j) +
                                  *at(tile, tile->now, i, j - 1) + *at(tile, tile->now, i, j + 1);
            *at(tile, tile->next, i, j) = centre + kDiffusion * (around - 4 * centre);
        }
    }
    double* swapped = tile->now;
    tile->now = tile->next;
    tile->next = swapped;
}

static double total_heat(Tile* tile) {
    double mine = 0, all = 0;
    for (int i = 1; i <= tile->rows; ++i) {
        for (int j = 1; j <= tile->columns; ++j) mine += *at(tile, tile->now, i, j);
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, tile->grid);
    return all;
}

/* The largest difference from the exact answer of the discrete equation after `steps`. */
static double largest_error(Tile* tile, int steps) {
    const double wave = sin(kPi / (2 * (tile->side + 1)));
    const double factor = pow(1 - 8 * kDiffusion * wave * wave, steps);
    double mine = 0, all = 0;
    for (int i = 1; i <= tile->rows; ++i) {
        for (int j = 1; j <= tile->columns; ++j) {
            const double exact =
                factor * sine(tile, tile->row0 + i - 1) * sine(tile, tile->column0 + j - 1);
            mine = fmax(mine, fabs(*at(tile, tile->now, i, j) - exact));
        }
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, tile->grid);
    return all;
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int side = argc > 1 ? atoi(argv[1]) : 512;
    const int steps = argc > 2 ? atoi(argv[2]) : 100;
    if (side < ranks || steps < 1) {
        if (rank == 0) fprintf(stderr, "heat: the grid needs %d points a side or more\n", ranks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    Tile tile;
    make_tile(&tile, side, ranks);
    const double before = total_heat(&tile);
    const double start = MPI_Wtime();
    double after = before;
    for (int i = 1; i <= steps; ++i) {
        step(&tile);
        if (i % kCheckEvery == 0 || i == steps) after = total_heat(&tile);
    }
    const double seconds = MPI_Wtime() - start;
    const double error = largest_error(&tile, steps);
    if (rank == 0) {
        printf("heat: %d x %d points on %d ranks, %d steps in %.6f s by MPI_Wtime\n", side, side,
               ranks, steps, seconds);
        printf("heat: %.4f %% of the heat is left, largest error %.1e: %s\n", 100 * after / before,
               error, error < 1e-12 ? "VERIFIED" : "WRONG");
    }
    free_tile(&tile);
    MPI_Finalize();
    return error < 1e-12 ? 0 : 1;
}
