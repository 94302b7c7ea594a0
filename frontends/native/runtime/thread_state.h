/* thread_state.h - what the runtime keeps for each thread of the program. */
#ifndef MS_NATIVE_RUNTIME_THREAD_STATE_H
#define MS_NATIVE_RUNTIME_THREAD_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/stamped.h"
#include "wire/wire.h"

enum { MS_RUNTIME_PAGE_BYTES = 4096 };

/*
 * Parts above the runtime keep state for each thread. The runtime knows only its size; the owner
 * has a function that returns it as a struct, and checks that it fits.
 */
enum {
	MS_RUNTIME_ALTSTACK_BYTES = 80,       /* signals/altstack.h */
	MS_RUNTIME_TIMER_BYTES = 56,          /* signals/cpu_timer.h */
	MS_RUNTIME_TIMED_BYTES = 56,          /* sampling/timer_sampling.h */
	MS_RUNTIME_SAMPLING_BYTES = 512,      /* sampling/sampling.h */
	MS_RUNTIME_BREAKPOINT_BYTES = 16,     /* sampling/breakpoint_probe.h */
	MS_RUNTIME_FAULT_PROBE_BYTES = 32,    /* sampling/fault_probe.h */
	MS_RUNTIME_ALLOC_SAMPLING_BYTES = 88, /* heap/alloc_sampling.h */
	MS_RUNTIME_PRIVATE_CALLS_BYTES = 96,  /* heap/private_call.h */
	MS_RUNTIME_STACK_FRAMES_BYTES = 1024, /* heap/stack_frame.h */
	MS_RUNTIME_KEPT_NAME_BYTES = 192,     /* heap/kept_stack_name.h */
	MS_RUNTIME_TIME_SLICE_BYTES = 24,     /* tracer/time_slices.h */
	MS_RUNTIME_TRACER_BYTES = 128 * 1024, /* tracer/window.h, with the stack of C */
};
#define MS_RUNTIME_OWNED(name, bytes) uint8_t name[bytes] __attribute__((aligned(8)))

/* How a thread is sampled, as far as parts below sampling must know it. */
struct ms_runtime_sampled {
	uint8_t code; /* enum ms_tracer_code_kind: the code that it runs */
	bool inside;  /* it is in the open window: its references are recorded */
	bool entered; /* it has just entered: its calls must be recorded */
};

struct ms_unwind_path_cache_entry;
struct ms_unwind_path_cache;
struct ms_runtime_thread_creation;
struct ms_unwind_cached_step;

/*
 * A thread of the program; see ms_runtime_get_thread(). Its first page is a second mapping of the
 * page of its lane in the stream: generated code finds the cursor there, and the reader sees how
 * far the thread has written, however the process ends.
 */
struct ms_runtime_thread {
	struct ms_wire_lane lane;
	uint8_t rest_of_page[MS_RUNTIME_PAGE_BYTES - sizeof(struct ms_wire_lane)];

	/* No record may start at or above this address: ms_runtime_finish_full_chunk(). */
	uint64_t limit;
	uint32_t number; /* from 1, as the stream counts threads */
	uint32_t traced; /* set by the tracer: its references are being recorded */
	struct ms_runtime_thread *self;
	uint64_t thread_pointer; /* the thread pointer of the thread that owns this */
	uint32_t busy;
	uint32_t in_heap; /* active calls of the allocator */
	/* Used by packed_records.c while blocks are packed: the limit below which words may be
	 * written, or 0; the address that blocks are relative to, and how many units they may be
	 * above it. */
	uint64_t packed_limit;
	uint64_t packed_base, packed_span;
	/* malloc_fast.c uses two cache lines only: the one that ends here and the one that begins
	 * here. */
	uint64_t heap_frame; /* of the active call: where its caller's stack is */
	uint64_t heap_word;  /* used by malloc_fast.c */
	struct ms_unwind_path_cache *path_cache;
	struct ms_unwind_path_cache_entry *path_last,
		*path_next; /* last one found; its last successor */
	uint64_t heap_block;
	bool heap_recorded;
	bool stopped; /* scratch_lane.c: executions are not written */
	bool ended;
	uint32_t private_depth;
	struct ms_wire_index *events; /* of the current chunk */
	uint64_t alloc_countdown;     /* see alloc_sampling.h */
	uint64_t heap_size;
	uint32_t heap_path;
	uint32_t heap_resize; /* used by pending_reallocs.c */
	uint64_t stack, stack_end;
	uint32_t lane_number;
	uint32_t tid; /* the kernel's id of the thread */
	/* These two are not cleared when the struct is used for another thread: others may be
	 * iterating over all threads, and the alternate stack stays. */
	struct ms_runtime_thread *next;
	MS_RUNTIME_OWNED(altstack, MS_RUNTIME_ALTSTACK_BYTES);
	struct ms_runtime_thread_creation *creation; /* the thread that it creates */
	uint32_t *fork_reply;     /* shared with the child that it forks: see child_processes.c */
	uint64_t start;           /* its start function; 0: main thread */
	uint64_t cleared_at_exit; /* the word that the kernel clears at its end */
	uint32_t is_waiting; /* syscall_events.c: in a system call that was recorded as waiting */
	uint32_t unloads_under_way; /* mapping_functions.c: active calls of dlclose() */
	MS_RUNTIME_OWNED(private_calls, MS_RUNTIME_PRIVATE_CALLS_BYTES);
	MS_RUNTIME_OWNED(stack_frames, MS_RUNTIME_STACK_FRAMES_BYTES);
	MS_RUNTIME_OWNED(kept_name, MS_RUNTIME_KEPT_NAME_BYTES);
	struct ms_unwind_cached_step *steps; /* used by unwinder.c */

