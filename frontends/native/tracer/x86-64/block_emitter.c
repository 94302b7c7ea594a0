/*
 * block_emitter.c - a block's code.
 *
 *      movabs r11, pc                  <- block->indirect: rcx is where an indirect branch goes,
 *      cmp    r11, rcx                    the program's rcx and r11 are spilled
 *      jne    miss
 *      mov    rcx, %gs:spill           both are the program's again
 *      mov    r11, %gs:spill
 *      mov    %gs:spill, rB            <- block->entry: a register that the block does not use ...
 *      mov    rB, %gs:cursor              ... holds where the record goes
 *      cmp    rB, %gs:limit            <- block->fast: from a block with the same rB
 *      jae    full
 *      ...                             <- block->unchecked: from one of a lower level
 *      lea    rS, [address]            a reference, then the instruction itself;
 *      mov    [rB + 8], rS             rS: one that is dead there, or taken and given back
 *      ...
 *      mov    [rB], head               an exit: the record's head word, the cursor after it,
 *      lea    rB, [rB + 8 * words]
 *      mov    %gs:cursor, rB           so that it is known whatever ends the process
 *      prefetchw [rB + 1024]           for each line that the record has
 *      jmp    next                     patched when next is translated; where that has another
 *      ...                             rB, by way of:
 *      mov    rB, %gs:spill            the register given back
 *      jmp    next
 *
 * There is room for MS_TRACER_CHECK_LEVELS records when a check has passed: along a way on which
 * the blocks' levels rise one check is enough.
 *
 * A block of code that may change (jit_code.c) begins with a jump to its next instruction, which is
 * patched when there is a next version of it, and compares its code before it looks for room:
 *
 *      movabs rB, pc
 *      cmp    [rB], four bytes of the program's code
 *      jne    changed
 *
 * The program's stack is not touched, nor its flags where they are alive. At block->entry every
 * register is the program's, but for dead ones.
 */
#include "block_emitter.h"

#include "arch.h"
#include "assembler.h"
#include "instruction.h"
#include "runtime/thread_state.h"
#include "thread_layout.h"
#include "tracer/arch_priv.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "wire/wire.h"

struct ms_tracer_emitter ms_tracer_emitter;

static uint8_t *full_from; /* the branch's displacement; NULL: none */
static bool full_flags;    /* and flags are saved in rax */
static uint8_t *miss_code; /* shared by all blocks */
static uint8_t *far_miss;  /* of this block: must restore rcx first */
enum { SPILL_BYTES = 9 };  /* length of a store to %gs */

/* --- the block --- */

static void put_keep_flags(void)
{
	put_gs_store(RAX, reg_at(RAX));
	put8(0x9f);                         /* lahf */
	put8(0x0f), put8(0x90), put8(0xc0); /* seto al */
}

static void put_give_back_flags(void)
{
	put8(0x04), put8(0x7f); /* add al, 127 */
	put8(0x9e);             /* sahf */
	put_gs_load(RAX, reg_at(RAX));
}

/* --- code that may change --- */

static uint8_t *changed_from[MS_TRACER_MAX_INSNS * MS_TRACER_INSN_BYTES / 4 + 3];
static uint32_t changed_count;

/* cmp [rB + offset], so many bytes */
static void put_compare_bytes(uint32_t offset, const uint8_t *code, uint32_t bytes)
{
	if (bytes == 2)
		put8(0x66);
	put_rex(0, 0, 0, ms_tracer_emitter.block->b);
	put8(bytes == 1 ? 0x80 : 0x81);
	put_address(7, ms_tracer_emitter.block->b, NO_REG, 1, (int32_t)offset);
	for (uint32_t i = 0; i < bytes; i++)
		put8(code[i]);
	changed_from[changed_count++] = put_branch(CONDITION_NE);
}

