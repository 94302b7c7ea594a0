/* engine/address_map/memory_regions.c - sorted chunks of sorted regions; a full chunk is split. */
#include "engine/address_map/memory_regions.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

#ifdef MS_TINY
enum { CHUNK = 4 };
#else
enum { CHUNK = 64 };
#endif

struct ms_address_map_region_chunk {
	uint32_t n;
	struct ms_address_map_region at[CHUNK];
};

void ms_address_map_close_regions(struct ms_address_map_regions *regions)
{
	for (size_t i = 0; i < regions->chunks.n; i++)
		ms_free(regions->chunks.at[i]);
	ms_vec_free(&regions->chunks);
}

uint64_t ms_address_map_measure_regions(const struct ms_address_map_regions *regions)
{
	return regions->chunks.cap * sizeof(*regions->chunks.at) +
	       regions->chunks.n * sizeof(struct ms_address_map_region_chunk);
}

/* --- finding --- */

/* The first chunk whose last region ends above address. */
static size_t chunk_after(const struct ms_address_map_regions *regions, uint64_t address)
{
	size_t low = 0, high = regions->chunks.n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct ms_address_map_region_chunk *chunk = regions->chunks.at[middle];

		if (chunk->at[chunk->n - 1].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t first_after(const struct ms_address_map_region_chunk *chunk, uint64_t address)
{
	uint32_t low = 0, high = chunk->n;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (chunk->at[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct ms_address_map_region *
ms_address_map_find_region(const struct ms_address_map_regions *regions, uint64_t address)
{
	size_t c = chunk_after(regions, address);

	if (c == regions->chunks.n)
		return NULL;
	return &regions->chunks.at[c]->at[first_after(regions->chunks.at[c], address)];
}

/* --- adding and removing --- */

static void insert_chunk(struct ms_address_map_regions *regions, size_t c)
{
	ms_vec_add(&regions->chunks);
	memmove(&regions->chunks.at[c + 1], &regions->chunks.at[c],
		(regions->chunks.n - 1 - c) * sizeof(*regions->chunks.at));
	regions->chunks.at[c] = ms_alloc(sizeof(struct ms_address_map_region_chunk));
}

static void split_chunk(struct ms_address_map_regions *regions, size_t c)
{
	insert_chunk(regions, c + 1);

	struct ms_address_map_region_chunk *full = regions->chunks.at[c],
					   *rest = regions->chunks.at[c + 1];
	rest->n = full->n / 2;
	full->n -= rest->n;
	memcpy(rest->at, full->at + full->n, rest->n * sizeof(*rest->at));
}

void ms_address_map_add_region(struct ms_address_map_regions *regions,
			       const struct ms_address_map_region *region)
{
	size_t c = chunk_after(regions, region->start);

	assert(region->start < region->end);
	if (regions->chunks.n == 0)
		insert_chunk(regions, 0);
	else if (c == regions->chunks.n)
		c--; /* after all others: at the end of the last chunk */
	if (regions->chunks.at[c]->n == CHUNK) {
		split_chunk(regions, c);
		const struct ms_address_map_region_chunk *half = regions->chunks.at[c];
		c += half->at[half->n - 1].end <= region->start;
	}

	struct ms_address_map_region_chunk *chunk = regions->chunks.at[c];
	uint32_t i = first_after(chunk, region->start);
	assert(i == chunk->n || chunk->at[i].start >= region->end);
	memmove(&chunk->at[i + 1], &chunk->at[i], (chunk->n - i) * sizeof(*chunk->at));
	chunk->at[i] = *region;
	chunk->n++;
}

void ms_address_map_remove_region(struct ms_address_map_regions *regions, uint64_t start)
{
	size_t c = chunk_after(regions, start);

	assert(c < regions->chunks.n);
	struct ms_address_map_region_chunk *chunk = regions->chunks.at[c];
	uint32_t i = first_after(chunk, start);
	assert(chunk->at[i].start == start);
	chunk->n--;
	memmove(&chunk->at[i], &chunk->at[i + 1], (chunk->n - i) * sizeof(*chunk->at));
	if (chunk->n > 0)
		return;
	ms_free(chunk);
	regions->chunks.n--;
	memmove(&regions->chunks.at[c], &regions->chunks.at[c + 1],
		(regions->chunks.n - c) * sizeof(*regions->chunks.at));
}
