/*
 * instruction_decoder.c - decodes one instruction: which registers and flags it uses, which memory
 * it references, where it branches to.
 *
 * Zydis decodes the instruction. This file reduces its result to the few facts that the translator
 * needs, and caches them by address: code is decoded several times, as part of a block and for
 * liveness.
 *
 * References are all that Zydis calls a memory operand, explicit or implicit (push, call, strings).
 * Reads come before writes; an operand that is read and written is one reference. Excluded are lea,
 * prefetches and hints. MS_TRACER_INSN_COMPUTED: the address depends on more than general registers
 * (gathers, bit strings).
 */
#include "arch.h"
#include "instruction.h"
#include "instruction_templates.h"
#include "maps/maps.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "wire/wire.h"

/* A library outside this object: hidden.h must not apply. */
#pragma GCC visibility push(default)
#include <Zydis/Zydis.h>
#pragma GCC visibility pop

/* A short program touches few pages of a small cache; after GROWS_AFTER instructions all of it is
 * used. Entries that are elsewhere then are overwritten in time: each states its pc. */
enum { FIRST_DECODED = 1 << 11, MOST_DECODED = 1 << 14, GROWS_AFTER = 2 * FIRST_DECODED };

static ZydisDecoder decoder;
static struct ms_tracer_insn *decoded; /* indexed by bits of the pc */
static uint64_t decoded_mask = FIRST_DECODED - 1;
static uint32_t decoded_count; /* instructions, up to GROWS_AFTER */
static uint64_t stable_start, stable_end;
bool ms_tracer_saw_std;

void ms_tracer_start_decoder(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	decoded = ms_runtime_map_pages(MOST_DECODED * sizeof(*decoded));
	ms_tracer_start_templates();
}

void ms_tracer_forget_decoded(void)
{
	stable_start = stable_end = 0;
	for (uint32_t i = 0; i < MOST_DECODED; i++)
		decoded[i].pc = 0;
}

/* --- registers --- */

static uint8_t number_of(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15)
		return NO_REG;
	return (uint8_t)(whole - ZYDIS_REGISTER_RAX);
}

static uint16_t bit_of(ZydisRegister reg)
{
	uint8_t n = number_of(reg);

	return n < NO_REG ? (uint16_t)(1u << n) : 0;
}

static void see_register(struct ms_tracer_insn *in, const ZydisDecodedInstruction *z,
			 const ZydisDecodedOperand *op)
{
	uint16_t bit = bit_of(op->reg.value);
	/* Processors leave the register unchanged if no bit is found. */
	bool finds = z->mnemonic == ZYDIS_MNEMONIC_BSF || z->mnemonic == ZYDIS_MNEMONIC_BSR;
	bool whole = op->size >= 32 && (op->actions & ZYDIS_OPERAND_ACTION_WRITE) != 0 && !finds;

	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		in->use |= bit;
	if ((op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0)
		return;
	if (whole)
		in->def |= bit;
	else
		in->use |= bit; /* the rest of the register is kept */
	if (op->reg.value == ZYDIS_REGISTER_GS || op->reg.value == ZYDIS_REGISTER_FS) {
		in->kind = MS_TRACER_INSN_UNKNOWN;
		in->why = MS_TRACER_END_SEGMENT;
	}
}

/* --- references --- */

static bool has_long_indexes(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_VGATHERQPS:
	case ZYDIS_MNEMONIC_VGATHERQPD:
	case ZYDIS_MNEMONIC_VPGATHERQD:
	case ZYDIS_MNEMONIC_VPGATHERQQ:
	case ZYDIS_MNEMONIC_VSCATTERQPS:
	case ZYDIS_MNEMONIC_VSCATTERQPD:
	case ZYDIS_MNEMONIC_VPSCATTERQD:
	case ZYDIS_MNEMONIC_VPSCATTERQQ:
		return true;
	default:
		return false;
	}
}

