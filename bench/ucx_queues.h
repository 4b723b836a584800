#pragma once

#include <stdint.h>

/* The two queues of UCX (ucp/tag), without the rest of a message's path: what its progress and
 * ucp_tag_recv_nbx do to match one entry and to insert one. Entry `key` is a request or a message
 * of its own, at the same place in memory each time, and is in a queue once at most. Tags are made
 * as by Open MPI's pml ucx: 24 bits of tag, 20 of source, 20 of communicator. */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct UcxQueues UcxQueues;

/* What receives accept, or with a full mask what messages are: of key 0, and how much more for each
 * key. */
typedef struct {
    uint64_t first;
    uint64_t step;
    uint64_t mask;
} UcxTags;

/* NULL if UCX was not compiled in: then nothing else may be called. */
UcxQueues* ucx_queues_new(uint32_t keys);
void ucx_queues_free(UcxQueues* queues);

/* Takes everything out, and inserts these keys in this order. */
void ucx_queues_fill(UcxQueues* queues, int is_posted, const uint32_t* keys, uint32_t count,
                     UcxTags entries);
/* Each key in turn is matched, and inserted again as the youngest. Returns whether each match found
 * the entry it should. */
int ucx_queues_turn(UcxQueues* queues, int is_posted, const uint32_t* keys, uint32_t count,
                    UcxTags probes, UcxTags entries);

#ifdef __cplusplus
}
#endif
