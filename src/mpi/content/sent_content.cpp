#include "mpi/content/sent_content.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "mpi/code/code_places.hpp"
#include "mpi/content/datatype.hpp"
#include "mpi/wake/communicator.hpp"

namespace kumi::mpi::sent_content {

constinit bool detail::is_wanted = false;

namespace {

struct KnownType {
    Word handle = 0;
    bool is_known = false;
    Datatype type;
};

/// Where two handles share a place, the older one is asked for again.
constexpr std::size_t kPlaces = 64;
constinit KnownType known_types[kPlaces] = {};
constinit bool has_types = false;

constinit MpiFunction<int(Word, int*)> real_size{"PMPI_Comm_size"};
constinit MpiFunction<int(Word, char*, int*)> real_name{"PMPI_Comm_get_name"};
constinit bool are_communicators_wanted = false;

// Never destroyed: other threads may still call while the process ends.
constinit NamedSites* sites = nullptr;

/// Reads which places in the program rules name, if they name any.
void read_sites() {
    const char* path = path_from("KUMI_SITES");
    if (path == nullptr) return;
    sites = new NamedSites;
    if (sites->read(contents_of(path))) return;
    std::fprintf(stderr, "kumihimo: error: rank %u cannot read the call sites in %s\n",
                 run_link::rank(), path);
    std::_Exit(1);
}

/// The communicator that a call names. It is asked for each time: its name may change.
struct Communicator {
    std::uint32_t members = 0;
    char name[256] = {};  ///< No MPI library has longer ones.
};
constinit Communicator named{};

void note_communicator(const detail::Arguments& arguments) {
    const Word handle = wake::communicator_of(arguments.communicator, arguments.language);
    int size = 0, length = 0;
    if (real_size(handle, &size) != 0 || size <= 0) return;
    named.members = static_cast<std::uint32_t>(size);
    if (real_name(handle, named.name, &length) != 0) named.name[0] = '\0';
}

/// The program's present call.
struct Call {
    const char* function = "";
    std::uint64_t sites = 0;  ///< See SentContent.
    Datatype type{};
    std::uint64_t size_bytes = 0;  ///< Of its message, if it is a point-to-point call.
    bool is_point_to_point = false;
    bool is_classified = false;
};
constinit Call present{};
constinit bool has_background = false;  ///< A nonblocking collective has been started.

Datatype known(Word handle) {
    // Handles are addresses, or numbers whose last byte distinguishes predefined types.
    KnownType& place = known_types[(handle ^ handle >> 6 ^ handle >> 12) % kPlaces];
    if (!place.is_known || place.handle != handle) {
        place = {handle, true, describe_datatype(handle)};
        has_types = true;
    }
    return place.type;
}

std::uint64_t count_of(const detail::Arguments& arguments) {
    const std::int64_t count =
        mpi::count_of(arguments.count, arguments.language, arguments.is_large_count);
    return count > 0 ? static_cast<std::uint64_t>(count) : 0;
}

}  // namespace

void begin() {
    detail::is_wanted = run_link::classifies_messages();
    are_communicators_wanted = run_link::classifies_communicators();
    if (detail::is_wanted) read_sites();
}

void forget_types() {
    if (!has_types) return;
    for (KnownType& type : known_types) type.is_known = false;
    has_types = false;
}

OwnMessages::OwnMessages() : x_was_classified(std::exchange(present.is_classified, false)) {}

OwnMessages::~OwnMessages() { present.is_classified = x_was_classified; }

void detail::call_begins(const char* function, CallClass call_class, const void* caller) {
    const bool shares = has_background;
    if (call_class == CallClass::kBackground) has_background = true;
    present = {.function = function, .is_classified = !shares};
    if (sites != nullptr) present.sites = sites->of_call(caller);
    named.members = 0;
    named.name[0] = '\0';
}

void detail::call_sends(const Arguments& arguments) {
    const Datatype type = known(datatype_of(arguments.datatype, arguments.language));
    present.type = type;
    if (are_communicators_wanted && arguments.has_communicator) note_communicator(arguments);
    if (!arguments.is_point_to_point) return;
    present.is_point_to_point = true;
    present.is_classified = true;
    present.size_bytes = count_of(arguments) * type.size_bytes;
}

SentContent of_message(std::uint64_t size_bytes) {
    SentContent content{.function = present.function};
    if (!present.is_classified) return content;
    if (present.is_point_to_point) {
        if (size_bytes != present.size_bytes) return content;
        present.is_classified = false;
    }
    content.sites = present.sites;
    content.members = named.members;
    content.communicator = named.name;
    content.element = present.type.element;
    content.allows_errors = present.type.allows_errors;
    content.protected_bits = present.type.protected_bits;
    return content;
}

}  // namespace kumi::mpi::sent_content
