/*
 * runtime.h - the part of the native front-end that is there whether or not anything is traced: a
 * shared object, preloaded into the program.
 *
 * It lives in a process that is not its own. No libc inside (it could be the program's own
 * business, or half-way through something), only raw system calls; memory by mmap, never from the
 * program's heap; it never exits, and what it cannot do it leaves undone. Hidden symbols, but for
 * the functions that it stands in front of (wrap.S).
 *
 * While its own code runs for a thread, `busy` is set there: what a signal handler does meanwhile
 * is not told.
 */
#ifndef MS_NATIVE_RUNTIME_H
#define MS_NATIVE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is declared here is found where it is, not by way of the loader's table of addresses. */
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

/* A call of an allocator that is under way: see own.c. */
enum { MS_OWN_DEEPEST = 2, MS_OWN_MOST = 64 };
struct ms_own_call {
	uint64_t return_sp, return_pc;
	uint64_t size, block;
	const struct ms_heap_call *call;
	uint32_t path;
	uint32_t resize; /* as below */
};

/*
 * A thread of the program; see ms_self(). The first page is the lane's page of the stream,
 * mapped a second time: generated code finds the cursor there, and whatever ends the process, the
 * reader sees how far it came.
 */
struct ms_thread {
	struct ms_wire_lane lane;
	uint8_t rest_of_page[MS_PAGE - sizeof(struct ms_wire_lane)];

	/* No record may start with the cursor at or above it: ms_lane_full(). */
	uint64_t limit;
	uint32_t number; /* from 1, as the stream counts threads */
	uint32_t traced; /* the tracer's: its references are being recorded */
	struct ms_thread *self;
	uint64_t pointer; /* the thread pointer: whose this really is */
	uint32_t busy;
	uint32_t in_heap; /* calls of the allocator under way */
	/* lane.c's, while blocks are packed: no word may be written at or above it, or 0; where
	 * blocks are counted from, and how many units they may be above it. */
	uint64_t packed_limit;
	uint64_t packed_base, packed_span;
	/* Up to here, and from here on, one line of the cache each: all that plain.c needs. */
	uint64_t heap_frame; /* of the call under way: where its caller's stack is ... */
	uint64_t heap_word;  /* plain.c's */
	struct ms_recents *recent;
	struct ms_recent *recent_last, *recent_next; /* found last, and after it the last time */
	uint64_t heap_block;
	bool heap_told;
	bool stopped; /* lane.c's: nothing is counted */
	bool ended;
	uint32_t own_count;
	struct ms_wire_index *events; /* of the chunk that is being written */
	uint64_t until;               /* see thin.h */
	uint64_t heap_size;
	uint32_t heap_path;
	uint32_t heap_resize; /* resize.c's */
	uint64_t stack, stack_end;
	uint32_t lane_number;
	uint32_t tid; /* the kernel's */
	struct ms_thread *next;
	struct ms_making *making; /* the thread that it is making */
	uint32_t *asked;          /* shared with the child that it forks: see follow.c */
	uint64_t start;           /* the function that it begins with; 0: main's */
	uint64_t cleared;         /* the word that the kernel clears when it ends */
	uint32_t waits;           /* calls.c: in a system call that was told as waiting */
	uint32_t unloads;         /* untraced.c: calls of dlclose() under way */
	struct ms_own_call own[MS_OWN_DEEPEST];
	struct ms_step *steps; /* unwind.c's */

