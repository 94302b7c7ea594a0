/*
 * lane.c - the writer's end of the stream: one lane, as Valgrind's threads run one at a time.
 *
 * The cursor is in the shared file itself, so whatever ends this process, the reader sees how far
 * it came. A full ring blocks the program. Nothing is ever dropped, unless the reader is gone: then
 * the program continues, and overwrites one chunk again and again.
 */
#include "lane.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "guest.h"
#include "syscall.h"
#include "thread_lifetimes.h"
#include "time_slices.h"
#include "track_merge.h"
#include "windows.h"

/* In the library, but not in its public headers. */
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot, Int fd,
						      Off64T offset);

uint64_t *ms_vg_lane_cursor;
ULong ms_vg_lane_limit;
ULong ms_vg_lane_executed;

static struct ms_wire_stream *stream;
static struct ms_wire_lane *lane;
/* those of all chunks, and that of the chunk being written */
static struct ms_wire_index *indexes, *events;
static UChar *chunks;
static UInt chunk_bytes;
static UInt chunk_count;
static SizeT stream_bytes;
static Bool detached;

/*
 * While nothing is counted, generated code writes to private memory, again and again; events still
 * go to the lane, at the saved cursor.
 */
static Bool stopped, was_stopped;
static Bool tracking;          /* likewise: it writes to a track of track_merge.c */
static ThreadId lane_thread;   /* the thread of the last executions in the lane */
static ThreadId wanted_thread; /* the thread of the next ones */
static ULong *scratch;
static ULong saved_cursor, saved_limit;
enum { SCRATCH_BYTES = MS_WIRE_MIN_CHUNK };

/* Where a block may not start because the chunk is full; ms_vg_lane_limit may be below it. */
static ULong full_at;

/* The time slice of the running thread, where time_slices.c ends time slices. */
static Bool counts;            /* its records are counted */
static ULong counted_to;       /* from here on they have not been counted */
static ULong counted_executed; /* the part of ms_vg_lane_executed that has been counted */
static ULong slice_end;        /* an address, or: */
static const ULong never = ~0ULL;

/* The distance between checks of a time slice. */
enum { CHECK_WORDS = 256 };

enum { FUTEX_WAIT_OP = 0, FUTEX_WAKE_OP = 1, ALL_WAITERS = 0x7fffffff };

static void futex_wake(UInt *word)
{
	raw_syscall(__NR_futex, (Word)word, FUTEX_WAKE_OP, ALL_WAITERS, 0, 0, 0);
}

/* At most a second, so that a reader that has ended is noticed. */
static void futex_wait(UInt *word, UInt seen)
{
	struct vki_timespec second = { 1, 0 };

	raw_syscall(__NR_futex, (Word)word, FUTEX_WAIT_OP, seen, (Word)&second, 0, 0);
}

static void set_limit(void)
{
	ULong check_at = lane->cursor + CHECK_WORDS * 8;
	ULong end = slice_end == never || slice_end < check_at ? slice_end : check_at;

	ms_vg_lane_limit = full_at < end ? full_at : end;
}

/* Moves the cursor; the time slice continues there. Records are after the new cursor only. */
static void move(ULong cursor, ULong full)
{
	ULong left = slice_end == never         ? never
		     : slice_end > lane->cursor ? slice_end - lane->cursor
						: 0;

	if (counts)
		ms_vg_slice_count();
	lane->cursor = cursor;
	counted_to = cursor;
	counted_executed = ms_vg_lane_executed;
	slice_end = left == never ? never : cursor + left;
	full_at = full;
	set_limit();
}

static void use_chunk(UInt number)
{
	UChar *start = chunks + (SizeT)(number % chunk_count) * chunk_bytes;

	events = indexes + number % chunk_count;
	events->count = 0;
	lane->chunk_start = (Addr)start;
	move((Addr)start, (Addr)start + chunk_bytes - MS_WIRE_RESERVE_WORDS * 8);
	lane->chunk = number;
}

