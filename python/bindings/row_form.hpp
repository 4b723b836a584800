#pragma once

#include <nanobind/nanobind.h>

#include <concepts>
#include <initializer_list>
#include <string>
#include <vector>

/// The keys of rows of one form. All rows share their strings and are copied from an empty one:
/// large networks have very many rows, which otherwise take longer than a replay. For the same
/// reason values are made and handed over by Python's own functions.
class RowForm {
   public:
    RowForm(std::initializer_list<const char*> keys) {
        for (const char* key : keys) {
            x_keys.push_back(nanobind::steal(PyUnicode_InternFromString(key)));
            if (PyDict_SetItem(x_empty.ptr(), x_keys.back().ptr(), Py_None) != 0)
                throw nanobind::python_error();
        }
    }

    /// A row of these values, one for each key, in their order.
    template <class... Values>
    nanobind::object row(const Values&... values) const {
        nanobind::object made = nanobind::steal(PyDict_Copy(x_empty.ptr()));
        if (!made.is_valid()) throw nanobind::python_error();
        auto key = x_keys.begin();
        (set(made.ptr(), (key++)->ptr(), new_value(values)), ...);
        return made;
    }

   private:
    static PyObject* new_value(std::signed_integral auto number) {
        return PyLong_FromLongLong(number);
    }
    static PyObject* new_value(std::unsigned_integral auto number) {
        return PyLong_FromUnsignedLongLong(number);
    }
    static PyObject* new_value(const std::string& text) {
        return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    }
    static PyObject* new_value(const nanobind::object& value) { return Py_NewRef(value.ptr()); }

    /// Takes the new reference `value`, which is null if it could not be made.
    static void set(PyObject* row, PyObject* key, PyObject* value) {
        const bool is_set = value != nullptr && PyDict_SetItem(row, key, value) == 0;
        Py_XDECREF(value);
        if (!is_set) throw nanobind::python_error();
    }

    std::vector<nanobind::object> x_keys;
    nanobind::dict x_empty;
};
