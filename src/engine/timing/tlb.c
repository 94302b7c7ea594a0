/* engine/timing/tlb.c - see tlb.h. */
#include "engine/timing/tlb.h"

#include "base/mem.h"

void ms_timing_open_tlb(struct ms_timing_tlb *tlb, const struct ms_timing_config *config)
{
	*tlb = (struct ms_timing_tlb){ .now = 1 };
	if (config->walk_latency == 0)
		return;
	tlb->first_sets = config->tlb_entries / MS_TIMING_FIRST_TLB_WAYS + 1;
	tlb->second_sets = config->second_entries / MS_TIMING_TLB_WAYS + 1;
	tlb->first = ms_alloc(tlb->first_sets * MS_TIMING_FIRST_TLB_WAYS * sizeof(*tlb->first));
	tlb->second = ms_alloc(tlb->second_sets * MS_TIMING_TLB_WAYS * sizeof(*tlb->second));
}

void ms_timing_close_tlb(struct ms_timing_tlb *tlb)
{
	ms_free(tlb->first);
	ms_free(tlb->second);
}

static bool is_older(const struct ms_timing_tlb_entry *a, const struct ms_timing_tlb_entry *b)
{
	return a->used != b->used ? a->used < b->used : a->page_plus_1 < b->page_plus_1;
}

/* Whether the page is in the set. If not, it replaces the oldest entry that is older than it. */
static bool use_page(struct ms_timing_tlb_entry *set, uint32_t ways, uint64_t page, uint64_t now)
{
	struct ms_timing_tlb_entry entry = { page + 1, now };
	uint32_t oldest = 0;

	for (uint32_t way = 0; way < ways; way++) {
		if (set[way].page_plus_1 == page + 1) {
			set[way].used = now;
			return true;
		}
		if (is_older(&set[way], &set[oldest]))
			oldest = way;
	}
	if (is_older(&set[oldest], &entry))
		set[oldest] = entry;
	return false;
}

/* Whether all entries of a set were used in this window. */
static bool is_known(const struct ms_timing_tlb *tlb, const struct ms_timing_tlb_entry *set)
{
	for (uint32_t way = 0; way < MS_TIMING_TLB_WAYS; way++)
		if (set[way].used < tlb->known_since)
			return false;
	return true;
}

static bool use_second(struct ms_timing_tlb *tlb, uint64_t page)
{
	struct ms_timing_tlb_entry *set =
		tlb->second + page % tlb->second_sets * MS_TIMING_TLB_WAYS;
	bool was_known = is_known(tlb, set);

	return use_page(set, MS_TIMING_TLB_WAYS, page, tlb->now) || !was_known;
}

void ms_timing_begin_tlb_window(struct ms_timing_tlb *tlb)
{
	tlb->known_since = tlb->now;
}

enum ms_timing_translation ms_timing_translate(struct ms_timing_tlb *tlb, uint64_t page)
{
	if (tlb->second_sets == 0)
		return MS_TIMING_TLB_HIT;
	tlb->now++;
	bool first = use_page(tlb->first + page % tlb->first_sets * MS_TIMING_FIRST_TLB_WAYS,
			      MS_TIMING_FIRST_TLB_WAYS, page, tlb->now);

	if (use_second(tlb, page))
		return first ? MS_TIMING_TLB_HIT : MS_TIMING_TLB_SECOND;
	return MS_TIMING_TLB_WALK;
}

void ms_timing_touch_page(struct ms_timing_tlb *tlb, uint64_t page)
{
	if (tlb->second_sets > 0)
		use_second(tlb, page);
}

void ms_timing_end_tlb_batch(struct ms_timing_tlb *tlb)
{
	tlb->now++;
}
