/*
 * collect/spin_loops.c - loops in which threads of a sampled program wait for other threads.
 *
 * How often such a loop goes round depends on timing: natively far more often than in windows and
 * whole runs, where a thread that waits lets others run. The front-end finds these loops and does
 * not count what they do between windows. How often their exits were taken between windows is set
 * to 0 here, so that their references are those of the windows.
 */
#include "collect/events/events.h"

/* The instructions of all blocks that begin at the pc, as one range of offsets. */
struct range {
	uint32_t module;
	uint64_t from, to;
};

static struct range loop_range(const struct ms_collect_state *c, struct ms_bins_bound_pc pc)
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

/* Instructions of the block before the first one in the range. */
static uint32_t before_range(const struct ms_bins_bound_block *block, const struct range *range)
{
	uint32_t i = 0;

	while (i < block->instructions && !is_in_range(ms_bound_block_pc(block, i), range))
		i++;
	return i;
}

/* Returns the references of the loop that were counted between windows, and discards them. A
 * thread may have entered the loop in a block that begins before it. */
static uint64_t take_outside(struct ms_collect_state *c, struct ms_bins_bound_pc pc)
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

static int bind_spin_loop(struct ms_collect_state *c, const struct ms_collect_event *e,
			  struct ms_collect_bound_event *b, struct ms_err *err)
{
	struct ms_name_spin_loop loop = { ms_bins_locate(c->binding.binder, e->words[0]),
					  e->words[1] };

	(void)b;
	(void)err;
	c->windows.wait_skipped += loop.skipped;
	c->windows.wait_outside += take_outside(c, loop.pc);
	*ms_vec_add(&c->program.spin_loops) = loop;
	return MS_OK;
}

const struct ms_collect_handler ms_collect_event_spin_loop = { "loop that waits", 2, bind_spin_loop,
							       NULL };
