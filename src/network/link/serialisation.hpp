#pragma once

#include <cstdint>
#include <numeric>

#include "base/time/time.hpp"

namespace kumi::network {

/// How long bytes take at one rate: the same as `transfer_time`, to the picosecond, but without a
/// 128-bit division. Picoseconds per byte are kept as a reduced fraction; for rates that divide
/// 8e12 (most that are sold) it is whole, and one multiplication is all.
class Serialisation {
   public:
    Serialisation() = default;
    explicit Serialisation(std::uint64_t rate_bps) {
        KUMI_ASSERT(rate_bps != 0, "a rate of zero moves nothing");
        const std::uint64_t common = std::gcd(kBitPicosecondsPerByte, rate_bps);
        x_numerator = kBitPicosecondsPerByte / common;
        x_denominator = rate_bps / common;
    }

    Duration operator()(std::uint64_t size_bytes) const {
        std::uint64_t scaled = 0;
        if (__builtin_expect(__builtin_mul_overflow(size_bytes, x_numerator, &scaled), 0) ||
            scaled > kSafe) {
            return transfer_time(size_bytes, rate_bps());
        }
        if (x_denominator == 1) return {static_cast<std::int64_t>(scaled)};
        return {static_cast<std::int64_t>((scaled + x_denominator - 1) / x_denominator)};
    }

    std::uint64_t rate_bps() const { return kBitPicosecondsPerByte / x_numerator * x_denominator; }

   private:
    static constexpr std::uint64_t kBitPicosecondsPerByte = 8'000'000'000'000ULL;
    static constexpr std::uint64_t kSafe = std::uint64_t{1} << 62;

    std::uint64_t x_numerator = 1;
    std::uint64_t x_denominator = 1;
};

}  // namespace kumi::network
