/* Both parts of a loop that was split are vectorised, and each is charged as a whole.
   RUN: %cc --prewake -O3 -fno-discard-value-names -S -emit-llvm %s -o - 2> %t.list | %check %s
   RUN: %check --check-prefix=LIST --input-file=%t.list %s
   RUN: %cc --prewake -O2 -Rpass=kumi-prewake -c %s -o %t.o 2> %t.ahead
   RUN: %check --check-prefix=AHEAD --input-file=%t.ahead %s
   RUN: %cc --prewake -O2 -Rpass-missed=kumi-prewake -c %s -o %t.o 2> %t.missed
   RUN: %check --check-prefix=MISSED --input-file=%t.missed %s
 */
#include <mpi.h>

/* CHECK-LABEL: @scale(
   CHECK: vector.body{{.*}}:
   CHECK-NOT: @kumi
   CHECK: fmul <2 x double>
   CHECK: vector.body{{.*}}:
   CHECK-NOT: @kumi
   CHECK: fmul <2 x double>
   LIST: vectors.c:25: MPI_Barrier: woken in the loop {{.*}}vectors.c:24 (split), at the beginning
   LIST: vectors.c:26: MPI_Barrier: woken by a timer of an earlier call; not above MPI_Barrier
   AHEAD: vectors.c:25:5: remark: MPI_Barrier: woken in the loop
   MISSED: vectors.c:26:5: remark: MPI_Barrier: woken by a timer
 */
void scale(double* restrict to, const double* restrict from, double factor, long count) {
    for (long i = 0; i < count; ++i) to[i] = factor * from[i];
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}
