/*
 * pick.c - where sets are sampled: a reference is written down if its line is seen.
 *
 *      add    xW, xN, #offset           the address
 *      ubfx   xW, xW, #shift, #bits     the number of its group
 *      ldrb   wW, [xT, xW]              xT: which are seen
 *      cbnz   xW, out
 *      ...                              the instruction itself
 * out: add    xW, xN, #offset           behind the block's end, as few are seen
 *      str    xW, [xC, #8]
 *      ldr    xW, head                  an execution that is this reference alone; see block.c
 *      str    xW, [xC]
 *      add    xC, xC, #16
 *      b      back
 *
 * So the cursor's register moves while the block is executed, and what it says at an exit is where
 * the execution's own head word goes.
 */
#include "emit.h"

static struct pick {
	uint32_t *from;
	const uint32_t *back;
	const struct ms_insn *in;
	uint32_t word, k, exit;
} picks[MS_MAX_REFS + 8];
static uint32_t count;

void ms_pick_start(void)
{
	count = 0;
	if (ms_e.other != NO_REG)
		put_constant(ms_e.other, (uint64_t)ms_groups.table);
}

static uint32_t exit_of(const struct ms_insn *in, uint32_t k)
{
	return ms_block_reference(ms_e.t, in->pc, in->size,
				  k == 0 ? in->kind_first : in->kind_other);
}

static void put_head(uint32_t exit)
{
	put_constant(ms_e.work, ms_wire_head(MS_WIRE_EXEC, 2, exit));
	put_store(ms_e.work, ms_e.cursor, 0);
	put_add(ms_e.cursor, ms_e.cursor, 16);
}

/* Seen always, or never. */
static void pick_literal(const struct ms_insn *in)
{
	if (!ms_groups_see(in->target))
		return;
	put_constant(ms_e.work, in->target);
	put_store(ms_e.work, ms_e.cursor, 8);
	put_head(exit_of(in, 0));
}

static void put_test(uint32_t reg)
{
	uint32_t w = ms_e.work, low = ms_groups.shift;
	uint32_t bits = 32 - (uint32_t)__builtin_clz(ms_groups.mask);

	put(0xd3400000 | low << 16 | (low + bits - 1) << 10 | reg << 5 | w); /* ubfx */
	put(0x38606800 | w << 16 | (uint32_t)ms_e.other << 5 | w);           /* ldrb */
	put(0xb5000000 | w);                                                 /* cbnz */
}

void ms_pick_refs(const struct ms_insn *in, uint32_t word)
{
	if (in->kind == MS_LITERAL) {
		pick_literal(in);
		return;
	}
	for (uint32_t k = 0; k < in->refs; k++) {
		put_test(ms_body_address(in, word, k));
		picks[count++] =
			(struct pick){ ms_cache_at - 1, ms_cache_at, in, word, k, exit_of(in, k) };
	}
}

void ms_pick_rest(void)
{
	for (const struct pick *p = picks; p < picks + count; p++) {
		aim_here(p->from);
		put_store(ms_body_address(p->in, p->word, p->k), ms_e.cursor, 8);
		put_head(p->exit);
		put_jump(p->back);
	}
}
