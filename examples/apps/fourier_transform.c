/* The kernel FT of the NAS Parallel Benchmarks, written anew from its specification [Bailey94]:
 * a diffusion equation solved by three-dimensional Fourier transforms. Every transform moves the
 * whole field by one all-to-all.
 *
 * Between transforms the field is cut along x: each rank has planes [x][y][z]. For the transform
 * along x it is cut along y instead: [y][x][z]. Arguments: class S, W or A, and iterations; with
 * the word `error`, the largest error of a checksum is printed, and whatever it is the program
 * succeeds.
 */
#include <complex.h>
#include <math.h>

#include "npb_random.h"
#include "program.h"

#define MAX_ITERATIONS 6

typedef double complex Number;

typedef struct {
    char letter;
    int nx, ny, nz;
    Number checksums[MAX_ITERATIONS];
} Class;

/* The checksums that the specification's reference implementation gives. */
static void get_class(char letter, Class* class) {
    static const Class classes[] = {
        {'S',
         64,
         64,
         64,
         {554.6087004964 + 484.5363331978 * I, 554.6385409189 + 486.5304269511 * I,
          554.6148406171 + 488.3910722336 * I, 554.5423607415 + 490.1273169046 * I,
          554.4255039624 + 491.7475857993 * I, 554.2683411902 + 493.2597244941 * I}},
        {'W',
         128,
         128,
         32,
         {567.3612178944 + 529.3246849175 * I, 563.1436885271 + 528.2149986629 * I,
          559.4024089970 + 527.0996558037 * I, 556.0698047020 + 526.0027904925 * I,
          553.0898991250 + 524.9400845633 * I, 550.4159734538 + 523.9212247086 * I}},
        {'A',
         256,
         256,
         128,
         {504.6735008193 + 511.4047905510 * I, 505.9412319734 + 509.8809666433 * I,
          506.9376896287 + 509.8144042213 * I, 507.7892868474 + 510.1336130759 * I,
          508.5233095391 + 510.4914655194 * I, 509.1487099959 + 510.7917842803 * I}}};
    class->letter = 0;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i) {
        if (classes[i].letter == letter) *class = classes[i];
    }
}

typedef struct {
    int nx, ny, nz;
    int x_first, x_count; /* this rank's share when the field is cut along x */
    int y_first, y_count; /* and along y */
    int ranks;
    Number *packed, *received, *line;
    Number* roots; /* of the longest side, e^(-2 pi i k / n) */
    int roots_count;
} Field;

/* Transforms `n` numbers that lie `stride` apart. `sign` -1 is forward, +1 backward, unscaled. */
static void transform_line(Field* field, Number* data, int n, size_t stride, int sign) {
    Number* line = field->line;
    for (int i = 0, reversed = 0; i < n; ++i) {
        line[reversed] = data[(size_t)i * stride];
        int bit = n >> 1;
        for (; bit > 0 && (reversed & bit); bit >>= 1) reversed ^= bit;
        reversed |= bit;
    }
    for (int length = 2; length <= n; length *= 2) {
        const int half = length / 2, step = field->roots_count / length;
        for (int begin = 0; begin < n; begin += length) {
            for (int i = 0; i < half; ++i) {
                const Number root = field->roots[i * step];
                const double real = creal(root), imaginary = -sign * cimag(root);
                const Number low = line[begin + i], high = line[begin + i + half];
                const Number turned = creal(high) * real - cimag(high) * imaginary +
                                      (creal(high) * imaginary + cimag(high) * real) * I;
                line[begin + i] = low + turned;
                line[begin + i + half] = low - turned;
            }
        }
    }
    for (int i = 0; i < n; ++i) data[(size_t)i * stride] = line[i];
}

static void transform_y_and_z(Field* field, Number* data, int sign) {
    const size_t plane = (size_t)field->ny * (size_t)field->nz;
    for (int x = 0; x < field->x_count; ++x) {
        Number* first = data + (size_t)x * plane;
        for (int y = 0; y < field->ny; ++y) {
            transform_line(field, first + (size_t)y * (size_t)field->nz, field->nz, 1, sign);
        }
        for (int z = 0; z < field->nz; ++z) {
            transform_line(field, first + z, field->ny, (size_t)field->nz, sign);
        }
    }
}

