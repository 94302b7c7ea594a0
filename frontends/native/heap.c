/*
 * heap.c - records calls of malloc and its family, which come here through wrap.S and then go to
 * the program's own allocator. A nested call (realloc calls malloc) is not recorded.
 */
#include "heap/heap.h"

#include "interpose/interpose.h"
#include "kept.h"
#include "maps/maps.h"
#include "recent.h"
#include "runtime.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "syscalls/syscalls.h"
#include "thin.h"
#include "unwind/unwind.h"
#include "wire/wire.h"
#include "wrap.h"

enum action { TAKES, FILLS, RESIZES, FREES };

/* Indexes of the arguments; NONE: there is none. */
enum { NONE = 4 };
static const struct {
	const char *name;
	uint8_t action;
	uint8_t size, times, block;
} calls[MS_WRAP_HEAP] = {
	[MS_WRAP_malloc] = { "malloc", TAKES, 0, NONE, NONE },
	[MS_WRAP_calloc] = { "calloc", TAKES, 0, 1, NONE },
	[MS_WRAP_realloc] = { "realloc", RESIZES, 1, NONE, 0 },
	[MS_WRAP_reallocarray] = { "reallocarray", RESIZES, 1, 2, 0 },
	[MS_WRAP_free] = { "free", FREES, NONE, NONE, 0 },
	[MS_WRAP_memalign] = { "memalign", TAKES, 1, NONE, NONE },
	[MS_WRAP_aligned_alloc] = { "aligned_alloc", TAKES, 1, NONE, NONE },
	[MS_WRAP_posix_memalign] = { "posix_memalign", FILLS, 2, NONE, 0 },
	[MS_WRAP_valloc] = { "valloc", TAKES, 0, NONE, NONE },
	[MS_WRAP_pvalloc] = { "pvalloc", TAKES, 0, NONE, NONE },
	[MS_WRAP__Znwm] = { "_Znwm", TAKES, 0, NONE, NONE },
	[MS_WRAP__ZnwmRKSt9nothrow_t] = { "_ZnwmRKSt9nothrow_t", TAKES, 0, NONE, NONE },
	[MS_WRAP__ZnwmSt11align_val_t] = { "_ZnwmSt11align_val_t", TAKES, 0, NONE, NONE },
	[MS_WRAP__ZnwmSt11align_val_tRKSt9nothrow_t] = { "_ZnwmSt11align_val_tRKSt9nothrow_t",
							 TAKES, 0, NONE, NONE },
	[MS_WRAP__Znam] = { "_Znam", TAKES, 0, NONE, NONE },
	[MS_WRAP__ZnamRKSt9nothrow_t] = { "_ZnamRKSt9nothrow_t", TAKES, 0, NONE, NONE },
	[MS_WRAP__ZnamSt11align_val_t] = { "_ZnamSt11align_val_t", TAKES, 0, NONE, NONE },
	[MS_WRAP__ZnamSt11align_val_tRKSt9nothrow_t] = { "_ZnamSt11align_val_tRKSt9nothrow_t",
							 TAKES, 0, NONE, NONE },
	[MS_WRAP__ZdlPv] = { "_ZdlPv", FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdlPvm] = { "_ZdlPvm", FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdlPvRKSt9nothrow_t] = { "_ZdlPvRKSt9nothrow_t", FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdlPvSt11align_val_t] = { "_ZdlPvSt11align_val_t", FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdlPvmSt11align_val_t] = { "_ZdlPvmSt11align_val_t", FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdlPvSt11align_val_tRKSt9nothrow_t] = { "_ZdlPvSt11align_val_tRKSt9nothrow_t",
							  FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdaPv] = { "_ZdaPv", FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdaPvm] = { "_ZdaPvm", FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdaPvRKSt9nothrow_t] = { "_ZdaPvRKSt9nothrow_t", FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdaPvSt11align_val_t] = { "_ZdaPvSt11align_val_t", FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdaPvmSt11align_val_t] = { "_ZdaPvmSt11align_val_t", FREES, NONE, NONE, 0 },
	[MS_WRAP__ZdaPvSt11align_val_tRKSt9nothrow_t] = { "_ZdaPvSt11align_val_tRKSt9nothrow_t",
							  FREES, NONE, NONE, 0 },
};