Bool ms_vg_lane_attach(Int fd)
{
	struct ms_wire_stream head;

	if (VG_(read)(fd, &head, sizeof(head)) != sizeof(head) || head.magic != MS_WIRE_MAGIC ||
	    head.version < MS_WIRE_OLDEST || head.version > MS_WIRE_NEWEST)
		return False;

	SysRes mapped = VG_(am_shared_mmap_file_float_valgrind)(
		head.bytes, VKI_PROT_READ | VKI_PROT_WRITE, fd, 0);
	VG_(close)(fd);
	if (sr_isError(mapped))
		return False;

	UChar *base = (UChar *)sr_Res(mapped);
	stream = (struct ms_wire_stream *)base;
	lane = (struct ms_wire_lane *)(base + MS_WIRE_LANES_AT);
	indexes = (struct ms_wire_index *)(base + lane->index_at);
	chunks = base + head.chunks_at;
	chunk_bytes = head.chunk_bytes;
	chunk_count = head.chunk_count;
	stream_bytes = head.bytes;
	ms_vg_lane_cursor = &lane->cursor;
	slice_end = never;
	stream->writer_pid = VG_(getpid)();
	stream->exit_code = MS_WIRE_NO_EXIT;
	use_chunk(lane->filled);
	return True;
}

void ms_vg_lane_set_exit_code(UInt code)
{
	stream->exit_code = code;
}

void ms_vg_lane_set_executes(Bool executes)
{
	stream->executes = executes;
}

/* At the address of the old stream, which is in generated code. */
Bool ms_vg_lane_join(Int fd)
{
	struct ms_wire_stream head;
	Word mapped = -1;

	if (VG_(read)(fd, &head, sizeof(head)) == sizeof(head) && head.bytes == stream_bytes &&
	    head.chunk_bytes == chunk_bytes && head.chunk_count == chunk_count)
		mapped = raw_syscall(__NR_mmap, (Word)stream, stream_bytes,
				     VKI_PROT_READ | VKI_PROT_WRITE, VKI_MAP_SHARED | VKI_MAP_FIXED,
				     fd, 0);
	VG_(close)(fd);
	if (mapped != (Word)stream)
		return False;
	stream->writer_pid = VG_(getpid)();
	stream->exit_code = MS_WIRE_NO_EXIT;
	detached = False;
	was_stopped = stopped;
	stopped = False;
	use_chunk(lane->filled);
	return True;
}

void ms_vg_lane_restart(void)
{
	ms_vg_windows_start();
	if (was_stopped)
		ms_vg_lane_set_counting(False);
}

static Bool has_left(void)
{
	return __atomic_load_n(&lane->closed, __ATOMIC_SEQ_CST) || !ms_wire_has_reader(stream);
}

/* Waits until the reader has at most so many chunks to read. */
static void wait_for_reader(UInt most)
{
	for (;;) {
		UInt freed = __atomic_load_n(&lane->freed, __ATOMIC_SEQ_CST);

		if (lane->filled - freed <= most)
			return;
		if (has_left()) {
			detached = True;
			return;
		}
		__atomic_store_n(&lane->writer_sleeps, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&lane->freed, __ATOMIC_SEQ_CST) == freed)
			futex_wait(&lane->freed, freed);
		__atomic_store_n(&lane->writer_sleeps, 0, __ATOMIC_SEQ_CST);
	}
}

static void publish(void)
{
	UInt *lengths = (UInt *)((UChar *)stream + lane->words_at);

	lengths[lane->filled % chunk_count] = (UInt)((lane->cursor - lane->chunk_start) / 8);
	__atomic_store_n(&lane->filled, lane->filled + 1, __ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&lane->reader_sleeps, 0, __ATOMIC_SEQ_CST)) {
		__atomic_add_fetch(&lane->reader_bell, 1, __ATOMIC_SEQ_CST);
		futex_wake(&lane->reader_bell);
	}
}

static void use_scratch(void)
{
	move((Addr)scratch, (Addr)scratch + SCRATCH_BYTES - MS_WIRE_RESERVE_WORDS * 8);
}

/* To the scratch memory. The reader must not take its cursor for the lane's: see ms_ring_end(). */
static void redirect_to_scratch(void)
{
	saved_cursor = lane->cursor;
	saved_limit = full_at;
	lane->chunk = lane->filled - 1;
	use_scratch();
}

/* And back to the lane. */
static void resume_lane(void)
{
	move(saved_cursor, saved_limit);
	lane->chunk = lane->filled;
}

static void next_chunk(void)
{
	if (!detached) {
		publish();
		wait_for_reader(chunk_count - 1);
	}
	use_chunk(lane->filled);
}

