/*
 * engine/caches/lru_simulation.c - simulates the accesses that the L1 filter kept, in LRU caches.
 *
 * All lines of a batch pass one cache level before the next: the misses of a level are the accesses
 * of the next. After each level, every miss is attributed to its cause. One pass touches one kind
 * of record, so sets and line records can be prefetched AHEAD entries in advance.
 */
#include "engine/caches/lru_lookup.h"
#include "engine/caches/miss_attribution.h"
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

/* Prefetch distance, in entries. */
enum { AHEAD = 16 };

/* --- levels --- */

void ms_caches_open_levels(struct ms_engine_shard *shard, const struct ms_engine_setup *setup)
{
	const struct ms_machine_level *level = setup->machine->levels.at;

	shard->caches.level = ms_alloc(shard->levels * sizeof(*shard->caches.level));
	for (unsigned i = 1; i < shard->levels; i++)
		ms_caches_open_lru(&shard->caches.level[i], &level[i], &level[0]);
	shard->filter.compares_iterations = true;
	ms_count_open_sets(&shard->counts.sets, setup->machine);
}

void ms_caches_close_levels(struct ms_engine_shard *shard)
{
	for (unsigned i = 1; i < shard->levels; i++)
		ms_caches_close_lru(&shard->caches.level[i]);
	ms_free(shard->caches.level);
}

uint64_t ms_caches_measure_levels(const struct ms_engine_shard *shard)
{
	uint64_t bytes = 0;

	for (unsigned i = 1; i < shard->levels; i++)
		bytes += ms_caches_measure_lru(&shard->caches.level[i]);
	return bytes;
}

uint64_t ms_caches_count_lines(const struct ms_engine_shard *shard, uint64_t *bytes)
{
	return ms_caches_count_records(&shard->caches.lines, bytes);
}

/* --- attribution --- */

void ms_caches_record_split_miss(struct ms_engine_shard *shard, unsigned batch_index,
				 const struct ms_caches_miss *f, unsigned level, uint32_t record)
{
	const struct ms_filter_pending_list *share = ms_engine_get_share(shard, batch_index);

	*ms_vec_add(&shard->caches.splits[batch_index].at) = (struct ms_caches_split_miss){
		.line = f->line,
		.reference = ms_filter_find_reference(share, f->reference),
		.site = f->cell->site,
		.data = f->cell->data,
		.level = level,
		.record = record,
		.phase = f->phase,
	};
}

/* The records of a line that entered the level, and of the line that it evicted (NULL: none). */
struct exchanged_records {
	uint32_t *came;
	uint32_t *left;
};

MS_INLINE void find_records(struct ms_engine_shard *shard, struct ms_caches_miss *f, unsigned level,
			    uint32_t up, struct exchanged_records *records)
{
	if (level == 0)
		f->record = ms_caches_get_record(&shard->caches.lines, f->line);
	records->came = up == 0 ? f->record
				: ms_caches_get_record(&shard->caches.lines, f->line >> up << up);
	__builtin_prefetch(records->came);
	records->left = NULL;
	if (f->victim == MS_CACHES_NO_LINE)
		return;
	records->left = ms_caches_get_record(&shard->caches.lines, f->victim << up);
	__builtin_prefetch(records->left);
}

/* first: no earlier line of the same reference missed the level. */
MS_INLINE void attribute(struct ms_caches_attributions *attributions,
			 const struct ms_caches_miss *f, const struct exchanged_records *records,
			 bool first)
{
	const unsigned level = attributions->level;
	uint32_t record = records->came[level], data = f->cell->data,
		 left = MS_CACHES_NEVER_PRESENT;

	if (records->left != NULL) {
		left = records->left[level];
		records->left[level] = ms_caches_make_evicted(data);
	}
	records->came[level] = ms_caches_make_present(data);
	if (MS_LIKELY(first && !f->split))
		ms_caches_attribute_miss(attributions, f, record, left);
	else
		ms_caches_attribute_separately(attributions, f, record, left, first);
}

/* The prefetched records are kept in a ring of AHEAD entries. */
void ms_caches_attribute_misses(struct ms_caches_attributions *attributions, unsigned level,
				struct ms_caches_miss *lines, size_t n)
{
	struct ms_engine_shard *shard = attributions->shard;
	uint32_t up = level > 0 ? shard->caches.level[level].l1_shift : 0, last = UINT32_MAX;
	struct exchanged_records records[AHEAD];

	attributions->level = level;
	for (size_t i = 0; i < n && i < AHEAD; i++)
		find_records(shard, &lines[i], level, up, &records[i]);
	for (size_t i = 0; i < n; i++) {
		struct exchanged_records found = records[i % AHEAD];

		if (i + AHEAD < n)
			find_records(shard, &lines[i + AHEAD], level, up, &records[i % AHEAD]);
		attribute(attributions, &lines[i], &found, lines[i].reference != last);
		last = lines[i].reference;
	}
	ms_caches_flush_attributions(attributions);
}

/* Looks up the pending accesses in the first level; returns the number of misses. */
static size_t look_up_first(struct ms_engine_shard *shard,
			    const struct ms_filter_pending_list *share)
{
	size_t n = 0;

	shard->caches.missed_lines.n = 0;
	ms_vec_reserve(&shard->caches.missed_lines, share->n + 1);
	for (size_t i = 0; i < share->spans.n; i++) {
		const struct ms_filter_phase_span *s = &share->spans.at[i];
		size_t to = ms_filter_find_span_end(share, i);

		n += shard->caches.first.impl->first(&shard->caches.first, NULL, share, s, to,
						     shard->caches.missed_lines.at + n);
	}
	return n;
}

void ms_caches_simulate_lru(struct ms_engine_shard *shard, unsigned batch_index)
{
	size_t n = look_up_first(shard, ms_engine_get_share(shard, batch_index));
	struct ms_caches_miss *lines = shard->caches.missed_lines.at;
	struct ms_caches_attributions attributions = { .shard = shard, .batch_index = batch_index };

	ms_count_begin_set_batch(&shard->counts.sets);
	__atomic_store_n(&shard->caches.misses, shard->caches.misses + n, __ATOMIC_RELAXED);
	for (unsigned level = 0; level < shard->levels && n > 0; level++) {
		if (level > 0) {
			ms_causes_record_accesses(shard, batch_index, level, lines, n);
			n = ms_caches_look_up_level(&shard->caches.level[level], NULL, lines, n);
		}
		ms_causes_record_misses(shard, batch_index, level, lines, n);
		ms_timing_record_misses(shard, batch_index, level, lines, n);
		ms_call_paths_record_misses(shard, batch_index, level, lines, n);
		ms_spatial_record_misses(shard, batch_index, level, lines, n);
		ms_count_add_set_misses(&shard->counts.sets, level, lines, n);
		ms_caches_attribute_misses(&attributions, level, lines, n);
	}
}
