#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "transport/buffer.hpp"

namespace kumi::transport {

Buffer Buffer::of(const iovec* segments, std::size_t count) {
    KUMI_ASSERT(count <= kMaxSegments, "more segments than were offered");
    Buffer buffer;
    std::copy_n(segments, count, buffer.segments);
    buffer.count = count;
    return buffer;
}

void Buffer::scatter_pieces(const std::byte* from, std::uint64_t size_bytes) const {
    for (std::size_t i = 0; i < count && size_bytes > 0; ++i) {
        const std::uint64_t part = std::min<std::uint64_t>(segments[i].iov_len, size_bytes);
        if (part == 0) continue;
        std::memcpy(segments[i].iov_base, from, part);
        from += part;
        size_bytes -= part;
    }
}

void Buffer::gather_pieces(std::byte* into, std::uint64_t size_bytes) const {
    for (std::size_t i = 0; i < count && size_bytes > 0; ++i) {
        const std::uint64_t part = std::min<std::uint64_t>(segments[i].iov_len, size_bytes);
        if (part == 0) continue;
        std::memcpy(into, segments[i].iov_base, part);
        into += part;
        size_bytes -= part;
    }
}

}  // namespace kumi::transport
