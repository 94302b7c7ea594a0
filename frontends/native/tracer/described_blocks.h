/*
 * described_blocks.h - descriptions of blocks that were already sent to memspy.
 *
 * When the code cache is full, it is flushed and all blocks are translated again. A block with the
 * same description keeps the numbers of its exits. Otherwise a program whose code does not fit into
 * the cache would send its descriptions again and again, and memspy keeps every description to the
 * end of the run. Code that is translated to record and to count has one description, too.
 */
#ifndef MS_NATIVE_TRACER_DESCRIBED_BLOCKS_H
#define MS_NATIVE_TRACER_DESCRIBED_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* Looks up the description of a block of this kind (enum ms_tracer_code_kind) in cache number
 * `generation`. True: *exit is the first exit of the same description in an earlier cache, or of
 * another kind. Each is found once for a kind in a cache, so that two equal blocks stay two. Called
 * with MS_RUNTIME_LOCK_BLOCKS. */
bool ms_tracer_find_description(const uint64_t *words, uint32_t n, uint32_t kind,
				uint64_t generation, uint32_t *exit);
/* Adds the description that was not found. */
void ms_tracer_add_description(uint32_t exit);
/* Code was unmapped, and other code may be mapped there. */
void ms_tracer_forget_descriptions(void);

#endif
