/*
 * emit.c - a block's code. x18 is the thread all the time.
 *
 *      b      miss
 *      mov    x17, #pc                  <- MS_BLOCK_INDIRECT: x16 is where an indirect branch goes,
 *      sub    x17, x17, x16                the program's x16 and x17 are spilled
 *      cbnz   x17, .-20
 *      ldr    x17, [x18, #x17]
 *      ldr    x16, [x18, #x16]          <- MS_BLOCK_RESUME: from C
 *      str    xC, [x18, #spill]         <- block->entry: registers that the block does not use,
 *      str    xW, [x18, #spill]            spilled only if they are live
 *      ldr    xC, [x18, #cursor]
 *      ldr    xW, [x18, #limit]
 *      sub    xW, xC, xW
 *      tbz    xW, #63, full
 *      add    xW, xN, #offset           a reference, then the instruction itself
 *      str    xW, [xC, #8]
 *      ...
 *      mov    xW, #head                 an exit: the record's head word, the cursor after it,
 *      str    xW, [xC]                  registers restored
 *      prfm   pstl1keep, [xC, #1024]    for each line that the record has
 *      add    xC, xC, #8 * words
 *      str    xC, [x18, #cursor]
 *      ldr    xC, xW, [x18, #spill]
 *      b      next                      patched when next is translated
 *
 * No generated instruction changes the flags or the program's stack.
 *
 * A block of code that may change (made.c) begins with a nop, which becomes a branch to its next
 * version, and compares its code before the record begins:
 *
 *      mov    xC, #pc
 *      ldr    xW, [xC]                  two instructions of the program
 *      ldr    xT, them
 *      sub    xW, xW, xT
 *      cbnz   xW, changed
 */
#include "emit.h"

#include "arch.h"
#include "asm.h"
#include "insn.h"
#include "layout.h"
#include "runtime/thread_state.h"
#include "tracer/arch_priv.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "wire/wire.h"

struct ms_emit ms_e;
uint32_t *ms_emit_ways[MS_GLUES];
static uint32_t *miss_code; /* shared by all blocks */

/* --- constants --- */

static struct literal {
	uint32_t *at;
	uint64_t value;
} literals[4 * MS_MAX_INSNS];
static uint32_t literal_count;
enum { MOVZ = 0xd2800000, MOVK = 0xf2800000 };

/* Movz and movk: the part of sixteen bits at `shift`. */
static uint32_t part_word(uint32_t op, uint32_t t, uint64_t value, uint32_t shift)
{
	return op | shift / 16 << 21 | (uint32_t)(value >> shift & 0xffff) << 5 | t;
}

/*
 * Up to three instructions are not longer than a load with its literal. They need no line of the
 * data cache either, for which rarely executed code would wait each time.
 */
void put_constant(uint32_t t, uint64_t value)
{
	uint32_t parts = 0, op = MOVZ;

	for (uint32_t shift = 0; shift < 64; shift += 16)
		parts += (value >> shift & 0xffff) != 0;
	if (parts > 3) {
		literals[literal_count++] = (struct literal){ ms_cache_at, value };
		put(0x58000000 | t);
		return;
	}
	for (uint32_t shift = 0; shift < 64; shift += 16)
		if ((value >> shift & 0xffff) != 0 || (parts == 0 && shift == 0)) {
			put(part_word(op, t, value, shift));
			op = MOVK;
		}
}

static void put_literals(void)
{
	if (literal_count != 0 && (uint64_t)ms_cache_at % 8 != 0)
		put(0);
	for (uint32_t i = 0; i < literal_count; i++) {
		*literals[i].at |= (uint32_t)(ms_cache_at - literals[i].at) << 5;
		*(uint64_t *)ms_cache_at = literals[i].value;
		ms_cache_at += 2;
	}
	literal_count = 0;
}

/* --- the block --- */

