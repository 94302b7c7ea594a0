/*
 * The ring: a writer that follows wire/wire.h, in a process of its own or in a thread, against
 * one or several consumers. Every word is its own number, so a word lost, doubled or torn is seen.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "stream/ring.h"
#include "unit/stream/writer.h"

/* --- consumers --- */

struct consumer {
	struct ms_stream_ring *ring;
	pthread_t thread;
	uint64_t words; /* read so far */
	uint64_t wrong; /* not the number that was expected */
	uint32_t chunks;
	uint32_t most;    /* stop after so many chunks; 0: never */
	useconds_t pause; /* after each chunk */
};

static void *consume(void *arg)
{
	struct consumer *c = arg;
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0; ms_stream_ring_wait(c->ring, k, &words, &n); k++) {
		for (size_t i = 0; i < n; i++)
			c->wrong += words[i] != c->words + i;
		c->words += n;
		c->chunks++;
		if (c->pause != 0)
			usleep(c->pause);
		ms_stream_ring_release(c->ring, k);
		if (c->chunks == c->most)
			break;
	}
	return NULL;
}

static void start(struct consumer *c, struct ms_stream_ring *ring, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		c[i].ring = ring;
		assert_int_equal(pthread_create(&c[i].thread, NULL, consume, &c[i]), 0);
	}
}

static void join(struct consumer *c, unsigned n, uint64_t words)
{
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(pthread_join(c[i].thread, NULL), 0);
		assert_int_equal(c[i].wrong, 0);
		assert_int_equal(c[i].words, words);
	}
}

static void open_ring(struct ms_stream_ring *ring, uint32_t chunks, unsigned consumers)
{
	struct ms_err err;

	assert_int_equal(ms_stream_ring_open(ring, MS_WIRE_MIN_CHUNK, chunks, consumers, &err),
			 MS_OK);
}

static uint32_t words_of_chunk(void)
{
	return MS_WIRE_MIN_CHUNK / 8 - MS_WIRE_RESERVE_WORDS;
}

/* --- tests --- */

/* Two chunks, thousands of turns of the ring, 1 to 4 consumers of different speed. */
static void wraps_around(void **state)
{
	enum { WORDS = 3000000 };

	(void)state;
	for (unsigned consumers = 1; consumers <= 4; consumers++) {
		struct consumer c[4] = { 0 };
		struct ms_stream_ring ring;
		struct writer w;

		open_ring(&ring, 2, consumers);
		start(c, &ring, consumers);
		writer_open(&w, ring.fd);
		write_words(&w, WORDS);
		finish(&w);
		ms_stream_ring_end(&ring);
		join(c, consumers, WORDS);
		assert_int_equal(c[0].chunks, WORDS / words_of_chunk() + 1);
		writer_close(&w);
		ms_stream_ring_close(&ring);
	}
}

static void *write_in_thread(void *arg)
{
	write_words(arg, 8 * words_of_chunk());
	return NULL;
}

