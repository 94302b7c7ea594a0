/*
 * collect/wait_loops.c - loops in which threads of a sampled program wait for other threads.
 *
 * How often such a loop goes round depends on timing: natively far more often than in windows and
 * whole runs, where a thread that waits lets others run. The front-end finds these loops and does
 * not count what they do between windows. How often their exits were taken between windows is set
 * to 0 here, so that their references are those of the windows.
 */
#include "base/text.h"
#include "collect/codes.h"
#include "collect/events.h"
#include "collect/naming.h"

/* The instructions of all blocks that begin at the pc, as one range of offsets. */
struct range {
	uint32_t module;
	uint64_t from, to;
};

static struct range loop_range(const struct collector *c, struct ms_bins_bound_pc pc)
{
	struct range range = { pc.module, pc.offset, pc.offset };

	for (uint32_t b = 0; b < ms_bins_blocks(c->binding.binder); b++) {
		const struct ms_bins_bound_block *block = ms_bins_block_at(c->binding.binder, b);

		if (block->instructions == 0)
			continue;
		struct ms_bins_bound_pc first = ms_bound_block_pc(block, 0);
		if (first.module != pc.module || first.offset != pc.offset)
			continue;
		for (uint32_t i = 0; i < block->instructions; i++) {
			struct ms_bins_bound_pc at = ms_bound_block_pc(block, i);

			if (at.module == pc.module && at.offset > range.to)
				range.to = at.offset;
		}
	}
	return range;
}

static bool is_in_range(struct ms_bins_bound_pc pc, const struct range *range)
{
	return pc.module == range->module && pc.offset >= range->from && pc.offset <= range->to;
}

/* Instructions of the block in front of the first one in the range. */
static uint32_t before_range(const struct ms_bins_bound_block *block, const struct range *range)
{
	uint32_t i = 0;

	while (i < block->instructions && !is_in_range(ms_bound_block_pc(block, i), range))
		i++;
	return i;
}

/* What was counted of the loop between windows, in references; it is not counted any more. A
 * thread may have come to the loop by a block that begins in front of it. */
static uint64_t take_outside(struct collector *c, struct ms_bins_bound_pc pc)
{
	const struct range range = loop_range(c, pc);
	uint64_t references = 0;
	size_t exit = 0;

	for (uint32_t b = 0; b < ms_bins_blocks(c->binding.binder); b++) {
		const struct ms_bins_bound_block *block = ms_bins_block_at(c->binding.binder, b);
		uint32_t before = before_range(block, &range);

		for (uint32_t e = 0; e < block->exits; e++, exit++) {
			if (exit >= c->windows.outside.n || block->exit_instructions[e] <= before)
				continue;
			references += c->windows.outside.at[exit] * block->exit_refs[e];
			c->windows.outside.at[exit] = 0;
		}
	}
	return references;
}

static int bind_wait_loop(struct collector *c, const struct event *e, struct bound_event *b,
			  struct ms_err *err)
{
	struct wait_loop loop = { ms_bins_locate(c->binding.binder, e->words[0]), e->words[1] };

	(void)b;
	(void)err;
	c->windows.wait_skipped += loop.skipped;
	c->windows.wait_outside += take_outside(c, loop.pc);
	*ms_vec_add(&c->program.wait_loops) = loop;
	return MS_OK;
}

/* One row for each function. */
void ms_wait_loops_result(struct naming *n)
{
	struct ms_run *run = n->run;
	size_t first = run->untraced.n;

	for (size_t i = 0; i < n->c->program.wait_loops.n; i++) {
		const struct wait_loop *loop = &n->c->program.wait_loops.at[i];
		uint32_t line = ms_codes_line(&n->code, loop->pc);
		const char *code = run->codes.at[run->lines.at[line].code].name;
		size_t at = first;

		if (loop->skipped == 0)
			continue;
		while (at < run->untraced.n && run->untraced.at[at].reason != code)
			at++;
		if (at == run->untraced.n)
			*ms_vec_add(&run->untraced) =
				(struct ms_run_untraced){ code, MS_WHO_WAITING, 0, 0 };
		run->untraced.at[at].times += loop->skipped;
	}
}

const struct ms_handler ms_event_wait_loop = { "loop that waits", 2, bind_wait_loop, NULL };
