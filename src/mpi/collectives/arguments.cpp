#include "mpi/collectives/arguments.hpp"

#include <algorithm>
#include <array>

#include "mpi/content/datatype.hpp"
#include "mpi/wake/communicator.hpp"

namespace kumi::mpi::collectives {
namespace {

constinit MpiFunction<Word(int)> real_operation_from_fortran{"PMPI_Op_f2c"};

/// A constant of Fortran that is the address of a variable, with the compilers' spellings of its
/// name.
class FortranConstant {
   public:
    explicit FortranConstant(const std::array<const char*, 4>& names) {
        for (std::size_t i = 0; i < names.size(); ++i) x_addresses[i] = library_variable(names[i]);
    }
    bool is(Word address) const {
        return address != 0 && std::ranges::find(x_addresses, address) != x_addresses.end();
    }

   private:
    std::array<Word, 4> x_addresses{};
};

/// The buffer of C for one of a program's Fortran.
Word buffer_of_fortran(Word address) {
    static const FortranConstant in_place({"mpi_fortran_in_place", "mpi_fortran_in_place_",
                                           "mpi_fortran_in_place__", "MPI_FORTRAN_IN_PLACE"});
    static const FortranConstant bottom({"mpi_fortran_bottom", "mpi_fortran_bottom_",
                                         "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"});
    if (in_place.is(address)) return known_abi().in_place;
    return bottom.is(address) ? 0 : address;
}

Word buffer_of(Word argument, const Form& form) {
    return form.language == Language::kFortran ? buffer_of_fortran(argument) : argument;
}

std::int64_t count_of(Word argument, const Form& form) {
    return mpi::count_of(argument, form.language, form.is_large_count);
}

Word operation_of(Word argument, const Form& form) {
    const Word handle = form.language == Language::kFortran
                            ? real_operation_from_fortran(number_of(argument, form.language))
                            : argument;
    return handle & known_abi().handle_mask;
}

/// A buffer, its count and its datatype, from `arguments` on.
Buffer described(const Word* arguments, const Form& form) {
    Buffer buffer{.address = buffer_of(arguments[0], form), .datatype = known_abi().datatype_null};
    if (buffer.is_in_place()) return buffer;
    buffer.count = count_of(arguments[1], form);
    buffer.datatype = datatype_of(arguments[2], form.language);
    return buffer;
}

UnevenBuffer described_for_each(const Word* arguments, const Form& form) {
    UnevenBuffer buffer{.address = buffer_of(arguments[0], form)};
    if (buffer.is_in_place()) return buffer;
    buffer.counts = Numbers(arguments[1], form.is_large_count);
    buffer.displacements = Numbers(arguments[2], form.is_large_count);
    buffer.datatype = datatype_of(arguments[3], form.language);
    return buffer;
}

}  // namespace

bool UnevenBuffer::makes_sense(std::size_t ranks) const {
    if (is_in_place()) return true;
    if (!counts.is_there() || !displacements.is_there()) return false;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        if (counts[rank] < 0) return false;
    }
    return datatype != known_abi().datatype_null;
}

Exchange exchange_of(const Word* arguments, const Form& form) {
    return {.send = described(arguments, form),
            .receive = described(arguments + 3, form),
            .communicator = wake::communicator_of(arguments[6], form.language)};
}

Reduction reduction_of(const Word* arguments, const Form& form) {
    Reduction call{.receive = described(arguments + 1, form),
                   .operation = operation_of(arguments[4], form),
                   .communicator = wake::communicator_of(arguments[5], form.language)};
    call.send = call.receive;
    call.send.address = buffer_of(arguments[0], form);
    return call;
}

UnevenExchange uneven_exchange_of(const Word* arguments, const Form& form) {
    return {.send = described_for_each(arguments, form),
            .receive = described_for_each(arguments + 4, form),
            .communicator = wake::communicator_of(arguments[8], form.language)};
}

Broadcast broadcast_of(const Word* arguments, const Form& form) {
    return {.buffer = described(arguments, form),
            .root = number_of(arguments[3], form.language),
            .communicator = wake::communicator_of(arguments[4], form.language)};
}

Word barrier_of(const Word* arguments, const Form& form) {
    return wake::communicator_of(arguments[0], form.language);
}

std::size_t error_of(Kind kind) {
    switch (kind) {
        case Kind::kAlltoall:
        case Kind::kAllgather:
            return 7;
        case Kind::kAlltoallv:
            return 9;
        case Kind::kAllreduce:
        case Kind::kReduceScatterBlock:
            return 6;
        case Kind::kBcast:
            return 5;
        case Kind::kBarrier:
            return 1;
        case Kind::kNone:
            break;
    }
    return 0;
}

}  // namespace kumi::mpi::collectives
