// What happens in a network with finite buffers or non-minimal routes in addition: see
// CreditSwitching, NonMinimalRoutes.
#include "network/network.hpp"

namespace kumi::network {

/// Returns false if the message goes on as in a network without settings: on a loopback, or on a
/// link from host to host.
bool Network::enter_by_setting(std::uint32_t index) {
    if (x_non_minimal != nullptr) x_non_minimal->order().enter(*x_arena, index);
    const LinkId first = x_transits.at(index).path[0];
    if (kind_of(x_links[first]).delivers) return false;
    if (x_credits != nullptr) {
        x_credits->enter(*this, first, index);
        return true;
    }
    if (x_non_minimal == nullptr) return false;
    const HostId host = x_non_minimal->order().source(index);
    engine::RingQueue<std::uint32_t>& line = x_non_minimal->line(host);
    line.push(*x_arena, index);
    if (line.size() == 1) schedule_turn(host);
    return true;
}

void Network::execute_setting(const engine::Event& event) {
    if (x_credits != nullptr) {
        x_credits->execute(*this, event);
    } else {
        take_turn(event.key.source_id());
    }
}

/// The interface of a host is free for its next message.
void Network::take_turn(HostId host) {
    engine::RingQueue<std::uint32_t>& line = x_non_minimal->line(host);
    const std::uint32_t index = line.front();
    line.pop();
    choose_path(index, [this](LinkId link) { return load(link); });
    send_whole(index);
    if (!line.empty()) schedule_turn(host);
}

void Network::schedule_turn(HostId host) {
    const LinkId first = x_transits.at(x_non_minimal->line(host).front()).path[0];
    const Instant when = later(x_now, x_links[first].free_at);
    push_event(when, engine::EventClass::kArbitrate, host, x_non_minimal->next_turn(host));
}

Duration Network::load(LinkId link) {
    if (x_credits != nullptr) return x_credits->load(*this, link);
    return later(x_links[link].free_at, x_now) - x_now;
}

/// A message has arrived, or one that was held back has its turn: the event's payload says which.
/// Returns false if it must wait for an earlier message of its pair.
bool Network::may_hand_over(const engine::Event& arrival, std::uint64_t& cookie) {
    const LinkId id = arrival.key.source_id();
    PairOrder& order = x_non_minimal->order();
    const std::uint32_t index = step_transit(arrival.payload);
    if ((arrival.payload & kHeldBack) == 0) {
        take_arrival(id);
        if (!order.arrive(index)) return false;
    }
    const std::uint32_t next = order.hand_over(index);
    if (next != PairOrder::kNone) {
        push_event(x_now, engine::EventClass::kArrival, id, x_links[id].next_sequence++,
                   kHeldBack | step_payload(next, 0));
    }
    cookie = forget(index);
    return true;
}

std::vector<LinkId> Network::find_circle() const {
    if (x_credits == nullptr || !is_stuck()) return {};
    return x_credits->find_circle(*this);
}

std::string describe_circle(const Network& network, const FabricDescription& fabric) {
    constexpr std::size_t kNamed = 8;
    const std::vector<LinkId> circle = network.find_circle();
    if (circle.empty()) return "";
    std::string names;
    for (std::size_t place = 0; place < circle.size() && place < kNamed; ++place) {
        if (place > 0) names += ", ";
        names += link_name(fabric, fabric.links[circle[place]]);
    }
    if (circle.size() > kNamed) names += ", ...";
    return "the full buffers of " + std::to_string(circle.size()) +
           " links wait for each other in a circle: " + names;
}

}  // namespace kumi::network
