/*
 * malloc_calls.c - records calls of malloc and its family, which come here through interpose.S and
 * then go to the program's own allocator. A nested call (realloc calls malloc) is not recorded.
 */
#include "callee_saved.h"
#include "heap/alloc_sampling.h"
#include "heap/heap.h"
#include "interpose/function_numbers.h"
#include "interpose/interpose.h"
#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "unwind/path_cache.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

enum action { TAKES, FILLS, RESIZES, FREES };

/* Indexes of the arguments; NONE: there is none. */
enum { NONE = 4 };
static const struct {
	const char *name;
	uint8_t action;
	uint8_t size, times, block;
} calls[MS_INTERPOSE_HEAP_COUNT] = {
	[MS_INTERPOSE_malloc] = { "malloc", TAKES, 0, NONE, NONE },
	[MS_INTERPOSE_calloc] = { "calloc", TAKES, 0, 1, NONE },
	[MS_INTERPOSE_realloc] = { "realloc", RESIZES, 1, NONE, 0 },
	[MS_INTERPOSE_reallocarray] = { "reallocarray", RESIZES, 1, 2, 0 },
	[MS_INTERPOSE_free] = { "free", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE_memalign] = { "memalign", TAKES, 1, NONE, NONE },
	[MS_INTERPOSE_aligned_alloc] = { "aligned_alloc", TAKES, 1, NONE, NONE },
	[MS_INTERPOSE_posix_memalign] = { "posix_memalign", FILLS, 2, NONE, 0 },
	[MS_INTERPOSE_valloc] = { "valloc", TAKES, 0, NONE, NONE },
	[MS_INTERPOSE_pvalloc] = { "pvalloc", TAKES, 0, NONE, NONE },
	[MS_INTERPOSE__Znwm] = { "_Znwm", TAKES, 0, NONE, NONE },
	[MS_INTERPOSE__ZnwmRKSt9nothrow_t] = { "_ZnwmRKSt9nothrow_t", TAKES, 0, NONE, NONE },
	[MS_INTERPOSE__ZnwmSt11align_val_t] = { "_ZnwmSt11align_val_t", TAKES, 0, NONE, NONE },
	[MS_INTERPOSE__ZnwmSt11align_val_tRKSt9nothrow_t] = { "_ZnwmSt11align_val_tRKSt9nothrow_t",
							      TAKES, 0, NONE, NONE },
	[MS_INTERPOSE__Znam] = { "_Znam", TAKES, 0, NONE, NONE },
	[MS_INTERPOSE__ZnamRKSt9nothrow_t] = { "_ZnamRKSt9nothrow_t", TAKES, 0, NONE, NONE },
	[MS_INTERPOSE__ZnamSt11align_val_t] = { "_ZnamSt11align_val_t", TAKES, 0, NONE, NONE },
	[MS_INTERPOSE__ZnamSt11align_val_tRKSt9nothrow_t] = { "_ZnamSt11align_val_tRKSt9nothrow_t",
							      TAKES, 0, NONE, NONE },
	[MS_INTERPOSE__ZdlPv] = { "_ZdlPv", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdlPvm] = { "_ZdlPvm", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdlPvRKSt9nothrow_t] = { "_ZdlPvRKSt9nothrow_t", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdlPvSt11align_val_t] = { "_ZdlPvSt11align_val_t", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdlPvmSt11align_val_t] = { "_ZdlPvmSt11align_val_t", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdlPvSt11align_val_tRKSt9nothrow_t] = { "_ZdlPvSt11align_val_tRKSt9nothrow_"
							       "t",
							       FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdaPv] = { "_ZdaPv", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdaPvm] = { "_ZdaPvm", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdaPvRKSt9nothrow_t] = { "_ZdaPvRKSt9nothrow_t", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdaPvSt11align_val_t] = { "_ZdaPvSt11align_val_t", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdaPvmSt11align_val_t] = { "_ZdaPvmSt11align_val_t", FREES, NONE, NONE, 0 },
	[MS_INTERPOSE__ZdaPvSt11align_val_tRKSt9nothrow_t] = { "_ZdaPvSt11align_val_tRKSt9nothrow_"
							       "t",
							       FREES, NONE, NONE, 0 },
};

/* The operators of the C++ libraries call malloc, and are recorded there. */
static bool ignored[MS_INTERPOSE_HEAP_COUNT];

void ms_heap_ignore_function(uint64_t function)
{
	ignored[function] = true;
}

/* --- which wrapper --- */

extern const uint8_t ms_heap_sampled_malloc[], ms_heap_sampled_calloc[], ms_heap_sampled__Znwm[],
	ms_heap_sampled__Znam[];
