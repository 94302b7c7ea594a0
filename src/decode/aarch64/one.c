/*
 * decode/aarch64/one.c - decodes one A64 instruction: loads and stores, branch targets, and for all
 * other instructions the registers that they read and write, as far as the usual fields of the
 * encoding show them. Does not depend on the machine that memspy runs on.
 *
 * Not supported: SVE and SME, memory tags, cpy and set.
 */
#include <string.h>

#include "decode/decode_priv.h"
#include "decode/stack_addresses.h"

const unsigned ms_decode_step = 4;
const unsigned ms_decode_load_cycles = 4;
const unsigned ms_decode_stack_pointer = 31;
const unsigned ms_decode_registers = 32;
const uint32_t ms_decode_call_clobbers = 0x4007ffff; /* x0 to x18, x30 */
const int64_t ms_decode_entry_depth = 0;

#define BITS(w, hi, lo) ((w) >> (lo) & ((1u << ((hi) - (lo) + 1)) - 1))
#define BIT(w, n)       ((w) >> (n)&1)

enum { SP = 31 }; /* as a base; elsewhere the number means "no register" */

int8_t ms_decode_register_of_dwarf(unsigned number)
{
	return number <= SP ? (int8_t)number : MS_NO_REGISTER;
}

/*
 * Cycles of instructions, rounded: Arm's software optimization guides of Neoverse N1, V1 and V2.
 * VECTOR_LOAD is what a load of a vector register takes longer.
 */
enum {
	SIMPLE = 1,
	VECTOR_LOAD = 2,
	VECTOR = 2, /* fadd is one of them */
	MULTIPLY = 2,
	FLOAT_MULTIPLY = 3,
	MULTIPLY_ADD = 4,
	DIVIDE = 12,
};