/* No reader yet: the writer sleeps, and nothing is lost. */
static void full_ring_blocks(void **state)
{
	struct consumer c = { 0 };
	struct ms_stream_ring ring;
	struct writer w;
	pthread_t thread;

	(void)state;
	open_ring(&ring, 2, 1);
	writer_open(&w, ring.fd);
	assert_int_equal(pthread_create(&thread, NULL, write_in_thread, &w), 0);
	for (int i = 0; i < 500 && !__atomic_load_n(&ring.lane->writer_sleeps, __ATOMIC_SEQ_CST);
	     i++)
		usleep(1000);
	assert_int_equal(__atomic_load_n(&ring.lane->writer_sleeps, __ATOMIC_SEQ_CST), 1);
	usleep(20000);
	assert_int_equal(__atomic_load_n(&ring.lane->filled, __ATOMIC_SEQ_CST), 2);
	start(&c, &ring, 1);
	pthread_join(thread, NULL);
	assert_true(w.slept > 0);
	finish(&w);
	ms_stream_ring_end(&ring);
	join(&c, 1, 8 * words_of_chunk());
	writer_close(&w);
	ms_stream_ring_close(&ring);
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Consumers without work, and a writer without room, cost no processor time. */
static void waiting_takes_no_processor_time(void **state)
{
	struct consumer c[3] = { 0 };
	struct ms_stream_ring ring;
	struct writer w;

	(void)state;
	open_ring(&ring, 2, 3);
	start(c, &ring, 3);
	writer_open(&w, ring.fd);
	write_words(&w, 10);
	usleep(20000);
	double before = cpu_seconds();
	usleep(300000);
	assert_true(cpu_seconds() - before < 0.05);
	finish(&w);
	ms_stream_ring_end(&ring);
	join(c, 3, 10);
	writer_close(&w);
	ms_stream_ring_close(&ring);
}

/* One consumer is slow: a chunk goes back only when it too is done. */
static void the_slowest_decides(void **state)
{
	struct consumer c[2] = { { .pause = 2000 }, { .pause = 0 } };
	struct ms_stream_ring ring;
	struct writer w;

	(void)state;
	open_ring(&ring, 4, 2);
	start(c, &ring, 2);
	writer_open(&w, ring.fd);
	write_words(&w, 40 * words_of_chunk());
	finish(&w);
	ms_stream_ring_end(&ring);
	join(c, 2, 40 * words_of_chunk());
	writer_close(&w);
	ms_stream_ring_close(&ring);
}

/* How the writer ends. */
enum ending { GOOD_ORDER, EXITS, KILLED, KILLED_AT_ONCE };

static void be_writer(const struct ms_stream_ring *ring, uint64_t words, enum ending ending)
{
	struct writer w;

	if (ending == KILLED_AT_ONCE)
		raise(SIGKILL);
	writer_open(&w, ring->fd);
	write_words(&w, words);
	if (ending == GOOD_ORDER)
		finish(&w);
	if (ending == KILLED)
		raise(SIGKILL);
	_exit(0);
}

static void write_from_process(uint64_t words, enum ending ending, uint64_t expected)
{
	struct consumer c[2] = { 0 };
	struct ms_stream_ring ring;

	open_ring(&ring, 2, 2);
	pid_t pid = fork();
	if (pid == 0)
		be_writer(&ring, words, ending);
	start(c, &ring, 2);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(ring.stream->writer_done, ending == GOOD_ORDER);
	ms_stream_ring_end(&ring);
	join(c, 2, expected);
	ms_stream_ring_close(&ring);
}

/* Another process writes: whatever ends it, all that it wrote is read. */
static void ends_of_the_writer(void **state)
{
	const uint64_t counts[] = { 0,
				    1,
				    words_of_chunk() - 1,
				    words_of_chunk(),
				    words_of_chunk() + 1,
				    2 * words_of_chunk(),
				    7 * words_of_chunk() + 100 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		write_from_process(counts[i], GOOD_ORDER, counts[i]);
		write_from_process(counts[i], EXITS, counts[i]);
		write_from_process(counts[i], KILLED, counts[i]);
	}
	write_from_process(0, KILLED_AT_ONCE, 0);
}

/* Readers that give up let the writer go on, also one that sleeps. */
static void abandoned(void **state)
{
	struct consumer c = { .most = 3 };
	struct ms_stream_ring ring;
	struct writer w;
	pthread_t thread;

	(void)state;
	open_ring(&ring, 2, 1);
	start(&c, &ring, 1);
	writer_open(&w, ring.fd);
	assert_int_equal(pthread_create(&thread, NULL, write_in_thread, &w), 0);
	pthread_join(c.thread, NULL);
	assert_int_equal(c.wrong, 0);
	usleep(20000);
	ms_stream_ring_abandon(&ring);
	pthread_join(thread, NULL);
	assert_true(w.detached);
	assert_int_equal(w.next, 8 * words_of_chunk());
	writer_close(&w);
	ms_stream_ring_close(&ring);
}

/* A writer whose figures make no sense is believed within its chunk, no further. */
static void nonsense_is_bounded(void **state)
{
	static const struct {
		uint64_t start, cursor;
	} tails[] = {
		{ 0, UINT64_MAX },
		{ UINT64_MAX, 0 },
		{ 4096, 8 },
		{ 8, 8 + 8 * UINT64_C(1000000) },
	};
	const uint64_t *words;
	struct ms_stream_ring ring;
	size_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		open_ring(&ring, 2, 1);
		ring.stream->writer_pid = 1;
		ring.lane->chunk_start = tails[i].start;
		ring.lane->cursor = tails[i].cursor;
		ms_stream_ring_end(&ring);
		if (ms_stream_ring_wait(&ring, 0, &words, &n))
			assert_in_range(n, 1, MS_WIRE_MIN_CHUNK / 8);
		ms_stream_ring_close(&ring);
	}
	open_ring(&ring, 2, 1);
	((uint32_t *)(ring.base + ring.lane->words_at))[0] = UINT32_MAX;
	ring.lane->filled = 1;
	assert_true(ms_stream_ring_wait(&ring, 0, &words, &n));
	assert_int_equal(n, MS_WIRE_MIN_CHUNK / 8);
	ms_stream_ring_end(&ring);
	ms_stream_ring_close(&ring);
}

