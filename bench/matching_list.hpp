#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.hpp"

namespace kumi::bench {

/// The matching of a textbook, to which the queue of src/matching is compared: one doubly linked
/// list in order of arrival, walked from the oldest entry. Nodes come from a pool, the node
/// released last first, as in most MPI libraries. An entry's id is its key: below `keys`, and in
/// the list once at most.
template <class Entry>
class MatchingList {
   public:
    explicit MatchingList(std::uint32_t keys)
        : x_pool(std::make_unique<Node[]>(keys)), x_node_of(keys) {
        for (std::uint32_t node = keys; node > 0; --node) release(&x_pool[node - 1]);
    }

    void append(const Entry& entry) {
        KUMI_ASSERT(x_free != nullptr, "the list has a node for each key");
        Node* const node = x_free;
        x_free = node->next;
        *node = {entry, nullptr, x_youngest};
        (x_youngest != nullptr ? x_youngest->next : x_oldest) = node;
        x_youngest = node;
        x_node_of[entry.id] = node;
    }
    /// Takes out the oldest entry that accepts the probe and returns its id. It must be there.
    std::uint32_t take(const typename Entry::Probe& probe) {
        Node* node = x_oldest;
        while (!node->entry.accepts(probe)) node = node->next;
        const std::uint32_t id = node->entry.id;
        remove(node);
        return id;
    }
    /// The same without a walk, for steps that are not measured.
    void take_key(std::uint32_t key) { remove(x_node_of[key]); }

    void clear() {
        while (x_oldest != nullptr) remove(x_oldest);
    }
    /// The keys, oldest first.
    std::vector<std::uint32_t> order() const {
        std::vector<std::uint32_t> keys;
        for (const Node* node = x_oldest; node != nullptr; node = node->next)
            keys.push_back(node->entry.id);
        return keys;
    }

   private:
    struct Node {
        Entry entry;
        Node* next = nullptr;
        Node* previous = nullptr;
    };

    void remove(Node* node) {
        (node->previous != nullptr ? node->previous->next : x_oldest) = node->next;
        (node->next != nullptr ? node->next->previous : x_youngest) = node->previous;
        release(node);
    }
    void release(Node* node) {
        node->next = x_free;
        x_free = node;
    }

    std::unique_ptr<Node[]> x_pool;
    std::vector<Node*> x_node_of;  ///< By key.
    Node* x_free = nullptr;
    Node* x_oldest = nullptr;
    Node* x_youngest = nullptr;
};

}  // namespace kumi::bench
