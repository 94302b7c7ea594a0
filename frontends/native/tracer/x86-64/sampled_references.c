/*
 * sampled_references.c - set sampling: a reference is recorded if its first or its last line is
 * sampled.
 *
 *      lea    rS, [address]
 *      and    rS, mask                 flags are dead here; or else they are kept in rax, and the
 *      test   byte [rS + table], 3     address, which may need rax, is stored first
 *      jne    out                      this group is sampled, or the next one
 *      ...                             the instruction itself
 * out: test   byte [rS + table], 1     after the block's end, as few references get here
 *      jne    record
 *      lea    rS, [address + size - 1] the group of the last byte
 *      and    rS, mask
 *      test   byte [rS + table], 1
 *      je     back
 * record:
 *      lea    rS, [address]
 *      mov    [rB + 8], rS
 *      mov    [rB], head               an execution that is this reference alone; see
 * block_descriptions.c lea    rB, [rB + 16] jmp    back
 *
 * A reference of one byte cannot cross a line: it tests bit 0 only, and records at once. One that
 * is longer than a group may end beyond the next group: it always goes out of line.
 *
 * So the cursor's register moves while the block is executed, and what it says at an exit is where
 * the execution's own head word goes.
 */
#include "arch.h"
#include "assembler.h"
#include "block_emitter.h"
#include "instruction.h"
#include "runtime/config.h"
#include "runtime/thread_state.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "wire/wire.h"

/* The number of references in the pieces of a string instruction, or in a block. */
enum { MOST = 2 * (MS_TRACER_MAX_REFS + 32) };

static struct sampled_check {
	uint8_t *from;
	const uint8_t *back;
	struct ms_tracer_memory_ref where;
	uint32_t exit;
	uint8_t scratch;
	bool put;     /* its address has been stored already */
	bool crosses; /* it may end on another line than it begins on */
} picks[MOST];
static uint32_t count;

void ms_tracer_start_sampled_refs(void)
{
	count = 0;
}

static void put_head(uint32_t exit)
{
	put_value32(ms_tracer_emitter.block->b, 0, 2 << 16 | MS_WIRE_EXEC);
	put_value32(ms_tracer_emitter.block->b, 4, exit);
	put_memory(OP_LEA, ms_tracer_emitter.block->b, ms_tracer_emitter.block->b, NO_REG, 1, 16);
}

uint32_t ms_tracer_describe_sampled_ref(struct ms_runtime_thread *t,
					const struct ms_tracer_insn *in,
					const struct ms_tracer_memory_ref *w)
{
	uint32_t times = 0;

	for (uint32_t k = 0; k < in->refs; k++)
		times += in->ref[k].size == w->size && in->ref[k].kind == w->kind;
	if (in->slow == MS_TRACER_COMPUTED_ELEMENTS)
		times = in->elements;
	return ms_tracer_describe_ref_block(t, in->pc, &in->operands, w->size, w->kind,
					    times > 0 ? times : 1);
}

void ms_tracer_emit_sampled_constant(const struct ms_tracer_insn *in,
				     const struct ms_tracer_memory_ref *w)
{
	uint32_t exit = ms_tracer_describe_sampled_ref(ms_tracer_emitter.t, in, w);

	if (!ms_tracer_is_reference_sampled(in->target, w->size))
		return;
	put_value32(ms_tracer_emitter.block->b, 8, (uint32_t)in->target);
	put_value32(ms_tracer_emitter.block->b, 12, (uint32_t)(in->target >> 32));
	put_head(exit);
}

/* Puts the index into the scratch register; changes flags. */
static void put_index(uint32_t s)
{
	if (ms_tracer_sampled_sets.shift != 0) { /* shr s, shift */
		put_rex(1, 0, 0, s);
		put8(0xc1), put8(0xe8 | (s & 7)), put8(ms_tracer_sampled_sets.shift);
	}
	put_rex(0, 0, 0, s); /* and s, mask: the upper half becomes 0 */
	put8(0x81), put8(0xe0 | (s & 7)), put32(ms_tracer_sampled_sets.mask);
}