/* The flags have been saved already. */
static void put_compare_code(void)
{
	const struct ms_tracer_insn *last = ms_tracer_emitter.g->in[ms_tracer_emitter.g->n - 1];
	uint32_t n = (uint32_t)(last->pc + last->length - ms_tracer_emitter.g->pc), at = 0;
	const uint8_t *code = ms_tracer_get_code_bytes(ms_tracer_emitter.g->pc);

	/* If the code is unmapped, this fault stands for the fault of the program's jump. */
	ms_tracer_mark_site(ms_tracer_emitter.g->in[0], NO_REG, MS_TRACER_SITE_COMPARE);
	put_constant(ms_tracer_emitter.block->b, ms_tracer_emitter.g->pc);
	while (at < n) { /* aligned: the processor may check alignment */
		uint32_t bytes = 4;

		while (bytes > n - at || (ms_tracer_emitter.g->pc + at) % bytes != 0)
			bytes /= 2;
		put_compare_bytes(at, code + at, bytes);
		at += bytes;
	}
}

static void put_changed(void)
{
	if (changed_count == 0)
		return;
	for (uint32_t i = 0; i < changed_count; i++)
		aim_here(changed_from[i]);
	put_give_back_flags();
	ms_tracer_emit_call_into_c(ms_tracer_emitter.block->pc, MS_TRACER_STUB_CHANGED);
}

void ms_tracer_forward_to_version(const struct ms_tracer_block *old,
				  const struct ms_tracer_block *to)
{
	ms_tracer_patch_branch((uint8_t *)(uint64_t)old->entry_jump, to->entry);
}

static void put_check(void)
{
	full_from = NULL;
	full_flags = ms_tracer_emitter.g->live[0].flags != 0;
	changed_count = 0;
	if (ms_tracer_emitter.block->b == NO_REG)
		return;
	if (ms_tracer_emitter.g->is_jit) {
		ms_tracer_emitter.block->entry_jump =
			(uint32_t)(uint64_t)ms_tracer_emit_patchable_jump();
		put_gs_store(ms_tracer_emitter.block->b, spill_at(ms_tracer_emitter.block->b));
		put_keep_flags();
		put_compare_code();
		put_gs_load(ms_tracer_emitter.block->b, MS_TRACER_AT_CURSOR);
	} else {
		put_gs_store(ms_tracer_emitter.block->b, spill_at(ms_tracer_emitter.block->b));
		put_gs_load(ms_tracer_emitter.block->b, MS_TRACER_AT_CURSOR);
		ms_tracer_emitter.block->fast = (uint32_t)(uint64_t)ms_tracer_emit_cursor;
		if (full_flags)
			put_keep_flags();
	}
	put_gs(OP_CMP, ms_tracer_emitter.block->b, MS_TRACER_AT_LIMIT);
	full_from = put_branch(CONDITION_AE);
	if (full_flags)
		put_give_back_flags();
	ms_tracer_emitter.block->unchecked = (uint32_t)(uint64_t)ms_tracer_emit_cursor;
	if (ms_tracer_emitter.block->s != NO_REG)
		put_gs_store(ms_tracer_emitter.block->s, spill_at(ms_tracer_emitter.block->s));
}

static void put_full(void)
{
	if (full_from == NULL)
		return;
	aim_here(full_from);
	if (full_flags)
		put_give_back_flags();
	ms_tracer_emit_call_into_c(ms_tracer_emitter.block->pc, MS_TRACER_STUB_FULL);
}

/* Reaches miss_code with rcx unchanged. */
static void put_compare(void)
{
	if (ms_tracer_emitter.g->live[0].flags == 0) {
		put_constant(R11, ms_tracer_emitter.block->pc);
		put8(0x49), put8(0x3b), put8(0xcb); /* cmp rcx, r11 */
		ms_tracer_patch_branch(put_branch(CONDITION_NE), (uint64_t)miss_code);
		return;
	}
	put_constant(R11, -ms_tracer_emitter.block->pc);
	put_memory(OP_LEA, RCX, RCX, R11, 1, 0);
	put8(0xe3), put8(5); /* jrcxz: over the jump */
	put_jump(far_miss);
}

static bool is_live(uint32_t reg)
{
	return ms_tracer_emitter.g->live[0].regs >> reg & 1;
}

