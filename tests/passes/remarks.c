/* What is said of calls: time inside of libraries is not counted, that of functions from elsewhere
   where they count. Not a word of what the plug-in has added.
   RUN: %cc -O2 --prewake -Rpass-missed=kumi-count -c %s -o %t.o 2>&1 | %check %s
   CHECK-NOT: remark:
   CHECK: remark: the time inside of work is counted only if that is compiled to count, too
   CHECK-NOT: remark:
   CHECK: remark: the time inside of qsort is not counted
   CHECK-NOT: remark:
 */
#include <mpi.h>
#include <stdlib.h>

void work(double*);

int by_size(const void* a, const void* b);

void step(double* data, long count) {
    work(data);
    qsort(data, (size_t)count, sizeof *data, by_size);
    for (long i = 0; i < count; ++i) data[i] *= 0.5;
    MPI_Bcast(data, (int)count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
