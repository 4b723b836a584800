#include "bit_errors.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "specification.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::conductor;

namespace {

std::uint32_t element_bit(const std::string& name) {
    for (std::uint32_t number = 1; number < kElements.size(); ++number)
        if (kElements[number].name == name) return 1U << number;
    throw std::invalid_argument("there is no element '" + name + "'");
}

/// How a rule, or the program itself, allows errors.
ErrorMode mode_of(Section& section) {
    const std::map<std::string, std::optional<network::BitOrder>> orders{
        {"link", std::nullopt},
        {"in_order", network::BitOrder::kInOrder},
        {"important_first", network::BitOrder::kImportantFirst}};
    return {.order = section.choice("order", orders),
            .keeps_finite = section.number("finite") != 0};
}

nb::list by_bit(std::span<const std::uint64_t> wrong) {
    nb::list bits;
    for (const std::uint64_t count : wrong) bits.append(count);
    return bits;
}

nb::str name_of(const ElementTraits& traits) {
    return nb::str(traits.name.data(), traits.name.size());
}

ErrorRule rule_of(nb::handle values) {
    Section section("rule", values);
    ErrorRule rule;
    for (const nb::handle name : nb::borrow<nb::sequence>(section.object("elements")))
        rule.elements |= element_bit(nb::cast<std::string>(name));
    for (const nb::handle name : nb::borrow<nb::sequence>(section.object("functions"))) {
        if (rule.function_count == ErrorRule::kMostFunctions)
            throw std::invalid_argument("a rule names too many functions");
        rule.functions[rule.function_count++] = canonical_name(nb::cast<std::string>(name).c_str());
    }
    for (const nb::handle value : nb::borrow<nb::sequence>(section.object("communicators"))) {
        const auto name = nb::cast<std::string>(value);
        if (rule.communicator_count == ErrorRule::kMostCommunicators)
            throw std::invalid_argument("a rule names too many communicators");
        if (name.size() >= CommunicatorName::kBytes)
            throw std::invalid_argument("the name of a communicator is too long");
        std::memcpy(rule.communicators[rule.communicator_count++].text, name.c_str(),
                    name.size() + 1);
    }
    rule.fewest_members = static_cast<std::uint32_t>(section.number("fewest_members"));
    rule.most_members = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(section.number("most_members"), ~std::uint32_t{0}));
    rule.sites = section.number("sites");
    rule.smallest_bytes = section.number("smallest_bytes");
    rule.largest_bytes = section.number("largest_bytes");
    rule.protected_bits =
        static_cast<std::uint8_t>(std::min<std::uint64_t>(section.number("protected_bits"), 255));
    rule.is_exact = section.number("exact") != 0;
    rule.mode = mode_of(section);
    section.finish();
    for (std::uint32_t number = 1; number < kElements.size(); ++number)
        if ((rule.elements >> number & 1) != 0 && rule.protected_bits > kElements[number].word_bits)
            throw std::invalid_argument("a number has fewer bits than are to be protected");
    return rule;
}

nb::dict tally(const MessageTally& tally) {
    nb::dict row;
    row["messages"] = tally.messages;
    row["bytes"] = tally.bytes;
    return row;
}

}  // namespace

ErrorPolicy error_policy(nb::handle values) {
    Section section("policy", values);
    ErrorPolicy policy;
    policy.protects_exact = section.number("protects_exact") != 0;
    policy.seed = section.number("seed");
    policy.source_mode = mode_of(section);
    for (const nb::handle rule : nb::borrow<nb::sequence>(section.object("rules"))) {
        if (policy.count == ErrorPolicy::kMostRules)
            throw std::invalid_argument("a policy has too many rules");
        policy.rules[policy.count++] = rule_of(rule);
    }
    section.finish();
    return policy;
}

nb::dict error_summary(const ErrorCounters& counters, bool is_replay) {
    const auto if_run = [&](auto value) {
        return is_replay ? nb::object(nb::none()) : nb::cast(value);
    };
    nb::dict result, elements, functions;
    nb::list rules;
    for (std::uint32_t number = 0; number < counters.rule_count; ++number)
        rules.append(tally(counters.rules[number]));
    result["rules"] = rules;
    for (std::size_t number = 1; number < kElements.size(); ++number) {
        const ErrorCounters::OfElement& of = counters.elements[number];
        if (of.allowed.messages == 0) continue;
        const ElementTraits& traits = kElements[number];
        nb::dict row = tally(of.allowed);
        row["wrong_bits"] = by_bit({of.by_bit, traits.word_bits});
        row["nan"] = if_run(of.nan);
        row["inf"] = if_run(of.inf);
        row["restored"] = if_run(of.restored);
        elements[name_of(traits)] = row;
    }
    for (std::uint32_t number = 0; number < counters.function_count; ++number) {
        const ErrorCounters::OfFunction& of = counters.functions[number];
        // A schedule may leave the name out.
        if (of.name.text[0] == '\0') continue;
        nb::dict row = tally(of.allowed);
        row["wrong_bits"] = of.wrong_bits;
        nb::dict by_datatype;
        for (std::size_t element = 1; element < kElements.size(); ++element)
            if (of.by_bit[element] != nullptr)
                by_datatype[name_of(kElements[element])] =
                    by_bit({of.by_bit[element], kElements[element].word_bits});
        row["by_datatype"] = by_datatype;
        functions[static_cast<const char*>(of.name.text)] = row;
    }
    result["elements"] = elements;
    result["functions"] = functions;
    result["by_source"] = if_run(tally(counters.by_source));
    result["unprotectable"] = tally(counters.unprotectable);
    result["without_noise"] = tally(counters.without_noise);
    result["unruled"] = if_run(tally(counters.unruled));
    result["unclassified"] = if_run(tally(counters.unclassified));
    result["corrupted_messages"] = counters.corrupted;
    result["payload_bytes"] = counters.payload_bytes;
    result["link_bytes"] = counters.link_bytes;
    result["saved_ps"] = counters.saved.ps;
    return result;
}