/* The last of the two stores is the spill that put_check() would begin with. */
static void put_indirect_entry(void)
{
	if (ms_tracer_emitter.g->live[0].flags != 0) {
		far_miss = ms_tracer_emit_cursor;
		put_constant(R11, ms_tracer_emitter.block->pc);
		put_memory(OP_LEA, RCX, RCX, R11, 1, 0);
		put_jump(miss_code);
	}
	ms_tracer_emitter.block->indirect = (uint32_t)(uint64_t)ms_tracer_emit_cursor;
	put_compare();
	if (is_live(RCX) || ms_tracer_emitter.block->b == RCX)
		put_gs_load(RCX, spill_at(RCX));
	if (ms_tracer_emitter.block->b == R11) {
		put8(0xeb), put8(SPILL_BYTES); /* over the spill, which has been done */
		return;
	}
	if (is_live(R11))
		put_gs_load(R11, spill_at(R11));
}

static void put_sides(void)
{
	for (uint32_t k = 0; k < ms_tracer_emitter.g->sides; k++) {
		struct ms_tracer_side_exit *side = &ms_tracer_emitter.g->side[k];

		aim_here(side->patch);
		ms_tracer_emitter.keeps_flags = side->keeps_flags;
		ms_tracer_emit_record_end(ms_tracer_emitter.g->refs_before[side->at + 1]);
		ms_tracer_emit_link(side->target);
	}
}

static void put_body(void)
{
	uint32_t side = 0;

	for (uint32_t i = 0; i < ms_tracer_emitter.g->n; i++) {
		const struct ms_tracer_insn *in = ms_tracer_emitter.g->in[i];

		if (side < ms_tracer_emitter.g->sides && ms_tracer_emitter.g->side[side].at == i) {
			ms_tracer_emitter.g->side[side].patch = put_branch(
				in->condition ^ ms_tracer_emitter.g->side[side].inverted);
			side++;
		} else if (in->kind != MS_TRACER_INSN_REP && in->kind != MS_TRACER_INSN_COMPUTED) {
			ms_tracer_emit_insn(i);
			if (ms_tracer_emitter.g->returns_to[i] != 0)
				ms_tracer_emit_return_check(i);
		}
	}
}

void ms_tracer_patch_branch(uint8_t *rel32, uint64_t to)
{
	__atomic_store_n((int32_t *)rel32, (int32_t)(to - ((uint64_t)rel32 + 4)), __ATOMIC_RELEASE);
}

/* Lists the exits in the order in which their code is written. */
static uint32_t list_exits(struct ms_wire_exit *exits)
{
	uint32_t n = 0;
	const struct ms_tracer_insn *last =
		ms_tracer_emitter.g->n > 0 ? ms_tracer_emitter.g->in[ms_tracer_emitter.g->n - 1]
					   : NULL;
	struct ms_wire_exit whole = { (uint16_t)ms_tracer_emitter.g->refs,
				      (uint16_t)ms_tracer_emitter.g->n, 0 };
	bool two = ms_tracer_emitter.g->term == MS_TRACER_TERM_INSN &&
		   (last->kind == MS_TRACER_INSN_BRANCH || last->kind == MS_TRACER_INSN_LOOP);

	exits[n++] = whole;
	if (two)
		exits[n++] = whole;
	if (ms_tracer_emitter.g->term == MS_TRACER_TERM_INSN && last->kind == MS_TRACER_INSN_REP) {
		exits[n++] = (struct ms_wire_exit){ 0, 1, 0 };
		exits[n++] = whole;
	}
	for (uint32_t k = 0; k < ms_tracer_emitter.g->sides; k++)
		exits[n++] = (struct ms_wire_exit){
			ms_tracer_emitter.g->refs_before[ms_tracer_emitter.g->side[k].at + 1],
			(uint16_t)(ms_tracer_emitter.g->side[k].at + 1), 0
		};
	for (uint32_t i = 0; i < ms_tracer_emitter.g->n; i++)
		if (ms_tracer_emitter.g->returns_to[i] != 0)
			exits[n++] = (struct ms_wire_exit){ ms_tracer_emitter.g->refs_before[i + 1],
							    (uint16_t)(i + 1), 0 };
	return n;
}

