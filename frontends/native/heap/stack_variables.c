/*
 * stack_variables.c - names arrays and objects on the stack while their function runs.
 *
 * memspy passes a table of functions that have large ones (wire/stack_table.h). The tracer calls C
 * at the first instruction of such a function and where it returns to, as for private allocators.
 * The stack pointer tells which functions have ended: all whose frames are not above it. So
 * longjmp() and exceptions end them, too, at the next such call.
 *
 * Where a thread begins to be recorded, as in each window of a sampled program, functions of the
 * table run already: the stack is unwound to find them. Code that only counts is not watched.
 *
 * Only frames on the thread's own stack count: a stack that the program makes itself belongs to the
 * memory that it lies in.
 */
#include "heap/heap.h"
#include "heap/kept_stack_name.h"
#include "heap/stack_frame.h"
#include "maps/maps.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "unwind/unwind.h"
#include "unwind/unwinder.h"
#include "wire/stack_table.h"
#include "wire/wire.h"

/*
 * Each name costs memspy some microseconds. A function may use as many as this, and one more for
 * each SHARE words of references that the thread has written. Noticing a call without naming costs
 * as much as writing about 100 words: where the thread writes fewer than FREQUENT for each call,
 * calls are not noticed any longer. Either the name stays (kept_stack_name.c), or the variables
 * belong to the stack from then on.
 */
enum { FREE_NAMES = 4096, SHARE = 4096, FREQUENT = 1024 };

static const struct ms_wire_stack_table *table;
static uint64_t bias; /* of the program's code; 0: it is not mapped, or at its own addresses */
static uint32_t name_counts[MS_WIRE_STACK_FUNCTIONS];
static uint64_t call_counts[MS_WIRE_STACK_FUNCTIONS];

static const struct ms_wire_stack_function *get_functions(void)
{
	return (const struct ms_wire_stack_function *)(table + 1);
}

static const struct ms_wire_stack_variable *get_variables(void)
{
	return (const struct ms_wire_stack_variable *)(get_functions() + table->functions);
}

static const char *get_text(uint32_t at)
{
	return (const char *)(get_variables() + table->variables) + at;
}

static bool is_table(const struct ms_wire_stack_table *t, uint64_t size)
{
	return size >= sizeof(*t) && t->magic == MS_WIRE_STACK_TABLE_MAGIC && t->bytes == size &&
	       t->functions <= MS_WIRE_STACK_FUNCTIONS &&
	       t->variables <= t->functions * MS_WIRE_STACK_VARIABLES;
}

/* "PROCESS/fd/NUMBER", as far as a comma. */
void ms_heap_read_stack_table(const char *text)
{
	char path[64] = "/proc/";
	uint32_t n = 6;
	uint64_t size;

	for (; *text != '\0' && *text != ',' && n + 1 < sizeof(path); text++)
		path[n++] = *text;
	path[n] = '\0';
	const struct ms_wire_stack_table *mapped = ms_runtime_map_file(path, &size);
	if (mapped != NULL && is_table(mapped, size))
		table = mapped;
}

void ms_heap_watch_stack_functions(const struct ms_maps_loaded_module *module, const char *path)
{
	if (table == NULL || !ms_runtime_are_texts_equal(path, get_text(table->path)))
		return;
	bias = module->bias;
	for (uint32_t i = 0; i < table->functions; i++) {
		uint64_t pc = module->bias + get_functions()[i].entry;

		if (pc >= module->start && pc < module->end)
			ms_heap_watch_frame(pc, &get_functions()[i]);
	}
}

static bool may_name(const struct ms_runtime_thread *t,
		     const struct ms_wire_stack_function *function)
{
	uint32_t *count = &name_counts[function - get_functions()];
	uint64_t allowed = FREE_NAMES + t->published_words / SHARE;

	if (__atomic_load_n(count, __ATOMIC_RELAXED) >= allowed)
		return false;
	__atomic_add_fetch(count, function->n, __ATOMIC_RELAXED);
	return true;
}

static void begin_variables(struct ms_runtime_thread *t, const struct ms_heap_stack_frame *frame)
{
	const struct ms_wire_stack_variable *v = get_variables() + frame->function->first;

	for (uint32_t i = 0; i < frame->function->n; i++, v++) {
		struct ms_wire_name name = { frame->cfa - v->below, v->size, v->name_bytes,
					     MS_WIRE_NAME_STACK };

		ms_runtime_write_event(t, MS_WIRE_NAME, 0, &name, sizeof(name) / 8,
				       get_text(v->name), v->name_bytes);
	}
}

