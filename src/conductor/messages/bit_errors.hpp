#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/call_name.hpp"
#include "base/memory/arena.hpp"
#include "base/shim_table.hpp"
#include "conductor/messages/error_counters.hpp"
#include "conductor/messages/error_policy.hpp"
#include "conductor/messages/message.hpp"
#include "network/channel/spoil.hpp"
#include "network/network.hpp"

/// Messages for which the user allows errors: which they are, what they occupy on links, and
/// which of their bits arrive wrong.
namespace kumi::conductor {

using network::HostId;
using network::Network;

/// Noise of the links on a message's path.
struct PathNoise {
    bool exists = false;
    bool can_protect = true;  ///< Whether all links with noise can.
};

/// What a run with such messages keeps. Plain data in the segment; used with the baton held.
class BitErrors {
   public:
    BitErrors(Arena& arena, const ErrorPolicy& policy, std::uint32_t ranks);

    /// Decides whether a message with a payload, which `source` sends next to `target`, may arrive
    /// with errors, and notes that in its head.
    /// @param head        Has the size.
    /// @param noise       Of the message's path.
    /// @param is_aligned  Whether the payload begins where a number does, as far as its address
    /// says.
    void decide(endpoint::Head& head, std::uint32_t source, std::uint32_t target,
                const SentContent& content, const PathNoise& noise, bool is_aligned);
    /// Whether a message whose payload may arrive with errors can get any on its path; counts why
    /// not.
    bool meets_noise(std::uint64_t size_bytes, std::uint8_t protected_bits, const PathNoise& noise);
    /// Counts a message of which all that decides its errors has been noted in `head`, but for the
    /// function that sends it, and notes that.
    void admit(endpoint::Head& head, const CallName& function);
    static PathNoise noise_of(const Network& network, HostId source, HostId target);

    /// What a message between two hosts occupies on links; counts what that saves.
    std::uint64_t bytes_on_links(const Network& network, HostId source, HostId target,
                                 const Message& message);

    /// The same of a payload that may arrive with errors; by its head.
    std::uint64_t payload_bytes_on_links(const Network& network, HostId source, HostId target,
                                         const endpoint::Head& head);

    /// What an exact message of `size_bytes` occupies on links.
    std::uint64_t exact_bytes_on_links(const Network& network, HostId source, HostId target,
                                       std::uint64_t size_bytes) const;
    /// What a payload of `size_bytes` occupies at most, whatever it consists of.
    static std::uint64_t most_bytes_on_links(const Network& network, HostId source, HostId target,
                                             std::uint64_t size_bytes);

    /// Turns those bits of a payload round that arrive wrong. The same for a message in every
    /// repeat: they follow from the run's seed, source, target, and the message's ordinal.
    void corrupt(const Network& network, HostId source, HostId target, const Message& message,
                 std::span<std::byte> payload);

    /// Counts the bits of a payload that arrive wrong, as `corrupt` does, without the payload.
    /// Which numbers become infinite or NaN is thus not known.
    void count_wrong_bits(const Network& network, HostId source, HostId target,
                          std::uint32_t source_rank, std::uint32_t target_rank,
                          const endpoint::Head& head);

    const ErrorCounters& counters() const { return x_counters; }

   private:
    /// What a payload occupies on links between two hosts, and what that saves.
    struct LinkSize {
        HostId source = 0, target = 0;
        std::uint32_t encoding = 0;  ///< Its word and its protected bits.
        std::uint64_t size_bytes = 0;
        std::uint64_t link_bytes = 0;
        Duration saved{};
    };
    /// Programs send messages of few sizes to few targets. A power of two.
    static constexpr std::size_t kLinkSizes = 1024;

    const LinkSize& link_size(const Network& network, HostId source, HostId target,
                              const endpoint::Head& head);
    const ErrorRule* rule_for(const SentContent& content, const CallName& function,
                              std::uint64_t size_bytes) const;
    std::uint8_t number_of(const CallName& function);
    void count(const endpoint::Head& head, std::span<const std::uint64_t> wrong);
    std::uint64_t next_ordinal(std::uint32_t source, std::uint32_t target);

    Arena* x_arena;
    ErrorPolicy x_policy;
    ErrorCounters x_counters;
    std::uint32_t x_ranks;
    RandomStreams x_streams;     ///< Of all channels.
    LinkSize* x_link_sizes;      ///< Those found last, by a hash; size 0 where there is none.
    std::uint64_t** x_ordinals;  ///< Of each source that has sent such messages, by target.
};

/// The name of an MPI function as it is in C, without the mark of large counts: MPI_Send of
/// "mpi_send" and "MPI_Send_c".
CallName canonical_name(const char* function);

}  // namespace kumi::conductor
