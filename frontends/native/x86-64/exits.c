/* exits.c - emits the exits of a block: they complete the record and continue elsewhere. */
#include "arch.h"
#include "asm.h"
#include "counted.h"
#include "emit.h"
#include "insn.h"
#include "layout.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "wire/wire.h"

static struct stub {
	uint8_t *rel32;
	uint64_t target;
} stubs[MS_MAX_EXITS + 8];
static uint32_t stub_count;
/* branches of returns that do not go to the expected call */
static uint8_t *elsewhere[MS_MAX_INSNS + 1];

void ms_exits_start(void)
{
	stub_count = 0;
}

/* Another processor has read the memory that is written next. This prefetches as many of its lines
 * for writing as the record has. */
static void put_ask_ahead(uint32_t refs)
{
	enum { AHEAD = 1024, LINE = 64 };

	for (uint32_t at = 0; at < (1 + refs) * 8; at += LINE) {
		put_rex(0, 0, 0, ms_e.block->b);
		put8(0x0f), put8(0x0d); /* prefetchw */
		put_address(1, ms_e.block->b, NO_REG, 1, (int32_t)(AHEAD + at));
	}
}

/* Increments the thread's count of executions that leave here. The cursor is in memory, so its
 * register is free. */
static void put_tally(void)
{
	int32_t at = (int32_t)ms_counted_at(ms_e.next_exit++);
	uint8_t b = ms_e.block->b;

	put_gs_load(b, at);
	put_memory(OP_LEA, b, b, NO_REG, 1, 1);
	put_gs_store(b, at);
	put_gs_load(b, MS_AT_CURSOR);
}

static void put_record_head(uint32_t refs)
{
	put_value32(ms_e.block->b, 0, (1 + refs) << 16 | MS_WIRE_EXEC);
	put_value32(ms_e.block->b, 4, ms_e.next_exit++);
}

/* Advances the cursor past the references. Where references are only counted it advances by one
 * byte more, so that code without references also reaches the limit. */
static void put_advance(uint32_t refs)
{
	uint32_t more = ms_e.g->tallies ? 0 : ms_e.g->counts ? 1 : 8;

	if (8 * refs + more == 0)
		return;
	put_memory(OP_LEA, ms_e.block->b, ms_e.block->b, NO_REG, 1, (int32_t)(8 * refs + more));
	put_gs_store(ms_e.block->b, MS_AT_CURSOR); /* in memory, whatever ends the process */
}

/* Completes the record, with the first `refs` references; then the register holds the cursor after
 * it. */
void ms_exits_record(uint32_t refs)
{
	if (ms_e.g->silent)
		return;
	if (ms_e.g->picks)
		refs = 0; /* they have records of their own before this one */
	if (ms_e.g->tallies)
		put_tally();
	else if (!ms_e.g->counts)
		put_record_head(refs);
	put_advance(refs);
	if (!ms_e.g->counts && !ms_e.g->tallies && !ms_e.g->picks)
		put_ask_ahead(refs);
	if (ms_e.block->s != NO_REG)
		put_gs_load(ms_e.block->s, spill_at(ms_e.block->s));
}

/* Afterwards all registers hold the program's values. */
void ms_exits_leave(void)
{
	if (ms_e.block->b == NO_REG)
		return;
	put_gs_load(ms_e.block->b, spill_at(ms_e.block->b));
}

/* A jump whose displacement can be patched while other threads execute it. */
static uint8_t *put_patchable(void)
{
	while ((((uint64_t)ms_cache_at + 1) & 7) > 4)
		put8(0x90);
	put8(0xe9);
	put32(0);
	return ms_cache_at - 4;
}

uint8_t *ms_exits_door(void)
{
	return put_patchable();
}

void ms_exits_link(uint64_t target)
{
	stubs[stub_count].target = target;
	stubs[stub_count++].rel32 = put_patchable();
}

static bool shares_register(const struct ms_link *link, const struct ms_block *to)
{
	/* such a block must compare its code first */
	return link->b != NO_REG && link->b == to->b && !to->made;
}

void ms_emit_link(const struct ms_link *link, const struct ms_block *to)
{
	if (!shares_register(link, to))
		ms_emit_patch(link->far_rel32, to->entry);
	else
		ms_emit_patch(link->near_rel32, link->level < to->level ? to->unchecked : to->fast);
}

/*
 * The branch goes to a block that keeps the cursor in the same register, or restores registers
 * first. It goes to C as long as the target is not translated.
 */
static void put_stub(const struct stub *stub)
{
	uint64_t key = ms_key(stub->target, ms_e.block->kind);
	struct ms_link link = { key, stub->rel32, NULL, ms_e.block->b, ms_e.block->level };
	struct ms_block *to = stub->target == ms_e.block->pc ? ms_e.block : ms_cache_linked(key);

	if (to != NULL && shares_register(&link, to)) {
		ms_emit_link(&link, to);
		return;
	}
	aim_here(stub->rel32);
	ms_exits_leave();
	link.far_rel32 = put_patchable();
	if (to != NULL) {
		ms_emit_patch(link.far_rel32, to->entry);
		return;
	}
	aim_here(link.far_rel32);
	put_gs_value(MS_AT_ARG, ms_cache_link(link));
	put_gs_jump(MS_AT_GLUE + 8 * MS_GLUE_LINK);
}

