/*
 * instruction_operands.c - the registers that an A64 instruction reads and writes, and its
 * operation, as the reader gets them (wire/operands.h).
 *
 * instruction_decoder.c has found the general registers. Tables by groups of the encoding add what
 * the translator does not need: vector registers, the flags, the stack pointer, the operation. The
 * first row of a group that matches an instruction holds.
 *
 * Not described: more than two registers written (ld3, ld4; of ldp with write-back, the base), more
 * than four read (casp, st4).
 */
#include <stddef.h>

#include "instruction.h"
#include "wire/operands.h"

#define BITS(w, hi, lo) (((w) >> (lo)) & ((1u << ((hi) - (lo) + 1)) - 1))
#define BIT(w, n)       ((w) >> (n)&1)

enum { SP = MS_WIRE_INTEGER_REGISTER + 31 };

enum uses {
	READS_FLAGS = 1,
	WRITES_FLAGS = 2,
	D_MAY_BE_SP = 4, /* number 31 is the stack pointer there, not the zero register */
	N_MAY_BE_SP = 8,
	/* Vector registers, by their fields: */
	WRITES_D = 16,
	READS_D = 32,
	READS_N = 64,
	READS_M = 128,
	READS_A = 256,     /* at bit 10 */
	READS_TABLE = 512, /* one to four registers from n on */
	/* Common sums: */
	FLAGS = READS_FLAGS | WRITES_FLAGS,
	D_N = WRITES_D | READS_N,
	D_NM = D_N | READS_M,
	D_NMA = D_NM | READS_A,
	DD = WRITES_D | READS_D,
	DD_N = DD | READS_N,
	DD_NM = DD_N | READS_M,
};

enum {
	INTEGER = MS_WIRE_OP_INTEGER,
	ADD = MS_WIRE_OP_FLOAT_ADD,
	MULTIPLY = MS_WIRE_OP_FLOAT_MULTIPLY,
	DIVIDE = MS_WIRE_OP_FLOAT_DIVIDE,
	VECTOR = MS_WIRE_OP_VECTOR,
};

struct operand_row {
	uint32_t mask, value;
	uint16_t uses; /* enum uses */
	uint8_t operation;
};

/* The last row of each table matches every instruction. */

/* clang-format off */
static const struct operand_row immediate_rows[] = {
	{ 0x3f800000, 0x31000000, WRITES_FLAGS | N_MAY_BE_SP, INTEGER }, /* adds, subs */
	{ 0x1f800000, 0x11000000, D_MAY_BE_SP | N_MAY_BE_SP, INTEGER },  /* add, sub */
	{ 0x7f800000, 0x72000000, WRITES_FLAGS, INTEGER },               /* ands */
	{ 0x1f800000, 0x12000000, D_MAY_BE_SP, INTEGER },                /* and, orr, eor */
	{ 0, 0, 0, INTEGER },
};

static const struct operand_row register_rows[] = {
	{ 0x7f000000, 0x6a000000, WRITES_FLAGS, INTEGER },               /* ands, bics */
	{ 0x3f200000, 0x2b000000, WRITES_FLAGS, INTEGER },               /* adds, subs */
	{ 0x3f200000, 0x2b200000, WRITES_FLAGS | N_MAY_BE_SP, INTEGER }, /* likewise, extended */
	{ 0x3f200000, 0x0b200000, D_MAY_BE_SP | N_MAY_BE_SP, INTEGER },  /* add, sub, extended */
	{ 0x1fe00000, 0x1a800000, READS_FLAGS, INTEGER },                /* csel, csinc */
	{ 0x1f000000, 0x1b000000, 0, MS_WIRE_OP_MULTIPLY },              /* madd, smulh */
	{ 0x7fe0f800, 0x1ac00800, 0, MS_WIRE_OP_DIVIDE },                /* udiv, sdiv */
	{ 0x1fe00000, 0x1a400000, FLAGS, INTEGER },                      /* ccmp */
	{ 0x3fe0fc00, 0x1a000000, READS_FLAGS, INTEGER },                /* adc, sbc */
	{ 0x3fe0fc00, 0x3a000000, FLAGS, INTEGER },                      /* adcs, sbcs */
	{ 0x1fe00000, 0x1a000000, WRITES_FLAGS, INTEGER },               /* rmif, setf8 */
	{ 0, 0, 0, INTEGER },
};

