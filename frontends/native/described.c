/* described.c - see described.h. A hash table with linear probing, which grows. */
#include "described.h"

#include "runtime/libc_substitutes.h"

enum { FIRST = 1 << 14, MOST = 1 << 21 }; /* entries, a power of two; at most half are used */

static struct place {
	uint64_t pc, hash; /* pc: first instruction; 0: free */
	uint64_t generation;
	uint32_t exit;
} * places;
static uint32_t place_count, used;
static struct place next; /* what ms_described_add() adds */

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static struct place *place_of(struct place *all, uint32_t count, uint64_t hash, uint32_t probe)
{
	return &all[((uint32_t)(hash >> 24) + probe) & (count - 1)];
}

static void put(struct place *all, uint32_t count, const struct place *p)
{
	uint32_t probe = 0;

	while (place_of(all, count, p->hash, probe)->pc != 0)
		probe++;
	*place_of(all, count, p->hash, probe) = *p;
}

/* False: out of memory, or the table has its maximum size. */
static bool has_room(void)
{
	uint32_t more = place_count == 0 ? FIRST : place_count * 2;
	struct place *all;

	if (used < place_count / 2)
		return true;
	all = more <= MOST ? ms_pages(more * sizeof(*all)) : NULL;
	if (all == NULL)
		return false;
	for (uint32_t i = 0; i < place_count; i++)
		if (places[i].pc != 0)
			put(all, more, &places[i]);
	ms_pages_free(places, place_count * sizeof(*places));
	places = all;
	place_count = more;
	return true;
}

bool ms_described_find(const uint64_t *words, uint32_t n, uint32_t kind, uint64_t generation,
		       uint32_t *exit)
{
	uint64_t hash = mix(n, kind);

	for (uint32_t i = 0; i < n; i++)
		hash = mix(hash, words[i]);
	next = (struct place){ .pc = words[1], .hash = hash, .generation = generation };
	for (uint32_t probe = 0; place_count != 0; probe++) {
		struct place *p = place_of(places, place_count, hash, probe);

		if (p->pc == 0)
			break;
		if (p->hash != hash || p->pc != next.pc || p->generation == generation)
			continue;
		p->generation = generation;
		*exit = p->exit;
		return true;
	}
	return false;
}

void ms_described_add(uint32_t exit)
{
	if (!has_room())
		return;
	next.exit = exit;
	put(places, place_count, &next);
	used++;
}

void ms_described_forget(void)
{
	ms_pages_free(places, place_count * sizeof(*places));
	places = NULL;
	place_count = used = 0;
}