	/* lane.c's: where its chunks lie, and while nothing is counted, where the lane stands. */
	uint8_t *chunks;
	uint32_t chunk_bytes, chunk_count;
	uint32_t *lengths;
	struct ms_wire_index *indexes; /* all chunks' */
	uint64_t *scratch;
	uint64_t saved_cursor, saved_limit;
	bool aside;         /* it is, for a while: ms_lane_aside() */
	bool laneless;      /* it is, for good: its lane may be another's */
	bool gives_signals; /* exec_signals.c's */
	/* stamp.c's: where the next block goes, how far there is room; NULL: it may not. */
	struct ms_wire_stamped *stamped_at, *stamped_limit;
	struct ms_wire_stamped *stamped; /* all of them */
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
	MS_THREAD_LIMIT = 4096, /* where generated code finds it */
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

/* What memspy wants, from the environment. */
struct ms_config {
	int stream_fd, log_fd;
	/* /proc/self/maps, where memspy sent it, while a stream begins; -1: it did not. */
	int maps_fd;
	bool idle;           /* nothing is traced */
	bool attached;       /* the program ran before we came */
	bool quiet;          /* and nothing is told of allocations */
	uint64_t sample;     /* mean nanoseconds between samples of a thread; 0: none are taken */
	uint64_t wish;       /* millionths of the time that samples may take; 0: any */
	uint64_t tell;       /* and of it, telling of blocks; 0: all are told */
	uint64_t seed;       /* varies when they are taken, and which windows */
	bool split;          /* a lane for each thread from the start */
	bool start_stopped;  /* count from the program's first MEMSPY_START() on */
	uint32_t less_cache; /* of translated code: that many times by half */
	uint32_t altstacks;  /* for tests: there are so many alternate stacks; 0: any number */
	bool times;          /* what changes memory is told with the time */
	bool follow;         /* collector[]: where children ask for a stream */
	char collector[108];
	/* One window in each period, in references, or where it is as long, all of it is one; 0:
	 * there are none. */
	uint64_t period, window;
	uint64_t head; /* references at the start that are a window of their own; 0: none */
	/* Likewise: those among which all are counted, so that windows open where they were drawn;
	 * and how often the first ones are half as long. */
	uint64_t counted;
	uint32_t halved;
	bool paced; /* memspy decides anew, now and then, how windows lie */
	/* Which lines are seen, by a bit for each of `groups`, a power of two; 0: all are. */
	uint32_t group_shift, groups;
	uint8_t group_seen[MS_MOST_GROUPS / 8];
};
extern struct ms_config ms_config;
/* 1 while there is a stream; the wrappers look at it. */
extern uint32_t ms_on_page[];
#define ms_on    ms_on_page[0]
#define ms_plain (*(struct ms_thread **)&ms_on_page[2]) /* plain.c's; wrap.S asks for it */
/* Whether somebody wants to know of allocations; while nobody does they cost a jump. */
void ms_heap_switch(bool on);
/* Functions that make processes or execute programs: whether they are wrapped has changed. */
void ms_wrap_processes(void);
/* This object's own code (by the linker's names), and in it that of the wrappers. */
/*
 * Functions of ours that call the program's natively: a window may open down there, and comes back
 * into the middle of them.
 */
#define MS_CALLS_OUT __attribute__((noinline, section("ms_calls_out")))
extern const uint8_t __start_ms_calls_out[] __attribute__((visibility("hidden")));
extern const uint8_t __stop_ms_calls_out[] __attribute__((visibility("hidden")));
struct ms_wrap_frame;
/* Called by wrap.S; fifth and sixth: arguments that are not in the frame. */
uint64_t ms_untraced_call(uint64_t function, struct ms_wrap_frame *frame, uint64_t fifth,
			  uint64_t sixth);

#define ms_runtime_text     __ehdr_start
#define ms_runtime_text_end etext
extern const uint8_t ms_runtime_text[] __attribute__((visibility("hidden")));
extern const uint8_t ms_runtime_text_end[] __attribute__((visibility("hidden")));
extern const uint8_t ms_wrap_start[], ms_wrap_end[];

/* --- words.c: what libc would give --- */

size_t ms_length(const char *text);
bool ms_same(const void *a, const void *b, size_t n);
bool ms_same_text(const char *a, const char *b);
void ms_copy(void *to, const void *from, size_t n);
/* Its digits, without a NUL; returns how many. */
size_t ms_put_number(char *to, uint64_t n, uint32_t base);
/* Where to map memory of ours: away from the program's. */
uint64_t ms_place(uint64_t bytes);
/* Zeroed memory that stays; NULL: there is none. */
void *ms_pages(size_t bytes);
void ms_pages_free(void *at, size_t bytes);
/* Much of it will be used, all over it. */
void ms_pages_join(void *at, size_t bytes);
/* A line for memspy's log, if there is one; %s and %u and %x only. */
void ms_say(const char *format, ...);
void ms_log_start(int fd);
/* A forked child's words are nobody's. */
void ms_log_end(void);

/* --- lock.c --- */

/* In the order in which they are taken: who holds one takes only those behind it. */
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
	MS_LOCK_SHARED, /* the lane that all write to */
	MS_LOCK_LANES,
	MS_LOCK_TURNS,
	MS_LOCKS
};
void ms_lock(enum ms_lock lock);
void ms_unlock(enum ms_lock lock);
/* Around a fork, with signals blocked: a handler may need any of them. */
void ms_lock_all(void);
void ms_unlock_all(void);
/* In the child. */
void ms_lock_forked(void);
/* A thread that is stopped for good held a lock: nobody waits for locks any more, and what they
 * guard may be half changed. */
