// A C++ program with the standard library's containers, threads off the MPI path and exceptions.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::vector<double> rotate(const std::vector<double>& mine, int rank, int size) {
    std::vector<double> received(mine.size());
    MPI_Sendrecv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, (rank + 1) % size, 1,
                 received.data(), static_cast<int>(received.size()), MPI_DOUBLE,
                 (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return received;
}

void expect(bool condition, const std::string& what) {
    if (!condition) throw std::runtime_error(what);
}

void run(int rank, int size) {
    std::vector<double> values(1000);
    std::iota(values.begin(), values.end(), rank * 1000.0);
    for (int step = 0; step < size; ++step) values = rotate(values, rank, size);
    expect(values.front() == rank * 1000.0, "a full turn brings every value home");

    double helper_sum = 0;
    std::thread helper([&] { helper_sum = std::accumulate(values.begin(), values.end(), 0.0); });
    helper.join();
    double total = 0;
    MPI_Allreduce(&helper_sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const auto passed = std::chrono::steady_clock::now() - start;
    expect(passed >= std::chrono::milliseconds(5), "the steady clock passes while sleeping");
    if (rank == 0) std::cout << "ring_cxx: total " << static_cast<long long>(total) << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    try {
        run(rank, size);
    } catch (const std::exception& error) {
        std::cerr << "rank " << rank << ": " << error.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Finalize();
    return 0;
}
