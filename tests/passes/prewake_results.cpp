// Loops of all kinds ahead of communication, exceptions, recursion, early exits and calls in
// branches: a program with places prints what it prints without, natively and with a listener;
// and they are where they have to be.
// DEFINE: %{listens} = -DLISTENS -Wl,--export-dynamic-symbol=kumi_wake_offer
// RUN: %cxx --no-count -O2 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %cxx --prewake -O0 %{listens} %s -o %t.0 2> %t.0.list && %t.0 > %t.0.out 2> %t.0.heard
// RUN: %cxx --prewake -O1 %{listens} %s -o %t.1 2> %t.1.list && %t.1 > %t.1.out 2> %t.1.heard
// RUN: %cxx --prewake -O2 %{listens} %s -o %t.2 2> %t.2.list && %t.2 > %t.2.out 2> %t.2.heard
// RUN: %cxx --prewake -O3 %{listens} %s -o %t.3 2> %t.3.list && %t.3 > %t.3.out 2> %t.3.heard
// RUN: %cxx --prewake --no-count -O3 -mavx2 %{listens} %s -o %t.4 2> %t.4.list
// RUN: %t.4 > %t.4.out 2> %t.4.heard
// RUN: diff %t.expected %t.0.out && diff %t.expected %t.1.out && diff %t.expected %t.2.out
// RUN: diff %t.expected %t.3.out && diff %t.expected %t.4.out
// RUN: %cxx --prewake -O2 %s -o %t.5 2> %t.5.list && %t.5 > %t.5.out && diff %t.expected %t.5.out
// RUN: %check --input-file=%t.0.heard %s
// RUN: %check --input-file=%t.1.heard %s
// RUN: %check --input-file=%t.2.heard %s
// RUN: %check --input-file=%t.3.heard %s
// RUN: %check --input-file=%t.4.heard %s
// CHECK: counted: {{[12]}} iterations were left
// CHECK: search: {{[12]}} iterations were left
// CHECK: nested: {{[12]}} iterations were left
// CHECK: as often as loops began: yes
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <vector>

/// Iterations of the loop that is watched just now; nothing may keep it in a register.
static volatile long watched = 0;
static long seen = -1;

#ifdef LISTENS
static void* hooks[3];
/// What the run offers to programs with places.
extern "C" void** kumi_wake_offer() { return hooks; }
static long begun = 0, passed = 0;
static std::map<const void*, long> last_trips;

static void pass_place(const void*) {
    ++passed;
    if (watched > 0) seen = watched;
}
static std::int64_t begin_loop(const void* place, std::int64_t trips) {
    ++begun;
    if (trips < 0) trips = last_trips[place];
    return trips > 2 ? trips - 2 : 0;
}
static void end_loop(const void* place, std::int64_t trips) { last_trips[place] = trips; }

static void listen() {
    hooks[0] = reinterpret_cast<void*>(pass_place);
    hooks[1] = reinterpret_cast<void*>(begin_loop);
    hooks[2] = reinterpret_cast<void*>(end_loop);
}
static void tell(const char* what, long trips) {
    std::fprintf(stderr, "%s: %ld iterations were left\n", what, trips - seen);
}
#else
static void listen() {}
static void tell(const char*, long) {}
#endif

static void communicate(double& value) { MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_SELF); }

static double counted(long n, double x) {
    watched = 0;
    for (long i = 0; i < n; ++i) {
        x = x * 0.5 + static_cast<double>(i);
        watched = i + 1;
    }
    communicate(x);
    return x;
}

static double search(const std::vector<double>& data, double wanted) {
    double at = -1;
    watched = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (data[i] == wanted) {
            at = static_cast<double>(i);
            break;
        }
        watched = watched + 1;
    }
    communicate(at);
    return at;
}

static double nested(long rows, long columns, std::vector<double>& data) {
    watched = 0;
    for (long i = 0; i < rows; ++i) {
        for (long j = 0; j < columns; ++j) data[static_cast<std::size_t>(j)] += 0.25 * i;
        watched = i + 1;
    }
    double sum = data[3];
    communicate(sum);
    return sum;
}

