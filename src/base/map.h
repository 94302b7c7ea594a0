/*
 * base/map.h - hash maps: pairs of 64-bit keys to a 32-bit number, and strings to themselves.
 *
 * Open addressing, linear probing, no removal: memspy never removes entries.
 */
#ifndef MS_BASE_MAP_H
#define MS_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct ms_map_slot;

struct ms_map {
	struct ms_map_slot *slots;
	size_t n;
	size_t cap; /* a power of two, or 0 */
};

#define MS_MAP_INIT        \
	{                  \
		NULL, 0, 0 \
	}
#define MS_MAP_NONE UINT32_MAX

/* The number of (a, b), or MS_MAP_NONE. */
uint32_t ms_map_get(const struct ms_map *map, uint64_t a, uint64_t b);
/* The entry with the number of (a, b); MS_MAP_NONE if it is new. Valid until the next call. */
uint32_t *ms_map_at(struct ms_map *map, uint64_t a, uint64_t b);
void ms_map_free(struct ms_map *map);
size_t ms_map_bytes(const struct ms_map *map);

/* Interned names: equal strings are equal pointers. */
struct ms_names {
	struct ms_arena arena;
	const char **slots;
	size_t n;
	size_t cap;
};

#define MS_NAMES_INIT                     \
	{                                 \
		MS_ARENA_INIT, NULL, 0, 0 \
	}

const char *ms_intern(struct ms_names *names, const char *text);
const char *ms_intern_n(struct ms_names *names, const char *text, size_t n);
void ms_names_free(struct ms_names *names);

MS_INLINE uint64_t ms_hash(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b * UINT64_C(0x9e3779b97f4a7c15))) * UINT64_C(0xbf58476d1ce4e5b9);

	h ^= h >> 29;
	h *= UINT64_C(0x94d049bb133111eb);
	return h ^ (h >> 32);
}

#endif
