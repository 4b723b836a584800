#include "link_power.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

#include "network/power/policies/link_policy.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::network;

namespace {

PowerMode mode_of_section(Section section) {
    PowerMode mode;
    mode.sleep_time = section.duration("sleep_time_ps");
    mode.wake_time = section.duration("wake_time_ps");
    mode.early_wake_time = section.duration("early_wake_time_ps");
    mode.low_uw = section.number("power_uw");
    mode.quiet_time = section.duration("quiet_time_ps");
    mode.refresh_time = section.duration("refresh_time_ps");
    section.finish();
    return mode;
}

nb::object number(Energy energy) {
    std::string digits;
    do {
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(energy % 10)));
        energy /= 10;
    } while (energy > 0);
    return nb::steal(PyLong_FromString(digits.c_str(), nullptr, 10));
}

nb::list times_of(const PowerTimes& times) {
    nb::list list;
    for (const Duration span : times.spent) list.append(span.ps);
    return list;
}

nb::list idle_times(const IdleHistogram& idles) {
    nb::list rows;
    for (std::uint32_t place = 0; place < IdleHistogram::kClasses; ++place) {
        if (idles.count(place) == 0) continue;
        nb::list row;
        row.append(IdleHistogram::begin_of(place).ps);
        row.append(IdleHistogram::begin_of(place + 1).ps);
        row.append(idles.count(place));
        row.append(idles.total(place).ps);
        rows.append(row);
    }
    return rows;
}

nb::bytes log_of(const Network& network, Instant end) {
    std::vector<PowerRecord> records;
    const PowerLog& log = *network.power()->log();
    records.reserve(log.size());
    for (std::uint32_t place = 0; place < log.size(); ++place) records.push_back(log.at(place));
    if (!log.is_cut()) {
        network.finish_power_log(end,
                                 [&](LinkId link, PowerState state, Instant begin, Instant finish) {
                                     const auto code = static_cast<std::uint8_t>(state);
                                     records.push_back({begin.ps, finish.ps, link, code, {}});
                                 });
    }
    const auto first = [](const PowerRecord& one, const PowerRecord& other) {
        return one.begin_ps != other.begin_ps ? one.begin_ps < other.begin_ps
                                              : one.link < other.link;
    };
    std::sort(records.begin(), records.end(), first);
    return nb::bytes(records.data(), records.size() * sizeof(PowerRecord));
}

nb::dict row_of(LinkId link, const LinkPowerSummary& summary) {
    nb::dict row;
    row["link"] = link;
    row["times_ps"] = times_of(summary.times);
    row["wakes"] = summary.wakes;
    row["wake_stall_ps"] = summary.wake_stall.ps;
    row["frame_wait_ps"] = summary.frame_wait.ps;
    row["energy_aj"] = number(summary.energy);
    row["oracle_energy_aj"] = number(summary.oracle_energy);
    return row;
}

}  // namespace

PowerDescription link_power_of(Section section) {
    PowerDescription power;
    const std::string policy = section.text("policy");
    power.policy = find_link_policy(policy);
    if (power.policy == link_policies().size()) {
        throw std::invalid_argument("link_power: there is no policy '" + policy + "'");
    }
    power.on_uw = section.number("on_uw");
    power.sleep_uw = section.number("sleep_uw");
    power.wake_uw = section.number("wake_uw");
    power.refresh_uw = section.number("refresh_uw");
    power.data_in_sleep =
        section.choice<DataInSleep>("data_in_sleep", {{"at_once", DataInSleep::kAtOnce},
                                                      {"wake_again", DataInSleep::kWakeAgain},
                                                      {"wait", DataInSleep::kWait}});
    power.threshold = section.duration("threshold_ps");
    power.linger = section.duration("linger_ps");
    power.slowdown_ppm = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(section.number("slowdown_ppm"), 1'000'000));
    power.bounds_program = section.choice<bool>("bound", {{"program", true}, {"link", false}});
    power.wakes_all_at_once =
        section.choice<bool>("wake_frames", {{"all_at_once", true}, {"hop_by_hop", false}});
    power.frame_bytes = section.number("frame_bytes");
    power.queues_wake =
        section.choice<bool>("wake_frames_from", {{"ranks_and_queues", true}, {"ranks", false}});
    power.modes[0] = mode_of_section(section.section("low_power"));
    power.mode_count = 1;
    power.deep_after = kForever;
    if (section.has("deep")) {
        power.modes[1] = mode_of_section(section.section("deep"));
        power.mode_count = 2;
        power.deep_after = section.duration("deep_after_ps");
    }
    section.finish();
    check_power(power);
    return power;
}

nb::dict link_power_summary(const Network& network, Instant end, const std::vector<LinkId>& links) {
    const FabricPower& power = *network.power();
    nb::list states;
    nb::list powers;
    for (std::uint32_t state = 0; state < kPowerStates; ++state) {
        states.append(name_of(static_cast<PowerState>(state)));
        powers.append(power_in(power.description(), static_cast<PowerState>(state)));
    }
    LinkPowerSummary all;
    nb::list rows;
    auto next = links.begin();
    for (LinkId link = 0; link < network.links(); ++link) {
        const LinkPowerSummary summary = network.link_power(link, end);
        for (std::uint32_t state = 0; state < kPowerStates; ++state)
            all.times.spent[state] += summary.times.spent[state];
        all.wakes += summary.wakes;
        all.wake_stall += summary.wake_stall;
        all.frame_wait += summary.frame_wait;
        all.energy += summary.energy;
        all.oracle_energy += summary.oracle_energy;
        if (next == links.end() || *next != link) continue;
        ++next;
        rows.append(row_of(link, summary));
    }
    nb::dict result;
    result["policy"] = power.policy().name;
    result["end_ps"] = end.ps;
    result["wake_frames"] = power.wake_frames();
    result["states"] = states;
    result["power_uw"] = powers;
    nb::dict total = row_of(0, all);
    PyDict_DelItemString(total.ptr(), "link");
    result["total"] = total;
    result["links"] = rows;
    result["idle_times"] = idle_times(power.idles());
    if (power.log() != nullptr) {
        result["log"] = log_of(network, end);
        result["log_is_cut"] = power.log()->is_cut();
    }
    return result;
}
