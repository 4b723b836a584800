/* Passive target: locks, lock_all with flush, fetch-and-op, compare-and-swap, get-accumulate. */
#include "check.h"

static void exclusive_counter(MPI_Win window, const long* base) {
    for (int i = 0; i < 10; ++i) {
        long value = 0;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Get(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window);
        MPI_Win_flush(0, window);
        ++value;
        MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        CHECK(base[0] == 10L * world_size);
        MPI_Win_unlock(0, window);
    }
}

static void tickets(MPI_Win window) {
    const long one = 1;
    long ticket = -1, total = -1, sum = 0;
    MPI_Win_lock_all(0, window);
    MPI_Fetch_and_op(&one, &ticket, MPI_LONG, 0, 1, MPI_SUM, window);
    MPI_Win_flush(0, window);
    CHECK(ticket >= 0 && ticket < world_size);
    MPI_Allreduce(&ticket, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == (long)world_size * (world_size - 1) / 2);
    MPI_Fetch_and_op(NULL, &total, MPI_LONG, 0, 1, MPI_NO_OP, window);
    MPI_Win_flush(0, window);
    CHECK(total == world_size);
    MPI_Win_unlock_all(window);
}

static void one_winner(MPI_Win window) {
    const long empty = 0, mine = world_rank + 1;
    long seen = -1, winners = 0;
    MPI_Win_lock_all(0, window);
    MPI_Compare_and_swap(&mine, &empty, &seen, MPI_LONG, 0, 2, window);
    MPI_Win_flush(0, window);
    const long won = seen == 0;
    MPI_Allreduce(&won, &winners, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(winners == 1);

    long before[2] = {-1, -1};
    const long add[2] = {100, 200};
    MPI_Get_accumulate(add, 2, MPI_LONG, before, 2, MPI_LONG, world_rank, 3, 2, MPI_LONG, MPI_SUM,
                       window);
    MPI_Win_flush_all(window);
    CHECK(before[0] == 0 && before[1] == 0);
    MPI_Request request;
    long after[2] = {-1, -1};
    MPI_Rget(after, 2, MPI_LONG, world_rank, 3, 2, MPI_LONG, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(after[0] == 100 && after[1] == 200);
    MPI_Win_unlock_all(window);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    long* base = NULL;
    MPI_Win window;
    MPI_Alloc_mem(8 * sizeof(long), MPI_INFO_NULL, &base);
    memset(base, 0, 8 * sizeof(long));
    MPI_Win_create(base, 8 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Barrier(MPI_COMM_WORLD);
    exclusive_counter(window, base);
    MPI_Barrier(MPI_COMM_WORLD);
    tickets(window);
    MPI_Barrier(MPI_COMM_WORLD);
    one_winner(window);
    MPI_Win_free(&window);
    MPI_Free_mem(base);
    return end("rma_locks");
}
