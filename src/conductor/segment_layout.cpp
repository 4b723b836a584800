#include "conductor/segment_layout.hpp"

#include "conductor/state.hpp"

namespace kumi {
namespace {

/// Where a process looks first, in every layout.
static_assert(offsetof(ConductorState, magic) == 0 && offsetof(ConductorState, layout) == 8);

constexpr LayoutHash& network(LayoutHash& hash) {
    hash.type<Network>().type<Transit>().type<Link>().type<LinkKind>().type<LinkStatistics>();
    hash.type<PacketRun>().type<InjectionQueue>().type<DepartureQueue>().type<RouteTable>();
    hash.type<CreditSwitching>().type<Detours>().type<FabricPower>().type<WakeFrames>();
    hash.type<NetworkCounters>().type<EventQueue>().type<EventKey>().type<Event>();
    hash.members({offsetof(EventKey, time), offsetof(EventKey, class_and_source),
                  offsetof(EventKey, source_sequence)});
    return hash;
}

constexpr LayoutHash& messages(LayoutHash& hash) {
    hash.type<Message>().members(
        {offsetof(Message, sent),          offsetof(Message, arrived),
         offsetof(Message, next),          offsetof(Message, previous),
         offsetof(Message, next_sent),     offsetof(Message, previous_sent),
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
    hash.type<MessageRecord>().type<StateRecord>().type<OperationRecord>();
    return hash;
}

constexpr LayoutHash& ranks(LayoutHash& hash) {
    hash.type<Inbox>().type<SentList>().type<SentMessages>().type<DeferredSteps>();
    hash.type<DeferredStep>().type<matching::PostedQueue>().type<matching::PostedEntry>();
    hash.type<MemoryRegions>().type<AwaitedMessage>().type<CallName>();
    hash.type<RankSlot>().members({offsetof(RankSlot, baton),       offsetof(RankSlot, status),
                                   offsetof(RankSlot, clock),       offsetof(RankSlot, state),
                                   offsetof(RankSlot, call_class),  offsetof(RankSlot, process),
                                   offsetof(RankSlot, host),        offsetof(RankSlot, inbox),
                                   offsetof(RankSlot, due),         offsetof(RankSlot, call_count),
                                   offsetof(RankSlot, sent),        offsetof(RankSlot, steps),
                                   offsetof(RankSlot, awaited),     offsetof(RankSlot, early),
                                   offsetof(RankSlot, posted),      offsetof(RankSlot, needed),
                                   offsetof(RankSlot, state_total), offsetof(RankSlot, call),
                                   offsetof(RankSlot, bell),        offsetof(RankSlot, pid),
                                   offsetof(RankSlot, regions)});
    return hash;
}

constexpr std::uint64_t whole() {
    LayoutHash hash;
    ranks(messages(network(hash)));
    hash.type<Arena>().type<Recorder>().type<RunQueue>().type<ReadyRanks>().type<Verdict>();
    hash.type<RunConfiguration>().type<ConductorState>().members(
        {offsetof(ConductorState, configuration), offsetof(ConductorState, arena),
         offsetof(ConductorState, network), offsetof(ConductorState, lookahead),
         offsetof(ConductorState, ranks), offsetof(ConductorState, messages),
         offsetof(ConductorState, run_queue), offsetof(ConductorState, ready),
         offsetof(ConductorState, recorder), offsetof(ConductorState, verdict),
         offsetof(ConductorState, phase), offsetof(ConductorState, holder),
         offsetof(ConductorState, posts), offsetof(ConductorState, end)});
    return hash.value();
}

}  // namespace

std::uint64_t segment_layout() {
    static constexpr std::uint64_t kValue = whole();
    return kValue;
}

}  // namespace kumi
