#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <system_error>

#include "base/temporary_file.hpp"

/// Throws the OSError that says what `error` says. A caller names the file that it asked for; a
/// temporary file was not asked for by name, so its folder is in the text.
[[noreturn]] inline void throw_os_error(const std::system_error& error) {
    const bool is_temporary = dynamic_cast<const kumi::TemporaryFileError*>(&error) != nullptr;
    const std::string text = is_temporary ? error.what() : error.code().message();
    const nanobind::object arguments = nanobind::make_tuple(error.code().value(), text);
    PyErr_SetObject(PyExc_OSError, arguments.ptr());
    throw nanobind::python_error();
}
