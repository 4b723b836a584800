/* What the probe does about wake-ups. */

#include <stdio.h>

#include "kumihimo/compute.h"
#include "kumihimo/hint.h"
#include "probe.h"

void probe_wake_place(void) {
    MPI_Init(NULL, NULL);
    for (int round = 0; round < 4; ++round) {
        kumi_compute_seconds(80e-6);
        HINT("WAKE", "next");
        kumi_compute_seconds(20e-6);
        MPI_Send(NULL, 0, 0, 1, 0, 0);
    }
    MPI_Finalize();
}

void probe_wake_calls(void) {
    MPI_Init(NULL, NULL);
    for (int round = 0; round < 4; ++round) {
        kumi_compute_seconds(100e-6);
        MPI_Send(NULL, 0, 0, 1, 0, 0);
    }
    MPI_Finalize();
}

void probe_hints(uintptr_t world, uintptr_t elsewhere) {
    MPI_Init(NULL, NULL);
    printf("wake %d", kumi_wake(1));
    printf(" %d", kumi_wake(9));
    printf(" %d\n", kumi_wake(-3));
    printf("members %d", kumi_wake_members(world));
    printf(" %d", kumi_wake_member(elsewhere, 0));
    printf(" %d\n", kumi_wake_member(world, 5));
    printf("hint %d", HINT("WAKE", "next"));
    printf(" %d", HINT("WAKE", "1"));
    printf(" %d", HINT("WAKE", "all"));
    printf(" %d", HINT("WAKE", "x"));
    printf(" %d", HINT("WAKE", "7"));
    printf(" %d\n", HINT("SLEEP", "1"));
    MPI_Finalize();
}

void probe_other_communicators(uintptr_t two_groups, uintptr_t none) {
    MPI_Init(NULL, NULL);
    printf("two groups %d", kumi_wake_member(two_groups, 1));
    printf(" %d", kumi_wake_member(two_groups, 2));
    printf(" %d\n", kumi_wake_members(two_groups));
    printf("none %d", kumi_wake_member(none, 0));
    printf(" %d\n", kumi_wake_members(none));
    MPI_Finalize();
}