/* A record to which words were still added when the writer ended goes as far as its cursor. */
static void open_record_ends(void **state)
{
	enum { AT = 5, N = 40 };
	const uint64_t *words;
	struct ms_stream_ring ring;
	struct writer w;
	size_t n;

	(void)state;
	for (uint32_t open = 0; open <= N + 2; open++) {
		open_ring(&ring, 2, 1);
		writer_open(&w, ring.fd);
		write_words(&w, N);
		((uint64_t *)w.lane->chunk_start)[AT] = ms_wire_head(MS_WIRE_PACKED, 2, 7);
		w.lane->open = open;
		ms_stream_ring_end(&ring);
		assert_true(ms_stream_ring_wait(&ring, 0, &words, &n));
		assert_int_equal(n, N);
		assert_int_equal(words[AT],
				 ms_wire_head(MS_WIRE_PACKED, open == AT + 1 ? N - AT : 2, 7));
		for (size_t i = 0; i < N; i++)
			if (i != AT && i + 1 != open)
				assert_int_equal(words[i], i);
		writer_close(&w);
		ms_stream_ring_close(&ring);
	}
}

/* The counters run over 2^32 one day. */
static void numbers_wrap(void **state)
{
	const uint64_t *words;
	struct ms_stream_ring ring;
	struct writer w;
	size_t n;

	(void)state;
	open_ring(&ring, 2, 1);
	ring.lane->filled = ring.lane->freed = UINT32_MAX - 1;
	writer_open(&w, ring.fd);
	for (uint32_t i = 0; i < 5; i++) {
		uint32_t k = UINT32_MAX - 1 + i;

		write_words(&w, words_of_chunk());
		publish(&w);
		assert_true(ms_stream_ring_wait(&ring, k, &words, &n));
		assert_int_equal(n, words_of_chunk());
		assert_int_equal(words[0], i * words_of_chunk());
		ms_stream_ring_release(&ring, k);
		wait_for_room(&w);
		use_chunk(&w, w.lane->filled);
	}
	ms_stream_ring_end(&ring);
	assert_false(ms_stream_ring_wait(&ring, 3, &words, &n));
	writer_close(&w);
	ms_stream_ring_close(&ring);
}

/* The defaults, and closing what was never opened. */
static void defaults(void **state)
{
	struct ms_stream_ring ring = { 0 }, other;
	struct ms_err err;

	(void)state;
	ms_stream_ring_close(&ring);
	assert_int_equal(ms_stream_ring_open(&ring, 0, 0, 1, &err), MS_OK);
	assert_true(ring.stream->chunk_bytes >= MS_WIRE_MIN_CHUNK);
	assert_int_equal(ring.stream->chunk_count & (ring.stream->chunk_count - 1), 0);
	assert_int_equal(ms_stream_ring_slots(&ring), ring.stream->chunk_count);
	assert_int_equal(ms_stream_ring_slot(&ring, ring.stream->chunk_count + 1), 1);
	assert_int_equal(ring.stream->reader_pid, getpid());
	ms_stream_ring_close(&ring);

	/* No memory to be had: an error, not a crash. */
	const struct rlimit none = { 4, 4 };
	struct rlimit before;
	getrlimit(RLIMIT_NOFILE, &before);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ none.rlim_cur, before.rlim_max });
	int fds[8], n = 0;
	while (n < 8 && (fds[n] = dup(0)) >= 0)
		n++;
	assert_int_equal(ms_stream_ring_open(&other, 0, 0, 1, &err), MS_EIO);
	while (n-- > 0)
		close(fds[n]);
	setrlimit(RLIMIT_NOFILE, &before);
}

