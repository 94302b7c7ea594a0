/* instruction.h - what the translator needs to know about one instruction. */
#ifndef MS_NATIVE_TRACER_X86_64_INSTRUCTION_H
#define MS_NATIVE_TRACER_X86_64_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, NO_REG };
enum { CONSTANT = 17 }; /* as the base of a reference: the address is in struct ms_tracer_insn */

enum ms_tracer_insn_kind {
	MS_TRACER_INSN_PLAIN,
	MS_TRACER_INSN_REP,      /* a string instruction with a repeat prefix */
	MS_TRACER_INSN_COMPUTED, /* C computes its references */
	MS_TRACER_INSN_JUMP,     /* direct */
	MS_TRACER_INSN_BRANCH,   /* direct, conditional */
	MS_TRACER_INSN_LOOP,     /* likewise, on rcx */
	MS_TRACER_INSN_CALL,     /* direct */
	MS_TRACER_INSN_INDIRECT_JUMP,
	MS_TRACER_INSN_INDIRECT_CALL,
	MS_TRACER_INSN_RETURN,
	MS_TRACER_INSN_SYSCALL,
	MS_TRACER_INSN_REQUEST, /* include/memspy.h */
	MS_TRACER_INSN_UNKNOWN, /* the window ends before it; struct ms_tracer_insn has the reason
				 */
};

/* The address of one reference. */
struct ms_tracer_memory_ref {
	int32_t disp;
	uint16_t size;
	uint8_t kind;               /* enum ms_wire_ref_kind */
	uint8_t base, index, scale; /* index may be NO_REG, base also CONSTANT */
	bool fs;
};

enum ms_tracer_computed_kind {
	MS_TRACER_COMPUTED_NARROW = 1,
	MS_TRACER_COMPUTED_BITS,
	MS_TRACER_COMPUTED_ELEMENTS
};

enum { MS_TRACER_INSN_REFS = 3 };

struct ms_tracer_insn {
	uint64_t pc;
	uint64_t target;   /* of a direct branch; the address of a RIP-relative operand */
	uint64_t operands; /* its registers and operation: a word of wire/operands.h */
	uint16_t use,
		def; /* general registers that are read; that are overwritten whatever comes */
	uint16_t flags_use, flags_def;
	uint16_t pops; /* MS_TRACER_INSN_RETURN: bytes it removes after the return address */
	uint8_t kind;  /* enum ms_tracer_insn_kind */
	uint8_t why;   /* MS_TRACER_INSN_UNKNOWN: enum ms_tracer_end_reason */
	uint8_t length;
	uint8_t condition; /* MS_TRACER_INSN_BRANCH: the processor's encoding */
	uint8_t refs;
	uint8_t rip_modrm;     /* offset of the ModRM byte of a RIP-relative operand; 0: none */
	uint8_t loads_address; /* lea of such an operand: into this register, or NO_REG */
	uint8_t indirect; /* MS_TRACER_INSN_INDIRECT_*: through this register, or NO_REG: ref[0] */
	uint8_t rep_size, rep_prefix_at;
	bool rep_compares;
	/* MS_TRACER_INSN_COMPUTED: see computed_addresses.c */
	uint8_t slow;                             /* enum ms_tracer_computed_kind */
	uint8_t elements;                         /* number of references like ref[0] */
	uint8_t vector, index_size, vector_scale; /* a vector of indexes, if these have a size;
						     MS_TRACER_COMPUTED_BITS: a register */
	uint8_t mask;
	bool mask_is_k;
	struct ms_tracer_memory_ref ref[MS_TRACER_INSN_REFS];
};

enum { MS_TRACER_ALL_FLAGS = 0x8d5 };

/* Code with std was decoded: string instructions may run downwards. */
extern bool ms_tracer_saw_std;
/* The instruction at pc. */
const struct ms_tracer_insn *ms_tracer_decode_insn(uint64_t pc);
void ms_tracer_start_decoder(void);
/* Whether the processor has pext (BMI2). */
extern bool ms_tracer_has_pext;

/* struct ms_tracer_insn.operands, from the decoder's structs. */
struct ZydisDecodedInstruction_;
struct ZydisDecodedOperand_;
uint64_t ms_tracer_find_operands(const struct ZydisDecodedInstruction_ *z,
				 const struct ZydisDecodedOperand_ *op);

#endif