static void end_variables(struct ms_runtime_thread *t, const struct ms_heap_stack_frame *frame)
{
	const struct ms_wire_stack_variable *v = get_variables() + frame->function->first;

	for (uint32_t i = 0; i < frame->function->n; i++, v++) {
		uint64_t start = frame->cfa - v->below;

		ms_runtime_write_event(t, MS_WIRE_UNNAME, 0, &start, 1, NULL, 0);
	}
}

bool ms_heap_end_stack_frames(struct ms_runtime_thread *t, uint64_t sp)
{
	struct ms_heap_stack_frames *f = ms_heap_get_stack_frames(t);
	uint32_t before = f->depth;

	if (f->depth == 0 || sp < t->stack || sp > t->stack_end)
		return false;
	while (f->depth > 0 && f->at[f->depth - 1].cfa <= sp) {
		const struct ms_heap_stack_frame *frame = &f->at[--f->depth];

		ms_heap_observe_return(t, frame);
		end_variables(t, frame);
		ms_heap_mark_return(t, frame);
	}
	return f->depth < before;
}

/* --- names that stay between calls --- */

/* The memory from the lowest variable to the end of the highest. */
static void find_extent(const struct ms_heap_stack_frame *frame, uint64_t *start, uint64_t *size)
{
	const struct ms_wire_stack_variable *v = get_variables() + frame->function->first;
	uint64_t low = UINT64_MAX, high = 0;

	for (uint32_t i = 0; i < frame->function->n; i++, v++) {
		uint64_t at = frame->cfa - v->below;

		low = at < low ? at : low;
		high = at + v->size > high ? at + v->size : high;
	}
	*start = low;
	*size = high - low;
}

void ms_heap_end_kept_name(struct ms_runtime_thread *t)
{
	struct ms_heap_kept_name *k = ms_heap_get_kept_name(t);

	if (k->is_kept)
		end_variables(t, &k->frame);
	*k = (struct ms_heap_kept_name){ 0 };
}

void ms_heap_end_disproved_name(struct ms_runtime_thread *t)
{
	if (!ms_heap_get_kept_name(t)->is_disproved || t->busy)
		return;
	t->busy = 1;
	ms_heap_end_kept_name(t);
	t->busy = 0;
}

/* The frame has memory whose name has stayed: that function does not run. */
static void end_overlapping_name(struct ms_runtime_thread *t, uint64_t start, uint64_t size)
{
	const struct ms_heap_kept_name *k = ms_heap_get_kept_name(t);

	if (k->is_kept && start < k->start + k->size && k->start < start + size)
		ms_heap_end_kept_name(t);
}

bool ms_heap_is_frame_too_frequent(const struct ms_runtime_thread *t,
				   const struct ms_wire_stack_function *function)
{
	uint32_t i = (uint32_t)(function - get_functions());

	return (name_counts[i] >= FREE_NAMES || ms_heap_may_keep_name(t, function)) &&
	       (t->published_words + t->chunk_bytes / 8) / FREQUENT < call_counts[i];
}

void ms_heap_keep_stack_name(struct ms_runtime_thread *t,
			     const struct ms_wire_stack_function *function, uint64_t cfa)
{
	struct ms_heap_kept_name *k = ms_heap_get_kept_name(t);

	if (k->frame.cfa != cfa || !ms_heap_may_keep_name(t, function))
		return;
	k->is_kept = true;
	begin_variables(t, &k->frame);
}

/* --- calls --- */

static bool begin_frame(struct ms_runtime_thread *t, const struct ms_heap_stack_frame *frame,
			bool is_too_frequent)
{
	struct ms_heap_stack_frames *f = ms_heap_get_stack_frames(t);

	if (is_too_frequent || !may_name(t, frame->function))
		return false;
	f->at[f->depth] = *frame;
	begin_variables(t, &f->at[f->depth++]);
	ms_heap_mark_call(t);
	return true;
}

/* False: it has no room, or is on another stack. */
static bool observe_frame(struct ms_runtime_thread *t, const struct ms_heap_stack_frame *frame)
{
	uint64_t start, size;

	if (ms_heap_get_stack_frames(t)->depth == MS_HEAP_STACK_DEPTH || frame->cfa <= t->stack ||
	    frame->cfa > t->stack_end)
		return false;
	find_extent(frame, &start, &size);
	end_overlapping_name(t, start, size);
	ms_heap_observe_call(t, frame, start, size);
	return true;
}

