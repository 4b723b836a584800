/* In place of ucx_queues.c where UCX's source is not at hand. */
#include <stddef.h>

#include "ucx_queues.h"

UcxQueues* ucx_queues_new(uint32_t keys) {
    (void)keys;
    return NULL;
}
void ucx_queues_free(UcxQueues* queues) { (void)queues; }
void ucx_queues_fill(UcxQueues* queues, int is_posted, const uint32_t* keys, uint32_t count,
                     UcxTags entries) {
    (void)queues, (void)is_posted, (void)keys, (void)count, (void)entries;
}
int ucx_queues_turn(UcxQueues* queues, int is_posted, const uint32_t* keys, uint32_t count,
                    UcxTags probes, UcxTags entries) {
    (void)queues, (void)is_posted, (void)keys, (void)count, (void)probes, (void)entries;
    return 0;
}
