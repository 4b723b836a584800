/* A program with a table in place of the shim's, of a version that no provider knows. */

#include <mpi.h>
#include <stdint.h>

struct other_table {
    uint32_t version, size_bytes;
};

const struct other_table* kumi_shim_table(void);

const struct other_table* kumi_shim_table(void) {
    static const struct other_table table = {9999, sizeof(struct other_table)};
    return &table;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
