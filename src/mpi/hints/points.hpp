#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "endpoint/service/hint_key.hpp"
#include "mpi/code/code_places.hpp"

namespace kumi::mpi::hint_file {

/// Hints that a file of the user's puts at calls of the program: the n-th call of a function, or of
/// one place that calls it, on each rank.
class Points {
   public:
    using Hint = endpoint::service::Hint;

    /// Reads the points of `rank` from what the launcher has written. Each is a line of fields that
    /// are separated by tabs: "before" or "after"; number of the key and value of the hint;
    /// function, in small letters; the call, from 1, and after how many calls it acts again (0:
    /// once); file name or path of the program or library that calls, and there the ranges of its
    /// call instructions, as in "10-1f,30-31" (hexadecimal, the end not included); ranks, as in
    /// "0,3". Empty fields: any place, all ranks. Returns false if the text is not of that form.
    [[nodiscard]] bool read(std::string_view text, std::uint32_t rank);

    bool empty() const { return x_points.empty(); }

    /// `function`, a literal, is called, and will return to `caller`. Passes hints before that to
    /// `pass`; those after it wait for `end_call`.
    template <class Pass>
    void begin_call(const void* caller, const char* function, Pass&& pass) {
        for (const std::size_t number : points_at(caller, function)) {
            Point& point = x_points[number];
            if (!point.counts_to_due()) continue;
            if (point.is_after)
                x_afterwards.push_back(point.hint);
            else
                pass(point.hint);
        }
    }
    template <class Pass>
    void end_call(Pass&& pass) {
        for (const Hint hint : x_afterwards) pass(hint);
        x_afterwards.clear();
    }

    /// Whether there is a point that was never reached.
    bool has_missed() const;
    /// Writes a line for each: its line in the text, from 0, and how many calls there were.
    void write_missed(std::FILE* file) const;

   private:
    struct Point {
        /// One call more: whether that is one at which the hint acts.
        bool counts_to_due() {
            ++calls;
            return calls == call || (every > 0 && calls > call && (calls - call) % every == 0);
        }

        std::size_t line = 0;
        bool is_after = false;
        Hint hint{};
        std::string function;
        std::uint64_t call = 1;
        std::uint64_t every = 0;
        CodeRanges code;
        std::uint64_t calls = 0;
    };
    using Fields = std::vector<std::string_view>;

    static bool read_point(const Fields& fields, Point& point);
    const std::vector<std::size_t>& points_at(const void* caller, const char* function);

    std::vector<Point> x_points;
    std::vector<Hint> x_afterwards;
    std::map<std::pair<const void*, const char*>, std::vector<std::size_t>> x_by_site;
};

}  // namespace kumi::mpi::hint_file
