// An endpoint compared with MPI's rules of matching on plain lists, led by the fuzzer's bytes.

#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "endpoint/testing/endpoint_beside_naive.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
    for (const bool by_interface : {false, true}) {
        kumi::endpoint::EndpointBesideNaive endpoint(by_interface);
        for (std::size_t place = 0; place + 1 < size_bytes; place += 2) {
            const char* fault = endpoint.step(data[place], data[place + 1]);
            KUMI_ASSERT(fault == nullptr, fault);
        }
        const char* fault = endpoint.end();
        KUMI_ASSERT(fault == nullptr, fault);
    }
    return 0;
}
