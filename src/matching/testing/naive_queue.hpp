#pragma once

#include <cstdint>
#include <vector>

#include "matching/queue.hpp"

namespace kumi::matching {

/// MPI's rules of matching as a plain list says them: the oldest entry that accepts the probe.
template <class Entry>
class NaiveQueue {
   public:
    using Probe = typename Entry::Probe;

    void append(const Entry& entry) { x_entries.push_back(entry); }

    template <class Allows>
    Search find(const Probe& probe, Allows&& allows) const {
        std::uint64_t searched = 0;
        for (const Entry& entry : x_entries) {
            ++searched;
            if (entry.accepts(probe) && allows(entry)) return {entry.id, true, searched};
        }
        return {0, false, searched};
    }
    bool remove(std::uint32_t id) {
        return std::erase_if(x_entries, [id](const Entry& entry) { return entry.id == id; }) > 0;
    }
    const std::vector<Entry>& entries() const { return x_entries; }

   private:
    std::vector<Entry> x_entries;
};

}  // namespace kumi::matching
