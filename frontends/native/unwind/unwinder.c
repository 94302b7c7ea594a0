/*
 * unwinder.c - finds the caller: computes the caller's registers from a function's registers.
 *
 * What the unwind tables contain for a pc is cached in a small table per thread, so that the common
 * step is a look-up, an addition and a few loads. Where there are no tables, frame pointers are
 * tried.
 */
#include "unwind/unwinder.h"

#include "callee_saved.h"
#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "unwind/dwarf_cfi.h"
#include "unwind/path_cache.h"
#include "unwind/unwind.h"

/* A row of the tables, if it is of the common kind. */
struct ms_unwind_cached_step {
	uint64_t pc; /* with which it was looked up: a return address less 1 */
	uint32_t generation;
	int32_t offset;
	uint8_t base;   /* DWARF's number of a register; or: */
	uint16_t saved; /* the callee-saved registers that are saved, a bit for each */
	int16_t pc_at;  /* offset of the return address from the frame's address ... */
	int16_t fp_at;  /* ... of the frame pointer, if it is saved ... */
	int16_t at[MS_UNWIND_CALLEE_SAVED_COUNT]; /* ... and these registers */
};
enum {
	OUTERMOST = 0xfd, /* it has no caller */
	BY_TABLES = 0xfe, /* the row is of another kind */
	NO_TABLE = 0xff,  /* there is none */
};

enum { STEPS = 8192 };
/* Of a saved register below the frame's address: functions with large arrays have large frames. */
enum { MOST_DISTANCE = 32768 };

static const uint8_t callee_saved_regs[MS_UNWIND_CALLEE_SAVED_COUNT] = MS_UNWIND_CALLEE_SAVED_REGS;

static uint32_t generation = 1;

void ms_unwind_invalidate_caches(void)
{
	__atomic_add_fetch(&generation, 1, __ATOMIC_SEQ_CST);
	ms_unwind_clear_path_caches();
}

uint32_t ms_unwind_get_generation(void)
{
	return __atomic_load_n(&generation, __ATOMIC_SEQ_CST);
}

/* --- reading the stack --- */

/* Reads any memory of the process: as slow as a system call, but it cannot fault. */
static bool read_any(uint64_t at, uint64_t *word)
{
	uint64_t local[2] = { (uint64_t)word, 8 }, remote[2] = { at, 8 };
	long pid = ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);

	return ms_runtime_syscall(__NR_process_vm_readv, pid, (long)local, 1, (long)remote, 1, 0) ==
	       8;
}

static bool read_word(const struct ms_runtime_thread *t, uint64_t at, uint64_t *word)
{
	if (at - t->stack < t->stack_end - t->stack - 7 && at >= t->stack) {
		*word = *(const uint64_t *)at;
		return true;
	}
	return read_any(at, word);
}

/* --- a step by the tables themselves --- */

static bool rule_value(const struct ms_runtime_thread *t, const struct ms_unwind_cfi_rule *rule,
		       uint64_t frame, const uint64_t *regs, uint64_t old, uint64_t *value,
		       uint64_t *slot)
{
	*slot = 0;
	switch (rule->how) {
	case MS_UNWIND_CFI_OFFSET:
		*slot = frame + (uint64_t)(int64_t)rule->offset;
		return read_word(t, *slot, value);
	case MS_UNWIND_CFI_VALUE:
		*value = frame + (uint64_t)(int64_t)rule->offset;
		return true;
	case MS_UNWIND_CFI_EXPRESSION:
		*slot = ms_unwind_evaluate_expression(rule->expression, regs, frame, read_any);
		return *slot != 0 && read_word(t, *slot, value);
	case MS_UNWIND_CFI_REGISTER:
		*value = regs[rule->offset % MS_UNWIND_CFI_REGS];
		return true;
	case MS_UNWIND_CFI_UNDEFINED:
		*value = 0;
		return true;
	default:
		*value = old;
		return true;
	}
}

static bool step_by_tables(const struct ms_runtime_thread *t, const struct ms_unwind_cfi_row *row,
			   struct ms_unwind_walk *w)
{
	uint64_t frame =
		row->base >= 0
			? w->regs[row->base % MS_UNWIND_CFI_REGS] + (uint64_t)row->offset
			: ms_unwind_evaluate_expression(row->expression, w->regs, 0, read_any);
	uint64_t next[MS_UNWIND_CFI_REGS], slot;

