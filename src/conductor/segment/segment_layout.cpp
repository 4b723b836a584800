#include "conductor/segment/segment_layout.hpp"

#include "conductor/segment/state.hpp"

namespace kumi::conductor {
namespace {

/// Where a process looks first, in every layout.
static_assert(offsetof(ConductorState, magic) == 0 && offsetof(ConductorState, layout) == 8);

constexpr LayoutHash& network(LayoutHash& hash) {
    using namespace kumi::network;
    hash.types<Network, Transit, Link, LinkKind, LinkStatistics, PacketRun, InjectionQueue,
               RouteTable, CreditSwitching, NonMinimalRoutes, FabricPower, WakeFrames,
               endpoint::service::Account, endpoint::service::Peer, Collectives, StartGroup,
               StartMember, StepInstants, LinkNoise, BitErrors, ErrorPolicy, ErrorCounters,
               NetworkCounters, engine::EventQueue, engine::EventKey, engine::Event>();
    hash.members({offsetof(engine::EventKey, time), offsetof(engine::EventKey, class_and_source),
                  offsetof(engine::EventKey, source_sequence)});
    return hash;
}

constexpr LayoutHash& messages(LayoutHash& hash) {
    hash.type<Message>().members(
        {offsetof(Message, sent),          offsetof(Message, arrived),
         offsetof(Message, next),          offsetof(Message, previous),
         offsetof(Message, paired),        offsetof(Message, is_read),
         offsetof(Message, magic),         offsetof(Message, source),
         offsetof(Message, target),        offsetof(Message, kind),
         offsetof(Message, reply_kind),    offsetof(Message, action),
         offsetof(Message, is_answer),     offsetof(Message, wants_notice),
         offsetof(Message, is_notice),     offsetof(Message, is_synchronous),
         offsetof(Message, sequence),      offsetof(Message, size_bytes),
         offsetof(Message, reply_bytes),   offsetof(Message, remote_key),
         offsetof(Message, remote_offset), offsetof(Message, payload),
         offsetof(Message, payload_bytes), offsetof(Message, tag),
         offsetof(Message, head),          offsetof(Message, seal)});
    return hash
        .types<MessageRecord, StateRecord, OperationRecord, TrafficRecord, ServiceMemoryRecord>();
}

constexpr LayoutHash& endpoints(LayoutHash& hash) {
    using endpoint::Endpoint;
    using endpoint::Head;
    using endpoint::Request;
    hash.types<matching::PostedQueue, matching::UnexpectedQueue, matching::PostedEntry,
               matching::UnexpectedEntry, matching::DepthLine, MatchingSites, endpoint::Requests,
               Endpoint>();
    hash.members({offsetof(Endpoint, posted), offsetof(Endpoint, unexpected),
                  offsetof(Endpoint, first_complete), offsetof(Endpoint, under_way)});
    hash.type<Head>().members({offsetof(Head, kind), offsetof(Head, tagged), offsetof(Head, tag),
                               offsetof(Head, data), offsetof(Head, size_bytes),
                               offsetof(Head, address), offsetof(Head, origin_request),
                               offsetof(Head, target_request)});
    hash.type<Request>().members(
        {offsetof(Request, capacity_bytes), offsetof(Request, local), offsetof(Request, pattern),
         offsetof(Request, owner), offsetof(Request, generation), offsetof(Request, kind),
         offsetof(Request, state), offsetof(Request, is_taken), offsetof(Request, is_awaited),
         offsetof(Request, is_copied), offsetof(Request, message), offsetof(Request, paired),
         offsetof(Request, next_complete), offsetof(Request, next_awaited),
         offsetof(Request, parent), offsetof(Request, stash)});
    return hash;
}

constexpr LayoutHash& ranks(LayoutHash& hash) {
    hash.types<Inbox, SentMessages, Stream, StreamOperation, Pairing, MemoryRegions, CallName,
               TurnData, HeldRequests, AwayData, PresentCall, RankTotals, SeldomTotals,
               ProcessFacts>();
    hash.type<RankSlot>().members({offsetof(RankSlot, baton),      offsetof(RankSlot, status),
                                   offsetof(RankSlot, clock),      offsetof(RankSlot, state),
                                   offsetof(RankSlot, call_class), offsetof(RankSlot, process),
                                   offsetof(RankSlot, host),       offsetof(RankSlot, inbox),
                                   offsetof(RankSlot, due),        offsetof(RankSlot, call_count),
                                   offsetof(RankSlot, sent),       offsetof(RankSlot, stream),
                                   offsetof(RankSlot, due_from),   offsetof(RankSlot, turn),
                                   offsetof(RankSlot, to_serve),   offsetof(RankSlot, endpoint),
                                   offsetof(RankSlot, pairing),    offsetof(RankSlot, totals),
                                   offsetof(RankSlot, call),       offsetof(RankSlot, bell),
                                   offsetof(RankSlot, facts),      offsetof(RankSlot, regions)});
    return hash;
}

constexpr std::uint64_t whole() {
    LayoutHash hash;
    ranks(endpoints(messages(network(hash))));
    hash.types<Arena, Cores, Recorder, RunQueue, ReadyRanks, Verdict, Scheduling, RunTotals,
               RunConfiguration, ConductorState>();
    hash.members({offsetof(ConductorState, configuration), offsetof(ConductorState, arena),
                  offsetof(ConductorState, network), offsetof(ConductorState, lookahead),
                  offsetof(ConductorState, ranks), offsetof(ConductorState, messages),
                  offsetof(ConductorState, requests), offsetof(ConductorState, scheduling),
                  offsetof(ConductorState, recorder), offsetof(ConductorState, diagnosis),
                  offsetof(ConductorState, phase), offsetof(ConductorState, holder),
                  offsetof(ConductorState, totals), offsetof(ConductorState, end)});
    return hash.value();
}

}  // namespace

std::uint64_t segment_layout() {
    static constexpr std::uint64_t kValue = whole();
    return kValue;
}

}  // namespace kumi::conductor
