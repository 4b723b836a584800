/* Explicit compute time between messages: rank r computes r + 1 times as long as rank 0, then all
 * meet. In a run, the clocks of all ranks show the longest time; natively nothing is computed. */
#include <kumihimo/compute.h>

#include "check.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const double start = kumi_virtual_seconds();
    for (int i = 0; i < 10; ++i) {
        CHECK(kumi_compute_seconds(1e-3 * (world_rank + 1)) == KUMI_COMPUTE_OK);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    const double passed = kumi_virtual_seconds() - start;
    if (kumi_is_simulated()) {
        CHECK(passed >= 1e-2 * world_size);
        CHECK(passed < 1e-2 * world_size + 1e-3);
    } else {
        CHECK(passed == 0);
    }
    CHECK(kumi_compute_flops(1e6) == KUMI_COMPUTE_OK);
    CHECK(kumi_compute_flops(-1) == KUMI_COMPUTE_INVALID);
    CHECK(kumi_compute_seconds(-1) == KUMI_COMPUTE_INVALID);
    return end("compute");
}
