/*
 * collect/sets.c - counts the references of each site, with sampled sets during the whole run.
 *
 * The simulated references do not show how often code was executed: a stack line that all functions
 * use is either in a sampled set or not. But the stream contains each block exit that was taken.
 * This gives the number of references of each instruction. The simulated references give their data
 * and the share of them that missed.
 *
 * With the native tracer an exit has the number of references on its path, and each instruction's
 * references are described separately, also those to other sets. So each site gets its part.
 * Instructions whose number of references varies share the number of their block.
 */
#include "base/mem.h"
#include "base/num.h"
#include "collect/collect_priv.h"

struct sites {
	struct ms_map by_pc; /* to the first site of an instruction ... */
	uint32_t *next;      /* ... and from one to the next */
	double *made;
};

static void list_sites(const struct collector *c, struct sites *s)
{
	for (uint32_t i = 0; i < ms_bins_sites(c->binding.binder); i++) {
		struct ms_bins_bound_pc pc = ms_bins_site(c->binding.binder, i)->pc;
		uint32_t *first = ms_map_at(&s->by_pc, pc.module, pc.offset);

		s->next[i] = *first;
		*first = i;
	}
}

/* Adds `each` for each reference of the first instructions; returns the number of references. */
static uint32_t add_each(const struct ms_bins *binder, struct sites *s,
			 const struct ms_bins_bound_block *block, uint32_t instructions,
			 double each)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < instructions; i++) {
		struct ms_bins_bound_pc pc = ms_bound_block_pc(block, i);
		uint32_t at = ms_map_get(&s->by_pc, pc.module, pc.offset);

		for (; at != MS_MAP_NONE; at = s->next[at]) {
			uint16_t times = ms_bins_site(binder, at)->times;

			s->made[at] += each * times;
			n += times;
		}
	}
	return n;
}

static bool add_made(const struct ms_bins *binder, struct sites *s, const struct ms_engine *engine,
		     const struct ms_bins_bound_block *block, uint32_t number)
{
	bool any = false;
	double weighted;

	for (uint32_t e = 0; e < block->exits; e++) {
		double made = (double)ms_engine_count_exits(engine, 0, number, e, &weighted) *
			      block->exit_made[e];
		uint32_t n =
			made > 0 ? add_each(binder, s, block, block->exit_instructions[e], 0) : 0;

		any |= made > 0;
		if (n > 0)
			add_each(binder, s, block, block->exit_instructions[e], made / n);
	}
	return any;
}

static void add_told(struct sites *s, const struct ms_engine *engine,
		     const struct ms_bins_bound_block *block, uint32_t number)
{
	double weighted;

	for (uint32_t e = 0; e < block->exits; e++)
		for (uint32_t r = 0; r < block->exit_refs[e]; r++)
			s->made[block->ref[r].site] +=
				(double)ms_engine_count_exits(engine, 0, number, e, &weighted);
}

static void add_blocks(const struct collector *c, const struct ms_engine *engine, struct sites *s)
{
	bool apart = false;

	for (uint32_t b = 0; b < ms_bins_blocks(c->binding.binder); b++)
		apart |= add_made(c->binding.binder, s, engine,
				  ms_bins_block_at(c->binding.binder, b), b);
	for (uint32_t b = 0; b < ms_bins_blocks(c->binding.binder) && !apart; b++)
		add_told(s, engine, ms_bins_block_at(c->binding.binder, b), b);
}

/* Sites have at least the references that were simulated; the sum of all sites is the total. */
static void balance(const struct ms_engine_totals *totals, double scale, double total,
		    struct sites *s, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < totals->cells.n; i++) {
		const struct ms_engine_total_bin *cell = &totals->cells.at[i];

		if (s->made[cell->site] < (double)cell->references)
			s->made[cell->site] += scale * (double)cell->references;
	}
	for (size_t i = 0; i < n; i++)
		sum += s->made[i];
	for (size_t i = 0; i < n && sum > 0; i++)
		s->made[i] *= total / sum;
}

double *ms_sets_sites(const struct collector *c, const struct ms_engine *engine,
		      const struct ms_engine_totals *totals, const struct sampled_scale *scale)
{
	size_t n = ms_bins_sites(c->binding.binder);
	struct sites s = { .by_pc = MS_MAP_INIT,
			   .next = ms_alloc((n + 1) * sizeof(*s.next)),
			   .made = ms_alloc((n + 1) * sizeof(*s.made)) };

	list_sites(c, &s);
	add_blocks(c, engine, &s);
	balance(totals, scale->counts, scale->total, &s, n);
	ms_map_free(&s.by_pc);
	ms_free(s.next);
	return s.made;
}

/* References of each cell that did not miss: only these may be reduced. */
static uint64_t *hits_of(const struct ms_engine_totals *totals)
{
	uint64_t *hits = ms_alloc((totals->cells.n + 1) * sizeof(*hits));

	for (size_t i = 0; i < totals->cells.n; i++)
		hits[i] = totals->cells.at[i].references;
	for (size_t i = 0; i < totals->misses.n; i++) {
		const struct ms_engine_total_miss *miss = &totals->misses.at[i];
		uint64_t n = 0, all = totals->cells.at[miss->cell].references;

		for (unsigned cause = 0; cause < MS_ENGINE_MISS_CAUSES; cause++)
			n += miss->causes[cause];
		n = n < all ? all - n : 0;
		hits[miss->cell] = n < hits[miss->cell] ? n : hits[miss->cell];
	}
	return hits;
}

/* Subtracts `more` references from all cells, in proportion to their hits. */
static void take_from_all(struct ms_engine_totals *totals, double more)
{
	uint64_t *hits = hits_of(totals);
	double sum = 0, owed = 0;

	for (size_t i = 0; i < totals->cells.n; i++)
		sum += (double)hits[i];
	for (size_t i = 0; i < totals->cells.n && sum > more; i++) {
		owed += more * (double)hits[i] / sum;
		uint64_t taken = ms_round_u64(owed < (double)hits[i] ? owed : (double)hits[i]);
		totals->cells.at[i].references -= taken;
		owed -= (double)taken;
	}
	ms_free(hits);
}

/*
 * Numbers are rounded, and a site that was executed once may have missed in a set that represents
 * many. So the sum may differ from the total. The cell with the most references absorbs the
 * difference, or all cells do where it is too large for one.
 */
static void level_out(struct ms_engine_totals *totals, double total)
{
	struct ms_engine_total_bin *most = NULL;
	double more = -total;

	for (size_t i = 0; i < totals->cells.n; i++) {
		struct ms_engine_total_bin *cell = &totals->cells.at[i];

		more += (double)cell->references;
		if (most == NULL || cell->references > most->references)
			most = cell;
	}
	if (most != NULL && (double)most->references > 2 * more)
		most->references = ms_round_u64((double)most->references - more);
	else if (most != NULL)
		take_from_all(totals, more);
}

void ms_sets_unseen(struct ms_engine_totals *totals, const double *made, size_t n, double total)
{
	bool *seen = ms_alloc(n + 1);

	for (size_t i = 0; i < totals->cells.n; i++)
		seen[totals->cells.at[i].site] = true;
	for (uint32_t i = 0; i < n; i++)
		if (!seen[i] && made[i] >= 0.5)
			*ms_vec_add(&totals->cells) =
				(struct ms_engine_total_bin){ .site = i,
							      .data = MS_BOUND_NOT_SEEN,
							      .references = ms_round_u64(made[i]) };
	level_out(totals, total);
	ms_free(seen);
}
