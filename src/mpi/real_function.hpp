#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kumi::mpi {

using Word = std::uintptr_t;

/// Of the function that a program calls; Fortran passes addresses of numbers and handles.
enum class Language : std::uint8_t { kC, kFortran };

/// A number among the arguments of a call.
inline int number_of(Word argument, Language language) {
    return language == Language::kC ? static_cast<int>(argument)
                                    : *reinterpret_cast<const int*>(argument);
}

/// A count among the arguments of a call, of a function for large counts (`MPI_Send_c`) or not.
inline std::int64_t count_of(Word argument, Language language, bool is_large) {
    return is_large ? static_cast<std::int64_t>(argument) : number_of(argument, language);
}

/// Whether a function has said by its result that it has failed. Fortran's return nothing.
inline bool has_failed(std::intptr_t result, Language language) {
    return language == Language::kC && static_cast<int>(result) != 0;
}

/// An MPI function, called with machine words. See export.hpp.
using Forwarded = std::intptr_t (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,
                                    Word, Word, Word, Word, Word, Word);

/// A function of the loaded MPI library, by the name that profiling tools call it by (PMPI_Send,
/// pmpi_send_). Looked up at the first call: the library may be loaded long after the shim.
class RealFunction {
   public:
    constexpr explicit RealFunction(const char* name) : x_name(name) {}

    /// The function's address. Ends the process with a message if the MPI library lacks it.
    void* address() {
        void* known = x_address.load(std::memory_order_relaxed);
        return __builtin_expect(known != nullptr, 1) ? known : look_up();
    }

    template <class Function>
    Function as() {
        return reinterpret_cast<Function>(address());
    }

   private:
    void* look_up();

    const char* x_name;
    std::atomic<void*> x_address{nullptr};
};

/// The same with the types of its arguments and its result.
template <class Type>
class MpiFunction;
template <class Result, class... Arguments>
class MpiFunction<Result(Arguments...)> : RealFunction {
   public:
    using RealFunction::RealFunction;
    Result operator()(Arguments... arguments) {
        return as<Result (*)(Arguments...)>()(arguments...);
    }
};

/// What the shim must know of the loaded MPI library's binary interface.
struct MpiAbi {
    int thread_serialized;
    int thread_multiple;
    Word comm_world;
    Word comm_null;
    Word comm_self;
    Word datatype_null;
    Word info_null;
    int any_source;
    int any_tag;
    int no_process;  ///< MPI_PROC_NULL.
    Word byte;       ///< MPI_BYTE.
    Word in_place;   ///< MPI_IN_PLACE.
    /// MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, then MPI_LAND, MPI_LOR, MPI_LXOR, then MPI_BAND,
    /// MPI_BOR, MPI_BXOR, then MPI_MINLOC, MPI_MAXLOC.
    std::array<Word, 12> operations;
    Word errors_are_fatal;
    Word errors_abort;  ///< Zero if there is none.
    int error_type;
    int error_argument;
    int error_port;
    int error_spawn;
    int error_unsupported;
    /// What of a word is a handle: MPICH's are integers of 32 bits.
    Word handle_mask;
    /// Whether it has MPI 4's functions for large counts.
    bool has_large_counts;

    /// How large a handle is in an array of them.
    std::size_t handle_bytes() const {
        return handle_mask == ~Word{0} ? sizeof(Word) : sizeof(std::uint32_t);
    }
};

/// The interface of the MPI library that this process has loaded; there must be one.
MpiAbi loaded_abi();
/// The same, which is looked up once. Not before the library that the program uses is loaded.
const MpiAbi& known_abi();

/// The address of a variable of that library, or of the program's copy of it; zero if there is none
/// of that name.
Word library_variable(const char* name);

}  // namespace kumi::mpi
