/* The kernel MG of the NAS Parallel Benchmarks, written anew from its specification [Bailey94]:
 * V-cycles of multigrid for Poisson's equation on a periodic cube, with stencils of 27 points.
 *
 * Fine levels are cut into boxes, one a rank, which exchange faces with six neighbours. Where a
 * rank would have less than two points along a side, the residual is gathered, and all ranks
 * compute the coarse levels alone. Argument: class S, W or A. 2^n ranks.
 */
#include <math.h>
#include <stddef.h>

#include "npb_random.h"
#include "program.h"

#define MAX_LEVELS 9
#define CHARGES 10 /* points of the right side that are +1, and as many that are -1 */

typedef struct {
    char letter;
    int levels, iterations; /* the finest grid has 2^levels points a side */
    double norm;
} Class;

static const Class kClasses[] = {{'S', 5, 4, 0.5307707005734e-04},
                                 {'W', 7, 4, 0.6467329375339e-05},
                                 {'A', 8, 4, 0.2433365309069e-05}};

/* Weights of a point, its 6 faces, 12 edges and 8 corners: minus the operator, and the smoother. */
static const double kMinusOperator[4] = {8.0 / 3, 0, -1.0 / 6, -1.0 / 12};
static const double kSmoother[4] = {-3.0 / 8, 1.0 / 32, -1.0 / 64, 0};

/* Points 1 to `count` along each side, in a frame of neighbours' points. */
typedef struct {
    int side;               /* points of the whole grid */
    int whole;              /* whether each rank has all of it */
    int first[3], count[3]; /* what this rank has, along x, y and z */
    double *solution, *residual;
} Level;

typedef struct {
    int rank, ranks, parts[3], place[3];
    int finest; /* levels are numbered 1 to `finest` */
    Level levels[MAX_LEVELS];
    double* right_side;
    double *outgoing, *incoming; /* a face, or a box, on its way */
} Grid;

static size_t at(const Level* level, int x, int y, int z) {
    const size_t row = (size_t)level->count[0] + 2, rows = (size_t)level->count[1] + 2;
    return ((size_t)z * rows + (size_t)y) * row + (size_t)x;
}

static size_t points_with_frame(const Level* level) { return at(level, 0, 0, level->count[2] + 2); }

static int rank_at(const Grid* grid, const int place[3]) {
    return (place[2] * grid->parts[1] + place[1]) * grid->parts[0] + place[0];
}

/* Copies the plane `index` across `axis`, frame included, to or from `face`; returns its size. */
static int copy_face(const Level* level, double* values, int axis, int index, double* face,
                     int to_face) {
    int low[3] = {0, 0, 0}, high[3], size = 0;
    for (int i = 0; i < 3; ++i) high[i] = level->count[i] + 1;
    low[axis] = high[axis] = index;
    for (int z = low[2]; z <= high[2]; ++z) {
        for (int y = low[1]; y <= high[1]; ++y) {
            for (int x = low[0]; x <= high[0]; ++x, ++size) {
                double* point = &values[at(level, x, y, z)];
                if (to_face) {
                    face[size] = *point;
                } else {
                    *point = face[size];
                }
            }
        }
    }
    return size;
}

