/*
 * insn.h - what the translator needs to know about one A64 instruction. It depends on no machine:
 * the decoder is tested wherever memspy is built.
 */
#ifndef MS_A64_INSN_H
#define MS_A64_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

#include "layout.h"

enum ms_insn_kind {
	MS_PLAIN,           /* copied, with its references before it */
	MS_ADDRESS,         /* adr, adrp: loads `target` */
	MS_LITERAL,         /* loads what is at `target` */
	MS_EXCLUSIVE,       /* load-exclusive: begins a region that must stay together */
	MS_EXCLUSIVE_STORE, /* and ends the region */
	MS_JUMP,            /* direct */
	MS_BRANCH,          /* direct, conditional */
	MS_CALL,            /* direct */
	MS_INDIRECT_JUMP,
	MS_INDIRECT_CALL,
	MS_RETURN,
	MS_SYSCALL,
	MS_REQUEST, /* include/memspy.h */
	MS_UNKNOWN, /* the window ends before it */
};

/* Fields of a word that name general registers: at bits 0, 5, 10 and 16. */
enum { MS_FIELD_T, MS_FIELD_N, MS_FIELD_T2, MS_FIELD_M, MS_FIELDS };
enum { MS_READS = 1, MS_WRITES = 2, MS_BOTH = 3 };

enum ms_mode {
	MS_MODE_OFFSET, /* register n and `offset` */
	MS_MODE_INDEX,  /* register n and register m, extended and shifted */
	MS_MODE_ZERO,   /* the block of memory that register t points into */
};

struct ms_insn {
	uint64_t pc;
	uint64_t target; /* of a direct branch, MS_ADDRESS, MS_LITERAL */
	uint32_t word;
	uint32_t use, def; /* a bit for each of x0 to x30 */
	int32_t offset;
	uint8_t kind;            /* enum ms_insn_kind */
	uint8_t why;             /* MS_UNKNOWN: enum ms_tracer_end */
	uint8_t role[MS_FIELDS]; /* 0: no general register */
	uint8_t mode;            /* enum ms_mode */
	uint8_t extend, shift;   /* MS_MODE_INDEX */
	uint8_t refs;            /* at the address, and at distances of `step` bytes */
	uint8_t step;
	uint8_t size;
	uint8_t kind_first, kind_other; /* enum ms_wire_ref_kind */
};

enum { MS_ALL_REGS = 0x7fffffff };

static inline uint32_t ms_reg_bit(uint32_t reg)
{
	return reg < 31 ? 1u << reg : 0;
}

static inline bool ms_uses_ours(const struct ms_insn *in)
{
	return (in->use | in->def) >> MS_OURS & 1;
}

static const uint8_t ms_field_at[MS_FIELDS] = { 0, 5, 10, 16 };

/* The bytes that dc zva clears, a power of two; recorded as at most eight references of at most 64
 * bytes. */
extern uint32_t ms_zero_bytes;
enum { MS_ZERO_MOST = 512 };

/*
 * one_processor: an atomic instruction is a read and a modify, as the Valgrind tool records them.
 */
void ms_decode_word(struct ms_insn *in, uint64_t pc, uint32_t word, bool one_processor);

#endif
