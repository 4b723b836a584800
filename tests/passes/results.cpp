// Exceptions, recursion, early exits, switches and calls in branches: a program that counts prints
// what it prints without, and counts the same work in every run.
// RUN: %cxx --no-count -O2 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %cxx -O0 -DCOUNTS %s -o %t.0 && %t.0 > %t.0.once 2> %t.0.work && diff %t.expected %t.0.once
// RUN: %cxx -O1 -DCOUNTS %s -o %t.1 && %t.1 > %t.1.once 2> %t.1.work && diff %t.expected %t.1.once
// RUN: %cxx -O2 -DCOUNTS %s -o %t.2 && %t.2 > %t.2.once 2> %t.2.work && diff %t.expected %t.2.once
// RUN: %cxx -O3 -DCOUNTS %s -o %t.3 && %t.3 > %t.3.once 2> %t.3.work && diff %t.expected %t.3.once
// RUN: %t.0 > /dev/null 2> %t.0.again && diff %t.0.work %t.0.again
// RUN: %t.3 > /dev/null 2> %t.3.again && diff %t.3.work %t.3.again
// RUN: %check --input-file=%t.2.work %s
// CHECK: twice the work takes twice the time
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

#ifdef COUNTS
extern __thread std::uint64_t kumi_work;

/// The compiler must not believe that it knows.
static std::uint64_t work() {
    asm volatile("" ::: "memory");
    return kumi_work;
}
#endif

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int checked(int value) {
    if (value % 7 == 0) throw std::runtime_error("seven");
    return value * 3;
}

static int collatz(long n) {
    int steps = 0;
    while (n != 1) {
        n = n % 2 != 0 ? 3 * n + 1 : n / 2;
        if (++steps > 1000) break;
    }
    return steps;
}

static int by_kind(int kind) {
    switch (kind % 5) {
        case 0:
            return fibonacci(10);
        case 1:
            return collatz(27);
        case 3:
            return -kind;
        default:
            return kind;
    }
}

__attribute__((noinline)) static double repeated(long count) {
    double x = static_cast<double>(count) * 1e-6;
    for (long i = 0; i < count; ++i) x = x * 0.999 + 0.001;
    asm volatile("" ::: "memory");  // Nor move the call, as it might a pure function's.
    return x;
}

int main(int argc, char**) {
    long total = 0;
    std::vector<double> data(1000);
    for (int i = 0; i < 1000; ++i) {
        try {
            total += checked(i);
        } catch (const std::runtime_error&) {
            total -= 1;
        }
        total += by_kind(i);
        for (int j = 0; j < i; ++j) {
            data[static_cast<std::size_t>(j)] += 0.5 * i;
            if (data[static_cast<std::size_t>(j)] > 200000) break;
        }
    }
    double sum = 0;
    for (double value : data) sum += value;
    std::printf("%ld %.6f %d\n", total, sum, fibonacci(15));
#ifdef COUNTS
    const std::uint64_t start = work();
    double x = repeated(100000L * argc);
    const std::uint64_t once = work() - start;
    x += repeated(200000L * argc);
    const std::uint64_t twice = work() - start - once;
    const bool fits = twice > 1.99 * once && twice < 2.01 * once;
    std::fprintf(stderr, "%llu: twice the work takes %s the time (%g)\n",
                 static_cast<unsigned long long>(work()), fits ? "twice" : "another part of", x);
#endif
}
