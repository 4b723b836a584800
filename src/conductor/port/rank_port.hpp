#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "conductor/logs/call_log.hpp"
#include "conductor/pairing/running_ahead.hpp"
#include "conductor/port/compute_forecast.hpp"
#include "conductor/port/wake_request.hpp"
#include "conductor/segment/state.hpp"

namespace kumi {

/// Where a thread of the program counts what it computes.
struct WorkCounter {
    /// Thousandths of a clock cycle; only grows.
    const std::uint64_t* millicycles = nullptr;
    /// What the node's speed (flop/s) means in cycles: the machine for which the compiler counted
    /// does so many floating-point operations in a thousand cycles.
    std::uint64_t flops_per_kilocycle = 0;
};

/// One rank process's end of the conductor.
///
/// The PMPI shim tells it where MPI calls begin and end; the transport sends and takes messages
/// through it. Both libraries of a rank have a port of their own: all that matters lies in the
/// segment. Not for several threads at once (MPI_THREAD_SERIALIZED at most).
class RankPort {
   public:
    /// This process's port; nullptr if it is no rank of a run (no KUMI_SEGMENT in the environment,
    /// or no PMI_RANK / OMPI_COMM_WORLD_RANK), if another process is this rank already, or in a
    /// child of a rank. May be called any number of times; cheap.
    static RankPort* attach();

    std::uint32_t rank() const { return x_rank; }
    /// The platform's, on which the rank is.
    std::uint32_t host() const { return x_slot->host; }
    std::uint32_t rank_count() const { return x_state->rank_count(); }
    const RunConfiguration& configuration() const { return x_state->configuration; }
    /// Larger messages of this rank go by rendezvous: the run's limit, or more by its hint.
    std::uint64_t eager_limit_bytes() const { return x_slot->eager_limit_bytes; }
    bool in_virtual_time() const {
        return x_state->phase.load(std::memory_order_relaxed) == Phase::kVirtual &&
               x_slot->status.load(std::memory_order_relaxed) >= RankStatus::kRunnable;
    }

    /// No signal handler makes the process give way for as long as this lives.
    class Undisturbed {
       public:
        explicit Undisturbed(RankPort& port) : x_slot(*port.x_slot) {
            ++x_slot.visits;
            std::atomic_signal_fence(std::memory_order_seq_cst);
        }
        ~Undisturbed() {
            std::atomic_signal_fence(std::memory_order_seq_cst);
            --x_slot.visits;
        }
        Undisturbed(const Undisturbed&) = delete;
        Undisturbed& operator=(const Undisturbed&) = delete;

       private:
        RankSlot& x_slot;
    };

    /// The process is not away for as long as this lives: for all that concerns the run and may be
    /// done outside of an MPI call.
    class Visit {
       public:
        explicit Visit(RankPort& port)
            : x_undisturbed(port), x_port(port), x_was_away(port.x_slot->is_away) {
            if (x_was_away) x_port.begin_visit();
        }
        ~Visit() {
            if (x_was_away) x_port.end_visit();
        }
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;

       private:
        const Undisturbed x_undisturbed;
        RankPort& x_port;
        const bool x_was_away;
    };

    // ---- For the PMPI shim ----

    /// The outermost MPI call `name` begins. Charges the compute time since the last one ended;
    /// a polling call first lets all ranks with smaller clocks run. Ends the run at its limit.
    void enter(CallClass call_class, const CallName& name);
    /// The outermost MPI call ends. A polling call pays the poll cost here.
    void leave();
    /// At the end of MPI_Init: returns when all ranks are here; virtual time begins.
    void join();
    /// At the start of MPI_Finalize: returns when all ranks are here and nothing is on its way.
    void finish();
    /// MPI_Abort was called: the run ends with the program's own code, when all other ranks have
    /// come to this rank's clock, or when the launcher does not wait for them any longer.
    void program_aborts(int code);
    /// The process has computed for long, as a signal says: others go on meanwhile. Does nothing
    /// where the process is inside of this port.
    void give_way();
    /// The program asked for what cannot be done here; ends the run with `text`. Returns only
    /// before the launcher has acted.
    void refuse(const char* text);
    /// The program called `name`, which cannot be had here, and gets an error. Returns whether that
    /// is the first time in the run.
    bool note_refused(const CallName& name) { return x_state->refused.add(name); }
    /// The program passed a hint whose key is not known.
    void note_unknown_hint(const CallName& key) {
        const Visit visit(*this);
        x_state->unknown_hints.add(key);
    }
    /// A call receives or sends, or both, on a communicator with these assertions.
    void note_asserted(AssertionSet assertions, bool receives, bool sends) {
        for (std::size_t i = 0; i < kAssertions; ++i) {
            if (!assertions.has(static_cast<Assertion>(i))) continue;
            x_slot->asserted[i].receives += receives ? 1 : 0;
            x_slot->asserted[i].messages += sends ? 1 : 0;
        }
    }
    /// A call of `function` breaks one, or has received what does.
    void note_broken_assertion(Assertion assertion, const char* function);
    /// The MPI library has started something that takes several polls without a message.
    void poll_longer() { x_slot->polls_longer = true; }
    /// The program has started a request that something outside of MPI will complete, or has
    /// completed one: the rank's thread itself, or another one. See outside.hpp.
    void begin_outside();
    void end_outside(bool by_rank);

