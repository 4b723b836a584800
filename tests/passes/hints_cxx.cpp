// In C++ the region ends where an exception leaves the loop, too.
// RUN: %cxx --no-count --hints -O1 -S -emit-llvm %s -o %t.ll 2> %t.list
// RUN: %check --input-file=%t.ll %s
// CHECK: @[[ZERO:kumi.value[.0-9]*]] = {{.*}}c"0\00"
// CHECK: landingpad
// CHECK-NEXT: cleanup
// CHECK-NEXT: call void @kumi.pass_hint(ptr {{.*}}@[[ZERO]])
#include <mpi.h>

void look(double* data);  // May throw.

struct Guard {
    explicit Guard(double* data) : x_data(data) {}
    ~Guard() { *x_data = 0; }
    double* x_data;
};

void step(double* data, long steps) {
    Guard guard(data);
    for (long i = 0; i < steps; ++i) {
        MPI_Bcast(data, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        look(data);
    }
}
