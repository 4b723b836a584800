#include "base/shim_table.hpp"

#include "mpi/calls/accumulates.hpp"
#include "mpi/calls/asserted_calls.hpp"
#include "mpi/calls/message_requests.hpp"
#include "mpi/content/sent_content.hpp"
#include "mpi/export.hpp"

using namespace kumi::mpi;

KUMI_EXPORT const kumi::ShimTable* kumi_shim_table() {
    static constexpr kumi::ShimTable kTable{
        .needed_messages = message_requests::needed,
        .vain_polls = message_requests::vain_polls,
        .takes_step = accumulates::takes_step,
        .waits_for_messages = message_requests::waits_for_messages,
        .content_of_message = sent_content::of_message,
        .asserted_of_receive = asserted_calls::of_receive,
        .asserted_of_send = asserted_calls::of_send,
    };
    return &kTable;
}
