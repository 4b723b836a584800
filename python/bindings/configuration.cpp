#include "configuration.hpp"

#include <stdexcept>

namespace nb = nanobind;

std::int64_t take_integer(const nb::dict& config, const char* key) {
    if (!config.contains(key)) throw std::invalid_argument(std::string("missing key ") + key);
    const auto value = nb::cast<std::int64_t>(config[key]);
    if (value < 0) throw std::invalid_argument(std::string(key) + " must not be negative");
    return value;
}

std::int64_t take_positive(const nb::dict& config, const char* key) {
    const std::int64_t value = take_integer(config, key);
    if (value == 0) throw std::invalid_argument(std::string(key) + " must not be zero");
    return value;
}

kumi::RecordLevel record_level(const std::string& name) {
    if (name == "full") return kumi::RecordLevel::kFull;
    if (name == "summary") return kumi::RecordLevel::kSummary;
    throw std::invalid_argument("record must be \"full\" or \"summary\", not \"" + name + "\"");
}
