#include "mpi/collectives/typed_blocks.hpp"

#include <cstring>

namespace kumi::mpi::collectives {
namespace {

constinit MpiFunction<int(const void*, int, Word, void*, int, int*, Word)> real_pack{"PMPI_Pack"};
constinit MpiFunction<int(const void*, int, int*, void*, int, Word, Word)> real_unpack{
    "PMPI_Unpack"};

}  // namespace

TypedBlocks::TypedBlocks(const Buffer& buffer, Word communicator, std::int64_t displacement)
    : x_buffer(buffer.address),
      x_count(buffer.count),
      x_datatype(buffer.datatype),
      x_communicator(communicator),
      x_layout(layout_of(buffer.datatype)),
      x_block_bytes(static_cast<std::uint64_t>(buffer.count) * x_layout.size_bytes) {
    x_buffer += static_cast<Word>(displacement * x_layout.extent_bytes);
}

int TypedBlocks::pack(std::uint64_t number, std::byte* into) const {
    if (x_layout.is_plain) {
        std::memcpy(into, at(number), x_block_bytes);
        return 0;
    }
    int position = 0;
    return real_pack(at(number), static_cast<int>(x_count), x_datatype, into,
                     static_cast<int>(x_block_bytes), &position, x_communicator);
}

int TypedBlocks::unpack(std::uint64_t number, const std::byte* from) const {
    if (x_layout.is_plain) {
        std::memcpy(at(number), from, x_block_bytes);
        return 0;
    }
    int position = 0;
    return real_unpack(from, static_cast<int>(x_block_bytes), &position, at(number),
                       static_cast<int>(x_count), x_datatype, x_communicator);
}

}  // namespace kumi::mpi::collectives
