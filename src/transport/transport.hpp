#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/shim_table.hpp"
#include "conductor/port/call_log_port.hpp"
#include "conductor/port/endpoint_port.hpp"
#include "endpoint/send.hpp"
#include "transport/buffer.hpp"
#include "transport/completion.hpp"
#include "transport/outstanding.hpp"

namespace kumi::transport {

/// What a send is started with.
struct SendOptions {
    std::uint64_t tag = 0;
    std::uint64_t data = 0;
    bool tagged = true;
    bool has_data = false;
    bool wants_completion = true;
    bool buffer_reusable = false;  ///< The caller may change the buffer as soon as send returns.
};

/// What a receive is posted with.
struct ReceiveOptions {
    bool tagged = true;
    bool wants_completion = true;
    bool multi = false;
    std::uint64_t multi_minimum = 0;
};

/// After how many empty polls in a row, with nothing started in between, a rank sleeps.
struct EmptyPolls {
    std::uint32_t of_library = 4;  ///< Where it does what the MPI library in use mostly does.
    std::uint32_t factor = 1;      ///< By which all such numbers are multiplied.
};

/// The process's side of its endpoint: passes the caller's requests to the endpoint, copies
/// payloads out of and into the caller's buffers, reports completions, and decides when an MPI
/// library that polls in vain may wait.
///
/// Not for several threads at once.
class Transport {
   public:
    /// Peeks in one call that look for the same message in vain, after which it waits for that.
    static constexpr std::uint32_t kEmptyPeeks = 2;
    /// Port and sink must outlive the transport. `shim`: what is known of the present MPI call.
    Transport(conductor::EndpointPort& port, CompletionSink& sink, EmptyPolls empty_polls = {},
              const ShimTable& shim = {});
    /// Forgets posted receives and messages that were not received; completes nothing. Answers that
    /// are still in flight find no request.
    ~Transport();
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;

    void send(std::uint32_t target, const Buffer& buffer, void* context,
              const SendOptions& options);
    void receive(const matching::Pattern& pattern, const Buffer& buffer, void* context,
                 const ReceiveOptions& options);
    /// Looks for a message that has arrived and completes with its size, tag and source, or with
    /// kNoMessage. With `claim` it is set aside for receive_claimed with the same context.
    void peek(const matching::Pattern& pattern, void* context, bool tagged, bool claim);
    /// Receives the message that `peek` set aside under `context`; false if there is none. With
    /// `discard`, its payload is thrown away.
    bool receive_claimed(const Buffer& buffer, void* context, bool discard);
    /// Takes a receive back; it completes as kCancelled. False if it has got its message before.
    /// Either way its completion is there at once: MPICH polls once, and takes a receive from any
    /// source that has none by then as cancelled.
    bool cancel(void* context);

    /// Reads or writes the target's memory.
    void access(endpoint::RequestKind kind, std::uint32_t target, std::uint64_t key,
                std::uint64_t offset, const Buffer& buffer, void* context, bool wants_completion);

    /// Reports all that has been completed.
    void progress() { progress(wait_style()); }
    /// To be called when a poll found nothing: after a few in one MPI call that may wait, or many
    /// in any, the rank waits.
    void note_empty_poll() { note_empty_poll(wait_style()); }
    /// To be called when a poll found something.
    void note_event() { x_empty_polls = 0; }
    /// All three: `finds()` says whether the caller has found something.
    template <class Finds>
    void poll(Finds&& finds) {
        const WaitStyle style = wait_style();
        progress(style);
        if (finds()) return note_event();
        note_empty_poll(style);
        progress(style);
    }
    /// The MPI library has read a completion that is on record.
    void note_read(const Completion& completion);
    const Outstanding& outstanding() const { return x_outstanding; }

   private:
    using Request = endpoint::Request;

    /// How a rank may wait in the MPI call it is in.
    enum class WaitStyle : std::uint8_t {
        kPolling,   ///< An empty poll is reported at once, unless the MPI library polls without
                    ///< end.
        kNap,       ///< As kBlocking, but the rank looks again by itself after a while.
        kBlocking,  ///< After a few empty polls the rank may sleep until something arrives.
        kWindow,    ///< As kBlocking, but the MPI library polls more often without an event.
        kProbe,     ///< As kBlocking, but no message for a posted receive ends the call.
    };
    WaitStyle wait_style() const;
    void progress(WaitStyle style) {
        // What a process that runs ahead would not see, none does: requests are complete for it
        // when it waits.
        if (style != WaitStyle::kBlocking) look(style);
    }
    void look(WaitStyle style);
    void note_empty_poll(WaitStyle style);
    /// Empty polls and peeks count within one MPI call.
    void count_anew_in_new_call();
    std::uint32_t empty_polls_to_sleep(WaitStyle style);
    /// Whether the MPI library does nothing in the present call but wait.
    bool may_wait_at_once() const;
    std::uint32_t empty_peeks_to_sleep() const;
    /// A peek has found nothing. Returns whether its call does nothing but look for that message,
    /// so that the rank may sleep.
    bool note_empty_peek(const matching::Pattern& pattern);
    void wait(WaitStyle style);
    /// The same until anything has arrived.
    void wait_for_any(bool holds_internal = false);
    /// Waits until a receive that has its message is complete.
    void await_payload(std::uint32_t number);
    /// Puts into `x_awaited` the requests without which the present call cannot end, as far as they
    /// are known.
    conductor::EndpointPort::Wait find_awaited();
    /// Asks the shim, once in each call, which calls have started what the present one needs.
    void find_needed_calls();
    /// Adds the requests that this call has started to `x_awaited`.
    void add_awaited(std::uint32_t call);
    /// What can be said of how the process may go on before it has them.
    conductor::EndpointPort::Wait describe_awaited(bool is_exact);
    void describe_wait();

