#include "schedule/collectives/pattern.hpp"

namespace kumi {
namespace {

/// The algorithm that comes with a pattern's bare name, where it is not the first one.
struct Default {
    const char* pattern;
    const char* name;
};
constexpr Default kDefaults[] = {{"alltoall", "alltoall/pairwise"},
                                 {"allgather", "allgather/ring"},
                                 {"reduce_scatter", "reduce_scatter/ring"}};

std::string all_names() {
    std::string text;
    for (const std::string& name : Registry<Pattern>::instance().names()) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

}  // namespace

std::string find_pattern(const std::string& name) {
    const auto& registry = Registry<Pattern>::instance();
    if (registry.contains(name)) return name;
    for (const Default& choice : kDefaults) {
        if (name == choice.pattern) return choice.name;
    }
    for (const std::string& candidate : registry.names()) {
        if (candidate.rfind(name + "/", 0) == 0) return candidate;
    }
    throw ScheduleError("there is no pattern '" + name + "', only " + all_names());
}

Schedule generate(const std::string& name, const PatternParameters& parameters,
                  std::uint32_t iterations, ContentsListener* listener) {
    ScheduleBuilder builder(parameters.ranks);
    if (parameters.root >= parameters.ranks) {
        throw ScheduleError("the root is rank " + std::to_string(parameters.root) +
                            ", there are only " + std::to_string(parameters.ranks) + " ranks");
    }
    const auto pattern = Registry<Pattern>::instance().make(find_pattern(name), parameters);
    for (std::uint32_t rank = 0; rank < parameters.ranks; ++rank) {
        builder.begin_rank(rank);
        RankProgram program(builder, listener);
        for (std::uint32_t iteration = 0; iteration < iterations; ++iteration) {
            program.compute(parameters.compute);
            program.next_step();
            pattern->write(program);
            program.next_step();
        }
    }
    return builder.finish();
}

}  // namespace kumi
