#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/time/time.hpp"
#include "network/topology/topology.hpp"

/// A dictionary of the specification, read key by key; complains in the user's terms.
class Section {
   public:
    Section(std::string name, nanobind::handle values) : x_name(std::move(name)) {
        if (!nanobind::isinstance<nanobind::dict>(values)) {
            throw std::invalid_argument(x_name + " must be a dict");
        }
        x_values = nanobind::borrow<nanobind::dict>(values);
    }

    bool has(const char* key) {
        x_known.insert(key);
        return x_values.contains(key) && !nanobind::handle(x_values[key]).is_none();
    }

    nanobind::object object(const char* key) {
        if (!has(key)) throw std::invalid_argument(x_name + ": '" + key + "' is missing");
        return nanobind::borrow(x_values[key]);
    }

    std::uint64_t number(const char* key) { return number_of(key, object(key)); }

    kumi::Duration duration(const char* key) { return {static_cast<std::int64_t>(number(key))}; }

    std::string text(const char* key) {
        std::string value;
        if (!nanobind::try_cast(object(key), value)) {
            throw std::invalid_argument(x_name + ": '" + key + "' must be a string");
        }
        return value;
    }

    /// One of a few words, each with what it stands for.
    template <class Choice>
    Choice choice(const char* key, const std::map<std::string, Choice>& choices) {
        const auto found = choices.find(text(key));
        if (found != choices.end()) return found->second;
        throw std::invalid_argument(x_name + ": '" + key + "' cannot be '" + text(key) + "'");
    }

    Section section(const char* key) { return {x_name + "." + key, object(key)}; }

    /// The number or the list of numbers at `key`.
    kumi::network::Numbers numbers(const char* key) { return numbers_of(key, object(key)); }

    std::map<std::string, kumi::network::Numbers> all_numbers() const {
        std::map<std::string, kumi::network::Numbers> all;
        for (const auto& [key, value] : x_values) {
            const auto name = nanobind::cast<std::string>(nanobind::str(key));
            all.emplace(name, numbers_of(name, value));
        }
        return all;
    }

    /// Complains about a key that was not read.
    void finish() const {
        for (const auto& [key, value] : x_values) {
            const auto name = nanobind::cast<std::string>(nanobind::str(key));
            if (x_known.find(name) != x_known.end()) continue;
            throw std::invalid_argument(x_name + ": '" + name + "' is not known");
        }
    }

   private:
    kumi::network::Numbers numbers_of(const std::string& key, nanobind::handle value) const {
        if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) return number_of(key, value);
        std::vector<std::uint64_t> values;
        for (const nanobind::handle element : nanobind::borrow<nanobind::sequence>(value)) {
            values.push_back(number_of(key, element));
        }
        return kumi::network::Numbers(std::move(values));
    }

    std::uint64_t number_of(const std::string& key, nanobind::handle value) const {
        std::int64_t number = -1;
        const bool is_integer = PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr());
        if (!is_integer || !nanobind::try_cast(value, number) || number < 0) {
            throw std::invalid_argument(x_name + ": '" + key +
                                        "' must be an integer from 0 to 2^63 - 1");
        }
        return static_cast<std::uint64_t>(number);
    }

    std::string x_name;
    nanobind::dict x_values;
    std::set<std::string> x_known;
};
