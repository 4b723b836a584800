/* The largest numbers, of which one wrong bit of the exponent makes infinity or no number at all.
 *
 * Usage: approximate_finite free|finite: whether some of them become that, or none. */
#include <math.h>

#include "check.h"

enum { COUNT = 5000 };

int main(int argc, char** argv) {
    static double out[COUNT], in[COUNT];
    MPI_Request request;
    int lost = 0;
    begin(&argc, &argv);
    for (int i = 0; i < COUNT; ++i) out[i] = ldexp(1.0 + (double)i / COUNT, 1023);
    MPI_Irecv(in, COUNT, MPI_DOUBLE, (world_rank + world_size - 1) % world_size, 0, MPI_COMM_WORLD,
              &request);
    MPI_Send(out, COUNT, MPI_DOUBLE, (world_rank + 1) % world_size, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < COUNT; ++i) lost += !isfinite(in[i]);
    CHECK((lost == 0) == (argc < 2 || strcmp(argv[1], "finite") == 0));
    return end("approximate_finite");
}
