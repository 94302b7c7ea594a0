/*
 * engine/coherence/invalidations.h - copies of lines that a write has invalidated in other caches:
 * the writer, and the bytes written since.
 *
 * A write invalidates all other copies at once: this is one invalidation. It lasts until all of
 * the caches have the line again. The invalidations of a line form a list, and each write to the
 * line marks its bytes in all of them. So a miss can be classified as true or false sharing when
 * it happens. Lines without invalidated copies cost nothing.
 */
#ifndef MS_ENGINE_COHERENCE_INVALIDATIONS_H
#define MS_ENGINE_COHERENCE_INVALIDATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct ms_coherence_invalidation {
	uint32_t next;      /* in the list of the line, or of free ones; 0: none */
	uint32_t refs;      /* record words that contain its number */
	uint32_t writer;    /* number of the writer's miss counters */
	uint32_t offset;    /* offset in the line of the first byte written */
	uint64_t object;    /* start of the object that was written */
	uint64_t written[]; /* one bit for each byte of the line */
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
/* Adds an entry when none is free. May move the array. */
uint32_t ms_coherence_grow_invalidations(struct ms_coherence_invalidations *invalidations);

MS_INLINE struct ms_coherence_invalidation *
ms_coherence_get_invalidation(const struct ms_coherence_invalidations *invalidations,
			      uint32_t number)
{
	return (struct ms_coherence_invalidation *)(void *)(invalidations->at +
							    number * invalidations->stride);
}

/* Returns an invalidation without written bytes. May move the array. */
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

/* Adds it to the free list. */
MS_INLINE void ms_coherence_drop_invalidation(struct ms_coherence_invalidations *invalidations,
					      uint32_t number)
{
	ms_coherence_get_invalidation(invalidations, number)->next = invalidations->free;
	invalidations->free = number;
}

/* A cache has the line again. The last copy ends the invalidation, which is in the list *first. */
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

/* Marks or tests bytes from..to of the line. The last function marks the bytes whose bits are set,
 * counted from byte `from`; they must not cross a multiple of 64. */
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
