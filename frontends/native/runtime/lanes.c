/*
 * lanes.c - the writer's end of the stream.
 *
 * The cursor is in the shared file itself, so the reader sees how far the process has written,
 * however it ends. A full ring blocks the program. Nothing is dropped, unless the reader has gone:
 * then the program runs on, and further records overwrite one chunk that is not read.
 */
#include "runtime/lanes.h"

#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/futex.h"
#include "runtime/hooks.h"
#include "runtime/lane_page.h"
#include "runtime/lanes_priv.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/stamped_lanes.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

static struct ms_wire_stream *stream;
static uint64_t stream_bytes;
static bool detached;
static bool was_off_before_fork; /* before the fork */

/* With several threads, each has a lane; records that all readers need have a lane of their own. */
static bool merging;
static struct ms_runtime_thread *shared;

/* Memory that is not read; and memory that is not even written, where only the cursor moves. */
enum { SCRATCH_BYTES = MS_WIRE_MIN_CHUNK, COUNTED_SCRATCH_BYTES = 1 << 20 };

static void wake(uint32_t *word)
{
	ms_runtime_wake_futex(word, MS_RUNTIME_FUTEX_SHARED, MS_RUNTIME_FUTEX_ALL);
}

/* Waits at most a second, so that a vanished reader is noticed. */
static void wait_a_second(uint32_t *word, uint32_t expected)
{
	const int64_t second[2] = { 1, 0 };

	ms_runtime_wait_futex(word, MS_RUNTIME_FUTEX_SHARED, expected, second);
}

static void use_chunk(struct ms_runtime_thread *t, uint32_t number)
{
	uint8_t *start = t->chunks + (uint64_t)(number % t->chunk_count) * t->chunk_bytes;

	t->events = t->indexes + number % t->chunk_count;
	t->events->count = 0;
	t->packed_limit = 0;
	t->lane.open = 0;
	t->lane.chunk_start = (uint64_t)start;
	t->lane.cursor = (uint64_t)start;
	t->limit = (uint64_t)start + t->chunk_bytes - MS_WIRE_RESERVE_WORDS * 8;
	__atomic_store_n(&t->lane.chunk, number, __ATOMIC_RELEASE);
}

