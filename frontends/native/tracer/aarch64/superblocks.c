/*
 * superblocks.c - selects the instructions of one block.
 *
 * A block is a superblock. It has one entry; conditional branches leave it in the middle or end it.
 * Direct jumps and calls are followed, and so is the return of a function that has not changed x30.
 * A loop that branches back to the block's start is unrolled. The code from a load-exclusive to its
 * store-exclusive is a block of its own. A store-exclusive alone becomes a store that fails: code
 * that gets there otherwise (from a handler, for example) has lost the reservation of its load.
 */
#include "arch.h"
#include "heap/heap.h"
#include "instruction.h"
#include "interpose/interpose.h"
#include "thread_layout.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/tracer.h"
#include "tracer/window.h"

static bool is_silent(uint64_t pc)
{
	return pc >= (uint64_t)ms_interpose_text_start && pc < (uint64_t)ms_interpose_text_end;
}

/* The owner of code: the program, the wrappers (executed without records), the runtime (called by
 * C), or a function whose calls are reported. */
static int owner(uint64_t pc, bool recorded)
{
	return is_silent(pc)                      ? 1
	       : ms_tracer_is_runtime_code(pc)    ? 2
	       : ms_heap_is_watched(pc, recorded) ? 3
						  : 0;
}

/* Never into watched code, from anywhere: C must run each time it begins. */
static bool may_follow(const struct ms_tracer_superblock *g, uint64_t from, uint64_t to)
{
	return owner(to, g->recorded) == owner(from, g->recorded) &&
	       !ms_heap_is_watched(to, g->recorded);
}

/* State of the walk through the code. */
struct follow_state {
	uint32_t round; /* instructions of a loop's first iteration */
	uint64_t link;  /* the value of x30; 0: unknown */
};

static void stop(struct ms_tracer_superblock *g, enum ms_tracer_terminator term, uint32_t why)
{
	g->term = term;
	g->why = why;
}

static struct ms_tracer_insn *append_insn(struct ms_tracer_superblock *g)
{
	struct ms_tracer_insn *in = &g->in[g->n];

	g->passed[g->n] = false;
	g->n++;
	g->refs += in->refs;
	g->refs_before[g->n] = (uint16_t)g->refs;
	return in;
}

static void add_side(struct ms_tracer_superblock *g, uint64_t target, bool inverted)
{
	g->side[g->sides++] =
		(struct ms_tracer_side_exit){ target, (uint16_t)(g->n - 1), inverted, NULL };
}

/* Whether there is room for one more iteration as long as the first. */
static bool may_unroll(const struct ms_tracer_superblock *g, struct follow_state *state)
{
	if (state->round == 0)
		state->round = g->n;
	return g->n + state->round <= MS_TRACER_MAX_INSNS - 4 &&
	       g->refs + g->refs / (g->n / state->round) <= MS_TRACER_MAX_REFS - 8 &&
	       g->sides < MS_TRACER_MAX_EXITS - 4;
}

static uint64_t follow_branch(struct ms_tracer_superblock *g, const struct ms_tracer_insn *in,
			      struct follow_state *state)
{
	if (!g->is_jit && in->target == g->pc && may_unroll(g, state)) {
		add_side(g, in->pc + 4, true);
		return g->pc;
	}
	if (in->target <= in->pc || g->sides >= MS_TRACER_MAX_EXITS - 4)
		return 0;
	add_side(g, in->target, false);
	return in->pc + 4;
}

/* After a branch: the pc at which the block continues, or 0. */
static uint64_t follow(struct ms_tracer_superblock *g, const struct ms_tracer_insn *in,
		       struct follow_state *state)
{
	uint64_t to = 0;

	if (g->is_jit && in->kind != MS_TRACER_INSN_BRANCH)
		return 0;
	switch ((enum ms_tracer_insn_kind)in->kind) {
	case MS_TRACER_INSN_CALL:
		if (in->target != g->pc && may_follow(g, in->pc, in->target)) {
			state->link = in->pc + 4;
			to = in->target;
		}
		return to; /* the call writes x30, so it needs code */
	case MS_TRACER_INSN_RETURN:
		if (in->word == 0xd65f03c0) /* ret x30 */
			to = state->link;
		break;
	case MS_TRACER_INSN_JUMP: /* backwards as well: an interpreter's dispatch becomes part of
				     its blocks */
		if (in->target != in->pc && may_follow(g, in->pc, in->target))
			to = in->target;
		break;
	case MS_TRACER_INSN_BRANCH:
		return follow_branch(g, in, state);
	default:
		return 0;
	}
	g->passed[g->n - 1] = to != 0;
	return to;
}

