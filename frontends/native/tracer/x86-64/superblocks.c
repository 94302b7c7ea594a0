/*
 * superblocks.c - selects the instructions of one block.
 *
 * A block is a superblock. It has one entry; conditional branches leave it in the middle or end it.
 * Direct jumps and calls are followed, and so are returns from these calls (the block checks their
 * target). A loop that branches back to the block's start is unrolled.
 */
#include "arch.h"
#include "heap/heap.h"
#include "instruction.h"
#include "interpose/interpose.h"
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
	if (is_silent(pc))
		return 1;
	if (ms_heap_is_watched(pc, recorded))
		return 3;
	return ms_tracer_is_runtime_code(pc) ? 2 : 0;
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
	uint64_t calls[4];
	uint32_t depth;
};

static void stop(struct ms_tracer_superblock *g, enum ms_tracer_terminator term, uint32_t why)
{
	g->term = term;
	g->why = why;
}

/* Appends instruction `in`. */
static void append_insn(struct ms_tracer_superblock *g, const struct ms_tracer_insn *in)
{
	static struct ms_tracer_insn
		copies[MS_TRACER_MAX_INSNS + 1]; /* the decoder may overwrite its entry */

	copies[g->n] = *in;
	g->in[g->n] = &copies[g->n];
	g->returns_to[g->n] = 0;
	g->n++;
	g->refs += in->refs;
	g->refs_before[g->n] = (uint16_t)g->refs;
}

static void add_side(struct ms_tracer_superblock *g, uint64_t target, bool inverted)
{
	g->side[g->sides++] =
		(struct ms_tracer_side_exit){ target, (uint16_t)(g->n - 1), inverted, true, NULL };
}

/* Whether there is room for one more iteration as long as the first. */
static bool may_unroll(const struct ms_tracer_superblock *g, struct follow_state *state)
{
	if (state->round == 0)
		state->round = g->n;
	return state->depth == 0 && g->n + state->round <= MS_TRACER_MAX_INSNS - 4 &&
	       g->refs + g->refs / (g->n / state->round) <= MS_TRACER_MAX_REFS - 4 &&
	       g->sides < MS_TRACER_MAX_EXITS - 4;
}

static uint64_t follow_call(struct ms_tracer_superblock *g, const struct ms_tracer_insn *in,
			    struct follow_state *state)
{
	if (in->target == g->pc || state->depth == sizeof(state->calls) / sizeof(state->calls[0]))
		return 0;
	state->calls[state->depth++] = in->pc + in->length;
	return in->target;
}

/* The check of the target destroys flags, so they must be dead. */
static uint64_t follow_return(struct ms_tracer_superblock *g, const struct ms_tracer_insn *in,
			      struct follow_state *state)
{
	uint64_t to = state->depth > 0 ? state->calls[state->depth - 1] : 0;

	if (to == 0 || in->pops != 0 || g->is_runtime_code || g->returns == MS_TRACER_MAX_RETURNS ||
	    ms_tracer_find_live_at(to).flags != 0)
		return 0;
	state->depth--;
	g->returns++;
	g->returns_to[g->n - 1] = to;
	return to;
}

/* After a branch: the pc at which the block continues, or 0. */
static uint64_t follow(struct ms_tracer_superblock *g, const struct ms_tracer_insn *in,
		       struct follow_state *state)
{
	uint64_t fall_through = in->pc + in->length;

	if (g->is_jit && in->kind != MS_TRACER_INSN_BRANCH)
		return 0;
	switch ((enum ms_tracer_insn_kind)in->kind) {
	case MS_TRACER_INSN_CALL:
		return may_follow(g, in->pc, in->target) ? follow_call(g, in, state) : 0;
	case MS_TRACER_INSN_RETURN:
		return follow_return(g, in, state);
	case MS_TRACER_INSN_JUMP: /* backwards as well: an interpreter's dispatch becomes part of
				     its blocks */
		if (in->target == in->pc || !may_follow(g, in->pc, in->target))
			return 0;
		return in->target;
	case MS_TRACER_INSN_BRANCH:
		if (!g->is_jit && in->target == g->pc && may_unroll(g, state)) {
			add_side(g, fall_through, true);
			return g->pc;
		}
		if (in->target <= in->pc || g->sides >= MS_TRACER_MAX_EXITS - 4)
			return 0;
		add_side(g, in->target, false);
		return fall_through;
	default:
		return 0;
	}
}

