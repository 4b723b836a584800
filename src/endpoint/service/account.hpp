#pragma once

#include <cstdint>
#include <span>

#include "base/time/time.hpp"
#include "endpoint/service/hint_key.hpp"
#include "endpoint/service/parameters.hpp"

namespace kumi::endpoint::service {

/// What one rank has with another one.
enum class Relation : std::uint8_t {
    kNone = 0,
    kRefused = 1,   ///< A connection would have been asked for, but cap or budget forbade it.
    kAsked = 2,     ///< There is a connection, which this rank has asked for.
    kAccepted = 3,  ///< There is a connection, which the other rank has asked for.
};

/// One rank as another one sees it.
struct Peer {
    Instant ready{};             ///< When the connection can be used, if there is one.
    std::uint64_t messages = 0;  ///< Messages that were sent to it.
    std::uint64_t packets = 0;   ///< Datagrams that their payloads take, however they were sent.
    Instant used{};              ///< The connection, the last time.
    /// How many connections between the two have been closed, as far as this rank knows: a message
    /// or notice with a smaller number is of one that is closed already.
    std::uint32_t generation = 0;
    std::uint32_t used_in = 0;  ///< Account::region at that time.
    Relation relation = Relation::kNone;
    bool was_refused = false;

    bool is_connected() const { return relation >= Relation::kAsked; }
};

/// The memory of a rank, by what it is for.
struct Memory {
    std::uint64_t base_bytes = 0;
    std::uint64_t connection_bytes = 0;
    std::uint64_t eager_buffer_bytes = 0;
    std::uint64_t pool_bytes = 0;

    std::uint64_t total_bytes() const {
        return base_bytes + connection_bytes + eager_buffer_bytes + pool_bytes;
    }
};

/// What one rank has with all others, and what it has done. Plain data.
struct Account {
    Peer* peers = nullptr;            ///< By rank, if it has sent or received anything.
    std::uint64_t asked = 0;          ///< Connections.
    std::uint64_t accepted = 0;       ///< Connections.
    std::uint64_t closed = 0;         ///< Of both, by this rank or by the peer.
    std::uint64_t closings = 0;       ///< By this rank: the notices that it has sent.
    std::uint64_t most = 0;           ///< Connections at one time.
    Memory largest{};                 ///< At one time; see note_memory.
    std::uint64_t refused = 0;        ///< Peers, at least once.
    std::uint64_t by_connection = 0;  ///< Messages sent.
    std::uint64_t by_datagrams = 0;   ///< Messages sent.
    std::uint64_t packets = 0;        ///< Datagrams sent.
    /// Memory above which the rank asks for no more, of its hint: the smaller one of that and the
    /// platform's counts.
    std::uint64_t budget_bytes = ~std::uint64_t{0};
    std::uint64_t eager_bytes = 0;     ///< The largest limit of eager messages of its hints.
    bool is_init_done = false;         ///< The cap binds no more.
    std::uint32_t kernel_depth = 0;    ///< Regions with IN_KERNEL in which the rank is.
    std::uint32_t region = 0;          ///< How many of the outermost have begun.
    std::uint64_t idle = 0;            ///< Connections that were not used since the last began.
    std::uint32_t repeated_depth = 0;  ///< The same with REPEATED.
    // Ends of regions that had not begun.
    std::uint32_t kernel_unbegun = 0;
    std::uint32_t repeated_unbegun = 0;

    std::uint64_t connections() const { return asked + accepted - closed; }
    /// Grows whenever a connection is made, refused or closed.
    std::uint64_t steps() const { return asked + accepted + refused + closed; }
};

/// What the rank's memory consists of.
Memory memory_of(const Parameters& parameters, const Account& account);

/// Keeps the rank's memory in mind if it was never larger. To be called at the beginning, and
/// whenever it may have changed.
void note_memory(const Parameters& parameters, Account& account);

/// Asks for a connection at `now`. Returns false, and counts the peer as refused, if cap or budget
/// forbid it. Not if there is a connection.
bool ask(const Parameters& parameters, Account& account, Peer& peer, Instant now);

/// The program passes a possible hint. Regions may be nested; an end without a beginning is counted
/// and changes nothing else.
void take_hint(Account& account, Hint hint);

/// What a rank sends to another one in a whole run.
struct Traffic {
    std::uint32_t target = 0;
    std::uint64_t packets = 0;  ///< Datagrams that the payloads of its messages take.
};

/// Puts the targets that an oracle connects first in front: those with most packets, then those
/// with the smallest numbers.
void rank_by_need(std::span<Traffic> traffic);

/// As `ask`, before the run begins: the connection can be used from the start.
bool ask_ahead(const Parameters& parameters, Account& account, Peer& peer);

/// A message has come by a connection of this generation: there is one, for this rank, too. It is
/// never refused, because the peer has decided. Nothing happens if that connection is closed.
void accept(Account& account, Peer& peer, Instant now, std::uint32_t generation);

/// The rank has used the connection to the peer.
void note_use(Account& account, Peer& peer, Instant now);

/// For a service that closes connections: how many the rank has to close before it asks for one
/// to the peer; 0 if it has room, or may not close as many. It may close those that are idle.
std::uint64_t closings_needed(const Parameters& parameters, const Account& account);

/// Whether the rank rather closes its connection to the one than to the other, which it may close.
/// Numbers are those of ranks.
inline bool is_less_valuable(const Account& account, const Peer& one, std::uint32_t one_number,
                             const Peer* other, std::uint32_t other_number) {
    if (!one.is_connected() || one.used_in == account.region) return false;
    if (other == nullptr || one.used != other->used)
        return other == nullptr || one.used < other->used;
    return one_number < other_number;
}

/// The rank closes its connection to the peer, and has its memory back. Returns the generation of
/// the connection, which the peer is to be told.
std::uint32_t close(Account& account, Peer& peer);

/// The peer has reported that it closed a connection of this generation.
void hear_closing(Account& account, Peer& peer, std::uint32_t generation);

}  // namespace kumi::endpoint::service