bool ms_heap_begin_stack_frame(struct ms_runtime_thread *t,
			       const struct ms_wire_stack_function *function, uint64_t cfa)
{
	const struct ms_heap_stack_frame frame = { cfa, function };

	__atomic_add_fetch(&call_counts[function - get_functions()], 1, __ATOMIC_RELAXED);
	return observe_frame(t, &frame) &&
	       begin_frame(t, &frame, ms_heap_is_frame_too_frequent(t, function));
}

/* --- frames of functions that began unrecorded --- */

/* Functions are in the order of their entries. */
static const struct ms_wire_stack_function *find_function(uint64_t pc)
{
	const struct ms_wire_stack_function *f = get_functions();
	uint32_t low = 0, high = table->functions;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (f[middle].entry <= pc - bias)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && pc - bias < f[low - 1].end ? &f[low - 1] : NULL;
}

/* Not at its first instruction, where it is watched. */
static const struct ms_wire_stack_function *find_active_function(const struct ms_unwind_walk *w)
{
	uint64_t pc = w->regs[MS_UNWIND_CFI_PC];
	const struct ms_wire_stack_function *f = find_function(w->interrupted ? pc : pc - 1);

	return f != NULL && w->interrupted && pc - bias == f->entry ? NULL : f;
}

struct active_frames { /* the innermost first */
	uint32_t n;
	struct ms_heap_stack_frame frame[MS_HEAP_STACK_DEPTH];
	uint64_t return_pc[MS_HEAP_STACK_DEPTH];
};

static void find_active_frames(struct ms_runtime_thread *t, const struct ms_unwind_frame *now,
			       struct active_frames *a)
{
	enum { MOST_STEPS = 1024 }; /* of deeper stacks the outer functions have no names */
	struct ms_unwind_walk w;
	bool more = ms_unwind_begin_walk(t, &w, now);

	a->n = 0;
	w.interrupted = true;
	for (uint32_t i = 0; more && i < MOST_STEPS && a->n < MS_HEAP_STACK_DEPTH; i++) {
		const struct ms_wire_stack_function *function = find_active_function(&w);

		more = ms_unwind_step_to_caller(t, &w) && !w.is_end;
		if (!more || function == NULL)
			continue;
		a->frame[a->n] = (struct ms_heap_stack_frame){ w.regs[MS_UNWIND_CFI_SP], function };
		a->return_pc[a->n++] = w.regs[MS_UNWIND_CFI_PC];
	}
}

/* The number of outer frames that have names from the last time, and are still active. */
static uint32_t count_still_named(const struct ms_heap_stack_frames *f,
				  const struct active_frames *a)
{
	uint32_t n = 0;

	while (n < f->depth && n < a->n && f->at[n].cfa == a->frame[a->n - 1 - n].cfa &&
	       f->at[n].function == a->frame[a->n - 1 - n].function)
		n++;
	return n;
}

bool ms_heap_are_stack_frames_known(const struct ms_runtime_thread *t)
{
	return table == NULL || ms_heap_get_stack_frames(t)->are_known;
}

void ms_heap_forget_stack_frames(struct ms_runtime_thread *t)
{
	ms_heap_get_stack_frames(t)->are_known = false;
}

/*
 * Names that were given before stay if the function still runs. In dlclose() the loader may have
 * unmapped libraries, whose unwind tables must not be read; no other thread may be inside.
 */
void ms_heap_find_stack_frames(struct ms_runtime_thread *t, const struct ms_unwind_frame *now)
{
	struct ms_heap_stack_frames *f = ms_heap_get_stack_frames(t);
	struct active_frames active = { .n = 0 };

	if (table == NULL || t->busy)
		return;
	t->busy = 1;
	if (t->unloads_under_way != 0)
		ms_maps_check_unloaded_modules(t);
	if (!ms_maps_is_other_unloading(t))
		find_active_frames(t, now, &active);
	ms_heap_interrupt_kept_name(t);
	for (uint32_t still = count_still_named(f, &active); f->depth > still;)
		end_variables(t, &f->at[--f->depth]);
	for (uint32_t i = active.n - f->depth; i-- > 0;)
		if (observe_frame(t, &active.frame[i]) && begin_frame(t, &active.frame[i], false))
			ms_heap_watch_return(active.return_pc[i]);
	f->are_known = true;
	t->busy = 0;
}
