/*
 * engine/coherence/processor_batch.h - a batch of several processors: the accesses that their
 * filter kept, in time slices, and the notes of shards that simulate it.
 */
#ifndef MS_ENGINE_COHERENCE_PROCESSOR_BATCH_H
#define MS_ENGINE_COHERENCE_PROCESSOR_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "engine/windows/window_state.h"

struct ms_count_cell;

/* An access to one line that the filter kept. */
struct ms_coherence_pending {
	uint64_t address; /* of the first byte touched in the line; and the flags below */
	struct ms_count_cell *cell;
	uint64_t object;  /* start of the object; UINT64_MAX: unknown */
	uint64_t written; /* of a store: mask of the bytes in the line, see processor_filter.c; with
			     MS_COHERENCE_PARTIAL, of any access: first byte, and last byte << 32 */
};

/* It belongs to the same reference as the access before it. */
#define MS_COHERENCE_SAME_REFERENCE (UINT64_C(1) << 63)
#define MS_COHERENCE_WRITES         (UINT64_C(1) << 62)
/* A part of the reference is in another line, or lines have more bytes than a word has bits. */
#define MS_COHERENCE_PARTIAL (UINT64_C(1) << 61)
#define MS_COHERENCE_ADDRESS (MS_COHERENCE_PARTIAL - 1)

/* A time slice: the accesses from here on belong to this thread and processor. */
struct ms_coherence_slice {
	size_t from;
	uint32_t processor;
	uint32_t agent; /* of the processor */
	uint32_t thread;
	uint32_t phase;
	uint32_t weight;  /* of MS_COUNT_WEIGHT_UNIT */
	uint32_t changes; /* number of changes of page placement before it: see numa_placement.h */
	struct ms_engine_windows_mark window; /* of an engine with windows */
};

struct ms_coherence_batch {
	struct ms_coherence_pending *at;
	size_t n;
	size_t room;
	MS_VEC(struct ms_coherence_slice) slices;
};

/* A miss of one line at one level, of a reference to lines of several shards. */
struct ms_coherence_split_miss {
	struct ms_count_cell *cell;
	uint32_t at; /* index of the line in the batch */
	uint32_t reference;
	uint32_t level;
	uint32_t record; /* old value of the line's record */
	uint32_t slice;  /* of the batch */
	bool falsely;
	bool peer;   /* the last level that the line missed, and another cache answered */
	bool memory; /* likewise, and memory answered */
};

/* An access to a line that memory answered. */
struct ms_coherence_memory_access {
	uint64_t address;
	uint32_t at;
	uint32_t slice;
	bool split;       /* see struct ms_coherence_split_miss */
	uint64_t *remote; /* counters to increment if the memory is remote: of the cell, */
	uint64_t *thread; /* the thread, */
	uint64_t *shared; /* and of the sharing miss; NULL: none */
};

/* Notes of a shard about a batch. */
struct ms_coherence_batch_notes {
	MS_VEC(struct ms_coherence_split_miss) split_misses;
	MS_VEC(struct ms_coherence_memory_access) memory; /* if there are several nodes */
};

#endif
