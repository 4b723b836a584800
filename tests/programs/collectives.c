/* Every blocking collective, on the world and on its halves, against values computed directly. */
#include "check.h"

#define COUNT 100

static int rank, size;

static void rooted(MPI_Comm comm) {
    for (int root = 0; root < size; ++root) {
        int values[COUNT];
        for (int i = 0; i < COUNT; ++i) values[i] = rank == root ? root * 1000 + i : -1;
        MPI_Bcast(values, COUNT, MPI_INT, root, comm);
        for (int i = 0; i < COUNT; ++i) CHECK(values[i] == root * 1000 + i);

        int* table = (int*)allocate(sizeof(int) * (size_t)size);
        MPI_Gather(&rank, 1, MPI_INT, table, 1, MPI_INT, root, comm);
        for (int i = 0; rank == root && i < size; ++i) CHECK(table[i] == i);
        int own = -1;
        MPI_Scatter(table, 1, MPI_INT, &own, 1, MPI_INT, root, comm);
        CHECK(own == rank);
        free(table);

        long sum = 0, mine = rank + 1;
        MPI_Reduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, root, comm);
        CHECK(rank != root || sum == (long)size * (size + 1) / 2);
    }
}

static void variable_sizes(MPI_Comm comm) {
    int* counts = (int*)allocate(sizeof(int) * (size_t)size);
    int* offsets = (int*)allocate(sizeof(int) * (size_t)size);
    int total = 0;
    for (int i = 0; i < size; ++i) {
        counts[i] = i + 1;
        offsets[i] = total;
        total += counts[i];
    }
    int* mine = (int*)allocate(sizeof(int) * (size_t)(size + 1));
    int* all = (int*)allocate(sizeof(int) * (size_t)total);
    for (int i = 0; i <= rank; ++i) mine[i] = rank * 100 + i;
    MPI_Allgatherv(mine, rank + 1, MPI_INT, all, counts, offsets, MPI_INT, comm);
    for (int r = 0; r < size; ++r) {
        for (int i = 0; i <= r; ++i) CHECK(all[offsets[r] + i] == r * 100 + i);
    }
    memset(all, 0, sizeof(int) * (size_t)total);
    MPI_Gatherv(mine, rank + 1, MPI_INT, all, counts, offsets, MPI_INT, 0, comm);
    CHECK(rank != 0 || all[total - 1] == (size - 1) * 100 + size - 1);
    memset(mine, 0, sizeof(int) * (size_t)(size + 1));
    MPI_Scatterv(all, counts, offsets, MPI_INT, mine, rank + 1, MPI_INT, 0, comm);
    for (int i = 0; i <= rank; ++i) CHECK(mine[i] == rank * 100 + i);
    free(all);
    free(mine);
    free(offsets);
    free(counts);
}

static void exchanges(MPI_Comm comm) {
    const size_t bytes = sizeof(int) * (size_t)size;
    int* out = (int*)allocate(bytes);
    int* in = (int*)allocate(bytes);
    int* counts = (int*)allocate(bytes);
    int* offsets = (int*)allocate(bytes);
    int* byte_offsets = (int*)allocate(bytes);
    MPI_Datatype* types = (MPI_Datatype*)allocate(sizeof(MPI_Datatype) * (size_t)size);
    for (int i = 0; i < size; ++i) {
        out[i] = rank * 1000 + i;
        counts[i] = 1;
        offsets[i] = i;
        byte_offsets[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    for (int i = 0; i < size; ++i) CHECK(in[i] == i * 1000 + rank);
    memset(in, 0, bytes);
    MPI_Alltoallv(out, counts, offsets, MPI_INT, in, counts, offsets, MPI_INT, comm);
    for (int i = 0; i < size; ++i) CHECK(in[i] == i * 1000 + rank);
    memset(in, 0, bytes);
    MPI_Alltoallw(out, counts, byte_offsets, types, in, counts, byte_offsets, types, comm);
    for (int i = 0; i < size; ++i) CHECK(in[i] == i * 1000 + rank);
    MPI_Allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, comm);
    for (int i = 0; i < size; ++i) CHECK(in[i] == i);
    free(types);
    free(byte_offsets);
    free(offsets);
    free(counts);
    free(in);
    free(out);
}

static void keep_larger(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    const int* a = (const int*)in;
    int* b = (int*)inout;
    for (int i = 0; i < *count; ++i) b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void reductions(MPI_Comm comm) {
    int result = -1;
    MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_MAX, comm);
    CHECK(result == size - 1);
    MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_SUM, comm);
    CHECK(result == size * (size - 1) / 2);
    MPI_Scan(&rank, &result, 1, MPI_INT, MPI_SUM, comm);
    CHECK(result == rank * (rank + 1) / 2);
    MPI_Exscan(&rank, &result, 1, MPI_INT, MPI_SUM, comm);
    CHECK(rank == 0 || result == rank * (rank - 1) / 2);

    struct {
        double value;
        int place;
    } pair = {(double)((rank * 7) % size), rank}, best;
    MPI_Allreduce(&pair, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    CHECK((int)best.value == (best.place * 7) % size);

    MPI_Op larger;
    MPI_Op_create(keep_larger, 1, &larger);
    MPI_Allreduce(&rank, &result, 1, MPI_INT, larger, comm);
    CHECK(result == size - 1);
    MPI_Op_free(&larger);

    int* values = (int*)allocate(sizeof(int) * (size_t)size);
    int* counts = (int*)allocate(sizeof(int) * (size_t)size);
    for (int i = 0; i < size; ++i) {
        values[i] = rank + i;
        counts[i] = 1;
    }
    MPI_Reduce_scatter(values, &result, counts, MPI_INT, MPI_SUM, comm);
    CHECK(result == size * (size - 1) / 2 + size * rank);
    MPI_Reduce_scatter_block(values, &result, 1, MPI_INT, MPI_SUM, comm);
    CHECK(result == size * (size - 1) / 2 + size * rank);
    MPI_Reduce_local(&rank, values, 1, MPI_INT, MPI_SUM);
    CHECK(values[0] == 2 * rank);
    free(counts);
    free(values);
}

static void large_reduction(MPI_Comm comm) {
    const int count = 200000;
    double* in = (double*)allocate(sizeof(double) * (size_t)count);
    double* out = (double*)allocate(sizeof(double) * (size_t)count);
    for (int i = 0; i < count; ++i) in[i] = rank + i;
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, comm);
    const double ranks_sum = size * (size - 1) / 2.0;
    for (int i = 0; i < count; ++i) CHECK(out[i] == ranks_sum + (double)size * i);
    MPI_Bcast(in, count, MPI_DOUBLE, size - 1, comm);
    CHECK(in[count - 1] == size - 1 + count - 1);
    free(out);
    free(in);
}

static void neighbours(MPI_Comm comm) {
    const int periodic = 1;
    int dimension = size;
    MPI_Comm ring;
    MPI_Cart_create(comm, 1, &dimension, &periodic, 0, &ring);
    int received[2] = {-1, -1};
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, ring);
    CHECK(received[0] == (rank + size - 1) % size && received[1] == (rank + 1) % size);
    MPI_Comm_free(&ring);
}

static void everything(MPI_Comm comm) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Barrier(comm);
    rooted(comm);
    variable_sizes(comm);
    exchanges(comm);
    reductions(comm);
    large_reduction(comm);
    neighbours(comm);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    everything(MPI_COMM_WORLD);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, -world_rank, &half);
    everything(half);
    MPI_Comm_free(&half);
    return end("collectives");
}
