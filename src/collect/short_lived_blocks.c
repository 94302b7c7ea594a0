#include "collect/short_lived_blocks.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "wire/wire.h"

static struct ms_collect_short_lived_block *latest_block(struct ms_collect_short_lived *p,
							 uint32_t address)
{
	return &p->last[(address ^ address >> 12) % MS_COLLECT_SHORT_LIVED_SLOTS];
}

/* Two allocations at one address without a free between them: the next free is ambiguous. */
static void record_allocation(struct ms_collect_short_lived *p, uint32_t address, uint32_t word)
{
	struct ms_collect_short_lived_block *last = latest_block(p, address);
	bool again = last->record_number == p->record_number && last->address == address;

	*last = (struct ms_collect_short_lived_block){ address, p->record_number,
						       again ? 0 : word + 1 };
}

static void record_free(struct ms_collect_short_lived *p, uint32_t address, uint32_t word)
{
	struct ms_collect_short_lived_block *last = latest_block(p, address);

	if (last->record_number != p->record_number || last->address != address)
		return;
	if (last->alloc_word != 0) {
		p->partner[word] = (uint16_t)last->alloc_word;
		p->partner[last->alloc_word - 1] = (uint16_t)(word + 1);
	}
	last->record_number = 0;
}

void ms_collect_find_short_lived(struct ms_collect_short_lived *p, const uint64_t *words, size_t n)
{
	assert(n < MS_COLLECT_SHORT_LIVED_MOST);
	if (++p->record_number == 0) {
		memset(p->last, 0, sizeof(p->last));
		p->record_number = 1;
	}
	for (size_t i = 0; i < n; i++) {
		p->partner[i] = 0;
		if ((words[i] & MS_WIRE_PACKED_ALLOC) != 0)
			record_allocation(p, (uint32_t)words[i], (uint32_t)i);
		else
			record_free(p, (uint32_t)words[i], (uint32_t)i);
	}
}
