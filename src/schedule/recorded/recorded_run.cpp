#include "schedule/recorded/recorded_run.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "schedule/schedule_builder.hpp"

namespace kumi::schedule {
namespace {

using conductor::MessageStep;
using conductor::OperationRecord;

MessageStep kind_of(const OperationRecord& step) { return static_cast<MessageStep>(step.kind); }

bool is_control(const OperationRecord& step) {
    return static_cast<conductor::MessageKind>(step.message) == conductor::MessageKind::kControl;
}

[[noreturn]] void fail(std::uint32_t rank, const std::string& what) {
    throw ScheduleError("the record of rank " + std::to_string(rank) + " is damaged: " + what);
}

/// A message as its source has it on record.
struct Sent {
    bool is_there = false;
    bool is_request = false;  ///< The target's network interface takes it.
    std::uint32_t target = 0;
    std::uint32_t tag = 0;
    std::uint64_t size_bytes = 0;
    bool allows_errors = false;
    std::uint64_t ordinal = 0;  ///< If it allows them.
};

/// All messages by source and sequence, each with the tag that distinguishes it from others of its
/// pair.
class SentMessages {
    /// Which of the lists the message is in, and where in that it is, or would be.
    template <class Self>
    static auto place_of(Self& self, std::uint32_t source, std::uint64_t sequence) {
        const bool is_answer = sequence >= conductor::kFirstAnswer;
        auto& lists = is_answer ? self.x_answers : self.x_of_rank;
        return std::pair{&lists[source], is_answer ? sequence - conductor::kFirstAnswer : sequence};
    }

   public:
    SentMessages(std::uint32_t ranks, std::span<const OperationRecord> steps)
        : x_of_rank(ranks), x_answers(ranks) {
        for (const OperationRecord& step : steps) {
            if (step.rank >= ranks || step.peer >= ranks) fail(step.rank, "there is no such rank");
            if (kind_of(step) > MessageStep::kEnd) fail(step.rank, "there is no such step");
            if (kind_of(step) != MessageStep::kSend && kind_of(step) != MessageStep::kAnswer)
                continue;
            const auto [sent, place] = place_of(*this, step.rank, step.sequence);
            // Sequences are dense.
            if (place >= steps.size()) fail(step.rank, "a message has an impossible number");
            if (place >= sent->size()) sent->resize(place + 1);
            if ((*sent)[place].is_there) fail(step.rank, "two messages have the same number");
            if (step.allows_errors != 0 && step.ordinal >= steps.size())
                fail(step.rank, "an approximate message has an impossible number");
            (*sent)[place] = {.is_there = true,
                              .target = step.peer,
                              .size_bytes = step.size_bytes,
                              .allows_errors = step.allows_errors != 0,
                              .ordinal = step.ordinal};
        }
        for (const OperationRecord& step : steps) {
            if (kind_of(step) != MessageStep::kAnswer) continue;
            find(step, step.peer, step.rank, step.request);
            const auto [sent, place] = place_of(*this, step.peer, step.request);
            (*sent)[place].is_request = true;
        }
        for (std::uint32_t source = 0; source < ranks; ++source) {
            if (!number(source)) fail(source, "approximate messages have the same number");
        }
    }

    const Sent& find(const OperationRecord& asker, std::uint32_t source, std::uint32_t target,
                     std::uint64_t sequence) const {
        const auto [sent, place] = place_of(*this, source, sequence);
        if (place >= sent->size() || !(*sent)[place].is_there || (*sent)[place].target != target)
            fail(asker.rank, "it has a message that was not sent");
        return (*sent)[place];
    }

   private:
    /// False if two messages would get the same tag.
    bool number(std::uint32_t source) {
        std::unordered_map<std::uint32_t, std::uint32_t> next_tag;
        std::unordered_set<std::uint64_t> taken;
        const auto visit = [&](bool allow_errors, auto&& visitor) {
            for (std::vector<Sent>* sent : {&x_of_rank[source], &x_answers[source]}) {
                for (Sent& message : *sent) {
                    if (message.is_there && message.allows_errors == allow_errors) visitor(message);
                }
            }
        };
        bool are_different = true;
        visit(true, [&](Sent& message) {
            message.tag = static_cast<std::uint32_t>(message.ordinal);
            are_different &= taken.insert(std::uint64_t{message.target} << 32 | message.tag).second;
            std::uint32_t& next = next_tag[message.target];
            next = std::max(next, message.tag + 1);
        });
        visit(false, [&](Sent& message) { message.tag = next_tag[message.target]++; });
        return are_different;
    }

    std::vector<std::vector<Sent>> x_of_rank;
    std::vector<std::vector<Sent>> x_answers;  ///< Of the ranks' interfaces.
};

/// Writes the operations of one rank.
class RankWriter {
   public:
    RankWriter(ScheduleBuilder& builder, const SentMessages& messages,
               const std::vector<CallName>& functions)
        : x_builder(builder), x_messages(messages), x_functions(functions) {}

