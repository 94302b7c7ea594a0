/*
 * gather.c - selects the instructions of one block.
 *
 * A block is a superblock. It has one entry; conditional branches leave it in the middle or end it.
 * Direct jumps and calls are followed, and so are returns from these calls (the block checks their
 * target). A loop that branches back to the block's start is unrolled.
 */
#include "arch.h"
#include "heap/heap.h"
#include "insn.h"
#include "interpose/interpose.h"
#include "tracer.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/window.h"

static bool is_silent(uint64_t pc)
{
	return pc >= (uint64_t)ms_wrap_start && pc < (uint64_t)ms_wrap_end;
}

/* The owner of code: the program, the wrappers (executed without records), the runtime (called by
 * C), or a function whose calls are reported. */
static int owner(uint64_t pc)
{
	if (is_silent(pc))
		return 1;
	if (ms_own_watches(pc))
		return 3;
	return ms_window_is_ours(pc) ? 2 : 0;
}

/* Never into watched code, from anywhere: C must run each time it begins. */
static bool may_follow(uint64_t from, uint64_t to)
{
	return owner(to) == owner(from) && !ms_own_watches(to);
}

/* State of the walk through the code. */
struct way {
	uint32_t round; /* instructions of a loop's first iteration */
	uint64_t calls[4];
	uint32_t depth;
};

static void stop(struct ms_gather *g, enum ms_term term, uint32_t why)
{
	g->term = term;
	g->why = why;
}

/* Appends instruction `in`. */
static void keep(struct ms_gather *g, const struct ms_insn *in)
{
	static struct ms_insn copies[MS_MAX_INSNS + 1]; /* the decoder may overwrite its entry */

	copies[g->n] = *in;
	g->in[g->n] = &copies[g->n];
	g->returns_to[g->n] = 0;
	g->n++;
	g->refs += in->refs;
	g->refs_before[g->n] = (uint16_t)g->refs;
}

static void add_side(struct ms_gather *g, uint64_t target, bool inverted)
{
	g->side[g->sides++] = (struct ms_side){ target, (uint16_t)(g->n - 1), inverted, NULL };
}

/* Whether there is room for one more iteration as long as the first. */
static bool may_unroll(const struct ms_gather *g, struct way *way)
{
	if (way->round == 0)
		way->round = g->n;
	return way->depth == 0 && g->n + way->round <= MS_MAX_INSNS - 4 &&
	       g->refs + g->refs / (g->n / way->round) <= MS_MAX_REFS - 4 &&
	       g->sides < MS_MAX_EXITS - 4;
}

static uint64_t follow_call(struct ms_gather *g, const struct ms_insn *in, struct way *way)
{
	if (in->target == g->pc || way->depth == sizeof(way->calls) / sizeof(way->calls[0]))
		return 0;
	way->calls[way->depth++] = in->pc + in->length;
	return in->target;
}

/* The check of the target destroys flags, so they must be dead. */
static uint64_t follow_return(struct ms_gather *g, const struct ms_insn *in, struct way *way)
{
	uint64_t to = way->depth > 0 ? way->calls[way->depth - 1] : 0;

	if (to == 0 || in->pops != 0 || g->silent || g->returns == MS_MAX_RETURNS ||
	    ms_live_at(to).flags != 0)
		return 0;
	way->depth--;
	g->returns++;
	g->returns_to[g->n - 1] = to;
	return to;
}

/* After a branch: the pc at which the block continues, or 0. */
static uint64_t follow(struct ms_gather *g, const struct ms_insn *in, struct way *way)
{
	uint64_t behind = in->pc + in->length;

	if (g->made && in->kind != MS_BRANCH)
		return 0;
	switch ((enum ms_insn_kind)in->kind) {
	case MS_CALL:
		return may_follow(in->pc, in->target) ? follow_call(g, in, way) : 0;
	case MS_RETURN:
		return follow_return(g, in, way);
	case MS_JUMP: /* backwards as well: an interpreter's dispatch becomes part of its blocks */
		if (in->target == in->pc || !may_follow(in->pc, in->target))
			return 0;
		return in->target;
	case MS_BRANCH:
		if (!g->made && in->target == g->pc && may_unroll(g, way)) {
			add_side(g, behind, true);
			return g->pc;
		}
		if (in->target <= in->pc || g->sides >= MS_MAX_EXITS - 4)
			return 0;
		add_side(g, in->target, false);
		return behind;
	default:
		return 0;
	}
}