static uint8_t ref_kind(ZydisOperandActions actions)
{
	if ((actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0)
		return MS_WIRE_READ;
	return actions & ZYDIS_OPERAND_ACTION_MASK_READ ? MS_WIRE_MODIFY : MS_WIRE_WRITE;
}

static bool is_hint(const ZydisDecodedInstruction *z)
{
	switch (z->meta.category) {
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_PREFETCHWT1:
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_CLDEMOTE:
	case ZYDIS_CATEGORY_CLFLUSHOPT:
	case ZYDIS_CATEGORY_CLWB:
		return true;
	default:
		return z->mnemonic == ZYDIS_MNEMONIC_CLFLUSH;
	}
}

static uint16_t ref_size(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	if (z->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX &&
	    z->avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID && !z->avx.broadcast.is_static)
		return op->element_size / 8;
	return op->size / 8;
}

/*
 * The stack pointer moves before a push writes, and before a pop computes its destination address.
 */
static int32_t stack_disp(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op,
			  const struct ms_tracer_memory_ref *w)
{
	if (w->base != RSP)
		return 0;
	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN)
		return w->kind == MS_WIRE_WRITE ? -(int32_t)w->size : 0;
	return z->mnemonic == ZYDIS_MNEMONIC_POP ? z->operand_width / 8 : 0;
}

static void mark_computed(struct ms_tracer_insn *in, uint8_t how)
{
	if (in->kind != MS_TRACER_INSN_PLAIN) /* slow for two reasons at once: not supported */
		in->kind = MS_TRACER_INSN_UNKNOWN;
	else
		in->kind = MS_TRACER_INSN_COMPUTED;
	in->slow = how;
}

/*
 * The scale of the vector index is separate: it does not apply to the address of the first element.
 */
static void see_elements(struct ms_tracer_insn *in, const ZydisDecodedInstruction *z,
			 const ZydisDecodedOperand *op)
{
	bool scatter = op[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
	const ZydisDecodedOperand *data = &op[scatter ? 2 : 0];
	ZydisRegister index = ZYDIS_REGISTER_NONE;
	uint16_t wide, deep;

	for (uint8_t i = 0; i < z->operand_count; i++)
		if (op[i].type == ZYDIS_OPERAND_TYPE_MEMORY) {
			index = op[i].mem.index;
			in->vector_scale = op[i].mem.scale;
		}
	in->mask_is_k = z->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
	in->mask = (uint8_t)ZydisRegisterGetId(in->mask_is_k ? z->avx.mask.reg : op[2].reg.value);
	in->vector = (uint8_t)ZydisRegisterGetId(index);
	in->index_size = has_long_indexes(z->mnemonic) ? 8 : 4;
	in->ref[0].size = data->element_size / 8;
	in->ref[0].index = NO_REG;
	in->ref[0].kind = scatter ? MS_WIRE_WRITE : MS_WIRE_READ;
	if (in->ref[0].size == 0)
		in->kind = MS_TRACER_INSN_UNKNOWN;
	else {
		wide = data->size / data->element_size;
		deep = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, index) /
		       (8 * in->index_size);
		in->elements = (uint8_t)(wide < deep ? wide : deep);
		mark_computed(in, MS_TRACER_COMPUTED_ELEMENTS);
	}
}

/* Element size of a move with a vector mask; 0: it is not such a move. */
static uint8_t masked_size(const ZydisDecodedInstruction *z)
{
	switch (z->mnemonic) {
	case ZYDIS_MNEMONIC_VMASKMOVPS:
	case ZYDIS_MNEMONIC_VPMASKMOVD:
		return 4;
	case ZYDIS_MNEMONIC_VMASKMOVPD:
	case ZYDIS_MNEMONIC_VPMASKMOVQ:
		return 8;
	default:
		return 0;
	}
}

/* Consecutive elements from the address on; the mask selects some of them. */
static void see_masked(struct ms_tracer_insn *in, const ZydisDecodedOperand *op, uint8_t size)
{
	in->mask = (uint8_t)ZydisRegisterGetId(op[1].reg.value);
	in->elements = (uint8_t)(in->ref[0].size / size);
	in->ref[0].size = size;
	mark_computed(in, MS_TRACER_COMPUTED_ELEMENTS);
}

