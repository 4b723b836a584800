#include "schedule/files/schedule_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "schedule/binary/binary_format.hpp"
#include "schedule/binary/binary_schedules.hpp"
#include "schedule/goal/goal.hpp"
#include "schedule/goal/goal_scanner.hpp"
#include "schedule/schedule_builder.hpp"

namespace kumi::schedule {
namespace {

[[noreturn]] void fail(const std::string& path) {
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path);
}

/// By the first byte, with which no text begins: a pipe cannot be read twice.
bool begins_as_binary(std::istream& input) {
    return input.peek() == std::char_traits<char>::to_int_type(kBinaryMagic.front());
}

}  // namespace

Schedule read_schedule_file(const std::string& path, std::uint64_t mapped_from_bytes) {
    errno = 0;
    std::ifstream input(path, std::ios::binary);
    if (!input) fail(path);
    // A folder opens like a file and fails at the first byte.
    input.peek();
    if (input.bad()) fail(path);
    input.clear();
    try {
        if (!begins_as_binary(input)) return read_goal(input);
        const bool is_large = std::filesystem::is_regular_file(path) &&
                              std::filesystem::file_size(path) >= mapped_from_bytes;
        return is_large ? map_binary(path) : read_binary(input);
    } catch (const GoalError& error) {
        throw ScheduleError(path + ":" + std::to_string(error.line()) + ": " + error.text());
    } catch (const ScheduleError& error) {
        throw ScheduleError(path + ": " + error.what());
    }
}

std::vector<std::uint64_t> find_lines_in_file(const std::string& path,
                                              const std::vector<OperationPlace>& places) {
    const std::vector<std::uint64_t> unknown(places.size());
    // What a pipe said is gone.
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return unknown;
    std::ifstream input(path, std::ios::binary);
    if (!input || begins_as_binary(input)) return unknown;
    try {
        return find_goal_lines(input, places);
    } catch (const ScheduleError&) {
        return unknown;
    }
}

void write_schedule_file(const Schedule& schedule, const std::string& path, ScheduleForm form) {
    const std::string stage = path + "." + std::to_string(::getpid());
    errno = 0;
    std::ofstream output(stage, std::ios::binary);
    try {
        if (form == ScheduleForm::kBinary) {
            write_binary(schedule, output);
        } else {
            const bool is_portable = form == ScheduleForm::kPortableGoal;
            write_goal(schedule, output, is_portable ? GoalDialect::kPortable : GoalDialect::kOwn);
        }
    } catch (...) {
        std::remove(stage.c_str());
        throw;
    }
    output.close();
    if (output && std::rename(stage.c_str(), path.c_str()) == 0) return;
    const int cause = errno;
    std::remove(stage.c_str());
    errno = cause;
    fail(path);
}

}  // namespace kumi::schedule