/* The operators of the C++ libraries call malloc, and are recorded there. */
static bool passes[MS_WRAP_HEAP];

void ms_heap_passes(uint64_t function)
{
	passes[function] = true;
}

/* --- which wrapper --- */

extern const uint8_t ms_thin_malloc[], ms_thin_calloc[], ms_thin__Znwm[], ms_thin__Znam[];
extern const uint8_t ms_thin_realloc[];
extern const uint8_t ms_thin_free[], ms_thin__ZdlPv[], ms_thin__ZdlPvm[], ms_thin__ZdaPv[];

/* Wrappers that decide themselves whether to record a call, with allocation sampling (thin.c). */
static const uint8_t *const thin[MS_WRAP_HEAP] = {
	[MS_WRAP_malloc] = ms_thin_malloc,   [MS_WRAP_calloc] = ms_thin_calloc,
	[MS_WRAP__Znwm] = ms_thin__Znwm,     [MS_WRAP__Znam] = ms_thin__Znam,
	[MS_WRAP_free] = ms_thin_free,       [MS_WRAP__ZdlPv] = ms_thin__ZdlPv,
	[MS_WRAP__ZdlPvm] = ms_thin__ZdlPvm, [MS_WRAP__ZdaPv] = ms_thin__ZdaPv,
};

const void *ms_heap_wrapper(uint64_t function, const void *tells, const void *real)
{
	if (passes[function])
		return real;
	if (!ms_thin_is_on())
		return tells;
	if (function == MS_WRAP_realloc) /* calls C only if there may be something to record */
		return ms_thin_realloc;
	return thin[function] != NULL ? thin[function] : tells;
}

const char *ms_heap_name(uint64_t function)
{
	return calls[function].name;
}

static uint64_t size_of(uint64_t function, const uint64_t *args)
{
	uint64_t size = args[calls[function].size];

	return calls[function].times == NONE ? size : size * args[calls[function].times];
}

/* Repeated calls from the same place are by far the most frequent. */
static uint32_t path_of(struct ms_thread *t, struct ms_wrap_frame *frame)
{
	struct ms_frame from;

	frame->result = frame->kept[MS_KEPT_FP];
	const struct ms_recent *r =
		ms_recent_again(t, frame->return_pc, (uint64_t)frame->caller_stack);
	if (r != NULL)
		return r->number;
	from.pc = frame->return_pc;
	from.sp = (uint64_t)frame->caller_stack;
	from.link = 0;
	ms_copy(from.kept, frame->kept, sizeof(from.kept));
	return ms_path_call(t, &from);
}

static void send_free(struct ms_thread *t, uint64_t block)
{
	if (block == 0 || (ms_thin_is_on() && !ms_thin_drop(block)))
		return;
	if (ms_config.follow)
		ms_follow_free(block);
	ms_lane_event(t, MS_WIRE_FREE, 0, &block, 1, NULL, 0);
}

static void end_resize(struct ms_thread *t)
{
	if (t->heap_resize == 0)
		return;
	ms_resize_stays(t->heap_resize);
	t->heap_resize = 0;
}

/* References between the two events belong to the allocator, not to the program. */
static void send_call(struct ms_thread *t, bool enters)
{
	if (t->traced && t->own_count == 0)
		ms_lane_event(t, MS_WIRE_HEAP_CALL, enters, NULL, 0, NULL, 0);
}

/* Whether the active call was left by a jump: the stack has shrunk since. */
static bool was_left(const struct ms_thread *t, const struct ms_wrap_frame *frame)
{
	bool here = t->heap_frame >= t->stack && t->heap_frame < t->stack_end;

	return here && (uint64_t)frame >= t->heap_frame && (uint64_t)frame < t->stack_end;
}

/* As ms_thread_here(), inline. */
static inline struct ms_thread *here(void)
{
	struct ms_thread *t;

	if (!ms_on)
		return NULL;
	t = ms_self();
	return t->pointer == ms_thread_pointer() && !t->busy && !t->ended ? t : NULL;
}

/* Whether the block is recorded; wrap.S has already decided that for its own wrappers. */
static bool is_told(struct ms_thread *t, uint64_t function)
{
	if (!ms_thin_is_on() || thin[function] != NULL)
		return true;
	return ms_thin_chooses(t, t->heap_size);
}

