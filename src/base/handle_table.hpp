#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "base/check.hpp"

namespace kumi::inline base {

/// Objects that others refer to by number, and peers by a handle that they send back: a number with
/// the object's generation, which distinguishes a late or repeated answer from an awaited one.
///
/// Addresses stay. The object given back last is handed out first, so that few cache lines see many
/// objects. Owns all of them, also those that were never given back.
template <class T>
class HandleTable {
   public:
    /// As 0 is no object's handle, it may stand for none.
    using Handle = std::uint64_t;

    /// Handles of tables with other `epoch`s are not valid in this one, until an object of either
    /// has been used anew a million times.
    explicit HandleTable(std::uint32_t epoch = 0) : x_first_generation(epoch << 20) {}
    HandleTable(const HandleTable&) = delete;
    HandleTable& operator=(const HandleTable&) = delete;

    /// A fresh object, default-initialised; returns its number.
    std::uint32_t make() {
        if (x_free.empty()) grow();
        const std::uint32_t number = x_free.back();
        x_free.pop_back();
        Place& place = at_place(number);
        std::destroy_at(&place.object);
        // With its initial values, but nothing else cleared: objects may have room for much.
        ::new (static_cast<void*>(&place.object)) T;
        ++place.generation;  // odd: in use
        return number;
    }
    void give_back(std::uint32_t number) {
        ++at_place(number).generation;
        x_free.push_back(number);
    }

    T& operator[](std::uint32_t number) { return at_place(number).object; }

    Handle handle(std::uint32_t number) {
        return Handle{at_place(number).generation} << 32 | number;
    }
    /// Whether the object to which the handle was given is still in use.
    bool is_valid(Handle handle) {
        const auto number = static_cast<std::uint32_t>(handle);
        return number < x_chunks.size() * kChunk &&
               at_place(number).generation == static_cast<std::uint32_t>(handle >> 32) &&
               at_place(number).generation % 2 == 1;
    }
    /// The number of the object with this handle, which must be valid.
    std::uint32_t number_of(Handle handle) {
        KUMI_ASSERT(is_valid(handle), "an answer to a request that is not outstanding");
        return static_cast<std::uint32_t>(handle);
    }

   private:
    static constexpr std::uint32_t kChunk = 64;

    struct Place {
        T object{};
        std::uint32_t generation = 0;
    };

    Place& at_place(std::uint32_t number) { return x_chunks[number / kChunk][number % kChunk]; }

    void grow() {
        const auto first = static_cast<std::uint32_t>(x_chunks.size() * kChunk);
        x_chunks.push_back(std::make_unique<Place[]>(kChunk));
        for (std::uint32_t i = 0; i < kChunk; ++i)
            x_chunks.back()[i].generation = x_first_generation;
        x_free.reserve(x_chunks.size() * kChunk);
        for (std::uint32_t i = kChunk; i > 0; --i) x_free.push_back(first + i - 1);
    }

    const std::uint32_t x_first_generation;
    std::vector<std::unique_ptr<Place[]>> x_chunks;
    std::vector<std::uint32_t> x_free;  ///< Numbers of objects, the next one last.
};

}  // namespace kumi::inline base
