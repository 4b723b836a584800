#pragma once

#include <sys/uio.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kumi::transport {

inline constexpr std::size_t kMaxSegments = 8;

/// A scattered buffer of the caller's: up to kMaxSegments pieces, most often one. The rest of the
/// array is never touched.
struct Buffer {
    std::size_t count = 0;
    iovec segments[kMaxSegments];

    Buffer() {}  // NOLINT(modernize-use-equals-default): that would clear the array.
    Buffer(const Buffer& other) { *this = other; }
    Buffer& operator=(const Buffer& other) {
        count = other.count;
        for (std::size_t i = 0; i < count; ++i) segments[i] = other.segments[i];
        return *this;
    }

    static Buffer of(void* base, std::size_t size_bytes) {
        Buffer buffer;
        buffer.segments[0] = {base, size_bytes};
        buffer.count = 1;
        return buffer;
    }
    /// Copies the descriptors; `count` must not exceed kMaxSegments.
    static Buffer of(const iovec* segments, std::size_t count);
    std::uint64_t size_bytes() const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += segments[i].iov_len;
        return sum;
    }
    /// Copies up to `size_bytes` in (scatter) or out (gather), from the buffer's start.
    void scatter(const std::byte* from, std::uint64_t size_bytes) const {
        if (count != 1) return scatter_pieces(from, size_bytes);
        const std::uint64_t part = std::min<std::uint64_t>(segments[0].iov_len, size_bytes);
        if (part > 0) std::memcpy(segments[0].iov_base, from, part);
    }
    void gather(std::byte* into, std::uint64_t size_bytes) const {
        if (count != 1) return gather_pieces(into, size_bytes);
        const std::uint64_t part = std::min<std::uint64_t>(segments[0].iov_len, size_bytes);
        if (part > 0) std::memcpy(into, segments[0].iov_base, part);
    }

   private:
    void scatter_pieces(const std::byte* from, std::uint64_t size_bytes) const;
    void gather_pieces(std::byte* into, std::uint64_t size_bytes) const;
};

}  // namespace kumi::transport
