/* One message of more than 64 MB, contiguous and then as every second element of an array. */
#include "check.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 2);
    const size_t size_bytes = argc > 1 ? (size_t)atol(argv[1]) : ((size_t)65 << 20) + 13;
    if (world_rank < 2) {
        char* buffer = (char*)allocate(size_bytes);
        if (world_rank == 0) {
            pattern_fill(buffer, size_bytes, 9);
            MPI_Send(buffer, (int)size_bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        } else {
            memset(buffer, 0, size_bytes);
            MPI_Recv(buffer, (int)size_bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(pattern_matches(buffer, size_bytes, 9));
        }
        const int count = (int)(size_bytes / sizeof(int) / 2);
        MPI_Datatype strided;
        MPI_Type_vector(count, 1, 2, MPI_INT, &strided);
        MPI_Type_commit(&strided);
        int* values = (int*)buffer;
        if (world_rank == 0) {
            for (int i = 0; i < count; ++i) values[2 * (size_t)i] = i;
            MPI_Send(values, 1, strided, 1, 2, MPI_COMM_WORLD);
        } else {
            memset(buffer, 0xff, size_bytes);
            MPI_Recv(values, 1, strided, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < count; ++i) {
                CHECK(values[2 * (size_t)i] == i);
                CHECK(i == count - 1 || values[2 * (size_t)i + 1] == -1);
            }
        }
        MPI_Type_free(&strided);
        free(buffer);
    }
    return end("large");
}