	/* Used by chunks.c: where its chunks are; and, while executions are not written, the
	 * position in the lane. */
	uint8_t *chunks;
	uint32_t chunk_bytes, chunk_count;
	uint32_t *lengths;
	uint64_t published_words;
	struct ms_wire_index *indexes; /* of all chunks */
	uint64_t *scratch;
	uint64_t saved_cursor, saved_limit;
	bool uses_scratch;     /* it is stopped temporarily: ms_runtime_use_scratch_lane() */
	bool lane_released;    /* it is stopped for good: another thread may have its lane */
	bool restores_ignored; /* used by exec_signals.c */
	/* Used by stamped_lanes.c: where the next block is written, and the end of the free space;
	 * NULL: the thread may not write stamped blocks. */
	struct ms_wire_stamped *stamped_at, *stamped_limit;
	struct ms_wire_stamped *stamped; /* the whole array */
	uint64_t scratch_cursor, scratch_limit, scratch_words;

	struct ms_runtime_sampled sampled;
	MS_RUNTIME_OWNED(timer, MS_RUNTIME_TIMER_BYTES);
	MS_RUNTIME_OWNED(timed, MS_RUNTIME_TIMED_BYTES);
	MS_RUNTIME_OWNED(fault_probe, MS_RUNTIME_FAULT_PROBE_BYTES);
	MS_RUNTIME_OWNED(sampling, MS_RUNTIME_SAMPLING_BYTES);
	MS_RUNTIME_OWNED(breakpoint, MS_RUNTIME_BREAKPOINT_BYTES);
	MS_RUNTIME_OWNED(alloc_sampling, MS_RUNTIME_ALLOC_SAMPLING_BYTES);
	MS_RUNTIME_OWNED(time_slice, MS_RUNTIME_TIME_SLICE_BYTES);

	uint8_t tracer[MS_RUNTIME_TRACER_BYTES] __attribute__((aligned(4096)));
};

enum {
	MS_RUNTIME_THREAD_LIMIT_AT = 4096, /* offsets that generated code uses */
	MS_RUNTIME_THREAD_TRACED_AT = 4108,
	MS_RUNTIME_THREAD_SELF_AT = 4112,
	MS_RUNTIME_THREAD_POINTER_AT = 4120,
	MS_RUNTIME_THREAD_ALLOC_COUNTDOWN_AT = 4224,
	MS_RUNTIME_THREAD_TRACER_AT = 8192,
};
_Static_assert(offsetof(struct ms_runtime_thread, lane.cursor) == 0, "generated code");
_Static_assert(offsetof(struct ms_runtime_thread, limit) == MS_RUNTIME_THREAD_LIMIT_AT,
	       "generated code");
_Static_assert(offsetof(struct ms_runtime_thread, traced) == MS_RUNTIME_THREAD_TRACED_AT,
	       "generated code");
_Static_assert(offsetof(struct ms_runtime_thread, self) == MS_RUNTIME_THREAD_SELF_AT,
	       "generated code");
_Static_assert(offsetof(struct ms_runtime_thread, thread_pointer) == MS_RUNTIME_THREAD_POINTER_AT,
	       "generated code");
_Static_assert(offsetof(struct ms_runtime_thread, alloc_countdown) ==
		       MS_RUNTIME_THREAD_ALLOC_COUNTDOWN_AT,
	       "interpose.S");
_Static_assert(offsetof(struct ms_runtime_thread, heap_frame) == MS_RUNTIME_THREAD_LIMIT_AT + 64,
	       "malloc_fast.c");
_Static_assert(offsetof(struct ms_runtime_thread, tracer) == MS_RUNTIME_THREAD_TRACER_AT,
	       "generated code");

#endif