static bool take_main_lane(struct ms_runtime_thread *t, int fd)
{
	uint8_t *base = (uint8_t *)stream;

	if (!ms_runtime_map_first_lane_page(t, stream,
					    (struct ms_wire_lane *)(base + MS_WIRE_LANES_AT), fd))
		return false;
	t->chunks = base + stream->chunks_at;
	t->chunk_bytes = stream->chunk_bytes;
	t->chunk_count = stream->chunk_count;
	t->lengths = (uint32_t *)(base + t->lane.words_at);
	t->indexes = (struct ms_wire_index *)(base + t->lane.index_at);
	use_chunk(t, t->lane.filled);
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
	stream = (struct ms_wire_stream *)base;
	stream_bytes = head.bytes;
	stream->writer_pid = (uint32_t)ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	stream->exit_code = MS_WIRE_NO_EXIT;
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
	       stream->writer_pid == (uint32_t)ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

void ms_runtime_set_exit_code(uint32_t code)
{
	if (ms_runtime_is_stream_writer())
		stream->exit_code = code;
}

void ms_runtime_set_executing(bool executes)
{
	if (ms_runtime_is_stream_writer())
		stream->executes = executes;
}

struct ms_wire_stream *ms_runtime_get_stream(void)
{
	return stream;
}

bool ms_runtime_is_stream_closed(void)
{
	return detached;
}

/* Whether the reader has gone, or is about to: it may still have much to do, but it does not read
 * any more. */
static bool has_reader_left(void)
{
	const struct ms_wire_lane *first =
		(const struct ms_wire_lane *)((uint8_t *)stream + MS_WIRE_LANES_AT);

	return __atomic_load_n(&first->closed, __ATOMIC_SEQ_CST) || !ms_wire_has_reader(stream);
}

static void detach(void)
{
	detached = true;
	ms_native_hooks.stream_abandoned();
}

void ms_runtime_abandon_stream(void)
{
	detach();
}

/* A thread that only counts between rare windows does not fill its lane for a long time. */
void ms_runtime_check_reader(void)
{
	if (!detached && has_reader_left())
		detach();
}

void ms_runtime_wake_merger(void)
{
	if (__atomic_exchange_n(&stream->merger_sleeps, 0, __ATOMIC_SEQ_CST)) {
		__atomic_add_fetch(&stream->merger_bell, 1, __ATOMIC_SEQ_CST);
		wake(&stream->merger_bell);
	}
}

bool ms_runtime_wait_for_reader(struct ms_runtime_thread *t, uint32_t *freed, uint32_t written,
				uint32_t most)
{
	struct ms_wire_lane *lane = &t->lane;

	for (;;) {
		uint32_t now = __atomic_load_n(freed, __ATOMIC_SEQ_CST);

		if (written - now < most)
			return true;
		if (has_reader_left()) {
			detach();
			return false;
		}
		if (merging) /* otherwise the readers of the ring free chunks */
			ms_runtime_wake_merger();
		__atomic_store_n(&lane->writer_sleeps, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(freed, __ATOMIC_SEQ_CST) == now)
			wait_a_second(freed, now);
		__atomic_store_n(&lane->writer_sleeps, 0, __ATOMIC_SEQ_CST);
	}
}

static void wait_for_room(struct ms_runtime_thread *t)
{
	ms_runtime_wait_for_reader(t, &t->lane.freed, t->lane.filled, t->chunk_count);
}

/* A thread that holds a lock must not wait for the reader: other threads would wait for the lock,
 * and this one may be stopped meanwhile. */
void ms_runtime_reserve_event_room(struct ms_runtime_thread *t)
{
	enum {
		RESERVED = 4
	}; /* chunks: no more than that many events of a window keep their place */
	uint32_t most = t->chunk_count > RESERVED ? t->chunk_count - RESERVED : 1;

	if (merging && !detached && !t->lane_released)
		ms_runtime_wait_for_reader(t, &t->lane.freed, t->lane.filled, most);
}

/*
 * Whether to wake the reader now. Where no code is traced there is little to read, and a wake-up
 * for every allocated block would cost the program more than recording it.
 */
static bool is_urgent(const struct ms_runtime_thread *t)
{
	uint32_t freed = __atomic_load_n(&t->lane.freed, __ATOMIC_RELAXED);

	return !ms_runtime_config.no_tracing || t->lane.filled - freed + 2 >= t->chunk_count;
}

/* Adds the chunk to the global order, in which chunks of several lanes are read. */
static void append_to_order(struct ms_runtime_thread *t, uint32_t in_order)
{
	uint64_t *order = (uint64_t *)((uint8_t *)stream + stream->order_at);
	uint64_t n = __atomic_fetch_add(&stream->handed_over, 1, __ATOMIC_SEQ_CST);

	if (ms_runtime_timestamps.on)
		order[MS_WIRE_ORDERED + n % MS_WIRE_ORDERED] = ms_runtime_take_timestamp();
	__atomic_store_n(&order[n % MS_WIRE_ORDERED],
			 ms_wire_handover(t->number, t->lane_number | in_order), __ATOMIC_SEQ_CST);
	if (is_urgent(t))
		ms_runtime_wake_merger();
}

static void publish_as(struct ms_runtime_thread *t, uint32_t in_order)
{
	struct ms_wire_lane *lane = &t->lane;

	ms_native_hooks.chunk_published(t);
	ms_runtime_end_packed_record(t);
	uint64_t words = (lane->cursor - lane->chunk_start) / 8;

	t->lengths[lane->filled % t->chunk_count] = (uint32_t)words;
	t->published_words += words;
	__atomic_store_n(&lane->filled, lane->filled + 1, __ATOMIC_SEQ_CST);
	if (t->lane_number != 0) {
		append_to_order(t, in_order);
		return;
	}
	if (__atomic_exchange_n(&lane->reader_sleeps, 0, __ATOMIC_SEQ_CST)) {
		__atomic_add_fetch(&lane->reader_bell, 1, __ATOMIC_SEQ_CST);
		wake(&lane->reader_bell);
	}
}

static void publish(struct ms_runtime_thread *t)
{
	publish_as(t, 0);
}

/* The shared lane is read to its end, also after the last record of this process: its chunk is
 * never restarted. */
static void next_chunk(struct ms_runtime_thread *t)
{
	if (!detached || t == shared) {
		publish(t);
		wait_for_room(t);
	}
	use_chunk(t, t->lane.filled);
}

/* --- while executions are not written --- */

static uint64_t scratch_limit(const struct ms_runtime_thread *t)
{
	return (uint64_t)t->scratch + (t->uses_scratch ? COUNTED_SCRATCH_BYTES : SCRATCH_BYTES) -
	       MS_WIRE_RESERVE_WORDS * 8;
}

static void use_scratch(struct ms_runtime_thread *t)
{
	t->lane.cursor = (uint64_t)t->scratch;
	t->limit = scratch_limit(t);
}

static bool has_scratch(struct ms_runtime_thread *t)
{
	if (t->scratch == NULL)
		t->scratch = ms_runtime_map_pages(COUNTED_SCRATCH_BYTES);
	return t->scratch != NULL;
}

/* The reader must not mistake the cursor in scratch memory for the lane's: see ms_ring_end(). */
static void switch_to_scratch(struct ms_runtime_thread *t)
{
	ms_runtime_end_packed_record(t);
	t->saved_cursor = t->lane.cursor;
	t->saved_limit = t->limit;
	t->lane.chunk = t->lane.filled - 1;
	if (!t->uses_scratch) {
		use_scratch(t);
		return;
	}
	t->limit = t->scratch_limit;
	t->lane.cursor = t->scratch_cursor;
}

static void switch_to_lane(struct ms_runtime_thread *t)
{
	t->scratch_cursor = t->lane.cursor;
	t->scratch_limit = t->limit;
	t->lane.cursor = t->saved_cursor;
	t->limit = t->saved_limit;
	t->lane.chunk = t->lane.filled;
}

/* Executions are not written, for all threads: one has requested that. */
static uint32_t recording_off;

/* Applies `recording_off` to a thread, at the end of its chunk at the latest. */
static void apply_recording(struct ms_runtime_thread *t)
{
	bool stops = __atomic_load_n(&recording_off, __ATOMIC_RELAXED) != 0;

	if (stops == t->stopped || t->uses_scratch || t->lane_released || detached ||
	    !has_scratch(t))
		return;
	/* Publishes what was recorded now: if the program is killed, only events are lost. */
	if (stops && t->lane.cursor > t->lane.chunk_start)
		next_chunk(t);
	t->stopped = stops;
	if (stops)
		switch_to_scratch(t);
	else
		switch_to_lane(t);
}

void ms_runtime_finish_full_chunk(struct ms_runtime_thread *t)
{
	if (t->lane.cursor < t->limit)
		return;
	if (t->uses_scratch)
		t->scratch_words += (t->lane.cursor - (uint64_t)t->scratch) / 8;
	if (t->stopped)
		use_scratch(t);
	else
		next_chunk(t);
	apply_recording(t);
}

bool ms_runtime_use_scratch_lane(struct ms_runtime_thread *t, bool scratch)
{
	if (scratch == t->uses_scratch)
		return true;
	if (detached || (scratch && (t->stopped || !has_scratch(t))))
		return false;
	t->stopped = t->uses_scratch = scratch;
	t->scratch_words = 0;
	t->scratch_cursor = (uint64_t)t->scratch;
	t->scratch_limit = scratch ? scratch_limit(t) : 0;
	if (scratch)
		switch_to_scratch(t);
	else
		switch_to_lane(t);
	return true;
}

uint64_t ms_runtime_get_scratch_limit(const struct ms_runtime_thread *t)
{
	return scratch_limit(t);
}

/* Another thread may call this while this one writes an event: then the cursor is the lane's. */
uint64_t ms_runtime_count_scratch_words(const struct ms_runtime_thread *t)
{
	uint64_t from = (uint64_t)t->scratch;
	uint64_t cursor = __atomic_load_n(&t->lane.cursor, __ATOMIC_RELAXED);

	if (cursor - from > COUNTED_SCRATCH_BYTES)
		cursor = __atomic_load_n(&t->scratch_cursor, __ATOMIC_RELAXED);
	return t->scratch_words + (cursor - from) / 8;
}

void ms_runtime_set_recording(struct ms_runtime_thread *t, bool on)
{
	ms_runtime_use_scratch_lane(t, false);
	if (detached || !has_scratch(t) ||
	    __atomic_exchange_n(&recording_off, !on, __ATOMIC_SEQ_CST) == (uint32_t)!on)
		return;
	ms_runtime_write_event(t, MS_WIRE_COUNTING, on, NULL, 0, NULL, 0);
	apply_recording(t);
}

/* --- events --- */

static void write_event(struct ms_runtime_thread *t, uint32_t kind, uint32_t arg, const void *words,
			uint32_t n, const char *text, uint32_t bytes)
{
	uint32_t text_words = (bytes + 7) / 8;
	uint32_t total = 1 + n + text_words;
	uint64_t *at;

	if (t->lane.cursor >= t->limit)
		next_chunk(t);
	ms_runtime_end_packed_record(t);
	at = (uint64_t *)t->lane.cursor;
	ms_runtime_index_event(t);
	at[0] = ms_wire_head(kind, total, arg);
	for (uint32_t i = 0; i < n; i++)
		at[1 + i] = ((const uint64_t *)words)[i];
	if (text_words != 0) {
		at[total - 1] = 0;
		ms_runtime_copy_bytes(at + 1 + n, text, bytes);
	}
	/* The shared lane is read before the chunk is published: store the cursor after the
	 * words. */
	__atomic_store_n(&t->lane.cursor, (uint64_t)(at + total), __ATOMIC_RELEASE);
}

/* The fast path for most events, allocations of a single thread. False: not applicable. */
static inline bool write_short(struct ms_runtime_thread *t, uint32_t kind, uint32_t arg,
			       const uint64_t *words, uint32_t n)
{
	if (merging || t->stopped || n == 0 || n > 3 || t->lane.cursor >= t->limit)
		return false;
	ms_runtime_end_packed_record(t);
	ms_runtime_index_event(t);
	uint64_t *at = (uint64_t *)t->lane.cursor;
	at[0] = ms_wire_head(kind, 1 + n, arg);
	at[1] = words[0];
	at[2] = words[n > 1]; /* there is room for more than this; see MS_WIRE_RESERVE_WORDS */
	at[3] = words[n - 1];
	t->lane.cursor = (uint64_t)(at + 1 + n);
	return true;
}

/*
 * Events that need a defined order with events of other threads on the same memory: a freed block
 * may belong to another thread a moment later.
 */
static const bool is_ordered[MS_WIRE_KINDS] = {
	[MS_WIRE_ALLOC] = true,   [MS_WIRE_FREE] = true,        [MS_WIRE_MAP] = true,
	[MS_WIRE_UNMAP] = true,   [MS_WIRE_MODULE_GONE] = true, [MS_WIRE_NAME] = true,
	[MS_WIRE_UNNAME] = true,  [MS_WIRE_PHASE] = true,       [MS_WIRE_COUNTING] = true,
	[MS_WIRE_SAMPLE] = true,  [MS_WIRE_WINDOW_OPEN] = true, [MS_WIRE_WINDOW_CLOSE] = true,
	[MS_WIRE_STRATUM] = true,
};

/* Records whose numbers records of all threads may use. */
static bool is_shared(uint32_t kind)
{
	return kind == MS_WIRE_BLOCK || kind == MS_WIRE_PATH || kind == MS_WIRE_MODULE;
}

void ms_runtime_write_event(struct ms_runtime_thread *t, uint32_t kind, uint32_t arg,
			    const void *words, uint32_t n, const char *text, uint32_t bytes)
{
	if (bytes == 0 && !ms_runtime_config.with_times && write_short(t, kind, arg, words, n))
		return;
	if (merging && is_shared(kind)) {
		ms_runtime_lock(MS_RUNTIME_LOCK_SHARED_LANE);
		if (!ms_runtime_are_locks_abandoned())
			write_event(shared, kind, arg, words, n, text, bytes);
		ms_runtime_unlock(MS_RUNTIME_LOCK_SHARED_LANE);
		return;
	}
	if (ms_runtime_timestamps.on && ms_runtime_write_stamped_event(t, kind, arg, words, n))
		return;
	if (t->stopped)
		switch_to_lane(t);
	if (ms_runtime_config.with_times && is_ordered[kind]) {
		uint64_t now = ms_runtime_read_counter();

		write_event(t, MS_WIRE_TIME, 0, &now, 1, NULL, 0);
	}
	write_event(t, kind, arg, words, n, text, bytes);
	if (merging && is_ordered[kind] && !detached) {
		publish_as(t, MS_WIRE_IN_ORDER);
		wait_for_room(t);
		use_chunk(t, t->lane.filled);
	}
	if (t->stopped)
		switch_to_scratch(t);
}

/* --- several threads --- */

enum { MOST_LANES = 2048 };
static uint8_t lanes_taken[MOST_LANES];

static struct ms_wire_lane *lane_at(uint32_t lane)
{
	return (struct ms_wire_lane *)((uint8_t *)stream + stream->more_at +
				       (lane - 1) * stream->more_bytes);
}

static void use_lane(struct ms_runtime_thread *t, uint32_t number)
{
	struct ms_wire_lane *lane = lane_at(number);
	uint8_t *after_page = (uint8_t *)lane + MS_RUNTIME_PAGE_BYTES;

	t->lane_number = number;
	t->lengths = (uint32_t *)(lane + 1);
	t->indexes = (struct ms_wire_index *)after_page;
	t->chunk_bytes = stream->more_chunk_bytes;
	t->chunk_count = stream->more_chunk_count;
	t->chunks = after_page + t->chunk_count * sizeof(struct ms_wire_index);
	t->lane.thread = t->number;
	t->lane.away = 0;
	ms_runtime_use_stamped_lane(t, stream, lane);
	wait_for_room(t);
	use_chunk(t, t->lane.filled);
}

bool ms_runtime_take_lane(struct ms_runtime_thread *t)
{
	uint32_t lane = MS_WIRE_SHARED_LANE + 1;

	ms_runtime_lock(MS_RUNTIME_LOCK_LANES);
	while (lane < stream->lane_count && lane < MOST_LANES && lanes_taken[lane])
		lane++;
	bool found = lane < stream->lane_count && lane < MOST_LANES && !detached;
	if (found)
		lanes_taken[lane] = 1;
	if (found && lane >= stream->lanes_used)
		__atomic_store_n(&stream->lanes_used, lane + 1, __ATOMIC_SEQ_CST);
	ms_runtime_unlock(MS_RUNTIME_LOCK_LANES);
	if (!found || !ms_runtime_map_lane_page(t, stream, lane_at(lane)))
		return false;
	use_lane(t, lane);
	apply_recording(t);
	return true;
}

void ms_runtime_release_lane(struct ms_runtime_thread *t)
{
	if (t->lane_number == 0 || detached)
		return;
	if (t->stopped)
		switch_to_lane(t);
	publish(t);
	__atomic_store_n(&t->lane.thread, 0, __ATOMIC_SEQ_CST);
	if (is_urgent(t))
		ms_runtime_wake_merger();
	/* The thread runs on for a short time: its records are discarded. */
	t->uses_scratch = false;
	has_scratch(t);
	ms_runtime_leave_stamped_lane(t);
	ms_runtime_unmap_lane_page(t);
	t->stopped = t->lane_released = true;
	use_scratch(t);
	ms_runtime_lock(MS_RUNTIME_LOCK_LANES);
	lanes_taken[t->lane_number] = 0;
	ms_runtime_unlock(MS_RUNTIME_LOCK_LANES);
}

/* The first thread leaves the main lane. */
bool ms_runtime_split_lanes(struct ms_runtime_thread *t)
{
	if (merging || detached || stream->lane_count < 3)
		return merging;
	if (t->stopped)
		switch_to_lane(t);
	ms_runtime_start_timestamps(stream);
	shared = ms_runtime_map_pages(sizeof(*shared));
	if (shared == NULL ||
	    !ms_runtime_map_lane_page(shared, stream, lane_at(MS_WIRE_SHARED_LANE)))
		return false;
	use_lane(shared, MS_WIRE_SHARED_LANE);
	publish(t);
	if (!ms_runtime_take_lane(t))
		return false;
	merging = true;
	__atomic_store_n(&stream->merging, 1, __ATOMIC_SEQ_CST);
	ms_native_hooks.lanes_split(true);
	if (t->stopped)
		switch_to_scratch(t);
	return true;
}

void ms_runtime_end_chunk(struct ms_runtime_thread *t)
{
	if (merging && !detached && !t->stopped && t->lane.cursor > t->lane.chunk_start)
		next_chunk(t);
	apply_recording(t);
}

void ms_runtime_hand_over_chunk(struct ms_runtime_thread *t)
{
	if (!detached && !t->stopped && t->lane.cursor > t->lane.chunk_start)
		next_chunk(t);
}

void ms_runtime_set_lane_away(struct ms_runtime_thread *t, bool away)
{
	if (!merging || detached)
		return;
	away |= ms_native_hooks.is_outside_window(t);
	__atomic_store_n(&t->lane.away, away, __ATOMIC_SEQ_CST);
	if (away)
		ms_runtime_wake_merger();
}

/* --- ends --- */

void ms_runtime_finish_stream(struct ms_runtime_thread *t)
{
	if (detached)
		return;
	if (t->stopped)
		switch_to_lane(t);
	t->stopped = false;
	stream->writer_done = 1;
	publish(t);
	detached = true;
}

/* Replaces the stream by private memory, because generated code still writes there. */
void ms_runtime_leave_stream(struct ms_runtime_thread *t)
{
	was_off_before_fork = t->stopped && !t->uses_scratch;
	ms_runtime_syscall(SYS_mmap, (long)stream, (long)stream_bytes, 3,
			   0x32 /* private, anonymous, fixed */, -1, 0);
	ms_runtime_unmap_lane_page(t);
	detached = true;
	merging = false;
	ms_runtime_stop_timestamps(t);
	t->stopped = t->uses_scratch = false;
	use_chunk(t, 0);
}

bool ms_runtime_join_stream(int fd, struct ms_runtime_thread *t)
{
	struct ms_wire_stream *left_stream = stream;
	uint64_t left_bytes = stream_bytes;

	for (uint32_t i = 0; i < MOST_LANES; i++)
		lanes_taken[i] = 0;
	ms_runtime_close_stream_file();
	if (!ms_runtime_attach_stream(fd, t)) {
		stream = left_stream;
		stream_bytes = left_bytes;
		ms_runtime_leave_stream(t);
		return false;
	}
	ms_runtime_unmap_pages(left_stream, left_bytes);
	detached = false;
	return true;
}

void ms_runtime_restart_recording(struct ms_runtime_thread *t)
{
	recording_off = 0;
	if (was_off_before_fork)
		ms_runtime_set_recording(t, false);
}
