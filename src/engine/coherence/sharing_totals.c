/* engine/coherence/sharing_totals.c - sums the shards' counts of sharing misses and of threads. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "engine/engine_priv.h"

static uint32_t cell_of(const struct ms_engine_shard *shard, uint32_t number)
{
	return shard->counts.miss_counters.list.at[number]->total_index;
}

static void list_shared(struct ms_engine_totals *totals, const struct ms_engine_shard *shard)
{
	const struct ms_coherence_sharing_table *sharing = &shard->processors->sharing;

	for (uint32_t i = 0; sharing->at != NULL && i <= sharing->mask; i++) {
		const struct ms_coherence_sharing_miss *s = sharing->at[i];

		if (s == NULL)
			continue;
		*ms_vec_add(&totals->sharing) = (struct ms_engine_total_sharing){
			.cell = cell_of(shard, s->cell),
			.writer = cell_of(shard, s->writer),
			.line = s->line,
			.offset = s->offset,
			.writer_offset = s->writer_offset,
			.object = s->object,
			.writer_object = s->writer_object,
			.truly = s->truly,
			.falsely = s->falsely,
			.peer = s->peer,
			.remote = s->remote,
		};
	}
}

static int by_key(const void *a, const void *b)
{
	const struct ms_engine_total_sharing *x = a, *y = b;
	int c = ms_cmp_u64(x->cell, y->cell);

	if (c == 0)
		c = ms_cmp_u64(x->writer, y->writer);
	if (c == 0)
		c = ms_cmp_u64(x->line, y->line);
	if (c == 0)
		c = ms_cmp_u64(x->offset, y->offset);
	return c != 0 ? c : ms_cmp_u64(x->writer_offset, y->writer_offset);
}

/* The most frequent first. */
static int by_count(const void *a, const void *b)
{
	const struct ms_engine_total_sharing *x = a, *y = b;
	int c = ms_cmp_u64(y->truly + y->falsely, x->truly + x->falsely);

	return c != 0 ? c : by_key(a, b);
}

/* Beyond the number of distinct entries, only cell and writer are kept. */
static void merge_rare(struct ms_engine_totals *totals)
{
	struct ms_engine_total_sharing *at = totals->sharing.at;

	if (totals->sharing.n <= MS_COHERENCE_MAX_SHARING)
		return;
	qsort(at, totals->sharing.n, sizeof(*at), by_count);
	for (size_t i = MS_COHERENCE_MAX_SHARING; i < totals->sharing.n; i++) {
		at[i].line = at[i].object = at[i].writer_object = UINT64_MAX;
		at[i].offset = at[i].writer_offset = 0;
	}
}

static void add_up_equal(struct ms_engine_totals *totals)
{
	struct ms_engine_total_sharing *at = totals->sharing.at;
	size_t kept = 0;

	for (size_t i = 0; i < totals->sharing.n; i++) {
		if (i == 0 || by_key(&at[kept - 1], &at[i]) != 0) {
			at[kept++] = at[i];
			continue;
		}
		at[kept - 1].truly += at[i].truly;
		at[kept - 1].falsely += at[i].falsely;
		at[kept - 1].peer += at[i].peer;
		at[kept - 1].remote += at[i].remote;
	}
	totals->sharing.n = kept;
}

static void list_threads(struct ms_engine *engine, struct ms_engine_totals *totals)
{
	struct ms_count_threads sum;

	ms_count_open_threads(&sum, engine->coherence.threads.levels);
	ms_count_merge_threads(&sum, &engine->coherence.threads);
	for (unsigned i = 0; i < engine->shards; i++)
		ms_count_merge_threads(&sum, &engine->shard[i].processors->threads);
	for (unsigned i = 0; i < engine->shards; i++)
		ms_count_merge_threads(&sum, &engine->shard[i].processors->thread_references);
	ms_count_list_threads(&sum, totals);
	ms_count_close_threads(&sum);
}

void ms_coherence_list_totals(struct ms_engine *engine, struct ms_engine_totals *totals)
{
	for (unsigned i = 0; i < engine->shards; i++)
		list_shared(totals, &engine->shard[i]);
	merge_rare(totals);
	if (totals->sharing.n > 0)
		qsort(totals->sharing.at, totals->sharing.n, sizeof(*totals->sharing.at), by_key);
	add_up_equal(totals);
	list_threads(engine, totals);
}