/* Draws the next block whichever thread called: otherwise wrap.S would choose all further ones. */
static void choose_next(uint64_t function)
{
	if (ms_thin_is_on() && calls[function].action == TAKES && thin[function] != NULL)
		ms_thin_chosen(ms_self());
}

/* 0: wrap.S jumps to the real function, without a return to the runtime. */
uint64_t ms_heap_enter(uint64_t function, struct ms_wrap_frame *frame)
{
	struct ms_thread *t = here();

	choose_next(function);
	if (t == NULL || passes[function] || (t->in_heap && !was_left(t, frame)) ||
	    (t->own_count != 0 && ms_own_inside(t, (uint64_t)frame->caller_stack)))
		return 0;
	t->busy = 1;
	uint64_t began = ms_thin_is_on() ? ms_thin_begin(t) : 0;
	if (t->in_heap)
		send_call(t, false);
	end_resize(t);
	t->heap_frame = (uint64_t)frame;
	t->heap_block = calls[function].block == NONE ? 0 : frame->args[calls[function].block];
	if (calls[function].action == FREES) {
		send_free(t, t->heap_block);
	} else {
		t->heap_size = size_of(function, frame->args);
		t->heap_told = is_told(t, function);
		t->heap_path = t->heap_told ? path_of(t, frame) : MS_WIRE_NO_PATH;
		if (calls[function].action == RESIZES)
			t->heap_resize = ms_resize_begin(t->heap_block, send_free);
	}
	bool comes_back = calls[function].action != FREES || t->traced;
	if (comes_back) {
		send_call(t, true);
		t->in_heap = 1;
	}
	if (ms_thin_is_on()) {
		ms_thin_end(t, began);
		if (calls[function].action == FREES)
			ms_thin_count(t, 0);
	}
	t->busy = 0;
	return comes_back;
}

/* A block that ends beyond the known end of the heap: the heap has grown, which is not observed in
 * untraced code. The memory between the blocks belongs to the allocator, and must be recorded
 * before them. */
static void see_growth(struct ms_thread *t, uint64_t end)
{
	if ((ms_config.idle || ms_config.period != 0) && ms_heap_is_beyond(end))
		ms_maps_grown(t);
}

static uint64_t blocks; /* that traced code has allocated */

uint64_t ms_heap_blocks(void)
{
	return __atomic_load_n(&blocks, __ATOMIC_RELAXED);
}

static void send_alloc(struct ms_thread *t, uint64_t function, uint64_t result)
{
	uint64_t words[3] = { result, t->heap_size, ms_thin_mean(t) };
	uint8_t action = calls[function].action;

	if (action == FILLS)
		words[0] = result == 0 ? *(const uint64_t *)t->heap_block : 0;
	if (action == RESIZES && (words[0] != 0 || words[1] == 0)) {
		ms_resize_gone(t, t->heap_resize, t->heap_block, send_free);
		t->heap_resize = 0;
	}
	end_resize(t);
	if (words[0] == 0 || t->heap_path == MS_WIRE_NO_PATH)
		return;
	ms_resize_overtake(t, words[0]);
	if (ms_thin_is_on() && !ms_thin_keep(t, words[0], words[1]))
		return;
	see_growth(t, words[0] + words[1]);
	__atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
	if (ms_config.follow)
		ms_follow_alloc(MS_WIRE_ALLOC, t->heap_path, words[0], words[1]);
	ms_lane_event(t, MS_WIRE_ALLOC, t->heap_path, words, words[2] == 0 ? 2 : 3, NULL, 0);
}

void ms_heap_leave(uint64_t function, uint64_t result)
{
	struct ms_thread *t = here();

	if (t == NULL)
		return;
	t->busy = 1;
	uint64_t began = ms_thin_is_on() ? ms_thin_begin(t) : 0;
	if (calls[function].action != FREES)
		send_alloc(t, function, result);
	send_call(t, false);
	t->in_heap = 0;
	if (ms_thin_is_on()) {
		ms_thin_end(t, began);
		if (t->heap_told)
			ms_thin_count(t, t->heap_size + 1);
	}
	t->busy = 0;
}
