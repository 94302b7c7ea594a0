/*
 * repeated_instructions.c - a string instruction with a repeat prefix.
 *
 * One iteration is one execution of its block, which branches back to its start. Each element is
 * one reference, as in Valgrind. If flags are dead, many iterations of a move or a store are one
 * execution. Then bytes are combined into references of 32 bytes, of eight, and of one. That models
 * large copies of the C library: the processor moves whole lines, and equivalent vector code
 * references 32 bytes at a time. The code assumes that addresses ascend, unless an instruction that
 * reverses the direction (std) has been decoded.
 */
#include "arch.h"
#include "assembler.h"
#include "block_emitter.h"
#include "instruction.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "wire/wire.h"

struct repeat_piece {
	uint16_t rounds;
	uint16_t size, count; /* `count` references of `size` bytes */
};
enum { PIECES = 3, MOST = 32 };

static uint32_t piece_exit[PIECES];

static struct repeat_piece piece_of(const struct ms_tracer_insn *in, uint32_t k)
{
	static const struct repeat_piece bytes[PIECES] = { { 256, 32, 8 },
							   { 32, 32, 1 },
							   { 8, 8, 1 } };
	static const uint16_t rounds[PIECES] = { MOST, 8, 2 };

	if (in->ref[0].size == 1)
		return bytes[k];
	return (struct repeat_piece){ rounds[k], in->ref[0].size, rounds[k] };
}

static bool has_pieces(const struct ms_tracer_insn *in)
{
	return !in->rep_compares && ms_tracer_emitter.g->live[0].flags == 0 &&
	       in->ref[in->refs - 1].kind == MS_WIRE_WRITE && !ms_tracer_saw_std;
}

static void describe_piece(const struct ms_tracer_insn *in, uint32_t k)
{
	struct repeat_piece piece = piece_of(in, k);
	struct ms_wire_ref refs[2 * MOST];
	uint64_t pcs[MOST], operands[MOST];
	bool whole = piece.rounds != piece.count; /* a reference covers more than one iteration */
	struct ms_wire_exit exit = { (uint16_t)(piece.count * in->refs), whole ? 1 : piece.count,
				     0 };

	for (uint32_t i = 0; i < exit.instructions; i++)
		pcs[i] = in->pc, operands[i] = in->operands;
	for (uint32_t i = 0; i < exit.refs; i++)
		refs[i] = (struct ms_wire_ref){ (uint16_t)(whole ? 0 : i / in->refs), piece.size,
						in->ref[i % in->refs].kind, 0 };
	const struct ms_tracer_description block = { .pcs = pcs,
						     .operands = operands,
						     .instructions = exit.instructions,
						     .ref_count = exit.refs,
						     .refs = refs,
						     .exits = &exit,
						     .exit_count = 1 };
	piece_exit[k] = ms_tracer_emitter.g->samples_sets
				? ms_tracer_describe_block_without_refs(ms_tracer_emitter.t, &block)
				: ms_tracer_describe_block(ms_tracer_emitter.t, &block);
}

void ms_tracer_describe_repeat(const struct ms_tracer_insn *in)
{
	for (uint32_t k = 0; k < PIECES && has_pieces(in); k++)
		describe_piece(in, k);
}

/* The instruction with a smaller count; the second register holds the rest meanwhile. */
static void put_piece(const struct ms_tracer_insn *in, struct repeat_piece piece)
{
	uint8_t s = ms_tracer_emitter.block->s;

	for (uint32_t i = 0; i < piece.count * in->refs; i++) {
		struct ms_tracer_memory_ref where = in->ref[i % in->refs];

		where.size = piece.size;
		where.disp = (int32_t)(i / in->refs * piece.size);
		if (ms_tracer_emitter.g->samples_sets) {
			ms_tracer_emit_sampled_ref(in, &where, s, false);
			continue;
		}
		put_memory(OP_LEA, s, in->ref[i % in->refs].base, NO_REG, 1,
			   (int32_t)(i / in->refs * piece.size));
		put_memory(OP_STORE, s, ms_tracer_emitter.block->b, NO_REG, 1,
			   8 * (1 + (int32_t)i));
	}
	put_memory(OP_LEA, s, RCX, NO_REG, 1, -(int32_t)piece.rounds);
	put_constant(RCX, piece.rounds);
	ms_tracer_mark_site(in, NO_REG, MS_TRACER_SITE_REP);
	for (uint32_t i = 0; i < in->length; i++)
		put8(((const uint8_t *)ms_tracer_get_code_bytes(in->pc))[i]);
	put_move(RCX, s);
	ms_tracer_emit_record_end(piece.count * in->refs);
	ms_tracer_emit_link(in->pc);
}

/* Branches if rcx is at least `count`. */
static uint8_t *put_if_at_least(uint32_t count)
{
	put8(0x48), put8(0x81), put8(0xf9), put32(count); /* cmp rcx, count */
	return put_branch(CONDITION_AE);
}

static void put_element(const struct ms_tracer_insn *in)
{
	const uint8_t *from = ms_tracer_get_code_bytes(in->pc);
	uint8_t *on, *out = NULL;

	put8(0xe3), put8(2); /* jrcxz: none left */
	put8(0xeb), put8(5); /* over the jump */
	put8(0xe9), put32(0);
	on = ms_tracer_emit_cursor - 4;
	ms_tracer_mark_site(in, NO_REG, MS_TRACER_SITE_BODY);
	ms_tracer_emit_refs(0, (struct ms_tracer_scratch){ ms_tracer_emitter.block->s, false });
	for (uint32_t i = 0; i < in->length; i++)
		if (i != in->rep_prefix_at)
			put8(from[i]);
	put_memory(OP_LEA, RCX, RCX, NO_REG, 1, -1);
	if (in->rep_compares)
		out = put_branch(from[in->rep_prefix_at] == 0xf3 ? CONDITION_NE : CONDITION_E);
	ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
	ms_tracer_emit_link(in->pc);
	aim_here(on);
	ms_tracer_emit_record_end(0);
	ms_tracer_emit_link(in->pc + in->length);
	if (out == NULL)
		return;
	aim_here(out);
	ms_tracer_emit_record_end(ms_tracer_emitter.g->refs);
	ms_tracer_emit_link(in->pc + in->length);
}

void ms_tracer_emit_repeat(const struct ms_tracer_insn *in)
{
	uint8_t *to[PIECES];

	if (ms_tracer_emitter.g->is_runtime_code || !has_pieces(in)) {
		put_element(in);
		return;
	}
	for (uint32_t k = 0; k < PIECES; k++)
		to[k] = put_if_at_least(piece_of(in, k).rounds);
	put_element(in);
	for (uint32_t k = 0; k < PIECES; k++) {
		aim_here(to[k]);
		ms_tracer_emitter.next_exit = piece_exit[k];
		put_piece(in, piece_of(in, k));
	}
}
