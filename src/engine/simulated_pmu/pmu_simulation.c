/*
 * engine/simulated_pmu/pmu_simulation.c - filters and simulates the batches of a monitored engine.
 *
 * The handler's maps depend on the program's objects, and its periods on executed instructions.
 * Both are known while a batch is filtered, but needed while it is simulated. So a batch has marks
 * between its pending accesses.
 *
 * Every shard sees all changes of objects, and counts them. Only the shard that simulates stores
 * them; a mark contains the number of changes so far. A shard that has seen changes during the
 * batches of other shards starts its own batch with a mark for changes that may be applied
 * already.
 */
#include "engine/engine_priv.h"

/* --- shards --- */

void ms_pmu_open_shard(struct ms_engine_shard *shard, const struct ms_engine_setup *setup)
{
	ms_caches_open_configurable_shard(shard, setup);
	shard->filter.keeps_all = true; /* the handler can run between any two references */
	if (shard->number == 0)
		ms_pmu_attach_shard(shard->engine->monitor, shard);
}

void ms_pmu_close_shard(struct ms_engine_shard *shard)
{
	ms_caches_close_configurable_shard(shard);
	ms_vec_free(&shard->pmu.exit_times);
	ms_pmu_free_marks(&shard->pmu.marks);
}

/* --- changes --- */

static void record_change(struct ms_engine_shard *shard, uint32_t kind, uint64_t start,
			  uint64_t end)
{
	struct ms_pmu_marks *marks = &shard->pmu.marks;
	size_t pending = shard->filter.pending.n, n = marks->changes.n;

	shard->pmu.changes++;
	if (shard->number == 0)
		*ms_vec_add(&shard->engine->monitor->changes) =
			(struct ms_pmu_map_change){ kind, start, end };
	if (n == 0 || marks->changes.at[n - 1].index != pending)
		*ms_vec_add(&marks->changes) = (struct ms_pmu_change_mark){ pending, 0 };
	marks->changes.at[marks->changes.n - 1].changes = shard->pmu.changes;
}

void ms_pmu_change_map(struct ms_engine_shard *shard, enum ms_engine_map_change change,
		       uint64_t start, uint64_t end)
{
	record_change(shard, change, start, end);
}

/* The map of instructions contains all instructions of the blocks so far. */
void ms_pmu_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block)
{
	uint64_t sites = 0;

	for (uint32_t i = 0; i < block->refs; i++)
		if (block->ref[i].site >= sites)
			sites = block->ref[i].site + UINT64_C(1);
	if (sites > 0)
		record_change(shard, MS_PMU_CHANGE_SITES, sites, sites);
	ms_filter_add_block(shard, block);
}

static void apply(struct ms_pmu_handler *h, const struct ms_pmu_map_change *c)
{
	switch (c->kind) {
	case MS_ENGINE_MAP_ADD:
		ms_pmu_add_object(h, c->start, c->end);
		break;
	case MS_ENGINE_MAP_OVERLAY:
		ms_pmu_add_object(h, c->start, c->start + 1);
		break;
	case MS_ENGINE_MAP_REMOVE:
		ms_pmu_remove_object(h, c->start);
		break;
	case MS_ENGINE_MAP_CLEAR:
		ms_pmu_remove_objects(h, c->start, c->end);
		break;
	case MS_PMU_CHANGE_SITES:
		if (c->start > h->sites)
			h->sites = (uint32_t)c->start;
		break;
	}
}

/* Applies the stored changes up to this number. The simulating shard may not have seen all of them
 * yet. */
static void apply_until(struct ms_pmu_monitor *m, uint64_t changes)
{
	while (m->applied < changes && m->next < m->changes.n) {
		apply(&m->handler, &m->changes.at[m->next++]);
		m->applied++;
	}
	if (m->next == m->changes.n)
		m->next = m->changes.n = 0;
}

/* --- time --- */

/* Appends the instruction counts of new blocks. */
static void learn_exits(struct ms_engine_shard *shard)
{
	while (shard->pmu.timed_blocks < shard->filter.blocks.n) {
		const struct ms_engine_block *b =
			shard->filter.blocks.at[shard->pmu.timed_blocks++].desc;

		for (uint32_t i = 0; i < b->exits; i++)
			*ms_vec_add(&shard->pmu.exit_times) = b->exit_instructions != NULL
								      ? b->exit_instructions[i]
								      : b->exit_refs[i];
	}
}

static void add_instructions(struct ms_engine_shard *shard, uint32_t instructions)
{
	struct ms_pmu_marks *marks = &shard->pmu.marks;
	size_t pending = shard->filter.pending.n, n = marks->times.n;

	if (n > 0 && marks->times.at[n - 1].index == pending)
		marks->times.at[n - 1].instructions += instructions;
	else
		*ms_vec_add(&marks->times) =
			(struct ms_pmu_time_mark){ (uint32_t)pending, instructions };
}

