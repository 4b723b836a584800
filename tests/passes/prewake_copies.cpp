// A call of which the optimizer makes copies, by unrolling and inlining, is reported once.
// RUN: %cxx --prewake -O3 -S -emit-llvm %s -o - 2> %t.list | %check --check-prefix=CODE %s
// RUN: %check --input-file=%t.list %s
// RUN: %cxx --prewake -O3 -Rpass=kumi-prewake -c %s -o %t.o 2>&1 | %check --check-prefix=REMARK %s
#include <mpi.h>

// CODE-LABEL: @repeated
// CODE-COUNT-5: call i32 @MPI_Bcast
// CHECK: MPI_Barrier: woken at the beginning of inlined(), in the loop {{.*}} (split)
// CHECK-NEXT: MPI_Bcast: woken {{.*}}in the loop prewake_copies.cpp:{{[0-9]+}} (split)
// CHECK-NEXT: MPI_Barrier: woken by a timer of an earlier call; not above MPI_Barrier
// CHECK-NOT: prewake_copies.cpp:{{[0-9]+}}: MPI
// REMARK: remark: MPI_Bcast: woken {{.*}}in the loop
// REMARK-NOT: remark: MPI_Bcast

void inlined() { MPI_Barrier(MPI_COMM_WORLD); }

extern "C" double repeated(long count) {
    double x = 0;
    for (int round = 0; round < 5; ++round) {
        for (long i = 0; i < count; ++i) x = x * 0.5 + static_cast<double>(i);
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    return x;
}
extern "C" void around(double* data, long count) {
    for (long i = 0; i < count; ++i) data[i] *= 0.5;
    inlined();
    MPI_Barrier(MPI_COMM_WORLD);
}
