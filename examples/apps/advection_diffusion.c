/* Advection and diffusion of a wave on a periodic square: halos, transpositions and sums.
 *
 * The square of n x n points lies in strips of rows. A step carries the wave along y, explicitly
 * [Lax60], for which ranks exchange their outermost rows; then it lets the wave diffuse along x
 * and, on the transposed square, along y, implicitly, for which ranks exchange blocks with all
 * others. A sum over all points gives the energy. Hints say where the loop is (kumihimo/hint.h).
 *
 * It checks itself: each of the three parts multiplies a single wave by a factor that is known in
 * closed form, so that the result is, too. Arguments: points along a side, steps, and "any" where
 * links corrupt bits and any error is a result.
 */
#include <complex.h>
#include <kumihimo/hint.h>
#include <math.h>

#include "program.h"

static const double kPi = 3.14159265358979323846;
static const double kCourant = 0.4, kDiffusion = 0.02;
enum { kWavesX = 3, kWavesY = 2 };

typedef struct {
    int rank, ranks, points, rows; /* rows of this rank */
    double *square, *next;         /* [row][x], between two rows of neighbours */
    double *sent, *received;       /* blocks of all ranks */
    double *upper, *factor;        /* of the tridiagonal matrix: see factorise */
    double corner;
} Job;

static double* row_of(const Job* job, double* square, int row) {
    return square + (size_t)(row + 1) * (size_t)job->points;
}

static double angle(const Job* job, int waves, int place) {
    return 2 * kPi * waves * place / job->points;
}

/* By what each step multiplies the wave. */
static double complex growth(const Job* job) {
    const double x = 2 * kPi * kWavesX / job->points, y = 2 * kPi * kWavesY / job->points;
    const double complex carried = 1 - I * kCourant * sin(y) - kCourant * kCourant * (1 - cos(y));
    return carried / (1 + 2 * kDiffusion * (1 - cos(x))) / (1 + 2 * kDiffusion * (1 - cos(y)));
}

static double wave(const Job* job, double complex amplitude, int x, int y) {
    return creal(amplitude * cexp(I * (angle(job, kWavesX, x) + angle(job, kWavesY, y))));
}