static uint32_t describe(void)
{
	static uint64_t pcs[MS_TRACER_MAX_INSNS];
	static struct ms_wire_ref refs[MS_TRACER_MAX_REFS + 8];
	static struct ms_wire_exit exits[MS_TRACER_MAX_EXITS + MS_TRACER_MAX_RETURNS + 4];
	static uint64_t operands[MS_TRACER_MAX_INSNS];
	struct ms_tracer_description block = { .pcs = pcs,
					       .operands = operands,
					       .instructions = ms_tracer_emitter.g->n,
					       .refs = refs,
					       .exits = exits,
					       .exit_count = list_exits(exits) };
	uint32_t n = 0;

	for (uint32_t i = 0; i < ms_tracer_emitter.g->n; i++) {
		pcs[i] = ms_tracer_emitter.g->in[i]->pc;
		operands[i] = ms_tracer_emitter.g->in[i]->operands;
		for (uint32_t k = 0; k < ms_tracer_emitter.g->in[i]->refs; k++)
			refs[n++] =
				(struct ms_wire_ref){ (uint16_t)i,
						      ms_tracer_emitter.g->in[i]->ref[k].size,
						      ms_tracer_emitter.g->in[i]->ref[k].kind, 0 };
	}
	if (ms_tracer_emitter.g->in[0]->kind == MS_TRACER_INSN_COMPUTED)
		return ms_tracer_describe_computed(ms_tracer_emitter.g->in[0]);
	if (ms_tracer_emitter.g->in[0]->kind == MS_TRACER_INSN_REP)
		ms_tracer_describe_repeat(ms_tracer_emitter.g->in[0]);
	block.ref_count = n;
	if (ms_tracer_emitter.g->samples_sets)
		return ms_tracer_describe_block_without_refs(ms_tracer_emitter.t, &block);
	return ms_tracer_describe_block(ms_tracer_emitter.t, &block);
}

void ms_tracer_emit_block(struct ms_runtime_thread *t, struct ms_tracer_block *b,
			  struct ms_tracer_superblock *gathered)
{
	ms_tracer_emitter = (struct ms_tracer_emitter){ .g = gathered, .block = b, .t = t };
	b->is_jit = gathered->is_jit;
	b->level = ms_tracer_cursor_reg_hint != NO_REG &&
				   ms_tracer_check_level_hint <
					   (gathered->samples_sets ? MS_TRACER_SAMPLED_CHECK_LEVELS
								   : MS_TRACER_CHECK_LEVELS)
			   ? ms_tracer_check_level_hint + 1
			   : 0;
	while (!ms_tracer_choose_registers())
		ms_tracer_cut_superblock(ms_tracer_emitter.g, ms_tracer_emitter.g->n / 2);
	if (!ms_tracer_emitter.g->is_runtime_code &&
	    (!ms_tracer_emitter.g->counts_refs || ms_tracer_emitter.g->counts_exits))
		ms_tracer_emitter.next_exit = describe();
	ms_tracer_start_exits();
	ms_tracer_start_sampled_refs();
	put_indirect_entry();
	ms_tracer_emitter.block->entry = (uint32_t)(uint64_t)ms_tracer_emit_cursor;
	put_check();
	put_body();
	ms_tracer_emitter.keeps_flags =
		ms_tracer_emitter.g->in[0]->kind == MS_TRACER_INSN_REP ||
		ms_tracer_emitter.g->live[ms_tracer_emitter.g->n].flags != 0;
	if (ms_tracer_emitter.g->term == MS_TRACER_TERM_CUT) {
		ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
		ms_tracer_emit_link(ms_tracer_emitter.g->next);
	} else {
		ms_tracer_emit_last_insn(ms_tracer_emitter.g->in[ms_tracer_emitter.g->n - 1]);
	}
	put_sides();
	ms_tracer_emit_return_misses();
	put_full();
	put_changed();
	ms_tracer_emit_sampled_out_of_line();
	ms_tracer_emit_link_stubs();
	ms_tracer_emitter.block->size =
		(uint32_t)((uint64_t)ms_tracer_emit_cursor - ms_tracer_emitter.block->entry);
}

void ms_tracer_start_emitter(void)
{
	miss_code = ms_tracer_emit_cursor;
	put_gs_store(RCX, MS_TRACER_AT_TARGET);
	put_gs_load(R11, spill_at(R11));
	put_gs_load(RCX, spill_at(RCX));
	put_gs_jump(MS_TRACER_AT_STUBS + 8 * MS_TRACER_STUB_MISS);
	ms_tracer_set_branch_miss_code((uint64_t)miss_code);
}
