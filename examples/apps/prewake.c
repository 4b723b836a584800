/* A benchmark of links that sleep: computing, then a short broadcast, again and again.
 *
 * Each outer iteration computes `inner` steps of a recurrence and then broadcasts 300 integers. The
 * links sleep in between. With -p the program wakes them by hand, as Matsuyama, Miwa, Yamaki and
 * Honda do: at step P rank 0 sends one integer to every other rank without waiting, and all
 * wait for these messages just before the broadcast. They carry nothing; they only make the links
 * wake. With -w it asks the network interface to wake them instead, which no rank has to wait for.
 *
 * An MPI library may broadcast along a binomial tree: in its first round rank 0 sends to a rank
 * half way up, in the next one both send, and so on. With -t the links of round r are woken at step
 * P + r * D, by those that will send.
 *
 * Usage: prewake [-o outer iterations] [-n inner steps] [-t D] [-p P | -w P]
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
    int rounds;   /* of the tree; 1 if rank 0 wakes all links */
    int delay;    /* from round to round, in steps */
    int is_tree;
    int rank, ranks;
    double a, b; /* of the recurrence y = a y + b */
} Settings;

static Settings read_settings(int argc, char** argv) {
    /* The compiler must not know the recurrence: what it can foresee it does not compute. */
    volatile const double a = 0.5, b = 1;
    Settings settings = {.outer = 1000, .inner = 10000, .wake_at = -1, .rounds = 1, .a = a, .b = b};
    int option = 0, good = 1;
    while ((option = getopt(argc, argv, "o:n:p:t:w:")) != -1) {
        if (option == 'o') settings.outer = atoi(optarg);
        if (option == 'n') settings.inner = atoi(optarg);
        if (option == 'p' || option == 'w') settings.wake_at = atoi(optarg);
        if (option == 'w') settings.by_hints = 1;
        if (option == 't') settings.is_tree = 1, settings.delay = atoi(optarg);
        good = good && option != '?';
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &settings.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &settings.ranks);
    good = good && optind == argc && settings.outer > 0 && settings.inner > 0;
    require(good && settings.delay >= 0,
            "usage: prewake [-o outer iterations] [-n inner steps] [-t D] [-p P | -w P]");
    while (settings.is_tree && (1 << settings.rounds) < settings.ranks) ++settings.rounds;
    return settings;
}

/* Wakes one link, or asks for the message that does; returns how many requests there are of it. */
static int wake_link(const Settings* settings, int source, int target, int* dummies,
                     MPI_Request* request) {
    if (settings->by_hints) {
        if (settings->rank == source) kumi_wake(target);
        return 0;
    }
    if (settings->rank == source) {
        MPI_Isend(&dummies[0], 1, MPI_INT, target, DUMMY_TAG, MPI_COMM_WORLD, request);
    } else {
        MPI_Irecv(&dummies[1], 1, MPI_INT, source, DUMMY_TAG, MPI_COMM_WORLD, request);
    }
    return 1;
}

/* Wakes the links of a round; returns how many requests of dummy messages there are to wait for.
 * Kept out of the loop that calls it, so that the loop computes at the same speed as one without.
 */
__attribute__((noinline)) static int start_wakes(const Settings* settings, int round, int* dummies,
                                                 MPI_Request* requests) {
    const int rank = settings->rank, ranks = settings->ranks;
    if (settings->is_tree) {
        const int step = 1 << (settings->rounds - 1 - round);
        const int source = rank & ~step;
        if (source % (2 * step) != 0 || source + step >= ranks) return 0;
        return wake_link(settings, source, source + step, dummies, requests);
    }
    if (rank != 0) return wake_link(settings, 0, rank, dummies, requests);
    int pending = 0;
    for (int target = 1; target < ranks; ++target) {
        pending += wake_link(settings, 0, target, dummies, &requests[pending]);
    }
    return pending;
}

/* Computes some steps of the recurrence; returns its new value. */
static double compute(const Settings* settings, double y, int steps) {
    const double a = settings->a, b = settings->b;
    for (int j = 0; j < steps; ++j) y = a * y + b;
    return y;
}

/* Computes and broadcasts; returns the recurrence's new value. */
static double plain_iteration(const Settings* settings, double y, int* data) {
    y = compute(settings, y, settings->inner);
    MPI_Bcast(data, COUNT, MPI_INT, 0, MPI_COMM_WORLD);
    return y;
}

/* The same with links that are woken from step `wake_at` on. */
static double waking_iteration(const Settings* settings, double y, int* data,
                               MPI_Request* requests) {
    int dummies[2] = {0, 0}, pending = 0, done = 0;
    for (int round = 0; round < settings->rounds; ++round) {
        const int at = settings->wake_at + round * settings->delay;
        if (at >= settings->inner) break;
        y = compute(settings, y, at - done);
        done = at;
        pending += start_wakes(settings, round, dummies, &requests[pending]);
    }
    y = compute(settings, y, settings->inner - done);
    MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
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