/* If an address has more bits than three parts, C looks it up each time. */
static void put_head(void)
{
	uint64_t pc = ms_e.block->pc;
	uint32_t *miss = ms_cache_at;

	put_jump(miss_code);
	if (pc >> 48 != 0)
		put_jump(miss_code);
	else
		put(part_word(MOVZ, 17, pc, 0));
	put(part_word(MOVK, 17, pc, 16));
	put(part_word(MOVK, 17, pc, 32));
	put_subtract(17, 17, 16);
	put(0xb5000000 | ((uint32_t)(miss - ms_cache_at) & 0x7ffff) << 5 | 17); /* cbnz */
	put_load(17, MS_OURS, reg_at(17));
	put_load(16, MS_OURS, reg_at(16));
	ms_e.block->entry = (uint64_t)ms_cache_at;
	ms_e.block->indirect = ms_e.block->entry - MS_BLOCK_INDIRECT;
}

/* --- code that may change --- */

static uint32_t *changed_from[MS_MAX_INSNS];
static uint32_t changed_count;

/* Loads a word from the address in the cursor's register, and compares it. */
static void put_compare_word(uint32_t load, uint64_t word)
{
	put(load | (uint32_t)ms_e.cursor << 5 | ms_e.work);
	put_constant(ms_e.theirs, word);
	put_subtract(ms_e.work, ms_e.work, ms_e.theirs);
	changed_from[changed_count++] = ms_cache_at;
	put(0xb5000000 | ms_e.work); /* cbnz */
}

static void put_compare(void)
{
	const struct ms_gather *g = ms_e.g;

	changed_count = 0;
	if (!g->made)
		return;
	/* If the code is unmapped, this fault stands for the fault of the program's jump. */
	ms_body_site(&g->in[0], MS_SITE_BODY);
	put_constant(ms_e.cursor, g->pc);
	for (uint32_t i = 0; i + 1 < g->n; i += 2)
		put_compare_word(0xf9400000 | i / 2 << 10,
				 (uint64_t)g->in[i + 1].word << 32 | g->in[i].word);
	if (g->n % 2 != 0)
		put_compare_word(0xb9400000 | (g->n - 1) << 10, g->in[g->n - 1].word);
}

static void put_changed(void)
{
	if (changed_count == 0)
		return;
	for (uint32_t i = 0; i < changed_count; i++)
		aim_here(changed_from[i]);
	ms_regs_give_back();
	ms_exits_to_c(MS_AT_PC, ms_e.block->pc, MS_GLUE_CHANGED);
}

void ms_emit_forward(const struct ms_block *old, const struct ms_block *to)
{
	uint32_t *nop = (uint32_t *)old->entry;

	__atomic_store_n(nop, jump_word(nop, (const uint32_t *)to->entry), __ATOMIC_RELEASE);
	ms_cache_sync(nop, nop + 1);
}

/* Returns the branch that is taken when the chunk is full. */
static uint32_t *put_check(void)
{
	if (ms_e.g->made)
		put(0xd503201f); /* nop */
	ms_regs_spill();
	put_compare();
	if (ms_e.g->silent)
		return NULL;
	put_load(ms_e.cursor, MS_OURS, MS_AT_CURSOR);
	put_load(ms_e.work, MS_OURS, MS_AT_LIMIT);
	put_subtract(ms_e.work, ms_e.cursor, ms_e.work);
	put(0xb6f80000 | ms_e.work); /* tbz #63 */
	return ms_cache_at - 1;
}

static void put_full(uint32_t *from)
{
	if (from == NULL)
		return;
	aim_here(from);
	ms_regs_give_back();
	ms_exits_to_c(MS_AT_PC, ms_e.block->pc, MS_GLUE_FULL);
}

static void put_side(struct ms_side *side)
{
	const struct ms_insn *in = &ms_e.g->in[side->at];
	uint32_t word = ms_body_branch(in);

	if (side->inverted)
		word ^= (word & 0xff000000) == 0x54000000 ? 1 : 1u << 24;
	side->patch = ms_cache_at;
	put(word);
}

static void put_body(void)
{
	uint32_t side = 0, n = ms_e.g->term == MS_TERM_INSN ? ms_e.g->n - 1 : ms_e.g->n;

	for (uint32_t i = 0; i < n; i++)
		if (side < ms_e.g->sides && ms_e.g->side[side].at == i)
			put_side(&ms_e.g->side[side++]);
		else
			ms_body_insn(i);
}

static void put_sides(void)
{
	for (uint32_t k = 0; k < ms_e.g->sides; k++) {
		struct ms_side *side = &ms_e.g->side[k];

		aim_here(side->patch);
		ms_exits_record(ms_e.g->refs_before[side->at + 1]);
		ms_exits_link(side->target);
	}
}

