/* block_exits.c - emits the exits of a block: they complete the record and continue elsewhere. */
#include "arch.h"
#include "assembler.h"
#include "block_emitter.h"
#include "instruction.h"
#include "thread_layout.h"
#include "tracer/code_cache.h"
#include "tracer/exit_counters.h"
#include "wire/wire.h"

static struct stub {
	uint32_t *branch;
	uint64_t target;
} stubs[2 * MS_TRACER_MAX_INSNS];
static uint32_t stub_count;

void ms_tracer_start_exits(void)
{
	stub_count = 0;
}

/* Another processor has read the memory that is written next: prefetches each of its lines for
 * writing. */
static void put_prefetch_lines(uint32_t refs)
{
	enum { LINE = 64, AHEAD = 1024 };

	for (uint32_t at = 0; at < (1 + refs) * 8; at += LINE)
		put_prefetch(ms_tracer_emitter.cursor, AHEAD + at);
}

/* Increments the thread's count of executions that leave here. */
static void put_tally(void)
{
	ms_tracer_put_constant(ms_tracer_emitter.work,
			       ms_tracer_get_exit_counter_offset(ms_tracer_emitter.next_exit++));
	put_load_at(ms_tracer_emitter.other, MS_TRACER_THREAD_REGISTER, ms_tracer_emitter.work);
	put_add(ms_tracer_emitter.other, ms_tracer_emitter.other, 1);
	put_store_at(ms_tracer_emitter.other, MS_TRACER_THREAD_REGISTER, ms_tracer_emitter.work);
}

static void put_record_head(uint32_t refs)
{
	uint64_t head =
		(uint64_t)ms_tracer_emitter.next_exit << 32 | (1 + refs) << 16 | MS_WIRE_EXEC;

	ms_tracer_emitter.next_exit++;
	ms_tracer_put_constant(ms_tracer_emitter.work, head);
	put_store(ms_tracer_emitter.work, ms_tracer_emitter.cursor, 0);
	put_prefetch_lines(refs);
}

/* Advances the cursor past the references. Where references are only counted it advances by one
 * byte more, so that code without references also reaches the limit. */
static void put_advance(uint32_t refs)
{
	uint32_t head_bytes = ms_tracer_emitter.g->counts_exits  ? 0
			      : ms_tracer_emitter.g->counts_refs ? 1
								 : 8;

	if (8 * refs + head_bytes == 0)
		return;
	put_add(ms_tracer_emitter.cursor, ms_tracer_emitter.cursor,
		(int32_t)(8 * refs + head_bytes));
	/* In memory, whatever ends the process. */
	put_store(ms_tracer_emitter.cursor, MS_TRACER_THREAD_REGISTER, MS_TRACER_AT_CURSOR);
}

void ms_tracer_emit_record_end(uint32_t refs)
{
	if (ms_tracer_emitter.g->samples_sets)
		refs = 0; /* they have records of their own before this one */
	if (!ms_tracer_emitter.g->is_runtime_code) {
		if (ms_tracer_emitter.g->counts_exits)
			put_tally();
		else if (!ms_tracer_emitter.g->counts_refs)
			put_record_head(refs);
		put_advance(refs);
	}
	ms_tracer_release_registers();
}

void ms_tracer_emit_link(uint64_t target)
{
	stubs[stub_count].target = target;
	stubs[stub_count++].branch = ms_tracer_emit_cursor;
	put(0);
}

void ms_tracer_emit_call_into_c(uint32_t at, uint64_t word, enum ms_tracer_exit_stub glue)
{
	put_store(16, MS_TRACER_THREAD_REGISTER, reg_at(16));
	ms_tracer_put_constant(16, word);
	put_store(16, MS_TRACER_THREAD_REGISTER, at);
	put_jump(ms_tracer_shared_stubs[glue]);
}

void ms_tracer_emit_link_stubs(void)
{
	for (uint32_t i = 0; i < stub_count; i++) {
		uint64_t key = ms_tracer_make_key(stubs[i].target, ms_tracer_emitter.block->kind);
		struct ms_tracer_link link = { key, stubs[i].branch };
		struct ms_tracer_block *to = stubs[i].target == ms_tracer_emitter.block->pc
						     ? ms_tracer_emitter.block
						     : ms_tracer_find_linkable_block(key);

		if (to != NULL) {
			*link.branch = jump_word(link.branch, (const uint32_t *)to->entry);
			continue;
		}
		*link.branch = jump_word(link.branch, ms_tracer_emit_cursor);
		ms_tracer_emit_call_into_c(MS_TRACER_AT_ARG, ms_tracer_add_link(link),
					   MS_TRACER_STUB_LINK);
	}
}