extern const uint8_t ms_heap_sampled_realloc[];
extern const uint8_t ms_heap_sampled_free[], ms_heap_sampled__ZdlPv[], ms_heap_sampled__ZdlPvm[],
	ms_heap_sampled__ZdaPv[];

/* Wrappers that decide themselves whether to record a call, with allocation sampling
 * (alloc_sampling.c). */
static const uint8_t *const sampled_wrappers[MS_INTERPOSE_HEAP_COUNT] = {
	[MS_INTERPOSE_malloc] = ms_heap_sampled_malloc,
	[MS_INTERPOSE_calloc] = ms_heap_sampled_calloc,
	[MS_INTERPOSE__Znwm] = ms_heap_sampled__Znwm,
	[MS_INTERPOSE__Znam] = ms_heap_sampled__Znam,
	[MS_INTERPOSE_free] = ms_heap_sampled_free,
	[MS_INTERPOSE__ZdlPv] = ms_heap_sampled__ZdlPv,
	[MS_INTERPOSE__ZdlPvm] = ms_heap_sampled__ZdlPvm,
	[MS_INTERPOSE__ZdaPv] = ms_heap_sampled__ZdaPv,
};

const void *ms_heap_choose_wrapper(uint64_t function, const void *recording, const void *real)
{
	if (ignored[function])
		return real;
	if (!ms_heap_is_alloc_sampling())
		return recording;
	if (function == MS_INTERPOSE_realloc) /* calls C only if there may be something to record */
		return ms_heap_sampled_realloc;
	return sampled_wrappers[function] != NULL ? sampled_wrappers[function] : recording;
}

const char *ms_heap_get_function_name(uint64_t function)
{
	return calls[function].name;
}

static uint64_t size_of(uint64_t function, const uint64_t *args)
{
	uint64_t size = args[calls[function].size];

	return calls[function].times == NONE ? size : size * args[calls[function].times];
}

/* Repeated calls from the same place are by far the most frequent. */
static uint32_t find_path(struct ms_runtime_thread *t, struct ms_interpose_frame *frame)
{
	struct ms_unwind_frame from;

	frame->result = frame->callee_saved[MS_UNWIND_CALLEE_SAVED_FP];
	const struct ms_unwind_path_cache_entry *r =
		ms_unwind_find_cached_path(t, frame->return_pc, (uint64_t)frame->caller_stack);
	if (r != NULL)
		return r->number;
	from.pc = frame->return_pc;
	from.sp = (uint64_t)frame->caller_stack;
	from.link = 0;
	ms_runtime_copy_bytes(from.callee_saved, frame->callee_saved, sizeof(from.callee_saved));
	return ms_unwind_get_call_path(t, &from);
}

static void record_free(struct ms_runtime_thread *t, uint64_t block)
{
	if (block == 0 || (ms_heap_is_alloc_sampling() && !ms_heap_forget_recorded(block)))
		return;
	if (ms_runtime_config.follow_children)
		ms_heap_remove_live_block(block);
	ms_runtime_write_event(t, MS_WIRE_FREE, 0, &block, 1, NULL, 0);
}

static void end_resize(struct ms_runtime_thread *t)
{
	if (t->heap_resize == 0)
		return;
	ms_heap_cancel_realloc(t->heap_resize);
	t->heap_resize = 0;
}

/* References between the two events belong to the allocator, not to the program. */
static void record_allocator_call(struct ms_runtime_thread *t, bool enters)
{
	if (t->traced && t->private_depth == 0)
		ms_runtime_write_event(t, MS_WIRE_HEAP_CALL, enters, NULL, 0, NULL, 0);
}

/* Whether the active call was left by a jump: the stack has shrunk since. */
static bool was_left_by_jump(const struct ms_runtime_thread *t,
			     const struct ms_interpose_frame *frame)
{
	bool here = t->heap_frame >= t->stack && t->heap_frame < t->stack_end;

	return here && (uint64_t)frame >= t->heap_frame && (uint64_t)frame < t->stack_end;
}

/* As ms_runtime_get_current_thread(), inline. */
static inline struct ms_runtime_thread *get_thread(void)
{
	struct ms_runtime_thread *t;

	if (!ms_runtime_active)
		return NULL;
	t = ms_runtime_get_thread();
	return t->thread_pointer == ms_runtime_get_thread_pointer() && !t->busy && !t->ended ? t
											     : NULL;
}

/* Whether the block is recorded; interpose.S has already decided that for its own wrappers. */
static bool must_record(struct ms_runtime_thread *t, uint64_t function)
{
	if (!ms_heap_is_alloc_sampling() || sampled_wrappers[function] != NULL)
		return true;
	return ms_heap_is_block_sampled(t, t->heap_size);
}

