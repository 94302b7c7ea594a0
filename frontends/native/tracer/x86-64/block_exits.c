/* block_exits.c - emits the exits of a block: they complete the record and continue elsewhere. */
#include "arch.h"
#include "assembler.h"
#include "block_emitter.h"
#include "instruction.h"
#include "thread_layout.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/exit_counters.h"
#include "wire/wire.h"

static struct stub {
	uint8_t *rel32;
	uint64_t target;
} stubs[MS_TRACER_MAX_EXITS + 8];
static uint32_t stub_count;
/* branches of returns that do not go to the expected call */
static uint8_t *return_misses[MS_TRACER_MAX_INSNS + 1];

void ms_tracer_start_exits(void)
{
	stub_count = 0;
}

/* Another processor has read the memory that is written next. This prefetches as many of its lines
 * for writing as the record has. */
static void put_prefetch_lines(uint32_t refs)
{
	enum { AHEAD = 1024, LINE = 64 };

	for (uint32_t at = 0; at < (1 + refs) * 8; at += LINE) {
		put_rex(0, 0, 0, ms_tracer_emitter.block->b);
		put8(0x0f), put8(0x0d); /* prefetchw */
		put_address(1, ms_tracer_emitter.block->b, NO_REG, 1, (int32_t)(AHEAD + at));
	}
}

/* Increments the thread's count of executions that leave here. Where flags must be kept the
 * cursor's register is used; the cursor is in memory, but each block waits for it. */
static void put_tally(void)
{
	int32_t at = (int32_t)ms_tracer_get_exit_counter_offset(ms_tracer_emitter.next_exit++);
	uint8_t b = ms_tracer_emitter.block->b;

	if (!ms_tracer_emitter.keeps_flags) {
		put_gs_increment(at);
		return;
	}
	put_gs_load(b, at);
	put_memory(OP_LEA, b, b, NO_REG, 1, 1);
	put_gs_store(b, at);
	put_gs_load(b, MS_TRACER_AT_CURSOR);
}

static void put_record_head(uint32_t refs)
{
	put_value32(ms_tracer_emitter.block->b, 0, (1 + refs) << 16 | MS_WIRE_EXEC);
	put_value32(ms_tracer_emitter.block->b, 4, ms_tracer_emitter.next_exit++);
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
	put_memory(OP_LEA, ms_tracer_emitter.block->b, ms_tracer_emitter.block->b, NO_REG, 1,
		   (int32_t)(8 * refs + head_bytes));
	put_gs_store(ms_tracer_emitter.block->b,
		     MS_TRACER_AT_CURSOR); /* in memory, whatever ends the process */
}

/* Completes the record, with the first `refs` references; then the register holds the cursor after
 * it. */
void ms_tracer_emit_record_end(uint32_t refs)
{
	if (ms_tracer_emitter.g->is_runtime_code)
		return;
	if (ms_tracer_emitter.g->samples_sets)
		refs = 0; /* they have records of their own before this one */
	if (ms_tracer_emitter.g->counts_exits)
		put_tally();
	else if (!ms_tracer_emitter.g->counts_refs)
		put_record_head(refs);
	put_advance(refs);
	if (!ms_tracer_emitter.g->counts_refs && !ms_tracer_emitter.g->counts_exits &&
	    !ms_tracer_emitter.g->samples_sets)
		put_prefetch_lines(refs);
	if (ms_tracer_emitter.block->s != NO_REG)
		put_gs_load(ms_tracer_emitter.block->s, spill_at(ms_tracer_emitter.block->s));
}

/* Afterwards all registers hold the program's values. */
void ms_tracer_emit_restore_registers(void)
{
	if (ms_tracer_emitter.block->b == NO_REG)
		return;
	put_gs_load(ms_tracer_emitter.block->b, spill_at(ms_tracer_emitter.block->b));
}