/* --- regions that must stay together --- */

enum { LONGEST = 32 }; /* instructions */

static bool may_be_inside(const struct ms_tracer_insn *in)
{
	return in->kind == MS_TRACER_INSN_PLAIN || in->kind == MS_TRACER_INSN_EXCLUSIVE ||
	       in->kind == MS_TRACER_INSN_EXCLUSIVE_STORE || in->kind == MS_TRACER_INSN_BRANCH ||
	       in->kind == MS_TRACER_INSN_JUMP;
}

/* Whether the address of a reference is known before the region begins. */
static bool is_known(const struct ms_tracer_insn *in, uint32_t written)
{
	return in->mode == MS_TRACER_MODE_OFFSET &&
	       !(written & ms_tracer_get_reg_bit(in->word >> 5 & 31));
}

/*
 * A forward branch may lead to a second store: if 16 bytes differ from the expected value, the
 * program writes back the value it has read, as only a successful store proves that both halves
 * belong together. Returns the pc after that store; 0: there is none.
 */
static uint64_t skip_other_store(const struct ms_tracer_insn *branch, uint64_t start)
{
	uint64_t pc = branch->target;
	struct ms_tracer_insn in;

	for (; pc > branch->pc && pc < start + 4 * LONGEST; pc += 4) {
		ms_tracer_decode_insn(&in, pc);
		if (in.kind == MS_TRACER_INSN_EXCLUSIVE_STORE)
			return pc + 4;
		if (in.kind != MS_TRACER_INSN_PLAIN)
			return 0;
	}
	return 0;
}

/* Whether the region ends before this instruction; *last: the number of its instructions. */
static bool is_over(const struct ms_tracer_superblock *g, const struct ms_tracer_insn *in,
		    uint64_t other, uint32_t *last)
{
	if (!may_be_inside(in) || ms_tracer_uses_thread_register(in) ||
	    (in->kind == MS_TRACER_INSN_JUMP && in->pc >= other))
		return true;
	if (*last == 0 || in->pc < other)
		return false;
	/* after the store: the branch back, or the end */
	if (in->kind == MS_TRACER_INSN_BRANCH && in->target >= g->pc && in->target < in->pc) {
		*last = g->n + 1;
		return false;
	}
	return in->kind != MS_TRACER_INSN_EXCLUSIVE;
}

/*
 * Collects a load-exclusive up to its last store-exclusive, and the branch back. False: the region
 * has no known shape, and the window ends before it.
 */
static bool scan_region(struct ms_tracer_superblock *g)
{
	uint32_t written = 0, last = 0,
		 free = MS_TRACER_ALL_REGS & ~ms_tracer_get_reg_bit(MS_TRACER_THREAD_REGISTER);
	uint64_t other = 0;

	for (uint32_t i = 0; i < LONGEST; i++) {
		struct ms_tracer_insn *in = &g->in[g->n];

		ms_tracer_decode_insn(in, g->pc + 4 * i);
		if (is_over(g, in, other, &last))
			break;
		if (in->refs != 0 && !is_known(in, written))
			return false;
		written |= in->def;
		free &= ~(in->use | in->def);
		if (in->kind == MS_TRACER_INSN_EXCLUSIVE_STORE)
			last = g->n + 1;
		if (in->kind == MS_TRACER_INSN_BRANCH && skip_other_store(in, g->pc) > other)
			other = skip_other_store(in, g->pc);
		append_insn(g);
		if (in->kind == MS_TRACER_INSN_BRANCH && last == g->n)
			break;
	}
	g->n = last;
	g->refs = g->refs_before[last];
	g->next = g->pc + 4 * last;
	g->term = MS_TRACER_TERM_REGION;
	free &= free - 1; /* the block itself needs three */
	if (g->is_jit)
		free &= free - 1;
	return last != 0 && g->next >= other && (free & (free - 1)) != 0;
}

/* --- the block --- */

