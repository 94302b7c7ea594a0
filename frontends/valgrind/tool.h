/*
 * tool.h - the parts of the Valgrind front-end, and their interfaces.
 *
 *    main.c        the tool: options, start, end
 *    lane.c        the writer's end of the stream
 *    windows.c     selects what is sent, where the program is sampled
 *    instrument.c  adds code to a superblock that records its references
 *    block.c       the description of the block being instrumented
 *    heap.c        observes calls of malloc and its family
 *    entries.c     finds these functions
 *    memory.c      modules, mappings, threads
 *    path.c        call paths, each sent once
 *    request.c     requests of the program
 *    follow.c      forked children
 *    calls.c       system calls that carry information
 *    turns.c       schedules threads, where several processors are simulated
 *    lock.c        Valgrind's big lock, for that
 *    rest.c        detects that threads have come to rest
 *    merge.c       merges their records in the order of virtual time
 *    contend.c     contended lines
 *    spin.c        threads that spin
 *    yield.c       threads that spin and yield
 *
 * No libc is available: only Valgrind's tool library. One thread runs at a time, so nothing needs a
 * lock.
 */
#ifndef MS_VG_TOOL_H
#define MS_VG_TOOL_H

#include "pub_tool_basics.h"

#include "pub_tool_tooliface.h"

#include "wire/wire.h"

/* --- lane.c --- */

/* Generated code reads and writes these two: the address of the next word, and the address at which
 * no block may start any more. */
extern uint64_t *ms_lane_cursor; /* in shared memory */
extern ULong ms_lane_limit;
/* If several processors are simulated, it also counts instructions. */
extern ULong ms_lane_executed;

/* Maps the stream that fd refers to, and closes fd; False: it is not a stream of memspy. */
Bool ms_lane_attach(Int fd);
/*
 * Hands the chunk to the reader and waits for a free one; called with the lane at a record's end.
 */
void ms_lane_next_chunk(void);
/* Writes one event: head word, n words, then bytes of text padded with zeros. */
void ms_lane_event(UInt kind, UInt arg, const void *words, UInt n, const HChar *text, UInt bytes);
/* Likewise, for an event of the running thread that does not affect others: it may be in the
 * thread's track. */
void ms_lane_own_event(UInt kind, UInt arg, const void *words, UInt n);
/* The thread that runs from now on. */
void ms_lane_thread(ThreadId tid);
/* Whether executions are written from now on; events always are. */
void ms_lane_count(Bool on);
/* Sends the last chunk; marks the stream as ended regularly. */
void ms_lane_finish(void);
/* The program's exit code, sent when it ends; otherwise a signal has ended it. */
void ms_lane_exit_code(UInt code);
/* It executes another program; False: that has failed. */
void ms_lane_executes(Bool executes);
/*
 * For turns.c. The running thread's turn ends after so many words, 0: not by itself. From the first
 * turn on, records are counted.
 */
void ms_lane_turn(UInt words);
/* Whether the turn's end has not been reached. */
Bool ms_lane_turn_goes_on(void);
/* Records that were not returned before, and their instructions; False: they need not be counted.
 * During a turn that will end by itself, this is called from time to time. */
Bool ms_lane_uncounted(ULong **from, ULong **to, ULong *instructions);
/* Forgets records, from this one on. */
void ms_lane_take_back(ULong *from);
/* For merge.c. False: nothing is counted, or there is no reader. */
Bool ms_lane_may_track(void);
/* Generated code writes at cursor from now on, up to full; or to the lane again: returns where the
 * cursor was. */
void ms_lane_to_track(ULong *cursor, ULong *full);
ULong *ms_lane_from_track(void);
/* Whole executions of a thread, or a single event, go to the lane, or the part of them that
 * windows.c selects. Not too many at a time: they must fit into the reserve. */
void ms_lane_records(ThreadId tid, ULong *from, const ULong *to);
/* For windows.c. Copies records; tid 0: the thread that was last sent in the lane. */
void ms_lane_copy(ThreadId tid, const ULong *from, const ULong *to);
/* An event, between records that are copied. */
void ms_lane_between(UInt kind, UInt arg, const void *words, UInt n);
/* All that is in the lane goes to the reader. */
void ms_lane_publish(void);
/* Waits until the reader has read it; then returns the density of windows: ms_wire_pace(). */
ULong ms_lane_pace(void);
/* After fork, in the child, first of all where several processors are simulated. */
void ms_lane_forked(void);
/* After fork, in the child: the stream stays the parent's. */
void ms_lane_leave(void);
/* Or: another stream replaces it, and counting continues as before after ms_lane_restart(). */
Bool ms_lane_join(Int fd);
void ms_lane_restart(void);

/* --- windows.c --- */

extern Bool ms_windows_on; /* the program is sampled */
/* "MEAN,PERIOD,SEED,HEAD,PACED", in references; which sets are sampled. */
Bool ms_windows_option(const HChar *text);
Bool ms_windows_groups(const HChar *text);
/* Starts the plan of windows here; in a forked child it starts again. */
void ms_windows_start(void);
/* The description of a block is complete; conditional: some of its references may not happen. */
void ms_windows_block(const struct ms_wire_exit *exits, UInt n, UInt first,
		      const struct ms_wire_ref *refs, UInt ref_count, Bool conditional);
/* Records: those in windows are copied into the lane. */
void ms_windows_take(ThreadId tid, ULong *from, const ULong *to);
/* Generated code writes to the lane for now; False: it did already. And back to the stage. */
Bool ms_windows_pause(void);
void ms_windows_go_on(void);
/* Another program may replace this one: the reader gets what there is. */
void ms_windows_hand_over(void);
/* In a forked child: the stage is the parent's. */
void ms_windows_forget(void);
/* The program ends. */
void ms_windows_finish(void);