/* Whether the block must end before this instruction. */
static bool ends_before(struct ms_tracer_superblock *g, const struct ms_tracer_insn *in)
{
	bool alone = in->kind == MS_TRACER_INSN_REP || in->kind == MS_TRACER_INSN_COMPUTED;

	if (in->kind == MS_TRACER_INSN_UNKNOWN ||
	    (g->is_jit && in->kind == MS_TRACER_INSN_COMPUTED)) {
		stop(g, g->n == 0 ? MS_TRACER_TERM_STOP : MS_TRACER_TERM_CUT, in->why);
		return true;
	}
	if (in->pc == (uint64_t)&ms_tracer_close_window) {
		stop(g, g->n == 0 ? MS_TRACER_TERM_STOP : MS_TRACER_TERM_CUT, MS_TRACER_END_ASKED);
		return true;
	}
	if ((g->n > 0 && alone) || g->n >= MS_TRACER_MAX_INSNS - 2 ||
	    g->refs >= MS_TRACER_MAX_REFS - 4) {
		stop(g, MS_TRACER_TERM_CUT, 0);
		return true;
	}
	return false;
}

static void scan_insns(struct ms_tracer_superblock *g)
{
	uint64_t pc = g->pc;
	struct follow_state state = { 0 };

	for (;;) {
		const struct ms_tracer_insn *in = ms_tracer_decode_insn(pc);

		g->next = pc;
		if (ends_before(g, in))
			return;
		append_insn(g, in);
		in = g->in[g->n - 1];
		if (in->kind == MS_TRACER_INSN_PLAIN) {
			pc += in->length;
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
static struct ms_tracer_live_set life_at_end(const struct ms_tracer_superblock *g)
{
	struct ms_tracer_live_set all = { 0xffff, MS_TRACER_ALL_FLAGS }, a, b;
	const struct ms_tracer_insn *last;

	if (g->term == MS_TRACER_TERM_STOP || g->is_jit)
		return all;
	if (g->term == MS_TRACER_TERM_CUT)
		return ms_tracer_find_live_at(g->next);
	last = g->in[g->n - 1];
	if (last->kind == MS_TRACER_INSN_JUMP || last->kind == MS_TRACER_INSN_CALL)
		return ms_tracer_find_live_at(last->target);
	if (last->kind == MS_TRACER_INSN_REP)
		return ms_tracer_find_live_at(last->pc + last->length);
	if (last->kind == MS_TRACER_INSN_BRANCH || last->kind == MS_TRACER_INSN_LOOP) {
		a = ms_tracer_find_live_at(last->target);
		b = ms_tracer_find_live_at(last->pc + last->length);
		return (struct ms_tracer_live_set){ a.regs | b.regs, a.flags | b.flags };
	}
	if (last->kind == MS_TRACER_INSN_RETURN ||
	    (last->kind == MS_TRACER_INSN_INDIRECT_CALL && !g->is_runtime_code) ||
	    (last->kind == MS_TRACER_INSN_INDIRECT_JUMP && last->rip_modrm != 0))
		all.flags = 0; /* see liveness.c */
	return all;
}

static void find_liveness(struct ms_tracer_superblock *g)
{
	struct ms_tracer_live_set life = life_at_end(g);
	uint32_t side = g->sides;

	g->live[g->n] = life;
	for (uint32_t i = g->n; i-- > 0;) {
		if (side > 0 && g->side[side - 1].at == i) {
			struct ms_tracer_live_set there =
				ms_tracer_find_live_at(g->side[--side].target);

			g->side[side].keeps_flags = g->is_jit || there.flags != 0;
			life.regs |= there.regs;
			life.flags |= there.flags;
		}
		if (g->returns_to[i] != 0) /* the return may go elsewhere */
			life.regs = 0xffff;
		life = g->is_jit ? life : ms_tracer_find_live_before(g->in[i], life);
		g->live[i] = life;
	}
}

void ms_tracer_build_superblock(struct ms_tracer_superblock *g, uint64_t pc, bool recorded)
{
	g->n = g->refs = g->sides = g->returns = 0;
	g->refs_before[0] = 0;
	g->pc = pc;
	g->recorded = recorded;
	g->is_runtime_code = is_silent(pc);
	g->is_jit = ms_tracer_copy_jit_code(pc);
	scan_insns(g);
	find_liveness(g);
}

void ms_tracer_cut_superblock(struct ms_tracer_superblock *g, uint32_t n)
{
	g->next = g->in[n]->pc;
	g->n = n;
	g->refs = g->refs_before[n];
	g->term = MS_TRACER_TERM_CUT;
	g->returns = 0;
	for (uint32_t i = 0; i < n; i++)
		g->returns += g->returns_to[i] != 0;
	while (g->sides > 0 && g->side[g->sides - 1].at >= n)
		g->sides--;
	find_liveness(g);
}
