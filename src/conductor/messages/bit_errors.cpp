#include "conductor/messages/bit_errors.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace kumi::conductor {

using namespace network;

namespace {

/// All bytes protected, whatever they consist of.
constexpr Encoding kProtected{8, 8, BitOrder::kInOrder};

Encoding encoding_of(const endpoint::Head& head, BitOrder order = BitOrder::kInOrder) {
    return {traits_of(head.element).word_bits, head.protected_bits, order};
}

/// The largest that any link with noise asks for. 0 if there is none that can carry the encoding.
std::uint64_t encoded_bytes_on(const Network& network, HostId source, HostId target,
                               const Encoding& encoding, std::uint64_t size_bytes) {
    std::uint64_t largest = 0;
    network.visit_noisy_hops(source, target, [&](std::uint32_t, const LinkNoise& noise) {
        const Modulation& modulation = noise.channel.modulation;
        if (encoding.protected_bits > 0 && !modulation.can_be_thinned()) return;
        largest = std::max(largest, encoded_bytes(encoding, modulation.bits_per_axis, size_bytes));
    });
    return largest;
}

std::optional<BitOrder> order_of(const endpoint::Head& head) {
    if (!head.has_order) return std::nullopt;
    return head.important_first ? BitOrder::kImportantFirst : BitOrder::kInOrder;
}

/// Lets `spoil(hop, channel, encoding)` do its work with a payload at each hop with noise, and
/// returns whether any bit was wrong.
template <class Spoil>
bool spoil_at_hops(const Network& network, HostId source, HostId target, const endpoint::Head& head,
                   Spoil&& spoil) {
    bool is_corrupted = false;
    network.visit_noisy_hops(source, target, [&](std::uint32_t hop, const LinkNoise& noise) {
        const Encoding encoding = encoding_of(head, order_of(head).value_or(noise.order));
        is_corrupted |= spoil(hop, noise.channel, encoding).total() != 0;
    });
    return is_corrupted;
}

/// Whether a rule that lists these names speaks of one; without names it speaks of all.
template <class Name>
bool is_one_of(const Name* names, std::uint32_t count, const char* text) {
    return count == 0 || std::any_of(names, names + count, [&](const Name& name) {
               return std::strcmp(name.text, text) == 0;
           });
}

bool fits_communicator(const ErrorRule& rule, const SentContent& content) {
    if (!rule.asks_for_communicators()) return true;
    return content.members != 0 && content.members >= rule.fewest_members &&
           content.members <= rule.most_members &&
           is_one_of(rule.communicators, rule.communicator_count, content.communicator);
}

/// The exponent of a number says that it is none, and the rest whether it is infinite.
enum class Kind : std::uint8_t { kNumber, kNan, kInf };

/// Numbers of one type, as they lie in memory.
class Numbers {
   public:
    explicit Numbers(const ElementTraits& traits)
        : x_bytes(traits.word_bits / 8),
          x_fraction((std::uint64_t{1} << (traits.word_bits - 1 - traits.exponent_bits)) - 1),
          x_exponent(((std::uint64_t{1} << traits.exponent_bits) - 1)
                     << (traits.word_bits - 1 - traits.exponent_bits)) {}

    std::size_t bytes() const { return x_bytes; }
    Kind kind_of(const std::byte* number) const {
        const std::uint64_t word = read(number);
        if ((word & x_exponent) != x_exponent) return Kind::kNumber;
        return (word & x_fraction) == 0 ? Kind::kInf : Kind::kNan;
    }
    /// The rest of the number stays.
    void copy_exponent(const std::byte* from, std::byte* to) const {
        const std::uint64_t word = (read(from) & x_exponent) | (read(to) & ~x_exponent);
        std::memcpy(to, &word, x_bytes);
    }

   private:
    std::uint64_t read(const std::byte* number) const {
        std::uint64_t word = 0;
        std::memcpy(&word, number, x_bytes);
        return word;
    }

    std::size_t x_bytes;
    std::uint64_t x_fraction, x_exponent;
};

}  // namespace

CallName canonical_name(const char* function) {
    std::string_view name(function);
    if (name.ends_with("_c")) name.remove_suffix(2);
    CallName canonical;
    const std::size_t length = std::min(name.size(), CallName::kBytes - 1);
    for (std::size_t i = 0; i < length; ++i) {
        const bool is_large = name[i] >= 'A' && name[i] <= 'Z';
        const bool is_small = name[i] >= 'a' && name[i] <= 'z';
        const bool stays = i <= 4 ? !is_small : !is_large;
        canonical.text[i] = static_cast<char>(stays ? name[i] : name[i] ^ ('a' - 'A'));
    }
    return canonical;
}

BitErrors::BitErrors(Arena& arena, const ErrorPolicy& policy, std::uint32_t ranks)
    : x_arena(&arena),
      x_policy(policy),
      x_ranks(ranks),
      x_streams(channel_streams(policy.seed)),
      x_link_sizes(arena.make_array<LinkSize>(kLinkSizes)),
      x_ordinals(arena.make_array<std::uint64_t*>(ranks)) {
    x_counters.rule_count = policy.count;
}

