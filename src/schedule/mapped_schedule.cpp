#include "schedule/mapped_schedule.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "schedule/binary_reader.hpp"

namespace kumi {
namespace {

[[noreturn]] void fail(const std::string& path) {
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path);
}

/// The whole file, for reading, as long as somebody refers to it.
std::shared_ptr<const void> map_file(const std::string& path, std::size_t size_bytes) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail(path);
    void* const memory = ::mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    const int error = errno;
    ::close(descriptor);
    errno = error;
    if (memory == MAP_FAILED) fail(path);
    return {memory,
            [size_bytes](const void* mapped) { ::munmap(const_cast<void*>(mapped), size_bytes); }};
}

}  // namespace

Schedule MappedSchedule::make(std::shared_ptr<const void> file,
                              const std::vector<RankPlace>& places) {
    Schedule schedule;
    schedule.x_file = std::move(file);
    const auto* bytes = static_cast<const std::byte*>(schedule.x_file.get());
    std::uint32_t operations = 0, successors = 0;
    for (const RankPlace& place : places) {
        schedule.x_mapped.push_back(
            {reinterpret_cast<const Operation*>(bytes + place.operations_at),
             reinterpret_cast<const Successor*>(bytes + place.successors_at)});
        operations += place.operations;
        successors += place.successors;
        schedule.x_starts.push_back({operations, successors});
    }
    return schedule;
}

Schedule map_binary(const std::string& path) {
    errno = 0;
    std::ifstream input(path, std::ios::binary);
    if (!input) fail(path);
    const std::vector<RankPlace> places = BinaryReader(input).check();
    const RankPlace& last = places.back();
    const std::uint64_t size_bytes =
        last.successors_at + std::uint64_t{last.successors} * sizeof(Successor);
    return MappedSchedule::make(map_file(path, size_bytes), places);
}

}  // namespace kumi
