/* described_blocks.c - see described_blocks.h. A hash table with linear probing, which grows. */
#include "tracer/described_blocks.h"

#include "runtime/libc_substitutes.h"

enum { FIRST = 1 << 10, MOST = 1 << 21 }; /* entries, a power of two; at most half are used */

static struct description {
	uint64_t pc, hash; /* pc: first instruction; 0: free */
	uint64_t generation;
	uint32_t exit;
	uint32_t kinds; /* a bit for each kind of code that has a block of it in this generation */
} * descriptions;
static uint32_t table_size, used;
static struct description pending; /* what ms_tracer_add_description() adds */

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static struct description *get_slot(struct description *all, uint32_t count, uint64_t hash,
				    uint32_t probe)
{
	return &all[((uint32_t)(hash >> 24) + probe) & (count - 1)];
}

static void insert(struct description *all, uint32_t count, const struct description *p)
{
	uint32_t probe = 0;

	while (get_slot(all, count, p->hash, probe)->pc != 0)
		probe++;
	*get_slot(all, count, p->hash, probe) = *p;
}

/* False: out of memory, or the table has its maximum size. */
static bool has_room(void)
{
	uint32_t more = table_size == 0 ? FIRST : table_size * 2;
	struct description *all;

	if (used < table_size / 2)
		return true;
	all = more <= MOST ? ms_runtime_map_pages(more * sizeof(*all)) : NULL;
	if (all == NULL)
		return false;
	for (uint32_t i = 0; i < table_size; i++)
		if (descriptions[i].pc != 0)
			insert(all, more, &descriptions[i]);
	ms_runtime_unmap_pages(descriptions, table_size * sizeof(*descriptions));
	descriptions = all;
	table_size = more;
	return true;
}

/* Uses the description for a block of this kind; false: such a block uses it already. */
static bool take(struct description *p, uint32_t kind, uint64_t generation)
{
	uint32_t kinds = p->generation == generation ? p->kinds : 0;

	if (kinds >> kind & 1)
		return false;
	p->generation = generation;
	p->kinds = kinds | 1u << kind;
	return true;
}

bool ms_tracer_find_description(const uint64_t *words, uint32_t n, uint32_t kind,
				uint64_t generation, uint32_t *exit)
{
	uint64_t hash = n;

	for (uint32_t i = 0; i < n; i++)
		hash = mix(hash, words[i]);
	pending = (struct description){ words[1], hash, generation, 0, 1u << kind };
	for (uint32_t probe = 0; table_size != 0; probe++) {
		struct description *p = get_slot(descriptions, table_size, hash, probe);

		if (p->pc == 0)
			break;
		if (p->hash != hash || p->pc != pending.pc || !take(p, kind, generation))
			continue;
		*exit = p->exit;
		return true;
	}
	return false;
}

void ms_tracer_add_description(uint32_t exit)
{
	if (!has_room())
		return;
	pending.exit = exit;
	insert(descriptions, table_size, &pending);
	used++;
}

void ms_tracer_forget_descriptions(void)
{
	ms_runtime_unmap_pages(descriptions, table_size * sizeof(*descriptions));
	descriptions = NULL;
	table_size = used = 0;
}