void BitErrors::decide(endpoint::Head& head, std::uint32_t source, std::uint32_t target,
                       const SentContent& content, const PathNoise& noise, bool is_aligned) {
    const ElementTraits& traits = traits_of(content.element);
    // A part of a message of bytes, as collectives make them, may begin inside a number.
    if (content.element == Element::kNone || head.size_bytes % traits.bytes() != 0 || !is_aligned)
        return x_counters.unclassified.add(head.size_bytes);
    const CallName name = canonical_name(content.function);
    std::uint8_t protected_bits = content.protected_bits;
    ErrorMode mode = x_policy.source_mode;
    if (content.allows_errors) {
        x_counters.by_source.add(head.size_bytes);
    } else {
        const ErrorRule* rule = rule_for(content, name, head.size_bytes);
        if (rule != nullptr) x_counters.rules[rule - x_policy.rules].add(head.size_bytes);
        if (rule == nullptr || rule->is_exact) return x_counters.unruled.add(head.size_bytes);
        protected_bits = rule->protected_bits;
        mode = rule->mode;
    }
    if (!meets_noise(head.size_bytes, protected_bits, noise)) return;
    head.element = content.element;
    head.allows_errors = true;
    head.protected_bits = protected_bits;
    head.has_order = mode.order.has_value();
    head.important_first = mode.order == BitOrder::kImportantFirst;
    head.keeps_finite = mode.keeps_finite;
    head.ordinal = static_cast<std::uint32_t>(next_ordinal(source, target));
    admit(head, name);
}

bool BitErrors::meets_noise(std::uint64_t size_bytes, std::uint8_t protected_bits,
                            const PathNoise& noise) {
    if (!noise.exists) {
        x_counters.without_noise.add(size_bytes);
        return false;
    }
    if (protected_bits > 0 && !noise.can_protect) {
        x_counters.unprotectable.add(size_bytes);
        return false;
    }
    return true;
}

void BitErrors::admit(endpoint::Head& head, const CallName& function) {
    head.function = number_of(function);
    x_counters.elements[static_cast<std::size_t>(head.element)].allowed.add(head.size_bytes);
    x_counters.functions[head.function].allowed.add(head.size_bytes);
}

const ErrorRule* BitErrors::rule_for(const SentContent& content, const CallName& function,
                                     std::uint64_t size_bytes) const {
    const auto element = static_cast<std::uint32_t>(content.element);
    for (std::uint32_t i = 0; i < x_policy.count; ++i) {
        const ErrorRule& rule = x_policy.rules[i];
        const bool fits = (rule.elements >> element & 1) != 0 &&
                          size_bytes >= rule.smallest_bytes && size_bytes <= rule.largest_bytes &&
                          (rule.sites == 0 || (rule.sites & content.sites) != 0);
        if (fits && is_one_of(rule.functions, rule.function_count, function.text) &&
            fits_communicator(rule, content))
            return &rule;
    }
    return nullptr;
}

std::uint8_t BitErrors::number_of(const CallName& function) {
    std::uint32_t number = 0;
    while (number < x_counters.function_count &&
           std::strcmp(x_counters.functions[number].name.text, function.text) != 0)
        ++number;
    if (number == x_counters.function_count) {
        KUMI_ASSERT(number < ErrorCounters::kMostFunctions, "MPI has fewer functions that send");
        x_counters.functions[number].name = function;
        ++x_counters.function_count;
    }
    return static_cast<std::uint8_t>(number);
}

std::uint64_t BitErrors::next_ordinal(std::uint32_t source, std::uint32_t target) {
    std::uint64_t*& sent = x_ordinals[source];
    if (sent == nullptr) sent = x_arena->make_array<std::uint64_t>(x_ranks);
    return sent[target]++;
}

std::uint64_t BitErrors::bytes_on_links(const Network& network, HostId source, HostId target,
                                        const Message& message) {
    const std::uint64_t size_bytes = message.size_bytes;
    const bool has_payload =
        message.kind == MessageKind::kEager || message.kind == MessageKind::kRendezvous;
    if (!message.head.allows_errors || !has_payload)
        return exact_bytes_on_links(network, source, target, size_bytes);
    return payload_bytes_on_links(network, source, target, message.head);
}

std::uint64_t BitErrors::payload_bytes_on_links(const Network& network, HostId source,
                                                HostId target, const endpoint::Head& head) {
    const LinkSize& found = link_size(network, source, target, head);
    x_counters.payload_bytes += head.size_bytes;
    x_counters.link_bytes += found.link_bytes;
    x_counters.saved += found.saved;
    return found.link_bytes;
}

