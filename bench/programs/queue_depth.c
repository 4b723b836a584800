/* Rank 1 receives `depth` messages of rank 0 at a time, out of queues that are that long.
 * Arguments: rounds; depth; kind; what the receives name: exact, any_source or any_tag; and how
 * rank 1 waits: waitall, forward or backward (MPI_Wait for one request after the other).
 *
 * Kinds: unexpected (rank 0 sends all messages before rank 1 asks for the first one), posted (rank
 * 1 posts all receives before rank 0 sends the first message), persistent (the same with
 * MPI_Startall), cancelled (no messages: rank 1 cancels its receives, forward or backward). Where
 * receives name tags, the youngest entry of the queue is taken first. Posted receives from any
 * source get their messages in the order in which they were posted: MPICH has a list of them, which
 * it searches itself. */
#include "../../examples/apps/program.h"

typedef struct {
    int rank;
    MPI_Comm data; /* Without the tokens, which wildcards would take. */
    long depth;
    int source;
    int any_tag;
    int waits_for_all;
    int is_backward;
    MPI_Request* requests;
    int* values;
} Side;

static int tag_of(const Side* side, long index) { return side->any_tag ? MPI_ANY_TAG : (int)index; }

static long in_order(const Side* side, long index) {
    return side->is_backward ? side->depth - 1 - index : index;
}

/* The other rank goes on only after rank `from` has come here. */
static void pass_token(const Side* side, int from) {
    if (side->rank == from)
        MPI_Send(NULL, 0, MPI_INT, 1 - from, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(NULL, 0, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_all(const Side* side, int downward) {
    for (long i = 0; i < side->depth; ++i) {
        const int value = (int)(downward ? side->depth - 1 - i : i);
        MPI_Send(&value, 1, MPI_INT, 1, value, side->data);
    }
}

static void check_all(const Side* side) {
    long sum = 0;
    for (long i = 0; i < side->depth; ++i) {
        if (!side->any_tag && side->values[i] != (int)i) MPI_Abort(MPI_COMM_WORLD, 1);
        sum += side->values[i];
        side->values[i] = -1;
    }
    if (sum != side->depth * (side->depth - 1) / 2) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void wait_for_all(const Side* side) {
    if (side->waits_for_all) {
        MPI_Waitall((int)side->depth, side->requests, MPI_STATUSES_IGNORE);
        return;
    }
    for (long i = 0; i < side->depth; ++i)
        MPI_Wait(&side->requests[in_order(side, i)], MPI_STATUS_IGNORE);
}

static void post_all(const Side* side) {
    for (long i = 0; i < side->depth; ++i)
        MPI_Irecv(&side->values[i], 1, MPI_INT, side->source, tag_of(side, i), side->data,
                  &side->requests[i]);
}

static void exchange_unexpected(const Side* side) {
    if (side->rank == 0) send_all(side, 0);
    pass_token(side, 0);
    for (long i = side->depth - 1; side->rank == 1 && i >= 0; --i)
        MPI_Recv(&side->values[i], 1, MPI_INT, side->source, tag_of(side, i), side->data,
                 MPI_STATUS_IGNORE);
    pass_token(side, 1);
}

static void exchange_posted(const Side* side, int is_persistent) {
    if (side->rank == 1) {
        if (is_persistent)
            MPI_Startall((int)side->depth, side->requests);
        else
            post_all(side);
    }
    pass_token(side, 1);
    if (side->rank == 0) send_all(side, side->source != MPI_ANY_SOURCE);
    if (side->rank == 1) wait_for_all(side);
}

static void cancel_all(const Side* side) {
    post_all(side);
    for (long i = 0; i < side->depth; ++i) MPI_Cancel(&side->requests[in_order(side, i)]);
    MPI_Waitall((int)side->depth, side->requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const long rounds = argument(argc, argv, 1, 1000);
    const char* kind = argc > 3 ? argv[3] : "posted";
    const char* names = argc > 4 ? argv[4] : "exact";
    const char* order = argc > 5 ? argv[5] : "waitall";
    Side side = {
        .depth = argument(argc, argv, 2, 16),
        .source = strcmp(names, "any_source") == 0 ? MPI_ANY_SOURCE : 0,
        .any_tag = strcmp(names, "any_tag") == 0,
        .waits_for_all = strcmp(order, "waitall") == 0,
        .is_backward = strcmp(order, "backward") == 0,
    };
    MPI_Comm_rank(MPI_COMM_WORLD, &side.rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &side.data);
    side.requests = (MPI_Request*)allocate((size_t)side.depth * sizeof(MPI_Request));
    side.values = (int*)allocate((size_t)side.depth * sizeof(int));
    const int is_cancelled = strcmp(kind, "cancelled") == 0;
    const int is_persistent = strcmp(kind, "persistent") == 0 && side.rank == 1;
    for (long i = 0; is_persistent && i < side.depth; ++i)
        MPI_Recv_init(&side.values[i], 1, MPI_INT, side.source, tag_of(&side, i), side.data,
                      &side.requests[i]);
    const double start = MPI_Wtime();
    for (long round = 0; round < rounds; ++round) {
        if (is_cancelled) {
            if (side.rank == 1) cancel_all(&side);
            continue;
        }
        if (strcmp(kind, "unexpected") == 0)
            exchange_unexpected(&side);
        else
            exchange_posted(&side, is_persistent);
        if (side.rank == 1) check_all(&side);
    }
    report("queue_depth", start);
    for (long i = 0; is_persistent && i < side.depth; ++i) MPI_Request_free(&side.requests[i]);
    free(side.requests);
    free(side.values);
    MPI_Comm_free(&side.data);
    MPI_Finalize();
    return 0;
}
