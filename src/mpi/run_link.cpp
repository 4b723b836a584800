#include "mpi/run_link.hpp"

#include "conductor/port/call_log_port.hpp"
#include "conductor/port/clock_port.hpp"
#include "conductor/port/collective_port.hpp"
#include "conductor/port/hint_port.hpp"
#include "conductor/port/site_port.hpp"
#include "conductor/port/wake_port.hpp"

namespace kumi::mpi::run_link {

using namespace conductor;
namespace {

/// The ports that the shim needs.
struct Ports {
    explicit Ports(RankProcess& process)
        : clock(process),
          hints(process),
          wakes(process),
          calls(process),
          sites(process),
          collectives(process) {}

    ClockPort clock;
    HintPort hints;
    WakePort wakes;
    CallLogPort calls;
    SitePort sites;
    CollectivePort collectives;
};

constinit RankProcess* process = nullptr;
constinit Ports* ports = nullptr;

}  // namespace

bool attach() {
    process = RankProcess::attach();
    if (process != nullptr && ports == nullptr) ports = new Ports(*process);
    return process != nullptr;
}

std::uint32_t rank() { return process->rank(); }
std::uint32_t host() { return process->host(); }
double node_flops() { return static_cast<double>(process->configuration().node_flops); }

void join(bool alone_calls_mpi) { ports->clock.join(alone_calls_mpi); }
void finish() { ports->clock.finish(); }
void enter(CallClass call_class, const CallName& name) { ports->clock.enter(call_class, name); }
void leave() { ports->clock.leave(); }
std::uint32_t call_number() { return process->call_count(); }
void program_aborts(int code) { ports->clock.program_aborts(code); }
void give_way() { ports->clock.give_way(); }
void refuse(const char* text) { process->refuse(text); }
void poll_longer() { ports->clock.poll_longer(); }
void begin_outside() { ports->clock.begin_outside(); }
void end_outside(bool by_rank) { ports->clock.end_outside(by_rank); }
bool note_refused(const CallName& name) { return ports->clock.note_refused(name); }
void note_unknown_hint(const CallName& key) { ports->hints.note_unknown_hint(key); }
void note_asserted(AssertionSet assertions, bool receives, bool sends) {
    ports->hints.note_asserted(assertions, receives, sends);
}
void note_broken_assertion(Assertion assertion, const char* function) {
    ports->hints.note_broken_assertion(assertion, function);
}

bool classifies_messages() { return process->configuration().classifies_messages; }
bool classifies_communicators() { return process->configuration().classifies_communicators; }

bool records_calls() { return ports->calls.records_calls(); }
CallLogPort& call_log() { return ports->calls; }

bool distinguishes_sites() { return ports->sites.distinguishes_sites(); }
std::uint16_t add_site(const CallName& function, std::string_view module, std::uint64_t offset) {
    return ports->sites.add(function, module, offset);
}
void set_site(std::uint16_t site) { ports->sites.set(site); }

bool profiles_calls() { return ports->sites.profiles_calls(); }
std::uint32_t add_profiled(const CallName& function, std::string_view module,
                           std::uint64_t offset) {
    return ports->sites.add_profiled(function, module, offset);
}
void sum_call(std::uint32_t place, std::uint32_t members, bool only_asks) {
    ports->sites.sum_call(place, members, only_asks);
}

bool counts_work() { return process->configuration().compute_mode == ComputeMode::kCounted; }
void follow_work(const std::uint64_t* millicycles, std::uint64_t flops_per_kilocycle) {
    ports->clock.follow({millicycles, flops_per_kilocycle});
}

bool measures_time() { return process->configuration().compute_mode == ComputeMode::kMeasured; }
void measure_from_here() { ClockPort::measure_from_here(); }
void note_threads() { ports->clock.note_threads(); }
Duration time_of_cpu(std::int64_t cpu_ns) { return ports->clock.time_of_cpu(cpu_ns); }
Duration time_of_work(std::uint64_t millicycles) { return ports->clock.time_of_work(millicycles); }
CoreShare cores() {
    return {process->configuration().cores_per_host, process->configuration().ranks_per_host};
}

Instant now() { return ports->clock.now(); }
Instant peek() { return ports->clock.peek(); }
Instant watch() { return ports->clock.watch(); }
void keep_in_time() { ports->clock.keep_in_time(); }
Instant look_at_clock() { return ports->clock.look_at_clock(); }
Instant read_clock() { return ports->clock.read_clock(); }
void compute(Duration span) { ports->clock.compute(span); }
void sleep(Duration span) { ports->clock.sleep(span); }
void note_real_clock(RealClock clock) { ports->clock.note_real_clock(clock); }
void note_exit(int code) { process->note_exit(code); }

bool takes_wakes() { return ports->wakes.takes_wake_frames(); }
Duration wake_lead(std::uint32_t target) { return ports->wakes.wake_lead(rank(), target); }
Duration wake_lead_between(std::uint32_t source, std::uint32_t target) {
    return ports->wakes.wake_lead(source, target);
}
Duration shortest_sleep() { return ports->wakes.shortest_sleep(); }
void wake(std::span<const WakeRequest> requests) { ports->wakes.wake(requests); }
Duration wake_cost() { return ports->wakes.wake_cost(); }
void wake_by_timer(std::span<const WakeRequest> requests) { ports->wakes.wake_by_timer(requests); }
void await_links(Duration span) { ports->wakes.await_links(span); }
void note_hint(endpoint::service::Hint hint) { ports->hints.note_hint(hint); }

bool schedules_collectives() { return ports->collectives.schedules_collectives(); }
CollectivePort& collectives() { return ports->collectives; }
std::uint64_t eager_limit_bytes() { return process->eager_limit_bytes(); }

std::span<const SentMessage> sent_in_call() { return ports->wakes.sent_in_call(); }
Instant call_begin() { return ports->wakes.call_begin(); }

}  // namespace kumi::mpi::run_link
