#include "mpi/collectives/message_data.hpp"

#include <cstring>

#include "base/check.hpp"
#include "mpi/collectives/kind.hpp"

namespace kumi::mpi::collectives {

using namespace kumi::collectives;

int MovedBlocks::add(Blocks, std::byte*, bool) {
    KUMI_ASSERT(false, "an algorithm that moves blocks adds");
    return 0;
}

template <class Use>
void VectorData::for_each_piece(Blocks blocks, Use&& use) {
    for (std::size_t first = 0, end = 0; first < blocks.size(); first = end) {
        end = first + 1;
        while (end < blocks.size() && blocks[end] == blocks[end - 1] + 1) ++end;
        use(at(blocks[first]), x_vector.bytes(blocks[first], blocks[end - 1] + 1));
    }
}

void VectorData::take(Blocks blocks, std::byte* into) {
    for_each_piece(blocks, [&](const std::byte* own, std::uint64_t bytes) {
        std::memcpy(into, own, bytes);
        into += bytes;
    });
}

void VectorData::put(Blocks blocks, const std::byte* from) {
    for_each_piece(blocks, [&](std::byte* own, std::uint64_t bytes) {
        std::memcpy(own, from, bytes);
        from += bytes;
    });
}

int VectorData::add(Blocks blocks, std::byte* from, bool is_left) {
    FirstError error;
    for_each_piece(blocks, [&](std::byte* own, std::uint64_t bytes) {
        error.note(is_left ? x_operation.apply(from, own, bytes)
                           : x_operation.apply(own, from, bytes));
        if (!is_left) std::memcpy(own, from, bytes);
        from += bytes;
    });
    return error.code;
}

}  // namespace kumi::mpi::collectives
