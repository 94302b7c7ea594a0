/*
 * instruction_operands.c - the registers that an instruction reads and writes, and its operation,
 * as the reader gets them (wire/operands.h), from what Zydis has decoded.
 *
 * Not described: more than two registers written, such as the flags of mul, or rcx of rep movs;
 * more than four read. The registers of x87 are numbered as the instruction names them: the
 * rotation of its stack is ignored.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "instruction.h"
#include "wire/operands.h"

/* A library outside this object: hidden.h must not apply. */
#pragma GCC visibility push(default)
#include <Zydis/Zydis.h>
#pragma GCC visibility pop

enum { MASKS = MS_WIRE_INTEGER_REGISTER + 16, X87 = MS_WIRE_INTEGER_REGISTER + 24 };

/* The number in wire/operands.h. */
static uint32_t number_of(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	if (whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15)
		return MS_WIRE_INTEGER_REGISTER + (uint32_t)(whole - ZYDIS_REGISTER_RAX);
	switch ((uint32_t)ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
	case ZYDIS_REGCLASS_ZMM:
		return MS_WIRE_VECTOR_REGISTER + (uint32_t)ZydisRegisterGetId(reg);
	case ZYDIS_REGCLASS_MASK:
		return MASKS + (uint32_t)ZydisRegisterGetId(reg);
	case ZYDIS_REGCLASS_X87:
	case ZYDIS_REGCLASS_MMX:
		return X87 + (uint32_t)ZydisRegisterGetId(reg);
	default:
		return MS_WIRE_NO_REGISTER; /* rip, segments; flags have masks of their own */
	}
}

static bool is_register(const ZydisDecodedOperand *op)
{
	return op->type == ZYDIS_OPERAND_TYPE_REGISTER;
}

static bool is_vector(const ZydisDecodedOperand *op)
{
	return is_register(op) && number_of(op->reg.value) >= X87;
}

/* --- addresses --- */

/* lea and prefetches compute an address, but make no reference. */
static bool is_reference(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	return op->type == ZYDIS_OPERAND_TYPE_MEMORY && op->mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
	       z->meta.category != ZYDIS_CATEGORY_PREFETCH &&
	       z->meta.category != ZYDIS_CATEGORY_NOP && z->meta.category != ZYDIS_CATEGORY_WIDENOP;
}

static uint64_t add_addresses(uint64_t operands, const ZydisDecodedInstruction *z,
			      const ZydisDecodedOperand *op)
{
	for (uint32_t i = 0; i < z->operand_count; i++) {
		ZydisRegister base = op[i].mem.base;

		if (!is_reference(z, &op[i]))
			continue;
		if (z->mnemonic == ZYDIS_MNEMONIC_LEAVE) /* the stack pointer moves there first */
			base = ZYDIS_REGISTER_RBP;
		operands = ms_wire_add_read(operands, number_of(base), 1);
		operands = ms_wire_add_read(operands, number_of(op[i].mem.index), 1);
	}
	return operands;
}

