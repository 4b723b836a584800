#include <cstddef>
#include <cstdint>
#include <string_view>

#include "launch/pmi/pmi_protocol.hpp"

// Two ranks say anything, in pieces whose length and rank the input chooses.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::uint32_t kRanks = 2;
    kumi::launch::PmiProtocol protocol(kRanks, {});
    std::string_view input(reinterpret_cast<const char*>(data), size);
    while (input.size() > 1) {
        const auto head = static_cast<std::uint8_t>(input.front());
        input.remove_prefix(1);
        const std::string_view piece = input.substr(0, head / kRanks + 1U);
        protocol.receive(head % kRanks, piece);
        input.remove_prefix(piece.size());
        protocol.take_ranks_to_answer();
    }
    return 0;
}
