/*
 * collect/heap_lookahead.h - reads heap events some records in advance and prefetches the entries
 * of their objects in the engine's tables, which are usually not in the cache. For collect/ only.
 */
#ifndef MS_COLLECT_HEAP_LOOKAHEAD_H
#define MS_COLLECT_HEAP_LOOKAHEAD_H

#include <stddef.h>
#include <stdint.h>

struct ms_collect_worker;

enum { MS_COLLECT_LOOKAHEAD = 8 };

struct ms_collect_lookahead {
	size_t at;                            /* the first record that was not read in advance */
	uint32_t looked_ahead, processed;     /* records read in advance; records processed */
	uint64_t block[MS_COLLECT_LOOKAHEAD]; /* of those in between: the block that is freed; 0:
						 none */
	uint64_t last; /* the block of the latest: its entries are prefetched */
};

/* The event at words[at] is processed next. Reading ahead stops at a record that is not an event.
 */
void ms_collect_look_ahead(struct ms_collect_lookahead *a, const struct ms_collect_worker *w,
			   const uint64_t *words, size_t n, size_t at);

/* Block i of the n in a MS_WIRE_PACKED with these words is processed next. Blocks with a partner
 * are not entered in the tables, so they need no prefetch: see short_lived.h. */
void ms_collect_look_ahead_packed(const struct ms_collect_worker *w, uint64_t base,
				  const uint64_t *words, const uint16_t *partner, size_t n,
				  size_t i);

#endif
