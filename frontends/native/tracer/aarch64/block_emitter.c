/*
 * block_emitter.c - a block's code. x18 is the thread all the time.
 *
 *      b      miss
 *      mov    x17, #pc                  <- MS_TRACER_BLOCK_INDIRECT: x16 is where an indirect
 * branch goes, sub    x17, x17, x16                the program's x16 and x17 are spilled cbnz x17,
 * .-20 ldr    x17, [x18, #x17] ldr    x16, [x18, #x16]          <- MS_TRACER_BLOCK_RESUME: from C
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
 * A block of code that may change (jit_code.c) begins with a nop, which becomes a branch to its
 * next version, and compares its code before the record begins:
 *
 *      mov    xC, #pc
 *      ldr    xW, [xC]                  two instructions of the program
 *      ldr    xT, them
 *      sub    xW, xW, xT
 *      cbnz   xW, changed
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
uint32_t *ms_tracer_shared_stubs[MS_TRACER_STUB_COUNT];
static uint32_t *miss_code; /* shared by all blocks */

/* --- constants --- */

static struct literal {
	uint32_t *at;
	uint64_t value;
} literals[4 * MS_TRACER_MAX_INSNS];
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
void ms_tracer_put_constant(uint32_t t, uint64_t value)
{
	uint32_t parts = 0, op = MOVZ;

	for (uint32_t shift = 0; shift < 64; shift += 16)
		parts += (value >> shift & 0xffff) != 0;
	if (parts > 3) {
		literals[literal_count++] = (struct literal){ ms_tracer_emit_cursor, value };
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
	if (literal_count != 0 && (uint64_t)ms_tracer_emit_cursor % 8 != 0)
		put(0);
	for (uint32_t i = 0; i < literal_count; i++) {
		*literals[i].at |= (uint32_t)(ms_tracer_emit_cursor - literals[i].at) << 5;
		*(uint64_t *)ms_tracer_emit_cursor = literals[i].value;
		ms_tracer_emit_cursor += 2;
	}
	literal_count = 0;
}

/* --- the block --- */

/* If an address has more bits than three parts, C looks it up each time. */
static void put_head(void)
{
	uint64_t pc = ms_tracer_emitter.block->pc;
	uint32_t *miss = ms_tracer_emit_cursor;

	put_jump(miss_code);
	if (pc >> 48 != 0)
		put_jump(miss_code);
	else
		put(part_word(MOVZ, 17, pc, 0));
	put(part_word(MOVK, 17, pc, 16));
	put(part_word(MOVK, 17, pc, 32));
	put_subtract(17, 17, 16);
	put(0xb5000000 | ((uint32_t)(miss - ms_tracer_emit_cursor) & 0x7ffff) << 5 | 17); /* cbnz */
	put_load(17, MS_TRACER_THREAD_REGISTER, reg_at(17));
	put_load(16, MS_TRACER_THREAD_REGISTER, reg_at(16));
	ms_tracer_emitter.block->entry = (uint64_t)ms_tracer_emit_cursor;
	ms_tracer_emitter.block->indirect =
		ms_tracer_emitter.block->entry - MS_TRACER_BLOCK_INDIRECT;
}

/* --- code that may change --- */

static uint32_t *changed_from[MS_TRACER_MAX_INSNS];
static uint32_t changed_count;

/* Loads a word from the address in the cursor's register, and compares it. */
static void put_compare_word(uint32_t load, uint64_t word)
{
	put(load | (uint32_t)ms_tracer_emitter.cursor << 5 | ms_tracer_emitter.work);
	ms_tracer_put_constant(ms_tracer_emitter.program_x18, word);
	put_subtract(ms_tracer_emitter.work, ms_tracer_emitter.work, ms_tracer_emitter.program_x18);
	changed_from[changed_count++] = ms_tracer_emit_cursor;
	put(0xb5000000 | ms_tracer_emitter.work); /* cbnz */
}

static void put_compare(void)
{
	const struct ms_tracer_superblock *g = ms_tracer_emitter.g;

	changed_count = 0;
	if (!g->is_jit)
		return;
	/* If the code is unmapped, this fault stands for the fault of the program's jump. */
	ms_tracer_mark_site(&g->in[0], MS_TRACER_SITE_BODY);
	ms_tracer_put_constant(ms_tracer_emitter.cursor, g->pc);
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
	ms_tracer_release_registers();
	ms_tracer_emit_call_into_c(MS_TRACER_AT_PC, ms_tracer_emitter.block->pc,
				   MS_TRACER_STUB_CHANGED);
}

void ms_tracer_forward_to_version(const struct ms_tracer_block *old,
				  const struct ms_tracer_block *to)
{
	uint32_t *nop = (uint32_t *)old->entry;

	__atomic_store_n(nop, jump_word(nop, (const uint32_t *)to->entry), __ATOMIC_RELEASE);
	ms_tracer_sync_instruction_cache(nop, nop + 1);
}

/* Returns the branch that is taken when the chunk is full. */
static uint32_t *put_check(void)
{
	if (ms_tracer_emitter.g->is_jit)
		put(0xd503201f); /* nop */
	ms_tracer_spill_registers();
	put_compare();
	if (ms_tracer_emitter.g->is_runtime_code)
		return NULL;
	put_load(ms_tracer_emitter.cursor, MS_TRACER_THREAD_REGISTER, MS_TRACER_AT_CURSOR);
	put_load(ms_tracer_emitter.work, MS_TRACER_THREAD_REGISTER, MS_TRACER_AT_LIMIT);
	put_subtract(ms_tracer_emitter.work, ms_tracer_emitter.cursor, ms_tracer_emitter.work);
	put(0xb6f80000 | ms_tracer_emitter.work); /* tbz #63 */
	return ms_tracer_emit_cursor - 1;
}

static void put_full(uint32_t *from)
{
	if (from == NULL)
		return;
	aim_here(from);
	ms_tracer_release_registers();
	ms_tracer_emit_call_into_c(MS_TRACER_AT_PC, ms_tracer_emitter.block->pc,
				   MS_TRACER_STUB_FULL);
}

static void put_side(struct ms_tracer_side_exit *side)
{
	const struct ms_tracer_insn *in = &ms_tracer_emitter.g->in[side->at];
	uint32_t word = ms_tracer_emit_branch_register(in);

	if (side->inverted)
		word ^= (word & 0xff000000) == 0x54000000 ? 1 : 1u << 24;
	side->patch = ms_tracer_emit_cursor;
	put(word);
}

static void put_body(void)
{
	uint32_t side = 0, n = ms_tracer_emitter.g->term == MS_TRACER_TERM_INSN
				       ? ms_tracer_emitter.g->n - 1
				       : ms_tracer_emitter.g->n;

	for (uint32_t i = 0; i < n; i++)
		if (side < ms_tracer_emitter.g->sides && ms_tracer_emitter.g->side[side].at == i)
			put_side(&ms_tracer_emitter.g->side[side++]);
		else
			ms_tracer_emit_insn(i);
}

static void put_sides(void)
{
	for (uint32_t k = 0; k < ms_tracer_emitter.g->sides; k++) {
		struct ms_tracer_side_exit *side = &ms_tracer_emitter.g->side[k];

		aim_here(side->patch);
		ms_tracer_emit_record_end(ms_tracer_emitter.g->refs_before[side->at + 1]);
		ms_tracer_emit_link(side->target);
	}
}

/* Lists the exits in the order in which their code is written. */
static uint32_t list_exits(struct ms_wire_exit *exits)
{
	struct ms_wire_exit whole = { (uint16_t)ms_tracer_emitter.g->refs,
				      (uint16_t)ms_tracer_emitter.g->n, 0 };
	uint32_t n = 0;

	exits[n++] = whole;
	if (ms_tracer_emitter.g->term == MS_TRACER_TERM_INSN &&
	    ms_tracer_emitter.g->in[ms_tracer_emitter.g->n - 1].kind == MS_TRACER_INSN_BRANCH)
		exits[n++] = whole;
	for (uint32_t k = 0; k < ms_tracer_emitter.g->sides; k++)
		exits[n++] = (struct ms_wire_exit){
			ms_tracer_emitter.g->refs_before[ms_tracer_emitter.g->side[k].at + 1],
			(uint16_t)(ms_tracer_emitter.g->side[k].at + 1), 0
		};
	return n;
}

static uint32_t describe(void)
{
	static uint64_t pcs[MS_TRACER_MAX_INSNS];
	static struct ms_wire_ref refs[MS_TRACER_MAX_REFS + 8];
	static struct ms_wire_exit exits[MS_TRACER_MAX_EXITS + 2];
	static uint64_t operands[MS_TRACER_MAX_INSNS];
	struct ms_tracer_description block = { .pcs = pcs,
					       .operands = operands,
					       .instructions = ms_tracer_emitter.g->n,
					       .refs = refs,
					       .exits = exits,
					       .exit_count = list_exits(exits) };
	uint32_t n = 0;

	for (uint32_t i = 0; i < ms_tracer_emitter.g->n; i++) {
		const struct ms_tracer_insn *in = &ms_tracer_emitter.g->in[i];

		pcs[i] = in->pc;
		operands[i] = ms_tracer_find_operands(in);
		for (uint32_t k = 0; k < in->refs; k++)
			refs[n++] =
				(struct ms_wire_ref){ (uint16_t)i, in->size,
						      k == 0 ? in->kind_first : in->kind_other, 0 };
	}
	block.ref_count = n;
	if (ms_tracer_emitter.g->samples_sets)
		return ms_tracer_describe_block_without_refs(ms_tracer_emitter.t, &block);
	return ms_tracer_describe_block(ms_tracer_emitter.t, &block);
}

void ms_tracer_emit_block(struct ms_runtime_thread *t, struct ms_tracer_block *b,
			  struct ms_tracer_superblock *gathered)
{
	const uint32_t *from = ms_tracer_emit_cursor;
	uint32_t *full;

	ms_tracer_emitter = (struct ms_tracer_emitter){ .g = gathered, .block = b, .t = t };
	b->is_jit = gathered->is_jit;
	while (!ms_tracer_choose_registers())
		ms_tracer_cut_superblock(ms_tracer_emitter.g, ms_tracer_emitter.g->n / 2);
	if (!ms_tracer_emitter.g->is_runtime_code &&
	    (!ms_tracer_emitter.g->counts_refs || ms_tracer_emitter.g->counts_exits))
		ms_tracer_emitter.next_exit = describe();
	ms_tracer_start_exits();
	put_head();
	full = put_check();
	ms_tracer_start_sampled_refs();
	if (ms_tracer_emitter.g->term == MS_TRACER_TERM_REGION) {
		ms_tracer_emit_repeat();
	} else {
		put_body();
		if (ms_tracer_emitter.g->term == MS_TRACER_TERM_INSN) {
			ms_tracer_emit_last_insn(
				&ms_tracer_emitter.g->in[ms_tracer_emitter.g->n - 1]);
		} else {
			ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
			ms_tracer_emit_link(ms_tracer_emitter.g->next);
		}
	}
	put_sides();
	put_full(full);
	put_changed();
	ms_tracer_emit_sampled_out_of_line();
	ms_tracer_emit_link_stubs();
	ms_tracer_emitter.block->size =
		(uint32_t)((uint64_t)ms_tracer_emit_cursor - ms_tracer_emitter.block->entry);
	put_literals();
	ms_tracer_sync_instruction_cache(from, ms_tracer_emit_cursor);
}

void ms_tracer_patch_link(const struct ms_tracer_link *link, const struct ms_tracer_block *to)
{
	__atomic_store_n(link->branch, jump_word(link->branch, (const uint32_t *)to->entry),
			 __ATOMIC_RELEASE);
	ms_tracer_sync_instruction_cache(link->branch, link->branch + 1);
}

void ms_tracer_set_emit_hint(const struct ms_tracer_link *link)
{
	(void)link; /* blocks do not depend on their neighbours */
}

void ms_tracer_start_emitter(void)
{
	const uint32_t *from = ms_tracer_emit_cursor;

	for (uint32_t glue = 0; glue < MS_TRACER_STUB_COUNT; glue++) {
		ms_tracer_shared_stubs[glue] = ms_tracer_emit_cursor;
		put_load(16, MS_TRACER_THREAD_REGISTER, MS_TRACER_AT_STUBS + 8 * glue);
		put_jump_register(16);
	}
	miss_code = ms_tracer_emit_cursor;
	put_store(16, MS_TRACER_THREAD_REGISTER, MS_TRACER_AT_TARGET);
	put_load(17, MS_TRACER_THREAD_REGISTER, reg_at(17));
	put_jump(ms_tracer_shared_stubs[MS_TRACER_STUB_MISS]);
	ms_tracer_set_branch_miss_code((uint64_t)miss_code);
	ms_tracer_sync_instruction_cache(from, ms_tracer_emit_cursor);
}
