#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/assertions.hpp"
#include "base/call_class.hpp"
#include "base/call_name.hpp"
#include "base/time/real_clock.hpp"
#include "base/time/time.hpp"
#include "conductor/port/wake_request.hpp"
#include "conductor/rank_data/sent_messages.hpp"
#include "endpoint/service/hint_key.hpp"
#include "mpi/core_share.hpp"

namespace kumi::conductor {
class CallLogPort;
class CollectivePort;
}  // namespace kumi::conductor

namespace kumi::mpi {

using kumi::CallClass;

/// All that the shim wants of the run: the one place where it meets the conductor. Tests put a
/// double in its place.
namespace run_link {

/// Makes this process a rank of the run. False if that is impossible. The functions below must only
/// be called after it returned true; see the ports in src/conductor/port for what
/// they do.
bool attach();
std::uint32_t rank();
/// The number of the platform's host that the rank is on.
std::uint32_t host();
/// Floating-point operations per second of virtual time; 0 if the platform does not say.
double node_flops();

void join(bool alone_calls_mpi);
void finish();
void enter(CallClass call_class, const CallName& name);
void leave();
/// Of the outermost call, one of its own.
std::uint32_t call_number();
void program_aborts(int code);
/// In a signal handler.
void give_way();
void refuse(const char* text);
bool note_refused(const CallName& name);
void note_unknown_hint(const CallName& key);
/// A call receives or sends, or both, on a communicator with these assertions.
void note_asserted(AssertionSet assertions, bool receives, bool sends);
/// A call of `function` breaks one.
void note_broken_assertion(Assertion assertion, const char* function);
void poll_longer();
void begin_outside();
void end_outside(bool by_rank);

/// Whether the run wants to know what messages consist of.
bool classifies_messages();
/// Whether the run wants to know in which communicator.
bool classifies_communicators();

/// Whether what the rank asks for is put on record; the port is only for then.
bool records_calls();
conductor::CallLogPort& call_log();

/// Whether the run wants to know at which places the program calls MPI; the rest is only for then.
bool distinguishes_sites();
/// Returns the number of a place at which the rank has not called before; 0 if there is no room.
std::uint16_t add_site(const CallName& function, std::string_view module, std::uint64_t offset);
/// The outermost call, which has begun, is one of this place.
void set_site(std::uint16_t site);

/// Whether calls are profiled; the rest is only for then.
bool profiles_calls();
/// Returns the number, in the profile, of a place at which the rank has not called before.
std::uint32_t add_profiled(const CallName& function, std::string_view module, std::uint64_t offset);
/// The outermost call, at that place, is about to end. `members` are those of the communicator that
/// it names; 0 if it names none.
void sum_call(std::uint32_t place, std::uint32_t members, bool only_asks);

/// Whether time is what the program counts; then each thread that becomes the rank's says where.
bool counts_work();
/// The calling thread counts in `millicycles`, thousandths of a cycle of a processor that does
/// `flops_per_kilocycle` floating-point operations in a thousand cycles.
void follow_work(const std::uint64_t* millicycles, std::uint64_t flops_per_kilocycle);

/// Whether time is what the processor needs; then each thread that becomes the rank's says when.
bool measures_time();
void measure_from_here();
/// The program makes its first thread: the process's CPU time is not the rank's any more.
void note_threads();
/// CPU time and counted work of any thread, as virtual time.
Duration time_of_cpu(std::int64_t cpu_ns);
Duration time_of_work(std::uint64_t millicycles);
/// The cores for the threads of a rank.
CoreShare cores();

/// The clock as it stands. For the rank's thread, outside MPI.
Instant now();
/// The clock as far as it is known. For the MPI library itself.
Instant peek();
/// The same for other threads, which from now on see a clock that is where the rank is.
Instant watch();
/// The rank does not run ahead of its clock any more.
void keep_in_time();
/// The clock with all that the calling thread, which is the rank's, has computed until now.
Instant look_at_clock();
Instant read_clock();
void compute(Duration span);
void sleep(Duration span);
using kumi::RealClock;
/// The program reads, or may read, a clock that shows real time.
void note_real_clock(RealClock clock);
/// The calling process calls exit(). Only after it has attached.
void note_exit(int code);

/// Whether the run's links take wake frames.
bool takes_wakes();
/// How long before data must leave for world rank `target` its wake frame must leave, so that every
/// sleeping link of the path is awake when the data reaches it.
Duration wake_lead(std::uint32_t target);
Duration wake_lead_between(std::uint32_t source, std::uint32_t target);
/// Links that are idle for no longer save nothing by sleeping. Only if they take wake frames.
Duration shortest_sleep();
using kumi::conductor::WakeRequest;
/// Sends wake frames, each `delay` from now (a timer of the network interface: the rank goes on at
/// once). Woken links stay on until `messages` have crossed them, or until data that were to leave
/// `wake_lead` after the frame are late by `hold`. Costs one ring of the doorbell.
void wake(std::span<const conductor::WakeRequest> requests);
/// What that costs.
Duration wake_cost();
/// As `wake`, of frames that the interface has got before: they cost nothing.
void wake_by_timer(std::span<const conductor::WakeRequest> requests);
/// The rank waits until links that it has asked for are awake.
void await_links(Duration span);

/// The program passes a possible hint to its service. For any thread that may call MPI.
void note_hint(endpoint::service::Hint hint);

/// Whether collective calls may be scheduled. The rest about them is only for then, within MPI
/// calls in virtual time.
bool schedules_collectives();
conductor::CollectivePort& collectives();
/// Larger messages are asked for by their targets.
std::uint64_t eager_limit_bytes();

using kumi::conductor::SentMessage;
/// What this rank has sent since the outermost MPI call began: one entry for each target, in order
/// of the first message to it.
std::span<const conductor::SentMessage> sent_in_call();
/// When the present, or else the last, outermost call began.
Instant call_begin();

}  // namespace run_link
}  // namespace kumi::mpi