/* Makes a ring in a process of its own that then sleeps; its header as a writer sees it. */
static const struct ms_wire_stream *map_ring_of(pid_t *reader)
{
	int result[2], fd = -1;
	char path[64];

	assert_int_equal(pipe(result), 0);
	*reader = fork();
	if (*reader == 0) {
		struct ms_stream_ring ring;
		struct ms_err err;

		fd = ms_stream_ring_open(&ring, MS_WIRE_MIN_CHUNK, 2, 1, &err) == MS_OK &&
				     ms_stream_ring_add_lanes(&ring, 4, &err) == MS_OK
			     ? ring.fd
			     : -1;
		if (write(result[1], &fd, sizeof(fd)) == sizeof(fd))
			pause();
		_exit(1);
	}
	assert_int_equal(read(result[0], &fd, sizeof(fd)), sizeof(fd));
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)*reader, fd);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	const struct ms_wire_stream *stream =
		mmap(NULL, MS_WIRE_LANES_AT, PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(stream, MAP_FAILED);
	close(fd);
	close(result[0]);
	close(result[1]);
	return stream;
}

/* A writer learns from memory alone that its reader was killed, also after the lanes were added. */
static void killed_reader_is_noticed(void **state)
{
	pid_t reader;
	const struct ms_wire_stream *stream = map_ring_of(&reader);

	(void)state;
	assert_true(ms_wire_has_reader(stream));
	kill(reader, SIGKILL);
	assert_int_equal(waitpid(reader, NULL, 0), reader);
	assert_false(ms_wire_has_reader(stream));
	munmap((void *)stream, MS_WIRE_LANES_AT);
}

/* One that has closed the ring is no reader, either; children that it forks do not matter. */
static void closed_ring_has_no_reader(void **state)
{
	struct ms_stream_ring ring;

	(void)state;
	open_ring(&ring, 2, 1);
	int fd = dup(ring.fd);
	const struct ms_wire_stream *stream =
		mmap(NULL, MS_WIRE_LANES_AT, PROT_READ, MAP_SHARED, fd, 0);
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(ms_wire_has_reader(stream));
	ms_stream_ring_close(&ring);
	assert_false(ms_wire_has_reader(stream));
	munmap((void *)stream, MS_WIRE_LANES_AT);
	close(fd);
}

/* In a process of its own, as a hard limit stays: chunks that a ring has, 0 if it has an error. */
static uint32_t chunks_below(rlim_t soft, rlim_t hard)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		const struct rlimit limit = { soft, hard };
		struct rlimit after = { 0, 0 };
		struct ms_stream_ring ring;
		struct ms_err err;

		setrlimit(RLIMIT_FSIZE, &limit);
		int code = ms_stream_ring_open(&ring, MS_WIRE_MIN_CHUNK, 16, 1, &err);
		getrlimit(RLIMIT_FSIZE, &after);
		if (after.rlim_cur != soft || after.rlim_max != hard)
			_exit(255);
		if (code != MS_OK)
			_exit(strstr(err.text, "ulimit -H -f") != NULL ? 0 : 254);
		_exit((int)ring.stream->chunk_count);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return (uint32_t)WEXITSTATUS(status);
}

/* A limit on files: the soft one does not count, below a hard one there is less. */
static void files_are_limited(void **state)
{
	struct rlimit now;
	struct ms_stream_ring ring;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_stream_ring_open(&ring, MS_WIRE_MIN_CHUNK, 16, 1, &err), MS_OK);
	uint64_t all = ring.stream->bytes;
	ms_stream_ring_close(&ring);
	getrlimit(RLIMIT_FSIZE, &now);
	assert_int_equal(chunks_below(4096, now.rlim_max), 16);
	assert_int_equal(chunks_below(all, all), 16);
	assert_int_equal(chunks_below(all - 1, all - 1), 8);
	assert_int_equal(chunks_below(4096, all - 1), 8);
	assert_int_equal(chunks_below(4096, 4096), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wraps_around),
		cmocka_unit_test(full_ring_blocks),
		cmocka_unit_test(waiting_takes_no_processor_time),
		cmocka_unit_test(the_slowest_decides),
		cmocka_unit_test(ends_of_the_writer),
		cmocka_unit_test(abandoned),
		cmocka_unit_test(nonsense_is_bounded),
		cmocka_unit_test(open_record_ends),
		cmocka_unit_test(numbers_wrap),
		cmocka_unit_test(defaults),
		cmocka_unit_test(files_are_limited),
		cmocka_unit_test(killed_reader_is_noticed),
		cmocka_unit_test(closed_ring_has_no_reader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
