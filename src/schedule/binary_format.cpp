#include "schedule/binary_format.hpp"

#include <cstddef>

#include "schedule/binary_reader.hpp"
#include "schedule/work_watch.hpp"

namespace kumi {
namespace {

template <class T>
void put(std::ostream& output, const T* values, std::size_t count) {
    output.write(reinterpret_cast<const char*>(values),
                 static_cast<std::streamsize>(count * sizeof(T)));
}

void put_number(std::ostream& output, std::uint32_t number) { put(output, &number, 1); }

}  // namespace

void write_binary(const Schedule& schedule, std::ostream& output) {
    put(output, kBinaryMagic.data(), kBinaryMagic.size());
    put_number(output, kBinaryVersion);
    put_number(output, schedule.ranks());
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
        const auto operations = schedule.operations_of(rank);
        const auto successors = schedule.successors_of(rank);
        put_number(output, static_cast<std::uint32_t>(operations.size()));
        put_number(output, static_cast<std::uint32_t>(successors.size()));
        put(output, operations.data(), operations.size());
        put(output, successors.data(), successors.size());
        if (successors.size() % 2 != 0) put_number(output, 0);
        WorkWatch::count(operations.size());
    }
}

Schedule read_binary(std::istream& input) { return BinaryReader(input).read(); }

}  // namespace kumi
