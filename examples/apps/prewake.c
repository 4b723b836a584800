/* A benchmark of links that sleep: computing, then a short broadcast, again and again.
 *
 * Each outer iteration computes `inner` steps of a recurrence and then broadcasts 300 integers. The
 * links sleep in between. With -p the program wakes them by hand, as Matsuyama, Miwa, Yamaki and
 * Honda do: at step P rank 0 sends one integer to every other rank without waiting, and all
 * wait for these messages just before the broadcast. They carry nothing; they only make the links
 * wake. With -w it asks the network interface to wake them instead, which nobody has to wait for.
 *
 * Usage: prewake [-o outer iterations] [-n inner steps] [-p P | -w P]
 */
#include <kumihimo/hint.h>
#include <math.h>
#include <unistd.h>

#include "program.h"

#define COUNT 300
#define DUMMY_TAG 1234

typedef struct {
    int outer, inner;
    int wake_at;  /* step at which the links are woken; -1 for never */
    int by_hints; /* without messages */
    int rank, ranks;
    double a, b; /* of the recurrence y = a y + b */
} Settings;

static Settings read_settings(int argc, char** argv) {
    /* The compiler must not know the recurrence: what it can foresee it does not compute. */
    volatile const double a = 0.5, b = 1;
    Settings settings = {.outer = 1000, .inner = 10000, .wake_at = -1, .a = a, .b = b};
    int option = 0, good = 1;
    while ((option = getopt(argc, argv, "o:n:p:w:")) != -1) {
        if (option == 'o') settings.outer = atoi(optarg);
        if (option == 'n') settings.inner = atoi(optarg);
        if (option == 'p' || option == 'w') settings.wake_at = atoi(optarg);
        if (option == 'w') settings.by_hints = 1;
        good = good && option != '?';
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &settings.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &settings.ranks);
    good = good && optind == argc && settings.outer > 0 && settings.inner > 0;
    require(good, "usage: prewake [-o outer iterations] [-n inner steps] [-p P | -w P]");
    return settings;
}

/* Wakes the links; returns how many requests of dummy messages there are to wait for. Kept out of
 * the loop that calls it, so that the loop computes at the same speed as one without. */
__attribute__((noinline)) static int start_wakes(const Settings* settings, int* dummy,
                                                 MPI_Request* requests) {
    if (settings->by_hints) {
        for (int target = 1; settings->rank == 0 && target < settings->ranks; ++target) {
            kumi_wake(target);
        }
        return 0;
    }
    if (settings->rank != 0) {
        MPI_Irecv(dummy, 1, MPI_INT, 0, DUMMY_TAG, MPI_COMM_WORLD, &requests[0]);
        return 1;
    }
    for (int target = 1; target < settings->ranks; ++target) {
        MPI_Isend(dummy, 1, MPI_INT, target, DUMMY_TAG, MPI_COMM_WORLD, &requests[target - 1]);
    }
    return settings->ranks - 1;
}

/* Computes and broadcasts; returns the recurrence's new value. */
static double plain_iteration(const Settings* settings, double y, int* data) {
    const double a = settings->a, b = settings->b;
    for (int j = 0; j < settings->inner; ++j) y = a * y + b;
    MPI_Bcast(data, COUNT, MPI_INT, 0, MPI_COMM_WORLD);
    return y;
}

/* The same with links that are woken at step `wake_at`. */
static double waking_iteration(const Settings* settings, double y, int* data,
                               MPI_Request* requests) {
    const double a = settings->a, b = settings->b;
    int dummy = 0, pending = 0;
    for (int j = 0; j < settings->inner; ++j) {
        if (j == settings->wake_at) pending = start_wakes(settings, &dummy, requests);
        y = a * y + b;
    }
    if (settings->rank == 0) {
        MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
    } else if (pending > 0) {
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Bcast(data, COUNT, MPI_INT, 0, MPI_COMM_WORLD);
    return y;
}

/* Runs the benchmark; returns whether every broadcast and the recurrence came out right. */
static int run(const Settings* settings, MPI_Request* requests) {
    double y = 0;
    int data[COUNT], right = 1;
    for (int i = 0; i < settings->outer; ++i) {
        for (int k = 0; k < COUNT; ++k) data[k] = settings->rank == 0 ? i + k : 0;
        y = settings->wake_at < 0 ? plain_iteration(settings, y, data)
                                  : waking_iteration(settings, y, data, requests);
        for (int k = 0; k < COUNT; ++k) right = right && data[k] == i + k;
    }
    /* y = 2 - 2 / 2^steps, which is 2 in floating-point numbers after 53 steps. */
    const double steps = (double)settings->outer * settings->inner;
    return right && fabs(y - (2 - exp2(1 - steps))) < 1e-15;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const Settings settings = read_settings(argc, argv);
    MPI_Request* requests =
        (MPI_Request*)allocate(sizeof(MPI_Request) * (size_t)(settings.ranks + 1));
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    int right = run(&settings, requests), all = 0;
    report("prewake", start);
    free(requests);
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (settings.rank == 0) {
        printf("prewake: %d broadcasts: %s\n", settings.outer, all ? "VERIFIED" : "WRONG");
    }
    MPI_Finalize();
    return all ? 0 : 1;
}
