/* Atomic operations of a rank on its own memory, larger and more than an MPI library carries out in
 * a few polls. They end before the other rank sends anything. */
#include <unistd.h>

#include "check.h"

#define NUMBERS (4 << 20)
#define CALLS 3000

static int* mine;
static int *ones, *before;
static MPI_Win window;

static void add_much(void) {
    MPI_Accumulate(ones, NUMBERS, MPI_INT, world_rank, 0, NUMBERS, MPI_INT, MPI_SUM, window);
}

static void fetch_much(void) {
    MPI_Get_accumulate(ones, NUMBERS, MPI_INT, before, NUMBERS, MPI_INT, world_rank, 0, NUMBERS,
                       MPI_INT, MPI_SUM, window);
}

/* As one number of the datatype, and with nothing to send. */
static void look_at_much(void) {
    MPI_Datatype rows;
    MPI_Type_contiguous(NUMBERS, MPI_INT, &rows);
    MPI_Type_commit(&rows);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, before, 1, rows, world_rank, 0, 1, rows,
                       MPI_NO_OP, window);
    MPI_Type_free(&rows);
}

static void add_often(void) {
    for (int i = 0; i < CALLS; ++i)
        MPI_Accumulate(ones, 1, MPI_INT, world_rank, i, 1, MPI_INT, MPI_SUM, window);
}

static void fetch_often(void) {
    for (int i = 0; i < CALLS; ++i)
        MPI_Fetch_and_op(ones, before + i, MPI_INT, world_rank, i, MPI_SUM, window);
}

static void swap_often(void) {
    static const int expected = 1, wanted = 5;
    for (int i = 0; i < CALLS; ++i)
        MPI_Compare_and_swap(&wanted, &expected, before + i, MPI_INT, world_rank, i, window);
}

static int all_are(const int* numbers, int count, int value) {
    for (int i = 0; i < count; ++i) {
        if (numbers[i] != value) return 0;
    }
    return 1;
}

/* Every number of the window becomes 1, and `operation` works on it while the other rank sleeps. */
static void operate(void (*operation)(void)) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0) {
        memcpy(mine, ones, NUMBERS * sizeof(int));
        memset(before, 0, NUMBERS * sizeof(int));
        const double start = MPI_Wtime();
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        operation();
        MPI_Win_unlock(0, window);
        CHECK(MPI_Wtime() - start < 1.0);
    } else {
        sleep(2);
    }
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    MPI_Win_allocate(NUMBERS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine,
                     &window);
    ones = allocate(NUMBERS * sizeof(int));
    before = allocate(NUMBERS * sizeof(int));
    for (int i = 0; i < NUMBERS; ++i) ones[i] = 1;
    const int looks = world_rank == 0;

    operate(add_much);
    CHECK(!looks || all_are(mine, NUMBERS, 2));
    operate(fetch_much);
    CHECK(!looks || (all_are(mine, NUMBERS, 2) && all_are(before, NUMBERS, 1)));
    operate(look_at_much);
    CHECK(!looks || (all_are(mine, NUMBERS, 1) && all_are(before, NUMBERS, 1)));
    operate(add_often);
    CHECK(!looks || (all_are(mine, CALLS, 2) && all_are(mine + CALLS, NUMBERS - CALLS, 1)));
    operate(fetch_often);
    CHECK(!looks || (all_are(mine, CALLS, 2) && all_are(before, CALLS, 1)));
    operate(swap_often);
    CHECK(!looks || (all_are(mine, CALLS, 5) && all_are(before, CALLS, 1)));

    MPI_Win_free(&window);
    free(ones);
    free(before);
    return end("own_accumulates");
}