static const struct operand_row system_rows[] = {
	{ 0xffffffff, 0xd503201f, 0, INTEGER },                          /* nop */
	{ 0xffffffe0, 0xd53b4200, READS_FLAGS, MS_WIRE_OP_OTHER },       /* mrs of nzcv */
	{ 0xffffffe0, 0xd51b4200, WRITES_FLAGS, MS_WIRE_OP_OTHER },      /* msr of nzcv */
	{ 0xffffff1f, 0xd500401f, FLAGS, MS_WIRE_OP_OTHER },             /* cfinv, axflag */
	{ 0xff000000, 0x54000000, READS_FLAGS, MS_WIRE_OP_OTHER },       /* b.cond */
	{ 0xffffffe0, 0xd50b7420, 0, INTEGER },                          /* dc zva: a store */
	{ 0, 0, 0, MS_WIRE_OP_OTHER },
};

/* Numbers in the first 64 bits of a vector register, and conversions. */
static const struct operand_row scalar_rows[] = {
	{ 0x5f000000, 0x1f000000, D_NMA, MULTIPLY },                     /* fmadd */
	{ 0xff207c00, 0x1e200800, D_NM, MULTIPLY },                      /* fmul, fnmul */
	{ 0xff20fc00, 0x1e201800, D_NM, DIVIDE },                        /* fdiv */
	{ 0xff200c00, 0x1e200800, D_NM, ADD },                           /* fadd, fmax */
	{ 0xff200c00, 0x1e200c00, D_NM | READS_FLAGS, ADD },             /* fcsel */
	{ 0xff200c00, 0x1e200400, READS_N | READS_M | FLAGS, ADD },      /* fccmp */
	{ 0xff203c08, 0x1e202008, READS_N | WRITES_FLAGS, ADD },         /* fcmp with 0.0 */
	{ 0xff203c00, 0x1e202000, READS_N | READS_M | WRITES_FLAGS, ADD },
	{ 0xff201c00, 0x1e201000, WRITES_D, VECTOR },                    /* fmov of a constant */
	{ 0xff3ffc00, 0x1e204000, D_N, VECTOR },                         /* fmov */
	{ 0xff3ffc00, 0x1e21c000, D_N, DIVIDE },                         /* fsqrt */
	{ 0xff207c00, 0x1e204000, D_N, ADD },                            /* fabs, fcvt, frint */
	{ 0xfffffc00, 0x9eaf0000, DD, VECTOR },                          /* fmov of the upper half */
	{ 0x7f27fc00, 0x1e270000, WRITES_D, VECTOR },                    /* fmov d0, x0 */
	{ 0x7f27fc00, 0x1e260000, READS_N, VECTOR },                     /* fmov x0, d0 */
	{ 0x7f26fc00, 0x1e220000, WRITES_D, ADD },                       /* scvtf, ucvtf */
	{ 0x7f260000, 0x1e020000, WRITES_D, ADD },                       /* of fixed-point numbers */
	{ 0, 0, READS_N, ADD },                                          /* fcvtzs */
};

