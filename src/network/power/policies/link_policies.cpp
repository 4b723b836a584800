#include "network/power/policies/link_policy.hpp"

namespace kumi::network {

namespace policies {
extern const LinkPolicy always_on, on_off, threshold, prewake, perfbound, ideal;
}

std::span<const LinkPolicy* const> link_policies() {
    // Not by registration before main: ranks run networks that another process has built, and must
    // find each policy at the same place.
    static constexpr const LinkPolicy* kAll[] = {
        &policies::always_on, &policies::on_off,    &policies::threshold,
        &policies::prewake,   &policies::perfbound, &policies::ideal,
    };
    return kAll;
}

std::uint32_t find_link_policy(std::string_view name) {
    std::uint32_t number = 0;
    for (const LinkPolicy* policy : link_policies()) {
        if (policy->name == name) break;
        ++number;
    }
    return number;
}

}  // namespace kumi::network