/* Whether the prefix has the bit that extends the base register to r8-r15. With rip the bit has no
 * effect, but in the copy, which has a register there, it would. No compiler sets it. */
static bool extends_base(const struct ms_tracer_insn *in, const ZydisDecodedInstruction *z)
{
	enum { CLEAR = 0x20 }; /* longer prefixes store the bit inverted */
	const uint8_t *at = ms_tracer_get_code_bytes(in->pc);

	switch (z->encoding) {
	case ZYDIS_INSTRUCTION_ENCODING_XOP:
		return !(at[z->raw.xop.offset + 1] & CLEAR);
	case ZYDIS_INSTRUCTION_ENCODING_VEX:
		return z->raw.vex.size == 3 && !(at[z->raw.vex.offset + 1] & CLEAR);
	case ZYDIS_INSTRUCTION_ENCODING_EVEX:
		return !(at[z->raw.evex.offset + 1] & CLEAR);
	default:
		return z->raw.rex.B != 0;
	}
}

static void see_address(struct ms_tracer_insn *in, const ZydisDecodedInstruction *z,
			const ZydisDecodedOperand *op)
{
	if (op->mem.base == ZYDIS_REGISTER_RIP && extends_base(in, z))
		in->kind = MS_TRACER_INSN_UNKNOWN;
	if (op->mem.base == ZYDIS_REGISTER_RIP) {
		in->rip_modrm = z->raw.modrm.offset;
		in->target = in->pc + in->length + (uint64_t)op->mem.disp.value;
	} else {
		in->use |= bit_of(op->mem.base);
	}
	if (op->mem.type != ZYDIS_MEMOP_TYPE_VSIB)
		in->use |= bit_of(op->mem.index);
	if (op->mem.segment == ZYDIS_REGISTER_GS) {
		in->kind = MS_TRACER_INSN_UNKNOWN;
		in->why = MS_TRACER_END_SEGMENT;
	}
	if (z->address_width != 64)
		mark_computed(in, MS_TRACER_COMPUTED_NARROW);
}

static void add_ref(struct ms_tracer_insn *in, struct ms_tracer_memory_ref w)
{
	uint8_t at = in->refs++;

	/* Writes come last. */
	while (at > 0 && w.kind == MS_WIRE_READ && in->ref[at - 1].kind != MS_WIRE_READ) {
		in->ref[at] = in->ref[at - 1];
		at--;
	}
	in->ref[at] = w;
}

/*
 * Valgrind implements these as a read, then a compare-and-swap, and cachegrind counts both. For
 * equal figures memspy does the same where it simulates one processor.
 */
