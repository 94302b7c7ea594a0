/*
 * engine/coherence/observed_lines.c - observed lines (spatial/line_selection.h) in the filter for
 * several processors, which does not remember a line until it has reached the limit of a batch.
 */
#include "engine/coherence/processor_filter.h"

/* Keeps the order of the set for the agent whose filter it is, if it was not reported yet. */
static void keep_order(struct ms_engine_shard *shard, uint32_t agent,
		       struct ms_coherence_recent_lines *r)
{
	struct ms_coherence_processors *p = shard->processors;
	struct ms_coherence_batch *batch = &p->batch;
	const struct ms_coherence_filter s = { .shard = shard,
					       .batch = batch,
					       .shift = shard->first_shift };
	struct ms_coherence_processor *running = p->running;

	if (r->last == r->reported)
		return;
	p->running = ms_coherence_get_processor(shard, agent * p->sharers);
	ms_coherence_make_room(batch, 1);
	ms_coherence_add_slice(shard, batch);
	batch->n = (size_t)(ms_coherence_keep_order(&s, r, batch->at + batch->n) - batch->at);
	p->kept = batch->n;
	p->running = running;
}

static void forget_line(struct ms_engine_shard *shard, uint32_t agent, uint64_t line)
{
	struct ms_coherence_recent_lines *r =
		&shard->processors
			 ->recent[agent][ms_caches_index_lru_set(&shard->caches.first, line)];

	for (uint32_t k = 0; k < 2; k++) {
		if (r->line[k] != line)
			continue;
		if (r->last == k)
			keep_order(shard, agent, r);
		r->line[k] = MS_CACHES_NO_LINE;
		r->stored[k] = 0;
	}
}

void ms_coherence_forget_lines_at_limit(struct ms_engine_shard *shard)
{
	const struct ms_coherence_processors *p = shard->processors;

	for (size_t i = 0; i < shard->spatial.at_limit.n; i++)
		for (size_t k = 0; k < p->active_agents.n; k++)
			forget_line(shard, p->active_agents.at[k], shard->spatial.at_limit.at[i]);
	shard->spatial.at_limit.n = 0;
}

void ms_coherence_mark_line(struct ms_engine_shard *shard, uint64_t line)
{
	const struct ms_coherence_processors *p = shard->processors;

	for (size_t i = 0; i < p->active_agents.n; i++) {
		struct ms_coherence_recent_lines *r =
			&p->recent[p->active_agents.at[i]]
				  [ms_caches_index_lru_set(&shard->caches.first, line)];

		for (uint32_t k = 0; k < 2; k++)
			if (r->line[k] == line) {
				r->line[k] = line | MS_COHERENCE_SELECTED_LINE;
				r->stored[k] = 0;
			}
	}
}