const BitErrors::LinkSize& BitErrors::link_size(const Network& network, HostId source,
                                                HostId target, const endpoint::Head& head) {
    const Encoding encoding = encoding_of(head);
    const std::uint32_t word = encoding.word_bits << 8 | encoding.protected_bits;
    const std::uint64_t size_bytes = head.size_bytes;
    const std::uint64_t mixed = (std::uint64_t{source} << 32 | target) * 0x9E3779B97F4A7C15U ^
                                (size_bytes << 16 | word) * 0xC2B2AE3D27D4EB4FU;
    LinkSize& found = x_link_sizes[(mixed >> 40) % kLinkSizes];
    if (found.size_bytes == size_bytes && found.source == source && found.target == target &&
        found.encoding == word)
        return found;
    const std::uint64_t link_bytes =
        encoded_bytes_on(network, source, target, encoding, size_bytes);
    const std::uint64_t protected_bytes =
        std::max(link_bytes, encoded_bytes_on(network, source, target, kProtected, size_bytes));
    found = {.source = source,
             .target = target,
             .encoding = word,
             .size_bytes = size_bytes,
             .link_bytes = link_bytes,
             .saved = network.zero_load_time(source, target, protected_bytes) -
                      network.zero_load_time(source, target, link_bytes)};
    return found;
}

std::uint64_t BitErrors::exact_bytes_on_links(const Network& network, HostId source, HostId target,
                                              std::uint64_t size_bytes) const {
    if (!x_policy.protects_exact) return size_bytes;
    return most_bytes_on_links(network, source, target, size_bytes);
}

std::uint64_t BitErrors::most_bytes_on_links(const Network& network, HostId source, HostId target,
                                             std::uint64_t size_bytes) {
    // Programs may protect any number of bits, whatever the rules say.
    return std::max(size_bytes, encoded_bytes_on(network, source, target, kProtected, size_bytes));
}

PathNoise BitErrors::noise_of(const Network& network, HostId source, HostId target) {
    PathNoise found;
    network.visit_noisy_hops(source, target, [&](std::uint32_t, const LinkNoise& noise) {
        found.exists = true;
        found.can_protect = found.can_protect && noise.channel.modulation.can_be_thinned();
    });
    return found;
}

void BitErrors::corrupt(const Network& network, HostId source, HostId target,
                        const Message& message, std::span<std::byte> payload) {
    const endpoint::Head& head = message.head;
    const ElementTraits& traits = traits_of(head.element);
    const RandomStreams streams = x_streams.of(message.source).of(message.target);
    // Only numbers that may become none are compared with what they were.
    const bool may_be_none = !traits.is_integer() && head.protected_bits <= traits.exponent_bits;
    std::vector<std::byte> before;
    if (may_be_none) before.assign(payload.begin(), payload.end());
    std::uint64_t by_bit[ErrorCounters::kMostBits] = {};
    const std::span wrong(by_bit, traits.word_bits);
    const auto spoil = [&](std::uint32_t hop, const Channel& channel, const Encoding& encoding) {
        return network::spoil(payload, encoding, channel, streams, head.ordinal, hop, wrong);
    };
    if (!spoil_at_hops(network, source, target, head, spoil)) return;
    count(head, wrong);
    if (!may_be_none) return;
    ErrorCounters::OfElement& counters =
        x_counters.elements[static_cast<std::size_t>(head.element)];
    const Numbers numbers(traits);
    for (std::size_t at = 0; at + numbers.bytes() <= payload.size(); at += numbers.bytes()) {
        const Kind now = numbers.kind_of(&payload[at]);
        if (now == Kind::kNumber) continue;
        const Kind then = numbers.kind_of(&before[at]);
        if (now == then) continue;
        if (head.keeps_finite && then == Kind::kNumber) {
            numbers.copy_exponent(&before[at], &payload[at]);
            ++counters.restored;
            continue;
        }
        ++(now == Kind::kNan ? counters.nan : counters.inf);
    }
}

void BitErrors::count_wrong_bits(const Network& network, HostId source, HostId target,
                                 std::uint32_t source_rank, std::uint32_t target_rank,
                                 const endpoint::Head& head) {
    const RandomStreams streams = x_streams.of(source_rank).of(target_rank);
    std::uint64_t by_bit[ErrorCounters::kMostBits] = {};
    const std::span wrong(by_bit, traits_of(head.element).word_bits);
    const auto count_errors = [&](std::uint32_t hop, const Channel& channel,
                                  const Encoding& encoding) {
        return network::count_errors(head.size_bytes, encoding, channel, streams, head.ordinal, hop,
                                     wrong);
    };
    if (spoil_at_hops(network, source, target, head, count_errors)) count(head, wrong);
}

void BitErrors::count(const endpoint::Head& head, std::span<const std::uint64_t> wrong) {
    ++x_counters.corrupted;
    const auto element = static_cast<std::size_t>(head.element);
    ErrorCounters::OfFunction& function = x_counters.functions[head.function];
    std::uint64_t*& by_bit = function.by_bit[element];
    if (by_bit == nullptr) by_bit = x_arena->make_array<std::uint64_t>(wrong.size());
    for (std::size_t bit = 0; bit < wrong.size(); ++bit) {
        x_counters.elements[element].by_bit[bit] += wrong[bit];
        by_bit[bit] += wrong[bit];
        function.wrong_bits += wrong[bit];
    }
}

}  // namespace kumi::conductor
