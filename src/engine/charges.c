#include "engine/charges.h"

/* So many lines of the cell's data came into the level, and as many of others left. */
static void enter_lines(struct charges *charges, const struct charge *c)
{
	struct ms_shard *shard = charges->shard;
	uint32_t data = c->cell->data;
	int n = (int)c->count;

	if (c->left == MS_LINE_NEVER) {
		ms_move(&shard->movements, charges->level, data, n);
		return;
	}
	uint32_t victim = ms_line_data(c->left);
	ms_tally_pairs(&shard->tallies, ms_shard_tally(shard, c->cell), charges->level, PAIR_EVICTS,
		       victim, c->count);
	ms_moves_over(&shard->movements, charges->level, data, victim, n);
}

static void enter(struct charges *charges, const struct charge *c)
{
	struct ms_shard *shard = charges->shard;
	struct tally *tally = ms_shard_tally(shard, c->cell);
	uint32_t phase = charges->windows ? charges->phase : c->kind & MS_CHARGE_PHASE;

	enter_lines(charges, c);
	ms_tally_misses(&shard->tallies, tally, charges->level, c->came, c->count);
	if (charges->weight != 0)
		ms_tally_more(&shard->tallies, tally, charges->level)->weighted +=
			(uint64_t)charges->weight * c->count;
	ms_phases_add(&shard->phases, phase, charges->level, shard->levels, c->count);
	if (charges->windows)
		ms_windows_charge(charges, c);
}

MS_NOINLINE void ms_charges_replace(struct charges *charges, struct charge *at,
				    const struct charge *by)
{
	if (at->cell != NULL)
		enter(charges, at);
	else
		charges->used[charges->used_count++] = (uint8_t)(at - charges->at);
	*at = *by;
}

void ms_charge_apart(struct charges *charges, const struct falling *f, uint32_t came, uint32_t left,
		     bool first)
{
	enter_lines(charges, &(struct charge){ f->cell, came, left, 0, 1 });
	if (first)
		ms_shard_count_miss(charges->shard, charges->slot, f, charges->level, came);
}

void ms_charges_enter(struct charges *charges)
{
	for (unsigned i = 0; i < charges->used_count; i++) {
		struct charge *c = &charges->at[charges->used[i]];

		enter(charges, c);
		c->cell = NULL;
	}
	charges->used_count = 0;
}
