#pragma once

#include <cstdint>
#include <string_view>

#include "base/shim_table.hpp"
#include "mpi/profile/session.hpp"
#include "mpi/real_function.hpp"
#include "mpi/run_link.hpp"

/// What the messages of the program's present call consist of: for the provider, which asks by
/// base/shim_table.hpp. Nothing is noted unless the run wants to know.
namespace kumi::mpi::sent_content {

/// Virtual time has begun.
void begin();
/// A handle of a datatype may stand for another one from now on.
void forget_types();

/// While it exists, Kumihimo sends its own messages within a call of the program: their content is
/// not what the call states, and arrives without errors.
class OwnMessages {
   public:
    OwnMessages();
    ~OwnMessages();
    OwnMessages(const OwnMessages&) = delete;
    OwnMessages& operator=(const OwnMessages&) = delete;

   private:
    bool x_was_classified;
};

/// See ContentOfMessage.
///
/// A call sends messages of its own and, while nonblocking collective operations are under way,
/// perhaps some of theirs. Of a point-to-point call, therefore, only the first message counts that
/// has the size which the call states. Of a collective call all do, unless a nonblocking operation
/// has been started before.
SentContent of_message(std::uint64_t size_bytes);

namespace detail {
/// Whether the run wants to know.
extern constinit bool is_wanted;

struct Arguments {
    Word count = 0;         ///< In Fortran its address.
    Word datatype = 0;      ///< In Fortran the address of the handle.
    Word communicator = 0;  ///< The same.
    bool has_communicator = false;
    bool is_large_count = false;
    bool is_point_to_point = false;
    Language language = Language::kC;
};

void call_begins(const char* function, CallClass call_class, const void* caller);
void call_sends(const Arguments& arguments);

constexpr bool is_point_to_point(std::string_view name) {
    return name.find("send") != std::string_view::npos ||
           name.find("Send") != std::string_view::npos;
}

}  // namespace detail

/// The call `function`, a literal, begins and will return to `caller`; `kCommunicator` is its
/// argument that is a communicator, and `kDatatype` that which is the datatype of what it sends, or
/// -1. Of calls that the MPI library makes of itself nothing is noted. `copy()` are its arguments.
template <int kCommunicator, int kDatatype, Language kLanguage, class Copy>
[[gnu::always_inline]] inline void note_call(bool is_outermost, const Copy& copy,
                                             const char* function, CallClass call_class,
                                             const void* caller) {
    if (__builtin_expect(!detail::is_wanted, 1) || !is_outermost) return;
    detail::call_begins(function, call_class, caller);
    if constexpr (kDatatype > 0) {
        const std::string_view name = function;
        const auto arguments = copy();
        constexpr bool kHasCommunicator = kCommunicator >= 0;
        detail::call_sends({.count = arguments[kDatatype - 1],
                            .datatype = arguments[kDatatype],
                            .communicator = arguments[kHasCommunicator ? kCommunicator : 0],
                            .has_communicator = kHasCommunicator,
                            .is_large_count = name.ends_with("_c"),
                            .is_point_to_point = detail::is_point_to_point(name),
                            .language = kLanguage});
    }
}

}  // namespace kumi::mpi::sent_content
