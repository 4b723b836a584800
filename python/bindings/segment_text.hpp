#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstring>

namespace kumi::bindings {

/// What a rank has left as text: what is none becomes a question mark.
inline nanobind::str text_of(const char* text, std::size_t most_bytes) {
    const auto bytes = static_cast<Py_ssize_t>(strnlen(text, most_bytes));
    return nanobind::steal<nanobind::str>(PyUnicode_DecodeUTF8(text, bytes, "replace"));
}

}  // namespace kumi::bindings