static void transform_x(Field* field, Number* data, int sign) {
    for (int y = 0; y < field->y_count; ++y) {
        Number* first = data + (size_t)y * (size_t)field->nx * (size_t)field->nz;
        for (int z = 0; z < field->nz; ++z) {
            transform_line(field, first + z, field->nx, (size_t)field->nz, sign);
        }
    }
}

static int block_count(const Field* field) {
    return field->x_count * field->y_count * field->nz * 2;
}

/* [x][y][z] cut along x becomes [y][x][z] cut along y. */
static void cut_along_y(Field* field, const Number* data, Number* result) {
    const size_t row = (size_t)field->nz, bytes = sizeof(Number) * row;
    Number* out = field->packed;
    for (int y = 0; y < field->ny; ++y) {
        for (int x = 0; x < field->x_count; ++x, out += row) {
            memcpy(out, data + ((size_t)x * (size_t)field->ny + (size_t)y) * row, bytes);
        }
    }
    MPI_Alltoall(field->packed, block_count(field), MPI_DOUBLE, field->received, block_count(field),
                 MPI_DOUBLE, MPI_COMM_WORLD);
    const Number* in = field->received;
    for (int rank = 0; rank < field->ranks; ++rank) {
        for (int y = 0; y < field->y_count; ++y) {
            for (int x = 0; x < field->x_count; ++x, in += row) {
                const size_t at =
                    (size_t)y * (size_t)field->nx + (size_t)(rank * field->x_count + x);
                memcpy(result + at * row, in, bytes);
            }
        }
    }
}

/* [y][x][z] cut along y becomes [x][y][z] cut along x. */
static void cut_along_x(Field* field, const Number* data, Number* result) {
    const size_t row = (size_t)field->nz, bytes = sizeof(Number) * row;
    Number* out = field->packed;
    for (int x = 0; x < field->nx; ++x) {
        for (int y = 0; y < field->y_count; ++y, out += row) {
            memcpy(out, data + ((size_t)y * (size_t)field->nx + (size_t)x) * row, bytes);
        }
    }
    MPI_Alltoall(field->packed, block_count(field), MPI_DOUBLE, field->received, block_count(field),
                 MPI_DOUBLE, MPI_COMM_WORLD);
    const Number* in = field->received;
    for (int rank = 0; rank < field->ranks; ++rank) {
        for (int x = 0; x < field->x_count; ++x) {
            for (int y = 0; y < field->y_count; ++y, in += row) {
                const size_t at =
                    (size_t)x * (size_t)field->ny + (size_t)(rank * field->y_count + y);
                memcpy(result + at * row, in, bytes);
            }
        }
    }
}

/* The random field, [x][y][z]. The specification numbers the points with x fastest. */
static void fill(const Field* field, Number* data) {
    const uint64_t line = npb_power(NPB_MULTIPLIER, 2 * (uint64_t)field->nx);
    for (int x = 0; x < field->x_count; ++x) {
        uint64_t seed = NPB_SEED;
        npb_next(&seed, npb_power(NPB_MULTIPLIER, 2 * (uint64_t)(field->x_first + x)));
        for (int z = 0; z < field->nz; ++z) {
            for (int y = 0; y < field->ny; ++y) {
                uint64_t here = seed;
                const double real = npb_next(&here, NPB_MULTIPLIER);
                const double imaginary = npb_next(&here, NPB_MULTIPLIER);
                data[((size_t)x * (size_t)field->ny + (size_t)y) * (size_t)field->nz + (size_t)z] =
                    real + imaginary * I;
                npb_next(&seed, line);
            }
        }
    }
}

static double square_of_wave(int index, int n) {
    const int wave = index < n / 2 ? index : index - n;
    return (double)wave * wave;
}

/* Multiplies the spectrum [y][x][z] by what one more step of time leaves of each wave. */
static void advance(const Field* field, Number* spectrum) {
    const double pi = 3.14159265358979323846, factor = -4e-6 * pi * pi;
    for (int y = 0; y < field->y_count; ++y) {
        for (int x = 0; x < field->nx; ++x) {
            Number* row =
                spectrum + ((size_t)y * (size_t)field->nx + (size_t)x) * (size_t)field->nz;
            const double flat =
                square_of_wave(field->y_first + y, field->ny) + square_of_wave(x, field->nx);
            for (int z = 0; z < field->nz; ++z) {
                row[z] *= exp(factor * (flat + square_of_wave(z, field->nz)));
            }
        }
    }
}