/// Vectorised, unrolled, with reductions and more than one value carried along.
static double reduced(const std::vector<float>& a, std::vector<float>& b, long n) {
    long hits = 0;
    float last = 0;
    for (long i = 0; i < n; ++i) {
        b[static_cast<std::size_t>(i)] = a[static_cast<std::size_t>(i)] * 2 + last;
        last = a[static_cast<std::size_t>(i)];
        hits += a[static_cast<std::size_t>(i)] > 3;
    }
    double both = static_cast<double>(hits) + b[static_cast<std::size_t>(n) - 1];
    MPI_Allreduce(MPI_IN_PLACE, &both, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    return both;
}

/// Down to zero, in steps of two, unsigned, or not at all.
static double odd_counts(unsigned n) {
    double x = 1;
    for (unsigned i = n; i > 1; i -= 2) x = x * 0.75 + i;
    communicate(x);
    unsigned k = n;
    do {
        x = x * 0.5 + k;
    } while (++k < n + 3);
    communicate(x);
    while (x > 1) x *= 0.7;
    communicate(x);
    return x;
}

static double recursive(int depth, double x) {
    if (depth == 0) return x;
    for (int i = 0; i < 20 * depth; ++i) x = x * 0.9 + 1;
    if (depth % 2 == 0) communicate(x);
    return recursive(depth - 1, x) + 0.5 * recursive(depth / 2, x);
}

static double thrower(int i) {
    double x = i;
    try {
        for (int j = 0; j < 50; ++j) {
            x = x * 0.9 + j;
            if (i % 3 == 0 && j == 30) throw std::runtime_error("three");
        }
        communicate(x);
        if (i % 5 == 0) throw x;
    } catch (const std::runtime_error&) {
        for (int j = 0; j < i; ++j) x += 1;
        communicate(x);
    } catch (double) {
        x = -x;
    }
    return x;
}

/// A fallthrough switch in the loop, and branches that communicate.
static double branches(int kind, double x) {
    for (int i = 0; i < 40; ++i) {
        switch ((kind + i) % 4) {
            case 0:
                x += 1;
                [[fallthrough]];
            case 1:
                x *= 0.5;
                break;
            case 3:
                continue;
            default:
                x -= 0.25;
        }
    }
    if (kind % 2 == 0) {
        communicate(x);
    } else if (kind % 3 == 0) {
        MPI_Request request;
        MPI_Ibarrier(MPI_COMM_SELF, &request);
        for (int i = 0; i < 30; ++i) x = x * 0.5 + i;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return x;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    listen();
    std::vector<double> data(100, 1.0);
    std::vector<float> a(1000), b(1000);
    for (int i = 0; i < 1000; ++i) a[static_cast<std::size_t>(i)] = static_cast<float>(i % 7);
    for (int round = 0; round < 3; ++round) {
        std::printf("%.17g\n", counted(100, 1 + round));
        if (round == 2) tell("counted", 100);
        data[60] = 7;
        std::printf("%.17g\n", search(data, 7));
        if (round == 2) tell("search", 61);
        std::printf("%.17g\n", nested(30, 90, data));
        if (round == 2) tell("nested", 30);
        for (long n : {1, 2, 3, 31, 1000}) std::printf("%.17g\n", reduced(a, b, n));
        for (unsigned n : {0U, 1U, 2U, 7U, 100U}) std::printf("%.17g\n", odd_counts(n));
        std::printf("%.17g\n", recursive(6, 1));
        for (int i = 0; i < 12; ++i) std::printf("%.17g\n", thrower(i) + branches(i, 2));
    }
#ifdef LISTENS
    std::fprintf(stderr, "as often as loops began: %s\n",
                 passed > 50 && passed <= 3 * begun ? "yes" : "no");
#endif
    MPI_Finalize();
    return seen < -1;
}