/* Draws the next block whichever thread called: otherwise interpose.S would choose all further
 * ones. */
static void draw_next(uint64_t function)
{
	if (ms_heap_is_alloc_sampling() && calls[function].action == TAKES &&
	    sampled_wrappers[function] != NULL)
		ms_heap_draw_next_sample(ms_runtime_get_thread());
}

/* 0: interpose.S jumps to the real function, without a return to the runtime. */
uint64_t ms_heap_begin_call(uint64_t function, struct ms_interpose_frame *frame)
{
	struct ms_runtime_thread *t = get_thread();

	draw_next(function);
	if (t == NULL || ignored[function] || (t->in_heap && !was_left_by_jump(t, frame)) ||
	    (t->private_depth != 0 &&
	     ms_heap_is_inside_private_call(t, (uint64_t)frame->caller_stack)))
		return 0;
	t->busy = 1;
	uint64_t began = ms_heap_is_alloc_sampling() ? ms_heap_begin_cost_measure(t) : 0;
	if (t->in_heap)
		record_allocator_call(t, false);
	end_resize(t);
	t->heap_frame = (uint64_t)frame;
	t->heap_block = calls[function].block == NONE ? 0 : frame->args[calls[function].block];
	if (calls[function].action == FREES) {
		record_free(t, t->heap_block);
	} else {
		t->heap_size = size_of(function, frame->args);
		t->heap_recorded = must_record(t, function);
		t->heap_path = t->heap_recorded ? find_path(t, frame) : MS_WIRE_NO_PATH;
		if (calls[function].action == RESIZES)
			t->heap_resize = ms_heap_begin_realloc(t->heap_block, record_free);
	}
	bool comes_back = calls[function].action != FREES || t->traced;
	if (comes_back) {
		record_allocator_call(t, true);
		t->in_heap = 1;
	}
	if (ms_heap_is_alloc_sampling()) {
		ms_heap_end_cost_measure(t, began);
		if (calls[function].action == FREES)
			ms_heap_count_recorded_call(t, 0);
	}
	t->busy = 0;
	return comes_back;
}

/* A block that ends beyond the known end of the heap: the heap has grown, which is not observed in
 * untraced code. The memory between the blocks belongs to the allocator, and must be recorded
 * before them. */
static void check_growth(struct ms_runtime_thread *t, uint64_t end)
{
	if ((ms_runtime_config.no_tracing || ms_runtime_config.period != 0) &&
	    ms_runtime_is_beyond_heap_end(end))
		ms_maps_check_heap_growth(t);
}

static uint64_t blocks; /* that traced code has allocated */

uint64_t ms_heap_count_blocks(void)
{
	return __atomic_load_n(&blocks, __ATOMIC_RELAXED);
}

static void record_alloc(struct ms_runtime_thread *t, uint64_t function, uint64_t result)
{
	uint64_t words[3] = { result, t->heap_size, ms_heap_get_sample_mean(t) };
	uint8_t action = calls[function].action;

	if (action == FILLS)
		words[0] = result == 0 ? *(const uint64_t *)t->heap_block : 0;
	if (action == RESIZES && (words[0] != 0 || words[1] == 0)) {
		ms_heap_finish_realloc(t, t->heap_resize, t->heap_block, record_free);
		t->heap_resize = 0;
	}
	end_resize(t);
	if (words[0] == 0 || t->heap_path == MS_WIRE_NO_PATH)
		return;
	ms_heap_report_overtaken_free(t, words[0]);
	if (ms_heap_is_alloc_sampling() && !ms_heap_remember_recorded(t, words[0], words[1]))
		return;
	check_growth(t, words[0] + words[1]);
	__atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
	if (ms_runtime_config.follow_children)
		ms_heap_add_live_block(MS_WIRE_ALLOC, t->heap_path, words[0], words[1]);
	ms_runtime_write_event(t, MS_WIRE_ALLOC, t->heap_path, words, words[2] == 0 ? 2 : 3, NULL,
			       0);
}

void ms_heap_end_call(uint64_t function, uint64_t result)
{
	struct ms_runtime_thread *t = get_thread();

	if (t == NULL)
		return;
	t->busy = 1;
	uint64_t began = ms_heap_is_alloc_sampling() ? ms_heap_begin_cost_measure(t) : 0;
	if (calls[function].action != FREES)
		record_alloc(t, function, result);
	record_allocator_call(t, false);
	t->in_heap = 0;
	if (ms_heap_is_alloc_sampling()) {
		ms_heap_end_cost_measure(t, began);
		if (t->heap_recorded)
			ms_heap_count_recorded_call(t, t->heap_size + 1);
	}
	t->busy = 0;
}
