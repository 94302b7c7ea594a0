/*
 * lanes.h - the stream to memspy: each thread writes its records to a lane, in chunks.
 */
#ifndef MS_NATIVE_RUNTIME_LANES_H
#define MS_NATIVE_RUNTIME_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_thread;

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

/* --- packed records --- */

/*
 * Opens a packed record: until another record is written, one word at the cursor, below
 * packed_limit, records an allocation or a free near this block. size: 0 for a free. False: not
 * possible for this block, or not now.
 */
bool ms_lane_pack(struct ms_thread *t, uint64_t block, uint64_t size);
/* Whether a packed record may be opened at all. */
bool ms_lane_may_pack(const struct ms_thread *t);
void ms_lane_pack_end(struct ms_thread *t);

#endif
