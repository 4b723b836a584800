// Computes, then communicates, in each round: every third time an exception ends the computing
// early. What is printed depends on every number that was computed and sent.
#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

namespace {

constexpr int kRounds = 60;
constexpr long kIterations = 60'000;

double computed(int round, double start) {
    double x = start;
    for (long i = 0; i < kIterations; ++i) {
        x = x * 0.999 + 0.001 * static_cast<double>(i % 7);
        if (round % 3 == 2 && i == kIterations - 1000) throw std::runtime_error("early");
    }
    return x;
}

double exchanged(double value, int rank, int ranks) {
    std::vector<double> sent(200, value), received(200);
    MPI_Sendrecv(sent.data(), 200, MPI_DOUBLE, (rank + 1) % ranks, 0, received.data(), 200,
                 MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return received[199];
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double x = rank;
    for (int round = 0; round < kRounds; ++round) {
        try {
            x = computed(round, x);
        } catch (const std::runtime_error&) {
            x = -x;
        }
        x = 0.5 * (x + exchanged(x, rank, ranks));
    }
    double sum = 0;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) std::printf("woken_rounds: %.12g\n", sum);
    MPI_Finalize();
}