bool ms_lock_is_abandoned(void);

/* --- lane.c --- */

bool ms_lane_attach(int fd, struct ms_thread *first);
/* The chunk is full: hands it over, waits for room, sets cursor and limit. */
void ms_lane_full(struct ms_thread *t);
/* An event: n words, then a text. */
void ms_lane_event(struct ms_thread *t, uint32_t kind, uint32_t arg, const void *words, uint32_t n,
		   const char *text, uint32_t bytes);
/* Waits until the next few events of this thread have room, however they are written. */
void ms_lane_reserve(struct ms_thread *t);
/* Whether executions of all threads are written from now on; events always are. */
void ms_lane_count(struct ms_thread *t, bool on);
/*
 * Executions are not written for a while, nor is anybody told; how far the cursor has moved since
 * is known. False: it cannot be.
 */
bool ms_lane_aside(struct ms_thread *t, bool aside);
uint64_t ms_lane_aside_words(const struct ms_thread *t);
uint64_t ms_lane_aside_limit(const struct ms_thread *t);
/* Several threads begin: the first one gets a lane like all others. */
bool ms_lane_split(struct ms_thread *t);
/* How windows are to lie: ms_wire_pace(). */
uint64_t ms_lane_pace(void);
/* A lane for a thread; false: there is none. */
bool ms_lane_take(struct ms_thread *t);
void ms_lane_give_back(struct ms_thread *t);
/* Others may come before what follows: the thread may wait now. */
void ms_lane_turn(struct ms_thread *t);
/* It may wait from here on; or it does not any more. */
void ms_lane_away(struct ms_thread *t, bool away);
/* So many instructions are executed up to an exit. */
void ms_lane_exit(uint32_t exit, uint32_t instructions);
void ms_lane_exit_code(uint32_t code);
/* From here on no function that the program's end calls makes a system call. */
void ms_lane_forbid_calls(void);
/* Nothing more goes to the stream, whatever threads do. */
void ms_lane_abandon(void);
/* It executes another program; false: that has failed. */
/* Whether this process writes the stream: not a child that was not seen, or is not followed. */
bool ms_lane_is_writer(void);
void ms_lane_executes(bool executes);
/* The process ends in good order. */
void ms_lane_finish(struct ms_thread *t);
/* In a forked child: the stream stays the parent's. */
void ms_lane_leave(struct ms_thread *t);
/* And then another one is its own; when all has been told there, it counts as before the fork. */
bool ms_lane_join(int fd, struct ms_thread *t);
void ms_lane_restart(struct ms_thread *t);
/* What the reader wants to know of samples that stop at pc: the instruction; 0: nothing. */
uint64_t ms_lane_wanted(uint64_t stop);
/* What there is goes to the reader now. */
void ms_lane_hand_over(struct ms_thread *t);
/* Whether nobody reads any more: the program runs on, and there is no need to trace it. */
bool ms_lane_closed(void);
/* Whether memspy is still there: if it is not, they are. */
void ms_lane_look(void);

/* --- pack.c --- */

/*
 * From here on a word tells of a block near this one, until something else is told: the next word
 * goes to the cursor while that is below packed_limit. False: not here, or not now. size: 0 where
 * it goes.
 */
bool ms_lane_pack(struct ms_thread *t, uint64_t block, uint64_t size);
/* Whether it may be so for some block. */
bool ms_lane_may_pack(const struct ms_thread *t);
void ms_lane_pack_end(struct ms_thread *t);

/* --- block.c --- */

/* Described before it is executed for the first time; returns the number of its first exit. */
uint32_t ms_block_describe(struct ms_thread *t, const uint64_t *pcs, uint32_t instructions,
			   const struct ms_wire_ref *refs, uint32_t ref_count,
			   const struct ms_wire_exit *exits, uint32_t exit_count);

/*
 * Where sets are sampled: an execution does not tell its references; those that are seen are told
 * before it, each by an execution of its own.
 */
