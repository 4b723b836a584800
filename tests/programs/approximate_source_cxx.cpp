// Numbers whose type says that they may arrive with errors.
//
// Usage: approximate_source_cxx [count]: rank 0 also prints the wrong bits, of all ranks together.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <kumihimo/approx.hpp>
#include <vector>

#include "check.h"

namespace {

using kumihimo::approx;

constexpr int kWords = 20'000;
bool counts = false;

/// To the next rank and from the one before; the first bits of each word must be right.
template <class Number>
void exchange(const char* name) {
    using Plain = typename Number::value_type;
    constexpr int kBits = kumihimo::detail::word_bits<Plain>;
    const int count = kWords * 8 / static_cast<int>(sizeof(Number));
    const int before = (world_rank + world_size - 1) % world_size;
    std::vector<Number> out(count), in(count);
    pattern_fill(out.data(), 8 * kWords, world_rank);
    const MPI_Datatype type = kumihimo::datatype<Number>();
    CHECK(type == kumihimo::datatype<Number>());
    MPI_Sendrecv(out.data(), count, type, (world_rank + 1) % world_size, 0, in.data(), count, type,
                 before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<std::uint64_t> sent(kWords), received(kWords);
    pattern_fill(sent.data(), 8 * kWords, before);
    std::memcpy(received.data(), in.data(), 8 * kWords);
    long wrong = 0, all = 0;
    for (int i = 0; i < kWords; ++i) {
        for (int bit = 0; bit < 64; ++bit) {
            if (((sent[i] ^ received[i]) >> bit & 1) == 0) continue;
            CHECK(kBits - 1 - bit % kBits >= Number::protected_bits);
            ++wrong;
        }
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (counts && world_rank == 0) std::printf("%s wrong %ld\n", name, all);
}

/// What is computed is what plain numbers give.
void arithmetic() {
    approx<double, 16> a = 3, b = 4.5;
    a = -(2 * a + b / 2.0) - 1;
    a += 1;
    CHECK(kumihimo::endorse(a) == -8.25);
    CHECK(endorse(a < b) && endorse((a <= b) & !(a > b)) && endorse((a == b) | (a != b)));
    CHECK(endorse(abs(a)) == 8.25 && endorse(sqrt(approx<double, 16>(9.0))) == 3);
    CHECK(endorse(select(a < b, a, b)) == -8.25);
    // From better protection to less as needed; the other way, and to other numbers, in words.
    const approx<double, 40> better = 0.5;
    const approx<double, 16> sum = better + b;
    CHECK(endorse(sum) == 5 && endorse(static_cast<approx<double, 40>>(sum)) == 5);
    CHECK(endorse(static_cast<approx<float>>(sum)) == 5.0F);
    const approx<std::complex<float>> rotated =
        approx<std::complex<float>>({1, 2}) * std::complex<float>(0, 1);
    CHECK(endorse(real(rotated)) == -2 && endorse(imag(rotated)) == 1);
    const approx<std::int16_t, 8> small = approx<std::int16_t, 8>(5) * 7;
    CHECK(endorse(small) == 35);
    std::vector<approx<double>> numbers(100, 0.5);
    double total = 0;
    for (const auto& number : numbers) total += endorse(number);
    CHECK(total == 50);
}

}  // namespace

int main(int argc, char** argv) {
    begin(&argc, &argv);
    counts = argc > 1 && std::strcmp(argv[1], "count") == 0;
    arithmetic();
    exchange<approx<double, 16>>("double");
    exchange<approx<float>>("float");
    exchange<approx<std::complex<double>>>("complex");
    exchange<approx<std::int64_t, 48>>("integer");
    return end("approximate_source_cxx");
}