/* Bit 30 is the length of the vectors; with bit 28 set, one element is computed. */
static const struct operand_row vector_rows[] = {
	{ 0xff808000, 0xce000000, D_NMA, VECTOR },                       /* eor3, bcax */
	{ 0xffe00000, 0xce800000, D_NM, VECTOR },                        /* xar */
	{ 0xfff00000, 0xcec00000, DD_N, VECTOR },                        /* sha512su0 */
	{ 0xff000000, 0xce000000, DD_NM, VECTOR },                       /* sha512h */
	{ 0xff208c00, 0x5e000000, DD_NM, VECTOR },                       /* sha1c, sha256h */
	{ 0xffffcc00, 0x5e280800, DD_N, VECTOR },                        /* sha1su1, sha256su0 */
	{ 0xffffec00, 0x4e284800, DD_N, VECTOR },                        /* aese, aesd */
	/* Three registers: */
	{ 0xafe0fc00, 0x2e201c00, D_NM, VECTOR },                        /* eor */
	{ 0xaf20fc00, 0x2e201c00, DD_NM, VECTOR },                       /* bsl, bit, bif */
	{ 0x8f20fc00, 0x0e209400, DD_NM, VECTOR },                       /* mla, mls */
	{ 0x8f20fc00, 0x0e207c00, DD_NM, VECTOR },                       /* saba, uaba */
	{ 0x8f20fc00, 0x0e20cc00, DD_NM, MULTIPLY },                     /* fmla, fmls */
	{ 0xaf20fc00, 0x0e20ec00, DD_NM, MULTIPLY },                     /* fmlal */
	{ 0x8f20fc00, 0x0e20dc00, D_NM, MULTIPLY },                      /* fmul, fmulx */
	{ 0xaf20fc00, 0x2e20fc00, D_NM, DIVIDE },                        /* fdiv */
	{ 0xaf20fc00, 0x0e20fc00, D_NM, MULTIPLY },                      /* frecps */
	{ 0x8f20c400, 0x0e20c400, D_NM, ADD },                           /* fadd, fcmgt */
	{ 0x8f200400, 0x0e200400, D_NM, VECTOR },                        /* add, orr */
	/* Of different lengths: */
	{ 0x8f20fc00, 0x0e205000, DD_NM, VECTOR },                       /* sabal */
	{ 0x8f20cc00, 0x0e208000, DD_NM, VECTOR },                       /* smlal, sqdmlal */
	{ 0xdf20dc00, 0x4e204000, DD_NM, VECTOR },                       /* addhn2, subhn2 */
	{ 0x8f200c00, 0x0e200000, D_NM, VECTOR },                        /* saddl, smull */
	/* Two registers: */
	{ 0x8f3ffc00, 0x0e206800, DD_N, VECTOR },                        /* sadalp */
	{ 0x8f3ffc00, 0x0e203800, DD_N, VECTOR },                        /* suqadd */
	{ 0xdf3ffc00, 0x4e212800, DD_N, VECTOR },                        /* xtn2, sqxtun2 */
	{ 0xdf3ffc00, 0x4e214800, DD_N, VECTOR },                        /* sqxtn2 */
	{ 0xdf3ffc00, 0x4e216800, DD_N, ADD },                           /* fcvtn2 */
	{ 0xafbffc00, 0x2ea1f800, D_N, DIVIDE },                         /* fsqrt */
	{ 0xaffffc00, 0x2ef9f800, D_N, DIVIDE },                         /* likewise, half */
	{ 0x8f3f8c00, 0x0e218800, D_N, ADD },                            /* scvtf, frecpe */
	{ 0x8f3fec00, 0x0e216800, D_N, ADD },                            /* fcvtn, fcvtl */
	{ 0x8fbfcc00, 0x0ea0c800, D_N, ADD },                            /* fcmgt with 0.0, fabs */
	{ 0x8f3fcc00, 0x0e30c800, D_N, ADD },                            /* fmaxv, faddp */
	{ 0x8f3e0c00, 0x0e380800, D_N, ADD },                            /* likewise, half */
	{ 0x8f200c00, 0x0e200800, D_N, VECTOR },                         /* abs, addv, rev */
	/* Moves of elements: */
	{ 0xafe08400, 0x2e000400, DD_N, VECTOR },                        /* ins */
	{ 0x8fe0fc00, 0x0e000400, D_N, VECTOR },                         /* dup */
	{ 0x8fe0fc00, 0x0e000c00, WRITES_D, VECTOR },                    /* dup v0.4s, w0 */
	{ 0x8fe0fc00, 0x0e001c00, DD, VECTOR },                          /* ins v0.s[1], w0 */
	{ 0x8fe08400, 0x0e000400, READS_N, VECTOR },                     /* smov, umov */
	{ 0xbfe09c00, 0x0e001000, DD | READS_TABLE | READS_M, VECTOR },  /* tbx */
	{ 0xbfe09c00, 0x0e000000, WRITES_D | READS_TABLE | READS_M, VECTOR }, /* tbl */
	{ 0xbf208c00, 0x0e000800, D_NM, VECTOR },                        /* zip1, uzp1, trn1 */
	{ 0xbfe08400, 0x2e000000, D_NM, VECTOR },                        /* ext */
	/* Dot products, complex and half numbers: */
	{ 0x8f20c400, 0x0e00c400, DD_NM, MULTIPLY },                     /* fcmla, bfdot */
	{ 0x8f208400, 0x0e008400, DD_NM, VECTOR },                       /* sdot, sqrdmlah */
	{ 0x8f60fc00, 0x0e400c00, DD_NM, MULTIPLY },                     /* fmla */
	{ 0x8f60fc00, 0x0e401c00, D_NM, MULTIPLY },                      /* fmul */
	{ 0xaf60fc00, 0x2e403c00, D_NM, DIVIDE },                        /* fdiv */
	{ 0x8f60c400, 0x0e400400, D_NM, ADD },                           /* fadd */
	/* Constants and shifts: */
	{ 0x9ff89400, 0x0f001400, DD, VECTOR },                          /* orr, bic of 32 bits */
	{ 0x9ff8d400, 0x0f009400, DD, VECTOR },                          /* likewise of 16 */
	{ 0x9ff80400, 0x0f000400, WRITES_D, VECTOR },                    /* movi, fmov */
	{ 0x8f80dc00, 0x0f001400, DD_N, VECTOR },                        /* ssra, srsra */
	{ 0xaf80ec00, 0x2f004400, DD_N, VECTOR },                        /* sri, sli */
	{ 0xdf80e400, 0x4f008400, DD_N, VECTOR },                        /* shrn2, sqshrn2 */
	{ 0x8f80e400, 0x0f00e400, D_N, ADD },                            /* scvtf, fcvtzs */
	{ 0x8f800400, 0x0f000400, D_N, VECTOR },                         /* shl, sshr */
	/* By an element: */
	{ 0xafc0b400, 0x0f800000, DD_NM, MULTIPLY },                     /* fmlal, fmlsl */
	{ 0xafc0b400, 0x2f808000, DD_NM, MULTIPLY },                     /* fmlal2, fmlsl2 */
	{ 0xaf00b400, 0x0f001000, DD_NM, MULTIPLY },                     /* fmla, fmls */
	{ 0xaf009400, 0x2f001000, DD_NM, MULTIPLY },                     /* fcmla */
	{ 0x8f00f400, 0x0f009000, D_NM, MULTIPLY },                      /* fmul */
	{ 0x8f008400, 0x0f000000, DD_NM, VECTOR },                       /* mla, smlal */
	{ 0x8f00e400, 0x0f00e000, DD_NM, VECTOR },                       /* sdot */
	{ 0xaf00f400, 0x2f00d000, DD_NM, VECTOR },                       /* sqrdmlah */
	{ 0, 0, D_NM, VECTOR },                                          /* mul, smull */
};
/* clang-format on */

