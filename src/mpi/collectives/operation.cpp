#include "mpi/collectives/operation.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "mpi/content/datatype.hpp"

namespace kumi::mpi::collectives {
namespace {

constinit MpiFunction<int(const void*, void*, int, Word, Word)> real_reduce{"PMPI_Reduce_local"};
constinit MpiFunction<int(Word, char*, int*)> real_name{"PMPI_Type_get_name"};

/// What MPI defines operations for. A bit each, as a type may be of several.
enum : unsigned { kOrdered = 1, kNumber = 2, kTruth = 4, kBits = 8, kPair = 16 };

/// By place in MpiAbi::operations.
constexpr std::array<unsigned, 12> kNeeds{kOrdered, kOrdered, kNumber, kNumber, kTruth, kTruth,
                                          kTruth,   kBits,    kBits,   kBits,   kPair,  kPair};

struct NamedKind {
    std::string_view name;
    unsigned kinds;
};

// Those that are no plain numbers.
constexpr NamedKind kOthers[] = {
    {"MPI_BYTE", kBits},
    {"MPI_C_BOOL", kTruth},
    {"MPI_CXX_BOOL", kTruth},
    {"MPI_LOGICAL", kTruth},
    {"MPI_2INT", kPair},
    {"MPI_2INTEGER", kPair},
    {"MPI_2REAL", kPair},
    {"MPI_2DOUBLE_PRECISION", kPair},
    {"MPI_LONG_DOUBLE", kOrdered | kNumber},
};

/// Truth values of C are integers; those of Fortran are not.
constexpr std::string_view kNoTruth[] = {"MPI_INTEGER",  "MPI_INTEGER1", "MPI_INTEGER2",
                                         "MPI_INTEGER4", "MPI_INTEGER8", "MPI_AINT",
                                         "MPI_OFFSET",   "MPI_COUNT"};

unsigned kinds_of(Word datatype) {
    char text[256] = {};
    int length = 0;
    if (real_name(datatype, text, &length) != 0) return 0;
    const std::string_view name(text);
    const Element element = describe_datatype(datatype).element;
    const bool is_truth = std::ranges::find(kNoTruth, name) == std::end(kNoTruth);
    if (traits_of(element).is_integer())
        return kOrdered | kNumber | kBits | (is_truth ? unsigned{kTruth} : 0U);
    if (element == Element::kFloat || element == Element::kDouble) return kOrdered | kNumber;
    if (traits_of(element).words == 2) return kNumber;  // A complex one.
    const auto* found = std::ranges::find(kOthers, name, &NamedKind::name);
    return found == std::end(kOthers) ? 0 : found->kinds;
}

}  // namespace

std::optional<Operation> Operation::find(Word operation, Word datatype) {
    const auto& known = known_abi().operations;
    const auto place = std::ranges::find(known, operation) - known.begin();
    if (operation == 0 || place == std::ssize(known)) return std::nullopt;
    const Layout layout = layout_of(datatype);
    if (!layout.is_plain || layout.size_bytes == 0) return std::nullopt;
    if ((kinds_of(datatype) & kNeeds[static_cast<std::size_t>(place)]) == 0) return std::nullopt;
    Operation found;
    found.x_operation = operation;
    found.x_datatype = datatype;
    found.x_element_bytes = layout.size_bytes;
    return found;
}

int Operation::apply(const std::byte* left, std::byte* right, std::uint64_t bytes) const {
    return real_reduce(left, right, static_cast<int>(bytes / x_element_bytes), x_datatype,
                       x_operation);
}

}  // namespace kumi::mpi::collectives