bool ms_block_start_apart(void);
/* As ms_block_describe(); what the exits say of references is kept here. */
uint32_t ms_block_describe_apart(struct ms_thread *t, const uint64_t *pcs, uint32_t instructions,
				 struct ms_wire_exit *exits, uint32_t exit_count);
/* The exit of an execution that is one reference of the instruction at pc, which makes so many of
 * that size and kind each time. */
uint32_t ms_block_reference(struct ms_thread *t, uint64_t pc, uint16_t size, uint16_t kind,
			    uint32_t times);
/* How many exits have been described. */
uint32_t ms_block_exits(void);
/* Whether an execution that left a block by this exit has written to memory. */
bool ms_block_exit_writes(uint32_t exit);
/* References that were made on the way to an exit, told or not. */
extern uint16_t *ms_block_refs;
static inline uint32_t ms_block_made(uint32_t exit)
{
	return exit < MS_WIRE_EXITS ? ms_block_refs[exit] : 0;
}
/* Code has gone: other instructions may come to stand there. */
void ms_block_forget(void);

/* Another stream: numbers begin again. */
void ms_block_restart(void);

/* --- unwind.c, stack.c, path.c --- */

/* What a caller must have kept, and where it was called from. */
struct ms_frame {
	uint64_t kept[MS_KEPT];
	uint64_t pc, sp;
	uint64_t link; /* the return address, if it may be in a register still; else 0 */
	bool called;   /* pc is a return address, and part of the path */
};
/* Code has gone: what is known of it is void. */
void ms_unwind_forget(void);
/* The number of the call path from here; called: frame's pc is a return address, and part of it. */
uint32_t ms_path_here(struct ms_thread *t, const struct ms_frame *frame, bool called);
/* The same of a call that came by wrap.S; it is remembered. */
uint32_t ms_path_call(struct ms_thread *t, const struct ms_frame *frame);
/* That of a path. */
uint32_t ms_path_number(struct ms_thread *t, const uint64_t *path, uint32_t n);
/* Another stream: all paths are told there, with the numbers that they have. */
void ms_path_tell_again(struct ms_thread *t);

/* --- maps.c --- */

/* Tells all that is mapped, and all modules. */
void ms_maps_start(struct ms_thread *t);
/* Where the running thread's stack is. */
void ms_maps_find_stack(struct ms_thread *t);
/* The first thread's grows as far as this, and the others' are as large if nothing else is said. */
uint64_t ms_maps_stack_limit(void);
/* Whether code at pc is a file's, and may not be written: [*start, *end) is. */
bool ms_maps_is_stable(uint64_t pc, uint64_t *start, uint64_t *end);
/* Whether code at pc may be run, and is not to be left alone, as it is now: [*start, *end) may. */
bool ms_maps_code(uint64_t pc, uint64_t *start, uint64_t *end);
/* Whether some module has. */
bool ms_maps_has_code(uint64_t start, uint64_t size);
/* Code there can be written from now on. */
void ms_maps_written(uint64_t start, uint64_t size);
/* Code there runs natively, whatever comes. */
void ms_maps_leave_alone(uint64_t start, uint64_t bytes);
/* The program maps or unmaps. */
void ms_maps_new(struct ms_thread *t, uint64_t address, uint64_t size, int fd, bool code,
		 const struct ms_frame *frame);
void ms_maps_gone(struct ms_thread *t, uint64_t address, uint64_t size);
void ms_maps_brk(struct ms_thread *t, uint64_t end);
/* It may have grown while nobody saw it. */
void ms_maps_grown(struct ms_thread *t);
extern uint64_t ms_maps_heap_end;
/* Another stream: all will be told again by ms_maps_start(). */
void ms_maps_restart(void);

/* A module whose code is mapped, for the unwinder. */
struct ms_module {
	uint64_t start, end; /* of its code */
	uint64_t bias;
	const uint8_t *frame_table; /* .eh_frame_hdr; NULL: none */
	uint64_t file;              /* which part of which */
	uint32_t number;
	bool own;
	bool seen; /* there still, by the last look */
};
/* Some may have gone unseen, while nothing was traced: those are told, and their code forgotten. */
void ms_maps_look(struct ms_thread *t);
/* NULL: no module's code. Valid until code is unmapped. */
const struct ms_module *ms_maps_module(uint64_t pc);
/* The same; it may have come unseen, while nothing was traced: then all that have are told. */
const struct ms_module *ms_maps_find(struct ms_thread *t, uint64_t pc);

