/*
 * sampled_references.c - set sampling: a reference is recorded if its first or its last line is
 * sampled.
 *
 *      add    xW, xN, #offset           the address
 *      ubfx   xW, xW, #shift, #bits     the number of its group
 *      ldrb   wW, [xT, xW]              xT: the table of sampled groups
 *      cbnz   xW, out                   this group is sampled, or the next one
 *      ...                              the instruction itself
 * out: ...                              after the block's end, as few references get here: tests
 *                                       this group, then the group of the last byte
 *      add    xW, xN, #offset
 *      str    xW, [xC, #8]
 *      mov    xW, #head                 an execution that is this reference alone; see
 * block_descriptions.c str    xW, [xC] add    xC, xC, #16 b      back
 *
 * So the cursor's register moves while the block is executed. At an exit it holds the address of
 * the execution's own head word.
 *
 * References that are close to each other are tested together: those of a pair, and those of
 * consecutive instructions that use the stack, as in a function's prologue and epilogue. They touch
 * one group or two. The table has for each group whether it or the next one is sampled (cbnz); the
 * code out of line tests each reference. All are written before the first instruction is executed:
 * only the end of the stack could make that one fault, and nothing between them leaves the block.
 */
#include "arch.h"
#include "assembler.h"
#include "block_emitter.h"
#include "instruction.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "wire/wire.h"

/* At an address that an instruction computes, or at an offset from the present sp. */
struct ref {
	const struct ms_tracer_insn *in;
	uint32_t word, k, exit;
	int32_t from_sp;
	bool on_stack;
	bool crosses; /* it may end on another line than it begins on */
};

/* References that are tested together. */
static struct sampled_check {
	uint32_t *from;
	const uint32_t *back;
	uint32_t first, n;
} picks[MS_TRACER_MAX_REFS + 8];
static struct ref refs[MS_TRACER_MAX_REFS + 8];
static uint32_t count, ref_count;
static uint32_t checked_until; /* all references of instructions before this one have been tested */

void ms_tracer_start_sampled_refs(void)
{
	count = ref_count = checked_until = 0;
	if (ms_tracer_emitter.other != NO_REG)
		ms_tracer_put_constant(ms_tracer_emitter.other,
				       (uint64_t)ms_tracer_sampled_sets.table);
}

static uint32_t exit_of(const struct ms_tracer_insn *in, uint32_t k)
{
	bool alike = in->kind_first == in->kind_other;
	uint64_t operands = ms_tracer_find_operands(in);

	return ms_tracer_describe_ref_block(ms_tracer_emitter.t, in->pc, &operands, in->size,
					    k == 0 ? in->kind_first : in->kind_other,
					    alike ? in->refs : 1);
}

static void put_head(uint32_t exit)
{
	ms_tracer_put_constant(ms_tracer_emitter.work, ms_wire_head(MS_WIRE_EXEC, 2, exit));
	put_store(ms_tracer_emitter.work, ms_tracer_emitter.cursor, 0);
	put_add(ms_tracer_emitter.cursor, ms_tracer_emitter.cursor, 16);
}

/* A constant address is sampled always, or never. */
static void pick_literal(const struct ms_tracer_insn *in)
{
	uint32_t exit = exit_of(in, 0);

	if (!ms_tracer_is_reference_sampled(in->target, in->size))
		return;
	ms_tracer_put_constant(ms_tracer_emitter.work, in->target);
	put_store(ms_tracer_emitter.work, ms_tracer_emitter.cursor, 8);
	put_head(exit);
}

/* --- one test --- */

/* Computes the address in the work register, unless a register holds it already; returns the
 * register. */
static uint32_t put_address(const struct ref *r)
{
	if (!r->on_stack)
		return ms_tracer_emit_address(r->in, r->word, r->k);
	put_add(ms_tracer_emitter.work, SP, r->from_sp);
	return ms_tracer_emitter.work;
}

/* Loads the table's entry for the address, and branches on it. */
static uint32_t *put_test(uint32_t reg, uint32_t branch)
{
	uint32_t w = ms_tracer_emitter.work, low = ms_tracer_sampled_sets.shift;
	uint32_t bits = 32 - (uint32_t)__builtin_clz(ms_tracer_sampled_sets.mask);

	put(0xd3400000 | low << 16 | (low + bits - 1) << 10 | reg << 5 | w);    /* ubfx */
	put(0x38606800 | w << 16 | (uint32_t)ms_tracer_emitter.other << 5 | w); /* ldrb */
	put(branch | w);
	return ms_tracer_emit_cursor - 1;
}

enum { CBNZ = (int)0xb5000000, TBNZ_0 = 0x37000000, TBZ_0 = 0x36000000 };

/* Tests the references from `first` on, the lowest of which is this one. */
static void pick(uint32_t first, const struct ref *lowest)
{
	uint32_t n = ref_count - first;
	bool next = n > 1 || lowest->crosses;
	uint32_t *from = put_test(put_address(lowest), next ? (uint32_t)CBNZ : TBNZ_0);

	picks[count++] = (struct sampled_check){ from, ms_tracer_emit_cursor, first, n };
}

/* --- which references are tested together --- */

/* Distance from the first byte of one to the last of another, so that they touch at most two
 * groups. */
static int32_t farthest(void)
{
	return (int32_t)1 << ms_tracer_sampled_sets.shift;
}

