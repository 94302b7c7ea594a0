/*
 * engine/simulated_pmu/pmu_marks.c - events that the monitor receives while a batch is filtered,
 * and needs when the batch is simulated.
 *
 * The handler's maps depend on the program's objects, and its periods on executed instructions.
 * So a batch has marks between its pending accesses.
 *
 * Every shard sees all changes of objects, and counts them. Only the shard that simulates stores
 * them; a mark contains the number of changes so far. A shard that has seen changes during the
 * batches of other shards starts its own batch with a mark for changes that may be applied
 * already.
 */
#include "engine/engine_priv.h"

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

void ms_pmu_record_map_change(struct ms_engine_shard *shard, enum ms_engine_map_change change,
			      uint64_t start, uint64_t end)
{
	record_change(shard, change, start, end);
}

/* The map of instructions contains all instructions of the blocks so far. */
void ms_pmu_record_block(struct ms_engine_shard *shard, const struct ms_engine_block *block)
{
	uint64_t sites = 0;

	for (uint32_t i = 0; i < block->refs; i++)
		if (block->ref[i].site >= sites)
			sites = block->ref[i].site + UINT64_C(1);
	if (sites > 0)
		record_change(shard, MS_PMU_CHANGE_SITES, sites, sites);
	for (uint32_t i = 0; i < block->exits; i++)
		*ms_vec_add(&shard->pmu.exit_times) = block->exit_instructions != NULL
							      ? block->exit_instructions[i]
							      : block->exit_refs[i];
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

/* An execution's instructions count before its references are simulated. */
void ms_pmu_record_execution(struct ms_engine_shard *shard, uint32_t exit)
{
	struct ms_pmu_marks *marks = &shard->pmu.marks;
	uint32_t instructions = shard->pmu.exit_times.at[exit];
	size_t pending = shard->filter.pending.n, n = marks->times.n;

	if (n > 0 && marks->times.at[n - 1].index == pending)
		marks->times.at[n - 1].instructions += instructions;
	else
		*ms_vec_add(&marks->times) =
			(struct ms_pmu_time_mark){ (uint32_t)pending, instructions };
}

/* --- marks --- */

void ms_pmu_hand_over_marks(struct ms_engine_shard *shard, unsigned batch_index)
{
	struct ms_pmu_marks *of_batch = &shard->engine->monitor->marks[batch_index];
	struct ms_pmu_marks empty = *of_batch;

	*of_batch = shard->pmu.marks;
	shard->pmu.marks = empty;
}

void ms_pmu_free_marks(struct ms_pmu_marks *marks)
{
	ms_vec_free(&marks->changes);
	ms_vec_free(&marks->times);
}

/* --- simulation --- */

void ms_pmu_begin_marks(struct ms_pmu_monitor *m, unsigned batch_index)
{
	m->position = (struct ms_pmu_mark_position){ &m->marks[batch_index], 0, 0 };
}

void ms_pmu_apply_marks(struct ms_pmu_monitor *m, size_t index)
{
	struct ms_pmu_mark_position *p = &m->position;
	const struct ms_pmu_marks *marks = p->marks;

	while (p->change < marks->changes.n && marks->changes.at[p->change].index <= index)
		apply_until(m, marks->changes.at[p->change++].changes);
	while (p->time < marks->times.n && marks->times.at[p->time].index <= index)
		m->instructions += marks->times.at[p->time++].instructions;
}

void ms_pmu_end_marks(struct ms_pmu_monitor *m, size_t accesses)
{
	ms_pmu_apply_marks(m, accesses);
	m->position.marks->changes.n = 0;
	m->position.marks->times.n = 0;
}
