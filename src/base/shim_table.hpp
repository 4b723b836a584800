#pragma once

#include <cstddef>
#include <cstdint>

#include "base/element.hpp"

/// What the shim offers to the provider, two libraries in the process of one rank. The shim exports
/// one function that returns the table; the provider takes it when it is opened
/// (provider/domain.cpp).
namespace kumi::inline base {

/// Writes the numbers of the MPI calls that have started the receives and sends without which the
/// present one cannot end, as far as they are known and there is room. Some of these may be
/// complete. Returns how many numbers there are, also if that is more than `room`.
using NeededMessages = std::size_t (*)(std::uint32_t* calls, std::size_t room);

/// Returns how often the MPI library may poll in vain in the present call although the call can
/// return: some poll while they look through an array of requests, also if they have found one that
/// is complete.
using VainPolls = std::size_t (*)();

/// Returns whether the MPI library may take a step of its own in the next poll, which no message
/// shows, for what the program has started before. Each such step is reported once.
using TakesStep = bool (*)();

/// Returns whether the present call waits for messages that the program sends and receives itself
/// whenever it polls, and has nothing else to do.
using WaitsForMessages = bool (*)();

/// What is known of a message that the present call sends.
struct SentContent {
    Element element = Element::kNone;
    /// Whether the program allows errors in all but the first `protected_bits` of each number.
    bool allows_errors = false;
    std::uint8_t protected_bits = 0;
    const char* function = "";  ///< The MPI function that the program has called.
    /// Of the communicator that it names: number of ranks, for intercommunicators those of its own
    /// side, and the name it has; 0 and empty if it names none, or if the run does not ask.
    std::uint32_t members = 0;
    const char* communicator = "";
    /// Which of the places that rules name the call comes from: a bit for each.
    std::uint64_t sites = 0;
};

/// Returns what a message of that size consists of, which the MPI library sends now. To be asked
/// once for each message.
using ContentOfMessage = SentContent (*)(std::uint64_t size_bytes);

/// What the program asserts of the communicator of a receive or a send.
struct AssertedMessage {
    /// The MPI function, a literal, if it receives and asserts that the message is as long as its
    /// buffer.
    const char* exact_for = nullptr;
    bool has_no_wildcards = false;  ///< Neither any source nor any tag is received from.
};

/// Returns that of the receive that is posted now, or of the message that is sent now. To be asked
/// once for each.
using AssertedOfReceive = AssertedMessage (*)();
using AssertedOfSend = AssertedMessage (*)();

/// The first two members stay where they are for ever; whatever else changes, so does the version.
struct ShimTable {
    static constexpr std::uint32_t kVersion = 11;

    std::uint32_t version = kVersion;
    std::uint32_t size_bytes = sizeof(ShimTable);
    NeededMessages needed_messages = nullptr;
    VainPolls vain_polls = nullptr;
    TakesStep takes_step = nullptr;
    WaitsForMessages waits_for_messages = nullptr;
    ContentOfMessage content_of_message = nullptr;
    AssertedOfReceive asserted_of_receive = nullptr;
    AssertedOfSend asserted_of_send = nullptr;

    /// Whether it is the table that this code knows.
    constexpr bool is_known() const {
        return version == kVersion && size_bytes == sizeof(ShimTable);
    }
};

}  // namespace kumi::inline base

/// Exported by the shim.
extern "C" const kumi::ShimTable* kumi_shim_table();
