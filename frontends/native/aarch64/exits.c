/* exits.c - emits the exits of a block: they complete the record and continue elsewhere. */
#include "arch.h"
#include "asm.h"
#include "counted.h"
#include "emit.h"
#include "insn.h"
#include "layout.h"
#include "tracer/code_cache.h"
#include "wire/wire.h"

static struct stub {
	uint32_t *branch;
	uint64_t target;
} stubs[2 * MS_MAX_INSNS];
static uint32_t stub_count;

void ms_exits_start(void)
{
	stub_count = 0;
}

/* Another processor has read the memory that is written next: prefetches each of its lines for
 * writing. */
static void put_ask_ahead(uint32_t refs)
{
	enum { LINE = 64, AHEAD = 1024 };

	for (uint32_t at = 0; at < (1 + refs) * 8; at += LINE)
		put_prefetch(ms_e.cursor, AHEAD + at);
}

/* Increments the thread's count of executions that leave here. */
static void put_tally(void)
{
	put_constant(ms_e.work, ms_counted_at(ms_e.next_exit++));
	put_load_at(ms_e.other, MS_OURS, ms_e.work);
	put_add(ms_e.other, ms_e.other, 1);
	put_store_at(ms_e.other, MS_OURS, ms_e.work);
}

static void put_record_head(uint32_t refs)
{
	uint64_t head = (uint64_t)ms_e.next_exit << 32 | (1 + refs) << 16 | MS_WIRE_EXEC;

	ms_e.next_exit++;
	put_constant(ms_e.work, head);
	put_store(ms_e.work, ms_e.cursor, 0);
	put_ask_ahead(refs);
}

/* Advances the cursor past the references. Where references are only counted it advances by one
 * byte more, so that code without references also reaches the limit. */
static void put_advance(uint32_t refs)
{
	uint32_t more = ms_e.g->tallies ? 0 : ms_e.g->counts ? 1 : 8;

	if (8 * refs + more == 0)
		return;
	put_add(ms_e.cursor, ms_e.cursor, (int32_t)(8 * refs + more));
	/* In memory, whatever ends the process. */
	put_store(ms_e.cursor, MS_OURS, MS_AT_CURSOR);
}

void ms_exits_record(uint32_t refs)
{
	if (ms_e.g->picks)
		refs = 0; /* they have records of their own before this one */
	if (!ms_e.g->silent) {
		if (ms_e.g->tallies)
			put_tally();
		else if (!ms_e.g->counts)
			put_record_head(refs);
		put_advance(refs);
	}
	ms_regs_give_back();
}

void ms_exits_link(uint64_t target)
{
	stubs[stub_count].target = target;
	stubs[stub_count++].branch = ms_cache_at;
	put(0);
}

void ms_exits_to_c(uint32_t at, uint64_t word, enum ms_glue glue)
{
	put_store(16, MS_OURS, reg_at(16));
	put_constant(16, word);
	put_store(16, MS_OURS, at);
	put_jump(ms_emit_ways[glue]);
}

void ms_exits_stubs(void)
{
	for (uint32_t i = 0; i < stub_count; i++) {
		uint64_t key = ms_key(stubs[i].target, ms_e.block->kind);
		struct ms_link link = { key, stubs[i].branch };
		struct ms_block *to =
			stubs[i].target == ms_e.block->pc ? ms_e.block : ms_cache_linked(key);

		if (to != NULL) {
			*link.branch = jump_word(link.branch, (const uint32_t *)to->entry);
			continue;
		}
		*link.branch = jump_word(link.branch, ms_cache_at);
		ms_exits_to_c(MS_AT_ARG, ms_cache_link(link), MS_GLUE_LINK);
	}
}

/* --- indirect branches --- */

/* The program's value of a register; x16 and x17 have been spilled. */
static uint32_t put_theirs(uint32_t reg, uint32_t into)
{
	if (reg != 16 && reg != MS_OURS)
		return reg;
	put_load(into, MS_OURS, reg_at(reg));
	return into;
}

/* Puts the target into x16, authenticated if the instruction does so. */
static void put_target(const struct ms_insn *in)
{
	bool signs = in->word >> 11 & 1, two = in->word >> 24 & 1, key_b = in->word >> 10 & 1;
	uint32_t reg = in->kind == MS_RETURN && signs ? 30 : in->word >> 5 & 31;
	uint32_t by = in->kind == MS_RETURN ? SP : in->word & 31;

	if (reg == MS_OURS)
		put_load(16, MS_OURS, reg_at(MS_OURS));
	else if (reg != 16)
		put_move(16, reg);
	if (!signs)
		return;
	if (two || in->kind == MS_RETURN) /* autia, autib */
		put(0xdac11000 | (uint32_t)key_b << 10 | put_theirs(by, 17) << 5 | 16);
	else /* autiza, autizb */
		put(0xdac133e0 | (uint32_t)key_b << 10 | 16);
}

static void put_indirect(const struct ms_insn *in)
{
	ms_exits_record(ms_e.g->refs);
	put_store(16, MS_OURS, reg_at(16));
	put_store(17, MS_OURS, reg_at(17));
	put_target(in);
	if (in->kind == MS_INDIRECT_CALL)
		put_constant(30, in->pc + 4);
	put_load(17, MS_OURS, MS_AT_TABLE);
	/* bfi x17, x16, #1, #19: the table's offset in words, from the target in instructions */
	put(0xb3400000 | 63 << 16 | (MS_TABLE_BITS + 1) << 10 | 16 << 5 | 17);
	put_load(17, 17, 0);
	put_jump_register(17);
}

/* --- the end of a block --- */

static void put_conditional(const struct ms_insn *in)
{
	uint64_t behind = in->pc + 4;
	bool back = in->target <= in->pc;
	uint32_t word = ms_body_branch(in), *away = ms_cache_at;
	uint32_t other_way = (word & 0xff000000) == 0x54000000 ? 1 : 1u << 24;

	put(back ? word ^ other_way : word);
	ms_exits_record(ms_e.g->refs);
	ms_exits_link(back ? in->target : behind);
	aim_here(away);
	ms_exits_record(ms_e.g->refs);
	ms_exits_link(back ? behind : in->target);
}

void ms_exits_last(const struct ms_insn *in)
{
	switch ((enum ms_insn_kind)in->kind) {
	case MS_CALL:
		put_constant(30, in->pc + 4);
		ms_exits_record(ms_e.g->refs);
		ms_exits_link(in->target);
		break;
	case MS_JUMP:
		ms_exits_record(ms_e.g->refs);
		ms_exits_link(in->target);
		break;
	case MS_BRANCH:
		put_conditional(in);
		break;
	case MS_INDIRECT_JUMP:
	case MS_INDIRECT_CALL:
	case MS_RETURN:
		put_indirect(in);
		break;
	default:
		ms_exits_record(ms_e.g->refs);
		ms_exits_to_c(MS_AT_PC, in->pc, MS_GLUE_CALL);
		break;
	}
}
