/*
 * runtime.h - interfaces of the runtime: the shared object of the native front-end that is
 * preloaded into the program, whether or not any code is traced.
 *
 * The runtime shares a process with the program, so it follows strict rules. It does not call libc,
 * because libc may be interrupted in the middle of an operation, and because the program may
 * replace its functions. It makes raw system calls. It gets memory from mmap(), never from the
 * program's heap. It never ends the process: an operation that fails is omitted. All symbols are
 * hidden, except the functions that it interposes (wrap.S).
 *
 * While runtime code runs on a thread, the thread's `busy` is set. What a signal handler does
 * during that time is not recorded.
 */
#ifndef MS_NATIVE_RUNTIME_H
#define MS_NATIVE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hidden symbols are addressed relative to the pc, without the global offset table. */
#pragma GCC visibility push(hidden)

#include "stream/wire.h"
#include "stream/wire_stamped.h"

#include "allocators.h"
#include "altstack.h"
#include "kept.h"
#include "learn.h"
#include "recent.h"
#include "sample.h"
#include "thin.h"
#include "timed.h"
#include "timer.h"
#include "tracer.h"
#include "turns.h"
#include "wrap.h"

enum { MS_PAGE = 4096 };

/* An active call of a private allocator: see own.c. */
enum { MS_OWN_DEEPEST = 2, MS_OWN_MOST = 64 };
struct ms_own_call {
	uint64_t return_sp, return_pc;
	uint64_t size, block;
	const struct ms_heap_call *call;
	uint32_t path;
	uint32_t resize; /* as heap_resize below */
};

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

/* --- start.c --- */

enum { MS_MOST_GROUPS = 16384 };

/* The configuration that memspy passes in the environment. */
struct ms_config {
	int stream_fd, log_fd;
	/* A descriptor of /proc/self/maps that memspy sent, while a stream begins; -1: none. */
	int maps_fd;
	bool idle;           /* no code is traced */
	bool attached;       /* memspy attached to a running program */
	bool quiet;          /* and allocations are not recorded */
	uint64_t sample;     /* mean nanoseconds between samples of a thread; 0: no samples */
	uint64_t wish;       /* millionths of the time that samples may take; 0: no limit */
	uint64_t tell;       /* likewise for recording blocks; 0: all blocks are recorded */
	uint64_t seed;       /* of the random numbers for samples and windows */
	bool split;          /* a lane for each thread from the start */
	bool start_stopped;  /* count from the program's first MEMSPY_START() */
	uint32_t less_cache; /* the code cache is halved this many times */
	uint32_t altstacks;  /* for tests: number of alternate stacks; 0: no limit */
	bool times;          /* events that change memory get a time stamp */
	bool follow;         /* children request a stream at collector[] */
	char collector[108];
	/* Each period of so many references has one window of so many; if the window is as long as
	 * the period, the whole program is one window. 0: no windows. */
	uint64_t period, window;
	uint64_t head; /* references at the start that form the first window; 0: none */
	/* References at the start that are all counted, so that windows open exactly where they
	 * were drawn; and how often the length of the first windows is halved. */
	uint64_t counted;
	uint32_t halved;
	bool paced; /* memspy revises the window plan at run time */
	/* Set sampling: one bit for each of `groups` (a power of two) groups of lines, set if its
	 * lines are simulated; 0: all are. */
	uint32_t group_shift, groups;
	uint8_t group_seen[MS_MOST_GROUPS / 8];
};
extern struct ms_config ms_config;
/* 1 while there is a stream; the wrappers test it. */
extern uint32_t ms_on_page[];
#define ms_on    ms_on_page[0]
#define ms_plain (*(struct ms_thread **)&ms_on_page[2]) /* of plain.c; tested by wrap.S */
/* Switches the recording of allocations. While it is off, an allocation costs one jump more. */
void ms_heap_switch(bool on);
/* Updates whether the functions that create processes or execute programs are wrapped. */
void ms_wrap_processes(void);
/*
 * Marks runtime functions that call the program natively. If a window opens in such a call, traced
 * code returns into the middle of the runtime function.
 */