void ms_exits_stubs(void)
{
	for (uint32_t i = 0; i < stub_count; i++)
		put_stub(&stubs[i]);
}

void ms_exits_to_c(uint64_t pc, enum ms_glue glue)
{
	ms_exits_leave();
	put_gs_value(MS_AT_PC, (uint32_t)pc);
	put_gs_value(MS_AT_PC + 4, (uint32_t)(pc >> 32));
	put_gs_jump(MS_AT_GLUE + 8 * glue);
}

/* rcx: the target. */
static void put_lookup(void)
{
	if (ms_cache_table_mask == 0xffff) { /* movzx r11d, cx */
		put8(0x44), put8(0x0f), put8(0xb7), put8(0xd9);
	} else { /* pext r11, rcx, [mask]: the only way that preserves flags */
		put8(0xc4), put8(0x62), put8(0xf2), put8(0xf5);
		put_address(R11, NO_REG, NO_REG, 1, (int32_t)(uint64_t)&ms_cache_table[0][-1]);
	}
	put_memory(OP_LOAD, R11, NO_REG, R11, 8,
		   (int32_t)(uint64_t)ms_cache_table[ms_e.block->kind]);
	put8(0x41), put8(0xff), put8(0xe3); /* jmp r11 */
}

static void put_load_target(const struct ms_insn *in)
{
	const struct ms_where *w = &in->ref[0];

	if (in->kind == MS_RETURN) {
		put_memory(OP_LOAD, RCX, RSP, NO_REG, 1, 0);
		put_memory(OP_LEA, RSP, RSP, NO_REG, 1, 8 + in->pops);
	} else if (in->indirect != NO_REG) {
		put_move(RCX, in->indirect);
	} else if (in->rip_modrm != 0) {
		put_constant(RCX, in->target);
		put_memory(OP_LOAD, RCX, RCX, NO_REG, 1, 0);
	} else {
		if (w->fs)
			put8(0x64);
		put_memory(OP_LOAD, RCX, w->base, w->index, w->scale, w->disp);
	}
}

static void put_indirect(const struct ms_insn *in, uint32_t refs)
{
	ms_exits_record(refs);
	if (ms_e.block->b != R11) { /* otherwise it holds the program's value already */
		ms_exits_leave();
		put_gs_store(R11, spill_at(R11));
	}
	put_gs_store(RCX, spill_at(RCX));
	ms_body_site(in, NO_REG, MS_SITE_JUMP);
	put_load_target(in);
	if (in->kind == MS_INDIRECT_CALL) {
		struct ms_scratch s = { R11, false };

		ms_body_push_return(in, s);
	}
	put_lookup();
}

void ms_exits_return(uint32_t i)
{
	struct ms_scratch s = ms_regs_take(i);

	put_constant(s.reg, ms_e.g->returns_to[i]);
	put_memory(OP_CMP, s.reg, RSP, NO_REG, 1, 0);
	ms_regs_give_back(s);
	elsewhere[i] = put_branch(CONDITION_NE);
	put_memory(OP_LEA, RSP, RSP, NO_REG, 1, 8);
}

void ms_exits_returns(void)
{
	for (uint32_t i = 0; i < ms_e.g->n; i++)
		if (ms_e.g->returns_to[i] != 0) {
			aim_here(elsewhere[i]);
			put_indirect(ms_e.g->in[i], ms_e.g->refs_before[i + 1]);
		}
}

/* The likely direction, back to the start of a loop, falls through. */
static void put_conditional(const struct ms_insn *in)
{
	uint64_t behind = in->pc + in->length;
	bool back = in->target <= in->pc;
	uint8_t *away = put_branch(in->condition ^ (back ? 1 : 0));

	ms_exits_record(ms_e.g->refs);
	ms_exits_link(back ? in->target : behind);
	aim_here(away);
	ms_exits_record(ms_e.g->refs);
	ms_exits_link(back ? behind : in->target);
}

static void put_loop(const struct ms_insn *in)
{
	uint8_t *away;

	put8(((const uint8_t *)ms_made_code(in->pc))[in->length - 2]);
	put8(5);
	put8(0xe9);
	put32(0);
	away = ms_cache_at - 4;
	ms_exits_record(ms_e.g->refs);
	ms_exits_link(in->target);
	aim_here(away);
	ms_exits_record(ms_e.g->refs);
	ms_exits_link(in->pc + in->length);
}

void ms_exits_last(const struct ms_insn *in)
{
	switch ((enum ms_insn_kind)in->kind) {
	case MS_JUMP:
	case MS_CALL:
		ms_exits_record(ms_e.g->refs);
		ms_exits_link(in->target);
		break;
	case MS_BRANCH:
		put_conditional(in);
		break;
	case MS_LOOP:
		put_loop(in);
		break;
	case MS_INDIRECT_JUMP:
	case MS_INDIRECT_CALL:
	case MS_RETURN:
		put_indirect(in, ms_e.g->refs);
		break;
	case MS_REP:
		ms_rep(in);
		break;
	case MS_SLOW:
		ms_slow(in);
		break;
	case MS_SYSCALL:
	case MS_REQUEST:
	default:
		ms_exits_record(ms_e.g->refs);
		ms_exits_to_c(in->pc, MS_GLUE_CALL);
		break;
	}
}
