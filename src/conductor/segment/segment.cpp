#include "conductor/segment/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "conductor/segment/segment_layout.hpp"
#include "conductor/segment/state.hpp"

namespace kumi::conductor {
namespace {

/// Far from where Linux puts programs, heaps, libraries and stacks on x86-64 and aarch64.
void* const kSegmentAddress = reinterpret_cast<void*>(0x4b0000000000);

/// The header in front of the state: found by both libraries of a rank at the fixed address.
struct SegmentHeader {
    std::uint64_t magic;
    std::uint64_t device;
    std::uint64_t inode;
    ConductorState* state;
};

/// More than the header needs: the rest guards what follows.
constexpr std::size_t kHeaderRoom = 4096;
static_assert(sizeof(SegmentHeader) <= kHeaderRoom);

void* map(int descriptor, std::size_t size_bytes) {
    void* base = ::mmap(kSegmentAddress, size_bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, descriptor, 0);
    // Writing a core file would look at every page of the address space for nothing.
    if (base == kSegmentAddress) (void)::madvise(base, size_bytes, MADV_DONTDUMP);
    return base;
}

ConductorState* complain(const char* what, const char* path) {
    std::fprintf(stderr, "kumihimo: %s (%s): %s\n", what, path, std::strerror(errno));
    return nullptr;
}

}  // namespace

std::size_t Segment::possible_bytes(std::size_t wanted_bytes) {
    std::size_t possible = wanted_bytes;
    for (const auto resource : {RLIMIT_AS, RLIMIT_FSIZE}) {
        rlimit limit{};
        // Half, because every process that maps it needs room for itself, too.
        if (::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
            possible = std::min<std::size_t>(possible, limit.rlim_cur / 2);
    }
    constexpr std::size_t kGranule = std::size_t{1} << 20;
    return std::max(possible / kGranule, std::size_t{1}) * kGranule;
}

Segment::Segment(std::size_t size_bytes) : x_size_bytes(size_bytes) {
    x_descriptor = ::memfd_create("kumihimo", MFD_CLOEXEC);
    if (x_descriptor < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
    if (::ftruncate(x_descriptor, static_cast<off_t>(size_bytes)) != 0) {
        const int error = errno;
        ::close(x_descriptor);
        throw std::system_error(error, std::generic_category(), "sizing the segment");
    }
    x_base = map(x_descriptor, size_bytes);
    if (x_base != kSegmentAddress) {
        const int error = errno;
        ::close(x_descriptor);
        throw std::system_error(error, std::generic_category(), "mapping the segment");
    }
    x_path = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(x_descriptor);

    struct stat about{};
    ::fstat(x_descriptor, &about);
    auto* header = static_cast<SegmentHeader*>(x_base);
    header->magic = ConductorState::kMagic;
    header->device = about.st_dev;
    header->inode = about.st_ino;
    header->state = nullptr;
}

Segment::~Segment() {
    ::munmap(x_base, x_size_bytes);
    ::close(x_descriptor);
}

void Segment::publish(ConductorState* state) {
    state->layout = segment_layout();
    static_cast<SegmentHeader*>(x_base)->state = state;
}

bool Segment::has_whole_guard() const {
    const auto* room = static_cast<const unsigned char*>(x_base);
    return std::all_of(room + sizeof(SegmentHeader), room + kHeaderRoom,
                       [](unsigned char byte) { return byte == 0; });
}

void* Segment::usable_base() const { return static_cast<char*>(x_base) + kHeaderRoom; }

std::size_t Segment::usable_bytes() const { return x_size_bytes - kHeaderRoom; }

ConductorState* Segment::attach(const char* path) {
    const int descriptor = ::open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return complain("cannot open the run's segment", path);
    struct stat about{};
    ::fstat(descriptor, &about);
    void* base = map(descriptor, static_cast<std::size_t>(about.st_size));
    const bool mapped_before = base == MAP_FAILED && errno == EEXIST;
    ::close(descriptor);
    if (base != kSegmentAddress && !mapped_before)
        return complain("cannot map the run's segment", path);
    // A child of the rank is no rank, and must not be able to disturb the run.
    (void)::madvise(kSegmentAddress, static_cast<std::size_t>(about.st_size), MADV_DONTFORK);
    const auto* header = static_cast<const SegmentHeader*>(kSegmentAddress);
    // When something was there before, it must be this segment, mapped by the rank's other library.
    if (header->magic != ConductorState::kMagic || header->device != about.st_dev ||
        header->inode != about.st_ino) {
        errno = EEXIST;
        return complain("the run's segment has another address", path);
    }
    ConductorState* state = header->state;
    if (state == nullptr || state->magic != ConductorState::kMagic) {
        errno = EPROTO;
        return complain("the run's segment makes no sense", path);
    }
    if (state->layout != segment_layout()) {
        std::fprintf(
            stderr,
            "kumihimo: the libraries that this rank has loaded are of another build than the "
            "kumihimo that started it (layout of the run's segment: %016" PRIx64
            ", expected %016" PRIx64 "); build all of it again, and start it from there\n",
            state->layout, segment_layout());
        return nullptr;
    }
    return state;
}

}  // namespace kumi::conductor
