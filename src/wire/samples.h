/*
 * wire/samples.h - samples of the real machine.
 *
 * Freestanding, like wire.h, which includes it.
 */
#ifndef MS_WIRE_SAMPLES_H
#define MS_WIRE_SAMPLES_H

#include "wire/version.h"

enum {
	MS_WIRE_SAMPLE_REGS = 32,  /* at most */
	MS_WIRE_SAMPLE_CODE = 256, /* bytes before pc, and likewise after it, at most */
	/* Flags: */
	MS_WIRE_SAMPLE_IN_HEAP = 1, /* inside a call of the allocator */
	MS_WIRE_SAMPLE_WATCHED = 2, /* the next execution of what it waited for is reported */
	MS_WIRE_SAMPLE_LEARNT = 4,  /* this is that report: pc is about to be executed */
	MS_WIRE_SAMPLE_TICK = 8,    /* the clock has the resolution of the scheduler's ticks */
	MS_WIRE_SAMPLE_KERNEL = 16, /* `lost` samples in the kernel, without registers and code */
	MS_WIRE_SAMPLE_FAULT = 32,  /* `lost` page faults, the last by the instruction at pc; their
				       time is estimated */
};

/*
 * The reader may request the registers before an instruction, if a load overwrites its own address
 * register: for samples that stop at `stop`, it requests the next execution of `site`. Requests
 * are at MS_WIRE_WANTED_AT of the file, each at one of the MS_WIRE_WANTED_NEAR slots from
 * ms_wire_wanted_at() on. `stop` is 0 in an empty slot, and is written last.
 */
struct ms_wire_wanted {
	uint64_t stop;
	uint64_t site;
};

enum { MS_WIRE_WANTED_AT = 2048, MS_WIRE_WANTED = 64, MS_WIRE_WANTED_NEAR = 4 };

static inline uint32_t ms_wire_wanted_at(uint64_t stop)
{
	return (uint32_t)((stop * UINT64_C(0x9e3779b97f4a7c15)) >> 58) % MS_WIRE_WANTED;
}

/*
 * The state of a thread when a timer stopped it. Followed by the general registers, in the order
 * of their numbers (x86-64: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 ...; aarch64: x0 to x30,
 * sp), then by the code before and after pc, padded with zeros to a whole word.
 */
struct ms_wire_sample {
	uint64_t pc;
	uint64_t nanoseconds; /* of processor time that it represents */
	uint64_t thread_pointer;
	uint32_t lost; /* samples of the thread since the last one that could not be written */
	uint32_t cost; /* mean nanoseconds that a sample costs the thread */
	uint16_t regs;
	uint16_t before; /* bytes of code */
	uint16_t after;
	uint16_t flags;
};

MS_WIRE_ASSERT(sizeof(struct ms_wire_sample) == 40);
MS_WIRE_ASSERT(MS_WIRE_WANTED_AT +
		       (MS_WIRE_WANTED + MS_WIRE_WANTED_NEAR) * sizeof(struct ms_wire_wanted) <=
	       MS_WIRE_LANES_AT);

#endif