/* A jump whose displacement can be patched while other threads execute it. */
static uint8_t *put_patchable(void)
{
	while ((((uint64_t)ms_tracer_emit_cursor + 1) & 7) > 4)
		put8(0x90);
	put8(0xe9);
	put32(0);
	return ms_tracer_emit_cursor - 4;
}

uint8_t *ms_tracer_emit_patchable_jump(void)
{
	return put_patchable();
}

void ms_tracer_emit_link(uint64_t target)
{
	stubs[stub_count].target = target;
	stubs[stub_count++].rel32 = put_patchable();
}

static bool shares_register(const struct ms_tracer_link *link, const struct ms_tracer_block *to)
{
	/* such a block must compare its code first */
	return link->b != NO_REG && link->b == to->b && !to->is_jit;
}

void ms_tracer_patch_link(const struct ms_tracer_link *link, const struct ms_tracer_block *to)
{
	if (!shares_register(link, to))
		ms_tracer_patch_branch(link->far_rel32, to->entry);
	else
		ms_tracer_patch_branch(link->near_rel32,
				       link->level < to->level ? to->unchecked : to->fast);
}

/*
 * The branch goes to a block that keeps the cursor in the same register, or restores registers
 * first. It goes to C as long as the target is not translated.
 */
static void put_stub(const struct stub *stub)
{
	uint64_t key = ms_tracer_make_key(stub->target, ms_tracer_emitter.block->kind);
	struct ms_tracer_link link = { key, stub->rel32, NULL, ms_tracer_emitter.block->b,
				       ms_tracer_emitter.block->level };
	struct ms_tracer_block *to = stub->target == ms_tracer_emitter.block->pc
					     ? ms_tracer_emitter.block
					     : ms_tracer_find_linkable_block(key);

	if (to != NULL && shares_register(&link, to)) {
		ms_tracer_patch_link(&link, to);
		return;
	}
	aim_here(stub->rel32);
	ms_tracer_emit_restore_registers();
	link.far_rel32 = put_patchable();
	if (to != NULL) {
		ms_tracer_patch_branch(link.far_rel32, to->entry);
		return;
	}
	aim_here(link.far_rel32);
	put_gs_value(MS_TRACER_AT_ARG, ms_tracer_add_link(link));
	put_gs_jump(MS_TRACER_AT_STUBS + 8 * MS_TRACER_STUB_LINK);
}

void ms_tracer_emit_link_stubs(void)
{
	for (uint32_t i = 0; i < stub_count; i++)
		put_stub(&stubs[i]);
}

void ms_tracer_emit_call_into_c(uint64_t pc, enum ms_tracer_exit_stub glue)
{
	ms_tracer_emit_restore_registers();
	put_gs_value(MS_TRACER_AT_PC, (uint32_t)pc);
	put_gs_value(MS_TRACER_AT_PC + 4, (uint32_t)(pc >> 32));
	put_gs_jump(MS_TRACER_AT_STUBS + 8 * glue);
}

/* rcx: the target. */
static void put_lookup(void)
{
	if (!ms_tracer_has_pext) { /* movzx r11d, cx */
		put8(0x44), put8(0x0f), put8(0xb7), put8(0xd9);
	} else { /* pext r11, rcx, [mask]: the only way that preserves flags */
		put8(0xc4), put8(0x62), put8(0xf2), put8(0xf5);
		put_address(R11, NO_REG, NO_REG, 1,
			    (int32_t)(uint64_t)&ms_tracer_branch_tables[0][-1]);
	}
	put_memory(OP_LOAD, R11, NO_REG, R11, 8,
		   (int32_t)(uint64_t)ms_tracer_branch_tables[ms_tracer_emitter.block->kind]);
	put8(0x41), put8(0xff), put8(0xe3); /* jmp r11 */
}

