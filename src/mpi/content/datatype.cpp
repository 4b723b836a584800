#include "mpi/content/datatype.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi/content/type_marks.hpp"

namespace kumi::mpi {
namespace {

constinit MpiFunction<int(Word, std::int64_t*)> real_size{"PMPI_Type_size_x"};
constinit MpiFunction<int(Word, char*, int*)> real_name{"PMPI_Type_get_name"};
constinit MpiFunction<int(Word, int*, int*, int*, int*)> real_envelope{"PMPI_Type_get_envelope"};
constinit MpiFunction<int(Word, int, int, int, int*, std::int64_t*, void*)> real_contents{
    "PMPI_Type_get_contents"};
constinit MpiFunction<int(Word, std::int64_t*, std::int64_t*, std::int64_t*, std::int64_t*, int*)>
    real_large_envelope{"PMPI_Type_get_envelope_c"};
constinit MpiFunction<int(Word, std::int64_t, std::int64_t, std::int64_t, std::int64_t, int*,
                          std::int64_t*, std::int64_t*, void*)>
    real_large_contents{"PMPI_Type_get_contents_c"};
constinit MpiFunction<int(Word*)> real_free{"PMPI_Type_free"};
constinit MpiFunction<int(Word, std::int64_t*, std::int64_t*)> real_extent{"PMPI_Type_get_extent"};
constinit MpiFunction<Word(int)> real_from_fortran{"PMPI_Type_f2c"};

constexpr int kDeepest = 16;

struct NamedElement {
    std::string_view name;
    Element element;
};

// Names that MPI libraries give their predefined types; integers are distinguished by their size.
// Pairs of a value and its place, such as MPI_2REAL, are no numbers alone.
constexpr NamedElement kFloating[] = {
    {"MPI_FLOAT", Element::kFloat},
    {"MPI_REAL", Element::kFloat},
    {"MPI_REAL4", Element::kFloat},
    {"MPI_DOUBLE", Element::kDouble},
    {"MPI_DOUBLE_PRECISION", Element::kDouble},
    {"MPI_REAL8", Element::kDouble},
    {"MPI_REAL2", Element::kHalf},
    {"MPIX_C_FLOAT16", Element::kHalf},
    {"MPIX_BFLOAT16", Element::kBfloat16},
    {"MPI_C_COMPLEX", Element::kFloatComplex},
    {"MPI_C_FLOAT_COMPLEX", Element::kFloatComplex},
    {"MPI_CXX_FLOAT_COMPLEX", Element::kFloatComplex},
    {"MPI_COMPLEX", Element::kFloatComplex},
    {"MPI_COMPLEX8", Element::kFloatComplex},
    {"MPI_C_DOUBLE_COMPLEX", Element::kDoubleComplex},
    {"MPI_CXX_DOUBLE_COMPLEX", Element::kDoubleComplex},
    {"MPI_DOUBLE_COMPLEX", Element::kDoubleComplex},
    {"MPI_COMPLEX16", Element::kDoubleComplex},
};

constexpr std::string_view kIntegers[] = {
    "MPI_SIGNED_CHAR", "MPI_UNSIGNED_CHAR", "MPI_SHORT",    "MPI_UNSIGNED_SHORT",
    "MPI_INT",         "MPI_UNSIGNED",      "MPI_LONG",     "MPI_UNSIGNED_LONG",
    "MPI_LONG_LONG",   "MPI_LONG_LONG_INT", "MPI_INTEGER",  "MPI_UNSIGNED_LONG_LONG",
    "MPI_INT8_T",      "MPI_INT16_T",       "MPI_INT32_T",  "MPI_INT64_T",
    "MPI_UINT8_T",     "MPI_UINT16_T",      "MPI_UINT32_T", "MPI_UINT64_T",
    "MPI_INTEGER1",    "MPI_INTEGER2",      "MPI_INTEGER4", "MPI_INTEGER8",
    "MPI_AINT",        "MPI_OFFSET",        "MPI_COUNT",
};

/// How many numbers, addresses, counts and types describe a type.
struct Envelope {
    std::int64_t integers = 0, addresses = 0, counts = 0, types = 0;
    bool is_known = false;
};

Envelope envelope_of(Word handle) {
    Envelope found;
    int combiner = 0;
    if (known_abi().has_large_counts) {
        found.is_known = real_large_envelope(handle, &found.integers, &found.addresses,
                                             &found.counts, &found.types, &combiner) == 0;
        return found;
    }
    int integers = 0, addresses = 0, types = 0;
    found.is_known = real_envelope(handle, &integers, &addresses, &types, &combiner) == 0;
    found.integers = integers;
    found.addresses = addresses;
    found.types = types;
    return found;
}

/// What another type is made of.
struct Contents {
    std::vector<int> integers;
    std::vector<std::int64_t> addresses;
    std::vector<Word> types;  ///< Those that are no predefined ones are to be freed.
};

Contents contents_of(Word handle, const Envelope& envelope) {
    // Some libraries ask for the address of arrays that are empty.
    Contents contents{
        .integers = std::vector<int>(static_cast<std::size_t>(envelope.integers) + 1),
        .addresses = std::vector<std::int64_t>(static_cast<std::size_t>(envelope.addresses) + 1),
        .types = {}};
    std::vector<std::int64_t> counts(static_cast<std::size_t>(envelope.counts) + 1);
    const auto types = static_cast<std::size_t>(envelope.types);
    const std::size_t bytes = known_abi().handle_bytes();
    std::vector<std::byte> handles((types + 1) * bytes);
    int result = 0;
    if (known_abi().has_large_counts) {
        result = real_large_contents(handle, envelope.integers, envelope.addresses, envelope.counts,
                                     envelope.types, contents.integers.data(),
                                     contents.addresses.data(), counts.data(), handles.data());
    } else {
        result =
            real_contents(handle, static_cast<int>(envelope.integers),
                          static_cast<int>(envelope.addresses), static_cast<int>(envelope.types),
                          contents.integers.data(), contents.addresses.data(), handles.data());
    }
    if (result != 0) return {};
    contents.integers.pop_back();
    contents.addresses.pop_back();
    contents.types.resize(types);
    for (std::size_t i = 0; i < types; ++i)
        std::memcpy(&contents.types[i], handles.data() + i * bytes, bytes);
    return contents;
}

Element integer_of(std::uint64_t size_bytes) {
    for (std::size_t number = 0; number < kElements.size(); ++number)
        if (kElements[number].is_integer() && kElements[number].bytes() == size_bytes)
            return static_cast<Element>(number);
    return Element::kNone;
}

Element predefined(Word handle) {
    char text[256] = {};
    int length = 0;
    if (real_name(handle, text, &length) != 0) return Element::kNone;
    const std::string_view name(text);
    const std::uint64_t size_bytes = size_of(handle);
    for (const auto& [known, element] : kFloating)
        if (name == known)
            return traits_of(element).bytes() == size_bytes ? element : Element::kNone;
    if (std::ranges::find(kIntegers, name) != std::end(kIntegers)) return integer_of(size_bytes);
    return Element::kNone;
}

/// What both numbers have in common.
Datatype common(const Datatype& one, const Datatype& other) {
    if (one.element != other.element) return {};
    Datatype both{.element = one.element};
    both.allows_errors = one.allows_errors && other.allows_errors;
    if (both.allows_errors)
        both.protected_bits = std::max(one.protected_bits, other.protected_bits);
    return both;
}

/// Without the size.
Datatype numbers_of(Word handle, int depth) {
    if (depth > kDeepest || handle == known_abi().datatype_null) return {};
    const Envelope envelope = envelope_of(handle);
    if (!envelope.is_known) return {};
    if (envelope.types == 0) return {.element = predefined(handle)};
    const Contents contents = contents_of(handle, envelope);
    Datatype all;
    bool is_first = true;
    for (Word part : contents.types) {
        const Datatype numbers = numbers_of(part, depth + 1);
        all = is_first ? numbers : common(all, numbers);
        is_first = false;
        if (envelope_of(part).types > 0) real_free(&part);
    }
    if (const auto protected_bits = type_marks::find(contents.integers, contents.addresses)) {
        all.allows_errors = all.element != Element::kNone;
        all.protected_bits = *protected_bits;
    }
    return all;
}

}  // namespace

Word datatype_of_c(Word argument) { return argument & known_abi().handle_mask; }

Datatype describe_datatype(Word handle) {
    if (handle == known_abi().datatype_null) return {};
    Datatype type = numbers_of(handle, 0);
    type.size_bytes = size_of(handle);
    return type;
}

std::uint64_t size_of(Word handle) {
    std::int64_t size_bytes = 0;
    if (handle == known_abi().datatype_null) return 0;
    if (real_size(handle, &size_bytes) != 0 || size_bytes < 0) return 0;
    return static_cast<std::uint64_t>(size_bytes);
}

Layout layout_of(Word handle) {
    std::int64_t lower_bound = 0;
    Layout layout{.size_bytes = size_of(handle)};
    real_extent(handle, &lower_bound, &layout.extent_bytes);
    const Envelope envelope = envelope_of(handle);
    layout.is_plain = envelope.is_known && envelope.types == 0 && lower_bound == 0 &&
                      std::cmp_equal(layout.extent_bytes, layout.size_bytes);
    return layout;
}

Word datatype_of_fortran(int handle) { return real_from_fortran(handle) & known_abi().handle_mask; }

}  // namespace kumi::mpi