/* --- indirect branches --- */

/* The program's value of a register; x16 and x17 have been spilled. */
static uint32_t put_program_register(uint32_t reg, uint32_t into)
{
	if (reg != 16 && reg != MS_TRACER_THREAD_REGISTER)
		return reg;
	put_load(into, MS_TRACER_THREAD_REGISTER, reg_at(reg));
	return into;
}

/* Puts the target into x16, authenticated if the instruction does so. */
static void put_target(const struct ms_tracer_insn *in)
{
	bool signs = in->word >> 11 & 1, two = in->word >> 24 & 1, key_b = in->word >> 10 & 1;
	uint32_t reg = in->kind == MS_TRACER_INSN_RETURN && signs ? 30 : in->word >> 5 & 31;
	uint32_t by = in->kind == MS_TRACER_INSN_RETURN ? SP : in->word & 31;

	if (reg == MS_TRACER_THREAD_REGISTER)
		put_load(16, MS_TRACER_THREAD_REGISTER, reg_at(MS_TRACER_THREAD_REGISTER));
	else if (reg != 16)
		put_move(16, reg);
	if (!signs)
		return;
	if (two || in->kind == MS_TRACER_INSN_RETURN) /* autia, autib */
		put(0xdac11000 | (uint32_t)key_b << 10 | put_program_register(by, 17) << 5 | 16);
	else /* autiza, autizb */
		put(0xdac133e0 | (uint32_t)key_b << 10 | 16);
}

static void put_indirect(const struct ms_tracer_insn *in)
{
	ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
	put_store(16, MS_TRACER_THREAD_REGISTER, reg_at(16));
	put_store(17, MS_TRACER_THREAD_REGISTER, reg_at(17));
	put_target(in);
	if (in->kind == MS_TRACER_INSN_INDIRECT_CALL)
		ms_tracer_put_constant(30, in->pc + 4);
	put_load(17, MS_TRACER_THREAD_REGISTER, MS_TRACER_AT_BRANCH_TABLE);
	/* bfi x17, x16, #1, #19: the table's offset in words, from the target in instructions */
	put(0xb3400000 | 63 << 16 | (MS_TRACER_BRANCH_TABLE_BITS + 1) << 10 | 16 << 5 | 17);
	put_load(17, 17, 0);
	put_jump_register(17);
}

/* --- the end of a block --- */

static void put_conditional(const struct ms_tracer_insn *in)
{
	uint64_t fall_through = in->pc + 4;
	bool back = in->target <= in->pc;
	uint32_t word = ms_tracer_emit_branch_register(in), *away = ms_tracer_emit_cursor;
	uint32_t other_way = (word & 0xff000000) == 0x54000000 ? 1 : 1u << 24;

	put(back ? word ^ other_way : word);
	ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
	ms_tracer_emit_link(back ? in->target : fall_through);
	aim_here(away);
	ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
	ms_tracer_emit_link(back ? fall_through : in->target);
}

void ms_tracer_emit_last_insn(const struct ms_tracer_insn *in)
{
	switch ((enum ms_tracer_insn_kind)in->kind) {
	case MS_TRACER_INSN_CALL:
		ms_tracer_put_constant(30, in->pc + 4);
		ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
		ms_tracer_emit_link(in->target);
		break;
	case MS_TRACER_INSN_JUMP:
		ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
		ms_tracer_emit_link(in->target);
		break;
	case MS_TRACER_INSN_BRANCH:
		put_conditional(in);
		break;
	case MS_TRACER_INSN_INDIRECT_JUMP:
	case MS_TRACER_INSN_INDIRECT_CALL:
	case MS_TRACER_INSN_RETURN:
		put_indirect(in);
		break;
	default:
		ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
		ms_tracer_emit_call_into_c(MS_TRACER_AT_PC, in->pc, MS_TRACER_STUB_CALL);
		break;
	}
}
