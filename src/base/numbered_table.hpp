#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace kumi::inline base {

/// Objects that others refer to by number.
///
/// Addresses stay. The object given back last is handed out first, so that few cache lines see many
/// objects. Owns all of them, also those that were never given back.
template <class T>
class NumberedTable {
   public:
    NumberedTable() = default;
    NumberedTable(const NumberedTable&) = delete;
    NumberedTable& operator=(const NumberedTable&) = delete;

    /// A fresh object, default-initialised; returns its number.
    std::uint32_t make() {
        if (x_free.empty()) grow();
        const std::uint32_t number = x_free.back();
        x_free.pop_back();
        T& object = (*this)[number];
        std::destroy_at(&object);
        // With its initial values, but nothing else cleared: objects may have room for much.
        ::new (static_cast<void*>(&object)) T;
        return number;
    }
    void give_back(std::uint32_t number) { x_free.push_back(number); }

    T& operator[](std::uint32_t number) { return x_chunks[number / kChunk][number % kChunk]; }

   private:
    static constexpr std::uint32_t kChunk = 64;

    void grow() {
        const auto first = static_cast<std::uint32_t>(x_chunks.size() * kChunk);
        x_chunks.push_back(std::make_unique<T[]>(kChunk));
        x_free.reserve(x_chunks.size() * kChunk);
        for (std::uint32_t i = kChunk; i > 0; --i) x_free.push_back(first + i - 1);
    }

    std::vector<std::unique_ptr<T[]>> x_chunks;
    std::vector<std::uint32_t> x_free;  ///< Numbers of objects, the next one last.
};

}  // namespace kumi::inline base