/* Lists the exits in the order in which their code is written. */
static uint32_t list_exits(struct ms_wire_exit *exits)
{
	struct ms_wire_exit whole = { (uint16_t)ms_e.g->refs, (uint16_t)ms_e.g->n, 0 };
	uint32_t n = 0;

	exits[n++] = whole;
	if (ms_e.g->term == MS_TERM_INSN && ms_e.g->in[ms_e.g->n - 1].kind == MS_BRANCH)
		exits[n++] = whole;
	for (uint32_t k = 0; k < ms_e.g->sides; k++)
		exits[n++] = (struct ms_wire_exit){ ms_e.g->refs_before[ms_e.g->side[k].at + 1],
						    (uint16_t)(ms_e.g->side[k].at + 1), 0 };
	return n;
}

static uint32_t describe(void)
{
	static uint64_t pcs[MS_MAX_INSNS];
	static struct ms_wire_ref refs[MS_MAX_REFS + 8];
	static struct ms_wire_exit exits[MS_MAX_EXITS + 2];
	uint32_t n = 0;

	for (uint32_t i = 0; i < ms_e.g->n; i++) {
		const struct ms_insn *in = &ms_e.g->in[i];

		pcs[i] = in->pc;
		for (uint32_t k = 0; k < in->refs; k++)
			refs[n++] =
				(struct ms_wire_ref){ (uint16_t)i, in->size,
						      k == 0 ? in->kind_first : in->kind_other, 0 };
	}
	if (ms_e.g->picks)
		return ms_block_describe_apart(ms_e.t, pcs, ms_e.g->n, exits, list_exits(exits));
	return ms_block_describe(ms_e.t, pcs, ms_e.g->n, refs, n, exits, list_exits(exits));
}

void ms_emit(struct ms_thread *t, struct ms_block *b, struct ms_gather *gathered)
{
	const uint32_t *from = ms_cache_at;
	uint32_t *full;

	ms_e = (struct ms_emit){ .g = gathered, .block = b, .t = t };
	b->made = gathered->made;
	while (!ms_regs_choose())
		ms_gather_cut(ms_e.g, ms_e.g->n / 2);
	if (!ms_e.g->silent && (!ms_e.g->counts || ms_e.g->tallies))
		ms_e.next_exit = describe();
	ms_exits_start();
	put_head();
	full = put_check();
	ms_pick_start();
	if (ms_e.g->term == MS_TERM_REGION) {
		ms_rep();
	} else {
		put_body();
		if (ms_e.g->term == MS_TERM_INSN) {
			ms_exits_last(&ms_e.g->in[ms_e.g->n - 1]);
		} else {
			ms_exits_record(ms_e.g->refs);
			ms_exits_link(ms_e.g->next);
		}
	}
	put_sides();
	put_full(full);
	put_changed();
	ms_pick_rest();
	ms_exits_stubs();
	ms_e.block->size = (uint32_t)((uint64_t)ms_cache_at - ms_e.block->entry);
	put_literals();
	ms_cache_sync(from, ms_cache_at);
}

void ms_emit_link(const struct ms_link *link, const struct ms_block *to)
{
	__atomic_store_n(link->branch, jump_word(link->branch, (const uint32_t *)to->entry),
			 __ATOMIC_RELEASE);
	ms_cache_sync(link->branch, link->branch + 1);
}

void ms_emit_for(const struct ms_link *link)
{
	(void)link; /* blocks do not depend on their neighbours */
}

void ms_emit_start(void)
{
	const uint32_t *from = ms_cache_at;

	for (uint32_t glue = 0; glue < MS_GLUES; glue++) {
		ms_emit_ways[glue] = ms_cache_at;
		put_load(16, MS_OURS, MS_AT_GLUE + 8 * glue);
		put_jump_register(16);
	}
	miss_code = ms_cache_at;
	put_store(16, MS_OURS, MS_AT_TARGET);
	put_load(17, MS_OURS, reg_at(17));
	put_jump(ms_emit_ways[MS_GLUE_MISS]);
	ms_cache_miss_is((uint64_t)miss_code);
	ms_cache_sync(from, ms_cache_at);
}
