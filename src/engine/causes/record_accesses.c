/*
 * engine/causes/record_accesses.c - what a shard records while it simulates a batch: when lines
 * were last used in each level after the first, and, of observed batches, the outcome of each
 * access.
 *
 * A line record has a word for each level after the first: the batch of the line's last use there.
 */
#include "base/mem.h"
#include "engine/causes/causes_state.h"
#include "engine/engine_priv.h"

static struct ms_causes_share *share_of(const struct ms_engine_shard *shard, unsigned batch_index)
{
	return &shard->engine->causes->batch[batch_index].shares[shard->number];
}

void ms_causes_begin_simulation(struct ms_engine_shard *shard, unsigned batch_index)
{
	const struct ms_causes *causes = shard->engine->causes;

	if (causes == NULL)
		return;
	struct ms_causes_share *share = share_of(shard, batch_index);

	shard->causes.batch++;
	share->outcomes.n = 0;
	shard->causes.is_classified = causes->batch[batch_index].weights.others > 0;
	if (ms_causes_is_observed(&causes->batch[batch_index].weights)) {
		share->outcomes.n = ms_engine_get_share(shard, batch_index)->n;
		ms_free(share->outcomes.at);
		share->outcomes.at = ms_alloc((share->outcomes.n + 1) * sizeof(uint32_t));
		share->outcomes.cap = share->outcomes.n + 1;
	}
}

/* The record of the line at the level's line size. */
MS_INLINE uint32_t *record_of(struct ms_engine_shard *shard, const struct ms_caches_miss *f,
			      uint32_t up)
{
	return up == 0 ? f->record
		       : ms_caches_get_record(&shard->caches.lines, f->line >> up << up);
}

/* Only when lines were used before; no miss is classified. */
static void record_last_uses(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			     const struct ms_caches_miss *lines, size_t n)
{
	const struct ms_causes *causes = shard->engine->causes;
	struct ms_causes_level_share *share = &share_of(shard, batch_index)->levels[level];
	const uint32_t up = causes->line_shifts[level], word = causes->levels + level - 1;
	const uint32_t batch = shard->causes.batch;
	size_t recorded = share->last_uses.n;

	ms_vec_reserve(&share->last_uses, n + 1);
	for (size_t i = 0; i < n; i++) {
		uint32_t *last = record_of(shard, &lines[i], up) + word;

		share->last_uses.at[recorded] = *last;
		recorded += *last != batch;
		*last = batch;
	}
	share->last_uses.n = recorded;
}

void ms_causes_record_accesses(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			       const struct ms_caches_miss *lines, size_t n)
{
	const struct ms_causes *causes = shard->engine->causes;

	if (causes == NULL || causes->division != MS_ENGINE_DIVIDED_BY_BOUNDS)
		return;
	if (!shard->causes.is_classified) {
		record_last_uses(shard, batch_index, level, lines, n);
		return;
	}
	const uint32_t up = causes->line_shifts[level], word = causes->levels + level - 1;
	const uint32_t batch = shard->causes.batch;

	shard->causes.accesses.n = 0;
	ms_vec_reserve(&shard->causes.accesses, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t *last = record_of(shard, &lines[i], up) + word;

		shard->causes.accesses.at[i] =
			(struct ms_causes_access){ lines[i].line, lines[i].cell, lines[i].reference,
						   *last };
		*last = batch;
	}
	shard->causes.accesses.n = n;
}

/* --- levels after the first --- */

MS_INLINE void add_candidate(struct ms_causes_level_share *share,
			     const struct ms_causes_access *access, bool missed)
{
	size_t n = share->candidates.n;
	struct ms_causes_candidate *before = n > 0 ? &share->candidates.at[n - 1] : NULL;

	if (before != NULL && before->cell == access->cell && before->last == access->last &&
	    before->missed == missed)
		before->count++;
	else
		share->candidates.at[share->candidates.n++] =
			(struct ms_causes_candidate){ access->cell, access->last, 1, missed };
}

static void add_split(struct ms_causes_level_share *share, const struct ms_caches_miss *f,
		      uint32_t reference, const struct ms_causes_access *access, bool replaced)
{
	*ms_vec_add(&share->splits) = (struct ms_causes_split_miss){ f->line, f->cell, reference,
								     access->last, replaced };
}

/* The lines that missed are a part of those that accessed the level, in the same order. */
static void record_level(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			 const struct ms_caches_miss *lines, size_t n)
{
	const struct ms_causes_access *at = shard->causes.accesses.at;
	const struct ms_causes_access *end = at + shard->causes.accesses.n;
	struct ms_causes_level_share *share = &share_of(shard, batch_index)->levels[level];
	const struct ms_filter_pending_list *pending = ms_engine_get_share(shard, batch_index);
	const uint32_t batch = shard->causes.batch;
	uint32_t reference = UINT32_MAX; /* that missed last */
	size_t missed = 0;

	ms_vec_reserve(&share->last_uses, (size_t)(end - at) + 1);
	ms_vec_reserve(&share->candidates, (size_t)(end - at));
	for (; at < end; at++) {
		const struct ms_caches_miss *f = &lines[missed];
		bool misses = missed < n && f->line == at->line && f->reference == at->reference;

		share->last_uses.at[share->last_uses.n] = at->last;
		share->last_uses.n += at->last != batch;
		if (!misses) {
			/* No line was used after the batch before and before this one. */
			if (at->last + 1 < batch)
				add_candidate(share, at, false);
			continue;
		}
		missed++;
		bool replaced = at->last != 0; /* it was filled then */
		if (f->reference != reference && f->split)
			add_split(share, f, ms_filter_find_reference(pending, f->reference), at,
				  replaced);
		else if (f->reference != reference && replaced)
			add_candidate(share, at, true);
		reference = f->reference;
	}
}

/* --- observed batches --- */

/*
 * Records the outcome where the access is in the shard's pending accesses. Line records are as they
 * were before the batch.
 */
static void record_outcomes(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			    const struct ms_caches_miss *lines, size_t n)
{
	const struct ms_filter_pending *pending = ms_engine_get_share(shard, batch_index)->at;
	const uint32_t up = shard->engine->causes->line_shifts[level];
	uint32_t *outcomes = share_of(shard, batch_index)->outcomes.at;

	for (size_t i = 0; i < n; i++) {
		const struct ms_caches_miss *f = &lines[i];
		const uint32_t *record =
			level == 0 ? ms_caches_get_record(&shard->caches.lines, f->line)
				   : record_of(shard, f, up);
		size_t at = f->reference;

		while ((pending[at].line &
			~(MS_FILTER_SAME_REFERENCE | MS_FILTER_SPLIT_REFERENCE)) != f->line)
			at++;
		outcomes[at] |= MS_CAUSES_MISSED(level);
		if (record[level] != MS_CACHES_NEVER_PRESENT)
			outcomes[at] |= MS_CAUSES_REPLACED(level);
	}
}

void ms_causes_record_misses(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			     const struct ms_caches_miss *lines, size_t n)
{
	const struct ms_causes *causes = shard->engine->causes;

	if (causes == NULL)
		return;
	if (ms_causes_is_observed(&causes->batch[batch_index].weights))
		record_outcomes(shard, batch_index, level, lines, n);
	if (level > 0 && causes->division == MS_ENGINE_DIVIDED_BY_BOUNDS &&
	    shard->causes.is_classified)
		record_level(shard, batch_index, level, lines, n);
}
