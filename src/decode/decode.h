/*
 * decode/decode.h - finds the load or store that a stopped thread has waited for, and its address.
 *
 * The processor takes an interrupt when the oldest instruction in flight retires. So a thread that
 * a timer stops is stopped directly after the instruction that it waited for. The code before pc is
 * decoded backwards to find this instruction. Its address is computed from the registers, as far as
 * the instruction has not overwritten them.
 *
 * Not supported: processors that take interrupts before the instructions in flight; an instruction
 * that an indirect branch or a return separates from pc; stores, which wait after they retire, so
 * that their time is found at whatever instruction runs when the store buffer is full.
 */
#ifndef MS_DECODE_DECODE_H
#define MS_DECODE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code around the instruction at which a thread was stopped. */
struct ms_decode_code_around {
	uint64_t pc;
	const uint8_t *bytes; /* first the bytes before pc */
	uint32_t before, after;
	uint64_t entry; /* of the function; 0: not known */
};

enum { MS_NO_REGISTER = -1 };
/* Only the lower half of the index register is used, zero- or sign-extended. */
enum ms_decode_narrow_register { MS_INDEX_WHOLE, MS_INDEX_UNSIGNED, MS_INDEX_SIGNED };

/* A memory operand, in terms of general registers. */
struct ms_decode_operand {
	uint64_t constant;
	int8_t base, index; /* MS_NO_REGISTER: none */
	uint8_t scale;
	uint8_t narrow; /* enum ms_decode_narrow_register */
	uint8_t size;
	/* Bytes it advances in each iteration of a loop, if less than a line; 0: not known. */
	int8_t stride;
	bool strides_far;       /* it advances by a line or more */
	int8_t stride_register; /* it advances by the value of this one; else MS_NO_REGISTER */
	uint8_t stride_scale;   /* of that value */
	uint8_t kind;    /* 0: read, 1: written, 2: both; as enum ms_wire_ref_kind has them */
	bool thread;     /* relative to the thread pointer */
	bool elements;   /* several addresses, of which only the base is known */
	bool base_lost;  /* overwritten by the instruction itself, or by a later one */
	bool index_lost; /* likewise */
	bool base_left;  /* overwritten by the value that was loaded from there */
};

enum ms_decode_stop_reason {
	MS_STOP_AFTER_ACCESS, /* directly after a load or a store */
	MS_STOP_AFTER_USE,    /* directly after the first use of a loaded value */
	MS_STOP_COMPUTE,      /* after neither of them */
	MS_STOP_KERNEL,       /* after a system call */
	MS_STOP_UNKNOWN,      /* the code before pc cannot be decoded */
	MS_STOPS,
};

/*
 * The innermost loop around an instruction: the time of one iteration if all data is in the
 * first-level cache.
 */
struct ms_decode_loop {
	uint64_t begin; /* its first instruction; 0: no loop was found */
	uint32_t instructions;
	uint32_t
		recurrence; /* cycles from one iteration to the next along dependent instructions */
	bool chained; /* the address of the load in question depends on its own previous value, or
			 on that of another such load */
};

/* Equal for every sample with this pc. */
struct ms_decode_stopped_thread {
	enum ms_decode_stop_reason stop;
	uint64_t site; /* AFTER_ACCESS and AFTER_USE: the load or store; otherwise pc */
	struct ms_decode_operand operand;
	/*
	 * If the instruction computes with the value of another load, and both go through memory
	 * sequentially: the operand of that load. Otherwise its stride is 0.
	 */
	struct ms_decode_operand other;
	struct ms_decode_loop loop; /* of the load or store; otherwise of pc */
};

void ms_decode_stop(const struct ms_decode_code_around *code,
		    struct ms_decode_stopped_thread *stopped);

/* Decodes the instruction at pc, which is about to execute; false: it does not access memory. */
bool ms_decode_here(const struct ms_decode_code_around *code,
		    struct ms_decode_stopped_thread *stopped);

enum ms_decode_address_form {
	MS_ADDRESS_SURE,  /* computed */
	MS_ADDRESS_LEFT,  /* from the loaded value: the next element of a linked list */
	MS_ADDRESS_ABOUT, /* approximate: where an array begins */
	MS_ADDRESS_NONE,
};

/* The address that the sample's reference accessed. regs: in the order of register numbers. */
enum ms_decode_address_form ms_decode_address(const struct ms_decode_stopped_thread *stopped,
					      const uint64_t *regs, size_t n,
					      uint64_t thread_pointer, uint64_t *address);

enum { MS_DECODE_LINE = 64 }; /* bytes of a cache line on all supported processors */

/*
 * Bytes by which the operand advances in each iteration of its loop, also by the value of a
 * register; 0: not known.
 */
int64_t ms_decode_stride(const struct ms_decode_operand *operand, const uint64_t *regs, size_t n);

/*
 * For a loop that goes through memory sequentially: whether the previous iteration has touched all
 * lines that the reference touches. Then the thread has not waited for it.
 */
bool ms_decode_was_there(const struct ms_decode_operand *operand, uint64_t address);
/*
 * Whether the other reference reaches new lines at the same time. Then it is ambiguous which of the
 * two the thread waited for, if any. False if there is no other reference.
 */
bool ms_decode_goes_along(const struct ms_decode_stopped_thread *stopped, const uint64_t *regs,
			  size_t n, uint64_t thread_pointer, uint64_t address);

/*
 * Whether the reference accesses a local variable of the running function, near the stack pointer.
 * Local variables are in the first-level cache, so a thread that is stopped after such a reference
 * has computed, not waited.
 */
bool ms_decode_is_local(const struct ms_decode_stopped_thread *stopped, const uint64_t *regs,
			size_t n, uint64_t address);
/* The version of Zydis; NULL where the decoder does not use it. */
const char *ms_decode_library(void);

#endif
