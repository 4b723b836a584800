/* What the vectoriser made stays vectorised, and is charged as a whole.
   RUN: %cc -O3 -fno-discard-value-names -S -emit-llvm %s -o - | %check %s
 */

/* CHECK-LABEL: @scale(
   CHECK: vector.body:
   CHECK-NOT: kumi
   CHECK: fmul <2 x double>
   CHECK-NOT: kumi
   CHECK: br i1
 */
void scale(double* restrict to, const double* restrict from, double factor, long count) {
    for (long i = 0; i < count; ++i) to[i] = factor * from[i];
}