static void put_load_target(const struct ms_tracer_insn *in)
{
	const struct ms_tracer_memory_ref *w = &in->ref[0];

	if (in->kind == MS_TRACER_INSN_RETURN) {
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

static void put_indirect(const struct ms_tracer_insn *in, uint32_t refs)
{
	ms_tracer_emit_record_end(refs);
	if (ms_tracer_emitter.block->b !=
	    R11) { /* otherwise it holds the program's value already */
		ms_tracer_emit_restore_registers();
		put_gs_store(R11, spill_at(R11));
	}
	put_gs_store(RCX, spill_at(RCX));
	ms_tracer_mark_site(in, NO_REG, MS_TRACER_SITE_JUMP);
	put_load_target(in);
	if (in->kind == MS_TRACER_INSN_INDIRECT_CALL) {
		struct ms_tracer_scratch s = { R11, false };

		ms_tracer_emit_push_return(in, s);
	}
	put_lookup();
}

void ms_tracer_emit_return_check(uint32_t i)
{
	struct ms_tracer_scratch s = ms_tracer_take_scratch(i);

	put_constant(s.reg, ms_tracer_emitter.g->returns_to[i]);
	put_memory(OP_CMP, s.reg, RSP, NO_REG, 1, 0);
	ms_tracer_release_registers(s);
	return_misses[i] = put_branch(CONDITION_NE);
	put_memory(OP_LEA, RSP, RSP, NO_REG, 1, 8);
}

void ms_tracer_emit_return_misses(void)
{
	for (uint32_t i = 0; i < ms_tracer_emitter.g->n; i++)
		if (ms_tracer_emitter.g->returns_to[i] != 0) {
			aim_here(return_misses[i]);
			ms_tracer_emitter.keeps_flags = false; /* see liveness.c */
			put_indirect(ms_tracer_emitter.g->in[i],
				     ms_tracer_emitter.g->refs_before[i + 1]);
		}
}

/* The likely direction, back to the start of a loop, falls through. */
static void put_conditional(const struct ms_tracer_insn *in)
{
	uint64_t fall_through = in->pc + in->length;
	bool back = in->target <= in->pc;
	uint8_t *away = put_branch(in->condition ^ (back ? 1 : 0));

	ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
	ms_tracer_emit_link(back ? in->target : fall_through);
	aim_here(away);
	ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
	ms_tracer_emit_link(back ? fall_through : in->target);
}

static void put_loop(const struct ms_tracer_insn *in)
{
	uint8_t *away;

	put8(((const uint8_t *)ms_tracer_get_code_bytes(in->pc))[in->length - 2]);
	put8(5);
	put8(0xe9);
	put32(0);
	away = ms_tracer_emit_cursor - 4;
	ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
	ms_tracer_emit_link(in->target);
	aim_here(away);
	ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
	ms_tracer_emit_link(in->pc + in->length);
}

void ms_tracer_emit_last_insn(const struct ms_tracer_insn *in)
{
	switch ((enum ms_tracer_insn_kind)in->kind) {
	case MS_TRACER_INSN_JUMP:
	case MS_TRACER_INSN_CALL:
		ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
		ms_tracer_emit_link(in->target);
		break;
	case MS_TRACER_INSN_BRANCH:
		put_conditional(in);
		break;
	case MS_TRACER_INSN_LOOP:
		put_loop(in);
		break;
	case MS_TRACER_INSN_INDIRECT_JUMP:
	case MS_TRACER_INSN_INDIRECT_CALL:
	case MS_TRACER_INSN_RETURN:
		put_indirect(in, ms_tracer_emitter.g->refs);
		break;
	case MS_TRACER_INSN_REP:
		ms_tracer_emit_repeat(in);
		break;
	case MS_TRACER_INSN_COMPUTED:
		ms_tracer_emit_computed(in);
		break;
	case MS_TRACER_INSN_SYSCALL:
	case MS_TRACER_INSN_REQUEST:
	default:
		ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
		ms_tracer_emit_call_into_c(in->pc, MS_TRACER_STUB_CALL);
		break;
	}
}
