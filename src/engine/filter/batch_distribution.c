/*
 * engine/filter/batch_distribution.c - distributes the pending accesses of a batch to the shards
 * that own their lines.
 */
#include "base/mem.h"
#include "engine/engine_priv.h"

/* --- lists --- */

/* One more entry is reserved: the filter writes an entry before it decides to keep it. */
void ms_filter_reserve_pending(struct ms_filter_pending_list *pending_list, size_t more)
{
	size_t needed = pending_list->n + more + 1;

	if (needed <= pending_list->room)
		return;
	if (needed < pending_list->room * 2)
		needed = pending_list->room * 2;
	pending_list->at = ms_realloc(pending_list->at, needed * sizeof(*pending_list->at));
	pending_list->room = needed;
}

/* Pending accesses from here on belong to the phase. */
void ms_filter_begin_span(struct ms_filter_pending_list *pending_list, uint32_t phase)
{
	size_t n = pending_list->spans.n;

	if (n == 0 || pending_list->spans.at[n - 1].phase != phase)
		*ms_vec_add(&pending_list->spans) =
			(struct ms_filter_phase_span){ pending_list->n, phase };
}

void ms_filter_clear_pending(struct ms_filter_pending_list *pending_list)
{
	pending_list->n = 0;
	pending_list->spans.n = 0;
	pending_list->split_references.n = 0;
}

void ms_filter_free_pending(struct ms_filter_pending_list *pending_list)
{
	ms_free(pending_list->at);
	ms_vec_free(&pending_list->spans);
	ms_vec_free(&pending_list->split_references);
}

uint32_t ms_filter_find_reference(const struct ms_filter_pending_list *pending_list, size_t pending)
{
	size_t from = 0, to = pending_list->split_references.n;

	while (to - from > 1) {
		size_t middle = (from + to) / 2;

		if (pending_list->split_references.at[middle].index <= pending)
			from = middle;
		else
			to = middle;
	}
	return pending_list->split_references.at[from].reference;
}

/* --- distribution --- */

static bool is_same_reference(const struct ms_filter_pending *at,
			      const struct ms_filter_pending *end)
{
	return at < end && (at->line & MS_FILTER_SAME_REFERENCE) != 0;
}

static unsigned owner_of(const struct ms_engine_shard *shard,
			 const struct ms_filter_pending *pending)
{
	uint64_t line = pending->line & ~MS_FILTER_SAME_REFERENCE;

	return ms_engine_find_owner(shard->engine, line << shard->first_shift);
}

/* Whether other shards own other lines of the reference that begins here. */
static bool is_split(const struct ms_engine_shard *shard, const struct ms_filter_pending *at,
		     const struct ms_filter_pending *end)
{
	unsigned owner = owner_of(shard, at);

	while (is_same_reference(++at, end))
		if (owner_of(shard, at) != owner)
			return true;
	return false;
}

static void add_split(struct ms_filter_pending_list *share, const struct ms_filter_pending *pending,
		      uint32_t reference)
{
	size_t n = share->split_references.n;
	uint64_t line = (pending->line & ~MS_FILTER_SAME_REFERENCE) | MS_FILTER_SPLIT_REFERENCE;

	if (n > 0 && share->split_references.at[n - 1].reference == reference)
		line |= MS_FILTER_SAME_REFERENCE;
	else
		*ms_vec_add(&share->split_references) =
			(struct ms_filter_split_reference){ share->n, reference };
	share->at[share->n++] = (struct ms_filter_pending){ line, pending->cell };
}

/* Distributes a reference over several lines; returns the access after it. */
static MS_NOINLINE const struct ms_filter_pending *
distribute_several_lines(const struct ms_engine_shard *shard, struct ms_filter_pending_list *shares,
			 const struct ms_filter_pending *at, const struct ms_filter_pending *end)
{
	const struct ms_filter_pending *first = at;
	bool split = is_split(shard, at, end);

	do {
		struct ms_filter_pending_list *share = &shares[owner_of(shard, at)];

		if (split)
			add_split(share, at, (uint32_t)(first - shard->filter.pending.at));
		else
			share->at[share->n++] = *at;
	} while (is_same_reference(++at, end));
	return at;
}

static void distribute_span(const struct ms_engine_shard *shard,
			    struct ms_filter_pending_list *shares,
			    const struct ms_filter_pending *at, const struct ms_filter_pending *end)
{
	while (at < end) {
		if (MS_UNLIKELY(is_same_reference(at + 1, end))) {
			at = distribute_several_lines(shard, shares, at, end);
		} else {
			struct ms_filter_pending_list *share = &shares[owner_of(shard, at)];

			share->at[share->n++] = *at++;
		}
	}
}

/*
 * Distribution between two shards, the most frequent number. Both shards are written each time:
 * stores do not depend on earlier ones, and no branch depends on the owner of a line.
 */
static void distribute_between_two(const struct ms_engine_shard *shard,
				   struct ms_filter_pending_list *shares,
				   const struct ms_filter_pending *at,
				   const struct ms_filter_pending *end)
{
	const uint8_t *const owners = shard->engine->owner;
	const uint64_t mask = shard->engine->group_mask;
	const uint32_t shift = shard->engine->group_shift - shard->first_shift;
	struct ms_filter_pending *one = shares[0].at + shares[0].n,
				 *other = shares[1].at + shares[1].n;

	while (at < end) {
		if (MS_UNLIKELY(is_same_reference(at + 1, end))) {
			shares[0].n = (size_t)(one - shares[0].at);
			shares[1].n = (size_t)(other - shares[1].at);
			at = distribute_several_lines(shard, shares, at, end);
			one = shares[0].at + shares[0].n;
			other = shares[1].at + shares[1].n;
			continue;
		}
		uint64_t owner = owners[at->line >> shift & mask];

		*one = *at;
		*other = *at++;
		one += 1 - owner;
		other += owner;
	}
	shares[0].n = (size_t)(one - shares[0].at);
	shares[1].n = (size_t)(other - shares[1].at);
}

static void distribute_all(struct ms_engine_shard *shard, struct ms_filter_pending_list *shares)
{
	const struct ms_filter_pending_list *all = &shard->filter.pending;

	for (unsigned i = 0; i < shard->engine->shards; i++)
		ms_filter_reserve_pending(&shares[i], all->n);
	for (size_t i = 0; i < all->spans.n; i++) {
		const struct ms_filter_phase_span *s = &all->spans.at[i];
		size_t to = ms_filter_find_span_end(all, i);

		for (unsigned k = 0; k < shard->engine->shards; k++)
			ms_filter_begin_span(&shares[k], s->phase);
		if (shard->engine->shards == 2)
			distribute_between_two(shard, shares, all->at + s->from, all->at + to);
		else
			distribute_span(shard, shares, all->at + s->from, all->at + to);
	}
}

void ms_filter_distribute_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	struct ms_filter_pending_list *shares = shard->engine->batch[batch_index].shares;

	if (shard->engine->shards > 1 && shard->engine->group_mask != 0) {
		distribute_all(shard, shares);
	} else {
		struct ms_filter_pending_list empty = shares[0];

		shares[0] = shard->filter.pending;
		shard->filter.pending = empty;
	}
	shard->filter.pending.n = 0;
	shard->filter.pending.spans.n = 0;
}
