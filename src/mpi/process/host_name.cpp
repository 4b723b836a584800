// gethostname, uname and MPI_Get_processor_name: the platform's host, from the end of MPI_Init on.
// In real time, MPI libraries get the same name on every computer by gethostname: Open MPI sends it
// in messages. In virtual time they get the platform's host by it, too: MPICH then asks for the
// name by which it spreads collective access to files over hosts.

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/host_name.hpp"
#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"
#include "mpi/real_function.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi {
namespace {

bool has_virtual_name() { return stage() == Stage::kVirtual || stage() == Stage::kEnded; }

struct HostName {
    char text[24] = {};
    std::size_t length = 0;

    std::string_view view() const { return {text, length}; }
};

HostName host_name() {
    HostName name;
    name.length = static_cast<std::size_t>(
        std::snprintf(name.text, sizeof name.text, "host%u", run_link::host()));
    return name;
}

/// As Fortran has it: filled up with blanks.
void put_in_fortran(char* into, std::size_t size_bytes, int* length) {
    const HostName name = host_name();
    const std::size_t copied = std::min(name.length, size_bytes);
    std::memset(into, ' ', size_bytes);
    std::memcpy(into, name.text, copied);
    *length = static_cast<int>(copied);
}

}  // namespace
}  // namespace kumi::mpi

using namespace kumi::mpi;

KUMI_EXPORT int gethostname(char* into, std::size_t size_bytes) noexcept {
    static constinit NextFunction<int(char*, std::size_t)> next{"gethostname"};
    const bool is_library = stage() != Stage::kVirtual && stage() != Stage::kOutside &&
                            is_implementation_code(KUMI_CALLER);
    if (is_library) return kumi::answer_host_name(kumi::kComputerName, into, size_bytes);
    if (!has_virtual_name()) return next(into, size_bytes);
    return kumi::answer_host_name(host_name().view(), into, size_bytes);
}

KUMI_EXPORT int uname(utsname* into) noexcept {
    static constinit NextFunction<int(utsname*)> next{"uname"};
    const int result = next(into);
    if (result != 0 || !has_virtual_name() || !KUMI_CALLER_SEES_PROGRAM_TIME) return result;
    const HostName name = host_name();
    std::memcpy(into->nodename, name.text, name.length + 1);
    return result;
}

KUMI_EXPORT int MPI_Get_processor_name(char* into, int* length) {
    static constinit RealFunction real{"PMPI_Get_processor_name"};
    const int result = real.as<int (*)(char*, int*)>()(into, length);
    if (result != 0 || !has_virtual_name()) return result;
    const HostName name = host_name();
    std::memcpy(into, name.text, name.length + 1);
    *length = static_cast<int>(name.length);
    return result;
}

// The length of the string comes last.

KUMI_EXPORT void mpi_get_processor_name_(char* into, int* length, int* error,
                                         std::size_t size_bytes) {
    static constinit RealFunction real{"pmpi_get_processor_name_"};
    real.as<void (*)(char*, int*, int*, std::size_t)>()(into, length, error, size_bytes);
    if (has_virtual_name()) put_in_fortran(into, size_bytes, length);
}

KUMI_EXPORT void mpi_get_processor_name_f08_(char* into, int* length, int* error,
                                             std::size_t size_bytes) {
    static constinit RealFunction real{"pmpi_get_processor_name_f08_"};
    real.as<void (*)(char*, int*, int*, std::size_t)>()(into, length, error, size_bytes);
    if (has_virtual_name()) put_in_fortran(into, size_bytes, length);
}
