#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "matching/account.hpp"

/// What matching did at every rank, as the columns of the summary's "matching": lists with one
/// value a rank. Large networks have very many ranks, whose rows would take longer than a replay.
class MatchingColumns {
   public:
    /// The next rank's, which stays where it is.
    void append(const kumi::matching::Account& account);

    bool is_empty() const { return x_ranks == 0; }
    nanobind::dict to_dict() const;

   private:
    /// Of one of a rank's queues.
    struct Queue {
        nanobind::list searches;
        nanobind::list searched;
        nanobind::list time_ps;
        nanobind::list deepest;
        nanobind::list depths;
        /// Ranks often did the same as the one before, and share its numbers.
        const kumi::matching::QueueAccount* last = nullptr;
        nanobind::tuple last_depths;

        void append(const kumi::matching::QueueAccount& account);
    };

    std::uint32_t x_ranks = 0;
    nanobind::list x_rank;
    nanobind::list x_time_ps;
    nanobind::list x_unexpected;
    nanobind::list x_payload_time_ps;
    Queue x_posted;
    Queue x_waiting;
};
