#include "engine/coherence/sharing_misses.h"

#include "base/map.h"
#include "base/mem.h"

enum { SMALLEST_TABLE = 64 };

void ms_coherence_close_sharing(struct ms_coherence_sharing_table *sharing)
{
	ms_free(sharing->at);
	ms_arena_free(&sharing->arena);
}

uint64_t ms_coherence_measure_sharing(const struct ms_coherence_sharing_table *sharing)
{
	return sharing->arena.taken +
	       (sharing->at != NULL ? (sharing->mask + 1) * sizeof(*sharing->at) : 0);
}

static uint32_t hash_of(const struct ms_coherence_sharing_miss *s)
{
	uint64_t cells = (uint64_t)s->cell << 32 | s->writer;
	uint64_t offsets = (uint64_t)s->offset << 32 | s->writer_offset;

	return (uint32_t)ms_hash(ms_hash(cells, s->line), offsets);
}

static bool is_same(const struct ms_coherence_sharing_miss *x,
		    const struct ms_coherence_sharing_miss *y)
{
	return ms_coherence_is_sharing_miss(x, y->cell, y->writer, y->line, y->offset,
					    y->writer_offset);
}

/* Returns the slot that contains it, or the empty slot for it. */
static struct ms_coherence_sharing_miss **find(const struct ms_coherence_sharing_table *sharing,
					       const struct ms_coherence_sharing_miss *like)
{
	uint32_t i = hash_of(like) & sharing->mask;

	while (sharing->at[i] != NULL && !is_same(sharing->at[i], like))
		i = (i + 1) & sharing->mask;
	return &sharing->at[i];
}

static void grow(struct ms_coherence_sharing_table *sharing)
{
	struct ms_coherence_sharing_table old = *sharing;
	uint32_t room = old.at == NULL ? SMALLEST_TABLE : (old.mask + 1) * 2;

	sharing->at = ms_alloc(room * sizeof(*sharing->at));
	sharing->mask = room - 1;
	for (uint32_t i = 0; old.at != NULL && i <= old.mask; i++)
		if (old.at[i] != NULL)
			*find(sharing, old.at[i]) = old.at[i];
	ms_free(old.at);
}

struct ms_coherence_sharing_miss *
ms_coherence_get_sharing_miss(struct ms_coherence_sharing_table *sharing,
			      const struct ms_coherence_sharing_miss *like)
{
	struct ms_coherence_sharing_miss **recent =
		ms_coherence_get_recent_sharing(sharing, like->cell, like->writer, like->line);
	struct ms_coherence_sharing_miss rest;

	if (is_same(*recent, like))
		return *recent;
	if (sharing->at == NULL || sharing->n * 2 > sharing->mask)
		grow(sharing);
	struct ms_coherence_sharing_miss **at = find(sharing, like);
	if (*at == NULL && sharing->n >= MS_COHERENCE_MAX_SHARING && like->line != UINT64_MAX) {
		rest = (struct ms_coherence_sharing_miss){ .cell = like->cell,
							   .writer = like->writer,
							   .line = UINT64_MAX,
							   .object = UINT64_MAX,
							   .writer_object = UINT64_MAX };
		return ms_coherence_get_sharing_miss(sharing, &rest);
	}
	if (*at == NULL) {
		*at = ms_arena_take(&sharing->arena, sizeof(**at));
		**at = *like;
		sharing->n++;
	}
	*recent = *at;
	return *at;
}