static int32_t reach(const struct ms_tracer_insn *in)
{
	return (in->refs - 1) * in->step + (in->size > 0 ? in->size - 1 : 0);
}

static void add_ref(const struct ms_tracer_insn *in, uint32_t word, uint32_t k)
{
	refs[ref_count++] = (struct ref){
		.in = in, .word = word, .k = k, .exit = exit_of(in, k), .crosses = in->size > 1
	};
}

static void pick_alone(const struct ms_tracer_insn *in, uint32_t word)
{
	bool together = reach(in) <= farthest();
	uint32_t first = ref_count;

	for (uint32_t k = 0; k < in->refs; k++) {
		add_ref(in, word, k);
		if (!together || k + 1u == in->refs) {
			pick(first, &refs[first]);
			first = ref_count;
		}
	}
}

static bool is_on_stack(const struct ms_tracer_insn *in)
{
	return in->kind == MS_TRACER_INSN_PLAIN && in->mode == MS_TRACER_MODE_OFFSET &&
	       in->refs != 0 && (in->word >> 5 & 31) == SP;
}

static int32_t signed_at(uint32_t word, uint32_t low, uint32_t bits)
{
	return (int32_t)(word << (32 - low - bits)) >> (32 - bits);
}

/* By how much an instruction that uses the stack changes sp. False: not one of the usual forms. */
static bool moves_by(uint32_t word, int32_t *by)
{
	uint32_t size = word >> 26 & 1 ? word >> 30 : word >> 31;

	*by = 0;
	if ((word & 0x3b000000) == 0x39000000) /* an offset */
		return true;
	if ((word & 0x3b200000) == 0x38000000) { /* one register; pre-indexed or post-indexed */
		if (word >> 10 & 1)
			*by = signed_at(word, 12, 9);
		return true;
	}
	if ((word & 0x3a000000) == 0x28000000) { /* a pair */
		if (word >> 23 & 1)
			*by = signed_at(word, 15, 7) * (4 << size);
		return true;
	}
	return false;
}

/* No reference, no branch, and no possible write to sp, which is register 31. */
static bool is_between(const struct ms_tracer_insn *in)
{
	return in->refs == 0 && in->kind <= MS_TRACER_INSN_ADDRESS && (in->word & 31) != SP;
}

/* sp is a multiple of 16, and such an access crosses no line. */
static bool is_aligned(int32_t from_sp, uint32_t size)
{
	return size <= 16 && (size & (size - 1)) == 0 && (from_sp & (int32_t)(size - 1)) == 0;
}

/* Tests the stack references from instruction i on. */
static void pick_stack(uint32_t i)
{
	int32_t sp = 0, low = ms_tracer_emitter.g->in[i].offset, high = low, by;
	uint32_t first = ref_count, lowest = first, j = i;

	for (; j < ms_tracer_emitter.g->n; j++) {
		const struct ms_tracer_insn *in = &ms_tracer_emitter.g->in[j];
		int32_t from = sp + in->offset, to = from + reach(in);

		if (is_between(in))
			continue;
		if (!is_on_stack(in) ||
		    (to > high ? to : high) - (from < low ? from : low) > farthest())
			break;
		if (from < low)
			lowest = ref_count;
		low = from < low ? from : low;
		high = to > high ? to : high;
		for (uint32_t k = 0; k < in->refs; k++) {
			add_ref(in, in->word, k);
			refs[ref_count - 1].on_stack = true;
			refs[ref_count - 1].from_sp = from + (int32_t)k * in->step;
			refs[ref_count - 1].crosses &= !is_aligned(from, in->size);
		}
		checked_until = j + 1;
		if (!moves_by(in->word, &by))
			break;
		sp += by;
	}
	pick(first, &refs[lowest]);
}

void ms_tracer_emit_sampled_refs(uint32_t i, uint32_t word)
{
	const struct ms_tracer_insn *in = &ms_tracer_emitter.g->in[i];

	if (i < checked_until)
		return;
	if (in->kind == MS_TRACER_INSN_LITERAL)
		pick_literal(in);
	else if (ms_tracer_emitter.g->term != MS_TRACER_TERM_REGION && is_on_stack(in) &&
		 reach(in) <= farthest())
		pick_stack(i);
	else
		pick_alone(in, word);
}

/* --- out of line --- */

/* Branches past the record if neither the first nor the last line is sampled. */
static uint32_t *put_tests(const struct ref *r)
{
	if (!r->crosses)
		return put_test(put_address(r), TBZ_0);

	uint32_t *sampled_branch = put_test(put_address(r), TBNZ_0);
	put_add(ms_tracer_emitter.work, put_address(r), r->in->size - 1);
	uint32_t *skip = put_test(ms_tracer_emitter.work, TBZ_0);

	aim_here(sampled_branch);
	return skip;
}

void ms_tracer_emit_sampled_out_of_line(void)
{
	for (const struct sampled_check *p = picks; p < picks + count; p++) {
		aim_here(p->from);
		for (const struct ref *r = &refs[p->first]; r < &refs[p->first + p->n]; r++) {
			uint32_t *skip = p->n > 1 || r->crosses ? put_tests(r) : NULL;

			put_store(put_address(r), ms_tracer_emitter.cursor, 8);
			put_head(r->exit);
			if (skip != NULL)
				aim_here(skip);
		}
		put_jump(p->back);
	}
}
