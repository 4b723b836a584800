// Random traffic to one endpoint, held against MPI's rules of matching and the costs of lists.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

#include "endpoint/testing/endpoint_beside_naive.hpp"

namespace kumi::endpoint {
namespace {

using Steps = std::vector<std::pair<std::uint8_t, std::uint8_t>>;

void run(const Steps& steps, bool by_interface = false) {
    EndpointBesideNaive endpoint(by_interface);
    for (const auto& [what, detail] : steps)
        if (const char* fault = endpoint.step(what, detail)) RC_FAIL(fault);
    if (const char* fault = endpoint.end()) RC_FAIL(fault);
}

RC_GTEST_PROP(RandomTraffic, FollowsTheRulesAndIsPaidForOnce, (const Steps& steps)) { run(steps); }

RC_GTEST_PROP(RandomTraffic, TakesItsTimeAtTheInterface, (const Steps& steps)) {
    run(steps, /*by_interface=*/true);
}

/// Queues so long that they are searched by their indices.
RC_GTEST_PROP(RandomTraffic, ALotOfItDoesToo, ()) {
    const auto length = *rc::gen::inRange<std::size_t>(300, 1'000);
    const auto steps = *rc::gen::container<Steps>(length, rc::gen::arbitrary<Steps::value_type>());
    run(steps);
    run(steps, /*by_interface=*/true);
}

}  // namespace
}  // namespace kumi::endpoint
