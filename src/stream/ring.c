#include "stream/ring.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "stream/futex.h"
#include "stream/memory_file.h"
#include "wire/stamped.h"

#ifdef MS_TINY
enum { DEFAULT_CHUNK_BYTES = MS_WIRE_MIN_CHUNK, DEFAULT_CHUNK_COUNT = 2 };
enum { MORE_CHUNK_BYTES = MS_WIRE_MIN_CHUNK, MORE_CHUNK_COUNT = 2, MORE_STAMPED = 64 };
#else
/* All of it fits into a second-level cache, of the writer and of the reader
 * (docs/design/tracer.md). */
enum { DEFAULT_CHUNK_BYTES = 64 * 1024, DEFAULT_CHUNK_COUNT = 16 };
/* Of lanes that are merged: a chunk is what a thread executes between two switches. */
enum { MORE_CHUNK_BYTES = 24 * 1024, MORE_CHUNK_COUNT = 8 };
/* Of heap blocks with stamps: what a thread can allocate while memspy wakes up. */
enum { MORE_STAMPED = 8192 };
#endif

static uint64_t page_up(uint64_t n)
{
	return (n + 4095) & ~UINT64_C(4095);
}

static uint64_t index_at(uint32_t chunk_count)
{
	return page_up(MS_WIRE_LANES_AT + sizeof(struct ms_wire_lane) +
		       chunk_count * sizeof(uint32_t));
}

static uint64_t chunks_behind(uint32_t chunk_count)
{
	return index_at(chunk_count) + chunk_count * sizeof(struct ms_wire_index);
}

static uint64_t ring_bytes(uint32_t chunk_bytes, uint32_t chunk_count)
{
	return chunks_behind(chunk_count) + page_up((uint64_t)chunk_bytes * chunk_count);
}

static int fail_to_grow(uint64_t bytes, struct ms_err *err)
{
	const char *why = errno == EFBIG ? " (a limit on the size of files, which memory files "
					   "have too: ulimit -H -f shows it)"
					 : "";

	return ms_fail_errno(err, "cannot make %llu bytes of shared memory for the stream%s",
			     (unsigned long long)bytes, why);
}

/* Makes room for the requested number of chunks, or for fewer if a limit forbids it: slower, but
 * with the same result. */
static int make_room(int fd, uint32_t chunk_bytes, uint32_t *chunk_count, struct ms_err *err)
{
	enum { LEAST = 2 };

	while (ms_stream_grow_memory_file(fd, ring_bytes(chunk_bytes, *chunk_count)) != 0) {
		if (errno != EFBIG || *chunk_count <= LEAST)
			return fail_to_grow(ring_bytes(chunk_bytes, *chunk_count), err);
		*chunk_count /= 2;
	}
	return MS_OK;
}

static void fill_header(struct ms_stream_ring *ring, uint32_t chunk_bytes, uint32_t chunk_count)
{
	*ring->stream = (struct ms_wire_stream){
		.magic = MS_WIRE_MAGIC,
		.version = MS_WIRE_NEWEST,
		.header_bytes = sizeof(struct ms_wire_stream),
		.bytes = ring_bytes(chunk_bytes, chunk_count),
		.chunks_at = chunks_behind(chunk_count),
		.chunk_bytes = chunk_bytes,
		.chunk_count = chunk_count,
		.lane_count = 1,
		.reader_pid = (uint32_t)getpid(),
	};
	ring->lane->words_at = MS_WIRE_LANES_AT + sizeof(struct ms_wire_lane);
	ring->lane->index_at = (uint32_t)index_at(chunk_count);
}

/* --- the reader's lock --- */

enum { READER_BYTES = 4096 };

/* The kernel and glibc agree on this word: its value is the owner's thread id. */
static_assert(offsetof(pthread_mutex_t, __data.__lock) == 0, "the futex word comes first");
static_assert(MS_WIRE_READER_AT >= sizeof(struct ms_wire_stream) &&
		      MS_WIRE_READER_AT + sizeof(pthread_mutex_t) <= MS_WIRE_LANES_AT,
	      "between the header and the lanes");

static pthread_mutex_t *reader_lock(const struct ms_stream_ring *ring)
{
	return (pthread_mutex_t *)(ring->reader + MS_WIRE_READER_AT);
}

