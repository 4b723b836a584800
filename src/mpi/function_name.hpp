#pragma once

#include <string_view>

namespace kumi::mpi {

/// Whether `function` is MPI's function of that name, written as in Fortran ("irecv"): in C, with
/// large counts too, or in Fortran. Only the first letter is a capital in C.
constexpr bool is_function(std::string_view function, std::string_view name) {
    function.remove_prefix(4);
    if (function.ends_with("_c")) function.remove_suffix(2);
    return function.substr(1) == name.substr(1) && (function[0] | 0x20) == name[0];
}

/// The same of any of these names.
template <class... Names>
constexpr bool is_one_of(std::string_view function, const Names&... names) {
    return (is_function(function, names) || ...);
}

}  // namespace kumi::mpi
