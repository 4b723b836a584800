/* A model file replaces the numbers that it names; a bad one is an error with its line, and nothing
   else is said or written.
   RUN: echo 'float_divide = 20000 9000' > %t.good
   RUN: %cc --processor-model %t.good -O2 -S -emit-llvm %s -o - | %check %s
   RUN: printf '# costs\nfloat_divide = 20000 fast\n' > %t.bad
   RUN: not %cc --processor-model %t.bad -O2 -c %s -o %t.o 2>&1 | %check --check-prefix=BAD %s
   RUN: printf 'float_divde = 1 1\n' > %t.unknown
   RUN: not %cc --processor-model %t.unknown -c %s -o %t.o 2>&1 | %check --check-prefix=UNKNOWN %s
   RUN: not %cc --processor-model %t.missing -c %s -o %t.o 2>&1 | %check --check-prefix=MISSING %s
   RUN: not %cc --prewake --processor-model %t.bad %s -c -o %t.o 2>&1 | %check --check-prefix=BAD %s
   RUN: not %fc --processor-model %t.bad %S/fortran.f90 -c -o %t.o 2>&1 \
   RUN:   | %check --check-prefix=BAD %s
   RUN: not ls %t.o
   CHECK: add i64 {{.*}}, 9000
   BAD-NOT: {{.}}
   BAD: {{^/.*}}.bad:2: float_divide: expected latency and interval, {{.*}}
   BAD-NOT: {{.}}
   UNKNOWN-NOT: {{.}}
   UNKNOWN: {{^/.*}}.unknown:1: float_divde: no such key
   UNKNOWN-NOT: {{.}}
   MISSING: kumihimo: error: there is no processor model {{.*}}.missing
 */
double quotient(double x, double y) { return x / y; }
