#pragma once

#include <nanobind/nanobind.h>

#include <initializer_list>
#include <vector>

/// The keys of rows of one form. All rows share their strings and are copied from an empty one:
/// large machines have very many rows, which otherwise take longer than a replay.
class RowForm {
   public:
    RowForm(std::initializer_list<const char*> keys) {
        for (const char* key : keys) {
            x_keys.push_back(nanobind::steal(PyUnicode_InternFromString(key)));
            set(x_empty, x_keys.back(), nanobind::none());
        }
    }

    /// A row of these values, one for each key, in their order.
    template <class... Values>
    nanobind::object row(const Values&... values) const {
        nanobind::object made = nanobind::steal(PyDict_Copy(x_empty.ptr()));
        if (!made.is_valid()) throw nanobind::python_error();
        auto key = x_keys.begin();
        (set(made, *key++, nanobind::cast(values)), ...);
        return made;
    }

   private:
    static void set(nanobind::handle row, nanobind::handle key, nanobind::handle value) {
        if (PyDict_SetItem(row.ptr(), key.ptr(), value.ptr()) != 0) throw nanobind::python_error();
    }

    std::vector<nanobind::object> x_keys;
    nanobind::dict x_empty;
};
