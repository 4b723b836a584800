#include "launch/pmi/pmi_request.hpp"

namespace kumi::launch {
namespace {

struct Field {
    std::string_view key;
    std::string_view value;
    std::string_view value_to_end;
};

bool is_key_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '/';
}

std::size_t value_length(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && text[length] != ' ') {
        length += text[length] == '\\' && length + 1 < text.size() ? 2 : 1;
    }
    return length;
}

/// Takes the next field off the front of `rest`. False at the end of the line (`malformed` unset)
/// and at a character that starts no key (`malformed` set).
bool take_field(std::string_view& rest, Field& field, bool& malformed) {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    if (rest.empty()) return false;
    std::size_t key_length = 0;
    while (key_length < rest.size() && is_key_character(rest[key_length])) ++key_length;
    const bool has_value = key_length < rest.size() && rest[key_length] == '=';
    const bool ends = key_length == rest.size() || rest[key_length] == ' ';
    if (key_length == 0 || (!has_value && !ends)) {
        malformed = true;
        return false;
    }
    field.key = rest.substr(0, key_length);
    rest.remove_prefix(key_length + (has_value ? 1 : 0));
    field.value_to_end = rest;
    field.value = rest.substr(0, has_value ? value_length(rest) : 0);
    rest.remove_prefix(field.value.size());
    return true;
}

std::optional<Field> find_field(std::string_view rest, std::string_view key) {
    Field field;
    bool malformed = false;
    while (take_field(rest, field, malformed))
        if (field.key == key) return field;
    return std::nullopt;
}

}  // namespace

std::optional<PmiRequest> PmiRequest::parse(std::string_view line) {
    std::string_view rest = line;
    Field field;
    bool malformed = false;
    if (!take_field(rest, field, malformed) || field.key != "cmd" || field.value.empty()) {
        return std::nullopt;
    }
    const PmiRequest request(rest, field.value);
    // An abort's text comes unescaped and may contain anything.
    if (request.command() == "abort") return request;
    while (take_field(rest, field, malformed)) {
    }
    if (malformed) return std::nullopt;
    return request;
}

std::optional<std::string_view> PmiRequest::find(std::string_view key) const {
    const auto field = find_field(x_line, key);
    return field ? std::optional(field->value) : std::nullopt;
}

std::optional<std::string_view> PmiRequest::rest_after(std::string_view key) const {
    const auto field = find_field(x_line, key);
    return field ? std::optional(field->value_to_end) : std::nullopt;
}

}  // namespace kumi::launch
