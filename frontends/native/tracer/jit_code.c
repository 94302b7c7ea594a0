/*
 * jit_code.c - code that the program generates at run time or may change: code of a just-in-time
 * compiler, or of a file that is mapped for writing or mapped twice.
 *
 * Such code is translated like any other, but from a copy. Its blocks compare the copy with memory
 * each time they are entered. So no change is missed, whatever its origin, and changed code is
 * translated again. The comparison would miss a change that a block makes to code later in the same
 * block. Therefore such blocks follow no branches, and end after an instruction that makes changes
 * visible (architectures require one, or a branch, between a change and its execution).
 *
 * A signal handler for such code may read registers that are dead according to the code (implicit
 * null checks). Therefore all registers count as live in it.
 */
#include "arch.h"
#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "tracer/arch_priv.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "tracer/signal_delivery.h"
#include "tracer/tracer.h"
#include "tracer/window.h"

enum { RANGES = 64, MOST_VERSIONS = 256 };

/* Address ranges of such code, from previous reads of /proc/self/maps. */
static struct jit_range {
	uint64_t start, end;
} ranges[RANGES];
static uint32_t next_range;

static uint8_t copy[MS_TRACER_MAX_INSNS * MS_TRACER_INSN_BYTES];
static uint64_t copy_pc, copy_bytes;

static bool is_known_range(uint64_t pc, uint64_t *end)
{
	for (uint32_t i = 0; i < RANGES; i++)
		if (pc >= ranges[i].start && pc < ranges[i].end) {
			*end = ranges[i].end;
			return true;
		}
	return false;
}

static bool find_range(uint64_t pc, uint64_t *end)
{
	uint64_t start, stable_end;
	bool found;

	if (ms_tracer_is_in_cache(pc) || ms_tracer_is_runtime_code(pc) ||
	    ms_maps_is_stable_code(pc, &start, &stable_end))
		return false;
	ms_runtime_lock(MS_RUNTIME_LOCK_JIT_CODE);
	found = is_known_range(pc, end);
	if (!found && ms_maps_find_code_range(pc, &start, end)) {
		ranges[next_range++ % RANGES] = (struct jit_range){ start, *end };
		found = true;
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_JIT_CODE);
	return found;
}

bool ms_tracer_is_jit_code(uint64_t pc)
{
	uint64_t end;

	return find_range(pc, &end);
}

bool ms_tracer_has_jit_code(uint64_t start, uint64_t size)
{
	for (uint32_t i = 0; i < RANGES; i++)
		if (ranges[i].start < start + size && ranges[i].end > start)
			return true;
	return false;
}

void ms_tracer_forget_jit_code(uint64_t start, uint64_t size)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_JIT_CODE);
	for (uint32_t i = 0; i < RANGES; i++)
		if (ranges[i].start < start + size && ranges[i].end > start)
			ranges[i] = (struct jit_range){ 0, 0 };
	ms_runtime_unlock(MS_RUNTIME_LOCK_JIT_CODE);
}

/* If process_vm_readv() is not permitted: page by page, after a check that each is readable. */
static uint64_t read_pages(uint64_t pc, uint64_t bytes)
{
	uint64_t n = 0;

	while (n < bytes &&
	       ms_signals_is_readable((pc + n) & ~(uint64_t)(MS_RUNTIME_PAGE_BYTES - 1))) {
		uint64_t rest = MS_RUNTIME_PAGE_BYTES - (pc + n) % MS_RUNTIME_PAGE_BYTES;

		rest = rest < bytes - n ? rest : bytes - n;
		ms_runtime_copy_bytes(copy + n, (const void *)(pc + n), rest);
		n += rest;
	}
	return n;
}

/* The kernel reads it, because the code may have been unmapped without a report. */
static uint64_t read_code(uint64_t pc, uint64_t bytes)
{
	enum { BAD_ADDRESS = -14 };
	uint64_t to[2] = { (uint64_t)copy, bytes }, from[2] = { pc, bytes };
	long got = ms_runtime_syscall(__NR_process_vm_readv,
				      ms_runtime_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0), (long)to,
				      1, (long)from, 1, 0);

	if (ms_runtime_is_error(got))
		return got == BAD_ADDRESS ? 0 : read_pages(pc, bytes);
	return (uint64_t)got;
}

/* An instruction may continue behind a mapping whose neighbour has other permissions, or had. */
static uint64_t end_of_next_range(uint64_t end)
{
	uint64_t start, next;

	if (find_range(end, &next) || ms_maps_is_stable_code(end, &start, &next))
		return next;
	return end;
}

bool ms_tracer_copy_jit_code(uint64_t pc)
{
	uint64_t end;

	copy_pc = pc;
	copy_bytes = 0;
	if (!find_range(pc, &end))
		return false;
	if (end - pc < MS_TRACER_INSN_BYTES)
		end = end_of_next_range(end);
	copy_bytes = read_code(pc, end - pc < sizeof(copy) ? end - pc : sizeof(copy));
	return copy_bytes != 0;
}

uint64_t ms_tracer_get_copied_bytes(uint64_t pc)
{
	return pc - copy_pc < copy_bytes ? copy_bytes - (pc - copy_pc) : 0;
}

const void *ms_tracer_get_code_bytes(uint64_t pc)
{
	return ms_tracer_get_copied_bytes(pc) != 0 ? copy + (pc - copy_pc) : (const uint8_t *)pc;
}

/* Branches to older versions of a block lead to the new one. */
static void replace(struct ms_tracer_block *old, struct ms_tracer_block *block)
{
	if (old->versions >= MOST_VERSIONS)
		return; /* branches reach the new block through C; a new count begins */
	block->versions = old->versions + 1;
	block->older = old;
	for (; old != NULL; old = old->older)
		ms_tracer_forward_to_version(old, block);
}

void ms_tracer_retranslate_jit_block(struct ms_runtime_thread *t, uint64_t key)
{
	struct ms_tracer_block *old, *block;
	uint64_t restarts;
	uint32_t why;

	ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
	old = ms_tracer_find_block(key);
	if (old != NULL && old->is_jit && !ms_runtime_are_locks_abandoned()) {
		restarts = ms_tracer_stats.restarts;
		ms_tracer_drop_block(old);
		ms_tracer_forget_ref_blocks();
		block = ms_tracer_translate_block(t, key, &why);
		if (block != NULL && restarts == ms_tracer_stats.restarts)
			replace(old, block);
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
}