static int64_t extend_sign(uint64_t v, unsigned bits)
{
	return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static uint64_t general(uint32_t reg)
{
	return reg < 31 ? UINT64_C(1) << reg : 0;
}

static uint64_t vector(uint32_t reg)
{
	return UINT64_C(1) << (MS_VECTORS_AT + reg);
}

/* --- loads and stores --- */

static void refers(struct ms_decode_instruction *in, uint32_t w, bool load, uint32_t size)
{
	in->memory = true;
	in->operand = (struct ms_decode_operand){ .base = (int8_t)BITS(w, 9, 5),
						  .index = MS_NO_REGISTER,
						  .scale = 1,
						  .size = (uint8_t)size,
						  .kind = load ? 0 : 1 };
	in->reads |= UINT64_C(1) << BITS(w, 9, 5);
}

static void moves_data(struct ms_decode_instruction *in, uint32_t reg, bool is_vector, bool load)
{
	uint64_t bit = is_vector ? vector(reg) : general(reg);

	if (load) {
		in->writes |= bit;
		in->latency = is_vector ? VECTOR_LOAD : 0;
	} else {
		in->reads |= bit;
		in->data |= bit;
	}
}

/* mode: 1 and 3 change the base, 1 only after the access. */
static void writes_back(struct ms_decode_instruction *in, uint32_t mode, int64_t offset)
{
	if (mode != 1)
		in->operand.constant = (uint64_t)offset;
	if ((mode & 1) == 0)
		return;
	in->moves = (int32_t)offset;
	in->writes |= UINT64_C(1) << in->operand.base;
}

static void pairs(struct ms_decode_instruction *in, uint32_t w)
{
	uint32_t opc = BITS(w, 31, 30);
	bool is_vector = BIT(w, 26), load = BIT(w, 22);
	uint32_t scale = is_vector ? 2 + opc : 2 + (opc >> 1);

	refers(in, w, load, 2u << scale);
	moves_data(in, BITS(w, 4, 0), is_vector, load);
	moves_data(in, BITS(w, 14, 10), is_vector, load);
	writes_back(in, BITS(w, 24, 23), extend_sign(BITS(w, 21, 15), 7) * (1 << scale));
}

static void set_index(struct ms_decode_instruction *in, uint32_t w, uint32_t scale)
{
	uint32_t how = BITS(w, 15, 13);

	in->operand.index = (int8_t)BITS(w, 20, 16);
	in->operand.scale = BIT(w, 12) ? (uint8_t)(1u << scale) : 1;
	in->operand.narrow = how == 2 ? MS_INDEX_UNSIGNED : how == 6 ? MS_INDEX_SIGNED : 0;
	in->reads |= general(BITS(w, 20, 16));
	if (in->operand.index == SP) /* none: zero */
		in->operand.index = MS_NO_REGISTER;
}

/* Compare and swap, fetch and add, and their relatives. */
static void atomics(struct ms_decode_instruction *in, uint32_t w, uint32_t size)
{
	bool only_loads = BIT(w, 15) && BITS(w, 14, 12) == 4;

	refers(in, w, true, size);
	in->operand.kind = only_loads ? 0 : 2;
	in->reads |= only_loads ? 0 : general(BITS(w, 20, 16));
	in->writes |= general(BITS(w, 4, 0));
}

static void single(struct ms_decode_instruction *in, uint32_t w)
{
	bool is_vector = BIT(w, 26), load;
	uint32_t size = BITS(w, 31, 30), opc = BITS(w, 23, 22), low = BITS(w, 11, 10);
	uint32_t scale = is_vector && (opc & 2) ? 4 : size;

	if (!is_vector && size == 3 && opc == 2) /* prefetch */
		return;
	load = is_vector ? opc & 1 : opc != 0;
	if (!BIT(w, 24) && BIT(w, 21) && low == 0) {
		atomics(in, w, 1u << size);
		return;
	}
	refers(in, w, load, 1u << scale);
	moves_data(in, BITS(w, 4, 0), is_vector, load);
	if (BIT(w, 24))
		in->operand.constant = (uint64_t)BITS(w, 21, 10) << scale;
	else if (!BIT(w, 21))
		writes_back(in, low, extend_sign(BITS(w, 20, 12), 9));
	else
		set_index(in, w, scale);
	if (load && !is_vector && size == 3 && BITS(w, 4, 0) < 31)
		in->result = (int8_t)BITS(w, 4, 0);
}

static void literal(struct ms_decode_instruction *in, uint32_t w)
{
	uint32_t opc = BITS(w, 31, 30);
	bool is_vector = BIT(w, 26);

	if (opc == 3)
		return;
	in->memory = true;
	in->operand = (struct ms_decode_operand){
		.constant = in->pc + (uint64_t)extend_sign(BITS(w, 23, 5), 19) * 4,
		.base = MS_NO_REGISTER,
		.index = MS_NO_REGISTER,
		.size = (uint8_t)(is_vector  ? 4u << opc
				  : opc == 1 ? 8
					     : 4),
	};
	moves_data(in, BITS(w, 4, 0), is_vector, true);
}

static void exclusive(struct ms_decode_instruction *in, uint32_t w)
{
	bool load = BIT(w, 22), swaps = BIT(w, 21) && (BIT(w, 23) || !BIT(w, 31));

	refers(in, w, load || swaps, 1u << BITS(w, 31, 30));
	if (swaps)
		in->operand.kind = 2;
	moves_data(in, BITS(w, 4, 0), false, load && !swaps);
	if (swaps || !load)
		in->writes |= general(BITS(w, 20, 16));
}

/* ld1 to ld4, st1 to st4: the base is the first address; post-indexed forms change it. */
static void structures(struct ms_decode_instruction *in, uint32_t w)
{
	refers(in, w, BIT(w, 22), 16);
	moves_data(in, BITS(w, 4, 0), true, BIT(w, 22));
	if (BIT(w, 23))
		in->writes |= UINT64_C(1) << BITS(w, 9, 5);
}

static void loads_and_stores(struct ms_decode_instruction *in, uint32_t w)
{
	if ((w & 0x3f000000) == 0x08000000) {
		exclusive(in, w);
	} else if ((w & 0xbe000000) == 0x0c000000) {
		structures(in, w);
	} else if ((w & 0x3b000000) == 0x18000000) {
		literal(in, w);
	} else if ((w & 0x3f200c00) == 0x19000000) { /* ldapur, stlur */
		refers(in, w, BITS(w, 23, 22) != 0, 1u << BITS(w, 31, 30));
		moves_data(in, BITS(w, 4, 0), false, BITS(w, 23, 22) != 0);
		in->operand.constant = (uint64_t)extend_sign(BITS(w, 20, 12), 9);
	} else if ((w & 0x3a000000) == 0x28000000) {
		pairs(in, w);
	} else if ((w & 0x3a000000) == 0x38000000) {
		single(in, w);
	}
}

/* --- all other instructions --- */

static void branches(struct ms_decode_instruction *in, uint32_t w)
{
	if ((w & 0x7c000000) == 0x14000000) { /* b, bl */
		in->flow = MS_FLOW_AWAY;
		in->target = in->pc + (uint64_t)extend_sign(BITS(w, 25, 0), 26) * 4;
	} else if ((w & 0xff000000) == 0x54000000 || (w & 0x7e000000) == 0x34000000) {
		in->flow = MS_FLOW_BRANCH; /* b.cond, cbz */
		in->target = in->pc + (uint64_t)extend_sign(BITS(w, 23, 5), 19) * 4;
		in->reads = BIT(w, 30) ? 0 : general(BITS(w, 4, 0));
		in->uses_flags = BIT(w, 30);
	} else if ((w & 0x7e000000) == 0x36000000) { /* tbz */
		in->flow = MS_FLOW_BRANCH;
		in->target = in->pc + (uint64_t)extend_sign(BITS(w, 18, 5), 14) * 4;
		in->reads = general(BITS(w, 4, 0));
	} else if ((w & 0xfe000000) == 0xd6000000) { /* br, blr, ret */
		in->flow = MS_FLOW_AWAY;
	} else if ((w & 0xff00001f) == 0xd4000001) {
		in->flow = MS_FLOW_KERNEL;
	} else if ((w & 0xffffffe0) == 0xd50b7420) { /* dc zva: clears a line */
		in->memory = true;
		in->operand = (struct ms_decode_operand){ .constant = 0,
							  .base = (int8_t)BITS(w, 4, 0),
							  .index = MS_NO_REGISTER,
							  .scale = 1,
							  .size = MS_DECODE_LINE,
							  .kind = 1 };
		in->reads = general(BITS(w, 4, 0));
	}
}

/* add Rd, Rn, Rm, where Rd is one of the others */
static int8_t register_added(uint32_t w)
{
	uint32_t to = BITS(w, 4, 0), one = BITS(w, 9, 5), other = BITS(w, 20, 16);

	if ((w & 0xffe0fc00) != 0x8b000000 || to == SP || (to != one && to != other))
		return MS_NO_REGISTER;
	return (int8_t)(to == one ? other : one);
}

static uint8_t integer_latency(uint32_t w)
{
	if ((w & 0x1f000000) == 0x1b000000)
		return MULTIPLY;
	return (w & 0x5fe0f800) == 0x1ac00800 ? DIVIDE : SIMPLE;
}

/* adds, subs, ands, bics, adcs, sbcs; adc, ccmp and csel, which use them. */
static void find_flags(struct ms_decode_instruction *in, uint32_t w)
{
	bool adds = (w & 0x1e000000) == 0x0a000000 || (w & 0x1f000000) == 0x11000000,
	     logical = (w & 0x1f800000) == 0x12000000, carries = (w & 0x1fe00000) == 0x1a000000,
	     compares = (w & 0x1fe00000) == 0x1a400000;

	if ((w & 0x1f000000) == 0x0a000000 || logical)
		in->sets_flags = BITS(w, 30, 29) == 3;
	else
		in->sets_flags = compares || ((adds || carries) && BIT(w, 29));
	in->uses_flags = carries || compares || (w & 0x1fe00000) == 0x1a800000;
}

static void computes(struct ms_decode_instruction *in, uint32_t w, bool immediate)
{
	in->reads = general(BITS(w, 9, 5));
	in->writes = general(BITS(w, 4, 0));
	in->latency = integer_latency(w);
	if (!immediate)
		in->reads |= general(BITS(w, 20, 16));
	if ((w & 0x1f000000) == 0x1b000000) /* madd */
		in->reads |= general(BITS(w, 14, 10));
	if ((w & 0x1f000000) == 0x10000000) { /* adr, adrp */
		uint64_t distance =
			(uint64_t)extend_sign(BITS(w, 23, 5) << 2 | BITS(w, 30, 29), 21);

		in->reads = 0;
		in->constant = BIT(w, 31) ? (in->pc & ~UINT64_C(4095)) + (distance << 12)
					  : in->pc + distance;
	}
	if ((w & 0x1f800000) == 0x12800000) /* movn, movz; movk keeps the rest of the register */
		in->reads = BITS(w, 30, 29) == 3 ? in->writes : 0;
	if ((w & 0x1f800000) == 0x11000000 && in->reads == in->writes) { /* add, sub */
		int32_t constant = (int32_t)(BITS(w, 21, 10) << (BIT(w, 22) ? 12 : 0));

		in->adds = BIT(w, 30) ? -constant : constant;
	}
	in->adds_register = register_added(w);
	find_flags(in, w);
}

/* Conversions and moves between general and vector registers. */
static void converts(struct ms_decode_instruction *in, uint32_t w)
{
	uint32_t opcode = BITS(w, 18, 16), from = BITS(w, 9, 5), to = BITS(w, 4, 0);
	bool to_vector = opcode == 2 || opcode == 3 || opcode == 7;

	in->reads = to_vector ? general(from) : vector(from);
	in->writes = to_vector ? vector(to) : general(to);
	in->latency = FLOAT_MULTIPLY;
}

static uint8_t scalar_latency(uint32_t w)
{
	enum { FMUL = 0, FDIV = 1, FNMUL = 8 };
	uint32_t opcode = BITS(w, 15, 12);

	if (BITS(w, 11, 10) != 2)
		return VECTOR;
	if (opcode == FDIV)
		return DIVIDE;
	return opcode == FMUL || opcode == FNMUL ? FLOAT_MULTIPLY : VECTOR;
}

/* Floating point, one value in a register. */
static void scalars(struct ms_decode_instruction *in, uint32_t w)
{
	bool one_source = (w & 0x7c00) == 0x4000, compares = (w & 0x3c00) == 0x2000,
	     constant = (w & 0x1c00) == 0x1000;

	if ((w & 0xfc00) == 0) {
		converts(in, w);
		return;
	}
	in->reads = constant ? 0 : vector(BITS(w, 9, 5));
	if (!one_source && !constant)
		in->reads |= vector(BITS(w, 20, 16));
	in->writes = compares ? 0 : vector(BITS(w, 4, 0));
	in->sets_flags = compares;
	in->uses_flags = (w & 0xc00) == 0xc00; /* fcsel */
	in->latency = scalar_latency(w);
}

static void vectors(struct ms_decode_instruction *in, uint32_t w)
{
	if ((w & 0x7f200000) == 0x1e200000) {
		scalars(in, w);
		return;
	}
	in->reads = vector(BITS(w, 9, 5)) | vector(BITS(w, 20, 16));
	in->writes = vector(BITS(w, 4, 0));
	in->latency = VECTOR;
	if ((w & 0x7f000000) == 0x1f000000) { /* fmadd */
		in->reads |= vector(BITS(w, 14, 10));
		in->latency = MULTIPLY_ADD;
	} else {
		in->reads |= vector(BITS(w, 4, 0)); /* fmla accumulates there */
	}
}

/* --- what it does with addresses --- */

static int8_t number_of(uint32_t reg)
{
	return reg < 31 ? (int8_t)reg : MS_NO_REGISTER;
}

static void set_sum(struct ms_decode_effect *e, int8_t from, int8_t other, int64_t constant)
{
	e->kind = MS_EFFECT_SUM;
	e->from = from;
	e->other = other;
	e->constant = constant;
}

/* add and sub with a constant, which also copy the stack pointer. */
static void adds_constant(struct ms_decode_effect *e, uint32_t w)
{
	int64_t constant = (int64_t)BITS(w, 21, 10) << (BIT(w, 22) ? 12 : 0);

	if (!BIT(w, 29))
		e->to = (int8_t)BITS(w, 4, 0);
	set_sum(e, (int8_t)BITS(w, 9, 5), MS_NO_REGISTER, BIT(w, 30) ? -constant : constant);
}

static void adds_registers(struct ms_decode_effect *e, uint32_t w, bool extended)
{
	set_sum(e, extended ? (int8_t)BITS(w, 9, 5) : number_of(BITS(w, 9, 5)),
		number_of(BITS(w, 20, 16)), 0);
	if (extended && !BIT(w, 29))
		e->to = (int8_t)BITS(w, 4, 0);
	e->shift = (uint8_t)(extended ? BITS(w, 12, 10) : BITS(w, 15, 10));
	if (BIT(w, 30))
		e->kind = MS_EFFECT_DIFFERENCE;
}

static void sets_constant(struct ms_decode_effect *e, uint32_t w)
{
	int64_t constant = (int64_t)BITS(w, 20, 5) << (BITS(w, 22, 21) * 16);

	if (BITS(w, 30, 29) != 3) /* movk keeps the rest of the register */
		set_sum(e, MS_NO_REGISTER, MS_NO_REGISTER,
			BITS(w, 30, 29) == 0 ? ~constant : constant);
}

/* lsl, lsr, asr, sxtw, and their relatives. */
static void moves_bits(struct ms_decode_effect *e, uint32_t w)
{
	uint32_t width = BIT(w, 31) ? 64 : 32, right = BITS(w, 21, 16), last = BITS(w, 15, 10);

	if (BITS(w, 30, 29) == 1) /* bfm */
		return;
	if (right > last) { /* to the left */
		set_sum(e, MS_NO_REGISTER, number_of(BITS(w, 9, 5)), 0);
		e->shift = (uint8_t)(width - right);
		e->narrow |= last != width - 1 - e->shift;
	} else if (last == width - 1) {
		e->kind = MS_EFFECT_SHIFT;
		e->shift = (uint8_t)right;
	} else if (right == 0 && last == 31) {
		set_sum(e, number_of(BITS(w, 9, 5)), MS_NO_REGISTER, 0);
		e->narrow = true;
	}
}

static void loads_or_stores(struct ms_decode_effect *e, uint32_t w)
{
	bool pair = (w & 0xfe000000) == 0xa8000000;
	bool one = (w & 0xff000000) == 0xf9000000 || (w & 0xff200000) == 0xf8000000 ||
		   (w & 0xff200c00) == 0xf8200800;
	bool load = BIT(w, 22);

	if ((!pair && !one) || (one && BIT(w, 23)))
		return;
	*e = (struct ms_decode_effect){ .kind = load ? MS_EFFECT_LOAD : MS_EFFECT_STORE,
					.to = MS_NO_REGISTER,
					.from = MS_NO_REGISTER,
					.other = pair ? number_of(BITS(w, 14, 10))
						      : MS_NO_REGISTER };
	*(load ? &e->to : &e->from) = number_of(BITS(w, 4, 0));
}

static bool aligns(uint32_t w)
{
	return BITS(w, 30, 29) == 0 && BIT(w, 31) && BIT(w, 22) &&
	       BITS(w, 21, 16) == BITS(w, 15, 10) + 1;
}

static struct ms_decode_effect effect_of(const struct ms_decode_instruction *in, uint32_t w)
{
	struct ms_decode_effect e = { .to = number_of(BITS(w, 4, 0)),
				      .from = number_of(BITS(w, 9, 5)),
				      .other = MS_NO_REGISTER,
				      .narrow = !BIT(w, 31) };

	if ((w & 0xfc000000) == 0x94000000 || (w & 0xfffffc1f) == 0xd63f0000) {
		e.kind = MS_EFFECT_CALL;
	} else if ((w & 0xfffffc1f) == 0xd61f0000) {
		e.kind = MS_EFFECT_JUMP;
	} else if (w == 0xd503201f) {
		e.kind = MS_EFFECT_NOTHING;
	} else if ((w & 0x1f800000) == 0x11000000) {
		adds_constant(&e, w);
	} else if ((w & 0x1f200000) == 0x0b000000 && BITS(w, 23, 22) == 0) {
		adds_registers(&e, w, false);
	} else if ((w & 0x1fe00000) == 0x0b200000) {
		adds_registers(&e, w, true);
	} else if ((w & 0x1f000000) == 0x10000000) { /* adr, adrp */
		set_sum(&e, MS_NO_REGISTER, MS_NO_REGISTER, (int64_t)in->constant);
		e.narrow = false;
	} else if ((w & 0x1f800000) == 0x12800000) {
		sets_constant(&e, w);
	} else if ((w & 0x7fe0ffe0) == 0x2a0003e0) { /* mov */
		set_sum(&e, number_of(BITS(w, 20, 16)), MS_NO_REGISTER, 0);
	} else if ((w & 0x1f800000) == 0x12000000 && aligns(w)) {
		e.kind = MS_EFFECT_ALIGN;
		e.constant = -(INT64_C(1) << (64 - BITS(w, 21, 16)));
		e.to = (int8_t)BITS(w, 4, 0);
	} else if ((w & 0x1f800000) == 0x13000000) {
		moves_bits(&e, w);
	} else if ((w & 0x7fe00c00) == 0x1a800000) { /* csel */
		e.kind = MS_EFFECT_SELECT;
		e.other = number_of(BITS(w, 20, 16));
	} else {
		loads_or_stores(&e, w);
	}
	return e;
}

bool ms_decode_one(const uint8_t *bytes, size_t n, uint64_t pc, struct ms_decode_instruction *in)
{
	uint32_t w;

	if (n < sizeof(w))
		return false;
	memcpy(&w, bytes, sizeof(w));
	*in = (struct ms_decode_instruction){ .pc = pc,
					      .length = 4,
					      .result = MS_NO_REGISTER,
					      .adds_register = MS_NO_REGISTER,
					      .copied_to = MS_NO_REGISTER,
					      .latency = SIMPLE };
	switch (BITS(w, 28, 25)) {
	case 0:
		return (w >> 16) != 0; /* udf: not an instruction */
	case 8:
	case 9:
	case 5:
	case 13:
		computes(in, w, BITS(w, 28, 26) == 4);
		break;
	case 10:
	case 11:
		branches(in, w);
		break;
	case 4:
	case 6:
	case 12:
	case 14:
		loads_and_stores(in, w);
		break;
	case 7:
	case 15:
		vectors(in, w);
		break;
	default:
		break;
	}
	in->effect = effect_of(in, w);
	return true;
}

const char *ms_decode_library(void)
{
	return NULL;
}