/* --- instrument.c --- */

IRSB *ms_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
		    const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
		    IRType host_word);

/* --- block.c --- */

/* Everything that follows belongs to a new block, until ms_block_send(). */
void ms_block_start(void);
void ms_block_instruction(Addr pc);
/* False when the block is full: send it, start another. */
Bool ms_block_has_room(void);
/* Returns the word of the execution's record that takes the address (the head is word 0). */
UInt ms_block_ref(UInt kind, UInt size);
/* The last reference is conditional. */
void ms_block_ref_conditional(void);
/* Makes the last reference, a read, a modify. */
void ms_block_ref_modifies(void);
/* Returns the exit's number, as an execution's head word names it. */
UInt ms_block_exit(void);
UInt ms_block_refs(void);
UInt ms_block_instructions(void);
/* pauses: its last exit is a spin hint to the processor. */
void ms_block_send(Bool pauses);
/* Another stream: numbers begin again. */
void ms_block_restart(void);

/* --- entries.c --- */

/* A function that the user named: "T,SIZE,TIMES,BLOCK,BYTES,NAME"; T: takes, F: frees, R: resizes.
 */
Bool ms_entries_own(const HChar *text);
/* Reports those that were not found. */
void ms_entries_finish(void);
/* Reads the symbols of newly mapped modules; called before each translation. */
void ms_entries_look(void);
/* Code is unmapped. */
void ms_entries_forget(Addr start, SizeT size);
/* Which function of the malloc family starts at pc; NULL when none does. */
const struct ms_heap_call *ms_heap_call_at(Addr pc);
/* Whether returns of code at pc may be returns from such a function. */
Bool ms_heap_returns_at(Addr pc);

/* --- heap.c --- */

/* Called by generated code. */
void ms_heap_enter(const struct ms_heap_call *call, Addr sp, UWord arg0, UWord arg1, UWord arg2,
		   UWord arg3);
void ms_heap_return(Addr result, Addr to);
/* The stack pointer with which the running thread returns from the present call, or 0. */
extern ULong ms_heap_return_sp;
/* The thread that runs from now on. */
void ms_heap_thread(ThreadId tid);
void ms_heap_thread_end(ThreadId tid);
void ms_heap_restart(void);

/* --- memory.c --- */

void ms_memory_start(void);
/* Maps the first thread's stack as far as the architecture needs it. */
void ms_memory_map_stack(void);
/* Sends everything that exists: for another stream. */
void ms_memory_restart(ThreadId tid);
/* Looks for changes that are not announced; called before each translation. */
void ms_memory_look(ThreadId tid);
/* The thread requests its own end, or the program's: no other thread ends it. */
void ms_memory_thread_exits(ThreadId tid);
/* Whether it has. */
Bool ms_memory_thread_asked(ThreadId tid);
/* Sends its end in the stream, once. */
void ms_memory_thread_ends(ThreadId tid);

/* --- calls.c --- */

void ms_calls_before(ThreadId tid, UInt number, UWord *args);
void ms_calls_after(ThreadId tid, UInt number, UWord *args, SysRes result);

/* --- contend.c --- */

/* The size of the simulated machine's largest lines. */
void ms_contend_lines(UInt bytes);

/* --- turns.c --- */

extern UInt ms_turns_processors; /* 1: Valgrind decides which thread runs */
void ms_turns_start(UInt processors, ULong seed);
/* At a superblock's start; state: the guest's. Generated code has that in a register and calls
 * ms_turns_enter() (entry.c), which passes it on. */
void ms_turns_check(void *state);
void ms_turns_enter(void);
/* Counts what the running thread has executed, before the lane continues elsewhere. */
void ms_turns_count(void);
/* The thread that it creates next begins with this function. */
void ms_turns_starts(ThreadId tid, Addr function);
/* A thread is created, has been sent in the stream, is about to end. */
void ms_turns_thread(ThreadId parent, ThreadId child);
/* The thread that created it, or MS_WIRE_NO_THREAD. */
UInt ms_turns_maker(ThreadId tid);
void ms_turns_thread_told(ThreadId tid);
void ms_turns_last_clock(ThreadId tid);
void ms_turns_thread_end(ThreadId tid);
/* Memory is unmapped or protected. */
void ms_turns_mapping_changes(void);

/* --- assign.c --- */

/* The processor of each thread: "0,1,1,3", "affinity"; before the start. */
Bool ms_assign_map(const HChar *text);
/* It binds itself to these processors, or is bound. */
void ms_assign_affinity(ThreadId tid, const uint64_t *mask);

/* --- request.c --- */

Bool ms_request(ThreadId tid, UWord *args, UWord *answer);

/* --- path.c --- */

/* The number of the running thread's call path, from the caller of the current function on. */
UInt ms_path_here(ThreadId tid, Bool skip_first);
/* The calls of a path, valid until the next one, and the number of such calls. */
const Addr *ms_path_at(UInt number, UInt *length);
UInt ms_path_number(const Addr *path, UInt length);
void ms_path_restart(void);

/* --- follow.c --- */

/* Children are followed: memspy listens at this name. */
void ms_follow_start(const HChar *name);
/* Allocated and freed blocks; kind: MS_WIRE_ALLOC or MS_WIRE_INNER_ALLOC. */
void ms_follow_alloc(UInt kind, UInt path, Addr address, SizeT size);
void ms_follow_free(Addr address);
/* Before a fork; after it in the parent, which waits until the child has sent its request; in the
 * child. */
void ms_follow_fork(ThreadId tid);
void ms_follow_wait(ThreadId tid);
void ms_follow_forked(ThreadId tid);

#endif
