#include "passes/processor_model.hpp"

#include <charconv>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace kumi::passes {
namespace {

struct NamedWork {
    const char* name;
    OperationCost cost;
};

/// In the order of Work; names as model files write them.
constexpr std::array<NamedWork, kWorkKinds> kStandard = {{
    {"integer", {1000, 250}},
    {"integer_multiply", {3000, 1000}},
    {"integer_divide", {14000, 6000}},
    {"float_add", {4000, 500}},
    {"float_multiply", {4000, 500}},
    {"float_multiply_add", {4000, 500}},
    {"float_divide", {13000, 4000}},
    {"float_root", {18000, 6000}},
    {"float_convert", {5000, 1000}},
    {"shuffle", {2000, 1000}},
    {"load", {5000, 500}},
    {"store", {4000, 500}},
    {"branch", {1000, 500}},
    {"call", {5000, 2000}},
    {"atomic", {20000, 18000}},
}};

struct NamedNumber {
    const char* name;
    std::int64_t ProcessorModel::* member;
};
constexpr std::array<NamedNumber, 3> kNumbers = {{
    {"issue_interval", &ProcessorModel::issue_interval},
    {"vector_bits", &ProcessorModel::vector_bits},
    {"copied_bytes_per_cycle", &ProcessorModel::copied_bytes_per_cycle},
}};
constexpr std::string_view kSpeedName = "flops_per_kilocycle";

constexpr std::int64_t kLargest = 1'000'000'000;
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Integers from 1 to kLargest, separated by blanks; empty if there is anything else.
std::vector<std::int64_t> integers(std::string_view text) {
    std::vector<std::int64_t> found;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || value < 1 || value > kLargest) return {};
        found.push_back(value);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (!text.empty() && kBlanks.find(text.front()) == std::string_view::npos) return {};
    }
    return found;
}

/// Takes one line over into the model; returns what was expected, or nothing if it was right.
std::string take(std::string_view key, std::string_view value, ProcessorModel& model) {
    const std::vector<std::int64_t> numbers = integers(value);
    for (std::size_t i = 0; i < kWorkKinds; ++i) {
        if (key != kStandard[i].name) continue;
        if (numbers.size() != 2)
            return "expected latency and interval, in thousandths of a cycle, 1 to 1000000000";
        model.costs[i] = {numbers[0], numbers[1]};
        return {};
    }
    std::int64_t single = 0;
    if (numbers.size() == 1) single = numbers[0];
    for (const NamedNumber& number : kNumbers) {
        if (key != number.name) continue;
        if (single == 0) return "expected one integer, 1 to 1000000000";
        model.*number.member = single;
        return {};
    }
    if (key != kSpeedName) return "no such key";
    if (single == 0) return "expected one integer, 1 to 1000000000";
    model.flops_per_kilocycle = static_cast<std::uint64_t>(single);
    return {};
}

}  // namespace

ProcessorModel ProcessorModel::standard() {
    ProcessorModel model;
    for (std::size_t i = 0; i < kWorkKinds; ++i) model.costs[i] = kStandard[i].cost;
    return model;
}

bool ProcessorModel::read(const std::string& path, ProcessorModel& model, std::string& problem) {
    model = standard();
    std::ifstream file(path);
    if (!file) {
        problem = path + ": cannot be read";
        return false;
    }
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        std::string_view text = line;
        text = trimmed(text.substr(0, text.find('#')));
        if (text.empty()) continue;
        const std::size_t equals = text.find('=');
        std::string expected = "expected key = value";
        std::string_view key = text;
        if (equals != std::string_view::npos) {
            key = trimmed(text.substr(0, equals));
            expected = take(key, text.substr(equals + 1), model);
        }
        if (expected.empty()) continue;
        problem = path + ":" + std::to_string(number) + ": " + std::string(key) + ": " + expected;
        return false;
    }
    return true;
}

}  // namespace kumi::passes