/* --- untraced.c --- */

/* Whether another thread is unloading a library: what lies where that was may not be traced yet. */
bool ms_unloading_others(const struct ms_thread *t);
/* In a forked child, which has one thread. */
void ms_unloading_forked(const struct ms_thread *t);

/* --- link.c: what the dynamic loader knows --- */

/* The function of this name that follows ours in the order of look-up, and the file of its object;
 * NULL: none. */
void *ms_link_next(const char *name, const char **object);

/* --- calls.c --- */

/* Around every system call of a traced thread; frame: its registers, the pc behind the call. */
void ms_call_before(struct ms_thread *t, uint64_t number, const uint64_t args[6],
		    const struct ms_frame *frame);
void ms_call_after(struct ms_thread *t, uint64_t number, const uint64_t args[6], int64_t result,
		   const struct ms_frame *frame);

/* place.c: a system call that says where threads or memory are to be. */
void ms_place_call(struct ms_thread *t, uint64_t number, const uint64_t args[6]);
/* Who waits at this word goes on, by this thread's doing. */
void ms_call_wakes(struct ms_thread *t, uint64_t word);

/* --- own.c, own_names.c: allocators that have no wrapper --- */

/* "own=": as src/collect/own.c writes it. */
void ms_own_named(const char *text);
/* A module has come: its functions are looked through. */
void ms_own_look(const struct ms_module *module, const char *path);
void ms_own_add(uint64_t pc, const struct ms_heap_call *call);
void ms_own_gone(uint64_t start, uint64_t size);
/* Names that were found nowhere are told. */
void ms_own_finish(void);
/* Whether traced code must not go to pc without ms_own_pass(). */
bool ms_own_watches(uint64_t pc);
/* It goes there. from: who has called what begins there, as it will be afterwards. */
void ms_own_pass(struct ms_thread *t, uint64_t pc, uint64_t sp, const uint64_t *args,
		 uint64_t result, const struct ms_frame *from);
/* Whether a call with this stack pointer comes from such an allocator. */
bool ms_own_inside(struct ms_thread *t, uint64_t sp);

/* --- follow.c: children --- */

/* Before code of the program runs. */
void ms_follow_start(void);
/* For a child that may come: the blocks that live. */
void ms_follow_alloc(uint32_t kind, uint32_t path, uint64_t address, uint64_t size);
void ms_follow_free(uint64_t address);
/* Asks memspy for a stream (enum ms_wire_ask_kind): ms_config has its files. False: there is none.
 * t: NULL before there are threads. */
bool ms_follow_ask(struct ms_thread *t, uint32_t kind);
/* Around a fork, in the parent: waits until the child, pid, has asked. Negative: there is none. */
void ms_follow_fork(struct ms_thread *t);
void ms_follow_forked(struct ms_thread *t, int64_t pid);
/* A process executes the program; "": it could not. */
void ms_follow_becomes(uint32_t process, const char *path);
/* A process that borrowed our memory (vfork) has executed something, or ended. */
void ms_follow_spawned(uint32_t process);
/* In a forked child, with its own stream: tells of paths and blocks. */
void ms_follow_restart(struct ms_thread *t);

/* --- limits.c --- */

/* Between these two what the runtime needs is mapped. */
void ms_limits_begin(void);
void ms_limits_begun(void);
/* Bytes that may be mapped before the program has none left; UINT64_MAX: no limit that stays. */
uint64_t ms_limits_left(void);
/* A system call about the address space's limit, done in the program's place; false: another one.
 */
bool ms_limits_call(uint64_t number, const uint64_t args[6], uint64_t *result);

/* --- request.c --- */

/* include/memspy.h: args as there; returns the answer. frame: where it was asked; called: frame's
 * pc is a return address. */
uint64_t ms_request(struct ms_thread *t, const uint64_t *args, const struct ms_frame *frame,
		    bool called);

/* --- hook.c --- */

/* The notes of a module: if the program includes memspy.h there, it can ask us. */
void ms_hook_notes(uint64_t bias, const void *headers, uint32_t count);
extern const uint8_t ms_hook_entry[];

