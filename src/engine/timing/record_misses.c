/*
 * engine/timing/record_misses.c - what shards record for the timing model while they simulate: the
 * misses of observed batches; of the others, the pages of lines that missed the second level.
 */
#include <string.h>

#include "engine/engine_priv.h"
#include "engine/timing/observed.h"

/* NULL: nothing is to be recorded. */
static struct ms_timing_share *find_share(const struct ms_engine_shard *shard, unsigned batch_index,
					  bool *is_observed)
{
	if (shard->engine->timing == NULL)
		return NULL;
	struct ms_timing_batch *batch = ms_timing_get_batch(shard->engine->timing, batch_index);

	*is_observed = batch->is_observed;
	return &batch->shares[shard->number];
}

static void record_first(struct ms_timing_share *share, const struct ms_caches_miss *lines,
			 size_t n)
{
	share->recorded = share->misses.n;
	ms_vec_reserve(&share->misses, n);
	for (size_t i = 0; i < n; i++)
		share->misses.at[share->misses.n++] = (struct ms_timing_miss){
			.line = lines[i].line,
			.site = lines[i].cell->site,
			.data = lines[i].cell->data,
			.missed = 1,
			.next = lines[i].reference,
		};
}

/* The lines that missed a further level are some of those that missed the first, in order. */
static void record_further(struct ms_timing_share *share, const struct ms_caches_miss *lines,
			   size_t n)
{
	struct ms_timing_miss *miss = share->misses.at + share->recorded;

	for (size_t i = 0; i < n; i++, miss++) {
		while (miss->line != lines[i].line || miss->next != lines[i].reference)
			miss++;
		miss->missed++;
	}
}

/* A page that is recorded again in the same batch makes no difference. */
static void record_page(struct ms_timing_share *share, uint64_t page)
{
	uint64_t *recent = &share->recent_pages[page % MS_TIMING_RECENT_PAGES];

	if (*recent == page)
		return;
	*recent = page;
	*ms_vec_add(&share->pages) = page;
}

static void record_pages(const struct ms_engine_shard *shard, struct ms_timing_share *share,
			 const struct ms_caches_miss *lines, size_t n)
{
	uint32_t shift = ms_timing_get_page_shift(shard->engine->timing);

	if (share->pages.n == 0)
		memset(share->recent_pages, 0xff, sizeof(share->recent_pages));
	share->lines += n;
	for (size_t i = 0; i < n; i++)
		record_page(share, lines[i].line >> shift);
}

void ms_timing_record_misses(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			     const struct ms_caches_miss *lines, size_t n)
{
	bool is_observed;
	struct ms_timing_share *share = find_share(shard, batch_index, &is_observed);

	if (share == NULL)
		return;
	if (is_observed && level == 0)
		record_first(share, lines, n);
	else if (is_observed)
		record_further(share, lines, n);
	else if (level == 1)
		record_pages(shard, share, lines, n);
}

bool ms_timing_is_observed(const struct ms_engine *engine, unsigned batch_index)
{
	return engine->timing != NULL &&
	       ms_timing_get_batch(engine->timing, batch_index)->is_observed;
}

void ms_timing_record_processor_miss(struct ms_engine_shard *shard, unsigned batch_index,
				     const struct ms_timing_miss *miss)
{
	struct ms_timing_batch *batch = ms_timing_get_batch(shard->engine->timing, batch_index);

	*ms_vec_add(&batch->shares[shard->number].misses) = *miss;
}

void ms_timing_record_miss(struct ms_engine_shard *shard, unsigned batch_index,
			   const struct ms_caches_miss *f, unsigned missed)
{
	bool is_observed;
	struct ms_timing_share *share = find_share(shard, batch_index, &is_observed);

	if (share == NULL || missed == 0)
		return;
	if (is_observed)
		*ms_vec_add(&share->misses) = (struct ms_timing_miss){
			.line = f->line,
			.site = f->cell->site,
			.data = f->cell->data,
			.missed = missed,
		};
	else if (missed > 1)
		record_pages(shard, share, f, 1);
}