    /// The rank's clock as it stands, without what was computed since it was moved last.
    Instant now() {
        const Visit visit(*this);
        synchronise();
        return x_slot->clock;
    }
    /// The clock as far as it is known: for whom that is good enough, and inside MPI.
    Instant peek() const { return x_slot->clock; }
    /// The same for other threads than the rank's. They would notice if the rank were ahead of its
    /// clock: it stays in time from now on.
    Instant watch() {
        keep_in_time();
        return x_slot->clock;
    }
    /// The process does not run ahead of the rank's clock any more, once it is synchronised. From
    /// any thread.
    void keep_in_time() { kumi::keep_in_time(*x_slot); }
    /// The rank's clock, moved on by what was computed until now. For the thread that computes.
    Instant look_at_clock();
    /// Reads the clock as the program does: pays the cost of a reading, so that a loop that only
    /// looks at the clock makes time go on.
    Instant read_clock();
    /// The program has read, or may have read, a clock that shows real time. From any thread.
    void note_real_clock(RealClock clock) {
        x_slot->real_clocks.fetch_or(static_cast<std::uint32_t>(clock), std::memory_order_relaxed);
    }
    /// From now on the calling thread's work is the rank's; `counter` is where it counts it. What
    /// it has counted so far is past. For ComputeMode::kCounted.
    void follow(const WorkCounter& counter);
    /// The calling thread is the rank's from now on: what it has computed so far is past. For
    /// ComputeMode::kMeasured.
    static void measure_from_here();
    /// The process has threads that compute, from now on: its CPU time is not the rank's.
    void note_threads() {
        x_is_alone.store(false);
        hide_cpu_progress();
    }
    /// CPU time and counted work of any thread, as virtual time.
    Duration time_of_cpu(std::int64_t cpu_ns) const;
    Duration time_of_work(std::uint64_t millicycles) const;
    /// Time in which the rank computes. Always counts, whatever the compute mode.
    void compute(Duration span);
    /// Time in which the rank sleeps: it waits.
    void sleep(Duration span);

    // ---- For whoever wakes links in advance ----

    /// Whether wake frames do anything in this run.
    bool takes_wake_frames() const { return x_state->network->takes_wake_frames(); }
    /// See Network::wake_lead.
    Duration wake_lead(std::uint32_t source, std::uint32_t target) {
        const Visit visit(*this);
        return x_state->network->wake_lead(x_state->slot(source).host, x_state->slot(target).host);
    }
    /// Links that are idle for no longer save nothing by sleeping. Only if they take wake frames.
    Duration shortest_sleep() const { return x_state->network->power()->shortest_announced_idle(); }
    /// The interface sends wake frames: all that are asked for at once cost the rank the time of
    /// ringing its doorbell once. Does nothing outside virtual time, or if links take no wake
    /// frames.
    void wake(std::span<const WakeRequest> requests);
    /// What that costs.
    Duration wake_cost() const { return configuration().wake_cost; }
    /// The same for frames that the interface has got before, with timers: it costs nothing.
    void wake_by_timer(std::span<const WakeRequest> requests);
    /// The rank waits until links that it has asked for are awake.
    void await_links(Duration span) {
        synchronise();
        idle(span);
    }
    /// What the rank has sent since its present, or last, MPI call began. Empty if links take no
    /// wake frames and calls are not profiled.
    std::span<const SentMessage> sent_in_call() const {
        return x_slot->sent == nullptr ? std::span<const SentMessage>() : x_slot->sent->all();
    }
    /// When that call began.
    Instant call_begin() const { return x_slot->call_begin; }

    // ---- For hints ----

    /// The program passes a hint that is possible. Acts at its place among what the rank does. Does
    /// nothing outside virtual time.
    void note_hint(endpoint::service::Hint hint);

