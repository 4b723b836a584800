// The queues of matching compared with plain lists, led by the fuzzer's bytes.

#include <cstddef>
#include <cstdint>

#include "matching/testing/queue_beside_list.hpp"

namespace {

using kumi::matching::WhenEmpty;

template <WhenEmpty kWhenEmpty>
void run(const std::uint8_t* data, std::size_t size_bytes) {
    kumi::matching::MatchingLedByBytes<kWhenEmpty> matching(data[0]);
    matching.fill(data[1] % 4 == 0 ? data[1] : 0);
    for (std::size_t place = 2; place + 1 < size_bytes; place += 2)
        matching.step(data[place], data[place + 1]);
    matching.check_all();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
    if (size_bytes < 2) return 0;
    run<WhenEmpty::kKeepsRoom>(data, size_bytes);
    run<WhenEmpty::kGivesBack>(data, size_bytes);
    return 0;
}