static bool reads_before(const ZydisDecodedInstruction *z)
{
	switch (z->mnemonic) {
	case ZYDIS_MNEMONIC_CMPXCHG:
	case ZYDIS_MNEMONIC_CMPXCHG8B:
	case ZYDIS_MNEMONIC_CMPXCHG16B:
		return false;
	case ZYDIS_MNEMONIC_XCHG:
		return ms_runtime_config.atomics_twice;
	default:
		return (z->attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 &&
		       ms_runtime_config.atomics_twice;
	}
}

static void see_memory(struct ms_tracer_insn *in, const ZydisDecodedInstruction *z,
		       const ZydisDecodedOperand *op)
{
	struct ms_tracer_memory_ref w = { .kind = ref_kind(op->actions), .size = ref_size(z, op) };

	see_address(in, z, op);
	if (op->mem.type == ZYDIS_MEMOP_TYPE_AGEN || is_hint(z) || in->refs == MS_TRACER_INSN_REFS)
		return;
	w.base = op->mem.base == ZYDIS_REGISTER_RIP ? CONSTANT : number_of(op->mem.base);
	w.index = number_of(op->mem.index);
	w.scale = op->mem.scale;
	w.fs = op->mem.segment == ZYDIS_REGISTER_FS;
	w.disp = (int32_t)op->mem.disp.value + stack_disp(z, op, &w);
	if (z->mnemonic == ZYDIS_MNEMONIC_LEAVE)
		w.base = RBP;
	if (w.kind == MS_WIRE_MODIFY && reads_before(z) && in->refs < MS_TRACER_INSN_REFS - 1) {
		w.kind = MS_WIRE_READ;
		add_ref(in, w);
		w.kind = MS_WIRE_MODIFY;
	}
	add_ref(in, w);
}

static void see_operand(struct ms_tracer_insn *in, const ZydisDecodedInstruction *z,
			const ZydisDecodedOperand *op)
{
	if (op->type == ZYDIS_OPERAND_TYPE_REGISTER)
		see_register(in, z, op);
	else if (op->type == ZYDIS_OPERAND_TYPE_MEMORY)
		see_memory(in, z, op);
	else if (op->type == ZYDIS_OPERAND_TYPE_POINTER)
		in->kind = MS_TRACER_INSN_UNKNOWN;
}

/* --- flags --- */

/* A shift by zero leaves the flags unchanged. */
static bool may_keep_flags(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	if (z->meta.category == ZYDIS_CATEGORY_SHIFT || z->meta.category == ZYDIS_CATEGORY_ROTATE ||
	    z->mnemonic == ZYDIS_MNEMONIC_SHLD || z->mnemonic == ZYDIS_MNEMONIC_SHRD) {
		const ZydisDecodedOperand *count = &op[z->operand_count_visible - 1];

		return count->type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
		       (count->imm.value.u & 31) == 0;
	}
	return z->meta.category == ZYDIS_CATEGORY_STRINGOP;
}

static void see_flags(struct ms_tracer_insn *in, const ZydisDecodedInstruction *z,
		      const ZydisDecodedOperand *op)
{
	const ZydisAccessedFlags *f = z->cpu_flags;

	if (f == NULL)
		return;
	in->flags_use = f->tested & MS_TRACER_ALL_FLAGS;
	if (!may_keep_flags(z, op))
		in->flags_def =
			(f->modified | f->set_0 | f->set_1 | f->undefined) & MS_TRACER_ALL_FLAGS;
}

/* --- kinds --- */

static bool is_direct(const ZydisDecodedOperand *op)
{
	return op->type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

static void set_indirect(struct ms_tracer_insn *in, const ZydisDecodedOperand *op, uint8_t kind)
{
	in->kind = kind;
	in->indirect = op->type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(op->reg.value) : NO_REG;
}

static void see_branch(struct ms_tracer_insn *in, const ZydisDecodedInstruction *z,
		       const ZydisDecodedOperand *op)
{
	if (z->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR || in->kind == MS_TRACER_INSN_COMPUTED) {
		in->kind = MS_TRACER_INSN_UNKNOWN;
		return;
	}
	if (is_direct(op))
		in->target = in->pc + in->length + (uint64_t)op->imm.value.s;
	switch (z->meta.category) {
	case ZYDIS_CATEGORY_UNCOND_BR:
		if (is_direct(op))
			in->kind = MS_TRACER_INSN_JUMP;
		else
			set_indirect(in, op, MS_TRACER_INSN_INDIRECT_JUMP);
		break;
	case ZYDIS_CATEGORY_CALL:
		if (is_direct(op))
			in->kind = MS_TRACER_INSN_CALL;
		else
			set_indirect(in, op, MS_TRACER_INSN_INDIRECT_CALL);
		break;
	case ZYDIS_CATEGORY_RET:
		/* Neither iret nor a return with a 16-bit operand. */
		in->kind = z->mnemonic == ZYDIS_MNEMONIC_RET && z->operand_width == 64
				   ? MS_TRACER_INSN_RETURN
				   : MS_TRACER_INSN_UNKNOWN;
		in->pops = is_direct(op) && z->operand_count_visible > 0 ? (uint16_t)op->imm.value.u
									 : 0;
		break;
	default: {
		bool on_rcx =
			z->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (z->opcode & 0xfc) == 0xe0;

		in->kind = on_rcx ? MS_TRACER_INSN_LOOP : MS_TRACER_INSN_BRANCH;
		in->condition = z->opcode & 15;
		if (z->mnemonic == ZYDIS_MNEMONIC_XBEGIN || z->address_width != 64)
			in->kind = MS_TRACER_INSN_UNKNOWN;
	}
	}
}

static void see_string(struct ms_tracer_insn *in, const ZydisDecodedInstruction *z)
{
	for (uint8_t i = 0; i < z->raw.prefix_count; i++)
		if (z->raw.prefixes[i].value == 0xf2 || z->raw.prefixes[i].value == 0xf3) {
			in->kind = in->kind == MS_TRACER_INSN_PLAIN ? MS_TRACER_INSN_REP
								    : MS_TRACER_INSN_UNKNOWN;
			in->rep_prefix_at = i;
		}
	in->rep_compares = (z->opcode & 0xf6) == 0xa6; /* cmps, scas */
	in->use |= in->kind == MS_TRACER_INSN_REP ? 1 << RCX : 0;
}

static bool is_request(const struct ms_tracer_insn *in, const ZydisDecodedInstruction *z)
{
	static const uint8_t before[] = { 0x48, 0xc1, 0xc7, 3,  0x48, 0xc1, 0xc7, 13,
					  0x48, 0xc1, 0xc7, 61, 0x48, 0xc1, 0xc7, 51 };

	return z->mnemonic == ZYDIS_MNEMONIC_XCHG && in->length == 3 && in->pc < stable_end &&
	       in->pc - sizeof(before) >= stable_start &&
	       ms_runtime_are_bytes_equal((const void *)(in->pc - sizeof(before)), before,
					  sizeof(before)) &&
	       ms_runtime_are_bytes_equal((const void *)in->pc, "\x48\x87\xdb", 3);
}

static bool is_bit_string(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	return z->meta.category == ZYDIS_CATEGORY_BITBYTE &&
	       op[0].type == ZYDIS_OPERAND_TYPE_MEMORY && z->operand_count_visible == 2 &&
	       op[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
}

static void see_bits(struct ms_tracer_insn *in, const ZydisDecodedOperand *op)
{
	in->vector = number_of(op[1].reg.value);
	in->index_size = (uint8_t)(op[1].size / 8);
	for (uint32_t k = 0; k < in->refs; k++)
		in->ref[k].size = 1;
	mark_computed(in, MS_TRACER_COMPUTED_BITS);
}

static void see_kind(struct ms_tracer_insn *in, const ZydisDecodedInstruction *z,
		     const ZydisDecodedOperand *op)
{
	switch (z->meta.category) {
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
		see_branch(in, z, op);
		break;
	case ZYDIS_CATEGORY_SYSCALL:
		in->kind = z->mnemonic == ZYDIS_MNEMONIC_SYSCALL ? MS_TRACER_INSN_SYSCALL
								 : MS_TRACER_INSN_UNKNOWN;
		break;
	case ZYDIS_CATEGORY_STRINGOP:
		see_string(in, z);
		break;
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_IOSTRINGOP:
	case ZYDIS_CATEGORY_AMX_TILE:
	case ZYDIS_CATEGORY_UINTR:
		in->kind = MS_TRACER_INSN_UNKNOWN;
		break;
	case ZYDIS_CATEGORY_AVX2GATHER:
	case ZYDIS_CATEGORY_GATHER:
	case ZYDIS_CATEGORY_SCATTER:
		see_elements(in, z, op);
		break;
	case ZYDIS_CATEGORY_RDWRFSGS:
		/* fs identifies the thread; memspy uses gs. */
		if (z->mnemonic != ZYDIS_MNEMONIC_RDFSBASE)
			in->kind = MS_TRACER_INSN_UNKNOWN, in->why = MS_TRACER_END_SEGMENT;
		break;
	default:
		if (is_request(in, z))
			in->kind = MS_TRACER_INSN_REQUEST;
		else if (is_bit_string(z, op))
			see_bits(in, op);
		else if (masked_size(z) != 0)
			see_masked(in, op, masked_size(z));
		else if (z->mnemonic == ZYDIS_MNEMONIC_ENTER || z->mnemonic == ZYDIS_MNEMONIC_UD2)
			in->kind = MS_TRACER_INSN_UNKNOWN;
	}
}

/* xor eax, eax does not read the register. */
static void see_idiom(struct ms_tracer_insn *in, const ZydisDecodedInstruction *z,
		      const ZydisDecodedOperand *op)
{
	bool clears = z->mnemonic == ZYDIS_MNEMONIC_XOR || z->mnemonic == ZYDIS_MNEMONIC_SUB;

	if (clears && op[0].type == ZYDIS_OPERAND_TYPE_REGISTER && op[0].size >= 32 &&
	    op[1].type == ZYDIS_OPERAND_TYPE_REGISTER && op[0].reg.value == op[1].reg.value)
		in->use &= (uint16_t)~bit_of(op[0].reg.value);
	if (z->mnemonic == ZYDIS_MNEMONIC_LEA && in->rip_modrm != 0)
		in->loads_address = op[0].size == 64 ? number_of(op[0].reg.value) : NO_REG;
}

static void decode(struct ms_tracer_insn *in, uint64_t pc, uint64_t room)
{
	ZydisDecodedInstruction z;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];

	*in = (struct ms_tracer_insn){ .pc = pc,
				       .kind = MS_TRACER_INSN_UNKNOWN,
				       .why = MS_TRACER_END_INSTRUCTION,
				       .loads_address = NO_REG,
				       .indirect = NO_REG };
	if (!ZYAN_SUCCESS(
		    ZydisDecoderDecodeFull(&decoder, ms_tracer_get_code_bytes(pc), room, &z, op)))
		return;
	in->kind = MS_TRACER_INSN_PLAIN;
	in->length = z.length;
	for (uint8_t i = 0; i < z.operand_count; i++)
		see_operand(in, &z, &op[i]);
	see_flags(in, &z, op);
	if (in->kind == MS_TRACER_INSN_UNKNOWN)
		return;
	ms_tracer_saw_std |= z.mnemonic == ZYDIS_MNEMONIC_STD;
	see_kind(in, &z, op);
	see_idiom(in, &z, op);
	in->operands = ms_tracer_find_operands(&z, op);
	if (in->kind == MS_TRACER_INSN_REP && in->refs > 0 && in->ref[0].fs)
		in->kind = MS_TRACER_INSN_UNKNOWN;
}

/* Most instructions have the bytes of one that was decoded before. */
static void decode_by_template(struct ms_tracer_insn *in, uint64_t pc, uint64_t room)
{
	const uint8_t *code = (const uint8_t *)pc;

	if (room < MS_TRACER_TEMPLATE_BYTES) {
		decode(in, pc, room < MS_TRACER_INSN_BYTES ? room : MS_TRACER_INSN_BYTES);
	} else if (!ms_tracer_find_template(in, pc, code)) {
		decode(in, pc, MS_TRACER_INSN_BYTES);
		ms_tracer_add_template(in, code);
	}
}

const struct ms_tracer_insn *ms_tracer_decode_insn(uint64_t pc)
{
	static struct ms_tracer_insn nothing, made;
	struct ms_tracer_insn *in = &decoded[(pc ^ pc >> 12) & decoded_mask];
	uint64_t room = ms_tracer_get_copied_bytes(pc);

	if (room != 0) {
		decode(&made, pc, room < MS_TRACER_INSN_BYTES ? room : MS_TRACER_INSN_BYTES);
		return &made;
	}
	if (in->pc == pc)
		return in;
	if ((pc < stable_start || pc >= stable_end) &&
	    !ms_maps_is_stable_code(pc, &stable_start, &stable_end)) {
		stable_start = stable_end = 0;
		nothing = (struct ms_tracer_insn){ .pc = pc,
						   .kind = MS_TRACER_INSN_UNKNOWN,
						   .why = MS_TRACER_END_CODE };
		return &nothing;
	}
	if (decoded_count < GROWS_AFTER && ++decoded_count == GROWS_AFTER)
		decoded_mask = MOST_DECODED - 1;
	decode_by_template(in, pc, stable_end - pc);
	return in;
}