/* What branches do, whatever their registers. */
static const uint8_t branch_operations[] = {
	[MS_TRACER_INSN_JUMP] = MS_WIRE_OP_BRANCH,
	[MS_TRACER_INSN_BRANCH] = MS_WIRE_OP_CONDITIONAL_BRANCH,
	[MS_TRACER_INSN_CALL] = MS_WIRE_OP_CALL,
	[MS_TRACER_INSN_INDIRECT_JUMP] = MS_WIRE_OP_INDIRECT_BRANCH,
	[MS_TRACER_INSN_INDIRECT_CALL] = MS_WIRE_OP_CALL,
	[MS_TRACER_INSN_RETURN] = MS_WIRE_OP_RETURN,
	[MS_TRACER_INSN_SYSCALL] = 0,
};

/* Number 31: a stack pointer or nothing. */
static uint32_t general(uint32_t number, bool may_be_sp)
{
	if (number < 31)
		return MS_WIRE_INTEGER_REGISTER + number;
	return may_be_sp ? SP : MS_WIRE_NO_REGISTER;
}

static uint32_t vector(uint32_t number)
{
	return MS_WIRE_VECTOR_REGISTER + number % 32;
}

/* The general registers that were not added before, as addresses or bases. */
static uint64_t add_general(uint64_t operands, uint32_t use, uint32_t def)
{
	for (; use != 0; use &= use - 1)
		operands =
			ms_wire_add_read(operands, general((uint32_t)__builtin_ctz(use), false), 0);
	for (; def != 0; def &= def - 1)
		operands = ms_wire_add_written(operands,
					       general((uint32_t)__builtin_ctz(def), false), 0);
	return operands;
}

