/*
 * name/executions.c - how often code was executed, by site: from the exits by which basic blocks
 * were left, in windows and between them.
 */
#include "name/executions.h"
#include "base/mem.h"

/* --- executions --- */

static uint64_t in_windows(const struct ms_engine *engine, uint32_t processors, uint32_t block,
			   uint32_t exit)
{
	uint64_t n = 0;
	double weighted;

	for (uint32_t p = 0; p == 0 || p < processors; p++)
		n += ms_engine_count_exits(engine, p, block, exit, &weighted);
	return n;
}

struct ms_estimate_executions *
ms_name_executions_by_site(const struct ms_bins *binder, const struct ms_engine *engine,
			   uint32_t processors, const uint64_t *outside, size_t outside_count)
{
	size_t n = ms_bins_sites(binder), exit = 0;
	struct ms_estimate_executions *sites = ms_alloc((n + 1) * sizeof(*sites));

	for (uint32_t b = 0; b < ms_bins_blocks(binder); b++) {
		const struct ms_bins_bound_block *block = ms_bins_block_at(binder, b);

		for (uint32_t e = 0; e < block->exits; e++, exit++) {
			uint64_t in = in_windows(engine, processors, b, e);
			uint64_t out = exit < outside_count ? outside[exit] : 0;

			for (uint32_t r = 0; in + out > 0 && r < block->exit_refs[e]; r++) {
				if (block->ref[r].site >= n)
					continue;
				sites[block->ref[r].site].in += (double)in;
				sites[block->ref[r].site].out += (double)out;
			}
		}
	}
	return sites;
}

/*
 * --- references, with sampled sets ---
 *
 * The stream contains each block exit that was taken. With the native tracer an exit has the number
 * of references on its path, and each instruction's references are described separately, also those
 * to other sets. So each site gets its part. Instructions whose number of references varies share
 * the number of their block.
 */

struct sites {
	struct ms_map by_pc; /* to the first site of an instruction ... */
	uint32_t *next;      /* ... and from one to the next */
	double *refs;        /* by site */
};

static void list_sites(const struct ms_bins *binder, struct sites *s)
{
	for (uint32_t i = 0; i < ms_bins_sites(binder); i++) {
		struct ms_bins_bound_pc pc = ms_bins_site(binder, i)->pc;
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

			s->refs[at] += each * times;
			n += times;
		}
	}
	return n;
}

static bool add_counted(const struct ms_bins *binder, struct sites *s,
			const struct ms_engine *engine, const struct ms_bins_bound_block *block,
			uint32_t number)
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

static void add_listed(struct sites *s, const struct ms_engine *engine,
		       const struct ms_bins_bound_block *block, uint32_t number)
{
	double weighted;

	for (uint32_t e = 0; e < block->exits; e++)
		for (uint32_t r = 0; r < block->exit_refs[e]; r++)
			s->refs[block->ref[r].site] +=
				(double)ms_engine_count_exits(engine, 0, number, e, &weighted);
}

static void add_site_refs(const struct ms_bins *binder, const struct ms_engine *engine,
			  struct sites *s)
{
	bool apart = false;

	for (uint32_t b = 0; b < ms_bins_blocks(binder); b++)
		apart |= add_counted(binder, s, engine, ms_bins_block_at(binder, b), b);
	for (uint32_t b = 0; b < ms_bins_blocks(binder) && !apart; b++)
		add_listed(s, engine, ms_bins_block_at(binder, b), b);
}

double *ms_name_refs_by_site(const struct ms_bins *binder, const struct ms_engine *engine)
{
	size_t n = ms_bins_sites(binder);
	struct sites s = { .by_pc = MS_MAP_INIT,
			   .next = ms_alloc((n + 1) * sizeof(*s.next)),
			   .refs = ms_alloc((n + 1) * sizeof(*s.refs)) };

	list_sites(binder, &s);
	add_site_refs(binder, engine, &s);
	ms_map_free(&s.by_pc);
	ms_free(s.next);
	return s.refs;
}

uint64_t ms_name_total_refs(const struct ms_bins *binder, const struct ms_engine *engine,
			    uint32_t processors)
{
	uint64_t refs = 0;

	for (uint32_t b = 0; b < ms_bins_blocks(binder); b++) {
		const struct ms_bins_bound_block *block = ms_bins_block_at(binder, b);

		for (uint32_t e = 0; e < block->exits; e++)
			refs += block->exit_made[e] * in_windows(engine, processors, b, e);
	}
	return refs;
}
