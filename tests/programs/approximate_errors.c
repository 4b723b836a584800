/* Datatypes in which nothing may go wrong, and bits that numbers do not have. Prints for each what
 * the call returns: success outside of a run. */
#include <kumihimo/approx.h>

#include "check.h"

static void report(const char* name, int code, MPI_Datatype* made) {
    const char* text = code == MPI_SUCCESS    ? "success"
                       : code == MPI_ERR_TYPE ? "type"
                       : code == MPI_ERR_ARG  ? "argument"
                                              : "another error";
    CHECK((code == MPI_SUCCESS) == (*made != MPI_DATATYPE_NULL));
    if (world_rank == 0) printf("%s: %s\n", name, text);
    if (code == MPI_SUCCESS) MPI_Type_free(made);
}

int main(int argc, char** argv) {
    MPI_Datatype made, pair;
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, 8};
    const MPI_Datatype parts[2] = {MPI_DOUBLE, MPI_INT};
    begin(&argc, &argv);
    MPI_Type_create_struct(2, lengths, places, parts, &pair);
    report("all bits", kumi_approx_type(MPI_FLOAT, 32, &made), &made);
    report("more bits", kumi_approx_type(MPI_FLOAT, 33, &made), &made);
    report("fewer bits", kumi_approx_type(MPI_FLOAT, -1, &made), &made);
    report("more bits of a part", kumi_approx_type(MPI_C_FLOAT_COMPLEX, 33, &made), &made);
    report("bytes", kumi_approx_type(MPI_BYTE, 0, &made), &made);
    report("bytes by force", kumi_approx_type_forced(MPI_BYTE, 0, &made), &made);
    report("integers", kumi_approx_type(MPI_INT, 31, &made), &made);
    report("integers by force", kumi_approx_type_forced(MPI_INT, 31, &made), &made);
    report("mixture", kumi_approx_type(pair, 16, &made), &made);
    MPI_Type_free(&pair);
    return end("approximate_errors");
}