void ms_vg_lane_next_chunk(void)
{
	if (lane->cursor < full_at)
		return;
	if (ms_vg_windows_pause()) {
		ms_vg_windows_continue();
		return;
	}
	if (tracking) {
		ThreadId tid = ms_vg_merge_thread();

		ms_vg_merge_end(~0ULL);
		ms_vg_merge_begin(tid, ms_vg_threads[tid].time);
		return;
	}
	if (stopped)
		use_scratch();
	else
		next_chunk();
}

/* Adds the address of an event in the lane to the index. */
static void index_event(const ULong *at)
{
	if (events->count < MS_WIRE_INDEXED)
		events->at[events->count] = (UInt)(((Addr)at - lane->chunk_start) / 8);
	events->count++;
}

static void write_event(UInt kind, UInt arg, const void *words, UInt n, const HChar *text,
			UInt bytes)
{
	UInt text_words = (bytes + 7) / 8;
	UInt total = 1 + n + text_words;
	ULong *at = (ULong *)lane->cursor;

	if (lane->cursor >= full_at) {
		next_chunk();
		at = (ULong *)lane->cursor;
	}
	index_event(at);
	if (kind == MS_WIRE_SWITCH)
		lane_thread = arg;
	at[0] = ms_wire_head(kind, total, arg);
	VG_(memcpy)(at + 1, words, n * 8);
	if (text_words != 0) {
		at[total - 1] = 0;
		VG_(memcpy)(at + 1 + n, text, bytes);
	}
	lane->cursor = (Addr)(at + total);
}

static void ensure_thread(ThreadId tid)
{
	if (tid != 0 && lane_thread != tid)
		write_event(MS_WIRE_SWITCH, tid, NULL, 0, NULL, 0);
}

static void write_between(UInt kind, UInt arg, const void *words, UInt n, const HChar *text,
			  UInt bytes)
{
	ThreadId tracked = ms_vg_merge_thread();

	/* All that was executed before precedes it. */
	ms_vg_merge_end(~0ULL);
	/* Blocks are distinguished by the allocating thread; the last one that ran may have been
	 * another. */
	if (kind == MS_WIRE_ALLOC || kind == MS_WIRE_INNER_ALLOC)
		ensure_thread(tracked);
	write_event(kind, arg, words, n, text, bytes);
	ms_vg_merge_begin(tracked, ms_vg_threads[tracked].time);
}

void ms_vg_lane_write_event(UInt kind, UInt arg, const void *words, UInt n, const HChar *text,
			    UInt bytes)
{
	if (ms_vg_windows_pause()) {
		write_event(kind, arg, words, n, text, bytes);
		ms_vg_windows_continue();
		return;
	}
	if (tracking) {
		write_between(kind, arg, words, n, text, bytes);
		return;
	}
	if (stopped)
		resume_lane();
	write_event(kind, arg, words, n, text, bytes);
	if (stopped)
		redirect_to_scratch();
}

void ms_vg_lane_write_own_event(UInt kind, UInt arg, const void *words, UInt n)
{
	ULong *at = (ULong *)lane->cursor;

	if (!tracking || lane->cursor >= full_at) {
		ms_vg_lane_write_event(kind, arg, words, n, NULL, 0);
		return;
	}
	if (ms_vg_processors > 1) {
		ms_vg_slice_count();
		ms_vg_merge_note_event(at);
	}
	at[0] = ms_wire_head(kind, 1 + n, arg);
	VG_(memcpy)(at + 1, words, n * 8);
	lane->cursor = (Addr)(at + 1 + n);
	counted_to = lane->cursor;
}

void ms_vg_lane_switch_thread(ThreadId tid)
{
	wanted_thread = tid;
	if (ms_vg_merge_thread() == 0 && lane_thread != tid)
		ms_vg_lane_write_event(MS_WIRE_SWITCH, tid, NULL, 0, NULL, 0);
}

/* --- tracks --- */

Bool ms_vg_lane_may_track(void)
{
	return !stopped && !detached;
}

void ms_vg_lane_to_track(ULong *cursor, ULong *full)
{
	saved_cursor = lane->cursor;
	saved_limit = full_at;
	lane->chunk = lane->filled - 1;
	move((Addr)cursor, (Addr)full);
	tracking = True;
}

ULong *ms_vg_lane_from_track(void)
{
	ULong *cursor = (ULong *)lane->cursor;

	resume_lane();
	tracking = False;
	return cursor;
}