    // ---- For records of calls: see call_log.hpp ----

    /// Whether what the rank asks for is put on record; the rest is only for then.
    bool records_calls() const { return x_state->recorder.records_calls() && in_virtual_time(); }
    /// Returns the number of the send or the receive, from 1.
    std::uint32_t log_request(const LoggedCall& call);
    void log(const LoggedCall& call);
    /// The rank does what cannot be recorded: ends the run. Returns only before the launcher has
    /// acted.
    void refuse_record(const char* what);

    // ---- For scheduled collectives ----

    /// Whether there are any; the rest is only for then, and within MPI calls in virtual time.
    bool schedules_collectives() const { return x_state->collectives != nullptr; }
    /// Of the grid of the platform's hosts; see CollectiveSettings.
    std::span<const std::uint32_t> sides_of_hosts() const {
        return {x_state->collectives->sides, x_state->collectives->dimensions};
    }
    bool hosts_are_torus() const { return x_state->collectives->is_torus; }
    std::uint32_t host_of(std::uint32_t rank) const { return x_state->ranks[rank].host; }
    /// This rank among others with which it starts: see Collectives::group_of.
    StartMember& join_group(std::span<const std::uint32_t> rank_at,
                            std::span<const std::uint32_t> sides);
    /// To which ranks this one sends packets of a common start.
    std::vector<std::uint32_t> start_targets(const StartMember& member) const;
    /// Waits for the common start of the group. False: the MPI library should get on first, as it
    /// may have something to answer; then this is to be called again.
    [[nodiscard]] bool await_start(StartMember& member);
    /// Waits until a time after the last common start, for a step of the function.
    void wait_after_start(const StartMember& member, Duration after, CollectiveFunction function);
    /// What a message takes at most if nothing else is under way: also with the bits that errors
    /// make links add, and with datagrams where all messages go by them.
    Duration idle_time(std::uint32_t source, std::uint32_t target, std::uint64_t size_bytes) const;
    /// Whether schedules wake the links that their steps need.
    bool wakes_for_steps() const {
        return takes_wake_frames() && x_state->collectives->wakes_for_steps;
    }
    /// Whether only calls in regions with the hint IN_KERNEL are scheduled.
    bool schedules_in_kernel_only() const { return x_state->collectives->in_kernel_only; }
    /// Whether the program is in such a region, at its next call on the group's ranks. It ends the
    /// run as refused if another rank was not, or was, at that call.
    bool is_call_in_kernel(StartMember& member);
    /// Asks for the connections that messages to `targets` need, as far as the rank's service
    /// wants them, and waits until they can be used, if messages would wait for them.
    void connect(std::span<const std::uint32_t> targets);
    /// Whether that may do anything.
    bool asks_for_connections() const;
    /// When the steps of an operation of the group begin after the common start: nullptr if that is
    /// not known yet. O(number of other keys).
    const StepInstants* find_steps(const StartMember& member, const ScheduleKey& key) const;
    /// It is known now: the steps last for so long. To each the user's guard is added.
    const StepInstants& keep_steps(const StartMember& member, const ScheduleKey& key,
                                   std::span<const Duration> times, Duration wake_lead);
    /// A call that may be scheduled begins or ends, at its place among what the rank does.
    void note_collective(CollectiveFunction function, CollectiveChoice choice, bool begins);
    /// The MPI library polls from now on as in a call of this class. Returns the class before.
    CallClass poll_as(CallClass call_class) {
        return std::exchange(x_slot->call_class, call_class);
    }

    // ---- For the transport ----

    /// Returns when all that the process has asked for has been carried out: the rank's clock is
    /// where the process is. To be called before anything that depends on a time, or on what has
    /// arrived.
    void synchronise() {
        if (!is_synchronised()) wait_for_clock();
    }