#define MS_CALLS_OUT __attribute__((noinline, section("ms_calls_out")))
extern const uint8_t __start_ms_calls_out[] __attribute__((visibility("hidden")));
extern const uint8_t __stop_ms_calls_out[] __attribute__((visibility("hidden")));
struct ms_wrap_frame;
/* Called by wrap.S; fifth and sixth are the arguments that the frame does not hold. */
uint64_t ms_untraced_call(uint64_t function, struct ms_wrap_frame *frame, uint64_t fifth,
			  uint64_t sixth);

/* The code of this object, by symbols of the linker, and the code of the wrappers in it. */
#define ms_runtime_text     __ehdr_start
#define ms_runtime_text_end etext
extern const uint8_t ms_runtime_text[] __attribute__((visibility("hidden")));
extern const uint8_t ms_runtime_text_end[] __attribute__((visibility("hidden")));
extern const uint8_t ms_wrap_start[], ms_wrap_end[];

/* --- words.c: replacements for libc functions --- */

size_t ms_length(const char *text);
bool ms_same(const void *a, const void *b, size_t n);
bool ms_same_text(const char *a, const char *b);
void ms_copy(void *to, const void *from, size_t n);
/* Writes the digits without a NUL; returns their number. */
size_t ms_put_number(char *to, uint64_t n, uint32_t base);
/* An address for memory of the runtime, away from the program's. */
uint64_t ms_place(uint64_t bytes);
/* Zeroed memory, until ms_pages_free(); NULL: out of memory. */
void *ms_pages(size_t bytes);
void ms_pages_free(void *at, size_t bytes);
/* Requests huge pages: most of the memory will be used, at random addresses. */
void ms_pages_join(void *at, size_t bytes);
/* Writes a line to memspy's log, if there is one; supports %s, %u and %x only. */
void ms_say(const char *format, ...);
void ms_log_start(int fd);
/* In a forked child: the log belongs to the parent. */
void ms_log_end(void);

/* --- lock.c --- */

/* Locks in the order of acquisition: the holder of a lock acquires only later ones. */
enum ms_lock {
	MS_LOCK_SAMPLE,
	MS_LOCK_THREADS,
	MS_LOCK_MAPS,
	MS_LOCK_RESIZE,
	MS_LOCK_OWN,
	MS_LOCK_TRACER,
	MS_LOCK_MADE,
	MS_LOCK_BLOCKS,
	MS_LOCK_PATHS,
	MS_LOCK_FOLLOW,
	MS_LOCK_SHARED, /* the lane that all threads write to */
	MS_LOCK_LANES,
	MS_LOCK_TURNS,
	MS_LOCKS
};
void ms_lock(enum ms_lock lock);
void ms_unlock(enum ms_lock lock);
/* Around a fork, with signals blocked, because a handler may need any of the locks. */
void ms_lock_all(void);
void ms_unlock_all(void);
/* In the child. */
void ms_lock_forked(void);
/* A thread that is stopped for good held a lock. From then on no thread waits for locks, and the
 * data that they protect may be inconsistent. */
bool ms_lock_is_abandoned(void);

/* --- lane.c --- */

bool ms_lane_attach(int fd, struct ms_thread *first);
/* The chunk is full: publishes it, waits for room, sets cursor and limit. */
void ms_lane_full(struct ms_thread *t);
/* Writes an event: n words, then a text. */
void ms_lane_event(struct ms_thread *t, uint32_t kind, uint32_t arg, const void *words, uint32_t n,
		   const char *text, uint32_t bytes);
/* Waits until the next few events of this thread have room, whichever way they are written. */
void ms_lane_reserve(struct ms_thread *t);
/* Switches the recording of executions of all threads; events are always recorded. */
void ms_lane_count(struct ms_thread *t, bool on);
/*
 * Suspends (or resumes) the recording of the thread's executions without an event in the stream.
 * The cursor moves through scratch memory, so its distance is known. False: not possible.
 */