void ms_vg_lane_copy(ThreadId tid, const ULong *from, const ULong *to)
{
	ULong *at;

	if (from == to)
		return;
	ensure_thread(tid);
	if (lane->cursor >= full_at)
		next_chunk();
	at = (ULong *)lane->cursor;
	if (ms_wire_kind_of(*from) != MS_WIRE_EXEC)
		index_event(at); /* it is the only record */
	for (; to - from >= 4; from += 4, at += 4) {
		ULong a = from[0], b = from[1], c = from[2], d = from[3];

		at[0] = a;
		at[1] = b;
		at[2] = c;
		at[3] = d;
	}
	while (from < to)
		*at++ = *from++;
	/* They were written earlier, in some thread's time slice. */
	if (slice_end != never)
		slice_end += (Addr)at - lane->cursor;
	lane->cursor = (Addr)at;
	counted_to = lane->cursor;
}

void ms_vg_lane_write_records(ThreadId tid, ULong *from, const ULong *to)
{
	if (ms_vg_windows_on)
		ms_vg_windows_take(tid, from, to);
	else
		ms_vg_lane_copy(tid, from, to);
}

void ms_vg_lane_write_between(UInt kind, UInt arg, const void *words, UInt n)
{
	write_event(kind, arg, words, n, NULL, 0);
}

void ms_vg_lane_publish(void)
{
	if (lane->cursor > lane->chunk_start)
		next_chunk();
}

ULong ms_vg_lane_wait_for_pace(void)
{
	if (!detached)
		wait_for_reader(0);
	return __atomic_load_n(&stream->pace, __ATOMIC_RELAXED);
}

/* --- time slices --- */

void ms_vg_lane_begin_slice(UInt words)
{
	counts = True;
	slice_end = words != 0 ? lane->cursor + words * 8 : never;
	set_limit();
}

Bool ms_vg_lane_slice_continues(void)
{
	set_limit();
	return lane->cursor < slice_end;
}

Bool ms_vg_lane_take_uncounted(ULong **from, ULong **to, ULong *instructions)
{
	*from = (ULong *)counted_to;
	*to = (ULong *)lane->cursor;
	*instructions = ms_vg_lane_executed - counted_executed;
	counted_to = lane->cursor;
	counted_executed = ms_vg_lane_executed;
	return counts;
}

void ms_vg_lane_take_back(ULong *from)
{
	lane->cursor = (Addr)from;
	counted_to = (Addr)from;
}

Bool ms_vg_lane_continues_at(const ULong *end)
{
	return lane->cursor == (Addr)end;
}

void ms_vg_lane_set_counting(Bool on)
{
	if (on == !stopped || detached)
		return;
	ms_vg_merge_end(~0ULL);
	ms_vg_windows_pause();
	if (on)
		resume_lane();
	stopped = False;
	ms_vg_lane_write_event(MS_WIRE_COUNTING, on, NULL, 0, NULL, 0);
	if (on) {
		if (ms_vg_processors > 1)
			ensure_thread(wanted_thread);
		ms_vg_windows_continue();
		return;
	}
	/* Sends what was counted now: if the program is killed, only events are lost. */
	next_chunk();
	if (scratch == NULL)
		scratch = VG_(malloc)("memspy.lane.scratch", SCRATCH_BYTES);
	stopped = True;
	redirect_to_scratch();
}

void ms_vg_lane_finish(void)
{
	ms_vg_merge_end(~0ULL);
	ms_vg_windows_pause();
	if (detached)
		return;
	if (stopped)
		resume_lane();
	stopped = False;
	ms_vg_windows_finish();
	stream->writer_done = 1;
	publish();
}

/* The cursor is the parent's: only the state of this process is forgotten. */
void ms_vg_lane_after_fork(void)
{
	ms_vg_merge_forget();
	ms_vg_windows_forget();
	tracking = False;
	lane_thread = 0;
	slice_end = never;
}

void ms_vg_lane_leave(void)
{
	raw_syscall(__NR_mmap, (Word)stream, stream_bytes, VKI_PROT_READ | VKI_PROT_WRITE,
		    VKI_MAP_PRIVATE | VKI_MAP_ANONYMOUS | VKI_MAP_FIXED, -1, 0);
	detached = True;
	stopped = False;
	use_chunk(0);
}