/* Whether the block must end before this instruction. */
static bool ends_before(struct ms_gather *g, const struct ms_insn *in)
{
	bool alone = in->kind == MS_REP || in->kind == MS_SLOW;

	if (in->kind == MS_UNKNOWN || (g->made && in->kind == MS_SLOW)) {
		stop(g, g->n == 0 ? MS_TERM_STOP : MS_TERM_CUT, in->why);
		return true;
	}
	if (in->pc == (uint64_t)&ms_tracer_leave) {
		stop(g, g->n == 0 ? MS_TERM_STOP : MS_TERM_CUT, MS_END_ASKED);
		return true;
	}
	if ((g->n > 0 && alone) || g->n >= MS_MAX_INSNS - 2 || g->refs >= MS_MAX_REFS - 4) {
		stop(g, MS_TERM_CUT, 0);
		return true;
	}
	return false;
}

static void look(struct ms_gather *g)
{
	uint64_t pc = g->pc;
	struct way way = { 0 };

	for (;;) {
		const struct ms_insn *in = ms_decode(pc);

		g->next = pc;
		if (ends_before(g, in))
			return;
		keep(g, in);
		in = g->in[g->n - 1];
		if (in->kind == MS_PLAIN) {
			pc += in->length;
			continue;
		}
		pc = follow(g, in, &way);
		if (pc == 0) {
			stop(g, MS_TERM_INSN, 0);
			return;
		}
	}
}

/* What is live after the last instruction. */
static struct ms_life life_at_end(const struct ms_gather *g)
{
	struct ms_life all = { 0xffff, MS_FLAGS }, a, b;
	const struct ms_insn *last;

	if (g->term == MS_TERM_STOP || g->made)
		return all;
	if (g->term == MS_TERM_CUT)
		return ms_live_at(g->next);
	last = g->in[g->n - 1];
	if (last->kind == MS_JUMP || last->kind == MS_CALL)
		return ms_live_at(last->target);
	if (last->kind == MS_REP)
		return ms_live_at(last->pc + last->length);
	if (last->kind == MS_BRANCH || last->kind == MS_LOOP) {
		a = ms_live_at(last->target);
		b = ms_live_at(last->pc + last->length);
		return (struct ms_life){ a.regs | b.regs, a.flags | b.flags };
	}
	if (last->kind == MS_RETURN || (last->kind == MS_INDIRECT_CALL && !g->silent) ||
	    (last->kind == MS_INDIRECT_JUMP && last->rip_modrm != 0))
		all.flags = 0; /* see live.c */
	return all;
}

static void look_back(struct ms_gather *g)
{
	struct ms_life life = life_at_end(g);
	uint32_t side = g->sides;

	g->live[g->n] = life;
	for (uint32_t i = g->n; i-- > 0;) {
		if (side > 0 && g->side[side - 1].at == i) {
			struct ms_life there = ms_live_at(g->side[--side].target);

			life.regs |= there.regs;
			life.flags |= there.flags;
		}
		if (g->returns_to[i] != 0) /* the return may go elsewhere */
			life.regs = 0xffff;
		life = g->made ? life : ms_live_before(g->in[i], life);
		g->live[i] = life;
	}
}

void ms_gather(struct ms_gather *g, uint64_t pc)
{
	g->n = g->refs = g->sides = g->returns = 0;
	g->refs_before[0] = 0;
	g->pc = pc;
	g->silent = is_silent(pc);
	g->made = ms_made_take(pc);
	look(g);
	look_back(g);
}

void ms_gather_cut(struct ms_gather *g, uint32_t n)
{
	g->next = g->in[n]->pc;
	g->n = n;
	g->refs = g->refs_before[n];
	g->term = MS_TERM_CUT;
	g->returns = 0;
	for (uint32_t i = 0; i < n; i++)
		g->returns += g->returns_to[i] != 0;
	while (g->sides > 0 && g->side[g->sides - 1].at >= n)
		g->sides--;
	look_back(g);
}
