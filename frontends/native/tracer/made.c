/*
 * made.c - code that the program generates at run time or may change: code of a just-in-time
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
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "tracer.h"
#include "tracer/arch_priv.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "tracer/signal_delivery.h"
#include "tracer/window.h"

enum { RANGES = 64, MOST_VERSIONS = 256 };

/* Address ranges of such code, from previous reads of /proc/self/maps. */
static struct range {
	uint64_t start, end;
} ranges[RANGES];
static uint32_t next_range;

static uint8_t copy[MS_MAX_INSNS * MS_INSN_BYTES];
static uint64_t copy_pc, copy_bytes;

static bool is_known(uint64_t pc, uint64_t *end)
{
	for (uint32_t i = 0; i < RANGES; i++)
		if (pc >= ranges[i].start && pc < ranges[i].end) {
			*end = ranges[i].end;
			return true;
		}
	return false;
}

static bool find(uint64_t pc, uint64_t *end)
{
	uint64_t start, stable_end;
	bool found;

	if (ms_cache_holds(pc) || ms_window_is_ours(pc) ||
	    ms_maps_is_stable(pc, &start, &stable_end))
		return false;
	ms_lock(MS_LOCK_MADE);
	found = is_known(pc, end);
	if (!found && ms_maps_code(pc, &start, end)) {
		ranges[next_range++ % RANGES] = (struct range){ start, *end };
		found = true;
	}
	ms_unlock(MS_LOCK_MADE);
	return found;
}

bool ms_made_holds(uint64_t pc)
{
	uint64_t end;

	return find(pc, &end);
}

bool ms_made_is_in(uint64_t start, uint64_t size)
{
	for (uint32_t i = 0; i < RANGES; i++)
		if (ranges[i].start < start + size && ranges[i].end > start)
			return true;
	return false;
}

void ms_made_forget(uint64_t start, uint64_t size)
{
	ms_lock(MS_LOCK_MADE);
	for (uint32_t i = 0; i < RANGES; i++)
		if (ranges[i].start < start + size && ranges[i].end > start)
			ranges[i] = (struct range){ 0, 0 };
	ms_unlock(MS_LOCK_MADE);
}

/* If process_vm_readv() is not permitted: page by page, after a check that each is readable. */
static uint64_t read_pages(uint64_t pc, uint64_t bytes)
{
	uint64_t n = 0;

	while (n < bytes && ms_signals_can_read((pc + n) & ~(uint64_t)(MS_PAGE - 1))) {
		uint64_t rest = MS_PAGE - (pc + n) % MS_PAGE;

		rest = rest < bytes - n ? rest : bytes - n;
		ms_copy(copy + n, (const void *)(pc + n), rest);
		n += rest;
	}
	return n;
}

/* The kernel reads it, because the code may have been unmapped without a report. */
static uint64_t read_code(uint64_t pc, uint64_t bytes)
{
	enum { BAD_ADDRESS = -14 };
	uint64_t to[2] = { (uint64_t)copy, bytes }, from[2] = { pc, bytes };
	long got = ms_sys(__NR_process_vm_readv, ms_sys(__NR_getpid, 0, 0, 0, 0, 0, 0), (long)to, 1,
			  (long)from, 1, 0);

	if (ms_failed(got))
		return got == BAD_ADDRESS ? 0 : read_pages(pc, bytes);
	return (uint64_t)got;
}

bool ms_made_take(uint64_t pc)
{
	uint64_t end;

	copy_pc = pc;
	copy_bytes = 0;
	if (find(pc, &end))
		copy_bytes = read_code(pc, end - pc < sizeof(copy) ? end - pc : sizeof(copy));
	return copy_bytes != 0;
}

uint64_t ms_made_bytes(uint64_t pc)
{
	return pc - copy_pc < copy_bytes ? copy_bytes - (pc - copy_pc) : 0;
}

const void *ms_made_code(uint64_t pc)
{
	return ms_made_bytes(pc) != 0 ? copy + (pc - copy_pc) : (const uint8_t *)pc;
}

/* Branches to older versions of a block lead to the new one. */
static void replace(struct ms_block *old, struct ms_block *block)
{
	if (old->versions >= MOST_VERSIONS)
		return; /* branches reach the new block through C; a new count begins */
	block->versions = old->versions + 1;
	block->older = old;
	for (; old != NULL; old = old->older)
		ms_emit_forward(old, block);
}

void ms_made_changed(struct ms_thread *t, uint64_t key)
{
	struct ms_block *old, *block;
	uint64_t restarts;
	uint32_t why;

	ms_lock(MS_LOCK_TRACER);
	old = ms_cache_find(key);
	if (old != NULL && old->made && !ms_lock_is_abandoned()) {
		restarts = ms_tracer_stats.restarts;
		ms_cache_drop(old);
		ms_block_forget();
		block = ms_translate(t, key, &why);
		if (block != NULL && restarts == ms_tracer_stats.restarts)
			replace(old, block);
	}
	ms_unlock(MS_LOCK_TRACER);
}
