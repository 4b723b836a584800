/* Compiled against the source of UCX, in which ./configure has run: see bench/CMakeLists.txt. */
#include "config.h"

#include <stdlib.h>
#include <ucp/tag/tag_match.inl>

#include "ucx_queues.h"

/* A message that has come: the descriptor, and behind it the header that the queue looks at. */
typedef struct {
    ucp_recv_desc_t descriptor;
    ucp_tag_hdr_t header;
} __attribute__((aligned(64))) Message;

struct UcxQueues {
    ucp_tag_match_t matching;
    ucp_request_t* requests;
    Message* messages;
};

UcxQueues* ucx_queues_new(uint32_t keys) {
    UcxQueues* const queues = calloc(1, sizeof *queues);
    if (queues == NULL || ucp_tag_match_init(&queues->matching) != UCS_OK) abort();
    queues->requests = calloc(keys, sizeof *queues->requests);
    queues->messages = aligned_alloc(64, keys * sizeof *queues->messages);
    if (queues->requests == NULL || queues->messages == NULL) abort();
    memset(queues->messages, 0, keys * sizeof *queues->messages);
    return queues;
}

static void clear(UcxQueues* queues) {
    ucp_tag_match_t* const matching = &queues->matching;
    ucs_queue_head_init(&matching->expected.wildcard.queue);
    ucs_list_head_init(&matching->unexpected.all);
    for (size_t bucket = 0; bucket < UCP_TAG_MATCH_HASH_SIZE; ++bucket) {
        ucs_queue_head_init(&matching->expected.hash[bucket].queue);
        ucs_list_head_init(&matching->unexpected.hash[bucket]);
    }
}

void ucx_queues_free(UcxQueues* queues) {
    clear(queues);
    ucp_tag_match_cleanup(&queues->matching);
    free(queues->requests);
    free(queues->messages);
    free(queues);
}

static inline void post(UcxQueues* queues, uint32_t key, UcxTag tag) {
    ucp_request_t* const request = &queues->requests[key];
    request->recv.tag.tag = tag.tag;
    request->recv.tag.tag_mask = tag.mask;
    ucp_request_queue_t* const queue = ucp_tag_exp_get_queue(&queues->matching, tag.tag, tag.mask);
    ++queues->matching.expected.sw_all_count;
    ++queue->sw_count;
    ucp_tag_exp_push(&queues->matching, queue, request);
}
static inline void arrive(UcxQueues* queues, uint32_t key, UcxTag tag) {
    Message* const message = &queues->messages[key];
    message->header.tag = tag.tag;
    ucp_tag_unexp_recv(&queues->matching, &message->descriptor, tag.tag);
}

void ucx_queues_fill(UcxQueues* queues, int is_posted, const uint32_t* keys, uint32_t count,
                     const UcxTag* tag_of) {
    clear(queues);
    for (uint32_t i = 0; i < count; ++i) {
        if (is_posted)
            post(queues, keys[i], tag_of[keys[i]]);
        else
            arrive(queues, keys[i], tag_of[keys[i]]);
    }
}

int ucx_queues_turn(UcxQueues* queues, int is_posted, const uint32_t* keys, uint32_t count,
                    const UcxTag* probe_of, const UcxTag* tag_of) {
    int is_right = 1;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t key = keys[i];
        const UcxTag probe = probe_of[key];
        if (is_posted) {
            is_right &= ucp_tag_exp_search(&queues->matching, probe.tag) == &queues->requests[key];
            post(queues, key, tag_of[key]);
        } else {
            const ucp_recv_desc_t* const found =
                ucp_tag_unexp_search(&queues->matching, probe.tag, probe.mask, 1, "bench");
            is_right &= found == &queues->messages[key].descriptor;
            arrive(queues, key, tag_of[key]);
        }
    }
    return is_right;
}
