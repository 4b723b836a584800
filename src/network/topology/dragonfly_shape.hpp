#pragma once

#include <cstdint>

#include "network/ids.hpp"

namespace kumi::network {

/// A path through a dragonfly, at the longest: up, local, global, local, global, local, down.
struct DragonflyPath {
    static constexpr std::uint32_t kMostLinks = 7;

    LinkId links[kMostLinks] = {};
    std::uint32_t length = 0;

    void add(LinkId link) { links[length++] = link; }
};

/// The numbers of a dragonfly, and its links and paths as formulas of them. Plain data, because
/// routes are chosen while the network runs. Switches are numbered group by group.
struct DragonflyShape {
    std::uint32_t groups = 0;
    std::uint32_t group_switches = 0;
    std::uint32_t switch_ports = 0;  ///< Global ones.
    std::uint32_t switch_hosts = 0;
    std::uint32_t rounds = 0;  ///< Global cables between each two groups.
    LinkId first_local = 0;
    LinkId first_global = 0;

    static constexpr std::uint64_t pairs(std::uint64_t count) { return count * (count - 1) / 2; }

    std::uint32_t switch_of(HostId host) const { return host / switch_hosts; }
    std::uint32_t group_of(std::uint32_t of_switch) const { return of_switch / group_switches; }

    /// The switch of `group` whose global cable of that round leads to `other`.
    std::uint32_t gateway(std::uint32_t group, std::uint32_t other, std::uint32_t round) const {
        const std::uint32_t port = round * (groups - 1) + (other < group ? other : other - 1);
        return group * group_switches + port / switch_ports;
    }

    /// Minimal: at most one global cable, with a local one before and after it if needed. Among
    /// several cables the one with the fewest local links counts; ties go by the target's number.
    DragonflyPath minimal(HostId source, HostId target) const {
        DragonflyPath path;
        path.add(2 * source);
        const std::uint32_t from = switch_of(source);
        const std::uint32_t to = switch_of(target);
        if (group_of(from) == group_of(to)) {
            add_local(from, to, path);
        } else {
            const std::uint32_t at = cross(from, group_of(to), best_round(from, to, target), path);
            add_local(at, to, path);
        }
        path.add(2 * target + 1);
        return path;
    }

    /// Over a third group, from group to group by the cables of the given rounds.
    DragonflyPath over(std::uint32_t group, std::uint32_t first_round, std::uint32_t second_round,
                       HostId source, HostId target) const {
        DragonflyPath path;
        path.add(2 * source);
        const std::uint32_t to = switch_of(target);
        std::uint32_t at = cross(switch_of(source), group, first_round, path);
        at = cross(at, group_of(to), second_round, path);
        add_local(at, to, path);
        path.add(2 * target + 1);
        return path;
    }

   private:
    /// The place of two of `count` things among all pairs: (0, 1), (0, 2), ... (1, 2), ...
    static std::uint32_t pair(std::uint32_t a, std::uint32_t b, std::uint32_t count) {
        const std::uint64_t lower = a < b ? a : b;
        const std::uint64_t upper = a < b ? b : a;
        const std::uint64_t before = lower * count - lower * (lower + 1) / 2;
        return static_cast<std::uint32_t>(before + (upper - lower - 1));
    }

    std::uint32_t best_round(std::uint32_t from, std::uint32_t to, HostId target) const {
        const std::uint32_t from_group = group_of(from);
        const std::uint32_t to_group = group_of(to);
        std::uint32_t best = 0;
        std::uint32_t fewest = 3;
        for (std::uint32_t i = 0; i < rounds; ++i) {
            const std::uint32_t round = (target + i) % rounds;
            const std::uint32_t locals = (gateway(from_group, to_group, round) != from ? 1U : 0U) +
                                         (gateway(to_group, from_group, round) != to ? 1U : 0U);
            if (locals >= fewest) continue;
            fewest = locals;
            best = round;
        }
        return best;
    }

    /// The link between two switches of one group; none if they are the same.
    void add_local(std::uint32_t from, std::uint32_t to, DragonflyPath& path) const {
        if (from == to) return;
        const auto of_group = static_cast<std::uint32_t>(group_of(from) * pairs(group_switches));
        const std::uint32_t inside =
            pair(from % group_switches, to % group_switches, group_switches);
        path.add(first_local + 2 * (of_group + inside) + (from < to ? 0 : 1));
    }

    /// From a switch to another group; returns the switch where it gets there.
    std::uint32_t cross(std::uint32_t from, std::uint32_t to_group, std::uint32_t round,
                        DragonflyPath& path) const {
        const std::uint32_t from_group = group_of(from);
        add_local(from, gateway(from_group, to_group, round), path);
        path.add(first_global + 2 * (pair(from_group, to_group, groups) * rounds + round) +
                 (from_group < to_group ? 0 : 1));
        return gateway(to_group, from_group, round);
    }
};

}  // namespace kumi::network
