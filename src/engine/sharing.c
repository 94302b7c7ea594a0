#include "engine/sharing.h"

#include "base/map.h"
#include "base/mem.h"

enum { SMALLEST_TABLE = 64 };

void ms_sharing_close(struct sharing *sharing)
{
	ms_free(sharing->at);
	ms_arena_free(&sharing->arena);
}

uint64_t ms_sharing_bytes(const struct sharing *sharing)
{
	return sharing->arena.taken +
	       (sharing->at != NULL ? (sharing->mask + 1) * sizeof(*sharing->at) : 0);
}

static uint32_t hash_of(const struct shared *s)
{
	uint64_t cells = (uint64_t)s->cell << 32 | s->writer;
	uint64_t offsets = (uint64_t)s->offset << 32 | s->writer_offset;

	return (uint32_t)ms_hash(ms_hash(cells, s->line), offsets);
}

static bool is_same(const struct shared *x, const struct shared *y)
{
	return ms_shared_is(x, y->cell, y->writer, y->line, y->offset, y->writer_offset);
}

/* Where it stands, or may be entered. */
static struct shared **find(const struct sharing *sharing, const struct shared *like)
{
	uint32_t i = hash_of(like) & sharing->mask;

	while (sharing->at[i] != NULL && !is_same(sharing->at[i], like))
		i = (i + 1) & sharing->mask;
	return &sharing->at[i];
}

static void grow(struct sharing *sharing)
{
	struct sharing old = *sharing;
	uint32_t room = old.at == NULL ? SMALLEST_TABLE : (old.mask + 1) * 2;

	sharing->at = ms_alloc(room * sizeof(*sharing->at));
	sharing->mask = room - 1;
	for (uint32_t i = 0; old.at != NULL && i <= old.mask; i++)
		if (old.at[i] != NULL)
			*find(sharing, old.at[i]) = old.at[i];
	ms_free(old.at);
}

struct shared *ms_sharing_at(struct sharing *sharing, const struct shared *like)
{
	struct shared **near = ms_sharing_near(sharing, like->cell, like->writer, like->line);
	struct shared rest;

	if (is_same(*near, like))
		return *near;
	if (sharing->at == NULL || sharing->n * 2 > sharing->mask)
		grow(sharing);
	struct shared **at = find(sharing, like);
	if (*at == NULL && sharing->n >= MS_SHARING_MOST && like->line != UINT64_MAX) {
		rest = (struct shared){ .cell = like->cell,
					.writer = like->writer,
					.line = UINT64_MAX,
					.object = UINT64_MAX,
					.writer_object = UINT64_MAX };
		return ms_sharing_at(sharing, &rest);
	}
	if (*at == NULL) {
		*at = ms_arena_take(&sharing->arena, sizeof(**at));
		**at = *like;
		sharing->n++;
	}
	*near = *at;
	return *at;
}
