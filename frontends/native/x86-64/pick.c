/*
 * pick.c - where sets are sampled: a reference is written down if its line is seen.
 *
 *      lea    rS, [address]
 *      and    rS, mask                 flags are dead here; or else they are kept in rax, and the
 *      test   byte [rS + table], 1     address, which may need rax, is put down first
 *      jne    out
 *      ...                             the instruction itself
 * out: lea    rS, [address]            behind the block's end, as few are seen
 *      mov    [rB + 8], rS
 *      mov    [rB], head               an execution that is this reference alone; see block.c
 *      lea    rB, [rB + 16]
 *      jmp    back
 *
 * So the cursor's register moves while the block is executed, and what it says at an exit is where
 * the execution's own head word goes.
 */
#include "emit.h"

/* As many as there are in the pieces of a string instruction, or in a block. */
enum { MOST = 2 * (MS_MAX_REFS + 32) };

static struct pick {
	uint8_t *from;
	const uint8_t *back;
	struct ms_where where;
	uint32_t exit;
	uint8_t scratch;
	bool put; /* its address is there already */
} picks[MOST];
static uint32_t count;

void ms_pick_start(void)
{
	count = 0;
}

static void put_head(uint32_t exit)
{
	put_value32(ms_e.block->b, 0, 2 << 16 | MS_WIRE_EXEC);
	put_value32(ms_e.block->b, 4, exit);
	put_memory(OP_LEA, ms_e.block->b, ms_e.block->b, NO_REG, 1, 16);
}

uint32_t ms_pick_exit(struct ms_thread *t, const struct ms_insn *in, const struct ms_where *w)
{
	uint32_t times = 0;

	for (uint32_t k = 0; k < in->refs; k++)
		times += in->ref[k].size == w->size && in->ref[k].kind == w->kind;
	if (in->slow == MS_SLOW_ELEMENTS)
		times = in->elements;
	return ms_block_reference(t, in->pc, w->size, w->kind, times > 0 ? times : 1);
}

void ms_pick_constant(const struct ms_insn *in, const struct ms_where *w)
{
	uint32_t exit = ms_pick_exit(ms_e.t, in, w);

	if (!ms_groups_see(in->target))
		return;
	put_value32(ms_e.block->b, 8, (uint32_t)in->target);
	put_value32(ms_e.block->b, 12, (uint32_t)(in->target >> 32));
	put_head(exit);
}

/* Leaves its index in the scratch register; touches flags. */
static void put_index(uint32_t s)
{
	if (ms_groups.shift != 0) { /* shr s, shift */
		put_rex(1, 0, 0, s);
		put8(0xc1), put8(0xe8 | (s & 7)), put8(ms_groups.shift);
	}
	put_rex(0, 0, 0, s); /* and s, mask: the upper half becomes 0 */
	put8(0x81), put8(0xe0 | (s & 7)), put32(ms_groups.mask);
}

static uint8_t *put_test(uint32_t s)
{
	put_index(s);
	put_rex(0, 0, 0, s); /* test byte [s + table], 1 */
	put8(0xf6);
	put_address(0, s, NO_REG, 1, (int32_t)(uint64_t)ms_groups.table);
	put8(1);
	return put_branch(CONDITION_NE);
}

void ms_pick_ref(const struct ms_insn *in, const struct ms_where *w, uint32_t s, bool keeps_flags)
{
	struct pick *p = &picks[count++];

	p->where = *w;
	p->exit = ms_pick_exit(ms_e.t, in, w);
	p->scratch = (uint8_t)s;
	p->put = keeps_flags;
	ms_body_lea(s, w);
	if (keeps_flags) {
		put_memory(OP_STORE, s, ms_e.block->b, NO_REG, 1, 8);
		put_gs_store(RAX, reg_at(RAX));
		put8(0x9f);                         /* lahf */
		put8(0x0f), put8(0x90), put8(0xc0); /* seto al */
	}
	p->from = put_test(s);
	p->back = ms_cache_at;
	if (keeps_flags) {
		put8(0x04), put8(0x7f); /* add al, 127 */
		put8(0x9e);             /* sahf */
		put_gs_load(RAX, reg_at(RAX));
	}
}

void ms_pick_rest(void)
{
	for (const struct pick *p = picks; p < picks + count; p++) {
		aim_here(p->from);
		if (!p->put) {
			ms_body_lea(p->scratch, &p->where);
			put_memory(OP_STORE, p->scratch, ms_e.block->b, NO_REG, 1, 8);
		}
		put_head(p->exit);
		put_jump(p->back);
	}
}