	if (frame == 0)
		return false;
	for (uint32_t i = 0; i < MS_UNWIND_CFI_REGS; i++) {
		if (!rule_value(t, &row->rule[i], frame, w->regs, w->regs[i], &next[i], &slot))
			return false;
		if (i == MS_UNWIND_CFI_PC)
			w->slot = slot;
	}
	if (row->rule[MS_UNWIND_CFI_SP].how == MS_UNWIND_CFI_SAME)
		next[MS_UNWIND_CFI_SP] = frame;
	if (row->rule[MS_UNWIND_CFI_PC].how == MS_UNWIND_CFI_SAME)
		next[MS_UNWIND_CFI_PC] = w->link;
	ms_runtime_copy_bytes(w->regs, next, sizeof(next));
	w->interrupted = row->is_signal;
	return true;
}

/* --- a step by the cached row --- */

static bool is_common(const struct ms_unwind_cfi_row *row)
{
	if (row->base < 0 || row->is_signal ||
	    row->rule[MS_UNWIND_CFI_PC].how != MS_UNWIND_CFI_OFFSET ||
	    row->rule[MS_UNWIND_CFI_PC].offset > -8 ||
	    row->rule[MS_UNWIND_CFI_PC].offset < -MOST_DISTANCE ||
	    row->rule[MS_UNWIND_CFI_SP].how != MS_UNWIND_CFI_SAME)
		return false;
	for (uint32_t i = 0; i < MS_UNWIND_CALLEE_SAVED_COUNT; i++)
		if (row->rule[callee_saved_regs[i]].how > MS_UNWIND_CFI_OFFSET ||
		    (row->rule[callee_saved_regs[i]].how == MS_UNWIND_CFI_OFFSET &&
		     (row->rule[callee_saved_regs[i]].offset > -8 ||
		      row->rule[callee_saved_regs[i]].offset < -MOST_DISTANCE)))
			return false;
	return true;
}

/* After the cached steps. */
static struct ms_unwind_cfi_state *work_of(const struct ms_runtime_thread *t)
{
	return (struct ms_unwind_cfi_state *)&t->steps[STEPS];
}

static void find_step(const struct ms_runtime_thread *t, struct ms_unwind_cached_step *step,
		      uint64_t pc)
{
	const struct ms_maps_loaded_module *module = ms_maps_find_module(pc);
	const struct ms_unwind_cfi_row *row;

	*step = (struct ms_unwind_cached_step){ .pc = pc,
						.generation = generation,
						.base = NO_TABLE };
	row = module != NULL ? ms_unwind_find_cfi_row(module, pc, work_of(t)) : NULL;
	if (row == NULL)
		return;
	step->base =
		row->rule[MS_UNWIND_CFI_PC].how == MS_UNWIND_CFI_UNDEFINED ? OUTERMOST : BY_TABLES;
	if (!is_common(row))
		return;
	step->base = (uint8_t)row->base;
	step->offset = (int32_t)row->offset;
	step->pc_at = (int16_t)row->rule[MS_UNWIND_CFI_PC].offset;
	for (uint32_t i = 0; i < MS_UNWIND_CALLEE_SAVED_COUNT; i++)
		if (row->rule[callee_saved_regs[i]].how == MS_UNWIND_CFI_OFFSET) {
			step->at[i] = (int16_t)row->rule[callee_saved_regs[i]].offset;
			step->saved |= (uint16_t)(1u << i);
			if (callee_saved_regs[i] == MS_UNWIND_CFI_FP)
				step->fp_at = step->at[i];
		}
}

static bool take_step(const struct ms_runtime_thread *t, const struct ms_unwind_cached_step *step,
		      struct ms_unwind_walk *w)
{
	uint64_t frame = w->regs[step->base % MS_UNWIND_CFI_REGS] + (uint64_t)(int64_t)step->offset;

