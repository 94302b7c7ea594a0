/* decode/x86-64/one.c - decodes one instruction with Zydis. */
#include <Zydis/Zydis.h>
#include <stdio.h>

#include "decode/decode_priv.h"
#include "decode/stack_addresses.h"

enum { RSP = 4 };

const unsigned ms_decode_step = 1;
const unsigned ms_decode_load_cycles = 5;
const unsigned ms_decode_stack_pointer = RSP;
const unsigned ms_decode_registers = 16;
const uint32_t ms_decode_call_clobbers = 0x0fc7; /* RAX, RCX, RDX, RSI, RDI, R8 to R11 */
const int64_t ms_decode_entry_depth = 8;

int8_t ms_decode_register_of_dwarf(unsigned number)
{
	/* RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP in the order of Zydis. */
	static const int8_t low[] = { 0, 2, 1, 3, 6, 7, 5, 4 };

	if (number < 8)
		return low[number];
	return number < 16 ? (int8_t)number : MS_NO_REGISTER;
}

static const ZydisDecoder *decoder(void)
{
	static _Thread_local ZydisDecoder kept;
	static _Thread_local bool made;

	if (!made)
		ZydisDecoderInit(&kept, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	made = true;
	return &kept;
}

static int8_t number_of(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15
		       ? (int8_t)(whole - ZYDIS_REGISTER_RAX)
		       : MS_NO_REGISTER;
}

static uint64_t bit_of(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
	int8_t general = number_of(reg);

	if (general != MS_NO_REGISTER)
		return UINT64_C(1) << general;
	if (whole >= ZYDIS_REGISTER_ZMM0 && whole <= ZYDIS_REGISTER_ZMM31)
		return UINT64_C(1) << (MS_VECTORS_AT + whole - ZYDIS_REGISTER_ZMM0);
	return 0;
}

static bool is_hint(const ZydisDecodedInstruction *z)
{
	switch ((int)z->meta.category) {
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_PREFETCHWT1:
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_CLDEMOTE:
		return true;
	default:
		return false;
	}
}

static uint8_t kind_of(ZydisOperandActions actions)
{
	if ((actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0)
		return 0;
	return actions & ZYDIS_OPERAND_ACTION_MASK_READ ? 2 : 1;
}

/*
 * A push decrements the stack pointer before it writes; a pop increments it before it computes the
 * address of its destination.
 */
static int64_t stack_disp(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	if (op->mem.base != ZYDIS_REGISTER_RSP)
		return 0;
	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN)
		return kind_of(op->actions) == 1 ? -(int64_t)(op->size / 8) : 0;
	return z->mnemonic == ZYDIS_MNEMONIC_POP ? z->operand_width / 8 : 0;
}

static void see_memory(struct ms_decode_instruction *in, const ZydisDecodedInstruction *z,
		       const ZydisDecodedOperand *op)
{
	struct ms_decode_operand o = {
		.constant = (uint64_t)op->mem.disp.value + (uint64_t)stack_disp(z, op),
		.base = number_of(op->mem.base),
		.index = number_of(op->mem.index),
		.scale = op->mem.scale,
		.size = (uint8_t)(op->size / 8),
		.kind = kind_of(op->actions),
		.thread = op->mem.segment == ZYDIS_REGISTER_FS,
		.elements = op->mem.type == ZYDIS_MEMOP_TYPE_VSIB || z->address_width != 64 ||
			    op->mem.segment == ZYDIS_REGISTER_GS,
	};

	if (op->mem.base == ZYDIS_REGISTER_RIP)
		o.constant += in->pc + in->length;
	/* Explicit operands take precedence over the stack, reads over writes. */
	bool hidden = z->mnemonic == ZYDIS_MNEMONIC_POP || z->mnemonic == ZYDIS_MNEMONIC_PUSH;
	if (in->memory && (hidden || in->operand.kind != 1 || o.kind == 1))
		return;
	in->memory = true;
	in->operand = o;
}

static void see(struct ms_decode_instruction *in, const ZydisDecodedInstruction *z,
		const ZydisDecodedOperand *op)
{
	if (op->type == ZYDIS_OPERAND_TYPE_REGISTER) {
		uint64_t bit = bit_of(op->reg.value);

		if (op->actions & ZYDIS_OPERAND_ACTION_MASK_READ) {
			in->reads |= bit;
			in->data |= bit;
		}
		if (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			in->writes |= bit;
	} else if (op->type == ZYDIS_OPERAND_TYPE_MEMORY) {
		in->reads |= bit_of(op->mem.base) | bit_of(op->mem.index);
		if (op->mem.type != ZYDIS_MEMOP_TYPE_AGEN && op->mem.type != ZYDIS_MEMOP_TYPE_MIB &&
		    !is_hint(z))
			see_memory(in, z, op);
	}
}

static uint8_t flow_of(const ZydisDecodedInstruction *z)
{
	switch ((int)z->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return MS_FLOW_BRANCH;
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_INTERRUPT:
		return MS_FLOW_AWAY;
	case ZYDIS_CATEGORY_SYSCALL:
		return MS_FLOW_KERNEL;
	default:
		return z->mnemonic == ZYDIS_MNEMONIC_UD2 || z->mnemonic == ZYDIS_MNEMONIC_HLT
			       ? MS_FLOW_AWAY
			       : MS_FLOW_ON;
	}
}

/* What the instruction adds to the stack pointer, if that is the base of the operand. */
static int32_t moves_of(const ZydisDecodedInstruction *z, const struct ms_decode_instruction *in)
{
	if (!in->memory || in->operand.base != RSP)
		return 0;
	if (z->meta.category == ZYDIS_CATEGORY_PUSH)
		return -(int32_t)(z->operand_width / 8);
	return z->meta.category == ZYDIS_CATEGORY_POP ? z->operand_width / 8 : 0;
}

/* add, sub, inc, dec and lea with one register and a constant. */
static int32_t adds_of(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *ops)
{
	bool constant = ops[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

	if (ops[0].type != ZYDIS_OPERAND_TYPE_REGISTER || z->operand_width < 32)
		return 0;
	switch ((int)z->mnemonic) {
	case ZYDIS_MNEMONIC_ADD:
		return constant ? (int32_t)ops[1].imm.value.s : 0;
	case ZYDIS_MNEMONIC_SUB:
		return constant ? -(int32_t)ops[1].imm.value.s : 0;
	case ZYDIS_MNEMONIC_INC:
		return 1;
	case ZYDIS_MNEMONIC_DEC:
		return -1;
	case ZYDIS_MNEMONIC_LEA:
		return ops[1].mem.base == ops[0].reg.value &&
				       ops[1].mem.index == ZYDIS_REGISTER_NONE
			       ? (int32_t)ops[1].mem.disp.value
			       : 0;
	default:
		return 0;
	}
}

/* add of one register to another. */
static int8_t register_added(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *ops)
{
	if (z->mnemonic != ZYDIS_MNEMONIC_ADD || z->operand_width != 64 ||
	    ops[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    ops[1].type != ZYDIS_OPERAND_TYPE_REGISTER)
		return MS_NO_REGISTER;
	return number_of(ops[1].reg.value);
}

/*
 * Cycles of instructions, rounded: Agner Fog's instruction tables, Skylake to Golden Cove and Zen 2
 * to 4.
 */
static uint8_t latency_of(const ZydisDecodedInstruction *z, const struct ms_decode_instruction *in)
{
	enum { SIMPLE = 1, MULTIPLY = 3, FLOAT = 4, DIVIDE = 14 };

	switch ((int)z->mnemonic) {
	case ZYDIS_MNEMONIC_MUL:
	case ZYDIS_MNEMONIC_IMUL:
	case ZYDIS_MNEMONIC_MULX:
		return MULTIPLY;
	case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV:
	case ZYDIS_MNEMONIC_DIVSS:
	case ZYDIS_MNEMONIC_DIVSD:
	case ZYDIS_MNEMONIC_DIVPS:
	case ZYDIS_MNEMONIC_DIVPD:
	case ZYDIS_MNEMONIC_VDIVSS:
	case ZYDIS_MNEMONIC_VDIVSD:
	case ZYDIS_MNEMONIC_VDIVPS:
	case ZYDIS_MNEMONIC_VDIVPD:
	case ZYDIS_MNEMONIC_SQRTSD:
	case ZYDIS_MNEMONIC_VSQRTSD:
		return DIVIDE;
	default:
		break;
	}
	bool moves = z->meta.category == ZYDIS_CATEGORY_DATAXFER;
	if (moves)
		return in->memory ? 0 : SIMPLE;
	return (in->writes >> MS_VECTORS_AT) != 0 ? FLOAT : SIMPLE;
}

/* --- what it does with addresses --- */

static bool is_register(const ZydisDecodedOperand *op)
{
	return op->type == ZYDIS_OPERAND_TYPE_REGISTER && number_of(op->reg.value) >= 0;
}

static void set_sum(struct ms_decode_effect *e, int8_t from, int8_t other, int64_t constant)
{
	e->kind = MS_EFFECT_SUM;
	e->from = from;
	e->other = other;
	e->constant = constant;
}

static void move(struct ms_decode_effect *e, const ZydisDecodedInstruction *z,
		 const ZydisDecodedOperand *ops)
{
	if (is_register(&ops[0]) && is_register(&ops[1]))
		set_sum(e, number_of(ops[1].reg.value), MS_NO_REGISTER, 0);
	else if (is_register(&ops[0]) && ops[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		set_sum(e, MS_NO_REGISTER, MS_NO_REGISTER, ops[1].imm.value.s);
	else if (z->operand_width != 64)
		return;
	else if (is_register(&ops[0]))
		e->kind = MS_EFFECT_LOAD;
	else if (is_register(&ops[1]))
		*e = (struct ms_decode_effect){ .kind = MS_EFFECT_STORE,
						.to = MS_NO_REGISTER,
						.from = number_of(ops[1].reg.value),
						.other = MS_NO_REGISTER };
}

static void load_address(struct ms_decode_effect *e, const ZydisDecodedInstruction *z,
			 const ZydisDecodedOperand *op, uint64_t pc)
{
	bool relative = op->mem.base == ZYDIS_REGISTER_RIP;

	set_sum(e, number_of(op->mem.base), number_of(op->mem.index),
		op->mem.disp.value + (relative ? (int64_t)pc + z->length : 0));
	if (op->mem.scale > 1)
		e->shift = (uint8_t)__builtin_ctz(op->mem.scale);
}

/* add and sub; with the same register twice, sub and xor set it to 0. */
static void add(struct ms_decode_effect *e, const ZydisDecodedOperand *ops, bool subtracts)
{
	if (ops[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		set_sum(e, e->to, MS_NO_REGISTER,
			subtracts ? -ops[1].imm.value.s : ops[1].imm.value.s);
		return;
	}
	set_sum(e, e->to, is_register(&ops[1]) ? number_of(ops[1].reg.value) : MS_UNKNOWN_VALUE, 0);
	if (subtracts && e->other == e->to)
		set_sum(e, MS_NO_REGISTER, MS_NO_REGISTER, 0);
	else if (subtracts)
		e->kind = MS_EFFECT_DIFFERENCE;
}

static void shift(struct ms_decode_effect *e, const ZydisDecodedOperand *ops, bool left)
{
	if (ops[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return;
	e->shift = (uint8_t)(ops[1].imm.value.u & 63);
	if (left)
		set_sum(e, MS_NO_REGISTER, e->to, 0);
	else
		e->kind = MS_EFFECT_SHIFT;
}

static void combine(struct ms_decode_effect *e, const ZydisDecodedInstruction *z,
		    const ZydisDecodedOperand *ops)
{
	switch ((int)z->mnemonic) {
	case ZYDIS_MNEMONIC_XOR:
		if (is_register(&ops[1]) && number_of(ops[1].reg.value) == e->to)
			set_sum(e, MS_NO_REGISTER, MS_NO_REGISTER, 0);
		break;
	case ZYDIS_MNEMONIC_AND:
		if (ops[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && ops[1].imm.value.s < 0)
			*e = (struct ms_decode_effect){ .kind = MS_EFFECT_ALIGN,
							.to = e->to,
							.from = e->to,
							.other = MS_NO_REGISTER,
							.narrow = e->narrow,
							.constant = ops[1].imm.value.s };
		break;
	case ZYDIS_MNEMONIC_IMUL:
		if (z->operand_count_visible < 3 || !is_register(&ops[1]))
			break;
		e->kind = MS_EFFECT_PRODUCT;
		e->from = number_of(ops[1].reg.value);
		e->constant = ops[2].imm.value.s;
		break;
	default:
		if (z->meta.category != ZYDIS_CATEGORY_CMOV || !is_register(&ops[1]))
			break;
		e->kind = MS_EFFECT_SELECT;
		e->other = number_of(ops[1].reg.value);
	}
}

static void compute(struct ms_decode_effect *e, const ZydisDecodedInstruction *z,
		    const ZydisDecodedOperand *ops, uint64_t pc)
{
	switch ((int)z->mnemonic) {
	case ZYDIS_MNEMONIC_LEA:
		load_address(e, z, &ops[1], pc);
		break;
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
		add(e, ops, z->mnemonic == ZYDIS_MNEMONIC_SUB);
		break;
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_DEC:
		set_sum(e, e->to, MS_NO_REGISTER, z->mnemonic == ZYDIS_MNEMONIC_INC ? 1 : -1);
		break;
	case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_SAR:
		shift(e, ops, z->mnemonic == ZYDIS_MNEMONIC_SHL);
		break;
	case ZYDIS_MNEMONIC_MOVSXD:
		if (is_register(&ops[1]))
			set_sum(e, number_of(ops[1].reg.value), MS_NO_REGISTER, 0);
		e->narrow = true;
		break;
	case ZYDIS_MNEMONIC_POP:
		e->kind = MS_EFFECT_LOAD;
		break;
	default:
		combine(e, z, ops);
	}
}

static struct ms_decode_effect effect_of(const ZydisDecodedInstruction *z,
					 const ZydisDecodedOperand *ops, uint64_t pc)
{
	struct ms_decode_effect e = { .to = MS_NO_REGISTER,
				      .from = MS_NO_REGISTER,
				      .other = MS_NO_REGISTER,
				      .narrow = z->operand_width != 64 };

	if (z->meta.category == ZYDIS_CATEGORY_CALL) {
		e.kind = MS_EFFECT_CALL;
	} else if (z->meta.category == ZYDIS_CATEGORY_UNCOND_BR &&
		   ops[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		e.kind = MS_EFFECT_JUMP;
	} else if (z->mnemonic == ZYDIS_MNEMONIC_NOP) {
		e.kind = MS_EFFECT_NOTHING;
	} else if (z->mnemonic == ZYDIS_MNEMONIC_CDQE) {
		e.to = 0; /* RAX */
		e.narrow = true;
		set_sum(&e, e.to, MS_NO_REGISTER, 0);
	} else if (z->operand_count == 0 || z->operand_width < 32) {
		return e;
	} else if (z->mnemonic == ZYDIS_MNEMONIC_PUSH && is_register(&ops[0])) {
		e.kind = MS_EFFECT_STORE;
		e.from = number_of(ops[0].reg.value);
	} else if (z->mnemonic == ZYDIS_MNEMONIC_PUSH && ops[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		   ops[0].mem.base != ZYDIS_REGISTER_RSP) { /* its operand is not the stack */
		e.to = RSP;
		set_sum(&e, RSP, MS_NO_REGISTER, -(int64_t)(z->operand_width / 8));
	} else if (z->mnemonic == ZYDIS_MNEMONIC_MOV) {
		if (is_register(&ops[0]))
			e.to = number_of(ops[0].reg.value);
		move(&e, z, ops);
	} else if (is_register(&ops[0])) {
		e.to = e.from = number_of(ops[0].reg.value);
		compute(&e, z, ops, pc);
	}
	return e;
}

/* movs copies from RSI to RDI. */
static int8_t copied_to(const ZydisDecodedInstruction *z)
{
	enum { RDI = 7 };

	return z->meta.category == ZYDIS_CATEGORY_STRINGOP && z->operand_count >= 2 &&
			       (z->mnemonic == ZYDIS_MNEMONIC_MOVSB ||
				z->mnemonic == ZYDIS_MNEMONIC_MOVSW ||
				z->mnemonic == ZYDIS_MNEMONIC_MOVSD ||
				z->mnemonic == ZYDIS_MNEMONIC_MOVSQ)
		       ? RDI
		       : MS_NO_REGISTER;
}

bool ms_decode_one(const uint8_t *bytes, size_t n, uint64_t pc, struct ms_decode_instruction *in)
{
	ZydisDecodedInstruction z;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];

	if (n == 0 || ZYAN_FAILED(ZydisDecoderDecodeFull(decoder(), bytes, n, &z, ops)))
		return false;
	*in = (struct ms_decode_instruction){
		.pc = pc, .length = z.length, .flow = flow_of(&z), .result = MS_NO_REGISTER
	};
	for (uint8_t i = 0; i < z.operand_count; i++) {
		see(in, &z, &ops[i]);
		if (ops[i].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && ops[i].imm.is_relative)
			in->target = pc + z.length + ops[i].imm.value.u;
	}
	in->repeats = (z.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
				       ZYDIS_ATTRIB_HAS_REPNE)) != 0;
	if (z.mnemonic == ZYDIS_MNEMONIC_MOV && in->memory && in->operand.size == 8 &&
	    in->operand.kind == 0)
		in->result = number_of(ops[0].reg.value);
	in->moves = moves_of(&z, in);
	in->adds = adds_of(&z, ops);
	in->adds_register = register_added(&z, ops);
	in->latency = latency_of(&z, in);
	in->effect = effect_of(&z, ops, pc);
	in->copied_to = copied_to(&z);
	in->sets_flags = z.cpu_flags != NULL && z.cpu_flags->modified != 0;
	in->uses_flags = z.cpu_flags != NULL && z.cpu_flags->tested != 0;
	return true;
}

const char *ms_decode_library(void)
{
	static char text[24];
	ZyanU64 version = ZydisGetVersion();

	snprintf(text, sizeof(text), "%u.%u.%u", ZYDIS_VERSION_MAJOR(version),
		 ZYDIS_VERSION_MINOR(version), ZYDIS_VERSION_PATCH(version));
	return text;
}
