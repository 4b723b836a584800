#include "mpi/run_link.hpp"

#include "conductor/port/rank_port.hpp"

namespace kumi::mpi::run_link {
namespace {

constinit RankPort* port = nullptr;

kumi::CallClass conductor_class(CallClass call_class) {
    switch (call_class) {
        case CallClass::kPolling:
            return kumi::CallClass::kPolling;
        case CallClass::kBackground:
            return kumi::CallClass::kBackground;
        case CallClass::kSynchronous:
            return kumi::CallClass::kSynchronous;
        case CallClass::kWindow:
            return kumi::CallClass::kWindow;
        case CallClass::kProbing:
            return kumi::CallClass::kProbe;
        case CallClass::kBlocking:
            break;
    }
    return kumi::CallClass::kBlocking;
}

}  // namespace

bool attach() {
    port = RankPort::attach();
    return port != nullptr;
}

std::uint32_t rank() { return port->rank(); }
std::uint32_t host() { return port->host(); }
double node_flops() { return static_cast<double>(port->configuration().node_flops); }

void join() { port->join(); }
void finish() { port->finish(); }
void enter(CallClass call_class, const CallName& name) {
    port->enter(conductor_class(call_class), name);
}
void leave() { port->leave(); }
std::uint32_t call_number() { return port->call_count(); }
void program_aborts(int code) { port->program_aborts(code); }
void give_way() { port->give_way(); }
void refuse(const char* text) { port->refuse(text); }
void poll_longer() { port->poll_longer(); }
void begin_outside() { port->begin_outside(); }
void end_outside(bool by_rank) { port->end_outside(by_rank); }
bool note_refused(const CallName& name) { return port->note_refused(name); }
void note_unknown_hint(const CallName& key) { port->note_unknown_hint(key); }
void note_asserted(AssertionSet assertions, bool receives, bool sends) {
    port->note_asserted(assertions, receives, sends);
}
void note_broken_assertion(Assertion assertion, const char* function) {
    port->note_broken_assertion(assertion, function);
}

bool classifies_messages() { return port->configuration().classifies_messages; }
bool classifies_communicators() { return port->configuration().classifies_communicators; }

bool records_calls() { return port->records_calls(); }
void log_starts() { port->log({.kind = CallStep::kStarts}); }
void log_needs(std::uint32_t call) { port->log({.kind = CallStep::kNeeds, .request = call}); }
void log_needs_seen() { port->log({.kind = CallStep::kNeedsSeen}); }
void log_guess() { port->log({.kind = CallStep::kGuess}); }

bool counts_work() { return port->configuration().compute_mode == ComputeMode::kCounted; }
void follow_work(const std::uint64_t* millicycles, std::uint64_t flops_per_kilocycle) {
    port->follow({millicycles, flops_per_kilocycle});
}

bool measures_time() { return port->configuration().compute_mode == ComputeMode::kMeasured; }
void measure_from_here() { RankPort::measure_from_here(); }
void note_threads() { port->note_threads(); }
Duration time_of_cpu(std::int64_t cpu_ns) { return port->time_of_cpu(cpu_ns); }
Duration time_of_work(std::uint64_t millicycles) { return port->time_of_work(millicycles); }
CoreShare cores() {
    return {port->configuration().cores_per_host, port->configuration().ranks_per_host};
}

Instant now() { return port->now(); }
Instant peek() { return port->peek(); }
Instant watch() { return port->watch(); }
void keep_in_time() { port->keep_in_time(); }
Instant look_at_clock() { return port->look_at_clock(); }
Instant read_clock() { return port->read_clock(); }
void compute(Duration span) { port->compute(span); }
void sleep(Duration span) { port->sleep(span); }
void note_real_clock(RealClock clock) { port->note_real_clock(clock); }

bool takes_wakes() { return port->takes_wake_frames(); }
Duration wake_lead(std::uint32_t target) { return port->wake_lead(rank(), target); }
Duration wake_lead_between(std::uint32_t source, std::uint32_t target) {
    return port->wake_lead(source, target);
}
Duration shortest_sleep() { return port->shortest_sleep(); }
void wake(std::span<const WakeRequest> requests) { port->wake(requests); }
Duration wake_cost() { return port->wake_cost(); }
void wake_by_timer(std::span<const WakeRequest> requests) { port->wake_by_timer(requests); }
void await_links(Duration span) { port->await_links(span); }
void note_hint(endpoint::service::Hint hint) { port->note_hint(hint); }

bool schedules_collectives() { return port->schedules_collectives(); }
bool schedules_in_kernel_only() { return port->schedules_in_kernel_only(); }
bool is_call_in_kernel(StartMember& member) { return port->is_call_in_kernel(member); }
bool asks_for_connections() { return port->asks_for_connections(); }
void connect(std::span<const std::uint32_t> targets) { port->connect(targets); }
HostGrid host_grid() { return {port->sides_of_hosts(), port->hosts_are_torus()}; }
std::uint32_t host_of(std::uint32_t rank) { return port->host_of(rank); }
StartMember& join_group(std::span<const std::uint32_t> rank_at,
                        std::span<const std::uint32_t> sides) {
    return port->join_group(rank_at, sides);
}
bool await_start(StartMember& member) { return port->await_start(member); }
void wait_after_start(const StartMember& member, Duration after, CollectiveFunction function) {
    port->wait_after_start(member, after, function);
}
Duration idle_time(std::uint32_t source, std::uint32_t target, std::uint64_t size_bytes) {
    return port->idle_time(source, target, size_bytes);
}
std::vector<std::uint32_t> start_targets(const StartMember& member) {
    return port->start_targets(member);
}
std::uint64_t eager_limit_bytes() { return port->eager_limit_bytes(); }
bool wakes_for_steps() { return port->wakes_for_steps(); }
Instant start_of(const StartMember& member) { return member.start; }
Steps find_steps(const StartMember& member, const ScheduleKey& key) {
    const StepInstants* steps = port->find_steps(member, key);
    if (steps == nullptr) return {};
    return {{steps->begins, steps->count}, steps->wake_lead};
}
Steps keep_steps(const StartMember& member, const ScheduleKey& key, std::span<const Duration> times,
                 Duration wake_lead) {
    const StepInstants& steps = port->keep_steps(member, key, times, wake_lead);
    return {{steps.begins, steps.count}, steps.wake_lead};
}
void note_collective(CollectiveFunction function, CollectiveChoice choice, bool begins) {
    port->note_collective(function, choice, begins);
}
Polling::Polling() : x_class_before(static_cast<int>(port->poll_as(kumi::CallClass::kPolling))) {}
Polling::~Polling() { (void)port->poll_as(static_cast<kumi::CallClass>(x_class_before)); }

std::span<const SentMessage> sent_in_call() { return port->sent_in_call(); }
Instant call_begin() { return port->call_begin(); }

}  // namespace kumi::mpi::run_link