static bool ends_before(struct ms_tracer_superblock *g, const struct ms_tracer_insn *in)
{
	if (in->kind == MS_TRACER_INSN_UNKNOWN) {
		stop(g, g->n == 0 ? MS_TRACER_TERM_STOP : MS_TRACER_TERM_CUT, in->why);
		return true;
	}
	if (in->pc == (uint64_t)&ms_tracer_close_window) {
		stop(g, g->n == 0 ? MS_TRACER_TERM_STOP : MS_TRACER_TERM_CUT, MS_TRACER_END_ASKED);
		return true;
	}
	if (in->kind == MS_TRACER_INSN_EXCLUSIVE && g->n == 0) {
		if (!scan_region(g))
			stop(g, MS_TRACER_TERM_STOP, MS_TRACER_END_INSTRUCTION);
		return true;
	}
	if (in->kind == MS_TRACER_INSN_EXCLUSIVE || g->n >= MS_TRACER_MAX_INSNS - 2 ||
	    g->refs >= MS_TRACER_MAX_REFS - 8) {
		stop(g, MS_TRACER_TERM_CUT, 0);
		return true;
	}
	return false;
}

/* After this instruction (isb), modified code is executed. */
static bool shows_changes(const struct ms_tracer_insn *in)
{
	return (in->word & 0xfffff0ff) == 0xd50330df;
}

static void scan_insns(struct ms_tracer_superblock *g)
{
	uint64_t pc = g->pc;
	struct follow_state state = { 0 };

	for (;;) {
		struct ms_tracer_insn *in = &g->in[g->n];

		ms_tracer_decode_insn(in, pc);
		g->next = pc;
		if (ends_before(g, in))
			return;
		append_insn(g);
		if (in->def & ms_tracer_get_reg_bit(30))
			state.link = 0;
		if (g->is_jit && shows_changes(in)) {
			g->next = pc + 4;
			stop(g, MS_TRACER_TERM_CUT, 0);
			return;
		}
		if (in->kind < MS_TRACER_INSN_JUMP) {
			pc += 4;
			continue;
		}
		pc = follow(g, in, &state);
		if (pc == 0) {
			stop(g, MS_TRACER_TERM_INSN, 0);
			return;
		}
	}
}

/* What is live after the last instruction. */
static uint32_t live_at_end(const struct ms_tracer_superblock *g)
{
	const struct ms_tracer_insn *last = &g->in[g->n - 1];

	if (g->term == MS_TRACER_TERM_CUT)
		return ms_tracer_find_live_at(g->next);
	if (g->term != MS_TRACER_TERM_INSN)
		return MS_TRACER_ALL_REGS;
	if (last->kind == MS_TRACER_INSN_JUMP || last->kind == MS_TRACER_INSN_CALL)
		return ms_tracer_find_live_at(last->target);
	if (last->kind == MS_TRACER_INSN_BRANCH)
		return ms_tracer_find_live_at(last->target) | ms_tracer_find_live_at(last->pc + 4);
	return MS_TRACER_ALL_REGS;
}

static void find_liveness(struct ms_tracer_superblock *g)
{
	uint32_t live = live_at_end(g), side = g->sides;

	for (uint32_t i = g->n; i-- > 0;) {
		if (side > 0 && g->side[side - 1].at == i)
			live |= ms_tracer_find_live_at(g->side[--side].target);
		if (g->term != MS_TRACER_TERM_REGION)
			live &= ~g->in[i].def;
		live |= g->in[i].use;
	}
	g->live = g->is_jit ? MS_TRACER_ALL_REGS : live;
}

void ms_tracer_build_superblock(struct ms_tracer_superblock *g, uint64_t pc, bool recorded)
{
	g->n = g->refs = g->sides = 0;
	g->refs_before[0] = 0;
	g->pc = pc;
	g->recorded = recorded;
	g->is_runtime_code = is_silent(pc);
	g->is_jit = ms_tracer_copy_jit_code(pc);
	scan_insns(g);
	if (g->term != MS_TRACER_TERM_STOP)
		find_liveness(g);
}

void ms_tracer_cut_superblock(struct ms_tracer_superblock *g, uint32_t n)
{
	g->next = g->in[n].pc;
	g->n = n;
	g->refs = g->refs_before[n];
	g->term = MS_TRACER_TERM_CUT;
	while (g->sides > 0 && g->side[g->sides - 1].at >= n)
		g->sides--;
	find_liveness(g);
}