/* --- loads and stores --- */

static uint64_t add_vector_data(uint64_t operands, uint32_t w, uint32_t first, uint32_t n)
{
	bool is_structure = (w & 0xbe000000) == 0x0c000000;
	bool is_lane = is_structure && BIT(w, 24) && BITS(w, 15, 14) != 3;

	for (uint32_t i = 0; i < n; i++) {
		if (!BIT(w, 22) || is_lane)
			operands = ms_wire_add_read(operands, vector(first + i), 0);
		if (BIT(w, 22))
			operands = ms_wire_add_written(operands, vector(first + i), 0);
	}
	return operands;
}

static uint64_t add_vectors_of_access(uint64_t operands, const struct ms_tracer_insn *in)
{
	uint32_t w = in->word, t = BITS(w, 4, 0);
	bool is_single = (w & 0x3a000000) == 0x38000000;

	if ((w & 0x3b000000) == 0x18000000)
		return ms_wire_add_written(operands, vector(t), 0);
	if (is_single) /* 128 bits have another bit for loads */
		return BITS(w, 23, 22) & 1 ? ms_wire_add_written(operands, vector(t), 0)
					   : ms_wire_add_read(operands, vector(t), 0);
	if ((w & 0x3a000000) == 0x28000000) {
		operands = add_vector_data(operands, w, t, 1);
		return add_vector_data(operands, w, BITS(w, 14, 10), 1);
	}
	return add_vector_data(operands, w, t, in->refs);
}

/* Whether it is an exclusive access, or one that reads and writes. */
static bool is_atomic(const struct ms_tracer_insn *in)
{
	return in->kind == MS_TRACER_INSN_EXCLUSIVE || in->kind == MS_TRACER_INSN_EXCLUSIVE_STORE ||
	       in->kind_other == MS_WIRE_MODIFY;
}

static uint64_t find_access(const struct ms_tracer_insn *in)
{
	uint32_t w = in->word, base = general(BITS(w, 9, 5), true), use = in->use, def = in->def;
	uint32_t writes_back = in->role[MS_TRACER_FIELD_N] & MS_TRACER_FIELD_WRITES;
	uint64_t operands = 0;

	if (in->kind == MS_TRACER_INSN_LITERAL)
		base = MS_WIRE_NO_REGISTER;
	operands = ms_wire_add_read(operands, base, in->refs != 0);
	if (in->mode == MS_TRACER_MODE_INDEX)
		operands =
			ms_wire_add_read(operands, general(BITS(w, 20, 16), false), in->refs != 0);
	if (writes_back)
		def &= ~ms_tracer_get_reg_bit(BITS(w, 9, 5));
	operands = add_general(operands, use, def);
	if (BIT(w, 26))
		operands = add_vectors_of_access(operands, in);
	if (writes_back)
		operands = ms_wire_add_written(operands, base, 1);
	return is_atomic(in) ? ms_wire_set_operation(operands, MS_WIRE_OP_ATOMIC) : operands;
}

