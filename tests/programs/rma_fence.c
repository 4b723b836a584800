/* Put, get and accumulate between fences, small and large, contiguous and strided. */
#include "check.h"

#define COUNT 50000

static void put_and_get(MPI_Win window, int* base) {
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    int* values = (int*)allocate(sizeof(int) * COUNT);
    int* fetched = (int*)allocate(sizeof(int) * COUNT);
    for (int i = 0; i < COUNT; ++i) values[i] = world_rank * COUNT + i;
    memset(base, 0, sizeof(int) * COUNT);
    MPI_Win_fence(0, window);
    for (int start = 0; start < COUNT; start += COUNT / 5) {
        MPI_Put(values + start, COUNT / 5, MPI_INT, right, start, COUNT / 5, MPI_INT, window);
    }
    MPI_Win_fence(0, window);
    for (int i = 0; i < COUNT; ++i) CHECK(base[i] == left * COUNT + i);
    MPI_Win_fence(0, window);
    MPI_Get(fetched, COUNT, MPI_INT, right, 0, COUNT, MPI_INT, window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < COUNT; ++i) CHECK(fetched[i] == world_rank * COUNT + i);
    free(fetched);
    free(values);
}

static void accumulate(MPI_Win window, int* base) {
    int ones[100];
    for (int i = 0; i < 100; ++i) ones[i] = i + world_rank;
    memset(base, 0, sizeof(int) * COUNT);
    MPI_Win_fence(0, window);
    for (int target = 0; target < world_size; ++target) {
        MPI_Accumulate(ones, 100, MPI_INT, target, 0, 100, MPI_INT, MPI_SUM, window);
    }
    MPI_Win_fence(0, window);
    const int ranks_sum = world_size * (world_size - 1) / 2;
    for (int i = 0; i < 100; ++i) CHECK(base[i] == world_size * i + ranks_sum);
    CHECK(base[100] == 0);
}

static void strided_put(MPI_Win window, int* base) {
    const int right = (world_rank + 1) % world_size;
    MPI_Datatype every_third;
    int values[50];
    MPI_Type_vector(50, 1, 3, MPI_INT, &every_third);
    MPI_Type_commit(&every_third);
    for (int i = 0; i < 50; ++i) values[i] = i + 1;
    memset(base, 0, sizeof(int) * COUNT);
    MPI_Win_fence(0, window);
    MPI_Put(values, 50, MPI_INT, right, 0, 1, every_third, window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < 150; ++i) CHECK(base[i] == (i % 3 == 0 ? i / 3 + 1 : 0));
    MPI_Type_free(&every_third);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int* base = NULL;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int) * COUNT, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base,
                     &window);
    put_and_get(window, base);
    accumulate(window, base);
    strided_put(window, base);
    MPI_Win_free(&window);
    return end("rma_fence");
}
