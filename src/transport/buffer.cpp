#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "transport/buffer.hpp"

namespace kumi::transport {

Buffer Buffer::of(void* base, std::size_t size_bytes) {
    Buffer buffer;
    buffer.segments[0] = {base, size_bytes};
    buffer.count = 1;
    return buffer;
}

Buffer Buffer::of(const iovec* segments, std::size_t count) {
    KUMI_ASSERT(count <= kMaxSegments, "more segments than were offered");
    Buffer buffer;
    std::copy_n(segments, count, buffer.segments);
    buffer.count = count;
    return buffer;
}

std::uint64_t Buffer::size_bytes() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += segments[i].iov_len;
    return sum;
}

void Buffer::scatter(const std::byte* from, std::uint64_t size_bytes) const {
    for (std::size_t i = 0; i < count && size_bytes > 0; ++i) {
        const std::uint64_t part = std::min<std::uint64_t>(segments[i].iov_len, size_bytes);
        if (part == 0) continue;
        std::memcpy(segments[i].iov_base, from, part);
        from += part;
        size_bytes -= part;
    }
}

void Buffer::gather(std::byte* into, std::uint64_t size_bytes) const {
    for (std::size_t i = 0; i < count && size_bytes > 0; ++i) {
        const std::uint64_t part = std::min<std::uint64_t>(segments[i].iov_len, size_bytes);
        if (part == 0) continue;
        std::memcpy(into, segments[i].iov_base, part);
        into += part;
        size_bytes -= part;
    }
}

}  // namespace kumi::transport
