/* thread_state.h - what the runtime keeps for each thread of the program. */
#ifndef MS_NATIVE_RUNTIME_THREAD_STATE_H
#define MS_NATIVE_RUNTIME_THREAD_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "altstack.h"
#include "heap/private_call.h"
#include "learn.h"
#include "sample.h"
#include "thin.h"
#include "timed.h"
#include "timer.h"
#include "tracer.h"
#include "turns.h"
#include "wire/stamped.h"
#include "wire/wire.h"
#include "wrap.h"

enum { MS_PAGE = 4096 };

struct ms_recent;
struct ms_recents;
struct ms_making;
struct ms_step;

/*
 * A thread of the program; see ms_self(). Its first page is a second mapping of the page of its
 * lane in the stream: generated code finds the cursor there, and the reader sees how far the thread
 * has written, however the process ends.
 */
struct ms_thread {
	struct ms_wire_lane lane;
	uint8_t rest_of_page[MS_PAGE - sizeof(struct ms_wire_lane)];

	/* No record may start at or above this address: ms_lane_full(). */
	uint64_t limit;
	uint32_t number; /* from 1, as the stream counts threads */
	uint32_t traced; /* set by the tracer: its references are being recorded */
	struct ms_thread *self;
	uint64_t pointer; /* the thread pointer of the thread that owns this */
	uint32_t busy;
	uint32_t in_heap; /* active calls of the allocator */
	/* Used by pack.c while blocks are packed: the limit below which words may be written, or 0;
	 * the address that blocks are relative to, and how many units they may be above it. */
	uint64_t packed_limit;
	uint64_t packed_base, packed_span;
	/* plain.c uses two cache lines only: the one that ends here and the one that begins
	 * here. */
	uint64_t heap_frame; /* of the active call: where its caller's stack is */
	uint64_t heap_word;  /* used by plain.c */
	struct ms_recents *recent;
	struct ms_recent *recent_last, *recent_next; /* last one found; its last successor */
	uint64_t heap_block;
	bool heap_told;
	bool stopped; /* lane.c: executions are not written */
	bool ended;
	uint32_t own_count;
	struct ms_wire_index *events; /* of the current chunk */
	uint64_t until;               /* see thin.h */
	uint64_t heap_size;
	uint32_t heap_path;
	uint32_t heap_resize; /* used by resize.c */
	uint64_t stack, stack_end;
	uint32_t lane_number;
	uint32_t tid; /* the kernel's id of the thread */
	struct ms_thread *next;
	struct ms_making *making; /* the thread that it creates */
	uint32_t *asked;          /* shared with the child that it forks: see follow.c */
	uint64_t start;           /* its start function; 0: main thread */
	uint64_t cleared;         /* the word that the kernel clears at its end */
	uint32_t waits;           /* calls.c: in a system call that was recorded as waiting */
	uint32_t unloads;         /* untraced.c: active calls of dlclose() */
	struct ms_own_call own[MS_OWN_DEEPEST];
	struct ms_step *steps; /* used by unwind.c */

	/* Used by lane.c: where its chunks are; and, while executions are not written, the position
	 * in the lane. */
	uint8_t *chunks;
	uint32_t chunk_bytes, chunk_count;
	uint32_t *lengths;
	struct ms_wire_index *indexes; /* of all chunks */
	uint64_t *scratch;
	uint64_t saved_cursor, saved_limit;
	bool aside;         /* it is stopped temporarily: ms_lane_aside() */
	bool laneless;      /* it is stopped for good: another thread may have its lane */
	bool gives_signals; /* used by exec_signals.c */
	/* Used by stamp.c: where the next block is written, and the end of the free space; NULL:
	 * the thread may not write stamped blocks. */
	struct ms_wire_stamped *stamped_at, *stamped_limit;
	struct ms_wire_stamped *stamped; /* the whole array */
	uint64_t aside_cursor, aside_limit, aside_words;

	struct ms_altstack altstack;
	struct ms_timer timer;
	struct ms_timed timed;
	struct ms_sampled sampled;
	struct ms_learn learn;
	struct ms_thin thin;
	struct ms_turn turn;

	uint8_t tracer[MS_TRACER_BYTES] __attribute__((aligned(4096)));
};

enum {
	MS_THREAD_LIMIT = 4096, /* offsets that generated code uses */
	MS_THREAD_TRACED = 4108,
	MS_THREAD_SELF = 4112,
	MS_THREAD_POINTER = 4120,
	MS_THREAD_UNTIL = MS_WRAP_UNTIL,
	MS_THREAD_TRACER = 8192,
};
_Static_assert(offsetof(struct ms_thread, lane.cursor) == 0, "generated code");
_Static_assert(offsetof(struct ms_thread, limit) == MS_THREAD_LIMIT, "generated code");
_Static_assert(offsetof(struct ms_thread, traced) == MS_THREAD_TRACED, "generated code");
_Static_assert(offsetof(struct ms_thread, self) == MS_THREAD_SELF, "generated code");
_Static_assert(offsetof(struct ms_thread, pointer) == MS_THREAD_POINTER, "generated code");
_Static_assert(offsetof(struct ms_thread, until) == MS_THREAD_UNTIL, "wrap.S");
_Static_assert(offsetof(struct ms_thread, heap_frame) == MS_THREAD_LIMIT + 64, "plain.c");
_Static_assert(offsetof(struct ms_thread, tracer) == MS_THREAD_TRACER, "generated code");

#endif
