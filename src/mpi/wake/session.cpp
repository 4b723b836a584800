#include "mpi/wake/session.hpp"

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "mpi/clocks/rank_stage.hpp"
#include "mpi/export.hpp"
#include "mpi/run_link.hpp"
#include "mpi/wake/places.hpp"
#include "mpi/wake/planner.hpp"

namespace kumi::mpi::wake {

/// What places in programs call. Code that the compiler plug-in (src/passes) has given places asks
/// for it when it is loaded, by `kumi_wake_offer`, and finds null pointers unless wake-ups are
/// planned: a place then costs two loads and a branch.
struct Hooks {
    void (*pass_place)(const void* place);
    std::int64_t (*begin_loop)(const void* place, std::int64_t trips);
    void (*end_loop)(const void* place, std::int64_t trips);
};

constinit bool detail::is_listening = false;

namespace {

/// How long links stay on for a wake that was asked for by name, in leads: the program says that
/// data are to come, not when.
constexpr std::int64_t kHoldLeads = 16;

class Session {
   public:
    Session()
        : x_planner(run_link::wake_lead, run_link::shortest_sleep(),
                    [this](EventId id) { return x_places.ahead(id); }),
          x_last(run_link::now()) {}

    void call_ended(const void* caller, const char* name) {
        EventId id = call_event(reinterpret_cast<std::uintptr_t>(caller),
                                reinterpret_cast<std::uintptr_t>(name));
        x_departures.clear();
        if (!x_is_rest_announced) take_sent();
        for (const run_link::SentMessage& sent : x_sent) {
            id = joined(id, sent.target);
            x_departures.push_back({.target = sent.target,
                                    .messages = sent.messages,
                                    .requests = sent.requests,
                                    .first = sent.first - x_last,
                                    .last = sent.last - x_last});
        }
        x_is_rest_announced = false;
        happened(id, run_link::now(), Duration{});
    }

    void others_announce_rest() {
        if (!x_is_rest_announced) take_sent();
        x_is_rest_announced = true;
    }

    void pass_place(const void* place) {
        const Instant now = run_link::look_at_clock();
        const Duration ahead = x_places.pass(place, now);
        x_departures.clear();
        const Plan plan = happened(Places::event(place), now + ahead, ahead);
        if (plan.has_earliest) x_places.need(place, Duration{} - plan.earliest);
    }

    Places& places() { return x_places; }

   private:
    void take_sent() {
        const auto sent = run_link::sent_in_call();
        x_sent.assign(sent.begin(), sent.end());
    }
    /// At `recorded`, which is `ahead` from now.
    Plan happened(EventId id, Instant recorded, Duration ahead) {
        const Duration since = recorded - x_last;
        x_pattern.record(id, since, x_departures);
        x_last = recorded;
        x_planner.pass(id, since, x_departures);
        Plan plan = x_planner.plan(x_pattern, ahead);
        run_link::wake(plan.wakes);
        return plan;
    }

    Places x_places;
    CallPattern x_pattern;
    Planner x_planner;
    Instant x_last;                             ///< The recorded time of the last event.
    std::vector<run_link::SentMessage> x_sent;  ///< By the present call, as far as it is learned.
    bool x_is_rest_announced = false;
    std::vector<Departure> x_departures;
};

// Never destroyed: other threads may still call while the process ends.
constinit Session* session = nullptr;

// Other libraries' constructors may ask for hooks before this library's own have run.
constinit Hooks hooks{};
constinit bool has_places = false;

bool is_predicting() {
    const char* wanted = std::getenv("KUMI_PREDICT");
    return wanted != nullptr && std::string_view(wanted) == "on";
}

void listen() {
    if (session == nullptr) {
        session = new Session;
        hooks = {.pass_place = pass_place, .begin_loop = begin_loop, .end_loop = end_loop};
    }
    detail::is_listening = true;
}

bool hears_this_thread() { return detail::is_listening && spends_virtual_time(); }

}  // namespace

void begin() {
    if (!run_link::takes_wakes()) return;
    if (has_places || is_predicting()) listen();
}

void end() { detail::is_listening = false; }

void detail::call_ended(const void* caller, const char* name) { session->call_ended(caller, name); }

void others_announce_rest() {
    if (detail::is_listening) session->others_announce_rest();
}

void pass_place(const void* place) {
    if (hears_this_thread()) session->pass_place(place);
}

std::int64_t begin_loop(const void* place, std::int64_t trips) {
    if (!hears_this_thread()) return std::numeric_limits<std::int64_t>::max();
    return session->places().begin_loop(place, trips, run_link::look_at_clock());
}

void end_loop(const void* place, std::int64_t trips) {
    if (hears_this_thread()) session->places().end_loop(place, trips);
}

void pass_hint(const void* place) {
    if (spends_virtual_time() && run_link::takes_wakes()) listen();
    pass_place(place);
}

void wake_rank(std::uint32_t target) {
    if (!spends_virtual_time() || !run_link::takes_wakes() || target == run_link::rank()) return;
    run_link::look_at_clock();
    const conductor::WakeRequest request{.target = target,
                                         .hold = kHoldLeads * run_link::wake_lead(target)};
    run_link::wake({&request, 1});
}

}  // namespace kumi::mpi::wake

KUMI_EXPORT const kumi::mpi::wake::Hooks* kumi_wake_offer() {
    using namespace kumi::mpi;
    wake::has_places = true;
    if (in_virtual_time() && run_link::takes_wakes()) wake::listen();
    return &wake::hooks;
}
