/*
 * lanes.c - the writer's end of the stream: attaches to it, gives each thread a lane, and leaves
 * it.
 *
 * The cursor is in the shared file itself, so the reader sees how far the process has written,
 * however it ends. Nothing is dropped, unless the reader has gone (chunks.c).
 */
#include "runtime/lanes.h"

#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/lane_page.h"
#include "runtime/lanes_priv.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/stamped_lanes.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

struct ms_runtime_writer ms_runtime_writer;

static bool take_main_lane(struct ms_runtime_thread *t, int fd)
{
	uint8_t *base = (uint8_t *)ms_runtime_writer.stream;

	if (!ms_runtime_map_first_lane_page(t, ms_runtime_writer.stream,
					    (struct ms_wire_lane *)(base + MS_WIRE_LANES_AT), fd))
		return false;
	t->chunks = base + ms_runtime_writer.stream->chunks_at;
	t->chunk_bytes = ms_runtime_writer.stream->chunk_bytes;
	t->chunk_count = ms_runtime_writer.stream->chunk_count;
	t->lengths = (uint32_t *)(base + t->lane.words_at);
	t->indexes = (struct ms_wire_index *)(base + t->lane.index_at);
	ms_runtime_use_chunk(t, t->lane.filled);
	return true;
}

bool ms_runtime_attach_stream(int fd, struct ms_runtime_thread *first)
{
	struct ms_wire_stream head;

	if (ms_runtime_syscall(SYS_read, fd, (long)&head, sizeof(head), 0, 0, 0) != sizeof(head) ||
	    head.magic != MS_WIRE_MAGIC || head.version < MS_WIRE_OLDEST ||
	    head.version > MS_WIRE_NEWEST)
		return false;
	/* Away from the program's memory, so that its addresses do not depend on the size of the
	 * stream. */
	long base =
		ms_runtime_syscall(SYS_mmap, 1l << 36, (long)head.bytes, 3, 1 /* shared */, fd, 0);
	if (ms_runtime_is_error(base))
		return false;
	ms_runtime_writer.stream = (struct ms_wire_stream *)base;
	ms_runtime_writer.stream_bytes = head.bytes;
	ms_runtime_writer.stream->writer_pid =
		(uint32_t)ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	ms_runtime_writer.stream->exit_code = MS_WIRE_NO_EXIT;
	return take_main_lane(first, fd);
}

/* The program has restricted its system calls (seccomp): even getpid() may end it. */
static bool calls_forbidden;

void ms_runtime_forbid_syscalls(void)
{
	calls_forbidden = true;
}