/* Fills the frame; axis after axis, so that edges and corners come along. */
static void exchange(Grid* grid, const Level* level, double* values) {
    for (int axis = 0; axis < 3; ++axis) {
        const int last = level->count[axis], parts = grid->parts[axis];
        for (int up = 0; up < 2; ++up) {
            const int out = up ? last : 1, in = up ? 0 : last + 1;
            const int size = copy_face(level, values, axis, out, grid->outgoing, 1);
            if (level->whole || parts == 1) {
                copy_face(level, values, axis, in, grid->outgoing, 0);
                continue;
            }
            int target[3], source[3];
            memcpy(target, grid->place, sizeof target);
            memcpy(source, grid->place, sizeof source);
            target[axis] = (grid->place[axis] + (up ? 1 : parts - 1)) % parts;
            source[axis] = (grid->place[axis] + (up ? parts - 1 : 1)) % parts;
            MPI_Sendrecv(grid->outgoing, size, MPI_DOUBLE, rank_at(grid, target), axis,
                         grid->incoming, size, MPI_DOUBLE, rank_at(grid, source), axis,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            copy_face(level, values, axis, in, grid->incoming, 0);
        }
    }
}

/* result = base + stencil(values), by points, faces, edges and corners; then fills its frame. */
static void apply(Grid* grid, const Level* level, const double* weights, const double* values,
                  const double* base, double* result) {
    const ptrdiff_t row = level->count[0] + 2, plane = row * (level->count[1] + 2);
    for (int z = 1; z <= level->count[2]; ++z) {
        for (int y = 1; y <= level->count[1]; ++y) {
            const double* v = values + at(level, 0, y, z);
            const size_t here = at(level, 0, y, z);
            for (int x = 1; x <= level->count[0]; ++x) {
                double beside[3], across[3]; /* sums over y and z, for x - 1, x and x + 1 */
                for (int i = 0; i < 3; ++i) {
                    const ptrdiff_t k = x - 1 + i;
                    beside[i] = v[k - row] + v[k + row] + v[k - plane] + v[k + plane];
                    across[i] = v[k - row - plane] + v[k + row - plane] + v[k - row + plane] +
                                v[k + row + plane];
                }
                result[here + (size_t)x] = base[here + (size_t)x] + weights[0] * v[x] +
                                           weights[1] * (v[x - 1] + v[x + 1] + beside[1]) +
                                           weights[2] * (across[1] + beside[0] + beside[2]) +
                                           weights[3] * (across[0] + across[2]);
            }
        }
    }
    exchange(grid, level, result);
}

/* The mean around a point of the finer grid: weight 1/2 in it, 1/4 on faces, 1/8, 1/16. */
static double weighted_mean(const Level* fine, int x, int y, int z) {
    double sum = 0;
    for (int k = -1; k <= 1; ++k) {
        for (int j = -1; j <= 1; ++j) {
            for (int i = -1; i <= 1; ++i) {
                const int away = abs(i) + abs(j) + abs(k);
                sum += fine->residual[at(fine, x + i, y + j, z + k)] / (double)(2 << away);
            }
        }
    }
    return sum;
}

/* Puts the boxes of all ranks, one after another in `boxes`, where they lie in the whole grid. */
static void lay_out(const Grid* grid, const Level* coarse, const int* count, const double* boxes) {
    for (int rank = 0; rank < grid->ranks; ++rank) {
        const int px = rank % grid->parts[0], py = rank / grid->parts[0] % grid->parts[1];
        const int pz = rank / grid->parts[0] / grid->parts[1];
        for (int z = 1; z <= count[2]; ++z) {
            for (int y = 1; y <= count[1]; ++y) {
                const size_t to =
                    at(coarse, px * count[0] + 1, py * count[1] + y, pz * count[2] + z);
                memcpy(coarse->residual + to, boxes, sizeof(double) * (size_t)count[0]);
                boxes += count[0];
            }
        }
    }
}

static void restrict_residual(Grid* grid, const Level* fine, Level* coarse) {
    const int gathers = coarse->whole && !fine->whole;
    const int count[3] = {fine->count[0] / 2, fine->count[1] / 2, fine->count[2] / 2};
    double* box = grid->outgoing;
    for (int z = 1; z <= count[2]; ++z) {
        for (int y = 1; y <= count[1]; ++y) {
            for (int x = 1; x <= count[0]; ++x) {
                const double mean = weighted_mean(fine, 2 * x, 2 * y, 2 * z);
                if (gathers) {
                    *box++ = mean;
                } else {
                    coarse->residual[at(coarse, x, y, z)] = mean;
                }
            }
        }
    }
    if (gathers) {
        const int size = count[0] * count[1] * count[2];
        MPI_Allgather(grid->outgoing, size, MPI_DOUBLE, grid->incoming, size, MPI_DOUBLE,
                      MPI_COMM_WORLD);
        lay_out(grid, coarse, count, grid->incoming);
    }
    exchange(grid, coarse, coarse->residual);
}

/* Adds the coarse solution to the finer one, between its points by trilinear interpolation. */
static void interpolate(const Level* coarse, Level* fine) {
    int shift[3];
    for (int i = 0; i < 3; ++i) {
        shift[i] = coarse->whole && !fine->whole ? fine->first[i] / 2 : 0;
    }
    for (int z = 0; z <= fine->count[2] + 1; ++z) {
        for (int y = 0; y <= fine->count[1] + 1; ++y) {
            for (int x = 0; x <= fine->count[0] + 1; ++x) {
                double sum = 0;
                const int lx = x / 2 + shift[0], ly = y / 2 + shift[1], lz = z / 2 + shift[2];
                for (int k = 0; k <= z % 2; ++k) {
                    for (int j = 0; j <= y % 2; ++j) {
                        for (int i = 0; i <= x % 2; ++i) {
                            sum += coarse->solution[at(coarse, lx + i, ly + j, lz + k)];
                        }
                    }
                }
                fine->solution[at(fine, x, y, z)] +=
                    sum / (double)((1 + x % 2) * (1 + y % 2) * (1 + z % 2));
            }
        }
    }
}

static void residual_of(Grid* grid, Level* level, const double* right_side) {
    apply(grid, level, kMinusOperator, level->solution, right_side, level->residual);
}

static void smooth(Grid* grid, Level* level) {
    apply(grid, level, kSmoother, level->residual, level->solution, level->solution);
}

static void v_cycle(Grid* grid) {
    Level* levels = grid->levels;
    for (int k = grid->finest; k > 1; --k) restrict_residual(grid, &levels[k], &levels[k - 1]);
    for (int k = 1; k <= grid->finest; ++k) {
        if (k < grid->finest) {
            memset(levels[k].solution, 0, sizeof(double) * points_with_frame(&levels[k]));
        }
        if (k > 1) {
            interpolate(&levels[k - 1], &levels[k]);
            residual_of(grid, &levels[k],
                        k == grid->finest ? grid->right_side : levels[k].residual);
        }
        smooth(grid, &levels[k]);
    }
}

static double norm(const Level* level) {
    double sum = 0, all = 0;
    for (int z = 1; z <= level->count[2]; ++z) {
        for (int y = 1; y <= level->count[1]; ++y) {
            for (int x = 1; x <= level->count[0]; ++x) {
                const double value = level->residual[at(level, x, y, z)];
                sum += value * value;
            }
        }
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(all / pow(level->side, 3));
}

typedef struct {
    double value;
    int x, y, z; /* in the whole grid, from 0 */
} Point;

static int compare_points(const void* a, const void* b) {
    const double left = ((const Point*)a)->value, right = ((const Point*)b)->value;
    return (left > right) - (left < right);
}

/* Keeps the CHARGES smallest points seen, in order; `count` says how many there are. */
static void keep(Point* points, int* count, Point point) {
    if (*count == CHARGES && compare_points(&point, &points[CHARGES - 1]) >= 0) return;
    int place = *count < CHARGES ? (*count)++ : CHARGES - 1;
    for (; place > 0 && compare_points(&point, &points[place - 1]) < 0; --place) {
        points[place] = points[place - 1];
    }
    points[place] = point;
}

/* The points of this rank with the smallest random numbers times `sign`; x is numbered fastest. */
static void find_extremes(const Level* level, int sign, Point* points) {
    const uint64_t side = (uint64_t)level->side;
    int count = 0;
    for (int i = 0; i < CHARGES; ++i) points[i].value = INFINITY;
    for (int z = 0; z < level->count[2]; ++z) {
        for (int y = 0; y < level->count[1]; ++y) {
            Point point = {0, 0, level->first[1] + y, level->first[2] + z};
            const uint64_t before =
                ((uint64_t)point.z * side + (uint64_t)point.y) * side + (uint64_t)level->first[0];
            uint64_t seed = NPB_SEED;
            npb_next(&seed, npb_power(NPB_MULTIPLIER, before));
            for (int x = 0; x < level->count[0]; ++x) {
                point.x = level->first[0] + x;
                point.value = sign * npb_next(&seed, NPB_MULTIPLIER);
                keep(points, &count, point);
            }
        }
    }
}

/* The right side: +1 where the random numbers are largest, -1 where they are smallest, else 0. */
static void make_right_side(Grid* grid) {
    const Level* level = &grid->levels[grid->finest];
    Point mine[CHARGES];
    Point* all = (Point*)allocate(sizeof mine * (size_t)grid->ranks);
    for (int sign = -1; sign <= 1; sign += 2) {
        find_extremes(level, sign, mine);
        MPI_Allgather(mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
        qsort(all, (size_t)(grid->ranks * CHARGES), sizeof *all, compare_points);
        for (int i = 0; i < CHARGES; ++i) {
            const int x = all[i].x - level->first[0], y = all[i].y - level->first[1];
            const int z = all[i].z - level->first[2];
            if (x < 0 || x >= level->count[0] || y < 0 || y >= level->count[1]) continue;
            if (z < 0 || z >= level->count[2]) continue;
            grid->right_side[at(level, x + 1, y + 1, z + 1)] = -sign;
        }
    }
    free(all);
    exchange(grid, level, grid->right_side);
}

static void make_level(const Grid* grid, Level* level, int side, int whole) {
    level->side = side;
    level->whole = whole;
    for (int axis = 0; axis < 3; ++axis) {
        level->count[axis] = whole ? side : side / grid->parts[axis];
        level->first[axis] = whole ? 0 : level->count[axis] * grid->place[axis];
    }
    level->solution = (double*)allocate(sizeof(double) * points_with_frame(level));
    level->residual = (double*)allocate(sizeof(double) * points_with_frame(level));
}

static void set_up(Grid* grid, const Class* class) {
    MPI_Dims_create(grid->ranks, 3, grid->parts);
    const int most = grid->parts[0]; /* MPI_Dims_create gives the largest first */
    require((grid->ranks & (grid->ranks - 1)) == 0 && 2 * most <= 1 << class->levels,
            "multigrid: needs 2^n ranks, with two points of the finest grid along each side");
    grid->finest = class->levels;
    grid->place[0] = grid->rank % grid->parts[0];
    grid->place[1] = grid->rank / grid->parts[0] % grid->parts[1];
    grid->place[2] = grid->rank / grid->parts[0] / grid->parts[1];
    for (int k = 1; k <= grid->finest; ++k) {
        make_level(grid, &grid->levels[k], 1 << k, grid->ranks == 1 || 1 << k < 2 * most);
    }
    const Level* finest = &grid->levels[grid->finest];
    const size_t room = sizeof(double) * points_with_frame(finest);
    grid->right_side = (double*)allocate(room);
    /* Large enough for a face of the finest level, and for all of the level that is gathered. */
    const size_t gathered = sizeof(double) * (size_t)(most * most * most);
    grid->outgoing = (double*)allocate(room > gathered ? room : gathered);
    grid->incoming = (double*)allocate(room > gathered ? room : gathered);
    make_right_side(grid);
}

static void free_grid(Grid* grid) {
    for (int k = 1; k <= grid->finest; ++k) {
        free(grid->levels[k].solution);
        free(grid->levels[k].residual);
    }
    free(grid->right_side);
    free(grid->outgoing);
    free(grid->incoming);
}

int main(int argc, char** argv) {
    Grid grid = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &grid.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &grid.ranks);
    const char letter = argc > 1 ? argv[1][0] : 'S';
    const Class* class = NULL;
    for (size_t i = 0; i < sizeof kClasses / sizeof *kClasses; ++i) {
        if (kClasses[i].letter == letter) class = &kClasses[i];
    }
    require(class != NULL, "usage: multigrid [S | W | A]");
    set_up(&grid, class);
    Level* finest = &grid.levels[grid.finest];
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    residual_of(&grid, finest, grid.right_side);
    for (int i = 0; i < class->iterations; ++i) {
        v_cycle(&grid);
        residual_of(&grid, finest, grid.right_side);
    }
    const double found = norm(finest);
    report("multigrid", start);
    const int right = fabs(found - class->norm) / class->norm < 1e-8;
    if (grid.rank == 0) {
        printf("multigrid: class %c, norm %.13e, expected %.13e: %s\n", letter, found, class->norm,
               right ? "VERIFIED" : "WRONG");
    }
    free_grid(&grid);
    MPI_Finalize();
    return right ? 0 : 1;
}
