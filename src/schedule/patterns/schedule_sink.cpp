#include "schedule/patterns/schedule_sink.hpp"

#include "base/check.hpp"

namespace kumi::schedule {

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

void ScheduleSink::add(const Operation& operation, std::span<const collectives::BlockId> blocks,
                       bool adds) {
    const std::uint32_t index = append(operation);
    if (x_listener != nullptr) x_listener->note({rank(), index, x_step, blocks, adds});
}

void ScheduleSink::send(std::uint32_t target, std::uint64_t size_bytes,
                        std::span<const collectives::BlockId> blocks, std::uint32_t tag) {
    add(Operation::send(size_bytes, target, tag), blocks, false);
}

void ScheduleSink::receive(std::uint32_t source, std::uint64_t size_bytes,
                           std::span<const collectives::BlockId> blocks, std::uint32_t tag) {
    add(Operation::receive(size_bytes, source, tag), blocks, false);
}

void ScheduleSink::receive_and_add(std::uint32_t source, std::uint64_t size_bytes,
                                   std::span<const collectives::BlockId> blocks,
                                   std::uint32_t tag) {
    add(Operation::receive(size_bytes, source, tag), blocks, true);
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
