#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* kumi::SentContent and kumi::ShimTable for the fake MPI libraries, which are C. */
struct sent_content {
    uint8_t element, allows_errors, protected_bits;
    const char* function;
    uint32_t members;
    const char* communicator;
    uint64_t sites;
};
struct shim_table {
    uint32_t version, size_bytes;
    size_t (*needed_messages)(uint32_t*, size_t);
    size_t (*vain_polls)(void);
    bool (*takes_step)(void);
    bool (*waits_for_messages)(void);
    struct sent_content (*content_of_message)(uint64_t);
    void (*asserted_of_receive)(void);
    void (*asserted_of_send)(void);
};