    CallClass call_class() const { return x_slot->call_class; }
    bool polls_longer() const { return x_slot->polls_longer; }
    std::uint32_t call_count() const { return x_slot->call_count; }
    /// Spends time, of the program or inside the MPI library: no more than `kEndOfTime` at once.
    void spend(Duration span) {
        if (!in_virtual_time()) return;
        if (!is_synchronised() && !x_slot->stream.has_time_for(span)) synchronise();
        if (!is_synchronised()) return x_slot->stream.spend(span);
        x_slot->clock += span;
        if (x_slot->clock > configuration().time_limit) stop_at_limit();
    }
    /// A message to fill in, with room for `payload_bytes`. Its source is this rank.
    std::uint32_t prepare(std::uint32_t target, MessageKind kind, std::uint64_t payload_bytes);
    Message& message(std::uint32_t index) { return x_state->messages.at(index); }
    /// Sends a prepared message at the rank's present clock. `is_request`: for data that its target
    /// will fetch.
    void send(std::uint32_t index, bool is_request = false);
    /// A request of this rank's, to be filled in.
    std::uint32_t make_request(endpoint::RequestKind kind);
    endpoint::Request& request(std::uint32_t number) { return x_state->requests[number]; }
    /// By which peers name the request.
    std::uint64_t handle(std::uint32_t request) const { return x_state->requests.handle(request); }
    /// The request that a send or a remote access names in its head is under way from now on.
    void begin(std::uint32_t request);
    /// Posts a receive.
    void post(std::uint32_t request);
    /// Looks at what has arrived so far. Not for a rank that runs ahead. What that is depends on
    /// how far other processes have come in real time, unless all take turns in virtual time.
    void look();
    /// The same, when everything has arrived that does so before the rank's clock.
    void look_synchronised();
    /// The one or the other: the cheaper one with which the same is found in every repeat.
    void look_repeatably();
    /// Takes the oldest request that is complete; endpoint::kNone if there is none. The caller
    /// `finish`es it.
    std::uint32_t take_complete();
    /// The process takes a request that is certain before it is complete, and `finish`es it.
    void take_certain(std::uint32_t request) { this->request(request).is_taken = true; }
    /// The message of a request that is complete, or that it will get for certain.
    const Message& message_of(std::uint32_t request);
    /// The rank has taken what it needs of a request: receives no longer need their payload.
    void finish(std::uint32_t request);
    /// One message in a receive for several has been taken. Returns whether that was the last one.
    bool end_part(std::uint32_t request);
    /// The sender's request for the payload of a message; nullptr if it is over.
    endpoint::Request* origin_of(const Message& message);
    /// The payload of such a request has been copied: the sender's own is not needed any more.
    void note_copied(std::uint64_t origin, std::uint32_t source);
    /// Keeps `size_bytes` for whoever has not copied them from this rank's memory yet.
    std::byte* make_stash(std::uint32_t request, std::uint64_t size_bytes);
    /// Looks for a message that has arrived and waits for no receive: its number, or kNoMessage.
    /// With `takes_out`, it is for `receive_taken_out` or `give_back`.
    std::uint32_t find_unexpected(const matching::Pattern& pattern, bool tagged, bool takes_out);
    void receive_taken_out(std::uint32_t request, std::uint32_t message);
    /// A posted receive is so no longer, and complete. False if it was not posted any more.
    bool cancel(std::uint32_t request);
    /// The endpoint is not used any more.
    void forget();
    void discard(std::uint32_t message);
    /// Carries out remote accesses that the interface could not.
    void serve();
    /// How a wait may end.
    struct Wait {
        /// Requests that are not complete, without which the rank cannot go on. None: it goes on
        /// with whatever arrives.
        std::span<const std::uint32_t> requests{};
        bool is_exact = false;       ///< It goes on when it has all of them, and not before.
        bool may_run_ahead = false;  ///< As soon as all of them are certain.
        /// The MPI library waits for these and for no message of its own; see running_ahead.hpp.
        bool holds_internal = false;
    };
    /// Waits. Returns whether the process runs ahead: all of the requests may be taken.
    bool wait(const Wait& wait);
    /// Whether the process may ever run ahead.
    bool may_run_ahead() const { return !x_state->keeps_in_time(x_rank); }
    /// Whether a wait may hold back messages of the MPI library itself (running_ahead.hpp).
    bool may_hold_internal() const { return !x_slot->sees_internal; }
    const endpoint::Endpoint& endpoint() const { return x_slot->endpoint; }
    /// What the rank waits for, should it turn out that it waits for ever: how many receives, and
    /// the oldest of them.
    void describe_wait(std::uint32_t receives, std::uint32_t oldest) {
        x_slot->waiting_count = receives;
        x_slot->waiting_for = oldest;
    }
    /// Whether some messages may arrive with errors.
    bool allows_errors() const { return x_state->bit_errors != nullptr && in_virtual_time(); }
    /// Decides whether a message to `target` may; see BitErrors.
    void decide_errors(endpoint::Head& head, std::uint32_t target, const SentContent& content,
                       bool is_aligned);
    /// The payload of a message that this rank has received arrives as links deliver it.
    void corrupt(const Message& message, std::span<std::byte> payload);
    /// Reads the memory of another rank; a failure ends the run.
    void read_memory(std::uint32_t rank, std::uint64_t address, void* into, std::size_t size_bytes);
    /// Makes memory of this rank reachable for puts and gets under `key`.
    void expose(std::uint64_t key, std::uint64_t base, std::uint64_t size_bytes);
    void withdraw(std::uint64_t key);
    bool can_reach_memory() const {
        return x_state->can_reach_memory.load(std::memory_order_relaxed);
    }

