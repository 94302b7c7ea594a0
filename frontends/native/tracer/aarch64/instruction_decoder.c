/*
 * instruction_decoder.c - decodes one A64 instruction: its class, which fields name general
 * registers and how they are used, which memory it references.
 *
 * Instructions that this file does not decode stay MS_TRACER_INSN_UNKNOWN: the window ends before
 * them, and the program executes them natively. So new extensions reduce coverage, never
 * correctness. Not decoded are SVE and SME, memory tags, MOPS (cpy, set), 128-bit atomics, and
 * loads with authentication.
 */
#include "instruction.h"
#include "thread_layout.h"
#include "wire/wire.h"

#define BITS(w, hi, lo) (((w) >> (lo)) & ((1u << ((hi) - (lo) + 1)) - 1))
#define BIT(w, n)       ((w) >> (n)&1)

uint32_t ms_tracer_zero_block_bytes = 64;

static int64_t extend_sign(uint64_t v, int bits)
{
	return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static void roles(struct ms_tracer_insn *in, int t, int n, int t2, int m)
{
	in->role[MS_TRACER_FIELD_T] = (uint8_t)t;
	in->role[MS_TRACER_FIELD_N] = (uint8_t)n;
	in->role[MS_TRACER_FIELD_T2] = (uint8_t)t2;
	in->role[MS_TRACER_FIELD_M] = (uint8_t)m;
}

static void plain(struct ms_tracer_insn *in, int t, int n, int t2, int m)
{
	in->kind = MS_TRACER_INSN_PLAIN;
	roles(in, t, n, t2, m);
}

/* n consecutive references of `size` bytes. */
static void refers(struct ms_tracer_insn *in, bool load, uint32_t size, uint32_t n)
{
	in->kind = MS_TRACER_INSN_PLAIN;
	in->mode = MS_TRACER_MODE_OFFSET;
	in->refs = (uint8_t)n;
	in->size = in->step = (uint8_t)size;
	in->kind_first = in->kind_other = load ? MS_WIRE_READ : MS_WIRE_WRITE;
}

/* One operand is read and written; some tools count the read separately, before it. */
static void modifies(struct ms_tracer_insn *in, uint32_t size, bool read_first)
{
	refers(in, true, size, read_first ? 2 : 1);
	in->step = 0;
	in->kind_first = read_first ? MS_WIRE_READ : MS_WIRE_MODIFY;
	in->kind_other = MS_WIRE_MODIFY;
}

/* --- data processing --- */

static void immediate(struct ms_tracer_insn *in, uint32_t w)
{
	int64_t offset;

	switch (BITS(w, 25, 23)) {
	case 0:
	case 1:
		offset = extend_sign(BITS(w, 23, 5) << 2 | BITS(w, 30, 29), 21);
		plain(in, MS_TRACER_FIELD_WRITES, 0, 0, 0);
		in->kind = MS_TRACER_INSN_ADDRESS;
		in->target = BIT(w, 31) ? (in->pc & ~UINT64_C(0xfff)) + (uint64_t)offset * 4096
					: in->pc + (uint64_t)offset;
		break;
	case 5: /* movn, movz, movk */
		plain(in,
		      BITS(w, 30, 29) == 3 ? MS_TRACER_FIELD_READS_WRITES : MS_TRACER_FIELD_WRITES,
		      0, 0, 0);
		break;
	case 6: /* bfm keeps a part of it */
		plain(in,
		      BITS(w, 30, 29) == 1 ? MS_TRACER_FIELD_READS_WRITES : MS_TRACER_FIELD_WRITES,
		      MS_TRACER_FIELD_READS, 0, 0);
		break;
	case 7:
		plain(in, MS_TRACER_FIELD_WRITES, MS_TRACER_FIELD_READS, 0, MS_TRACER_FIELD_READS);
		break;
	default:
		plain(in, MS_TRACER_FIELD_WRITES, MS_TRACER_FIELD_READS, 0, 0);
		break;
	}
}

static void registers(struct ms_tracer_insn *in, uint32_t w)
{
	uint32_t op = BITS(w, 24, 21);

	if (!BIT(w, 28)) /* logical, add, sub: shifted and extended */
		plain(in, MS_TRACER_FIELD_WRITES, MS_TRACER_FIELD_READS, 0, MS_TRACER_FIELD_READS);
	else if (op == 0 && BITS(w, 15, 10) == 0) /* adc, sbc */
		plain(in, MS_TRACER_FIELD_WRITES, MS_TRACER_FIELD_READS, 0, MS_TRACER_FIELD_READS);
	else if (op == 0) /* rmif, setf8 */
		plain(in, 0, MS_TRACER_FIELD_READS, 0, 0);
	else if (op == 2) /* ccmp: its low field has flags */
		plain(in, 0, MS_TRACER_FIELD_READS, 0, BIT(w, 11) ? 0 : MS_TRACER_FIELD_READS);
	else if (op == 4 || (op == 6 && !BIT(w, 30)))
		plain(in, MS_TRACER_FIELD_WRITES, MS_TRACER_FIELD_READS, 0, MS_TRACER_FIELD_READS);
	else if (op == 6) /* signing changes a register in place */
		plain(in, BITS(w, 20, 16) ? MS_TRACER_FIELD_READS_WRITES : MS_TRACER_FIELD_WRITES,
		      MS_TRACER_FIELD_READS, 0, 0);
	else if (op >= 8)
		plain(in, MS_TRACER_FIELD_WRITES, MS_TRACER_FIELD_READS, MS_TRACER_FIELD_READS,
		      MS_TRACER_FIELD_READS);
}

/* Vector fields must not be mistaken for general ones. */
static void vectors(struct ms_tracer_insn *in, uint32_t w)
{
	uint32_t op = BITS(w, 18, 16);
	bool from_general = op == 2 || op == 3 || op == 7;

	plain(in, 0, 0, 0, 0);
	if ((w & 0x7f000000) == 0x1e000000) { /* conversions from and to general registers */
		if (!BIT(w, 21) || BITS(w, 15, 10) == 0)
			plain(in, from_general ? 0 : MS_TRACER_FIELD_WRITES,
			      from_general ? MS_TRACER_FIELD_READS : 0, 0, 0);
	} else if ((w & 0xbfe08400) == 0x0e000400) {
		switch (BITS(w, 14, 11)) {
		case 1:
		case 3: /* dup, ins */
			plain(in, 0, MS_TRACER_FIELD_READS, 0, 0);
			break;
		case 5:
		case 7: /* smov, umov */
			plain(in, MS_TRACER_FIELD_WRITES, 0, 0, 0);
			break;
		default:
			break;
		}
	}
}

/* --- branches and the system --- */

/* Signing and authentication of x30, and of x17 by x16, are hints. */
static void hint(struct ms_tracer_insn *in, uint32_t w)
{
	uint32_t group = BITS(w, 11, 8), op = BITS(w, 7, 5);

	plain(in, 0, 0, 0, 0);
	if (group == 1) {
		in->use = ms_tracer_get_reg_bit(16) | ms_tracer_get_reg_bit(17);
		in->def = ms_tracer_get_reg_bit(17);
	} else if (group == 3 || (group == 0 && op == 7)) {
		in->use = in->def = ms_tracer_get_reg_bit(30);
	}
}

/* br, blr, ret, and their variants with authentication (block_exits.c distinguishes them). */
static bool indirect(struct ms_tracer_insn *in, uint32_t w)
{
	static const uint8_t kinds[] = { MS_TRACER_INSN_INDIRECT_JUMP, MS_TRACER_INSN_INDIRECT_CALL,
					 MS_TRACER_INSN_RETURN };
	uint32_t op = BITS(w, 22, 21);
	bool two = BIT(w, 24), signs = BIT(w, 11);

	if ((w & 0xfe9ff000) != 0xd61f0000 || op == 3)
		return false;
	if (!signs && (two || BITS(w, 10, 10) || BITS(w, 4, 0) != 0))
		return false;
	if (signs && op == 2 && (w & 0xfffffbff) != 0xd65f0bff)
		return false;
	if (signs && op != 2 && !two && BITS(w, 4, 0) != 31)
		return false;
	in->kind = kinds[op];
	roles(in, signs && two ? MS_TRACER_FIELD_READS : 0, MS_TRACER_FIELD_READS, 0, 0);
	if (signs && op == 2) /* retaa names no register */
		in->use = ms_tracer_get_reg_bit(30);
	if (in->kind == MS_TRACER_INSN_INDIRECT_CALL)
		in->def = ms_tracer_get_reg_bit(30);
	return true;
}

static bool direct(struct ms_tracer_insn *in, uint32_t w)
{
	if ((w & 0x7c000000) == 0x14000000) {
		in->kind = BIT(w, 31) ? MS_TRACER_INSN_CALL : MS_TRACER_INSN_JUMP;
		in->target = in->pc + (uint64_t)extend_sign(BITS(w, 25, 0), 26) * 4;
		in->def = BIT(w, 31) ? ms_tracer_get_reg_bit(30) : 0;
	} else if ((w & 0xff000010) == 0x54000000) {
		in->kind = BITS(w, 3, 0) < 14 ? MS_TRACER_INSN_BRANCH
					      : MS_TRACER_INSN_JUMP; /* b.al: always */
		in->target = in->pc + (uint64_t)extend_sign(BITS(w, 23, 5), 19) * 4;
	} else if ((w & 0x7e000000) == 0x34000000) {
		plain(in, MS_TRACER_FIELD_READS, 0, 0, 0);
		in->kind = MS_TRACER_INSN_BRANCH;
		in->target = in->pc + (uint64_t)extend_sign(BITS(w, 23, 5), 19) * 4;
	} else if ((w & 0x7e000000) == 0x36000000) {
		plain(in, MS_TRACER_FIELD_READS, 0, 0, 0);
		in->kind = MS_TRACER_INSN_BRANCH;
		in->target = in->pc + (uint64_t)extend_sign(BITS(w, 18, 5), 14) * 4;
	} else {
		return false;
	}
	return true;
}

/* smstart and smstop, and other writes of svcr: a system call in streaming mode ends that mode. */
static bool streams(uint32_t w)
{
	return (w & 0xfffff8ff) == 0xd503407f || (w & 0xffffffe0) == 0xd51b4240;
}

static void system_and_branches(struct ms_tracer_insn *in, uint32_t w)
{
	if (direct(in, w) || indirect(in, w) || streams(w))
		return;
	if ((w & 0xffe0001f) == 0xd4000001) {
		in->kind = MS_TRACER_INSN_SYSCALL;
	} else if ((w & 0xfffff01f) == 0xd503201f) {
		hint(in, w);
	} else if ((w & 0xfffff01f) == 0xd503301f || (w & 0xfff8f01f) == 0xd500401f) {
		plain(in, 0, 0, 0, 0); /* barriers; msr of an immediate */
	} else if ((w & 0xfff00000) == 0xd5300000) {
		plain(in, MS_TRACER_FIELD_WRITES, 0, 0, 0);
	} else if ((w & 0xfff00000) == 0xd5100000) {
		if ((w & 0xffffffe0) != 0xd51bd040) /* the thread pointer: we are found by it */
			plain(in, MS_TRACER_FIELD_READS, 0, 0, 0);
	} else if ((w & 0xffffffe0) == 0xd50b7420) { /* dc zva */
		refers(in, false, ms_tracer_zero_block_bytes < 64 ? ms_tracer_zero_block_bytes : 64,
		       ms_tracer_zero_block_bytes < 64 ? 1 : ms_tracer_zero_block_bytes / 64);
		in->mode = MS_TRACER_MODE_ZERO;
		roles(in, MS_TRACER_FIELD_READS, 0, 0, 0);
	} else if ((w & 0xffffff80) == 0xd50b7480 || (w & 0xffffffe0) == 0xd50b7460) {
		return; /* dc gva, gzva: tags */
	} else if ((w & 0xfff80000) == 0xd5080000) {
		plain(in, MS_TRACER_FIELD_READS, 0, 0, 0);
	}
}

/* --- loads and stores --- */

static void exclusive(struct ms_tracer_insn *in, uint32_t w)
{
	uint32_t size = 1u << BITS(w, 31, 30), rs = BITS(w, 20, 16), rt = BITS(w, 4, 0);
	bool load = BIT(w, 22), pair = BIT(w, 21);
	int data = load ? MS_TRACER_FIELD_WRITES : MS_TRACER_FIELD_READS;

	if (BIT(w, 23) && !pair) { /* ldar, stlr */
		refers(in, load, size, 1);
		roles(in, data, MS_TRACER_FIELD_READS, 0, 0);
	} else if (BIT(w, 23)) { /* cas */
		modifies(in, size, false);
		roles(in, MS_TRACER_FIELD_READS, MS_TRACER_FIELD_READS, 0,
		      MS_TRACER_FIELD_READS_WRITES);
	} else if (pair && !BIT(w, 31)) { /* casp: pairs of registers */
		if (rs == MS_TRACER_THREAD_REGISTER || rt == MS_TRACER_THREAD_REGISTER)
			return;
		modifies(in, BIT(w, 30) ? 16 : 8, false);
		roles(in, MS_TRACER_FIELD_READS, MS_TRACER_FIELD_READS, 0,
		      MS_TRACER_FIELD_READS_WRITES);
		in->use = ms_tracer_get_reg_bit(rs + 1) | ms_tracer_get_reg_bit(rt + 1);
		in->def = ms_tracer_get_reg_bit(rs + 1);
	} else {
		refers(in, load, size << pair, 1);
		in->kind = load ? MS_TRACER_INSN_EXCLUSIVE : MS_TRACER_INSN_EXCLUSIVE_STORE;
		roles(in, data, MS_TRACER_FIELD_READS, pair ? data : 0,
		      load ? 0 : MS_TRACER_FIELD_WRITES);
	}
}

static void structures(struct ms_tracer_insn *in, uint32_t w)
{
	static const uint8_t regs[16] = {
		[0] = 4, [2] = 4, [4] = 3, [6] = 3, [7] = 1, [8] = 2, [10] = 2
	};
	bool post = BIT(w, 23);
	uint32_t n, size, op = BITS(w, 15, 13);

	if (!BIT(w, 24)) { /* whole registers */
		n = BIT(w, 21) ? 0 : regs[BITS(w, 15, 12)];
		size = BIT(w, 30) ? 16 : 8;
	} else { /* a lane of each */
		n = ((op & 1) << 1 | BIT(w, 21)) + 1;
		size = op >> 1 == 3 ? 1u << BITS(w, 11, 10) : 1u << (op >> 1);
		if (op >> 1 == 2 && BIT(w, 10))
			size = 8;
	}
	if (n == 0 || (!post && BITS(w, 20, 16) != 0))
		return;
	refers(in, BIT(w, 22), size, n);
	roles(in, 0, post ? MS_TRACER_FIELD_READS_WRITES : MS_TRACER_FIELD_READS, 0,
	      post ? MS_TRACER_FIELD_READS : 0); /* 31: an immediate */
}

static void pairs(struct ms_tracer_insn *in, uint32_t w)
{
	uint32_t opc = BITS(w, 31, 30), mode = BITS(w, 24, 23);
	bool vector = BIT(w, 26), load = BIT(w, 22);
	uint32_t scale = vector ? 2 + opc : 2 + (opc >> 1);
	int data = vector ? 0 : load ? MS_TRACER_FIELD_WRITES : MS_TRACER_FIELD_READS;

	if (opc == 3 || (!vector && opc == 1 && (!load || mode == 0)))
		return;
	refers(in, load, 1u << scale, 2);
	in->offset = mode == 1 ? 0 : (int32_t)extend_sign(BITS(w, 21, 15), 7) * (1 << scale);
	roles(in, data, mode & 1 ? MS_TRACER_FIELD_READS_WRITES : MS_TRACER_FIELD_READS, data, 0);
}

static void atomics(struct ms_tracer_insn *in, uint32_t w, bool one_processor)
{
	uint32_t size = 1u << BITS(w, 31, 30), op = BITS(w, 14, 12);

	if (BIT(w, 15) && op == 4 && BITS(w, 23, 22) == 2) { /* ldapr */
		refers(in, true, size, 1);
		roles(in, MS_TRACER_FIELD_WRITES, MS_TRACER_FIELD_READS, 0, 0);
	} else if (!BIT(w, 15) || op == 0) { /* ldadd and its like, swp */
		modifies(in, size, one_processor);
		roles(in, MS_TRACER_FIELD_WRITES, MS_TRACER_FIELD_READS, 0, MS_TRACER_FIELD_READS);
	}
}

/* The address mode of a load or store of one register; false: it is not one. */
static bool decode_address(struct ms_tracer_insn *in, uint32_t w, uint32_t scale, int *base,
			   int *index)
{
	uint32_t low = BITS(w, 11, 10);

	if (BIT(w, 24)) {
		in->offset = (int32_t)(BITS(w, 21, 10) << scale);
	} else if (!BIT(w, 21)) {
		if (low == 2 && BIT(w, 26))
			return false;
		in->offset = low == 1 ? 0 : (int32_t)extend_sign(BITS(w, 20, 12), 9);
		*base = low & 1 ? MS_TRACER_FIELD_READS_WRITES : MS_TRACER_FIELD_READS;
	} else if (low == 2 && BIT(w, 14)) {
		in->mode = MS_TRACER_MODE_INDEX;
		in->extend = (uint8_t)BITS(w, 15, 13);
		in->shift = BIT(w, 12) ? (uint8_t)scale : 0;
		*index = MS_TRACER_FIELD_READS;
	} else {
		return false;
	}
	return true;
}

static void single(struct ms_tracer_insn *in, uint32_t w, bool one_processor)
{
	bool vector = BIT(w, 26), load;
	uint32_t size = BITS(w, 31, 30), opc = BITS(w, 23, 22), scale = size;
	bool prefetch = !vector && size == 3 && opc == 2;
	int base = MS_TRACER_FIELD_READS, index = 0;

	load = vector ? opc & 1 : opc != 0;
	if (vector && (opc & 2)) {
		if (size != 0)
			return;
		scale = 4;
	}
	if (!BIT(w, 24) && BIT(w, 21) && BITS(w, 11, 10) == 0) {
		if (!vector)
			atomics(in, w, one_processor);
		return;
	}
	refers(in, load, 1u << scale, 1);
	if (!decode_address(in, w, scale, &base, &index) ||
	    (prefetch && base == MS_TRACER_FIELD_READS_WRITES)) {
		in->kind = MS_TRACER_INSN_UNKNOWN;
		in->refs = 0;
		return;
	}
	roles(in,
	      vector || prefetch ? 0
	      : load             ? MS_TRACER_FIELD_WRITES
				 : MS_TRACER_FIELD_READS,
	      base, 0, index);
	if (prefetch)
		in->refs = 0;
}

static void literal(struct ms_tracer_insn *in, uint32_t w)
{
	uint32_t opc = BITS(w, 31, 30);
	bool vector = BIT(w, 26);

	in->target = in->pc + (uint64_t)extend_sign(BITS(w, 23, 5), 19) * 4;
	if (opc == 3) {
		if (!vector) { /* prfm: no reference */
			in->word = 0xd503201f;
			plain(in, 0, 0, 0, 0);
		}
		return;
	}
	refers(in, true, vector ? 4u << opc : opc == 1 ? 8 : 4, 1);
	in->kind = MS_TRACER_INSN_LITERAL;
	roles(in, vector ? 0 : MS_TRACER_FIELD_WRITES, 0, 0, 0);
}

static void loads_and_stores(struct ms_tracer_insn *in, uint32_t w, bool one_processor)
{
	bool load = BITS(w, 23, 22) != 0;

	if ((w & 0x3f000000) == 0x08000000) {
		exclusive(in, w);
	} else if ((w & 0xbe000000) == 0x0c000000) {
		structures(in, w);
	} else if ((w & 0x3b000000) == 0x18000000) {
		literal(in, w);
	} else if ((w & 0x3f200c00) == 0x19000000) { /* ldapur, stlur */
		refers(in, load, 1u << BITS(w, 31, 30), 1);
		in->offset = (int32_t)extend_sign(BITS(w, 20, 12), 9);
		roles(in, load ? MS_TRACER_FIELD_WRITES : MS_TRACER_FIELD_READS,
		      MS_TRACER_FIELD_READS, 0, 0);
	} else if ((w & 0x3a000000) == 0x28000000) {
		pairs(in, w);
	} else if ((w & 0x3a000000) == 0x38000000) {
		single(in, w, one_processor);
	}
}

void ms_tracer_decode_word(struct ms_tracer_insn *in, uint64_t pc, uint32_t w, bool one_processor)
{
	*in = (struct ms_tracer_insn){ .pc = pc, .word = w, .kind = MS_TRACER_INSN_UNKNOWN };
	switch (BITS(w, 28, 25)) {
	case 8:
	case 9:
		immediate(in, w);
		break;
	case 10:
	case 11:
		system_and_branches(in, w);
		break;
	case 4:
	case 6:
	case 12:
	case 14:
		loads_and_stores(in, w, one_processor);
		break;
	case 5:
	case 13:
		registers(in, w);
		break;
	case 7:
	case 15:
		vectors(in, w);
		break;
	default:
		break;
	}
	for (uint32_t f = 0; f < MS_TRACER_FIELD_COUNT; f++) {
		uint32_t r = in->word >> ms_tracer_field_shifts[f] & 31;

		if (in->role[f] & MS_TRACER_FIELD_READS)
			in->use |= ms_tracer_get_reg_bit(r);
		if (in->role[f] & MS_TRACER_FIELD_WRITES)
			in->def |= ms_tracer_get_reg_bit(r);
	}
}
