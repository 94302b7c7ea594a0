/*
 * name/line_instructions.c - the instructions that each source line executed, and the compute time
 * that they took: with an out-of-order core, cycles per instruction of their block as the timing
 * model observed it; with an in-order core a cycle each, which is not stored again.
 */
#include <stdlib.h>

#include "base/num.h"
#include "name/name_priv.h"

/* Executions of one instruction. */
struct executed {
	uint64_t times;
	double weighted; /* each divided by the number of busy processors */
	uint64_t cycles;
};

/* Cycles per instruction of blocks that were not observed, and of the current block. */
struct compute {
	double unobserved;
	double each;
	double rest; /* cycles that rounding has left out so far */
};

static void add_line_time(struct ms_name_state *n, uint32_t line, uint32_t processor,
			  const struct executed *executed)
{
	uint32_t *slot = ms_map_at(&n->times, line, processor);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)n->run->line_times.n;
		*ms_vec_add(&n->run->line_times) =
			(struct ms_run_line_time){ line, processor, 0, 0, 0 };
	}
	n->run->line_times.at[*slot].instructions += executed->times;
	n->run->line_times.at[*slot].weighted += executed->weighted;
	n->run->line_times.at[*slot].cycles += executed->cycles;
}

/* Whether executions between windows were counted and can be used: their processor is not known. */
static bool counts_all(const struct ms_name_state *n)
{
	return n->from.windows->outside.n > 0 && n->run->processors == 1;
}

static uint64_t left_out(const struct ms_name_state *n, size_t exit)
{
	return counts_all(n) && exit < n->from.windows->outside.n
		       ? n->from.windows->outside.at[exit]
		       : 0;
}

/* By exit of a block: they are read once for all of its instructions. */
struct executed_exits {
	MS_VEC(struct executed) at;
};

static bool count_exits(const struct ms_name_state *n, uint32_t b, uint32_t exits,
			size_t first_exit, uint32_t processor, struct executed_exits *counts)
{
	bool any = false;

	counts->at.n = 0;
	for (uint32_t e = 0; e < exits; e++) {
		struct executed exit = { 0, 0, 0 };

		exit.times =
			ms_engine_count_exits(n->from.engine, processor, b, e, &exit.weighted) +
			left_out(n, first_exit + e);
		*ms_vec_add(&counts->at) = exit;
		any |= exit.times > 0;
	}
	return any;
}

/* How often the instruction of a block was executed: all in front of the exit by which it was left.
 */
static struct executed count_executions(const struct ms_name_state *n,
					const struct ms_bins_bound_block *block,
					uint32_t instruction, const struct executed_exits *counts)
{
	struct executed sum = { 0, 0, 0 };

	for (uint32_t e = 0; e < block->exits; e++) {
		if (block->exit_instructions[e] <= instruction)
			continue;
		sum.times += counts->at.at[e].times;
		sum.weighted += counts->at.at[e].weighted;
	}
	if (n->from.sampling != NULL && !counts_all(n)) {
		sum.times = ms_estimate_scale_count(sum.times, n->scale.time);
		sum.weighted *= n->scale.time;
	}
	return sum;
}

/* What rounding leaves of one instruction's cycles is added to those of the next. */
static uint64_t whole_cycles(struct compute *c, uint64_t times)
{
	double exact = (double)times * c->each + c->rest;
	uint64_t cycles = ms_round_u64(exact > 0 ? exact : 0);

	c->rest = exact - (double)cycles;
	return cycles;
}

/* counts: of the block's exits. */
static void count_block(struct ms_name_state *n, struct compute *compute,
			const struct ms_bins_bound_block *block, uint32_t processor,
			const struct executed_exits *counts)
{
	for (uint32_t i = 0; i < block->instructions; i++) {
		struct executed executed = count_executions(n, block, i, counts);

		if (executed.times == 0)
			return; /* nor was anything after it */
		executed.cycles = whole_cycles(compute, executed.times);
		uint32_t line = ms_name_codes_line(
			&n->code, ms_bound_block_pc(block, i)); /* may move the array */
		n->run->lines.at[line].instructions += executed.times;
		n->run->lines.at[line].cycles += executed.cycles;
		n->run->instructions += executed.times;
		n->run->compute_cycles += executed.cycles;
		if (n->run->processors > 1)
			add_line_time(n, line, processor, &executed);
	}
}

static double cycles_each(uint64_t cycles, uint64_t instructions)
{
	return (double)cycles / MS_ENGINE_MISS_UNIT / (double)instructions;
}

/* Blocks that were not observed take as long as the mean of the others, or as the machine states.
 */
static double unobserved_cycles(const struct ms_run *run, const struct ms_engine_totals *totals)
{
	uint64_t cycles = 0, instructions = 0;

	for (size_t i = 0; i < totals->compute.n; i++) {
		cycles += totals->compute.at[i].cycles;
		instructions += totals->compute.at[i].instructions;
	}
	if (instructions > 0)
		return cycles_each(cycles, instructions);
	return run->ipc_milli > 0 ? 1000.0 / run->ipc_milli : 1;
}

/* The cycles of each instruction of block b; totals are sorted by block, and `at` follows b. */
static double block_cycles(const struct compute *c, const struct ms_engine_totals *totals,
			   uint32_t b, size_t *at)
{
	while (*at < totals->compute.n && totals->compute.at[*at].block < b)
		++*at;
	const struct ms_engine_total_compute *t =
		*at < totals->compute.n ? &totals->compute.at[*at] : NULL;
	return t != NULL && t->block == b && t->instructions > 0
		       ? cycles_each(t->cycles, t->instructions)
		       : c->unobserved;
}

static int compare_times(const void *a, const void *b)
{
	const struct ms_run_line_time *x = a, *y = b;
	int order = ms_cmp_u64(x->line, y->line);

	return order != 0 ? order : ms_cmp_u64(x->processor, y->processor);
}

void ms_name_count_instructions(struct ms_name_state *n, const struct ms_engine_totals *totals)
{
	const bool estimates = n->run->core == MS_RUN_OUT_OF_ORDER;
	struct compute compute = { estimates ? unobserved_cycles(n->run, totals) : 0, 0, 0 };
	struct executed_exits counts = { MS_VEC_INIT };
	size_t exits = 0, at = 0;

	for (uint32_t b = 0; b < ms_bins_blocks(n->from.binder); b++) {
		const struct ms_bins_bound_block *block = ms_bins_block_at(n->from.binder, b);

		compute.each = estimates ? block_cycles(&compute, totals, b, &at) : 0;
		for (uint32_t p = 0; p < n->run->processors; p++)
			if (count_exits(n, b, block->exits, exits, p, &counts))
				count_block(n, &compute, block, p, &counts);
		exits += block->exits;
	}
	ms_vec_free(&counts.at);
	if (n->run->line_times.n > 1)
		qsort(n->run->line_times.at, n->run->line_times.n, sizeof(*n->run->line_times.at),
		      compare_times);
}