static void exchange_rows(Job* job) {
    const int above = (job->rank + job->ranks - 1) % job->ranks;
    const int below = (job->rank + 1) % job->ranks;
    double* square = job->square;
    MPI_Sendrecv(row_of(job, square, 0), job->points, MPI_DOUBLE, above, 1,
                 row_of(job, square, job->rows), job->points, MPI_DOUBLE, below, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(row_of(job, square, job->rows - 1), job->points, MPI_DOUBLE, below, 2,
                 row_of(job, square, -1), job->points, MPI_DOUBLE, above, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void carry(Job* job) {
    exchange_rows(job);
    for (int row = 0; row < job->rows; ++row) {
        const double* before = row_of(job, job->square, row - 1);
        const double* here = row_of(job, job->square, row);
        const double* after = row_of(job, job->square, row + 1);
        double* next = row_of(job, job->next, row);
        for (int x = 0; x < job->points; ++x)
            next[x] = here[x] - kCourant / 2 * (after[x] - before[x]) +
                      kCourant * kCourant / 2 * (after[x] - 2 * here[x] + before[x]);
    }
    double* kept = job->square;
    job->square = job->next;
    job->next = kept;
}

/* The periodic matrix with 1 + 2 d on the diagonal and -d beside it is a tridiagonal one, plus a
 * product of two vectors [Press07]: what both need is the same for every row. */
static void factorise(Job* job) {
    const int n = job->points;
    const double diagonal = 1 + 2 * kDiffusion, beside = -kDiffusion, gamma = -diagonal;
    double* solved = job->factor;
    double pivot = diagonal - gamma;
    solved[0] = gamma / pivot;
    for (int i = 1; i < n; ++i) {
        job->upper[i - 1] = beside / pivot;
        const double last = i == n - 1 ? diagonal - beside * beside / gamma : diagonal;
        pivot = last - beside * job->upper[i - 1];
        solved[i] = ((i == n - 1 ? beside : 0) - beside * solved[i - 1]) / pivot;
    }
    for (int i = n - 2; i >= 0; --i) solved[i] -= job->upper[i] * solved[i + 1];
    job->corner = 1 + solved[0] + beside / gamma * solved[n - 1];
}

static void diffuse_row(const Job* job, double* row) {
    const int n = job->points;
    const double diagonal = 1 + 2 * kDiffusion, beside = -kDiffusion, gamma = -diagonal;
    double pivot = diagonal - gamma;
    row[0] /= pivot;
    for (int i = 1; i < n; ++i) {
        const double last = i == n - 1 ? diagonal - beside * beside / gamma : diagonal;
        pivot = last - beside * job->upper[i - 1];
        row[i] = (row[i] - beside * row[i - 1]) / pivot;
    }
    for (int i = n - 2; i >= 0; --i) row[i] -= job->upper[i] * row[i + 1];
    const double share = (row[0] + beside / gamma * row[n - 1]) / job->corner;
    for (int i = 0; i < n; ++i) row[i] -= share * job->factor[i];
}

static void diffuse(Job* job) {
    for (int row = 0; row < job->rows; ++row) diffuse_row(job, row_of(job, job->square, row));
}

/* Columns become rows. */
static void transpose(Job* job) {
    const int rows = job->rows, block = rows * rows;
    for (int to = 0; to < job->ranks; ++to)
        for (int row = 0; row < rows; ++row)
            for (int x = 0; x < rows; ++x)
                job->sent[to * block + x * rows + row] =
                    row_of(job, job->square, row)[to * rows + x];
    MPI_Alltoall(job->sent, block, MPI_DOUBLE, job->received, block, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int from = 0; from < job->ranks; ++from)
        for (int row = 0; row < rows; ++row)
            memcpy(row_of(job, job->square, row) + from * rows,
                   job->received + from * block + row * rows, (size_t)rows * sizeof(double));
}

static double energy(Job* job) {
    double own = 0, all = 0;
    for (int row = 0; row < job->rows; ++row)
        for (int x = 0; x < job->points; ++x)
            own += row_of(job, job->square, row)[x] * row_of(job, job->square, row)[x];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / job->points / job->points;
}

/* The largest error of a point, of the amplitude. */
static double error_of(Job* job, double complex amplitude) {
    double own = 0, all = 0;
    for (int row = 0; row < job->rows; ++row)
        for (int x = 0; x < job->points; ++x) {
            const double expected = wave(job, amplitude, x, job->rank * job->rows + row);
            const double error = fabs(row_of(job, job->square, row)[x] - expected);
            /* Also if it is no number. */
            if (!(error <= own)) own = error;
        }
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all / cabs(amplitude);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    Job job;
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
    const long points = argument(argc, argv, 1, 256), steps = argument(argc, argv, 2, 20);
    require(points >= 8 && points <= 1 << 14 && points % job.ranks == 0 && steps > 0,
            "advection_diffusion: expected POINTS that ranks divide, from 8 on, and STEPS");
    job.points = (int)points;
    job.rows = job.points / job.ranks;
    const size_t all = (size_t)(job.rows + 2) * (size_t)job.points * sizeof(double);
    job.square = (double*)allocate(all);
    job.next = (double*)allocate(all);
    job.sent = (double*)allocate(all);
    job.received = (double*)allocate(all);
    job.upper = (double*)allocate((size_t)job.points * sizeof(double));
    job.factor = (double*)allocate((size_t)job.points * sizeof(double));
    factorise(&job);
    double complex amplitude = 1;
    for (int row = 0; row < job.rows; ++row)
        for (int x = 0; x < job.points; ++x)
            row_of(&job, job.square, row)[x] = wave(&job, 1, x, job.rank * job.rows + row);
    double energy_error = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    HINT("IN_KERNEL", "1");
    for (long step = 0; step < steps; ++step) {
        carry(&job);
        diffuse(&job);
        transpose(&job);
        diffuse(&job);
        transpose(&job);
        amplitude *= growth(&job);
        const double expected = creal(amplitude * conj(amplitude)) / 2;
        energy_error = fmax(energy_error, fabs(energy(&job) / expected - 1));
    }
    HINT("IN_KERNEL", "0");
    report("advection_diffusion", start);
    const double error = error_of(&job, amplitude);
    const int right = error < 1e-12 && energy_error < 1e-12;
    const int is_any = argc > 3 && strcmp(argv[3], "any") == 0;
    if (job.rank == 0)
        printf("advection_diffusion error %.2e, of the energy %.2e: %s\n", error, energy_error,
               right ? "VERIFIED" : "NOT VERIFIED");
    free(job.square);
    free(job.next);
    free(job.sent);
    free(job.received);
    free(job.upper);
    free(job.factor);
    MPI_Finalize();
    return right || is_any ? 0 : 1;
}