    /// A new request, for which the caller has given these.
    std::uint32_t start(endpoint::RequestKind kind, void* context, const Buffer& buffer,
                        bool tagged, bool wants_completion);
    /// Decides whether a message with that payload may arrive with errors.
    void decide_errors(endpoint::Head& head, std::uint32_t target, const Buffer& buffer);
    /// Puts a send or a receive on record. For runs that record calls.
    void log(const conductor::LoggedCall& call, bool tagged);
    /// What cannot be recorded ends a run of which calls are.
    void refuse_record(const char* what);
    /// A message with a head and room for a payload.
    std::uint32_t prepare(std::uint32_t target, conductor::MessageKind kind,
                          std::uint64_t size_bytes, std::uint64_t payload_bytes,
                          const endpoint::Head& head, std::uint64_t tag);
    std::uint32_t prepare_eager(std::uint32_t target, const Buffer& buffer,
                                const endpoint::Head& head);
    /// Such a message, complete when it has been delivered.
    void send_awaited(std::uint32_t target, const Buffer& buffer, void* context,
                      endpoint::Head head, const endpoint::Departure& departure);
    void send_request(std::uint32_t target, const Buffer& buffer, void* context,
                      endpoint::Head head, const endpoint::Departure& departure,
                      const SendOptions& options);

    void report_complete();
    /// Reports a request that is complete, or certain.
    void report(std::uint32_t request);
    void report_receive(std::uint32_t request);
    void report_send(std::uint32_t request);
    void report_remote_access(std::uint32_t request);
    void report_cancelled(std::uint32_t request);
    /// Copies the payload of a message, or as much as there is room for, into `buffer`.
    void copy_payload(const conductor::Message& message, const Buffer& buffer);
    /// What is in the buffer now is a message's payload as it was sent; makes it what arrives.
    void corrupt(const conductor::Message& message, const Buffer& buffer, std::uint64_t size_bytes);
    void end(std::uint32_t request);

    conductor::EndpointPort& x_port;
    conductor::CallLogPort x_call_log;
    CompletionSink& x_sink;
    const ShimTable x_shim;
    Outstanding x_outstanding;
    std::uint32_t x_receives = 0;  ///< Outstanding ones, with tags.
    std::uint32_t x_sends = 0;     ///< Outstanding ones that want a completion.
    std::uint32_t x_accesses = 0;  ///< Outstanding reads and writes.
    std::unordered_map<void*, std::uint32_t> x_claimed;  ///< Messages that `peek` has set aside.
    std::vector<std::uint32_t> x_awaited;                ///< Requests.
    std::vector<std::uint32_t> x_needed_calls;  ///< By what the shim said; each once, in order.
    std::vector<std::uint32_t> x_calls;         ///< Room for what it says, kept for its memory.
    const EmptyPolls x_empty_polls_to_sleep;
    std::uint32_t x_logged = 0;  ///< Number on record of the request that is started next.
    std::uint32_t x_call_number = 0;
    std::uint32_t x_asked_in_call = 0;  ///< Calls have numbers from 1 on.
    std::uint32_t x_empty_polls = 0;
    std::uint32_t x_empty_peeks = 0;
    matching::Pattern x_empty_peek{};  ///< What they looked for.
};

inline Transport::WaitStyle Transport::wait_style() const {
    // Before and after virtual time every rank only waits for others, and looks again by itself
    // after a while.
    if (!x_port.in_virtual_time()) return WaitStyle::kNap;
    switch (x_port.call_class()) {
        case CallClass::kBlocking:
        case CallClass::kBackground:
        case CallClass::kSynchronous:
            return x_port.polls_longer() ? WaitStyle::kWindow : WaitStyle::kBlocking;
        case CallClass::kPolling:
            return WaitStyle::kPolling;
        case CallClass::kProbe:
            return WaitStyle::kProbe;
        case CallClass::kLocal:
        case CallClass::kWindow:
            return WaitStyle::kWindow;
    }
    return WaitStyle::kBlocking;
}

}  // namespace kumi::transport
