#include "base/memory/memory_budget.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "base/size_text.hpp"

namespace kumi::inline base {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// The least limit of a group and of those that it lies in. A file that is not there, or that says
/// "max", is no limit.
std::uint64_t limit_of_group(const std::filesystem::path& root, const std::string& group,
                             const char* file) {
    std::uint64_t least = kNoLimit;
    std::filesystem::path relative = std::filesystem::path(group).relative_path();
    for (;; relative = relative.parent_path()) {
        std::ifstream input(root / relative / file);
        std::uint64_t limit = 0;
        if (input >> limit) least = std::min(least, limit);
        if (relative.empty()) return least;
    }
}

/// Of the cgroups of this process, in either version of the kernel's interface.
std::uint64_t limit_of_groups() {
    std::uint64_t least = kNoLimit;
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controller = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 1);
        if (controller.empty()) {
            least = std::min(least, limit_of_group("/sys/fs/cgroup", group, "memory.max"));
        } else if (controller == "memory") {
            least = std::min(
                least, limit_of_group("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
        }
    }
    return least;
}

std::uint64_t memory_of_system() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long page_bytes = ::sysconf(_SC_PAGESIZE);
    const std::uint64_t physical =
        pages > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes)
                  : kNoLimit;
    return std::min(physical, limit_of_groups());
}

}  // namespace

std::uint64_t parse_memory_size(const std::string& text) {
    constexpr SizeUnit kUnits[] = {{"", 1},
                                   {"B", 1},
                                   {"KiB", std::uint64_t{1} << 10},
                                   {"MiB", std::uint64_t{1} << 20},
                                   {"GiB", std::uint64_t{1} << 30}};
    if (const auto bytes = read_size(text, kUnits)) return *bytes;
    throw std::invalid_argument("expected a size such as 512 MiB or 4 GiB, not '" + text + "'");
}

std::uint64_t memory_budget_bytes() {
    if (const char* const wanted = std::getenv("KUMI_MEMORY"); wanted != nullptr) {
        try {
            return parse_memory_size(wanted);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(std::string("KUMI_MEMORY: ") + error.what());
        }
    }
    static const std::uint64_t system = memory_of_system();
    return system;
}

}  // namespace kumi::inline base