/* --- heap.c, called by wrap.S --- */

/* As wrap.S puts it on the stack. */
struct ms_wrap_frame {
	uint64_t args[4];
	uint64_t kept[MS_KEPT];
	uint64_t result; /* before the call: the frame pointer, as plain.c finds it there */
	uint64_t return_pc;
	uint64_t caller_stack[];
};
/* 1: ms_heap_leave() must be called after the real function. */
uint64_t ms_heap_enter(uint64_t function, struct ms_wrap_frame *frame);
void ms_heap_leave(uint64_t function, uint64_t result);
/* Whether a block that ends there sticks out of the heap as far as that was told. */
static inline bool ms_heap_is_beyond(uint64_t end)
{
	const uint64_t near = UINT64_C(1) << 40; /* farther away it is something else */

	return end - 1 - __atomic_load_n(&ms_maps_heap_end, __ATOMIC_ACQUIRE) < near;
}
const char *ms_heap_name(uint64_t function);
/* Where calls of this one go: to what tells of them, as wrap.S has it, or to the real one. */
const void *ms_heap_wrapper(uint64_t function, const void *tells, const void *real);
/* Nothing is told of calls of this one: it calls another one of them. */
void ms_heap_passes(uint64_t function);

/* --- plain.c --- */

/* Whether what heap.c is asked for may be done in the shortest way. */
void ms_plain_switch(bool may);
/* Not while the only thread is traced: wrap.S then need not ask, which takes a way out of generated
 * code. */
void ms_plain_trace(bool traced);
/* There are several threads from here on, or one again. */
void ms_plain_many(bool there_are);

/* --- resize.c: blocks that realloc is at work on --- */

/* Tells that the block is freed. */
typedef void ms_resize_teller(struct ms_thread *t, uint64_t block);
/* Before the call; its number is for one of the next two. 0: there is no block, or no room. */
uint32_t ms_resize_begin(uint64_t block, ms_resize_teller *tell);
/* It has failed, or was left. */
void ms_resize_stays(uint32_t call);
/* It has returned, and the block is gone; that is told, if nobody has. */
void ms_resize_gone(struct ms_thread *t, uint32_t call, uint64_t block, ms_resize_teller *tell);
/* Whether there is any that a block may overtake. */
extern uint32_t ms_resize_under_way;
/* Before a block is told at this address. */
void ms_resize_overtake(struct ms_thread *t, uint64_t block);
/* In a forked child, which has one thread. */
void ms_resize_forked(struct ms_thread *t);

/* --- thread.c --- */

/* Threads that there was no room for. */
extern uint32_t ms_thread_untraced;
/* The first thread's, with ms_self() set. NULL: there is no memory. */
struct ms_thread *ms_thread_first(void);
/* The running one; NULL: it is not known, or we are at work for it already. */
struct ms_thread *ms_thread_here(void);
void ms_thread_tell(struct ms_thread *t, uint32_t maker);
/* The thread makes another one, with its stack there. */
void ms_thread_makes(struct ms_thread *t, uint64_t stack, uint64_t size, uint64_t cleared);
/* One after another, also those that ended. */
struct ms_thread *ms_thread_next(const struct ms_thread *t);
/* The number of the thread that the kernel knows by this one; 0: none. */
uint32_t ms_thread_of(uint32_t tid);
/* Whether the word is cleared when some thread ends. */
bool ms_thread_clears(uint64_t word);
/* A thread that was there before us, on it; NULL: there is no memory, or no lane. */
struct ms_thread *ms_thread_comes(void);
/* The thread ends; the process too, if it was the last. */
void ms_thread_end(struct ms_thread *t, uint32_t code);
/* In a child of fork: the others are not there, and it is the first. */
void ms_thread_forked(struct ms_thread *t);
void ms_runtime_forked(struct ms_thread *t);
/* Returns the thread if it is to be traced from here on. */
struct ms_thread *ms_runtime_start(int argc, char **argv, char **env);
/* The program runs on untraced for good, because of that. */
void ms_runtime_leave(struct ms_thread *t, const char *why);
/* Likewise, where what memspy knows may be half changed: nothing more is written to the stream. */
void ms_runtime_abandon(const char *why);
/* The process ends, with this status. */
void ms_runtime_end(struct ms_thread *t, uint32_t code);

#pragma GCC visibility pop

#endif