/* Only a period that follows `wish` depends on time, and needs executions one by one. */
size_t ms_pmu_filter_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n)
{
	size_t at = 0;

	if (shard->engine->monitor->pmu.period != 0)
		return ms_filter_process_executions(shard, words, n);
	learn_exits(shard);
	while (at < n && ms_wire_kind_of(words[at]) == MS_WIRE_EXEC &&
	       ms_wire_arg_of(words[at]) < shard->pmu.exit_times.n) {
		size_t length = ms_wire_words_of(words[at]);

		if (length == 0 || length > n - at)
			break;
		/* An execution's instructions count before its references are simulated. */
		add_instructions(shard, shard->pmu.exit_times.at[ms_wire_arg_of(words[at])]);
		if (ms_filter_process_executions(shard, words + at, length) != length)
			break;
		at += length;
	}
	return at;
}

/* --- marks --- */

void ms_pmu_distribute_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	struct ms_pmu_marks *of_batch = &shard->engine->monitor->marks[batch_index];
	struct ms_pmu_marks empty = *of_batch;

	*of_batch = shard->pmu.marks;
	shard->pmu.marks = empty;
	ms_filter_distribute_batch(shard, batch_index);
}

void ms_pmu_free_marks(struct ms_pmu_marks *marks)
{
	ms_vec_free(&marks->changes);
	ms_vec_free(&marks->times);
}

/* --- simulation --- */

/* The marks of a batch, and the next ones to apply. */
struct batch_position {
	struct ms_pmu_marks *marks;
	size_t change;
	size_t time;
};

static void apply_marks(struct ms_pmu_monitor *m, struct batch_position *p, size_t pending)
{
	const struct ms_pmu_marks *marks = p->marks;

	while (p->change < marks->changes.n && marks->changes.at[p->change].index <= pending)
		apply_until(m, marks->changes.at[p->change++].changes);
	while (p->time < marks->times.n && marks->times.at[p->time].index <= pending)
		m->instructions += marks->times.at[p->time++].instructions;
}

/* Simulates all lines of one reference. */
static void simulate_reference(struct ms_engine_shard *shard, unsigned batch_index,
			       const struct ms_filter_pending *at,
			       const struct ms_filter_pending *end, uint32_t phase)
{
	struct ms_pmu_monitor *m = shard->engine->monitor;
	const struct ms_caches_configurable *configurable = shard->configurable;
	struct ms_caches_miss f = { .phase = phase, .cell = at->cell };

	ms_pmu_begin_reference(m, f.cell);
	for (; at < end; at++) {
		f.line = at->line & ~MS_FILTER_SAME_REFERENCE;
		m->now.line = f.line << shard->first_shift;
		unsigned now = ms_pmu_access_line(m, f.cell, f.line);
		while (m->missed < now) {
			unsigned level = m->missed;

			ms_engine_count_miss(shard, batch_index, &f, level,
					     configurable->old_records[level]);
			if (configurable->covered[level])
				ms_engine_get_miss_counters(shard, f.cell)->level[level].covered++;
			ms_pmu_count_miss(m, level);
		}
	}
	ms_pmu_end_reference(m);
}

static void simulate_span(struct ms_engine_shard *shard, unsigned batch_index,
			  const struct ms_filter_pending_list *share, size_t span,
			  struct batch_position *p)
{
	struct ms_pmu_monitor *m = shard->engine->monitor;
	size_t to = ms_filter_find_span_end(share, span), next;

	for (size_t i = share->spans.at[span].from; i < to; i = next) {
		next = i + 1;
		while (next < to && (share->at[next].line & MS_FILTER_SAME_REFERENCE) != 0)
			next++;
		if (next == i + 1 && ms_pmu_is_recent_line(m, share->at[i].line))
			continue; /* the caches do not change */
		apply_marks(m, p, i);
		simulate_reference(shard, batch_index, share->at + i, share->at + next,
				   share->spans.at[span].phase);
	}
}

void ms_pmu_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	const struct ms_filter_pending_list *share = ms_engine_get_share(shard, batch_index);
	struct ms_pmu_monitor *m = shard->engine->monitor;
	struct batch_position p = { &m->marks[batch_index], 0, 0 };

	if (shard->number != 0)
		return;
	for (size_t i = 0; i < share->spans.n; i++)
		simulate_span(shard, batch_index, share, i, &p);
	apply_marks(m, &p, share->n);
	p.marks->changes.n = 0;
	p.marks->times.n = 0;
}