/* The lock has a mapping of its own: ms_stream_ring_add_lanes() may move the other one, and the
 * kernel's list of robust locks contains addresses. */
static bool lock_as_reader(struct ms_stream_ring *ring)
{
	pthread_mutexattr_t robust;
	void *page = mmap(NULL, READER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (page == MAP_FAILED)
		return false;
	ring->reader = page;
	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setpshared(&robust, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(reader_lock(ring), &robust);
	pthread_mutexattr_destroy(&robust);
	pthread_mutex_lock(reader_lock(ring));
	return true;
}

static void unlock_as_reader(struct ms_stream_ring *ring)
{
	pthread_mutex_unlock(reader_lock(ring));
	munmap(ring->reader, READER_BYTES);
}

int ms_stream_ring_open(struct ms_stream_ring *ring, uint32_t chunk_bytes, uint32_t chunk_count,
			unsigned consumers, struct ms_err *err)
{
	if (chunk_bytes == 0)
		chunk_bytes = DEFAULT_CHUNK_BYTES;
	if (chunk_count == 0) /* many consumers hold many chunks */
		chunk_count = consumers <= 4 ? DEFAULT_CHUNK_COUNT : 2 * DEFAULT_CHUNK_COUNT;

	*ring = (struct ms_stream_ring){ .fd = memfd_create("memspy-stream", MFD_CLOEXEC) };
	if (ring->fd < 0)
		return ms_fail_errno(err, "cannot make the shared memory for the stream");
	if (make_room(ring->fd, chunk_bytes, &chunk_count, err) != MS_OK) {
		close(ring->fd);
		return err->code;
	}
	uint64_t bytes = ring_bytes(chunk_bytes, chunk_count);
	ring->base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (ring->base == MAP_FAILED || !lock_as_reader(ring)) {
		ms_fail_errno(err, "cannot map the stream's shared memory");
		if (ring->base != MAP_FAILED)
			munmap(ring->base, bytes);
		close(ring->fd);
		*ring = (struct ms_stream_ring){ .fd = -1 };
		return err->code;
	}
	ring->stream = (struct ms_wire_stream *)ring->base;
	ring->lane = (struct ms_wire_lane *)(ring->base + MS_WIRE_LANES_AT);
	ring->consumers = consumers;
	ring->left = ms_alloc(chunk_count * sizeof(*ring->left));
	for (uint32_t i = 0; i < chunk_count; i++)
		ring->left[i] = consumers;
	fill_header(ring, chunk_bytes, chunk_count);
	return MS_OK;
}

/* The order of chunks, and their stamps. */
enum { ORDER_BYTES = 2 * MS_WIRE_ORDERED * sizeof(uint64_t) };
/* A lane's page, indexes and chunks. */
enum {
	MORE_STAMPED_AT =
		4096 + MORE_CHUNK_COUNT * (sizeof(struct ms_wire_index) + MORE_CHUNK_BYTES),
};

static void fill_more(struct ms_stream_ring *ring, uint32_t lanes, uint64_t order_at,
		      uint64_t more_at, uint64_t more_bytes)
{
	struct ms_wire_stream *s = ring->stream;

	s->lane_count = lanes;
	s->order_at = order_at;
	s->exits_at = order_at + ORDER_BYTES;
	s->more_at = more_at;
	s->more_bytes = more_bytes;
	s->more_chunk_bytes = MORE_CHUNK_BYTES;
	s->more_chunk_count = MORE_CHUNK_COUNT;
	s->more_stamped = MORE_STAMPED;
	s->more_stamped_at = MORE_STAMPED_AT;
}

int ms_stream_ring_add_lanes(struct ms_stream_ring *ring, uint32_t lanes, struct ms_err *err)
{
	uint64_t old = ring->stream->bytes;
	uint64_t more_at = old + ORDER_BYTES + MS_WIRE_EXITS * sizeof(uint16_t);
	uint64_t more_bytes =
		page_up(MORE_STAMPED_AT + MORE_STAMPED * sizeof(struct ms_wire_stamped));
	uint64_t bytes = more_at + (lanes - 1) * more_bytes;

	if (ms_stream_grow_memory_file(ring->fd, bytes) != 0)
		return fail_to_grow(bytes, err);
	void *base = mremap(ring->base, old, bytes, MREMAP_MAYMOVE);
	if (base == MAP_FAILED)
		return ms_fail_errno(err, "cannot map the stream's shared memory");
	ring->base = base;
	ring->stream = base;
	ring->stream->bytes = bytes;
	ring->lane = (struct ms_wire_lane *)(ring->base + MS_WIRE_LANES_AT);
	fill_more(ring, lanes, old, more_at, more_bytes);
	ring->writes = ms_alloc(MS_WIRE_EXITS * sizeof(*ring->writes));
	return MS_OK;
}

void ms_stream_ring_close(struct ms_stream_ring *ring)
{
	if (ring->base == NULL)
		return;
	unlock_as_reader(ring);
	munmap(ring->base, ring->stream->bytes);
	close(ring->fd);
	ms_free(ring->left);
	ms_free(ring->writes);
	for (size_t i = 0; i < MS_RING_EXIT_PAGES; i++)
		ms_free(ring->exit_refs[i]);
	ring->base = NULL;
}

void ms_stream_ring_set_exit_writes(struct ms_stream_ring *ring, uint64_t exit, uint64_t writes)
{
	if (ring->writes != NULL && exit < MS_WIRE_EXITS)
		__atomic_store_n(&ring->writes[exit], writes | MS_RING_KNOWN, __ATOMIC_RELAXED);
}

/* Several threads may need a new page at the same time. */
static const uint16_t **make_exit_page(const uint16_t ***at)
{
	const uint16_t **made = ms_alloc(MS_RING_PAGE_EXITS * sizeof(*made)), **old = NULL;

	if (__atomic_compare_exchange_n(at, &old, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return made;
	ms_free(made);
	return old;
}

void ms_stream_ring_set_exit_refs(struct ms_stream_ring *ring, uint64_t exit, const uint16_t *refs)
{
	if (ring->writes == NULL || exit >= MS_WIRE_EXITS)
		return;
	const uint16_t ***at = &ring->exit_refs[exit / MS_RING_PAGE_EXITS];
	const uint16_t **page = __atomic_load_n(at, __ATOMIC_ACQUIRE);

	if (page == NULL)
		page = make_exit_page(at);
	__atomic_store_n(&page[exit % MS_RING_PAGE_EXITS], refs, __ATOMIC_RELEASE);
}

const uint16_t *ms_stream_ring_get_exit_refs(const struct ms_stream_ring *ring, uint64_t exit)
{
	if (exit >= MS_WIRE_EXITS)
		return NULL;
	const uint16_t **page =
		__atomic_load_n(&ring->exit_refs[exit / MS_RING_PAGE_EXITS], __ATOMIC_ACQUIRE);

	return page != NULL ? __atomic_load_n(&page[exit % MS_RING_PAGE_EXITS], __ATOMIC_ACQUIRE)
			    : NULL;
}

unsigned ms_stream_ring_slots(const struct ms_stream_ring *ring)
{
	return ring->stream->chunk_count;
}

unsigned ms_stream_ring_slot(const struct ms_stream_ring *ring, uint32_t k)
{
	return k & (ring->stream->chunk_count - 1);
}

static const uint64_t *chunk_at(const struct ms_stream_ring *ring, uint32_t k)
{
	return (const uint64_t *)(ring->base + ring->stream->chunks_at +
				  (uint64_t)ms_stream_ring_slot(ring, k) *
					  ring->stream->chunk_bytes);
}

const struct ms_wire_index *ms_stream_ring_index(const struct ms_stream_ring *ring, uint32_t k)
{
	return (const struct ms_wire_index *)(ring->base + ring->lane->index_at) +
	       ms_stream_ring_slot(ring, k);
}

/* Limits the writer's values to the chunk's size, because the writer may be wrong. */
static size_t believable(const struct ms_stream_ring *ring, uint64_t words)
{
	uint64_t most = ring->stream->chunk_bytes / 8;

	return words < most ? words : most;
}

bool ms_stream_ring_is_ready(const struct ms_stream_ring *ring, uint32_t k)
{
	return (int32_t)(__atomic_load_n(&ring->lane->filled, __ATOMIC_SEQ_CST) - k) > 0;
}

bool ms_stream_ring_wait(struct ms_stream_ring *ring, uint32_t k, const uint64_t **words, size_t *n)
{
	struct ms_wire_lane *lane = ring->lane;
	const uint32_t *lengths = (const uint32_t *)(ring->base + lane->words_at);

	*words = chunk_at(ring, k);
	for (;;) {
		uint32_t bell = __atomic_load_n(&lane->reader_bell, __ATOMIC_SEQ_CST);
		/* `ended` is read before `filled`, so that chunks filled before the end are not
		 * missed. */
		uint32_t ended = __atomic_load_n(&ring->ended, __ATOMIC_SEQ_CST);
		uint32_t filled = __atomic_load_n(&lane->filled, __ATOMIC_SEQ_CST);

		if ((int32_t)(filled - k) > 0) {
			*n = believable(ring, lengths[ms_stream_ring_slot(ring, k)]);
			return true;
		}
		if (ended) {
			*n = k == filled ? ring->tail_words : 0;
			return *n > 0;
		}
		__atomic_store_n(&lane->reader_sleeps, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&lane->filled, __ATOMIC_SEQ_CST) == filled &&
		    !__atomic_load_n(&ring->ended, __ATOMIC_SEQ_CST))
			ms_stream_futex_wait(&lane->reader_bell, bell);
	}
}

/* A writer without room sleeps until half of the ring is free: waking it for each chunk is
 * expensive. */
void ms_stream_ring_release(struct ms_stream_ring *ring, uint32_t k)
{
	uint32_t *left = &ring->left[ms_stream_ring_slot(ring, k)];

	if (__atomic_sub_fetch(left, 1, __ATOMIC_ACQ_REL) != 0)
		return;
	__atomic_store_n(left, ring->consumers, __ATOMIC_RELEASE);
	__atomic_store_n(&ring->lane->freed, k + 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&ring->lane->writer_sleeps, __ATOMIC_SEQ_CST) &&
	    __atomic_load_n(&ring->lane->filled, __ATOMIC_SEQ_CST) - (k + 1) <=
		    ring->stream->chunk_count / 2)
		ms_stream_futex_wake(&ring->lane->freed);
}

/* The writer has ended: completes the length of the record that it was writing. */
static void end_record(const struct ms_stream_ring *ring, uint32_t k, uint32_t open, size_t n)
{
	uint64_t *words = (uint64_t *)chunk_at(ring, k);

	if (open != 0 && open <= n && n - (open - 1) <= UINT16_MAX)
		words[open - 1] =
			ms_wire_head(ms_wire_kind_of(words[open - 1]), (uint32_t)(n - (open - 1)),
				     ms_wire_arg_of(words[open - 1]));
}

void ms_stream_ring_end(struct ms_stream_ring *ring)
{
	const struct ms_wire_lane *lane = ring->lane;

	if (ring->stream->writer_pid != 0 && lane->chunk == lane->filled &&
	    lane->cursor >= lane->chunk_start) {
		ring->tail_words = believable(ring, (lane->cursor - lane->chunk_start) / 8);
		end_record(ring, lane->filled, lane->open, ring->tail_words);
	}
	__atomic_store_n(&ring->ended, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&ring->lane->reader_bell, 1, __ATOMIC_SEQ_CST);
	ms_stream_futex_wake(&ring->lane->reader_bell);
}

static struct ms_wire_lane *more_lane(const struct ms_stream_ring *ring, uint32_t i)
{
	return (struct ms_wire_lane *)(ring->base + ring->stream->more_at +
				       (i - 1) * ring->stream->more_bytes);
}

/* The flag is in the first lane for all lanes; writers of other lanes check it when they are
 * woken. */
void ms_stream_ring_abandon(struct ms_stream_ring *ring)
{
	const struct ms_wire_stream *s = ring->stream;

	__atomic_store_n(&ring->lane->closed, 1, __ATOMIC_SEQ_CST);
	ms_stream_futex_wake(&ring->lane->freed);
	uint32_t used = __atomic_load_n(&s->lanes_used, __ATOMIC_SEQ_CST);
	for (uint32_t i = 1; i < used && i < s->lane_count; i++)
		ms_stream_futex_wake(&more_lane(ring, i)->freed);
}

uint64_t ms_stream_ring_describe_ns(const struct ms_stream_ring *ring)
{
	uint64_t sum = ((const struct ms_wire_lane *)(ring->base + MS_WIRE_LANES_AT))->telling;

	for (uint32_t i = 1; i < ring->stream->lane_count; i++)
		sum += more_lane(ring, i)->telling;
	return sum;
}
