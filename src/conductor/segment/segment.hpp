#pragma once

#include <cstddef>
#include <string>

namespace kumi::conductor {

struct ConductorState;

/// The memory that launcher and ranks share: an anonymous file (memfd), so that nothing stays
/// behind however the run ends, and so that a small /dev/shm does not matter. Every process maps it
/// at the same address, therefore pointers into it may be stored in it.
class Segment {
   public:
    /// Made by the launcher. Pages are only used when touched; `size_bytes` is the upper limit.
    /// Throws std::system_error.
    explicit Segment(std::size_t size_bytes);
    ~Segment();
    Segment(const Segment&) = delete;
    Segment& operator=(const Segment&) = delete;

    /// How large a segment may be where limits (ulimit -v, -f) do not allow `wanted_bytes`.
    static std::size_t possible_bytes(std::size_t wanted_bytes);

    /// A path under /proc by which processes of the same user can open it.
    const std::string& path() const { return x_path; }

    /// Maps the segment into a rank's process; both libraries of the rank may call it. Returns
    /// nullptr, with the reason on stderr, if that is impossible.
    static ConductorState* attach(const char* path);
    /// Where ranks will find the state, of the layout of this build; called once by the launcher.
    void publish(ConductorState* state);
    /// Whether the bytes between the segment's own header and the arena are as they were made.
    bool has_whole_guard() const;
    /// Memory behind the segment's own header, for the arena.
    void* usable_base() const;
    std::size_t usable_bytes() const;

   private:
    int x_descriptor = -1;
    void* x_base = nullptr;
    std::size_t x_size_bytes = 0;
    std::string x_path;
};

}  // namespace kumi::conductor