/* Whether push, pop or a string instruction moves the register by a constant. */
static bool is_write_back(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op,
			  const ZydisDecodedOperand *reg)
{
	if (z->mnemonic == ZYDIS_MNEMONIC_LEAVE)
		return reg->reg.value == ZYDIS_REGISTER_RSP;
	if (reg->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN ||
	    (reg->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0)
		return false;
	for (uint32_t i = 0; i < z->operand_count; i++)
		if (op[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    number_of(op[i].mem.base) == number_of(reg->reg.value))
			return true;
	return false;
}

/* --- data --- */

/* xor eax, eax and its relatives do not depend on the register. */
static bool is_idiom(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	static const uint16_t mnemonics[] = {
		ZYDIS_MNEMONIC_XOR,      ZYDIS_MNEMONIC_SUB,      ZYDIS_MNEMONIC_XORPS,
		ZYDIS_MNEMONIC_XORPD,    ZYDIS_MNEMONIC_PXOR,     ZYDIS_MNEMONIC_VXORPS,
		ZYDIS_MNEMONIC_VXORPD,   ZYDIS_MNEMONIC_VPXOR,    ZYDIS_MNEMONIC_VPXORD,
		ZYDIS_MNEMONIC_VPXORQ,   ZYDIS_MNEMONIC_PSUBB,    ZYDIS_MNEMONIC_PSUBW,
		ZYDIS_MNEMONIC_PSUBD,    ZYDIS_MNEMONIC_PSUBQ,    ZYDIS_MNEMONIC_PCMPEQB,
		ZYDIS_MNEMONIC_PCMPEQW,  ZYDIS_MNEMONIC_PCMPEQD,  ZYDIS_MNEMONIC_PCMPEQQ,
		ZYDIS_MNEMONIC_VPCMPEQB, ZYDIS_MNEMONIC_VPCMPEQW, ZYDIS_MNEMONIC_VPCMPEQD,
		ZYDIS_MNEMONIC_VPCMPEQQ,
	};
	const ZydisDecodedOperand *last = &op[z->operand_count_visible - 1];

	if (z->operand_count_visible < 2 || !is_register(last) || !is_register(last - 1) ||
	    last->reg.value != last[-1].reg.value || last->size < 32)
		return false;
	for (uint32_t i = 0; i < sizeof(mnemonics) / sizeof(mnemonics[0]); i++)
		if (z->mnemonic == mnemonics[i])
			return true;
	return false;
}

/* Instructions that compute one element and keep the others of the register. */
static bool keeps_elements(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	static const uint16_t mnemonics[] = {
		ZYDIS_MNEMONIC_CVTSI2SS, ZYDIS_MNEMONIC_CVTSI2SD, ZYDIS_MNEMONIC_CVTSS2SD,
		ZYDIS_MNEMONIC_CVTSD2SS, ZYDIS_MNEMONIC_SQRTSS,   ZYDIS_MNEMONIC_SQRTSD,
		ZYDIS_MNEMONIC_RCPSS,    ZYDIS_MNEMONIC_RSQRTSS,  ZYDIS_MNEMONIC_ROUNDSS,
		ZYDIS_MNEMONIC_ROUNDSD,  ZYDIS_MNEMONIC_MOVLPS,   ZYDIS_MNEMONIC_MOVLPD,
		ZYDIS_MNEMONIC_MOVHPS,   ZYDIS_MNEMONIC_MOVHPD,   ZYDIS_MNEMONIC_MOVLHPS,
		ZYDIS_MNEMONIC_MOVHLPS,
	};
	bool moves = z->mnemonic == ZYDIS_MNEMONIC_MOVSS || z->mnemonic == ZYDIS_MNEMONIC_MOVSD;

	if (moves && is_vector(&op[0]) && is_register(&op[1]))
		return true;
	for (uint32_t i = 0; i < sizeof(mnemonics) / sizeof(mnemonics[0]); i++)
		if (z->mnemonic == mnemonics[i])
			return true;
	return false;
}

/* Whether a write leaves the rest of the register, or the whole of it, as it was. */
static bool keeps_a_part(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op,
			 const ZydisDecodedOperand *reg)
{
	if ((reg->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0)
		return false;
	if ((reg->actions & ZYDIS_OPERAND_ACTION_WRITE) == 0 || z->mnemonic == ZYDIS_MNEMONIC_BSF ||
	    z->mnemonic == ZYDIS_MNEMONIC_BSR)
		return true;
	return is_vector(reg) ? keeps_elements(z, op) : reg->size < 32;
}

static uint64_t add_reads(uint64_t operands, const ZydisDecodedInstruction *z,
			  const ZydisDecodedOperand *op)
{
	bool idiom = is_idiom(z, op);

	for (uint32_t i = 0; i < z->operand_count; i++) {
		if (op[i].type == ZYDIS_OPERAND_TYPE_MEMORY && !is_reference(z, &op[i])) {
			operands = ms_wire_add_read(operands, number_of(op[i].mem.base), 0);
			operands = ms_wire_add_read(operands, number_of(op[i].mem.index), 0);
		}
		/* In this encoding the mask k0 stands for none. */
		if (z->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && is_register(&op[i]) &&
		    op[i].reg.value == ZYDIS_REGISTER_K0)
			continue;
		if (is_register(&op[i]) && !idiom &&
		    ((op[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0 ||
		     keeps_a_part(z, op, &op[i])))
			operands = ms_wire_add_read(operands, number_of(op[i].reg.value), 0);
	}
	return operands;
}

static uint64_t add_written(uint64_t operands, const ZydisDecodedInstruction *z,
			    const ZydisDecodedOperand *op, bool write_back)
{
	for (uint32_t i = 0; i < z->operand_count; i++)
		if (is_register(&op[i]) && (op[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 &&
		    is_write_back(z, op, &op[i]) == write_back)
			operands = ms_wire_add_written(operands, number_of(op[i].reg.value),
						       write_back);
	/* Zydis does not list the registers that cmps and scas move. */
	for (uint32_t i = 0; i < z->operand_count && write_back; i++)
		if (z->meta.category == ZYDIS_CATEGORY_STRINGOP &&
		    op[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			operands = ms_wire_add_written(operands, number_of(op[i].mem.base), 1);
	return operands;
}

static uint64_t add_flags(uint64_t operands, const ZydisDecodedInstruction *z)
{
	const ZydisAccessedFlags *f = z->cpu_flags;

	if (f == NULL)
		return operands;
	if (f->tested & MS_TRACER_ALL_FLAGS)
		operands = ms_wire_add_read(operands, MS_WIRE_FLAGS, 0);
	if ((f->modified | f->set_0 | f->set_1 | f->undefined) & MS_TRACER_ALL_FLAGS)
		operands = ms_wire_add_written(operands, MS_WIRE_FLAGS, 0);
	return operands;
}

/* --- operations --- */

static bool contains(const char *text, const char *part)
{
	for (; *text != '\0'; text++) {
		uint32_t i = 0;

		while (part[i] != '\0' && text[i] == part[i])
			i++;
		if (part[i] == '\0')
			return true;
	}
	return false;
}

/* Of an instruction with an operand that is a floating-point number: Zydis has no category that
 * separates these. The first part of a name that is found holds. */
static uint32_t float_operation(const ZydisDecodedInstruction *z)
{
	static const struct {
		const char *part;
		uint32_t operation;
	} parts[] = {
		{ "mov", MS_WIRE_OP_VECTOR },          { "rsqrt", MS_WIRE_OP_FLOAT_ADD },
		{ "div", MS_WIRE_OP_FLOAT_DIVIDE },    { "sqrt", MS_WIRE_OP_FLOAT_DIVIDE },
		{ "mul", MS_WIRE_OP_FLOAT_MULTIPLY },  { "fma", MS_WIRE_OP_FLOAT_MULTIPLY },
		{ "fms", MS_WIRE_OP_FLOAT_MULTIPLY },  { "fnma", MS_WIRE_OP_FLOAT_MULTIPLY },
		{ "fnms", MS_WIRE_OP_FLOAT_MULTIPLY }, { "dpp", MS_WIRE_OP_FLOAT_MULTIPLY },
		{ "add", MS_WIRE_OP_FLOAT_ADD },       { "sub", MS_WIRE_OP_FLOAT_ADD },
		{ "cvt", MS_WIRE_OP_FLOAT_ADD },       { "cmp", MS_WIRE_OP_FLOAT_ADD },
		{ "com", MS_WIRE_OP_FLOAT_ADD },       { "min", MS_WIRE_OP_FLOAT_ADD },
		{ "max", MS_WIRE_OP_FLOAT_ADD },       { "round", MS_WIRE_OP_FLOAT_ADD },
		{ "rndscale", MS_WIRE_OP_FLOAT_ADD },  { "rcp", MS_WIRE_OP_FLOAT_ADD },
	};
	const char *name = ZydisMnemonicGetString(z->mnemonic);

	for (uint32_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && name != NULL; i++)
		if (contains(name, parts[i].part))
			return parts[i].operation;
	return MS_WIRE_OP_VECTOR;
}

static bool is_float(const ZydisDecodedOperand *op)
{
	return op->element_type == ZYDIS_ELEMENT_TYPE_FLOAT16 ||
	       op->element_type == ZYDIS_ELEMENT_TYPE_FLOAT32 ||
	       op->element_type == ZYDIS_ELEMENT_TYPE_FLOAT64 ||
	       op->element_type == ZYDIS_ELEMENT_TYPE_FLOAT80;
}

/* Whether it does nothing besides loading or storing. */
static bool only_transfers(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	bool refers = false;

	for (uint32_t i = 0; i < z->operand_count; i++)
		refers |= is_reference(z, &op[i]);
	switch ((uint32_t)z->meta.category) {
	case ZYDIS_CATEGORY_DATAXFER:
	case ZYDIS_CATEGORY_BROADCAST:
	case ZYDIS_CATEGORY_GATHER:
	case ZYDIS_CATEGORY_AVX2GATHER:
	case ZYDIS_CATEGORY_SCATTER:
		return refers;
	default:
		return refers &&
		       (z->mnemonic == ZYDIS_MNEMONIC_FLD || z->mnemonic == ZYDIS_MNEMONIC_FST ||
			z->mnemonic == ZYDIS_MNEMONIC_FSTP);
	}
}

/* Of an instruction that neither branches nor is atomic. */
static uint32_t computation(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	bool vectors = false, floats = false;

	switch ((uint32_t)z->mnemonic) {
	case ZYDIS_MNEMONIC_MUL:
	case ZYDIS_MNEMONIC_IMUL:
	case ZYDIS_MNEMONIC_MULX:
		return MS_WIRE_OP_MULTIPLY;
	case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV:
		return MS_WIRE_OP_DIVIDE;
	case ZYDIS_MNEMONIC_LEA:
	case ZYDIS_MNEMONIC_LEAVE:
	case ZYDIS_MNEMONIC_XLAT:
		return MS_WIRE_OP_INTEGER;
	default:
		break;
	}
	for (uint32_t i = 0; i < z->operand_count; i++) {
		vectors |= is_vector(&op[i]);
		floats |= is_float(&op[i]);
	}
	if (only_transfers(z, op))
		return MS_WIRE_OP_INTEGER;
	if (floats)
		return float_operation(z);
	if (vectors)
		return MS_WIRE_OP_VECTOR;
	return z->meta.category == ZYDIS_CATEGORY_MISC || z->meta.category == ZYDIS_CATEGORY_SYSTEM
		       ? MS_WIRE_OP_OTHER
		       : MS_WIRE_OP_INTEGER;
}

static uint32_t operation_of(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	switch ((uint32_t)z->meta.category) {
	case ZYDIS_CATEGORY_UNCOND_BR:
		return op[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? MS_WIRE_OP_BRANCH
								  : MS_WIRE_OP_INDIRECT_BRANCH;
	case ZYDIS_CATEGORY_COND_BR:
		return MS_WIRE_OP_CONDITIONAL_BRANCH;
	case ZYDIS_CATEGORY_CALL:
		return MS_WIRE_OP_CALL;
	case ZYDIS_CATEGORY_RET:
		return MS_WIRE_OP_RETURN;
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_INTERRUPT:
		return MS_WIRE_OP_OTHER;
	default:
		break;
	}
	if ((z->attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 ||
	    (z->mnemonic == ZYDIS_MNEMONIC_XCHG && !(is_register(&op[0]) && is_register(&op[1]))))
		return MS_WIRE_OP_ATOMIC;
	return computation(z, op);
}

uint64_t ms_tracer_find_operands(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	uint64_t operands = add_addresses(0, z, op);

	operands = add_reads(operands, z, op);
	operands = add_written(operands, z, op, false);
	operands = add_flags(operands, z);
	operands = add_written(operands, z, op, true);
	return ms_wire_set_operation(operands, operation_of(z, op));
}
