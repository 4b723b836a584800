#include <cstddef>
#include <cstring>

#include "conductor/post.hpp"

namespace kumi {
namespace {

/// Every bit of both reaches the whole result.
std::uint64_t mix(std::uint64_t one, std::uint64_t other) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(one) * other;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

std::uint64_t Message::compute_seal() const {
    constexpr std::size_t kBegin = offsetof(Message, source);
    constexpr std::size_t kWords = (offsetof(Message, seal) - kBegin) / sizeof(std::uint64_t);
    static_assert(kWords % 4 == 2 && kBegin % sizeof(std::uint64_t) == 0);
    // Digits of pi: hardly a message has a word like one of them, which would hide its neighbour.
    constexpr std::uint64_t kSalt[] = {0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0,
                                       0x082EFA98EC4E6C89};
    // Words of memory: a damaged enumeration or bool must not be read as such.
    std::uint64_t words[kWords];
    std::memcpy(words, reinterpret_cast<const std::byte*>(this) + kBegin, sizeof words);
    // Two chains, which the processor works on at the same time.
    std::uint64_t even = kSalt[0] ^ magic;
    std::uint64_t odd = kSalt[1];
    std::size_t at = 0;
    for (; at + 4 <= kWords; at += 4) {
        even = mix(words[at] ^ kSalt[2], words[at + 1] ^ even);
        odd = mix(words[at + 2] ^ kSalt[3], words[at + 3] ^ odd);
    }
    even = mix(words[at] ^ kSalt[2], words[at + 1] ^ even);
    return mix(even ^ kSalt[0], odd ^ kSalt[1]);
}

const char* find_fault(const ConductorState& state, std::uint32_t index) {
    if (index >= state.messages.capacity()) return "it does not exist";
    const Message& message = state.messages.at(index);
    if (message.magic != Message::kMagic) return "it does not begin like a message";
    if (message.seal != message.compute_seal()) return "it was changed on its way";
    if (message.source >= state.rank_count()) return "its source is no rank of this run";
    if (message.target >= state.rank_count()) return "its target is no rank of this run";
    if (message.kind > MessageKind::kInternal) return "its kind is unknown";
    if (message.reply_kind > MessageKind::kInternal) return "the kind of its answer is unknown";
    if (message.action > ArrivalAction::kReply) return "its action on arrival is unknown";
    if (message.payload == nullptr && message.payload_bytes != 0) return "its payload is missing";
    if (message.payload != nullptr &&
        !state.arena->contains(message.payload, message.payload_bytes))
        return "its payload is outside of the run's memory";
    const bool reads_memory = message.action == ArrivalAction::kGet;
    if (reads_memory && message.reply_bytes > state.arena->free_bytes())
        return "it asks for more bytes than there is memory";
    return nullptr;
}

const char* find_fault_for(const ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    if (const char* fault = find_fault(state, index)) return fault;
    return state.messages.at(index).target == rank ? nullptr : "it is for another rank";
}

}  // namespace kumi
