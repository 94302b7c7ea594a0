/*
 * engine/coherence/invalidations.h - copies of lines that a write has taken away from other caches:
 * by whom, and what was written since.
 *
 * A write takes all other copies at once: that is one loss. It lasts as long as one of the caches
 * has not got the line back. The losses of a line are in a list, and each write to the line is
 * entered into all of them, byte by byte: so whether a miss is one of true or of false sharing is
 * known when it happens. Lines that nobody has lost cost nothing.
 */
#ifndef MS_ENGINE_COHERENCE_INVALIDATIONS_H
#define MS_ENGINE_COHERENCE_INVALIDATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct ms_coherence_invalidation {
	uint32_t next;      /* of the same line, or of those that are free; 0: none */
	uint32_t refs;      /* words of records that name it */
	uint32_t writer;    /* the tally of who took it ... */
	uint32_t offset;    /* ... the first byte that it wrote, in the line ... */
	uint64_t object;    /* ... and where what it wrote begins */
	uint64_t written[]; /* a bit a byte of the line */
};

struct ms_coherence_invalidations {
	unsigned char *at; /* struct ms_coherence_invalidation, by number; [0] is not used */
	size_t stride;
	uint32_t n;
	uint32_t room;
	uint32_t free;
};

void ms_coherence_open_invalidations(struct ms_coherence_invalidations *invalidations,
				     uint32_t line_bytes);
void ms_coherence_close_invalidations(struct ms_coherence_invalidations *invalidations);
/* Room for one more than there ever were at a time; moves those that are there. */
uint32_t ms_coherence_grow_invalidations(struct ms_coherence_invalidations *invalidations);

MS_INLINE struct ms_coherence_invalidation *
ms_coherence_get_invalidation(const struct ms_coherence_invalidations *invalidations,
			      uint32_t number)
{
	return (struct ms_coherence_invalidation *)(void *)(invalidations->at +
							    number * invalidations->stride);
}

/* Moves those that are there. Nothing was written since. */
MS_INLINE uint32_t ms_coherence_add_invalidation(struct ms_coherence_invalidations *invalidations)
{
	uint32_t number = invalidations->free;

	if (MS_UNLIKELY(number == 0))
		return ms_coherence_grow_invalidations(invalidations);
	struct ms_coherence_invalidation *invalidation =
		ms_coherence_get_invalidation(invalidations, number);
	invalidations->free = invalidation->next;
	for (size_t i = 0;
	     i < (invalidations->stride - sizeof(*invalidation)) / sizeof(invalidation->written[0]);
	     i++)
		invalidation->written[i] = 0;
	return number;
}

/* Back to those that are free. */
MS_INLINE void ms_coherence_drop_invalidation(struct ms_coherence_invalidations *invalidations,
					      uint32_t number)
{
	ms_coherence_get_invalidation(invalidations, number)->next = invalidations->free;
	invalidations->free = number;
}

/* A copy has come back: the last one ends the loss, which is one of those from *first on. */
MS_INLINE void ms_coherence_restore_copy(struct ms_coherence_invalidations *invalidations,
					 uint32_t *first, uint32_t number)
{
	struct ms_coherence_invalidation *invalidation =
		ms_coherence_get_invalidation(invalidations, number);

	if (--invalidation->refs > 0)
		return;
	while (*first != number)
		first = &ms_coherence_get_invalidation(invalidations, *first)->next;
	*first = invalidation->next;
	ms_coherence_drop_invalidation(invalidations, number);
}

/* Bytes from..to of the line were written; or, from byte `from` on, which no 64 bytes end before,
 * those whose bits are set. */
void ms_coherence_mark_written(struct ms_coherence_invalidation *invalidation, uint32_t from,
			       uint32_t to);
bool ms_coherence_is_written(const struct ms_coherence_invalidation *invalidation, uint32_t from,
			     uint32_t to);

MS_INLINE void ms_coherence_mark_written_bits(struct ms_coherence_invalidation *invalidation,
					      uint32_t from, uint64_t bits)
{
	invalidation->written[from / 64] |= bits << from % 64;
}

#endif