	/* All offsets are within the stack: they need not be checked one by one. */
	if (frame <= w->regs[MS_UNWIND_CFI_SP] || frame > t->stack_end ||
	    frame < t->stack + MOST_DISTANCE)
		return false;
	for (uint32_t saved = step->saved; saved != 0; saved &= saved - 1) {
		uint32_t i = (uint32_t)__builtin_ctz(saved);

		w->regs[callee_saved_regs[i]] =
			*(const uint64_t *)(frame + (uint64_t)(int64_t)step->at[i]);
	}
	w->slot = frame + (uint64_t)(int64_t)step->pc_at;
	w->regs[MS_UNWIND_CFI_PC] = *(const uint64_t *)w->slot;
	w->regs[MS_UNWIND_CFI_SP] = frame;
	w->interrupted = false;
	w->by_fp = step->base == MS_UNWIND_CFI_FP;
	w->simple = w->by_fp || step->base == MS_UNWIND_CFI_SP;
	w->saved_fp = step->fp_at != 0 ? frame + (uint64_t)(int64_t)step->fp_at : 0;
	return true;
}

/* No tables: there may be frame pointers. */
static bool step_by_frame_pointer(const struct ms_runtime_thread *t, struct ms_unwind_walk *w)
{
	uint64_t fp = w->regs[MS_UNWIND_CFI_FP];

	w->simple = w->by_fp = true;
	/* Any code may have used the register for another value: no sum of it is compared. */
	if (fp < w->regs[MS_UNWIND_CFI_SP] || fp % 8 != 0 || fp < t->stack || fp > t->stack_end ||
	    t->stack_end - fp < 16)
		return false;
	w->regs[MS_UNWIND_CFI_FP] = *(const uint64_t *)fp;
	w->saved_fp = fp;
	w->slot = fp + 8;
	w->regs[MS_UNWIND_CFI_PC] = *(const uint64_t *)w->slot;
	w->regs[MS_UNWIND_CFI_SP] = fp + 16;
	w->interrupted = false;
	return true;
}

/* The caller's pc may have bits that are not part of an address: a signature. */
static bool find_caller(struct ms_runtime_thread *t, struct ms_unwind_walk *w)
{
	uint64_t pc = w->interrupted ? w->regs[MS_UNWIND_CFI_PC] : w->regs[MS_UNWIND_CFI_PC] - 1;
	struct ms_unwind_cached_step *known = &t->steps[(pc ^ pc >> 13) % STEPS];

	if (known->pc != pc || known->generation != generation)
		find_step(t, known, pc);
	if (known->base == NO_TABLE)
		return step_by_frame_pointer(t, w);
	if (known->base == OUTERMOST) {
		w->simple = true;
		w->by_fp = false;
		return false;
	}
	if (known->base != BY_TABLES && take_step(t, known, w))
		return true;
	w->simple = false;
	const struct ms_maps_loaded_module *module = ms_maps_find_module(pc);
	const struct ms_unwind_cfi_row *row =
		module != NULL ? ms_unwind_find_cfi_row(module, pc, work_of(t)) : NULL;
	return row != NULL && step_by_tables(t, row, w);
}

bool ms_unwind_step_to_caller(struct ms_runtime_thread *t, struct ms_unwind_walk *w)
{
	uint64_t sp = w->regs[MS_UNWIND_CFI_SP];
	bool is_leaf = w->link != 0;

	if (!find_caller(t, w))
		return false;
	w->return_word = w->regs[MS_UNWIND_CFI_PC];
	w->regs[MS_UNWIND_CFI_PC] &= MS_UNWIND_CODE_ADDRESS_MASK;
	w->link = 0;
	w->is_end = w->regs[MS_UNWIND_CFI_PC] == 0 || w->regs[MS_UNWIND_CFI_SP] < sp + !is_leaf;
	return true;
}

bool ms_unwind_begin_walk(struct ms_runtime_thread *t, struct ms_unwind_walk *w,
			  const struct ms_unwind_frame *from)
{
	if (t->steps == NULL)
		t->steps = ms_runtime_map_pages(STEPS * sizeof(*t->steps) +
						sizeof(struct ms_unwind_cfi_state));
	*w = (struct ms_unwind_walk){ .link = from->link, .interrupted = from->interrupted };
	for (uint32_t i = 0; i < MS_UNWIND_CALLEE_SAVED_COUNT; i++)
		w->regs[callee_saved_regs[i]] = from->callee_saved[i];
	w->regs[MS_UNWIND_CFI_PC] = from->pc;
	w->regs[MS_UNWIND_CFI_SP] = from->sp;
	return t->steps != NULL;
}
