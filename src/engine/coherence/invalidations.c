#include "engine/coherence/invalidations.h"

#include <string.h>

#include "base/mem.h"

enum { FIRST_ROOM = 64 };

void ms_coherence_open_invalidations(struct ms_coherence_invalidations *invalidations,
				     uint32_t line_bytes)
{
	*invalidations = (struct ms_coherence_invalidations){
		.stride = sizeof(struct ms_coherence_invalidation) +
			  (line_bytes + 63) / 64 * sizeof(uint64_t),
		.n = 1,
	};
}

void ms_coherence_close_invalidations(struct ms_coherence_invalidations *invalidations)
{
	ms_free(invalidations->at);
}

uint32_t ms_coherence_grow_invalidations(struct ms_coherence_invalidations *invalidations)
{
	if (invalidations->n >= invalidations->room) {
		invalidations->room =
			invalidations->room == 0 ? FIRST_ROOM : invalidations->room * 2;
		invalidations->at =
			ms_realloc(invalidations->at, invalidations->room * invalidations->stride);
	}
	memset(ms_coherence_get_invalidation(invalidations, invalidations->n), 0,
	       invalidations->stride);
	return invalidations->n++;
}

/* Returns the bits of bytes from..to in word i. */
static uint64_t bits_of(uint32_t i, uint32_t from, uint32_t to)
{
	uint64_t bits = UINT64_MAX;

	if (from / 64 == i)
		bits &= UINT64_MAX << from % 64;
	if (to / 64 == i)
		bits &= UINT64_MAX >> (63 - to % 64);
	return bits;
}

void ms_coherence_mark_written(struct ms_coherence_invalidation *invalidation, uint32_t from,
			       uint32_t to)
{
	for (uint32_t i = from / 64; i <= to / 64; i++)
		invalidation->written[i] |= bits_of(i, from, to);
}

bool ms_coherence_is_written(const struct ms_coherence_invalidation *invalidation, uint32_t from,
			     uint32_t to)
{
	for (uint32_t i = from / 64; i <= to / 64; i++)
		if (invalidation->written[i] & bits_of(i, from, to))
			return true;
	return false;
}
