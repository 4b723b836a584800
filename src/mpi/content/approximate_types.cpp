// What programs call through include/kumihimo/approx.h, approx.f90 and kumihimo.approx.

#include <cstdint>
#include <cstring>
#include <utility>

#include "mpi/content/datatype.hpp"
#include "mpi/content/type_marks.hpp"
#include "mpi/export.hpp"
#include "mpi/real_function.hpp"

using namespace kumi::mpi;

namespace {

constinit MpiFunction<int(int, const int*, const std::int64_t*, Word, Word*)> real_create{
    "PMPI_Type_create_hindexed"};
constinit MpiFunction<int(Word*)> real_commit{"PMPI_Type_commit"};
constinit MpiFunction<int(Word*)> real_free{"PMPI_Type_free"};
constinit MpiFunction<int(Word)> real_to_fortran{"PMPI_Type_c2f"};

/// Why such a type cannot be made, as MPI's error class; 0 if it can.
int find_error(Word type, int protected_bits, bool is_forced) {
    const MpiAbi& abi = known_abi();
    const kumi::ElementTraits& traits = traits_of(describe_datatype(type).element);
    if (traits.word_bits == 0 || (traits.is_integer() && !is_forced)) return abi.error_type;
    const bool exist = protected_bits >= 0 && std::cmp_less_equal(protected_bits, traits.word_bits);
    return exist ? 0 : abi.error_argument;
}

/// Returns an MPI error code. The new type is none then.
int make(Word type, int protected_bits, bool is_forced, Word& made) {
    made = known_abi().datatype_null;
    if (const int error = find_error(type, protected_bits, is_forced)) return error;
    const std::int64_t displacements[2] = {
        0, type_marks::displacement_of(static_cast<std::uint8_t>(protected_bits))};
    Word marked = 0;
    int code = real_create(2, type_marks::kLengths, displacements, type, &marked);
    if (code != 0) return code;
    code = real_commit(&marked);
    if (code == 0)
        made = marked;
    else
        real_free(&marked);
    return code;
}

}  // namespace

/// @param made  Where the handle of the new type goes.
KUMI_EXPORT int kumi_approx_make_type(Word type, int protected_bits, int is_forced, void* made) {
    Word handle = 0;
    const int code = make(datatype_of_c(type), protected_bits, is_forced != 0, handle);
    std::memcpy(made, &handle, known_abi().handle_bytes());
    return code;
}

// The same for Fortran, where handles are integers.
KUMI_EXPORT int kumi_approx_make_fortran_type(const int* type, int protected_bits, int is_forced,
                                              int* made) {
    Word handle = 0;
    const int code = make(datatype_of_fortran(*type), protected_bits, is_forced != 0, handle);
    *made = real_to_fortran(handle);
    return code;
}
