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

static inline uint64_t tag_of(UcxTags tags, uint32_t key) { return tags.first + key * tags.step; }

static inline void post(UcxQueues* queues, uint32_t key, UcxTags tags) {
    ucp_request_t* const request = &queues->requests[key];
    const uint64_t tag = tag_of(tags, key);
    request->recv.tag.tag = tag;
    request->recv.tag.tag_mask = tags.mask;
    ucp_request_queue_t* const queue = ucp_tag_exp_get_queue(&queues->matching, tag, tags.mask);
    ++queues->matching.expected.sw_all_count;
    ++queue->sw_count;
    ucp_tag_exp_push(&queues->matching, queue, request);
}
static inline void arrive(UcxQueues* queues, uint32_t key, UcxTags tags) {
    Message* const message = &queues->messages[key];
    message->header.tag = tag_of(tags, key);
    ucp_tag_unexp_recv(&queues->matching, &message->descriptor, message->header.tag);
}

void ucx_queues_fill(UcxQueues* queues, int is_posted, const uint32_t* keys, uint32_t count,
                     UcxTags entries) {
    clear(queues);
    for (uint32_t i = 0; i < count; ++i) {
        if (is_posted)
            post(queues, keys[i], entries);
        else
            arrive(queues, keys[i], entries);
    }
}

int ucx_queues_turn(UcxQueues* queues, int is_posted, const uint32_t* keys, uint32_t count,
                    UcxTags probes, UcxTags entries) {
    int is_right = 1;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t key = keys[i];
        const uint64_t probe = tag_of(probes, key);
        if (is_posted) {
            is_right &= ucp_tag_exp_search(&queues->matching, probe) == &queues->requests[key];
            post(queues, key, entries);
        } else {
            const ucp_recv_desc_t* const found =
                ucp_tag_unexp_search(&queues->matching, probe, probes.mask, 1, "bench");
            is_right &= found == &queues->messages[key].descriptor;
            arrive(queues, key, entries);
        }
    }
    return is_right;
}
