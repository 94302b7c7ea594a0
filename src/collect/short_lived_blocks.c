#include "collect/short_lived_blocks.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "wire/wire.h"

static struct ms_collect_short_lived_block *last_at(struct ms_collect_short_lived *p,
						    uint32_t place)
{
	return &p->last[(place ^ place >> 12) % MS_COLLECT_SHORT_LIVED_SLOTS];
}

/* Two allocations at one place without a free between them: the next free is ambiguous. */
static void record_allocation(struct ms_collect_short_lived *p, uint32_t place, uint32_t word)
{
	struct ms_collect_short_lived_block *last = last_at(p, place);
	bool again = last->turn == p->turn && last->place == place;

	*last = (struct ms_collect_short_lived_block){ place, p->turn, again ? 0 : word + 1 };
}

static void record_free(struct ms_collect_short_lived *p, uint32_t place, uint32_t word)
{
	struct ms_collect_short_lived_block *last = last_at(p, place);

	if (last->turn != p->turn || last->place != place)
		return;
	if (last->came != 0) {
		p->partner[word] = (uint16_t)last->came;
		p->partner[last->came - 1] = (uint16_t)(word + 1);
	}
	last->turn = 0;
}

void ms_collect_find_short_lived(struct ms_collect_short_lived *p, const uint64_t *words, size_t n)
{
	assert(n < MS_COLLECT_SHORT_LIVED_MOST);
	if (++p->turn == 0) {
		memset(p->last, 0, sizeof(p->last));
		p->turn = 1;
	}
	for (size_t i = 0; i < n; i++) {
		p->partner[i] = 0;
		if ((words[i] & MS_WIRE_PACKED_ALLOC) != 0)
			record_allocation(p, (uint32_t)words[i], (uint32_t)i);
		else
			record_free(p, (uint32_t)words[i], (uint32_t)i);
	}
}
