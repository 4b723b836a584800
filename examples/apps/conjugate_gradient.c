/* The kernel CG of the NAS Parallel Benchmarks, written anew from its specification [Bailey94]:
 * the smallest eigenvalue of a sparse matrix by inverse iteration, 25 steps of conjugate gradients
 * for each solution.
 *
 * The matrix lies on a grid of ranks, a power of two of them, as wide as it is high or twice as
 * wide. Rank (r, c) multiplies its block with segment c of the vector; sums over the row by
 * recursive doubling give the rows' segment r of the product. The rank that needs a part of that
 * for its own segment of the vector has segment c: they exchange. Argument: class S, W or A.
 *
 * Two words may follow. `agree`: the first rank of each row sends the row's sum to the others, so
 * that all have the same, even where the sums of some arrived with errors. `error`: the error of
 * the eigenvalue is printed, and whatever it is the program succeeds.
 */
#include <math.h>

#include "npb_random.h"
#include "program.h"

#define SOLVER_STEPS 25

typedef struct {
    char letter;
    int order, nonzeros, iterations;
    double shift, zeta;
} Class;

static const Class kClasses[] = {
    {'S', 1400, 7, 15, 10.0, 8.5971775078648},
    {'W', 7000, 8, 15, 12.0, 10.362595087124},
    {'A', 14000, 11, 15, 20.0, 17.130235054029},
};

typedef struct {
    int row, column;
    double value;
} Entry;

typedef struct {
    int rows, columns, row, column; /* the grid of ranks, and this rank's place in it */
    int order;
    int row_first, row_count, column_first, column_count;
    int* starts; /* compressed rows of this rank's block */
    int* places;
    double* values;
    MPI_Comm agree;  /* this rank's row of the grid, if its ranks are to agree */
    double* partial; /* of the product, and what another rank sends of it */
    double* incoming;
} Problem;

static int first_of(int order, int parts, int part) { return (int)((long)order * part / parts); }

/* A sparse vector with `nonzeros` random places and values, then 0.5 at `place`; returns its size.
 */
static int random_vector(uint64_t* seed, int order, int nonzeros, int place, double* values,
                         int* places) {
    int count = 0, power = 1;
    while (power < order) power *= 2;
    while (count < nonzeros) {
        const double value = npb_next(seed, NPB_MULTIPLIER);
        const int at = (int)(power * npb_next(seed, NPB_MULTIPLIER));
        int known = at >= order;
        for (int i = 0; i < count && !known; ++i) known = places[i] == at;
        if (known) continue;
        values[count] = value;
        places[count++] = at;
    }
    for (int i = 0; i < count; ++i) {
        if (places[i] == place) {
            values[i] = 0.5;
            return count;
        }
    }
    values[count] = 0.5;
    places[count] = place;
    return count + 1;
}

static int compare_entries(const void* a, const void* b) {
    const Entry *left = (const Entry*)a, *right = (const Entry*)b;
    if (left->row != right->row) return left->row < right->row ? -1 : 1;
    return (left->column > right->column) - (left->column < right->column);
}

static void compress(Problem* problem, Entry* entries, size_t count) {
    qsort(entries, count, sizeof *entries, compare_entries);
    problem->starts = (int*)allocate(sizeof(int) * (size_t)(problem->row_count + 1));
    problem->places = (int*)allocate(sizeof(int) * count);
    problem->values = (double*)allocate(sizeof(double) * count);
    int last = -1, row = 0;
    for (size_t i = 0; i < count; ++i) {
        const int same = i > 0 && compare_entries(&entries[i - 1], &entries[i]) == 0;
        if (same) {
            problem->values[last] += entries[i].value;
            continue;
        }
        ++last;
        while (row < entries[i].row) problem->starts[++row] = last;
        problem->places[last] = entries[i].column;
        problem->values[last] = entries[i].value;
    }
    while (row < problem->row_count) problem->starts[++row] = last + 1;
}