   private:
    RankPort(ConductorState* state, std::uint32_t rank);

    /// Makes this process the rank. False, with the reason on stderr, if another process is.
    bool claim();
    void begin_visit();
    void end_visit();
    /// Moves the rank's clock on, while it waits.
    void idle(Duration span);
    void send_wake_frames(std::span<const WakeRequest> requests);
    /// The time of what was computed since this was called last.
    Duration take_computed();
    /// Adds that to the rank's clock: no less than what others were told (progress.hpp).
    void charge(Duration computed);
    /// Others can see from now on how much the process computes, if it goes away.
    void show_progress();
    /// And how much CPU time it takes.
    void show_cpu_progress();
    void hide_cpu_progress() { x_slot->progress.began_cpu_ns.store(ComputeProgress::kUnseen); }
    bool is_measured() const { return configuration().compute_mode == ComputeMode::kMeasured; }
    Duration take_measured();
    Duration take_counted();
    /// Whether the process is ahead: then the operation is noted, and is carried out in its turn.
    bool put_off(const StreamOperation& operation) {
        if (x_slot->stream.full()) synchronise();
        if (is_synchronised()) return false;
        x_slot->stream.add(operation);
        return true;
    }
    void check_recorded(CallClass call_class);
    void pass_hint(endpoint::service::Hint hint);
    /// A region with IN_KERNEL begins, or ends, for the process. For any thread.
    void note_region(bool begins);
    void pass_noted_hints();
    /// What the program has told its service while the process was away. A hint takes no time and
    /// acts at the rank's next message, so the process need not come back for each.
    void pass_hints() {
        if (x_noted_hints != 0) pass_noted_hints();
    }
    /// Lets the others catch up if the rank could otherwise miss what should be there.
    void catch_up();
    /// Whether all that can arrive before the rank's clock has.
    bool has_caught_up() const;
    /// Whether there is something to look at.
    bool has_arrivals() const;
    /// Returns when the rank may ask its interface for something, if that matches: see
    /// rank_interface.hpp. Not for a rank that runs ahead.
    void await_turn();
    matching::Search look_for(const matching::Pattern& pattern, bool tagged, bool takes_out);
    /// Whether the request, one of those that the process awaits, is certain.
    bool is_certain(std::uint32_t number, std::span<const std::uint32_t> awaited) {
        return kumi::is_certain(*x_state, request(number), awaited.size() == 1);
    }
    /// Does not return if the run is to end.
    void end_if_condemned();
    /// Whether the rank has called often without anything having been sent or having arrived: it
    /// may look at memory that others write, in a loop.
    bool seems_to_spin();
    /// Whether so much is on its way that others should receive before this rank sends on.
    bool is_far_ahead() const;
    /// Whether the rank's clock is where its process is.
    bool is_synchronised() const { return x_slot->stream.empty(); }
    void wait_for_clock();
    /// The rank's clock is past the run's limit: nothing that it does from here on counts. Does not
    /// return: the run ends as soon as the others have come to the limit, too.
    void stop_at_limit() { let_others_catch_up(); }
    /// Returns when no rank has a smaller clock and all events before this rank's are executed.
    void let_others_catch_up();

    ConductorState* x_state;
    RankSlot* x_slot;
    std::uint32_t x_rank;
    std::int32_t x_process;
    std::uint64_t x_quiet_since = 0;  ///< What had been sent and received at the first quiet call.
    std::uint32_t x_quiet_calls = 0;
    ComputeForecast x_forecast;
    std::uint64_t x_handovers = 0;           ///< To this rank, until the MPI call that ended last.
    std::uint64_t x_handovers_at_visit = 0;  ///< The same, until the last Visit began.
    std::uint32_t x_noted_hints = 0;
    std::atomic<std::uint32_t> x_kernel_depth{
        0};                                   ///< Regions with IN_KERNEL, as the process sees it.
    std::array<std::uint32_t, 64> x_hints{};  ///< The noted ones, by Hint::packed.
    std::atomic<bool> x_is_alone{false};      ///< The process's only thread is the rank's.
    bool x_work_moves = false;                ///< Another thread has become the rank's.
    WorkCounter x_work;
    std::int64_t x_work_rest = 0;  ///< Of the last charge: too little for a picosecond.
};

}  // namespace kumi
