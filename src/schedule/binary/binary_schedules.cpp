#include "schedule/binary/binary_schedules.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include "schedule/binary/binary_format.hpp"
#include "schedule/binary/binary_reader.hpp"
#include "schedule/work_watch.hpp"

namespace kumi::schedule {
namespace {

template <class T>
void put(std::ostream& output, const T* values, std::size_t count) {
    output.write(reinterpret_cast<const char*>(values),
                 static_cast<std::streamsize>(count * sizeof(T)));
}

void put_number(std::ostream& output, std::uint32_t number) { put(output, &number, 1); }

std::uint32_t version_of(const Schedule& schedule) {
    if (schedule.recorded_order().may_depend_on_time()) return kVersionWithOrder;
    return schedule.errors() == nullptr ? kBinaryVersion : kVersionWithErrors;
}

void put_recorded_order(const RecordedOrder& order, bool has_errors, std::ostream& output) {
    put(output, &order.polls, 1);
    put(output, &order.wildcards, 1);
    put_number(output, has_errors ? 1 : 0);
    put_number(output, 0);
}

void put_errors(const ScheduleErrors& errors, std::ostream& output) {
    put_number(output, errors.protects_exact ? 1 : 0);
    put_number(output, static_cast<std::uint32_t>(errors.contents.size()));
    for (const ErrorContent& content : errors.contents) {
        BinaryContent written{};
        written.element = static_cast<std::uint8_t>(content.element);
        written.protected_bits = content.protected_bits;
        if (content.order)
            written.order =
                static_cast<std::uint8_t>(static_cast<std::uint8_t>(*content.order) + 1);
        static_assert(sizeof written.function == CallName::kBytes);
        std::copy_n(content.function.text, CallName::kBytes, written.function.data());
        put(output, &written, 1);
    }
}

[[noreturn]] void fail(const std::string& path) {
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path);
}

/// The whole file, for reading, as long as the pointer or a copy exists.
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

void write_binary(const Schedule& schedule, std::ostream& output) {
    put(output, kBinaryMagic.data(), kBinaryMagic.size());
    const bool has_errors = schedule.errors() != nullptr;
    put_number(output, version_of(schedule));
    put_number(output, schedule.ranks());
    if (version_of(schedule) == kVersionWithOrder)
        put_recorded_order(schedule.recorded_order(), has_errors, output);
    if (has_errors) put_errors(*schedule.errors(), output);
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

Schedule map_binary(const std::string& path) {
    errno = 0;
    std::ifstream input(path, std::ios::binary);
    if (!input) fail(path);
    auto [places, errors, recorded_order] = BinaryReader(input).check();
    const RankPlace& last = places.back();
    const std::uint64_t size_bytes =
        last.successors_at + std::uint64_t{last.successors} * sizeof(Successor);
    return MappedSchedule::make(map_file(path, size_bytes), places, std::move(errors),
                                recorded_order);
}

}  // namespace kumi::schedule
