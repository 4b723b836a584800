#include "schedule/patterns/patterns.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace kumi::schedule {
namespace {

/// The algorithm that comes with a pattern's bare name, where it is not the first one.
constexpr std::pair<const char*, const char*> kDefaults[] = {
    {"alltoall", "alltoall/pairwise"},
    {"allgather", "allgather/ring"},
    {"reduce_scatter", "reduce_scatter/ring"}};

std::string all_names() {
    std::string text;
    for (const std::string& name : Registry<collectives::Pattern>::instance().names()) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

/// Each message is a send and a receive; there may be more operations, but not less. No message has
/// more than a part for each rank.
void check_size(const collectives::Pattern& pattern,
                const collectives::PatternParameters& parameters, std::uint32_t iterations) {
    if (parameters.size_bytes > kMostAmount / parameters.ranks) {
        throw ScheduleError(std::to_string(parameters.size_bytes) + " bytes for each of " +
                            std::to_string(parameters.ranks) +
                            " ranks are too much, at most 2^62 in all will do");
    }
    std::uint64_t operations = 2 * pattern.messages(parameters.ranks);
    if (parameters.compute.ps > 0) operations += parameters.ranks;
    if (__builtin_mul_overflow(operations, iterations, &operations)) operations = UINT64_MAX;
    if (operations <= kMostOperations) return;
    throw ScheduleError("this would be at least " + std::to_string(operations) +
                        " operations, and a schedule has " + std::to_string(kMostOperations) +
                        " at most");
}

}  // namespace

bool PatternOption::is_used_by(const std::string& name_of_pattern) const {
    const std::string pattern = name_of_pattern.substr(0, name_of_pattern.find('/'));
    const auto is_named = [&](const std::string& used) {
        return used == pattern || used == name_of_pattern;
    };
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), is_named);
}

const std::vector<PatternOption>& pattern_options() {
    static const std::vector<PatternOption> options = {
        {"bytes",
         "Size of each message. Of collectives: size of the whole vector (allreduce, broadcast), "
         "of "
         "the block from each rank to each (alltoall) or to all (allgather), or of each rank's "
         "result (reduce_scatter).",
         {}},
        {"root",
         "Rank to which all others send (incast), or that has the data (broadcast).",
         {"broadcast", "incast"}},
        {"distance", "Distance in ranks from each sender to its receiver.", {"shift"}},
        {"seed", "Seed of the random permutation.", {"permutation"}},
        {"dimensions",
         "Lengths of the grid of ranks, whose last coordinate counts fastest (halo, sweep); as "
         "equal as possible by default. Or sides of the torus, whose first coordinate counts "
         "fastest, as in platform files (alltoall/suh_shin); those of the platform if left out in "
         "a replay.",
         {"halo", "sweep", "alltoall/suh_shin"}},
        {"work", "Compute time of each rank before every iteration.", {}},
        {"iterations", "Number of iterations of each rank, one after the other.", {}},
    };
    return options;
}

std::string find_pattern(const std::string& name) {
    const auto& registry = Registry<collectives::Pattern>::instance();
    if (registry.contains(name)) return name;
    for (const auto& [pattern, algorithm] : kDefaults) {
        if (name == pattern) return algorithm;
    }
    for (const std::string& candidate : registry.names()) {
        if (candidate.rfind(name + "/", 0) == 0) return candidate;
    }
    throw ScheduleError("there is no pattern '" + name + "', only " + all_names());
}

std::unique_ptr<collectives::Pattern> make_pattern(const std::string& name,
                                                   const collectives::PatternParameters& parameters,
                                                   std::uint32_t iterations) {
    if (parameters.root >= parameters.ranks) {
        throw ScheduleError("the root is rank " + std::to_string(parameters.root) +
                            ", there are only " + std::to_string(parameters.ranks) + " ranks");
    }
    auto pattern = Registry<collectives::Pattern>::instance().make(find_pattern(name), parameters);
    if (const std::string problem = pattern->problem(); !problem.empty()) {
        throw ScheduleError(problem);
    }
    check_size(*pattern, parameters, iterations);
    return pattern;
}

Schedule generate(const std::string& name, const collectives::PatternParameters& parameters,
                  std::uint32_t iterations, ContentsListener* listener, const StepScheme& scheme) {
    ScheduleBuilder builder(parameters.ranks);
    const auto pattern = make_pattern(name, parameters, iterations);
    for (std::uint32_t rank = 0; rank < parameters.ranks; ++rank) {
        builder.begin_rank(rank);
        ScheduleSink program(builder, listener);
        for (std::uint32_t iteration = 0; iteration < iterations; ++iteration) {
            program.compute(parameters.compute);
            program.next_step();
            if (scheme.scheme == collectives::Scheme::kNone) {
                pattern->write(program);
            } else {
                collectives::SchemedProgram schemed(program, scheme.scheme, scheme.step_begins);
                pattern->write(schemed);
                schemed.finish();
            }
            program.next_step();
        }
    }
    return builder.finish();
}

std::uint32_t ScheduleSink::append(const Operation& operation) {
    // Many after many would take as many dependences as there are pairs: an operation between them
    // that takes no time needs one for each.
    constexpr std::size_t kFew = 2;
    if (x_previous.size() > kFew && x_present.size() == kFew) {
        const std::uint32_t joint = x_builder.add(Operation::compute({}));
        for (const std::uint32_t before : x_previous) x_builder.require(joint, before);
        x_previous = {joint};
    }
    const std::uint32_t index = x_builder.add(operation);
    for (const std::uint32_t before : x_previous) x_builder.require(index, before);
    x_present.push_back(index);
    return index;
}

void ScheduleSink::take_part(const Message& message) {
    const auto make = message.role == Role::kSends ? Operation::send : Operation::receive;
    const std::uint32_t index = append(make(message.size_bytes, message.peer, message.tag));
    if (x_listener != nullptr)
        x_listener->note({rank(), index, x_step, message.blocks, message.role == Role::kAdds});
}

void ScheduleSink::compute(Duration span) {
    if (span.ps > 0) append(Operation::compute(span));
}

/// All of the present step waits for the operation, which waits for all of the step before.
void ScheduleSink::begin_step(const Operation& operation) {
    KUMI_ASSERT(x_present.empty(), "a step has begun already");
    x_previous = {append(operation)};
    x_present.clear();
}

void ScheduleSink::next_step() {
    ++x_step;
    if (x_present.empty()) return;
    x_previous.swap(x_present);
    x_present.clear();
}

}  // namespace kumi::schedule