    void write(const OperationRecord& step) {
        switch (kind_of(step)) {
            case MessageStep::kSend:
                advance(step, Duration{});
                append(sent_by(step, traits::kBare));
                break;
            case MessageStep::kReceive:
                // A message that was there already ended no wait.
                advance(step, Duration{step.is_awaited != 0 ? step.wait_ps - x_wait_ps : 0});
                append(received_by(step, step.sequence, traits::kBare));
                break;
            case MessageStep::kAnswer:
                return answer(step);
            case MessageStep::kEnd:
                advance(step, Duration{});
                x_has_ended = true;
                break;
        }
        x_clock_ps = step.clock_ps;
        x_compute_ps = step.compute_ps;
        x_wait_ps = step.wait_ps;
        x_slept_ps = step.slept_ps;
    }

    bool has_ended() const { return x_has_ended; }

   private:
    /// What passed since the last step, but for the last `waited` before a message came: the
    /// message itself will take as long again.
    void advance(const OperationRecord& step, Duration waited) {
        const Duration program{step.compute_ps - x_compute_ps};
        const Duration slept{step.slept_ps - x_slept_ps};
        const Duration software = Duration{step.clock_ps - x_clock_ps} - program - slept - waited;
        if (program.ps < 0 || slept.ps < 0 || software.ps < 0 || waited.ps < 0 || x_has_ended) {
            fail(step.rank, "its clock goes backwards");
        }
        append_time(program, 0);
        append_time(slept, traits::kSleep);
        append_time(software, traits::kSoftware);
    }

    void append_time(Duration span, std::uint8_t traits) {
        if (span.ps == 0) return;
        Operation operation = Operation::compute(span);
        operation.traits = traits;
        append(operation);
    }

    Operation sent_by(const OperationRecord& step, std::uint8_t traits) {
        const Sent& message = x_messages.find(step, step.rank, step.peer, step.sequence);
        Operation send = Operation::send(step.size_bytes, step.peer, message.tag);
        send.traits = traits;
        if (is_control(step)) send.traits |= traits::kControl;
        if (message.is_request) send.traits |= traits::kRequest;
        if (step.allows_errors != 0) send.allow_errors(x_builder.content(content_of(step)));
        return send;
    }

    ErrorContent content_of(const OperationRecord& step) const {
        if (step.function >= x_functions.size() || step.order > 2)
            fail(step.rank, "it is not known what an approximate message consists of");
        ErrorContent content{.element = static_cast<Element>(step.element),
                             .protected_bits = step.protected_bits,
                             .function = x_functions[step.function]};
        if (step.order != 0) content.order = static_cast<network::BitOrder>(step.order - 1);
        return content;
    }

    Operation received_by(const OperationRecord& step, std::uint64_t sequence,
                          std::uint8_t traits) const {
        const Sent& message = x_messages.find(step, step.peer, step.rank, sequence);
        Operation receive = Operation::receive(message.size_bytes, step.peer, message.tag);
        receive.traits = traits;
        return receive;
    }

    void append(const Operation& operation) {
        const std::uint32_t added = x_builder.add(operation);
        if (x_has_last) x_builder.require(added, x_last);
        x_last = added;
        x_has_last = true;
    }

    /// The interface waits for no one but the message that it answers.
    void answer(const OperationRecord& step) {
        constexpr std::uint8_t kByInterface = traits::kBare | traits::kInterface;
        const std::uint32_t request = x_builder.add(received_by(step, step.request, kByInterface));
        x_builder.require(x_builder.add(sent_by(step, kByInterface)), request);
    }

    ScheduleBuilder& x_builder;
    const SentMessages& x_messages;
    const std::vector<CallName>& x_functions;
    std::uint32_t x_last = 0;
    bool x_has_last = false, x_has_ended = false;
    std::int64_t x_clock_ps = 0, x_compute_ps = 0, x_wait_ps = 0, x_slept_ps = 0;
};

}  // namespace

Schedule schedule_of_run(std::uint32_t ranks, std::span<const OperationRecord> steps,
                         const std::optional<RecordedErrors>& errors) {
    ScheduleBuilder builder(ranks);
    const std::vector<CallName> functions = errors ? errors->functions : std::vector<CallName>();
    if (errors) builder.allow_errors(errors->protects_exact);
    const SentMessages messages(ranks, steps);
    std::vector<std::vector<std::uint32_t>> of_rank(ranks);
    for (std::uint32_t index = 0; index < steps.size(); ++index) {
        of_rank[steps[index].rank].push_back(index);
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        builder.begin_rank(rank);
        RankWriter writer(builder, messages, functions);
        for (const std::uint32_t index : of_rank[rank]) writer.write(steps[index]);
        if (!writer.has_ended()) {
            throw ScheduleError("the record of rank " + std::to_string(rank) + " has no end");
        }
    }
    return builder.finish();
}

}  // namespace kumi::schedule
