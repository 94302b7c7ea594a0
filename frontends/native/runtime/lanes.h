/*
 * lanes.h - the stream to memspy: each thread writes its records to a lane, in chunks.
 */
#ifndef MS_NATIVE_RUNTIME_LANES_H
#define MS_NATIVE_RUNTIME_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_runtime_thread;

bool ms_runtime_attach_stream(int fd, struct ms_runtime_thread *first);
/* The chunk is full: publishes it, waits for room, sets cursor and limit. */
void ms_runtime_finish_full_chunk(struct ms_runtime_thread *t);
/* Writes an event: n words, then a text. */
void ms_runtime_write_event(struct ms_runtime_thread *t, uint32_t kind, uint32_t arg,
			    const void *words, uint32_t n, const char *text, uint32_t bytes);
/* Waits until the next few events of this thread have room, whichever way they are written. */
void ms_runtime_reserve_event_room(struct ms_runtime_thread *t);
/* Switches the recording of executions of all threads; events are always recorded. */
void ms_runtime_set_recording(struct ms_runtime_thread *t, bool on);
/*
 * Suspends (or resumes) the recording of the thread's executions without an event in the stream.
 * The cursor moves through scratch memory, so its distance is known. False: not possible.
 */
bool ms_runtime_use_scratch_lane(struct ms_runtime_thread *t, bool scratch);
uint64_t ms_runtime_count_scratch_words(const struct ms_runtime_thread *t);
uint64_t ms_runtime_get_scratch_limit(const struct ms_runtime_thread *t);
/* Sets the thread's limit again after a signal handler has set it to 0, so that generated code
 * calls C. limit: its value before that. */
void ms_runtime_restore_limit(struct ms_runtime_thread *t, uint64_t limit);
/* The program becomes multi-threaded: the first thread gets a lane like all others. */
bool ms_runtime_split_lanes(struct ms_runtime_thread *t);
/* The window plan: ms_wire_pace(). */
uint64_t ms_runtime_read_window_plan(void);
/* Takes a lane for a thread; false: all are in use. */
bool ms_runtime_take_lane(struct ms_runtime_thread *t);
void ms_runtime_release_lane(struct ms_runtime_thread *t);
/* The thread may block now: publishes its chunk, so that records of others may precede its next
 * ones. */
void ms_runtime_end_chunk(struct ms_runtime_thread *t);
/* The thread may block from here on, or not any more: the merger does not wait for its records. */
void ms_runtime_set_lane_away(struct ms_runtime_thread *t, bool away);
/* An exit was described; so many instructions are executed up to it. */
void ms_runtime_set_exit_instructions(uint32_t exit, uint32_t instructions);
/* A process that cannot request a stream is counted in the stream of its parent, or of the program
 * that it was before; more: 1, or -1 after all. */
void ms_runtime_count_unreachable(bool other_namespace, uint32_t more);
void ms_runtime_set_exit_code(uint32_t code);
/* From here on, the functions that run at the program's end make no system calls. */
void ms_runtime_forbid_syscalls(void);
/* Writes nothing more to the stream, whatever threads do. */
void ms_runtime_abandon_stream(void);
/* Whether this process writes the stream: not a child that was not seen, or is not followed. */
bool ms_runtime_is_stream_writer(void);
/* The process executes another program; false: exec has failed. */
void ms_runtime_set_executing(bool executes);
/* The process ends regularly. */
void ms_runtime_finish_stream(struct ms_runtime_thread *t);
/* In a forked child: detaches from the stream, which remains the parent's. */
void ms_runtime_leave_stream(struct ms_runtime_thread *t);
/* Then attaches to a stream of its own. When the state has been recorded there,
 * ms_runtime_restart_recording() restores whether executions are recorded. */
bool ms_runtime_join_stream(int fd, struct ms_runtime_thread *t);
void ms_runtime_restart_recording(struct ms_runtime_thread *t);
/* The instruction whose address the reader requests for samples that stop at this pc; 0: none. */
uint64_t ms_runtime_find_wanted_site(uint64_t stop);
/* Publishes the current chunk now. */
void ms_runtime_hand_over_chunk(struct ms_runtime_thread *t);
/* Whether the reader has gone: the program runs on, and need not be traced. */
bool ms_runtime_is_stream_closed(void);
/* Checks whether the reader still exists; if not, the lanes are closed. */
void ms_runtime_check_reader(void);

/* --- packed records --- */

/*
 * Opens a packed record: until another record is written, one word at the cursor, below
 * packed_limit, records an allocation or a free near this block. size: 0 for a free. False: not
 * possible for this block, or not now.
 */
bool ms_runtime_begin_packed_record(struct ms_runtime_thread *t, uint64_t block, uint64_t size);
/* Whether a packed record may be opened at all. */
bool ms_runtime_can_begin_packed_record(const struct ms_runtime_thread *t);
void ms_runtime_end_packed_record(struct ms_runtime_thread *t);

/* The end of the heap (brk) that has been recorded. */
extern uint64_t ms_runtime_heap_end;
/* Whether a block that ends there exceeds the recorded end of the heap. */
static inline bool ms_runtime_is_beyond_heap_end(uint64_t end)
{
	const uint64_t near = UINT64_C(1) << 40; /* farther away it is not in the heap */

	return end - 1 - __atomic_load_n(&ms_runtime_heap_end, __ATOMIC_ACQUIRE) < near;
}

#endif
