#include "base/map.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"

struct ms_map_slot {
	uint64_t a;
	uint64_t b;
	uint32_t value;
	bool used;
};

static struct ms_map_slot *find(const struct ms_map *map, uint64_t a, uint64_t b)
{
	size_t i = ms_hash(a, b) & (map->cap - 1);

	while (map->slots[i].used && (map->slots[i].a != a || map->slots[i].b != b))
		i = (i + 1) & (map->cap - 1);
	return &map->slots[i];
}

/* A large table is read and written in all of its pages directly after its allocation. */
enum { IN_PAGES = 128 * 1024 };

static struct ms_map_slot *alloc_slots(size_t cap)
{
	size_t bytes = cap * sizeof(struct ms_map_slot);

	return bytes >= IN_PAGES ? ms_pages_alloc_full(bytes) : ms_alloc(bytes);
}

static void free_slots(struct ms_map_slot *slots, size_t cap)
{
	size_t bytes = cap * sizeof(*slots);

	if (bytes >= IN_PAGES)
		ms_pages_free(slots, bytes);
	else
		ms_free(slots);
}

static void grow(struct ms_map *map)
{
	struct ms_map old = *map;

	map->cap = old.cap ? old.cap * 2 : 64;
	map->slots = alloc_slots(map->cap);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].used)
			*find(map, old.slots[i].a, old.slots[i].b) = old.slots[i];
	free_slots(old.slots, old.cap);
}

uint32_t ms_map_get(const struct ms_map *map, uint64_t a, uint64_t b)
{
	if (map->cap == 0)
		return MS_MAP_NONE;
	const struct ms_map_slot *slot = find(map, a, b);
	return slot->used ? slot->value : MS_MAP_NONE;
}

uint32_t *ms_map_at(struct ms_map *map, uint64_t a, uint64_t b)
{
	if (map->n * 2 >= map->cap)
		grow(map);

	struct ms_map_slot *slot = find(map, a, b);
	if (!slot->used) {
		*slot = (struct ms_map_slot){ a, b, MS_MAP_NONE, true };
		map->n++;
	}
	return &slot->value;
}

void ms_map_free(struct ms_map *map)
{
	free_slots(map->slots, map->cap);
	*map = (struct ms_map)MS_MAP_INIT;
}

size_t ms_map_bytes(const struct ms_map *map)
{
	return map->cap * sizeof(*map->slots);
}

static uint64_t text_hash(const char *text, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return ms_hash(h, n);
}

static const char **names_find(const struct ms_names *names, const char *text, size_t n)
{
	size_t i = text_hash(text, n) & (names->cap - 1);

	while (names->slots[i] != NULL &&
	       (strncmp(names->slots[i], text, n) != 0 || names->slots[i][n] != '\0'))
		i = (i + 1) & (names->cap - 1);
	return &names->slots[i];
}

static void names_grow(struct ms_names *names)
{
	const char **old = names->slots;
	size_t old_cap = names->cap;

	names->cap = old_cap ? old_cap * 2 : 64;
	names->slots = ms_alloc(names->cap * sizeof(*names->slots));
	for (size_t i = 0; i < old_cap; i++)
		if (old[i] != NULL)
			*names_find(names, old[i], strlen(old[i])) = old[i];
	ms_free(old);
}

const char *ms_intern_n(struct ms_names *names, const char *text, size_t n)
{
	if (names->n * 2 >= names->cap)
		names_grow(names);

	const char **slot = names_find(names, text, n);
	if (*slot == NULL) {
		*slot = ms_arena_strndup(&names->arena, text, n);
		names->n++;
	}
	return *slot;
}

const char *ms_intern(struct ms_names *names, const char *text)
{
	return ms_intern_n(names, text, strlen(text));
}

void ms_names_free(struct ms_names *names)
{
	ms_free(names->slots);
	ms_arena_free(&names->arena);
	*names = (struct ms_names)MS_NAMES_INIT;
}