bool ms_lane_aside(struct ms_thread *t, bool aside);
uint64_t ms_lane_aside_words(const struct ms_thread *t);
uint64_t ms_lane_aside_limit(const struct ms_thread *t);
/* The program becomes multi-threaded: the first thread gets a lane like all others. */
bool ms_lane_split(struct ms_thread *t);
/* The window plan: ms_wire_pace(). */
uint64_t ms_lane_pace(void);
/* Takes a lane for a thread; false: all are in use. */
bool ms_lane_take(struct ms_thread *t);
void ms_lane_give_back(struct ms_thread *t);
/* The thread may block now: publishes its chunk, so that records of others may precede its next
 * ones. */
void ms_lane_turn(struct ms_thread *t);
/* The thread may block from here on, or not any more: the merger does not wait for its records. */
void ms_lane_away(struct ms_thread *t, bool away);
/* An exit was described; so many instructions are executed up to it. */
void ms_lane_exit(uint32_t exit, uint32_t instructions);
void ms_lane_exit_code(uint32_t code);
/* From here on, the functions that run at the program's end make no system calls. */
void ms_lane_forbid_calls(void);
/* Writes nothing more to the stream, whatever threads do. */
void ms_lane_abandon(void);
/* Whether this process writes the stream: not a child that was not seen, or is not followed. */
bool ms_lane_is_writer(void);
/* The process executes another program; false: exec has failed. */
void ms_lane_executes(bool executes);
/* The process ends regularly. */
void ms_lane_finish(struct ms_thread *t);
/* In a forked child: detaches from the stream, which remains the parent's. */
void ms_lane_leave(struct ms_thread *t);
/* Then attaches to a stream of its own. When the state has been recorded there, ms_lane_restart()
 * restores whether executions are recorded. */
bool ms_lane_join(int fd, struct ms_thread *t);
void ms_lane_restart(struct ms_thread *t);
/* The instruction whose address the reader requests for samples that stop at this pc; 0: none. */
uint64_t ms_lane_wanted(uint64_t stop);
/* Publishes the current chunk now. */
void ms_lane_hand_over(struct ms_thread *t);
/* Whether the reader has gone: the program runs on, and need not be traced. */
bool ms_lane_closed(void);
/* Checks whether the reader still exists; if not, the lanes are closed. */
void ms_lane_look(void);

/* --- pack.c --- */

/*
 * Opens a packed record: until another record is written, one word at the cursor, below
 * packed_limit, records an allocation or a free near this block. size: 0 for a free. False: not
 * possible for this block, or not now.
 */
bool ms_lane_pack(struct ms_thread *t, uint64_t block, uint64_t size);
/* Whether a packed record may be opened at all. */
bool ms_lane_may_pack(const struct ms_thread *t);
void ms_lane_pack_end(struct ms_thread *t);

/* --- block.c --- */

/* Describes a block before its first execution; returns the number of its first exit. */
uint32_t ms_block_describe(struct ms_thread *t, const uint64_t *pcs, uint32_t instructions,
			   const struct ms_wire_ref *refs, uint32_t ref_count,
			   const struct ms_wire_exit *exits, uint32_t exit_count);

/*
 * With sampled sets: an execution is recorded without its references. The references to sampled
 * sets are recorded before it, each as an execution of its own.
 */
bool ms_block_start_apart(void);
/* As ms_block_describe(); the exits' numbers of references are stored here. */
uint32_t ms_block_describe_apart(struct ms_thread *t, const uint64_t *pcs, uint32_t instructions,
				 struct ms_wire_exit *exits, uint32_t exit_count);
/* The exit of an execution that is one reference of the instruction at pc. The instruction makes
 * `times` references of this size and kind each time. */
uint32_t ms_block_reference(struct ms_thread *t, uint64_t pc, uint16_t size, uint16_t kind,
			    uint32_t times);
/* The number of exits described so far. */
uint32_t ms_block_exits(void);
/* Whether an execution that left a block by this exit has written to memory. */
bool ms_block_exit_writes(uint32_t exit);
/* References made up to an exit, recorded or not. */
extern uint16_t *ms_block_refs;
static inline uint32_t ms_block_made(uint32_t exit)
{
	return exit < MS_WIRE_EXITS ? ms_block_refs[exit] : 0;
}
/* Code was unmapped: other instructions may be mapped there. */
void ms_block_forget(void);

