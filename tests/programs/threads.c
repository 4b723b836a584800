/* Asks for the thread level that the argument names. With "multiple", two threads of each rank
   exchange messages at once; a level that is not granted ends the program with status 4. With
   "careless" they do it whatever was granted. */
#include <pthread.h>

#include "check.h"

static void* exchange(void* argument) {
    const int tag = *(const int*)argument;
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    for (int i = 0; i < 50; ++i) {
        int out = world_rank * 1000 + i, in = -1;
        MPI_Sendrecv(&out, 1, MPI_INT, right, tag, &in, 1, MPI_INT, left, tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        CHECK(in == left * 1000 + i);
    }
    return NULL;
}

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "single";
    const char* names[] = {"single", "funneled", "serialized", "multiple"};
    const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                          MPI_THREAD_MULTIPLE};
    int wanted = MPI_THREAD_SINGLE, granted = -1;
    for (int i = 0; i < 4; ++i) {
        if (strcmp(name, names[i]) == 0) wanted = levels[i];
    }
    const int careless = strcmp(name, "careless") == 0;
    if (careless) wanted = MPI_THREAD_MULTIPLE;
    MPI_Init_thread(&argc, &argv, wanted, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    if (granted < wanted && !careless) {
        if (world_rank == 0) fprintf(stderr, "threads: level %s was not granted\n", name);
        MPI_Finalize();
        return 4;
    }
    int tags[2] = {1, 2};
    if (wanted == MPI_THREAD_MULTIPLE) {
        pthread_t other;
        CHECK(pthread_create(&other, NULL, exchange, &tags[1]) == 0);
        exchange(&tags[0]);
        pthread_join(other, NULL);
    } else {
        exchange(&tags[0]);
    }
    return end(name);
}
