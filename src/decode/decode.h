/*
 * decode/decode.h - which load or store a stopped thread had waited for, and where that went.
 *
 * An interrupt is taken when the oldest instruction under way is done: a thread that is stopped by
 * a timer stands right behind the instruction that it waited for. So the code in front of pc is
 * decoded backwards to it, and its address is computed from the registers, as far as it has left
 * them as they were.
 *
 * Knowingly left out: a processor that stops elsewhere (those that take interrupts in front of what
 * is under way); what was waited for behind an indirect branch or a return; stores, which wait
 * after they are done, so that time is found at whatever comes when the store buffer is full.
 */
#ifndef MS_DECODE_DECODE_H
#define MS_DECODE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Code around the place where a thread was stopped. */
struct ms_code_around {
	uint64_t pc;
	const uint8_t *bytes; /* those in front of pc first */
	uint32_t before, behind;
	uint64_t entry; /* of the function, where that is known; else 0 */
};

enum { MS_NO_REGISTER = -1 };
/* Of the index only the lower half counts. */
enum ms_narrow { MS_INDEX_WHOLE, MS_INDEX_UNSIGNED, MS_INDEX_SIGNED };

/* A place in memory, by general registers. */
struct ms_operand {
	uint64_t constant;
	int8_t base, index; /* MS_NO_REGISTER: none */
	uint8_t scale;
	uint8_t narrow; /* enum ms_narrow */
	uint8_t size;
	int8_t stride;   /* in each turn of a loop it goes on by so many bytes; 0: not known */
	uint8_t kind;    /* 0: read, 1: written, 2: both; as enum ms_wire_ref_kind has them */
	bool thread;     /* relative to the thread pointer */
	bool elements;   /* several places: the base is all that is known of them */
	bool base_lost;  /* overwritten by the instruction itself, or by one behind it */
	bool index_lost; /* likewise */
	bool base_left;  /* it was overwritten by what was loaded from there */
};

enum ms_stop {
	MS_STOP_BEHIND,  /* right behind a load or a store */
	MS_STOP_USER,    /* right behind the first that uses what was loaded */
	MS_STOP_COMPUTE, /* behind none */
	MS_STOP_KERNEL,  /* behind a system call */
	MS_STOP_UNKNOWN, /* the code in front of pc makes no sense */
	MS_STOPS,
};

/* The same for every sample with this pc. */
struct ms_stopped {
	enum ms_stop stop;
	uint64_t site; /* BEHIND and USER: the load or store; else pc */
	struct ms_operand operand;
	/* Where it computes with what another load has brought, and both go through memory in
	 * order: that other one. Else its stride is 0. */
	struct ms_operand other;
};

void ms_decode_stop(const struct ms_code_around *code, struct ms_stopped *stopped);

/* The instruction at pc itself, which is about to be executed; false: it refers to no memory. */
bool ms_decode_here(const struct ms_code_around *code, struct ms_stopped *stopped);

enum ms_address {
	MS_ADDRESS_SURE,  /* computed */
	MS_ADDRESS_LEFT,  /* by what the load has left behind: where a chain of pointers goes on */
	MS_ADDRESS_ABOUT, /* near it: where an array begins */
	MS_ADDRESS_NONE,
};

/* Where the reference of a sample went. regs: in the order of their numbers. */
enum ms_address ms_decode_address(const struct ms_stopped *stopped, const uint64_t *regs, size_t n,
				  uint64_t thread_pointer, uint64_t *address);

enum { MS_DECODE_LINE = 64 }; /* bytes of a cache line, wherever memspy runs */

/*
 * Of a loop that goes through memory in order: whether the turn before has touched all of the
 * lines that the reference touches. Then it has not waited.
 */
bool ms_decode_was_there(const struct ms_operand *operand, uint64_t address);
/* Whether the other reference comes to new lines at the same time: which one was waited for, if
 * any, cannot be told. False where there is no other. */
bool ms_decode_goes_along(const struct ms_stopped *stopped, const uint64_t *regs, size_t n,
			  uint64_t thread_pointer, uint64_t address);

/*
 * Whether the reference is to a variable of the function that runs, which lies near the stack
 * pointer: those are in the first-level cache, and who stands behind such a reference has computed.
 */
bool ms_decode_is_local(const struct ms_stopped *stopped, const uint64_t *regs, size_t n,
			uint64_t address);
/* The version of Zydis; NULL where instructions are decoded without it. */
const char *ms_decode_library(void);

#endif
