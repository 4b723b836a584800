#include "schedule/replay/features/replay_errors.hpp"

namespace kumi::schedule {

ReplayErrors::ReplayErrors(Arena& arena, const ScheduleErrors& errors, std::uint64_t seed,
                           std::uint32_t ranks)
    : x_said(errors), x_functions(errors.contents.size()) {
    conductor::ErrorPolicy policy;
    policy.protects_exact = errors.protects_exact;
    policy.seed = seed;
    x_errors = arena.make<conductor::BitErrors>(arena, policy, ranks);
}

std::uint32_t ReplayErrors::next_ordinal(std::uint32_t source, const Operation& send) {
    if (send.has(traits::kBare)) return send.tag;
    return x_sent[std::uint64_t{source} << 32 | send.peer]++;
}

bool ReplayErrors::send(const network::Network& network, const ApproximateMessage& message) {
    const ErrorContent& content = x_said.contents[message.content];
    const conductor::PathNoise noise =
        conductor::BitErrors::noise_of(network, message.source_host, message.target_host);
    if (!x_errors->meets_noise(message.size_bytes, content.protected_bits, noise)) return false;
    endpoint::Head head = head_of(message);
    x_errors->admit(head, content.function);
    x_functions[message.content] = head.function;
    return true;
}

std::uint64_t ReplayErrors::payload_bytes_on_links(const network::Network& network,
                                                   const ApproximateMessage& message) {
    return x_errors->payload_bytes_on_links(network, message.source_host, message.target_host,
                                            head_of(message));
}

void ReplayErrors::receive(const network::Network& network, const ApproximateMessage& message) {
    x_errors->count_wrong_bits(network, message.source_host, message.target_host, message.source,
                               message.target, head_of(message));
}

endpoint::Head ReplayErrors::head_of(const ApproximateMessage& message) const {
    const ErrorContent& content = x_said.contents[message.content];
    endpoint::Head head{.element = content.element};
    head.allows_errors = true;
    head.has_order = content.order.has_value();
    head.important_first = content.order == network::BitOrder::kImportantFirst;
    head.protected_bits = content.protected_bits;
    head.function = x_functions[message.content];
    head.size_bytes = message.size_bytes;
    head.ordinal = message.ordinal;
    return head;
}

}  // namespace kumi::schedule
