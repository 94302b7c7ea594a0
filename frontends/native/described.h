/*
 * described.h - descriptions of blocks that memspy has already.
 *
 * When the code cache is full all of it is made anew. A block that is described as before keeps the
 * numbers of its exits: memspy keeps every description to the end of the run, and a program whose
 * code does not fit into the cache would have it described again and again.
 */
#ifndef MS_NATIVE_DESCRIBED_H
#define MS_NATIVE_DESCRIBED_H

#include <stdbool.h>
#include <stdint.h>

/* The words of a description of code of this kind (enum ms_code_kind) in cache number `generation`.
 * True: *exit is the first exit of the same one of an earlier cache. Each is found once in a cache:
 * two blocks that are alike stay two. Called with MS_LOCK_BLOCKS. */
bool ms_described_find(const uint64_t *words, uint32_t n, uint32_t kind, uint64_t generation,
		       uint32_t *exit);
/* After that, if there was none. */
void ms_described_add(uint32_t exit);
/* Other code may come to stand where some was. */
void ms_described_forget(void);

#endif