/* For a new stream: numbers start again. */
void ms_block_restart(void);

/* --- unwind.c, stack.c, path.c --- */

/* Callee-saved registers of a caller, and where it was called from. */
struct ms_frame {
	uint64_t kept[MS_KEPT];
	uint64_t pc, sp;
	uint64_t link; /* the return address if it may still be in a register; else 0 */
	bool called;   /* pc is a return address and part of the path */
};
/* Code was unmapped: invalidates what is cached for it. */
void ms_unwind_forget(void);
/* The number of the current call path; called: frame's pc is a return address and part of it. */
uint32_t ms_path_here(struct ms_thread *t, const struct ms_frame *frame, bool called);
/* The same for a call through wrap.S; the path is cached. */
uint32_t ms_path_call(struct ms_thread *t, const struct ms_frame *frame);
/* The number of a path. */
uint32_t ms_path_number(struct ms_thread *t, const uint64_t *path, uint32_t n);
/* For a new stream: records all paths there, with their present numbers. */
void ms_path_tell_again(struct ms_thread *t);

/* --- maps.c --- */

/* Records all mappings and modules. */
void ms_maps_start(struct ms_thread *t);
/* Where the running thread's stack is. */
void ms_maps_find_stack(struct ms_thread *t);
/* The size to which the first thread's stack may grow; also the default size of the other threads'
 * stacks. */
uint64_t ms_maps_stack_limit(void);
/* Whether code at pc, [*start, *end), is mapped from a file and not writable. */
bool ms_maps_is_stable(uint64_t pc, uint64_t *start, uint64_t *end);
/* Whether code at pc, [*start, *end), may currently be executed and traced. */
bool ms_maps_code(uint64_t pc, uint64_t *start, uint64_t *end);
/* Whether the range contains code of a module. */
bool ms_maps_has_code(uint64_t start, uint64_t size);
/* Code there is writable from now on. */
void ms_maps_written(uint64_t start, uint64_t size);
/* Code there is never traced. */
void ms_maps_leave_alone(uint64_t start, uint64_t bytes);
/* The program maps or unmaps. */
void ms_maps_new(struct ms_thread *t, uint64_t address, uint64_t size, int fd, bool code,
		 const struct ms_frame *frame);
void ms_maps_gone(struct ms_thread *t, uint64_t address, uint64_t size);
void ms_maps_brk(struct ms_thread *t, uint64_t end);
/* The heap (brk) may have grown in untraced code. */
void ms_maps_grown(struct ms_thread *t);
extern uint64_t ms_maps_heap_end;
/* For a new stream: ms_maps_start() will record everything again. */
void ms_maps_restart(void);

/* A module whose code is mapped, for the unwinder. */
struct ms_module {
	uint64_t start, end; /* of its code */
	uint64_t bias;
	const uint8_t *frame_table; /* .eh_frame_hdr; NULL: none */
	uint64_t file;              /* identifies the file and the part of it */
	uint32_t number;
	bool own;
	bool seen; /* still mapped at the last check */
};
/* Finds modules that untraced code has unmapped: records that, and invalidates their code. */
void ms_maps_look(struct ms_thread *t);
/* The module whose code is at pc, valid until code is unmapped; NULL: none. */
const struct ms_module *ms_maps_module(uint64_t pc);
/* The same, for a module that untraced code may have mapped: then all new ones are recorded. */
const struct ms_module *ms_maps_find(struct ms_thread *t, uint64_t pc);

/* --- untraced.c --- */

/* Whether another thread is unloading a library: what is mapped at its address must not be traced
 * yet. */
bool ms_unloading_others(const struct ms_thread *t);
/* In a forked child, which has one thread. */
void ms_unloading_forked(const struct ms_thread *t);

/* --- link.c: symbols of the dynamic loader --- */

/* The function of this name that follows ours in the order of look-up, and the file of its object;
 * NULL: none. */
void *ms_link_next(const char *name, const char **object);

/* --- calls.c --- */

