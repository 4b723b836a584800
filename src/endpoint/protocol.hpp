#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "endpoint/driver.hpp"
#include "endpoint/endpoint.hpp"
#include "endpoint/parameters.hpp"
#include "matching/search.hpp"

namespace kumi::endpoint {

/// What endpoints have in common.
struct Surroundings {
    const Parameters& parameters;
    Arena& memory;  ///< Of the queues.
    Requests& requests;
};

/// The protocol between MPI libraries: what happens to an endpoint at one instant, without
/// input or output.
///
/// Up to the eager limit a message travels with its envelope. A larger one announces itself
/// (request to send); when its receive is matched, the receiver's network interface fetches the
/// payload from the sender's, without the sender's CPU, and notifies it that its buffer is free.
/// Where the interface matches (Endpoint::by_interface), all that happens is what happens to the
/// interface, whose driver it is; but `take` and `cancel` are the rank's.
///
/// Lives as long as one call of a function, in which the caller has the endpoint to itself.
class Protocol {
   public:
    Protocol(const Surroundings& surroundings, Endpoint& endpoint, Driver& driver)
        : x_parameters(surroundings.parameters),
          x_memory(surroundings.memory),
          x_requests(surroundings.requests),
          x_endpoint(endpoint),
          x_driver(driver) {}

    /// Where the interface matches: the rank takes a request that was delivered.
    void take(std::uint32_t request);
    /// A receive: gets a message that is there already, or is posted.
    void post(std::uint32_t request);
    /// A message has arrived and is looked at.
    void arrived(const Arrival& arrival);
    /// Looks for a message that has arrived and waits for no receive; the search's id is the
    /// message. With `takes_out`, it is only for `receive_taken_out`. `site`: of who looks.
    matching::Search look(const matching::Pattern& pattern, bool tagged, bool takes_out,
                          std::uint16_t site = 0);
    /// A receive gets a message that was taken out.
    void receive_taken_out(std::uint32_t request, std::uint32_t message);
    /// A receive that is posted is so no longer, and complete. False if it is not.
    bool cancel(std::uint32_t request);
    /// Gives up all receives that are posted and all messages that wait for one. Nothing is
    /// complete by that.
    void forget();

   private:
    matching::PostedQueue& posted(bool tagged) { return x_endpoint.posted[tagged ? 1 : 0]; }
    matching::UnexpectedQueue& unexpected(bool tagged) {
        return x_endpoint.unexpected[tagged ? 1 : 0];
    }
    matching::Counting counting() const { return x_parameters.matching.counting(); }
    /// Matching takes `span`, of the rank's processor or its interface. That may have to do other
    /// things first, also for nothing.
    void charge_matching(Duration span) {
        if (span.ps > 0 || x_endpoint.by_interface) x_driver.charge(span);
    }
    /// The same for a search of a queue that had `depth` entries, for a receive of this site.
    void charge_search(matching::QueueAccount& account, std::uint64_t depth,
                       const matching::Search& search, Duration span, std::uint16_t site) {
        if (x_endpoint.keeps_account) account.note(depth, search, span);
        note_site(site, span);
        charge_matching(span);
    }
    void note_site(std::uint16_t site, Duration span) {
        if (x_endpoint.sites != nullptr)
            x_endpoint.sites->spent[site % matching::SiteAccount::kSites] += span;
    }
    /// A queue has become longer or shorter.
    void note_depths() {
        if (x_endpoint.depths == nullptr) return;
        x_endpoint.depths->note(x_driver.now(), {posted(true).size(), unexpected(true).size()});
    }
    /// Whether a message of this size goes into the receive.
    bool has_room(const Request& receive, std::uint64_t size_bytes) const {
        return !receive.is_multi || receive.used_bytes + size_bytes <= receive.capacity_bytes;
    }
    /// Whether the receive has got a message that was there.
    bool take_unexpected(std::uint32_t request);
    void envelope_arrived(const Arrival& arrival);
    void payload_arrived(const Arrival& arrival);
    void answer_arrived(const Arrival& arrival);
    void match(std::uint32_t request, const Arrival& arrival);
    /// The next part of a receive that takes several messages.
    std::uint32_t part_of(std::uint32_t request, std::uint64_t size_bytes);
    /// `head`: of what has brought the payload.
    void complete_receive(std::uint32_t request, const Head& head);
    void deliver(std::uint32_t request, Delivery kind);
    /// Puts together what has come by datagrams.
    void collect_datagrams(const Head& head);

    const Parameters& x_parameters;
    Arena& x_memory;
    Requests& x_requests;
    Endpoint& x_endpoint;
    Driver& x_driver;
};

}  // namespace kumi::endpoint
