#include "engine/caches/miss_attribution.h"

/* Counts lines of the cell's data that entered the level, and the lines that they evicted. */
static void count_lines(struct ms_caches_attributions *attributions,
			const struct ms_caches_attribution *c)
{
	struct ms_engine_shard *shard = attributions->shard;
	uint32_t data = c->cell->data;
	int n = (int)c->count;

	if (c->left == MS_CACHES_NEVER_PRESENT) {
		ms_count_add_lines(&shard->counts.line_changes, attributions->level, data, n);
		return;
	}
	uint32_t victim = ms_caches_get_record_data(c->left);
	ms_count_add_pairs(&shard->counts.miss_counters,
			   ms_engine_get_miss_counters(shard, c->cell), attributions->level,
			   MS_COUNT_PAIR_EVICTS, victim, c->count);
	ms_count_replace_lines(&shard->counts.line_changes, attributions->level, data, victim, n);
}

static void count_attribution(struct ms_caches_attributions *attributions,
			      const struct ms_caches_attribution *c)
{
	struct ms_engine_shard *shard = attributions->shard;
	struct ms_count_misses *counters = ms_engine_get_miss_counters(shard, c->cell);
	uint32_t phase =
		attributions->windows ? attributions->phase : c->kind & MS_CACHES_ATTRIBUTION_PHASE;

	count_lines(attributions, c);
	ms_count_add_misses(&shard->counts.miss_counters, counters, attributions->level, c->came,
			    c->count);
	if (attributions->weight != 0)
		ms_count_get_processor_misses(&shard->counts.miss_counters, counters,
					      attributions->level)
			->weighted += (uint64_t)attributions->weight * c->count;
	ms_count_add_phase_misses(&shard->counts.phases, phase, attributions->level, shard->levels,
				  c->count);
	if (attributions->windows)
		ms_engine_windows_count_misses(attributions, c);
}

MS_NOINLINE void ms_caches_replace_attribution(struct ms_caches_attributions *attributions,
					       struct ms_caches_attribution *at,
					       const struct ms_caches_attribution *by)
{
	if (at->cell != NULL)
		count_attribution(attributions, at);
	else
		attributions->used[attributions->used_count++] = (uint8_t)(at - attributions->at);
	*at = *by;
}

void ms_caches_attribute_separately(struct ms_caches_attributions *attributions,
				    const struct ms_caches_miss *f, uint32_t came, uint32_t left,
				    bool first)
{
	count_lines(attributions, &(struct ms_caches_attribution){ f->cell, came, left, 0, 1 });
	if (first)
		ms_engine_count_miss(attributions->shard, attributions->batch_index, f,
				     attributions->level, came);
}

void ms_caches_flush_attributions(struct ms_caches_attributions *attributions)
{
	for (unsigned i = 0; i < attributions->used_count; i++) {
		struct ms_caches_attribution *c = &attributions->at[attributions->used[i]];

		count_attribution(attributions, c);
		c->cell = NULL;
	}
	attributions->used_count = 0;
}
