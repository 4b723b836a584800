#pragma once

#include <new>

namespace kumi {

/// Keeps objects that are not needed any more for the next time: the last one given back comes
/// first, so that few cache lines see many objects. `Entry` has a pointer `next`, which nobody else
/// uses meanwhile. Owns what it keeps; not what it has handed out.
template <class Entry>
class FreeList {
   public:
    FreeList() = default;
    FreeList(const FreeList&) = delete;
    FreeList& operator=(const FreeList&) = delete;
    ~FreeList() {
        while (x_first != nullptr) delete take();
    }

    /// As new: a fresh object.
    Entry* make() { return x_first != nullptr ? new (take()) Entry() : new Entry(); }

    /// As delete, for what `make` has handed out.
    void give_back(Entry* entry) {
        entry->next = x_first;
        x_first = entry;
    }

   private:
    Entry* take() {
        Entry* const first = x_first;
        x_first = first->next;
        return first;
    }

    Entry* x_first = nullptr;
};

}  // namespace kumi