/* The sum of weighted outer products of random vectors; only this rank's block is kept. */
static void make_matrix(Problem* problem, const Class* class) {
    const double condition = 0.1, ratio = pow(condition, 1.0 / class->order);
    double weight = 1, vector[16];
    int places[16];
    size_t count = 0, room = 4096;
    Entry* entries = (Entry*)allocate(sizeof *entries * room);
    uint64_t seed = NPB_SEED;
    npb_next(&seed, NPB_MULTIPLIER);
    for (int k = 0; k < class->order; ++k, weight *= ratio) {
        const int size = random_vector(&seed, class->order, class->nonzeros, k, vector, places);
        for (int i = 0; i < size; ++i) {
            const int row = places[i] - problem->row_first;
            if (row < 0 || row >= problem->row_count) continue;
            for (int j = 0; j < size; ++j) {
                const int column = places[j] - problem->column_first;
                if (column < 0 || column >= problem->column_count) continue;
                double value = weight * vector[i] * vector[j];
                if (places[i] == k && places[j] == k) value += condition - class->shift;
                if (count == room)
                    entries = (Entry*)realloc(entries, sizeof *entries * (room *= 2));
                if (entries == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
                entries[count++] = (Entry){row, column, value};
            }
        }
    }
    compress(problem, entries, count);
    free(entries);
}

/* Sums `count` values over this rank's row of the grid, by recursive doubling. */
static void sum_over_row(const Problem* problem, double* values, double* incoming, int count) {
    for (int distance = 1; distance < problem->columns; distance *= 2) {
        const int partner = problem->row * problem->columns + (problem->column ^ distance);
        MPI_Sendrecv(values, count, MPI_DOUBLE, partner, 1, incoming, count, MPI_DOUBLE, partner, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        /* Adding commutes: both partners get the same sum to the last bit. */
        for (int i = 0; i < count; ++i) values[i] += incoming[i];
    }
}

static double dot(const Problem* problem, const double* a, const double* b) {
    double sum = 0, incoming = 0;
    for (int i = 0; i < problem->column_count; ++i) sum += a[i] * b[i];
    sum_over_row(problem, &sum, &incoming, 1);
    return sum;
}

/* result = matrix * vector, both distributed by columns of the grid. */
static void multiply(Problem* problem, const double* vector, double* result) {
    for (int row = 0; row < problem->row_count; ++row) {
        double sum = 0;
        for (int i = problem->starts[row]; i < problem->starts[row + 1]; ++i) {
            sum += problem->values[i] * vector[problem->places[i]];
        }
        problem->partial[row] = sum;
    }
    sum_over_row(problem, problem->partial, problem->incoming, problem->row_count);
    if (problem->agree != MPI_COMM_NULL) {
        MPI_Bcast(problem->partial, problem->row_count, MPI_DOUBLE, 0, problem->agree);
    }
    /* On a wide grid this rank's segment of the vector is one half of the segment of a row. */
    const int wide = problem->columns / problem->rows;
    const int half = problem->column % wide;
    const int partner_row = problem->column / wide;
    const int partner_column = wide * problem->row + half;
    const int from = first_of(problem->order, problem->columns, partner_column);
    const int count = first_of(problem->order, problem->columns, partner_column + 1) - from;
    const double* out = problem->partial + (from - problem->row_first);
    if (partner_row == problem->row) {
        memcpy(result, out, sizeof(double) * (size_t)count);
        return;
    }
    const int partner = partner_row * problem->columns + partner_column;
    MPI_Sendrecv(out, count, MPI_DOUBLE, partner, 2, result, problem->column_count, MPI_DOUBLE,
                 partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Solves matrix * z = x approximately; p, q and r are room for vectors. */
static void solve(Problem* problem, const double* x, double* z, double* p, double* q, double* r) {
    const int count = problem->column_count;
    for (int i = 0; i < count; ++i) {
        z[i] = 0;
        p[i] = r[i] = x[i];
    }
    double rho = dot(problem, r, r);
    for (int step = 0; step < SOLVER_STEPS; ++step) {
        multiply(problem, p, q);
        const double alpha = rho / dot(problem, p, q);
        for (int i = 0; i < count; ++i) {
            z[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        const double before = rho;
        rho = dot(problem, r, r);
        for (int i = 0; i < count; ++i) p[i] = r[i] + rho / before * p[i];
    }
}

static double power_iterations(Problem* problem, const Class* class, int iterations) {
    const size_t bytes = sizeof(double) * (size_t)(problem->column_count + 1);
    double* vectors[5];
    for (int i = 0; i < 5; ++i) vectors[i] = (double*)allocate(bytes);
    double *x = vectors[0], *z = vectors[1], zeta = 0;
    for (int i = 0; i < problem->column_count; ++i) x[i] = 1;
    for (int k = 0; k < iterations; ++k) {
        solve(problem, x, z, vectors[2], vectors[3], vectors[4]);
        zeta = class->shift + 1 / dot(problem, x, z);
        const double length = sqrt(dot(problem, z, z));
        for (int i = 0; i < problem->column_count; ++i) x[i] = z[i] / length;
    }
    for (int i = 0; i < 5; ++i) free(vectors[i]);
    return zeta;
}

static void set_up(Problem* problem, const Class* class, int rank, int ranks) {
    while (problem->rows * problem->columns < ranks) {
        if (problem->columns > problem->rows) {
            problem->rows *= 2;
        } else {
            problem->columns *= 2;
        }
    }
    require(problem->rows * problem->columns == ranks, "conjugate_gradient: needs 2^n ranks");
    problem->order = class->order;
    problem->row = rank / problem->columns;
    problem->column = rank % problem->columns;
    problem->row_first = first_of(class->order, problem->rows, problem->row);
    problem->row_count =
        first_of(class->order, problem->rows, problem->row + 1) - problem->row_first;
    problem->column_first = first_of(class->order, problem->columns, problem->column);
    problem->column_count =
        first_of(class->order, problem->columns, problem->column + 1) - problem->column_first;
    problem->partial = (double*)allocate(sizeof(double) * (size_t)problem->row_count);
    problem->incoming = (double*)allocate(sizeof(double) * (size_t)problem->row_count);
    make_matrix(problem, class);
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 0, right = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int agrees = take_word(&argc, argv, "agree");
    const int tells_error = take_word(&argc, argv, "error");
    const char letter = argc > 1 ? argv[1][0] : 'S';
    const Class* class = NULL;
    for (size_t i = 0; i < sizeof kClasses / sizeof *kClasses; ++i) {
        if (kClasses[i].letter == letter) class = &kClasses[i];
    }
    require(class != NULL, "usage: conjugate_gradient [S | W | A] [agree] [error]");
    Problem problem = {.rows = 1, .columns = 1, .agree = MPI_COMM_NULL};
    set_up(&problem, class, rank, ranks);
    if (agrees) MPI_Comm_split(MPI_COMM_WORLD, problem.row, problem.column, &problem.agree);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    const double zeta = power_iterations(&problem, class, class->iterations);
    report("conjugate_gradient", start);
    const double error = fabs(zeta - class->zeta) / class->zeta;
    right = error < 1e-10;
    if (rank == 0) {
        printf("conjugate_gradient: class %c, zeta %.13f, expected %.13f: %s\n", letter, zeta,
               class->zeta, right ? "VERIFIED" : "WRONG");
        if (tells_error) printf("conjugate_gradient: error %.6e\n", error);
    }
    if (agrees) MPI_Comm_free(&problem.agree);
    free(problem.starts);
    free(problem.places);
    free(problem.values);
    free(problem.partial);
    free(problem.incoming);
    MPI_Finalize();
    return tells_error || right ? 0 : 1;
}
