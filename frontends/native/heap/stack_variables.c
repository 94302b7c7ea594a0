/*
 * stack_variables.c - names arrays and objects on the stack while their function runs.
 *
 * memspy passes a table of functions that have large ones (wire/stack_table.h). The tracer calls C
 * at the first instruction of such a function and where it returns to, as for private allocators.
 * The stack pointer tells which functions have ended: all whose frames are not above it. So
 * longjmp() and exceptions end them, too, at the next such call.
 *
 * Only frames on the thread's own stack count: a stack that the program makes itself belongs to the
 * memory that it lies in.
 */
#include "heap/heap.h"
#include "heap/stack_frame.h"
#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "unwind/unwind.h"
#include "unwind/unwinder.h"
#include "wire/stack_table.h"
#include "wire/wire.h"

/*
 * Each name costs memspy some microseconds. A function may use as many as this, and one more for
 * each SHARE words of references that the thread has written. So functions that do little in each
 * call are named at first only; after that, their variables belong to the stack.
 */
enum { FREE_NAMES = 4096, SHARE = 4096 };

static const struct ms_wire_stack_table *table;
static uint64_t bias; /* of the program's code; 0: it is not mapped, or at its own addresses */
static uint32_t name_counts[MS_WIRE_STACK_FUNCTIONS];

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
	enum { HERE = -100, CLOEXEC = 02000000, END = 2 };
	char path[64] = "/proc/";
	uint32_t n = 6;

	for (; *text != '\0' && *text != ',' && n + 1 < sizeof(path); text++)
		path[n++] = *text;
	path[n] = '\0';
	long fd = ms_runtime_syscall(__NR_openat, HERE, (long)path, CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return;
	long size = ms_runtime_syscall(__NR_lseek, fd, 0, END, 0, 0, 0);
	long at = size <= 0 ? -1
			    : ms_runtime_syscall(SYS_mmap,
						 (long)ms_runtime_choose_address((uint64_t)size),
						 size, 1 /* read */, 2 /* private */, fd, 0);
	ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	if (!ms_runtime_is_error(at) &&
	    is_table((const struct ms_wire_stack_table *)at, (uint64_t)size))
		table = (const struct ms_wire_stack_table *)at;
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
	uint64_t before = f->depth;

	if (f->depth == 0 || sp < t->stack || sp > t->stack_end)
		return false;
	while (f->depth > 0 && f->at[f->depth - 1].cfa <= sp)
		end_variables(t, &f->at[--f->depth]);
	return f->depth < before;
}

bool ms_heap_begin_stack_frame(struct ms_runtime_thread *t,
			       const struct ms_wire_stack_function *function, uint64_t cfa)
{
	struct ms_heap_stack_frames *f = ms_heap_get_stack_frames(t);

	if (f->depth == MS_HEAP_STACK_DEPTH || cfa <= t->stack || cfa > t->stack_end ||
	    !may_name(t, function))
		return false;
	f->at[f->depth] = (struct ms_heap_stack_frame){ cfa, function };
	begin_variables(t, &f->at[f->depth++]);
	return true;
}

/* --- frames of functions that began untraced --- */

/* Not at its first instruction, where it is watched. */
static const struct ms_wire_stack_function *find_function(uint64_t pc)
{
	const struct ms_wire_stack_function *f = get_functions();

	for (uint32_t i = 0; i < table->functions; i++)
		if (pc - bias > f[i].entry && pc - bias < f[i].end)
			return &f[i];
	return NULL;
}

void ms_heap_find_stack_frames(struct ms_runtime_thread *t, const struct ms_unwind_frame *now)
{
	enum { MOST_STEPS = 256 };
	struct ms_heap_stack_frames *f = ms_heap_get_stack_frames(t);
	struct {
		struct ms_heap_stack_frame frame;
		uint64_t return_pc;
	} found[MS_HEAP_STACK_DEPTH];
	struct ms_unwind_walk w;
	uint32_t n = 0;

	if (table == NULL || t->busy)
		return;
	t->busy = 1;
	while (f->depth > 0)
		end_variables(t, &f->at[--f->depth]);
	bool more = ms_unwind_begin_walk(t, &w, now);
	w.interrupted = true;
	for (uint32_t i = 0; more && i < MOST_STEPS && n < MS_HEAP_STACK_DEPTH; i++) {
		const struct ms_wire_stack_function *function =
			find_function(w.regs[MS_UNWIND_CFI_PC]);

		more = ms_unwind_step_to_caller(t, &w);
		if (!more || function == NULL)
			continue;
		found[n].frame = (struct ms_heap_stack_frame){ w.regs[MS_UNWIND_CFI_SP], function };
		found[n++].return_pc = w.regs[MS_UNWIND_CFI_PC];
	}
	while (n-- > 0)
		if (ms_heap_begin_stack_frame(t, found[n].frame.function, found[n].frame.cfa))
			ms_heap_watch_return(found[n].return_pc);
	t->busy = 0;
}
