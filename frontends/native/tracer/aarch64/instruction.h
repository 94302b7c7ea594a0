/*
 * instruction.h - what the translator needs to know about one A64 instruction. It depends on no
 * machine: the decoder is tested wherever memspy is built.
 */
#ifndef MS_NATIVE_TRACER_AARCH64_INSTRUCTION_H
#define MS_NATIVE_TRACER_AARCH64_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

#include "thread_layout.h"

enum ms_tracer_insn_kind {
	MS_TRACER_INSN_PLAIN,     /* copied, with its references before it */
	MS_TRACER_INSN_ADDRESS,   /* adr, adrp: loads `target` */
	MS_TRACER_INSN_LITERAL,   /* loads what is at `target` */
	MS_TRACER_INSN_EXCLUSIVE, /* load-exclusive: begins a region that must stay together */
	MS_TRACER_INSN_EXCLUSIVE_STORE, /* and ends the region */
	MS_TRACER_INSN_JUMP,            /* direct */
	MS_TRACER_INSN_BRANCH,          /* direct, conditional */
	MS_TRACER_INSN_CALL,            /* direct */
	MS_TRACER_INSN_INDIRECT_JUMP,
	MS_TRACER_INSN_INDIRECT_CALL,
	MS_TRACER_INSN_RETURN,
	MS_TRACER_INSN_SYSCALL,
	MS_TRACER_INSN_REQUEST, /* include/memspy.h */
	MS_TRACER_INSN_UNKNOWN, /* the window ends before it */
};

/* Fields of a word that name general registers: at bits 0, 5, 10 and 16. */
enum {
	MS_TRACER_FIELD_T,
	MS_TRACER_FIELD_N,
	MS_TRACER_FIELD_T2,
	MS_TRACER_FIELD_M,
	MS_TRACER_FIELD_COUNT
};
enum { MS_TRACER_FIELD_READS = 1, MS_TRACER_FIELD_WRITES = 2, MS_TRACER_FIELD_READS_WRITES = 3 };

enum ms_tracer_address_mode {
	MS_TRACER_MODE_OFFSET, /* register n and `offset` */
	MS_TRACER_MODE_INDEX,  /* register n and register m, extended and shifted */
	MS_TRACER_MODE_ZERO,   /* the block of memory that register t points into */
};

struct ms_tracer_insn {
	uint64_t pc;
	uint64_t target; /* of a direct branch, MS_TRACER_INSN_ADDRESS, MS_TRACER_INSN_LITERAL */
	uint32_t word;
	uint32_t use, def; /* a bit for each of x0 to x30 */
	int32_t offset;
	uint8_t kind;                        /* enum ms_tracer_insn_kind */
	uint8_t why;                         /* MS_TRACER_INSN_UNKNOWN: enum ms_tracer_end_reason */
	uint8_t role[MS_TRACER_FIELD_COUNT]; /* 0: no general register */
	uint8_t mode;                        /* enum ms_tracer_address_mode */
	uint8_t extend, shift;               /* MS_TRACER_MODE_INDEX */
	uint8_t refs;                        /* at the address, and at distances of `step` bytes */
	uint8_t step;
	uint8_t size;
	uint8_t kind_first, kind_other; /* enum ms_wire_ref_kind */
};

enum { MS_TRACER_ALL_REGS = 0x7fffffff };

static inline uint32_t ms_tracer_get_reg_bit(uint32_t reg)
{
	return reg < 31 ? 1u << reg : 0;
}

static inline bool ms_tracer_uses_thread_register(const struct ms_tracer_insn *in)
{
	return (in->use | in->def) >> MS_TRACER_THREAD_REGISTER & 1;
}

static const uint8_t ms_tracer_field_shifts[MS_TRACER_FIELD_COUNT] = { 0, 5, 10, 16 };

/* The bytes that dc zva clears, a power of two; recorded as at most eight references of at most 64
 * bytes. */
extern uint32_t ms_tracer_zero_block_bytes;
enum { MS_TRACER_MAX_ZERO_BLOCK = 512 };

/*
 * one_processor: an atomic instruction is a read and a modify, as the Valgrind tool records them.
 */
void ms_tracer_decode_word(struct ms_tracer_insn *in, uint64_t pc, uint32_t word,
			   bool one_processor);

/* The registers that it reads and writes, and its operation: a word of wire/operands.h. */
uint64_t ms_tracer_find_operands(const struct ms_tracer_insn *in);

#endif
