#include "endpoint/service/service.hpp"

#include "base/check.hpp"

namespace kumi::endpoint::service {
namespace {

/// Unreliable datagrams: memory that does not depend on peers; software cuts messages into packets,
/// repeats what is lost, and puts them together again.
Departure depart_by_ud(const Parameters& parameters, Account& account, const Sending& sending) {
    const std::uint64_t now = packets_of(parameters, sending.size_bytes);
    const std::uint64_t later =
        sending.is_request ? packets_of(parameters, sending.fetched_bytes) : 0;
    ++account.by_datagrams;
    account.packets += now + later;
    const Duration before = cost_of(parameters, now);
    return {.leaves = sending.at + before,
            .before = before,
            .after = cost_of(parameters, later),
            .by_datagrams = true};
}

/// Reliable connections: fast, with memory for each peer. Waits for the connection if it is not
/// there yet; without one, sends datagrams.
Departure depart_by_rc(const Parameters& parameters, Account& account, Peer& peer,
                       const Sending& sending) {
    if (!peer.is_connected() && !ask(parameters, account, peer, sending.at))
        return depart_by_ud(parameters, account, sending);
    ++account.by_connection;
    // The rank goes on; the message waits in the queue of the connection.
    return {.leaves = later(sending.at, peer.ready)};
}

/// Whether a rank without a connection to the peer has sent to it often enough for one.
bool is_worth_connecting(const Parameters& parameters, const Account& account, const Peer& peer) {
    const std::uint64_t before = account.repeated_depth > 0 ? 0 : parameters.messages_before;
    return !peer.is_connected() && peer.messages >= before;
}

/// Connections to the peers that come first, datagrams to the others, as MVAPICH2 has it. Sends
/// datagrams for as long as there is no connection. Asks for one after `messages_before` messages,
/// if it `may_ask`.
Departure depart_by_hybrid(const Parameters& parameters, Account& account, Peer& peer,
                           const Sending& sending, bool may_ask) {
    if (may_ask && is_worth_connecting(parameters, account, peer))
        ask(parameters, account, peer, sending.at);
    if (!peer.is_connected() || sending.at < peer.ready)
        return depart_by_ud(parameters, account, sending);
    ++account.by_connection;
    return {.leaves = sending.at};
}

Departure depart_by_kind(const Parameters& parameters, Account& account, Peer& peer,
                         const Sending& sending) {
    switch (parameters.kind) {
        case Kind::kNone:
            break;
        case Kind::kRc:
            return depart_by_rc(parameters, account, peer, sending);
        case Kind::kUd:
            return depart_by_ud(parameters, account, sending);
        case Kind::kHybrid:
            return depart_by_hybrid(parameters, account, peer, sending, /*may_ask=*/true);
        // Connections only to peers that the program sends to where it spends most of its time, as
        // its hint says: HINT("IN_KERNEL", "1"). Where there is no room for one, another may be
        // closed.
        case Kind::kHint:
        case Kind::kHintEvict:
            return depart_by_hybrid(parameters, account, peer, sending, account.kernel_depth > 0);
        // The yardstick of the others: connections from the start, to the peers that take the most
        // packets in the whole run.
        case Kind::kOracle:
            return depart_by_hybrid(parameters, account, peer, sending, /*may_ask=*/false);
    }
    KUMI_ASSERT(false, "a message without a service");
    return {};
}

}  // namespace

bool may_evict_for(const Parameters& parameters, const Account& account, const Peer& peer) {
    return parameters.kind == Kind::kHintEvict && account.kernel_depth > 0 &&
           is_worth_connecting(parameters, account, peer);
}

bool wants_for_schedule(const Parameters& parameters, const Account& account, const Peer& peer) {
    switch (parameters.kind) {
        case Kind::kRc:
            return !peer.is_connected();
        case Kind::kHybrid:
            return is_worth_connecting(parameters, account, peer);
        case Kind::kHint:
        case Kind::kHintEvict:
            return account.kernel_depth > 0 && !peer.is_connected();
        case Kind::kNone:
        case Kind::kUd:
        case Kind::kOracle:
            break;
    }
    return false;
}

Departure depart(const Parameters& parameters, Account& account, Peer& peer,
                 const Sending& sending) {
    Departure departure = depart_by_kind(parameters, account, peer, sending);
    departure.generation = peer.generation;
    if (peer.is_connected()) note_use(account, peer, sending.at);
    ++peer.messages;
    peer.packets +=
        packets_of(parameters, sending.is_request ? sending.fetched_bytes : sending.size_bytes);
    return departure;
}

}  // namespace kumi::endpoint::service
