/* A message longer than its receive gives MPI_ERR_TRUNCATE, and what follows still works. */
#include "check.h"

static void too_long(int sent_bytes, int tag) {
    char* buffer = (char*)allocate((size_t)sent_bytes);
    memset(buffer, 1, (size_t)sent_bytes);
    if (world_rank == 0) {
        MPI_Send(buffer, sent_bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
        MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    } else if (world_rank == 1) {
        char small[16];
        int error_class = MPI_SUCCESS, after = -1;
        const int code =
            MPI_Recv(small, sizeof small, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Error_class(code, &error_class);
        CHECK(error_class == MPI_ERR_TRUNCATE);
        CHECK(MPI_Recv(&after, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
              MPI_SUCCESS);
        CHECK(after == tag);
    }
    free(buffer);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 2);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    too_long(17, 1);
    too_long(5000, 2);
    return end("truncation");
}
