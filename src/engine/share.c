/* engine/share.c - what the sieve kept of a batch is handed out to the shards that own the lines.
 */
#include "base/mem.h"
#include "engine/engine_priv.h"

/* --- lists --- */

/* And for one that is written and not kept. */
void ms_doubts_make_room(struct doubts *doubts, size_t more)
{
	size_t needed = doubts->n + more + 1;

	if (needed <= doubts->room)
		return;
	if (needed < doubts->room * 2)
		needed = doubts->room * 2;
	doubts->at = ms_realloc(doubts->at, needed * sizeof(*doubts->at));
	doubts->room = needed;
}

/* What comes from here on belongs to the phase. */
void ms_doubts_begin(struct doubts *doubts, uint32_t phase)
{
	size_t n = doubts->spans.n;

	if (n == 0 || doubts->spans.at[n - 1].phase != phase)
		*ms_vec_add(&doubts->spans) = (struct span){ doubts->n, phase };
}

void ms_doubts_free(struct doubts *doubts)
{
	ms_free(doubts->at);
	ms_vec_free(&doubts->spans);
	ms_vec_free(&doubts->joints);
	ms_vec_free(&doubts->change_marks);
	ms_vec_free(&doubts->time_marks);
	ms_vec_free(&doubts->window_marks);
}

uint32_t ms_doubts_reference(const struct doubts *doubts, size_t doubt)
{
	size_t from = 0, to = doubts->joints.n;

	while (to - from > 1) {
		size_t middle = (from + to) / 2;

		if (doubts->joints.at[middle].doubt <= doubt)
			from = middle;
		else
			to = middle;
	}
	return doubts->joints.at[from].reference;
}

/* --- handing out --- */

static bool goes_on(const struct doubt *at, const struct doubt *end)
{
	return at < end && (at->line & MS_LINE_GOES_ON) != 0;
}

static unsigned owner_of(const struct ms_shard *shard, const struct doubt *doubt)
{
	uint64_t line = doubt->line & ~MS_LINE_GOES_ON;

	return ms_engine_owner(shard->engine, line << shard->first_shift);
}

/* Whether other lines of the reference that begins here are other shards'. */
static bool is_split(const struct ms_shard *shard, const struct doubt *at, const struct doubt *end)
{
	unsigned owner = owner_of(shard, at);

	while (goes_on(++at, end))
		if (owner_of(shard, at) != owner)
			return true;
	return false;
}

static void add_split(struct doubts *share, const struct doubt *doubt, uint32_t reference)
{
	size_t n = share->joints.n;
	uint64_t line = (doubt->line & ~MS_LINE_GOES_ON) | MS_LINE_SPLIT;

	if (n > 0 && share->joints.at[n - 1].reference == reference)
		line |= MS_LINE_GOES_ON;
	else
		*ms_vec_add(&share->joints) = (struct joint){ share->n, reference };
	share->at[share->n++] = (struct doubt){ line, doubt->cell };
}

/* A reference over several lines; returns what is behind it. */
static MS_NOINLINE const struct doubt *share_several(const struct ms_shard *shard,
						     struct doubts *shares, const struct doubt *at,
						     const struct doubt *end)
{
	const struct doubt *first = at;
	bool split = is_split(shard, at, end);

	do {
		struct doubts *share = &shares[owner_of(shard, at)];

		if (split)
			add_split(share, at, (uint32_t)(first - shard->doubts.at));
		else
			share->at[share->n++] = *at;
	} while (goes_on(++at, end));
	return at;
}

static void share_stretch(const struct ms_shard *shard, struct doubts *shares,
			  const struct doubt *at, const struct doubt *end)
{
	while (at < end) {
		if (MS_UNLIKELY(goes_on(at + 1, end))) {
			at = share_several(shard, shares, at, end);
		} else {
			struct doubts *share = &shares[owner_of(shard, at)];

			share->at[share->n++] = *at++;
		}
	}
}

/* Between two, which most runs have: what is written does not wait for what was written before, and
 * no jump depends on whose a line is. */
static void share_between_two(const struct ms_shard *shard, struct doubts *shares,
			      const struct doubt *at, const struct doubt *end)
{
	const uint8_t *const owners = shard->engine->owner;
	const uint64_t mask = shard->engine->group_mask;
	const uint32_t shift = shard->engine->group_shift - shard->first_shift;
	struct doubt *one = shares[0].at + shares[0].n, *other = shares[1].at + shares[1].n;

	while (at < end) {
		if (MS_UNLIKELY(goes_on(at + 1, end))) {
			shares[0].n = (size_t)(one - shares[0].at);
			shares[1].n = (size_t)(other - shares[1].at);
			at = share_several(shard, shares, at, end);
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

static void share_all(struct ms_shard *shard, struct doubts *shares)
{
	const struct doubts *all = &shard->doubts;

	for (unsigned i = 0; i < shard->engine->shards; i++)
		ms_doubts_make_room(&shares[i], all->n);
	for (size_t i = 0; i < all->spans.n; i++) {
		const struct span *s = &all->spans.at[i];
		size_t to = ms_span_end(all, i);

		for (unsigned k = 0; k < shard->engine->shards; k++)
			ms_doubts_begin(&shares[k], s->phase);
		if (shard->engine->shards == 2)
			share_between_two(shard, shares, all->at + s->from, all->at + to);
		else
			share_stretch(shard, shares, all->at + s->from, all->at + to);
	}
}

void ms_shard_share(struct ms_shard *shard, unsigned slot)
{
	struct doubts *shares = shard->engine->batch[slot].shares;

	shard->engine->batch[slot].steps = shard->steps;
	shard->steps = 0;
	if (shard->processors != NULL) {
		ms_processors_share(shard, slot);
		return;
	}
	if (shard->engine->shards > 1 && shard->engine->group_mask != 0) {
		share_all(shard, shares);
	} else {
		struct doubts empty = shares[0];

		shares[0] = shard->doubts;
		shard->doubts = empty;
	}
	shard->doubts.n = 0;
	shard->doubts.spans.n = 0;
}