/* A child whose fork was not observed has its parent's stream. */
bool ms_runtime_is_stream_writer(void)
{
	return !calls_forbidden &&
	       ms_runtime_writer.stream->writer_pid ==
		       (uint32_t)ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

void ms_runtime_set_exit_code(uint32_t code)
{
	if (ms_runtime_is_stream_writer())
		ms_runtime_writer.stream->exit_code = code;
}

void ms_runtime_set_executing(bool executes)
{
	if (ms_runtime_is_stream_writer())
		ms_runtime_writer.stream->executes = executes;
}

struct ms_wire_stream *ms_runtime_get_stream(void)
{
	return ms_runtime_writer.stream;
}

bool ms_runtime_is_stream_closed(void)
{
	return ms_runtime_writer.detached;
}

/* --- several threads --- */

enum { MOST_LANES = 2048 };
static uint8_t lanes_taken[MOST_LANES];

static struct ms_wire_lane *lane_at(uint32_t lane)
{
	return (struct ms_wire_lane *)((uint8_t *)ms_runtime_writer.stream +
				       ms_runtime_writer.stream->more_at +
				       (lane - 1) * ms_runtime_writer.stream->more_bytes);
}

static void use_lane(struct ms_runtime_thread *t, uint32_t number)
{
	struct ms_wire_lane *lane = lane_at(number);
	uint8_t *after_page = (uint8_t *)lane + MS_RUNTIME_PAGE_BYTES;

	t->lane_number = number;
	t->lengths = (uint32_t *)(lane + 1);
	t->indexes = (struct ms_wire_index *)after_page;
	t->chunk_bytes = ms_runtime_writer.stream->more_chunk_bytes;
	t->chunk_count = ms_runtime_writer.stream->more_chunk_count;
	t->chunks = after_page + t->chunk_count * sizeof(struct ms_wire_index);
	t->lane.thread = t->number;
	t->lane.away = 0;
	ms_runtime_use_stamped_lane(t, ms_runtime_writer.stream, lane);
	ms_runtime_wait_for_room(t);
	ms_runtime_use_chunk(t, t->lane.filled);
}

bool ms_runtime_take_lane(struct ms_runtime_thread *t)
{
	uint32_t lane = MS_WIRE_SHARED_LANE + 1;

	ms_runtime_lock(MS_RUNTIME_LOCK_LANES);
	while (lane < ms_runtime_writer.stream->lane_count && lane < MOST_LANES &&
	       lanes_taken[lane])
		lane++;
	bool found = lane < ms_runtime_writer.stream->lane_count && lane < MOST_LANES &&
		     !ms_runtime_writer.detached;
	if (found)
		lanes_taken[lane] = 1;
	if (found && lane >= ms_runtime_writer.stream->lanes_used)
		__atomic_store_n(&ms_runtime_writer.stream->lanes_used, lane + 1, __ATOMIC_SEQ_CST);
	ms_runtime_unlock(MS_RUNTIME_LOCK_LANES);
	if (!found || !ms_runtime_map_lane_page(t, ms_runtime_writer.stream, lane_at(lane)))
		return false;
	use_lane(t, lane);
	ms_runtime_apply_recording(t);
	return true;
}

void ms_runtime_release_lane(struct ms_runtime_thread *t)
{
	if (t->lane_number == 0 || ms_runtime_writer.detached)
		return;
	if (t->stopped)
		ms_runtime_switch_to_lane(t);
	ms_runtime_publish_chunk(t, 0);
	__atomic_store_n(&t->lane.thread, 0, __ATOMIC_SEQ_CST);
	if (ms_runtime_is_urgent(t))
		ms_runtime_wake_merger();
	/* The thread runs on for a short time: its records are discarded. */
	t->uses_scratch = false;
	ms_runtime_has_scratch(t);
	ms_runtime_leave_stamped_lane(t);
	ms_runtime_unmap_lane_page(t);
	t->stopped = t->lane_released = true;
	ms_runtime_use_scratch(t);
	ms_runtime_lock(MS_RUNTIME_LOCK_LANES);
	lanes_taken[t->lane_number] = 0;
	ms_runtime_unlock(MS_RUNTIME_LOCK_LANES);
}

/* The first thread leaves the main lane. */
bool ms_runtime_split_lanes(struct ms_runtime_thread *t)
{
	if (ms_runtime_writer.merging || ms_runtime_writer.detached ||
	    ms_runtime_writer.stream->lane_count < 3)
		return ms_runtime_writer.merging;
	if (t->stopped)
		ms_runtime_switch_to_lane(t);
	ms_runtime_start_timestamps(ms_runtime_writer.stream);
	ms_runtime_writer.shared = ms_runtime_map_pages(sizeof(*ms_runtime_writer.shared));
	if (ms_runtime_writer.shared == NULL ||
	    !ms_runtime_map_lane_page(ms_runtime_writer.shared, ms_runtime_writer.stream,
				      lane_at(MS_WIRE_SHARED_LANE)))
		return false;
	use_lane(ms_runtime_writer.shared, MS_WIRE_SHARED_LANE);
	ms_runtime_publish_chunk(t, 0);
	if (!ms_runtime_take_lane(t))
		return false;
	ms_runtime_writer.merging = true;
	ms_runtime_config.lane_per_thread |= ms_runtime_config.lanes_with_threads;
	__atomic_store_n(&ms_runtime_writer.stream->merging, 1, __ATOMIC_SEQ_CST);
	ms_native_hooks.lanes_split(true);
	if (t->stopped)
		ms_runtime_switch_to_scratch(t);
	return true;
}

void ms_runtime_set_lane_away(struct ms_runtime_thread *t, bool away)
{
	if (!ms_runtime_writer.merging || ms_runtime_writer.detached)
		return;
	away |= ms_native_hooks.is_outside_window(t);
	__atomic_store_n(&t->lane.away, away, __ATOMIC_SEQ_CST);
	if (away)
		ms_runtime_wake_merger();
}

/* --- ends --- */

void ms_runtime_finish_stream(struct ms_runtime_thread *t)
{
	if (ms_runtime_writer.detached)
		return;
	if (t->stopped)
		ms_runtime_switch_to_lane(t);
	t->stopped = false;
	ms_runtime_writer.stream->writer_done = 1;
	ms_runtime_publish_chunk(t, 0);
	ms_runtime_writer.detached = true;
}

/* Replaces the stream by private memory, because generated code still writes there. */
void ms_runtime_leave_stream(struct ms_runtime_thread *t)
{
	ms_runtime_remember_recording(t);
	ms_runtime_syscall(SYS_mmap, (long)ms_runtime_writer.stream,
			   (long)ms_runtime_writer.stream_bytes, 3,
			   0x32 /* private, anonymous, fixed */, -1, 0);
	ms_runtime_unmap_lane_page(t);
	ms_runtime_writer.detached = true;
	ms_runtime_writer.merging = false;
	ms_runtime_config.lane_per_thread &= !ms_runtime_config.lanes_with_threads;
	ms_runtime_stop_timestamps(t);
	t->stopped = t->uses_scratch = false;
	ms_runtime_use_chunk(t, 0);
}

bool ms_runtime_join_stream(int fd, struct ms_runtime_thread *t)
{
	struct ms_wire_stream *left_stream = ms_runtime_writer.stream;
	uint64_t left_bytes = ms_runtime_writer.stream_bytes;

	for (uint32_t i = 0; i < MOST_LANES; i++)
		lanes_taken[i] = 0;
	ms_runtime_close_stream_file();
	if (!ms_runtime_attach_stream(fd, t)) {
		ms_runtime_writer.stream = left_stream;
		ms_runtime_writer.stream_bytes = left_bytes;
		ms_runtime_leave_stream(t);
		return false;
	}
	ms_runtime_unmap_pages(left_stream, left_bytes);
	ms_runtime_writer.detached = false;
	return true;
}
