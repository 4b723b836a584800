#include "conductor/segment/state.hpp"

#include <cstdio>
#include <cstring>

namespace kumi::conductor {

ConductorState::ConductorState(Arena* the_arena, const RunConfiguration& the_configuration)
    : configuration(the_configuration),
      arena(the_arena),
      ranks(the_arena->make_array<RankSlot>(the_configuration.ranks)),
      messages(the_arena),
      requests(the_arena),
      scheduling(the_arena, the_configuration.ranks),
      recorder(
          the_arena, the_configuration.detail,
          {.operations = the_configuration.records_operations,
           .calls = the_configuration.records_calls,
           .services = the_configuration.detail == Detail::kFull &&
                       the_configuration.endpoint.service.kind != endpoint::service::Kind::kNone}) {
    for (std::uint32_t rank = 0; rank < rank_count(); ++rank) {
        ranks[rank].host = rank / configuration.ranks_per_host;
        ranks[rank].eager_limit_bytes = configuration.endpoint.eager_limit_bytes;
        ranks[rank].stream = Stream(*arena);
    }
}

bool RefusedNames::add(const CallName& name) {
    const std::uint32_t known = count.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < known; ++i)
        if (std::strcmp(names[i].text, name.text) == 0) return false;
    if (known == kMost) return false;
    names[known] = name;
    count.store(known + 1, std::memory_order_release);
    return true;
}

void ConductorState::condemn(VerdictKind kind, std::uint32_t rank, std::int32_t code,
                             const char* text) {
    Verdict& verdict = diagnosis.verdict;
    if (verdict.kind.load(std::memory_order_relaxed) != VerdictKind::kNone) return;
    verdict.rank = rank;
    verdict.code = code;
    std::snprintf(verdict.text, sizeof verdict.text, "%s", text);
    verdict.kind.store(kind, std::memory_order_release);
}

}  // namespace kumi::conductor