/* Before and after every system call of a traced thread; frame: its registers, with the pc after
 * the call. */
void ms_call_before(struct ms_thread *t, uint64_t number, const uint64_t args[6],
		    const struct ms_frame *frame);
void ms_call_after(struct ms_thread *t, uint64_t number, const uint64_t args[6], int64_t result,
		   const struct ms_frame *frame);

/* place.c: a system call that binds threads or memory to processors or nodes. */
void ms_place_call(struct ms_thread *t, uint64_t number, const uint64_t args[6]);
/* This thread wakes the threads that wait at this word. */
void ms_call_wakes(struct ms_thread *t, uint64_t word);

/* --- own.c, own_names.c: allocators that have no wrapper --- */

/* "own=": as src/collect/own.c writes it. */
void ms_own_named(const char *text);
/* A module was mapped: searches it for the functions. */
void ms_own_look(const struct ms_module *module, const char *path);
void ms_own_add(uint64_t pc, const struct ms_heap_call *call);
void ms_own_gone(uint64_t start, uint64_t size);
/* Reports names that were not found in any module. */
void ms_own_finish(void);
/* Whether traced code must call ms_own_pass() before it continues at pc. */
bool ms_own_watches(uint64_t pc);
/* Traced code continues at pc. from: the caller of the function that begins there, as it is after
 * the return. */
void ms_own_pass(struct ms_thread *t, uint64_t pc, uint64_t sp, const uint64_t *args,
		 uint64_t result, const struct ms_frame *from);
/* Whether a call with this stack pointer was made by such an allocator. */
bool ms_own_inside(struct ms_thread *t, uint64_t sp);

/* --- follow.c: children --- */

/* Called before code of the program runs. */
void ms_follow_start(void);
/* Keeps the list of live blocks, for a child. */
void ms_follow_alloc(uint32_t kind, uint32_t path, uint64_t address, uint64_t size);
void ms_follow_free(uint64_t address);
/* Requests a stream from memspy (enum ms_wire_ask_kind); ms_config gets its descriptors. False:
 * refused. t: NULL before there are threads. */
bool ms_follow_ask(struct ms_thread *t, uint32_t kind);
/* Before and after a fork, in the parent: waits until the child, pid, has requested a stream.
 * Negative: the fork failed. */
void ms_follow_fork(struct ms_thread *t);
void ms_follow_forked(struct ms_thread *t, int64_t pid);
/* A process executes the program at path; "": exec failed. */
void ms_follow_becomes(uint32_t process, const char *path);
/* A process that shared the memory of this one (vfork) has executed a program, or ended. */
void ms_follow_spawned(uint32_t process);
/* In a forked child, with its own stream: records paths and blocks. */
void ms_follow_restart(struct ms_thread *t);

/* --- limits.c --- */

/* Called before and after the runtime maps its memory. */
void ms_limits_begin(void);
void ms_limits_begun(void);
/* Bytes that may be mapped until the program reaches its limit; UINT64_MAX: there is no permanent
 * limit. */
uint64_t ms_limits_left(void);
/* Emulates a system call on the address space limit; false: it is another system call. */
bool ms_limits_call(uint64_t number, const uint64_t args[6], uint64_t *result);

/* --- request.c --- */

/* A client request of include/memspy.h, with its args; returns the answer. frame: where it was
 * made; called: frame's pc is a return address. */
uint64_t ms_request(struct ms_thread *t, const uint64_t *args, const struct ms_frame *frame,
		    bool called);

/* --- hook.c --- */

/* Reads the notes of a module: if its sources include memspy.h, its client requests are enabled. */
void ms_hook_notes(uint64_t bias, const void *headers, uint32_t count);
extern const uint8_t ms_hook_entry[];

/* --- heap.c, called by wrap.S --- */

