/*
 * engine/processors_tell.c - what the sieve of one agent knows is told by what another one did: at
 * the end of a turn, of each line that was kept in it.
 */
#include "engine/coherence.h"
#include "engine/processors_sieve.h"

/* What an agent knows of a line that another one has touched. */
static void tell(struct recent *r, uint64_t line, bool written)
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

/* The agents but the running one, of the unit of a line; owing: only those that owe something. */
static void tell_line(const struct ms_shard *shard, const struct met *met, bool owing)
{
	const struct processors *p = shard->processors;
	uint32_t up = shard->general->coherence->unit_up, running = p->running->agent;
	uint64_t line = (met->address & MS_MET_ADDRESS) >> shard->first_shift;
	uint64_t end = ((line >> up) + 1) << up;

	for (line = line >> up << up; line < end; line++) {
		uint64_t set = ms_cache_set(&shard->first, line);

		for (size_t k = 0; k < p->ran.n; k++)
			if (p->ran.at[k] != running && (!owing || p->owes[p->ran.at[k]]))
				tell(&p->recent[p->ran.at[k]][set], line,
				     met->address & MS_MET_WRITES);
	}
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
static bool says_more(const struct ms_shard *shard, const struct met *next, const struct met *met)
{
	return next->address & MS_MET_WRITES &&
	       ((next->address ^ met->address) & MS_MET_ADDRESS) >> shard->first_shift == 0;
}

void ms_own_tell(const struct ms_shard *shard, const struct met_batch *batch)
{
	const struct processors *p = shard->processors;
	bool many = batch->n - p->kept > p->sets * LINES_A_SET_TOLD;

	if (many && let_others_forget(p))
		return;
	for (size_t i = p->kept; i < batch->n; i++)
		if (i + 1 == batch->n || !says_more(shard, &batch->at[i + 1], &batch->at[i]))
			tell_line(shard, &batch->at[i], many);
}
