#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

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

/// Makes schedules that refer to a file.
class MappedSchedule {
   public:
    static Schedule make(const std::string& path,
                         const std::vector<BinaryReader::RankPlace>& places) {
        const BinaryReader::RankPlace& last = places.back();
        const std::uint64_t size_bytes =
            last.successors_at + std::uint64_t{last.successors} * sizeof(Successor);
        Schedule schedule;
        schedule.x_file = map_file(path, size_bytes);
        const auto* bytes = static_cast<const std::byte*>(schedule.x_file.get());
        std::uint64_t operations = 0, successors = 0;
        for (const BinaryReader::RankPlace& place : places) {
            schedule.x_mapped.push_back(
                {reinterpret_cast<const Operation*>(bytes + place.operations_at),
                 reinterpret_cast<const Successor*>(bytes + place.successors_at)});
            operations += place.operations;
            successors += place.successors;
            if (operations > kMostOperations || successors > kMostOperations) {
                throw ScheduleError("the schedule has too many operations or dependences");
            }
            schedule.x_starts.push_back(
                {static_cast<std::uint32_t>(operations), static_cast<std::uint32_t>(successors)});
        }
        return schedule;
    }
};

Schedule map_binary(const std::string& path) {
    errno = 0;
    std::ifstream input(path, std::ios::binary);
    if (!input) fail(path);
    return MappedSchedule::make(path, BinaryReader(input).check());
}

}  // namespace kumi