/* The layout that wrap.S creates on the stack. */
struct ms_wrap_frame {
	uint64_t args[4];
	uint64_t kept[MS_KEPT];
	uint64_t result; /* before the call: the frame pointer, for plain.c */
	uint64_t return_pc;
	uint64_t caller_stack[];
};
/* 1: ms_heap_leave() must be called after the real function. */
uint64_t ms_heap_enter(uint64_t function, struct ms_wrap_frame *frame);
void ms_heap_leave(uint64_t function, uint64_t result);
/* Whether a block that ends there exceeds the recorded end of the heap. */
static inline bool ms_heap_is_beyond(uint64_t end)
{
	const uint64_t near = UINT64_C(1) << 40; /* farther away it is not in the heap */

	return end - 1 - __atomic_load_n(&ms_maps_heap_end, __ATOMIC_ACQUIRE) < near;
}
const char *ms_heap_name(uint64_t function);
/* Where calls of this function go: to the recording wrapper (`tells`, of wrap.S), or to the real
 * one. */
const void *ms_heap_wrapper(uint64_t function, const void *tells, const void *real);
/* Calls of this function are not recorded, because it calls another wrapped function. */
void ms_heap_passes(uint64_t function);

/* --- plain.c --- */

/* Whether the fast path of plain.c may replace heap.c. */
void ms_plain_switch(bool may);
/* Disables the fast path while the only thread is traced: wrap.S then need not call C, which would
 * leave generated code. */
void ms_plain_trace(bool traced);
/* The program has several threads from here on, or one again. */
void ms_plain_many(bool there_are);

/* --- resize.c: blocks in an active realloc --- */

/* Records that the block is freed. */
typedef void ms_resize_teller(struct ms_thread *t, uint64_t block);
/* Before the call; the result is an argument of one of the next two. 0: there is no block, or no
 * room. */
uint32_t ms_resize_begin(uint64_t block, ms_resize_teller *tell);
/* The call failed, or was left by a jump. */
void ms_resize_stays(uint32_t call);
/* The call has returned and the block is freed: records it, unless another thread has. */
void ms_resize_gone(struct ms_thread *t, uint32_t call, uint64_t block, ms_resize_teller *tell);
/* Number of active calls whose block another thread may already have been given. */
extern uint32_t ms_resize_under_way;
/* Called before a block at this address is recorded. */
void ms_resize_overtake(struct ms_thread *t, uint64_t block);
/* In a forked child, which has one thread. */
void ms_resize_forked(struct ms_thread *t);

/* --- thread.c --- */

/* Number of threads that got no lane. */
extern uint32_t ms_thread_untraced;
/* Creates the first thread and sets ms_self(). NULL: out of memory. */
struct ms_thread *ms_thread_first(void);
/* The running thread; NULL: it is unknown, or the runtime is already active on it. */
struct ms_thread *ms_thread_here(void);
void ms_thread_tell(struct ms_thread *t, uint32_t maker);
/* The thread creates another one, with this stack. */
void ms_thread_makes(struct ms_thread *t, uint64_t stack, uint64_t size, uint64_t cleared);
/* Iterates over all threads, also those that ended. */
struct ms_thread *ms_thread_next(const struct ms_thread *t);
/* The number of the thread with this kernel id; 0: none. */
uint32_t ms_thread_of(uint32_t tid);
/* Whether the kernel clears this word when a thread ends. */
bool ms_thread_clears(uint64_t word);
/* Registers the running thread, which existed before memspy attached; NULL: no memory, or no
 * lane. */
struct ms_thread *ms_thread_comes(void);
/* The thread ends; the process too, if it was the last. */
void ms_thread_end(struct ms_thread *t, uint32_t code);
/* In a forked child: the other threads do not exist, and this one is the first. */
void ms_thread_forked(struct ms_thread *t);
void ms_runtime_forked(struct ms_thread *t);
/* Returns the thread if it is to be traced from here on. */
struct ms_thread *ms_runtime_start(int argc, char **argv, char **env);
/* The program runs on untraced for good; why: the reason for the log. */
void ms_runtime_leave(struct ms_thread *t, const char *why);
/* Likewise, where the state of the stream may be inconsistent: nothing more is written to it. */
void ms_runtime_abandon(const char *why);
/* The process ends, with this status. */
void ms_runtime_end(struct ms_thread *t, uint32_t code);

#pragma GCC visibility pop

#endif