static Number checksum(const Field* field, const Number* data) {
    double mine[2] = {0, 0}, all[2] = {0, 0};
    for (int j = 1; j <= 1024; ++j) {
        const int x = j % field->nx - field->x_first, y = 3 * j % field->ny, z = 5 * j % field->nz;
        if (x < 0 || x >= field->x_count) continue;
        const Number value =
            data[((size_t)x * (size_t)field->ny + (size_t)y) * (size_t)field->nz + (size_t)z];
        mine[0] += creal(value);
        mine[1] += cimag(value);
    }
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double points = (double)field->nx * field->ny * field->nz;
    return all[0] / points + all[1] / points * I;
}

static void set_up(Field* field, const Class* class, int rank, int ranks) {
    const double turn = -2 * 3.14159265358979323846;
    field->nx = class->nx;
    field->ny = class->ny;
    field->nz = class->nz;
    field->ranks = ranks;
    field->x_count = class->nx / ranks;
    field->y_count = class->ny / ranks;
    field->x_first = rank * field->x_count;
    field->y_first = rank * field->y_count;
    const size_t share = (size_t)field->x_count * (size_t)field->ny * (size_t)field->nz;
    field->packed = (Number*)allocate(sizeof(Number) * share);
    field->received = (Number*)allocate(sizeof(Number) * share);
    field->roots_count = class->nx > class->nz ? class->nx : class->nz;
    field->line = (Number*)allocate(sizeof(Number) * (size_t)field->roots_count);
    field->roots = (Number*)allocate(sizeof(Number) * (size_t)field->roots_count);
    for (int i = 0; i < field->roots_count; ++i) {
        const double angle = turn * i / field->roots_count;
        field->roots[i] = cos(angle) + sin(angle) * I;
    }
}

/* Runs `iterations` steps of time; returns how many checksums are right. `worst` is the largest
 * relative error of one; not a number, if one is none. */
static int run(Field* field, const Class* class, int iterations, int rank, double* worst) {
    const size_t share = (size_t)field->x_count * (size_t)field->ny * (size_t)field->nz;
    Number* data = (Number*)allocate(sizeof(Number) * share);
    Number* spectrum = (Number*)allocate(sizeof(Number) * share);
    Number* work = (Number*)allocate(sizeof(Number) * share);
    int right = 0;
    fill(field, data);
    transform_y_and_z(field, data, -1);
    cut_along_y(field, data, spectrum);
    transform_x(field, spectrum, -1);
    for (int k = 0; k < iterations; ++k) {
        advance(field, spectrum);
        memcpy(work, spectrum, sizeof(Number) * share);
        transform_x(field, work, 1);
        cut_along_x(field, work, data);
        transform_y_and_z(field, data, 1);
        const Number sum = checksum(field, data), expected = class->checksums[k];
        const double error = cabs(sum - expected) / cabs(expected);
        const int good = error < 1e-9;
        right += good;
        if (isnan(error) || error > *worst) *worst = error;
        if (rank == 0) {
            printf("fourier_transform: step %d, checksum %.9f %.9f: %s\n", k + 1, creal(sum),
                   cimag(sum), good ? "VERIFIED" : "WRONG");
        }
    }
    free(work);
    free(spectrum);
    free(data);
    return right;
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 0;
    double worst = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int tells_error = take_word(&argc, argv, "error");
    Class class = {0};
    get_class(argc > 1 ? argv[1][0] : 'S', &class);
    const int iterations = (int)argument(argc, argv, 2, MAX_ITERATIONS);
    require(class.letter != 0 && iterations > 0 && iterations <= MAX_ITERATIONS,
            "usage: fourier_transform [S | W | A [1 to 6 iterations]] [error]");
    require(class.nx % ranks == 0 && class.ny % ranks == 0,
            "fourier_transform: the ranks must divide the field's first two sides");
    Field field = {0};
    set_up(&field, &class, rank, ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    const int right = run(&field, &class, iterations, rank, &worst);
    report("fourier_transform", start);
    if (tells_error && rank == 0) printf("fourier_transform: error %.6e\n", worst);
    free(field.packed);
    free(field.received);
    free(field.line);
    free(field.roots);
    MPI_Finalize();
    return tells_error || right == iterations ? 0 : 1;
}
