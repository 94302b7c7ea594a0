/*
 * engine/processors_tell.c - what the sieve of one agent knows is told by what another one did: at
 * the end of a turn, of each line that was kept in it.
 */
#include "engine/coherence.h"
#include "engine/processors_sieve.h"

/* What an agent knows of a line that another one has touched. */
static MS_NOINLINE void tell(struct recent *r, uint64_t line, bool written)
{
	for (uint32_t k = 0; k < 2; k++) {
		if (r->line[k] != line)
			continue;
		r->stored[k] = 0;
		if (written) {
			r->line[k] = MS_LINE_NONE;
			r->last = r->told = k ^ 1;
		}
	}
}

/* The agents but the running one; owing: only those that owe something. Returns how many. */
static size_t find_hearers(const struct processors *p, bool owing)
{
	size_t n = 0;

	for (size_t k = 0; k < p->ran.n; k++) {
		uint32_t agent = p->ran.at[k];

		if (agent != p->running->agent && (!owing || p->owes[agent]))
			p->hearers[n++] = p->recent[agent];
	}
	return n;
}

/* Most know nothing of most lines. */
MS_INLINE void tell_all(struct recent *const *hearers, size_t n, uint64_t set, uint64_t line,
			bool written)
{
	for (size_t k = 0; k < n; k++) {
		struct recent *r = hearers[k] + set;

		if (MS_UNLIKELY(r->line[0] == line || r->line[1] == line))
			tell(r, line, written);
	}
}

/* All lines of the unit of one. */
static void tell_unit(const struct ms_shard *shard, size_t hearers, const struct met *met)
{
	uint32_t up = shard->general->coherence->unit_up;
	uint64_t line = (met->address & MS_MET_ADDRESS) >> shard->first_shift;
	uint64_t end = ((line >> up) + 1) << up;

	for (line = line >> up << up; line < end; line++)
		tell_all(shard->processors->hearers, hearers, ms_cache_set(&shard->first, line),
			 line, met->address & MS_MET_WRITES);
}

/* Where more were kept, others rather forget all that they know: at most each set's lines are kept
 * once more by each. But who owes something must not. */
enum { LINES_A_SET_TOLD = 4 };

/* Whether all others have. */
static bool let_others_forget(const struct processors *p)
{
	bool all = true;

	for (size_t k = 0; k < p->ran.n; k++) {
		uint32_t agent = p->ran.at[k];

		if (agent == p->running->agent)
			continue;
		if (!p->owes[agent])
			ms_recent_forget(p->recent[agent], p->sets);
		all &= !p->owes[agent];
	}
	return all;
}

/* Whether what is kept next writes the same line, as whoever counts something up does: others lose
 * it by that. */
MS_INLINE bool says_more(const struct met *next, const struct met *met, uint32_t shift)
{
	return next->address & MS_MET_WRITES &&
	       ((next->address ^ met->address) & MS_MET_ADDRESS) >> shift == 0;
}

void ms_own_tell(const struct ms_shard *shard, const struct met_batch *batch)
{
	const struct processors *p = shard->processors;
	bool many = batch->n - p->kept > p->sets * LINES_A_SET_TOLD;
	const struct met *m = batch->at + p->kept, *end = batch->at + batch->n;
	uint64_t mask = shard->first.mask;
	uint32_t shift = shard->first_shift;

	if (m == end || (many && let_others_forget(p)))
		return;
	bool simple = mask != 0 && shard->general->coherence->unit_up == 0;
	size_t hearers = find_hearers(p, many);
	for (; m < end; m++) {
		uint64_t line = (m->address & MS_MET_ADDRESS) >> shift;

		if (m + 1 < end && says_more(m + 1, m, shift))
			continue;
		if (simple)
			tell_all(p->hearers, hearers, line & mask, line,
				 m->address & MS_MET_WRITES);
		else
			tell_unit(shard, hearers, m);
	}
}
