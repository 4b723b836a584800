#include "service.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "configuration.hpp"
#include "specification.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::endpoint::service;

namespace {

const std::map<std::string, Kind>& kinds() {
    static const std::map<std::string, Kind> kAll = {
        {"rc", Kind::kRc},     {"ud", Kind::kUd},         {"hybrid", Kind::kHybrid},
        {"hint", Kind::kHint}, {"oracle", Kind::kOracle}, {"hint_evict", Kind::kHintEvict}};
    return kAll;
}

std::string name_of(Kind kind) {
    for (const auto& [name, each] : kinds())
        if (each == kind) return name;
    return "none";
}

}  // namespace

Parameters service_parameters(nb::handle values, const nb::dict& config) {
    Section section("service", values);
    Parameters service;
    service.kind = section.choice("kind", kinds());
    service.mtu_bytes = section.number("mtu_bytes");
    service.packet_cost = section.duration("packet_cost_ps");
    service.base_bytes = section.number("base_bytes");
    service.pool_bytes = section.number("pool_bytes");
    service.budget_bytes = section.number("budget_bytes");
    service.setup_time = section.duration("setup_time_ps");
    service.connection_cap = section.number("connection_cap");
    service.messages_before = section.number("messages_before");
    service.connection_bytes = section.number("connection_bytes");
    service.eager_buffer_bytes = section.number("eager_buffer_bytes");
    section.finish();
    service.eager_limit_bytes =
        static_cast<std::uint64_t>(take_integer(config, "eager_limit_bytes"));
    if (service.mtu_bytes == 0) throw std::invalid_argument("service: 'mtu_bytes' must not be 0");
    return service;
}

nb::dict service_row(std::uint32_t rank, const Account& account, std::uint64_t packets_received) {
    const Memory& memory = account.largest;
    nb::dict row;
    row["rank"] = rank;
    row["asked"] = account.asked;
    row["accepted"] = account.accepted;
    row["refused"] = account.refused;
    row["closed"] = account.closed;
    row["closings"] = account.closings;
    row["most_connections"] = account.most;
    row["by_connection"] = account.by_connection;
    row["by_datagrams"] = account.by_datagrams;
    row["packets"] = account.packets;
    row["packets_received"] = packets_received;
    row["base_bytes"] = memory.base_bytes;
    row["connection_bytes"] = memory.connection_bytes;
    row["eager_buffer_bytes"] = memory.eager_buffer_bytes;
    row["pool_bytes"] = memory.pool_bytes;
    row["kernel_unended"] = account.kernel_depth;
    row["kernel_unbegun"] = account.kernel_unbegun;
    row["repeated_unended"] = account.repeated_depth;
    row["repeated_unbegun"] = account.repeated_unbegun;
    return row;
}

nb::dict service_summary(const Parameters& parameters, nb::list rows) {
    nb::dict result;
    result["kind"] = name_of(parameters.kind);
    result["ranks"] = std::move(rows);
    return result;
}
