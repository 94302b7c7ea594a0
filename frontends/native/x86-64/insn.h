/* insn.h - what the translator needs to know about one instruction. */
#ifndef MS_X86_INSN_H
#define MS_X86_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, NO_REG };
enum { CONSTANT = 17 }; /* as the base of a reference: the address is in struct ms_insn */

enum ms_insn_kind {
	MS_PLAIN,
	MS_REP,    /* a string instruction with a repeat prefix */
	MS_SLOW,   /* C computes its references */
	MS_JUMP,   /* direct */
	MS_BRANCH, /* direct, conditional */
	MS_LOOP,   /* likewise, on rcx */
	MS_CALL,   /* direct */
	MS_INDIRECT_JUMP,
	MS_INDIRECT_CALL,
	MS_RETURN,
	MS_SYSCALL,
	MS_REQUEST, /* include/memspy.h */
	MS_UNKNOWN, /* the window ends before it; struct ms_insn has the reason */
};

/* The address of one reference. */
struct ms_where {
	int32_t disp;
	uint16_t size;
	uint8_t kind;               /* enum ms_wire_ref_kind */
	uint8_t base, index, scale; /* index may be NO_REG, base also CONSTANT */
	bool fs;
};

enum ms_slow_kind { MS_SLOW_NARROW = 1, MS_SLOW_BITS, MS_SLOW_ELEMENTS };

enum { MS_INSN_REFS = 3 };

struct ms_insn {
	uint64_t pc;
	uint64_t target; /* of a direct branch; the address of a RIP-relative operand */
	uint16_t use,
		def; /* general registers that are read; that are overwritten whatever comes */
	uint16_t flags_use, flags_def;
	uint16_t pops; /* MS_RETURN: bytes it removes after the return address */
	uint8_t kind;  /* enum ms_insn_kind */
	uint8_t why;   /* MS_UNKNOWN: enum ms_tracer_end */
	uint8_t length;
	uint8_t condition; /* MS_BRANCH: the processor's encoding */
	uint8_t refs;
	uint8_t rip_modrm;     /* offset of the ModRM byte of a RIP-relative operand; 0: none */
	uint8_t loads_address; /* lea of such an operand: into this register, or NO_REG */
	uint8_t indirect;      /* MS_INDIRECT_*: through this register, or NO_REG: ref[0] */
	uint8_t rep_size, rep_prefix_at;
	bool rep_compares;
	/* MS_SLOW: see slow.c */
	uint8_t slow;                             /* enum ms_slow_kind */
	uint8_t elements;                         /* number of references like ref[0] */
	uint8_t vector, index_size, vector_scale; /* a vector of indexes, if these have a size;
						     MS_SLOW_BITS: a register */
	uint8_t mask;
	bool mask_is_k;
	struct ms_where ref[MS_INSN_REFS];
};

enum { MS_FLAGS = 0x8d5 };

/* Code with std was decoded: string instructions may run downwards. */
extern bool ms_decode_saw_std;
/* The instruction at pc. */
const struct ms_insn *ms_decode(uint64_t pc);
void ms_decode_start(void);

#endif