/* --- everything else --- */

static const struct operand_row *find_row(uint32_t w)
{
	const struct operand_row *row = system_rows;

	switch (BITS(w, 28, 25)) {
	case 8:
	case 9:
		row = immediate_rows;
		break;
	case 5:
	case 13:
		row = register_rows;
		break;
	case 7:
	case 15:
		row = (w & 0x5e000000) == 0x1e000000 ? scalar_rows : vector_rows;
		break;
	default:
		break;
	}
	while ((w & row->mask) != row->value)
		row++;
	return row;
}

/*
 * Whether register m has four bits: elements of 16 bits are of the first 16 registers. fcmla is an
 * exception; fmlal and bfmlal have such elements, whatever their size field says.
 */
static bool has_short_element(uint32_t w)
{
	if ((w & 0x8f000400) != 0x0f000000 || (w & 0x50000000) == 0x10000000)
		return false;
	if ((w & 0x20009000) == 0x20001000)
		return false;
	return !BIT(w, 23) || (w & 0x20c0b000) == 0x00800000 || (w & 0x20c0b000) == 0x20808000 ||
	       (w & 0x2000f000) == 0x0000f000;
}

static uint64_t add_vectors(uint64_t operands, uint32_t w, uint32_t uses)
{
	bool short_element = has_short_element(w);
	uint32_t table = uses & READS_TABLE ? BITS(w, 14, 13) + 1 : 0;

	for (uint32_t i = 0; i < table; i++)
		operands = ms_wire_add_read(operands, vector(BITS(w, 9, 5) + i), 0);
	if (uses & READS_N)
		operands = ms_wire_add_read(operands, vector(BITS(w, 9, 5)), 0);
	if (uses & READS_M) /* a short element: of one of the first 16 registers */
		operands = ms_wire_add_read(
			operands, vector(short_element ? BITS(w, 19, 16) : BITS(w, 20, 16)), 0);
	if (uses & READS_A)
		operands = ms_wire_add_read(operands, vector(BITS(w, 14, 10)), 0);
	if (uses & READS_D)
		operands = ms_wire_add_read(operands, vector(BITS(w, 4, 0)), 0);
	if (uses & WRITES_D)
		operands = ms_wire_add_written(operands, vector(BITS(w, 4, 0)), 0);
	return operands;
}

uint64_t ms_tracer_find_operands(const struct ms_tracer_insn *in)
{
	uint32_t w = in->word;
	bool is_zero_block = in->refs != 0 && in->mode == MS_TRACER_MODE_ZERO;

	if ((BITS(w, 28, 25) & 5) == 4)
		return find_access(in);
	const struct operand_row *row = find_row(w);
	uint32_t uses = row->uses, operation = row->operation;
	uint64_t operands =
		is_zero_block ? ms_wire_add_read(0, general(BITS(w, 4, 0), false), 1) : 0;

	operands = add_general(operands, in->use, in->def);
	operands = add_vectors(operands, w, uses);
	if (uses & N_MAY_BE_SP)
		operands = ms_wire_add_read(operands, general(BITS(w, 9, 5), true), 0);
	if (uses & D_MAY_BE_SP)
		operands = ms_wire_add_written(operands, general(BITS(w, 4, 0), true), 0);
	if (uses & READS_FLAGS)
		operands = ms_wire_add_read(operands, MS_WIRE_FLAGS, 0);
	if (uses & WRITES_FLAGS)
		operands = ms_wire_add_written(operands, MS_WIRE_FLAGS, 0);
	if (in->kind >= MS_TRACER_INSN_JUMP && in->kind < MS_TRACER_INSN_SYSCALL)
		operation = branch_operations[in->kind];
	return ms_wire_set_operation(operands, operation);
}