/* The bits that the table has for an index, by enum group_bits. */
enum group_bits { GROUP_SAMPLED = 1, GROUP_OR_NEXT_SAMPLED = 3 };

static void put_test(uint32_t s, enum group_bits bits)
{
	put_rex(0, 0, 0, s); /* test byte [s + table], bits */
	put8(0xf6);
	put_address(0, s, NO_REG, 1, (int32_t)(uint64_t)ms_tracer_sampled_sets.table);
	put8(bits);
}

/* The first and the last byte are in one group or in two neighbouring ones. */
static bool is_within_two_groups(const struct ms_tracer_memory_ref *w)
{
	return w->size <= 1 + (1u << ms_runtime_config.group_shift);
}

static uint8_t *put_way_out(const struct sampled_check *p, uint32_t s)
{
	put_index(s);
	if (!is_within_two_groups(&p->where)) {
		put_jump(ms_tracer_emit_cursor +
			 5); /* target set by ms_tracer_emit_sampled_out_of_line() */
		return ms_tracer_emit_cursor - 4;
	}
	put_test(s, p->crosses ? GROUP_OR_NEXT_SAMPLED : GROUP_SAMPLED);
	return put_branch(CONDITION_NE);
}

void ms_tracer_emit_sampled_ref(const struct ms_tracer_insn *in,
				const struct ms_tracer_memory_ref *w, uint32_t s, bool keeps_flags)
{
	struct sampled_check *p = &picks[count++];

	p->where = *w;
	p->exit = ms_tracer_describe_sampled_ref(ms_tracer_emitter.t, in, w);
	p->scratch = (uint8_t)s;
	p->put = keeps_flags;
	p->crosses = w->size > 1;
	ms_tracer_emit_lea(s, w);
	if (keeps_flags) {
		put_memory(OP_STORE, s, ms_tracer_emitter.block->b, NO_REG, 1, 8);
		put_gs_store(RAX, reg_at(RAX));
		put8(0x9f);                         /* lahf */
		put8(0x0f), put8(0x90), put8(0xc0); /* seto al */
	}
	p->from = put_way_out(p, s);
	p->back = ms_tracer_emit_cursor;
	if (keeps_flags) {
		put8(0x04), put8(0x7f); /* add al, 127 */
		put8(0x9e);             /* sahf */
		put_gs_load(RAX, reg_at(RAX));
	}
}

static void put_pick_address(const struct sampled_check *p)
{
	if (p->put)
		put_memory(OP_LOAD, p->scratch, ms_tracer_emitter.block->b, NO_REG, 1, 8);
	else
		ms_tracer_emit_lea(p->scratch, &p->where);
}

/* Goes back to the block unless its first line, whose index is in the scratch register, or its last
 * line is sampled. */
static void put_crossing_tests(const struct sampled_check *p)
{
	uint32_t s = p->scratch;
	uint8_t *record, *back;

	put_test(s, GROUP_SAMPLED);
	record = put_branch(CONDITION_NE);
	put_pick_address(p);
	put_memory(OP_LEA, s, s, NO_REG, 1, p->where.size - 1);
	put_index(s);
	put_test(s, GROUP_SAMPLED);
	back = put_branch(CONDITION_E);
	aim_at(back, p->back);
	aim_here(record);
}

void ms_tracer_emit_sampled_out_of_line(void)
{
	for (const struct sampled_check *p = picks; p < picks + count; p++) {
		aim_here(p->from);
		if (p->crosses)
			put_crossing_tests(p);
		if (!p->put) {
			put_pick_address(p);
			put_memory(OP_STORE, p->scratch, ms_tracer_emitter.block->b, NO_REG, 1, 8);
		}
		put_head(p->exit);
		put_jump(p->back);
	}
}
