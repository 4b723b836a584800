/* The loop that communicates most is put between hints: at all its exits the region ends. Loops
   with few iterations stay outside, and so does a loop around both.
   RUN: %cc --no-count --hints -O2 -S -emit-llvm %s -o %t.ll 2> %t.list
   RUN: %check --check-prefix=LIST --input-file=%t.list %s
   RUN: %check --input-file=%t.ll %s
   RUN: %cc --no-count --hints -O2 -Rpass=kumi-hints -c %s -o %t.o 2> %t.remark
   RUN: %check --check-prefix=REMARK --input-file=%t.remark %s
   RUN: %cc --no-count --hints -O2 -DALONE -c %s -o %t.o 2> %t.alone
   RUN: %check --check-prefix=ALONE --input-file=%t.alone %s
   RUN: %cc --no-count --hints -O2 -DNONE -S -emit-llvm %s -o - 2>&1 | %check --check-prefix=NONE %s
   LIST: hints.c:[[# @LINE + 38]]: IN_KERNEL around the loop: it has about 12500 of 12812 calls
   REMARK: hints.c:[[# @LINE + 37]]:{{[0-9]+}}: remark: IN_KERNEL around the loop
   ALONE: hints.c:[[# @LINE + 29]]: IN_KERNEL around the loop: it has about 200 of 200 calls
   NONE-NOT: kumi

   CHECK: @[[ONE:kumi.value[.0-9]*]] = {{.*}}c"1\00"
   CHECK: @[[ZERO:kumi.value[.0-9]*]] = {{.*}}c"0\00"
   CHECK-LABEL: define {{.*}}@step(
   CHECK-NOT: kumi.pass_hint
   CHECK-COUNT-5: @MPI_Allreduce
   CHECK: call void @kumi.pass_hint(ptr {{.*}}@[[ONE]])
   CHECK: call {{.*}}@exchange(
   CHECK-COUNT-2: call void @kumi.pass_hint(ptr {{.*}}@[[ZERO]])
   CHECK-NOT: call void @kumi.pass_hint
   CHECK: define internal void @kumi.pass_hint(
   CHECK: define internal void @kumi.find_hint(
 */
#include <mpi.h>

/* Two calls: a function of the same file, which is not inlined. */
__attribute__((noinline)) static void exchange(double* data, int peer) {
#ifndef NONE
    MPI_Send(data, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(data, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    data[0] += peer;
#endif
}

int step(double* data, long rounds, long steps) {
#ifdef ALONE
    for (long round = 0; round < rounds; ++round) exchange(data, 1);
#else
    for (long round = 0; round < rounds; ++round) {
#ifndef NONE
        for (int i = 0; i < 5; ++i)
            MPI_Allreduce(MPI_IN_PLACE, data, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
        for (long i = 0; i < steps; ++i) {
            exchange(data + i, 1);
            if (data[i] < 0) return 1;
        }
    }
#endif
    return 0;
}
