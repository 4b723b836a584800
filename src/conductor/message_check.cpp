#include <cstring>

#include "conductor/post.hpp"

namespace kumi {
namespace {

/// One step of a multiplicative hash: every bit of `value` reaches the upper half of the result.
std::uint64_t mix(std::uint64_t seal, std::uint64_t value) {
    seal = (seal ^ value) * 0x9E3779B97F4A7C15ULL;
    return seal ^ (seal >> 32);
}

}  // namespace

std::uint64_t Message::compute_seal() const {
    // As bytes: a damaged one may be neither true nor false, and must not be read as a bool.
    std::uint8_t answer = 0, wants = 0, notice = 0;
    std::memcpy(&answer, &is_answer, sizeof answer);
    std::memcpy(&wants, &wants_notice, sizeof wants);
    std::memcpy(&notice, &is_notice, sizeof notice);
    std::uint64_t seal = mix(magic, (std::uint64_t{source} << 32) | target);
    seal = mix(seal, (std::uint64_t{wants} << 40) | (std::uint64_t{notice} << 32) |
                         (static_cast<std::uint64_t>(kind) << 24) |
                         (static_cast<std::uint64_t>(reply_kind) << 16) |
                         (static_cast<std::uint64_t>(action) << 8) | answer);
    for (const std::uint64_t value : {sequence, size_bytes, reply_bytes, remote_key, remote_offset,
                                      reinterpret_cast<std::uint64_t>(payload), payload_bytes, tag,
                                      static_cast<std::uint64_t>(sent.ps)})
        seal = mix(seal, value);
    for (std::size_t at = 0; at < kHeadBytes; at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, head + at, sizeof word);
        seal = mix(seal, word);
    }
    return seal;
}

const char* find_fault(const ConductorState& state, const Message& message) {
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

}  // namespace kumi
