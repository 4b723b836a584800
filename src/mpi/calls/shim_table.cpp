#include "base/shim_table.hpp"

#include "mpi/calls/asserted_calls.hpp"
#include "mpi/calls/message_requests.hpp"
#include "mpi/content/sent_content.hpp"
#include "mpi/export.hpp"

KUMI_EXPORT const kumi::ShimTable* kumi_shim_table() {
    static constexpr kumi::ShimTable kTable{
        .needed_messages = kumi::mpi::message_requests::needed,
        .vain_polls = kumi::mpi::message_requests::vain_polls,
        .waits_for_messages = kumi::mpi::message_requests::waits_for_messages,
        .content_of_message = kumi::mpi::sent_content::of_message,
        .asserted_of_receive = kumi::mpi::asserted_calls::of_receive,
        .asserted_of_send = kumi::mpi::asserted_calls::of_send,
    };
    return &kTable;
}
