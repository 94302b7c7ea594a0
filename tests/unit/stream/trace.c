/*
 * Trace files: what was kept is read again; and whatever happens to a file - cut anywhere, any byte
 * changed, written by somebody else - no word that was not written is ever read.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "stream/trace/trace.h"
#include "stream/trace/trace_priv.h"
#include "wire/wire.h"

enum { CHUNKS = 3, CHUNK_BYTES = MS_WIRE_MIN_CHUNK, MOST_BYTES = 4096 };

static char path[64];
static const char *const argv[] = { "./program", "two words", "", NULL };
static const struct ms_trace_info info = { "test", argv, CHUNK_BYTES, NULL };

static int make_path(void **state)
{
	(void)state;
	strcpy(path, "/tmp/memspy-trace-XXXXXX");
	int fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

static size_t chunk_words(uint64_t k)
{
	return 40 + 7 * k;
}

static uint64_t word(uint64_t k, size_t i)
{
	return (k + 1) << 40 | (i * i) % 23;
}

static void write_chunks(uint64_t limit, uint64_t chunks, bool *limited)
{
	const struct ms_trace_end end = { .end = 1, .exit_status = 11 };
	struct ms_trace_writer *writer;
	struct ms_err err;

	assert_int_equal(ms_trace_create(&writer, path, limit, &info, &err), MS_OK);
	for (uint64_t k = 0; k < chunks; k++) {
		uint64_t words[CHUNK_BYTES / 8];

		for (size_t i = 0; i < chunk_words(k); i++)
			words[i] = word(k, i);
		assert_int_equal(ms_trace_add(writer, words, chunk_words(k), &err), MS_OK);
	}
	assert_int_equal(ms_trace_add(writer, NULL, 0, &err), MS_OK); /* nothing to keep */
	*limited = ms_trace_limited(writer);
	assert_int_equal(ms_trace_finish(writer, &end, &err), MS_OK);
}

/* How many chunks can be read; what can be is right. */
static uint64_t read_chunks(struct ms_trace *trace)
{
	uint64_t *words = calloc(1, ms_trace_info(trace)->chunk_bytes);
	uint64_t good = 0;

	for (uint64_t k = 0; k < ms_trace_chunks(trace); k++) {
		struct ms_err err;
		size_t n = 0;

		if (ms_trace_read(trace, k, words, &n, &err) != MS_OK) {
			assert_non_null(strstr(err.text, path));
			continue;
		}
		uint64_t which = (words[0] >> 40) - 1;
		assert_int_equal(n, chunk_words(which));
		for (size_t i = 0; i < n; i++)
			assert_int_equal(words[i], word(which, i));
		good++;
	}
	free(words);
	return good;
}

static size_t load(uint8_t bytes[MOST_BYTES])
{
	FILE *in = fopen(path, "rb");
	size_t n = fread(bytes, 1, MOST_BYTES, in);

	fclose(in);
	assert_in_range(n, 1, MOST_BYTES - 1);
	return n;
}

static void save(const uint8_t *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");

	assert_int_equal(fwrite(bytes, 1, n, out), n);
	fclose(out);
}

static void kept_and_read(void **state)
{
	struct ms_trace_end end;
	struct ms_trace *trace;
	struct ms_err err;
	bool limited;

	(void)state;
	write_chunks(0, CHUNKS, &limited);
	assert_false(limited);
	assert_int_equal(ms_trace_open(&trace, path, &err), MS_OK);
	assert_string_equal(ms_trace_info(trace)->frontend, "test");
	for (size_t i = 0; argv[i] != NULL; i++)
		assert_string_equal(ms_trace_info(trace)->argv[i], argv[i]);
	assert_null(ms_trace_info(trace)->argv[3]);
	assert_int_equal(ms_trace_info(trace)->chunk_bytes, CHUNK_BYTES);
	assert_int_equal(ms_trace_state(trace), MS_TRACE_WHOLE);
	assert_true(ms_trace_ended(trace, &end));
	assert_int_equal(end.end, 1);
	assert_int_equal(end.exit_status, 11);
	assert_int_equal(ms_trace_chunks(trace), CHUNKS);
	assert_int_equal(ms_trace_words(trace), chunk_words(0) + chunk_words(1) + chunk_words(2));
	assert_int_equal(read_chunks(trace), CHUNKS);
	assert_int_not_equal(ms_trace_read(trace, CHUNKS, NULL, NULL, &err), MS_OK);
	ms_trace_close(trace);
}

/* The trace of a sampled program has the options; impossible ones are refused. */
static void sampled(void **state)
{
	const struct ms_stream_sampling sampling = {
		.ratio = 0.1,
		.window = 5000,
		.seed = 7,
		.sets = { 6, 31, 4 },
		.head = 9,
	};
	const struct ms_trace_info sampled_info = { "test", argv, CHUNK_BYTES, &sampling };
	const struct ms_trace_end end = { .end = 1 };
	struct ms_trace_writer *writer;
	struct ms_trace *trace;
	struct ms_err err;
	uint8_t bytes[MOST_BYTES];

	(void)state;
	assert_int_equal(ms_trace_create(&writer, path, 0, &sampled_info, &err), MS_OK);
	assert_int_equal(ms_trace_finish(writer, &end, &err), MS_OK);
	assert_int_equal(ms_trace_open(&trace, path, &err), MS_OK);
	assert_memory_equal(ms_trace_info(trace)->sampling, &sampling, sizeof(sampling));
	assert_string_equal(ms_trace_info(trace)->argv[0], argv[0]);
	ms_trace_close(trace);

	size_t n = load(bytes);
	bytes[32 + 7] = 0xff; /* the ratio's highest byte */
	save(bytes, n);
	assert_int_equal(ms_trace_open(&trace, path, &err), MS_EFORMAT);
	assert_non_null(strstr(err.text, "its header is damaged: sampled"));
}

static void nothing_kept(void **state)
{
	struct ms_trace *trace;
	struct ms_err err;
	bool limited;

	(void)state;
	write_chunks(0, 0, &limited);
	assert_int_equal(ms_trace_open(&trace, path, &err), MS_OK);
	assert_int_equal(ms_trace_state(trace), MS_TRACE_WHOLE);
	assert_int_equal(ms_trace_follow(trace, &err), MS_OK);
	assert_int_equal(ms_trace_chunks(trace), 0);
	ms_trace_close(trace);
}

/* At any limit: a whole file, chunks from the first on, never larger than limit, index and tail. */
static void limits(void **state)
{
	uint8_t bytes[MOST_BYTES];
	uint64_t before = 0;
	bool limited;

	(void)state;
	write_chunks(0, CHUNKS, &limited);
	size_t full = load(bytes);
	for (uint64_t limit = 1; limit <= full; limit++) {
		struct ms_trace *trace;
		struct ms_err err;

		write_chunks(limit, CHUNKS, &limited);
		assert_int_equal(ms_trace_open(&trace, path, &err), MS_OK);
		assert_int_equal(ms_trace_state(trace), MS_TRACE_WHOLE);
		uint64_t chunks = ms_trace_chunks(trace);
		assert_int_equal(ms_trace_follow(trace, &err), chunks > 0 ? MS_OK : MS_EFORMAT);
		assert_true(chunks >= before && chunks <= CHUNKS);
		assert_int_equal(limited, chunks < CHUNKS);
		assert_int_equal(read_chunks(trace), chunks);
		before = chunks;
		ms_trace_close(trace);
	}
	assert_int_equal(before, CHUNKS);
}

/* Where the index of a trace of CHUNKS chunks begins. */
static size_t index_of(size_t full)
{
	return full - sizeof(struct ms_trace_tail) - CHUNKS * 8 - sizeof(struct ms_trace_index);
}

/* A file of any length below its own holds the chunks that are there whole. */
static void cut_anywhere(void **state)
{
	uint8_t bytes[MOST_BYTES];
	uint64_t before = 0;
	bool limited;

	(void)state;
	write_chunks(0, CHUNKS, &limited);
	size_t full = load(bytes);
	for (size_t n = 0; n < full; n++) {
		bool in_index = n >= index_of(full) + 4; /* its magic is there */
		struct ms_trace_end end;
		struct ms_trace *trace;
		struct ms_err err;

		save(bytes, n);
		if (ms_trace_open(&trace, path, &err) != MS_OK) {
			assert_int_equal(err.code, MS_EFORMAT);
			assert_null(trace);
			assert_int_equal(before, 0);
			continue;
		}
		assert_int_equal(ms_trace_state(trace),
				 in_index ? MS_TRACE_NO_INDEX : MS_TRACE_CUT);
		/* What the index says of the end is whole before its offsets are. */
		assert_int_equal(ms_trace_ended(trace, &end),
				 n >= index_of(full) + sizeof(struct ms_trace_index));
		uint64_t chunks = ms_trace_chunks(trace);
		assert_int_equal(ms_trace_follow(trace, &err), chunks > 0 ? MS_OK : MS_EFORMAT);
		assert_true(chunks >= before);
		assert_int_equal(read_chunks(trace), chunks);
		before = chunks;
		ms_trace_close(trace);
	}
	assert_int_equal(before, CHUNKS);
}

/* Whatever is wrong with the index alone: it is not believed, and the chunks are found without it.
 */
static void damaged_index(void **state)
{
	uint8_t bytes[MOST_BYTES], copy[MOST_BYTES];
	bool limited;

	(void)state;
	write_chunks(0, CHUNKS, &limited);
	size_t full = load(bytes);
	for (size_t i = index_of(full); i < full; i++) {
		size_t in_index = i - index_of(full);
		bool has_end = (in_index >= 8 && in_index < 16) || in_index >= 32;
		struct ms_trace_end end;
		struct ms_trace *trace;
		struct ms_err err;

		if (has_end && in_index < 16)
			continue; /* exit status, limited: any is possible */
		memcpy(copy, bytes, full);
		copy[i] ^= 0x41;
		save(copy, full);
		assert_int_equal(ms_trace_open(&trace, path, &err), MS_OK);
		assert_int_equal(ms_trace_state(trace), MS_TRACE_NO_INDEX);
		assert_int_equal(ms_trace_ended(trace, &end), has_end);
		assert_int_equal(ms_trace_follow(trace, &err), MS_OK);
		assert_int_equal(read_chunks(trace), CHUNKS);
		ms_trace_close(trace);
	}
}

static void bytes_after_the_end(void **state)
{
	uint8_t bytes[MOST_BYTES] = { 0 };
	struct ms_trace_end end;
	struct ms_trace *trace;
	struct ms_err err;
	bool limited;

	(void)state;
	write_chunks(0, CHUNKS, &limited);
	size_t full = load(bytes);
	memset(bytes + full, 0, MOST_BYTES - full);
	save(bytes, full + 5);
	assert_int_equal(ms_trace_open(&trace, path, &err), MS_OK);
	assert_int_equal(ms_trace_state(trace), MS_TRACE_NO_INDEX);
	assert_true(ms_trace_ended(trace, &end));
	assert_int_equal(read_chunks(trace), CHUNKS);
	ms_trace_close(trace);
}

/* A chunk that cannot be found, and no index that leads to the next. */
static void broken_chunk(void **state)
{
	uint8_t bytes[MOST_BYTES];
	struct ms_trace *trace;
	struct ms_err err;
	uint64_t second;
	bool limited;

	(void)state;
	write_chunks(0, CHUNKS, &limited);
	size_t full = load(bytes);
	uint8_t *offsets = bytes + index_of(full) + sizeof(struct ms_trace_index);
	memcpy(&second, offsets + 8, 8);
	bytes[second] ^= 1;
	save(bytes, full);
	assert_int_equal(ms_trace_open(&trace, path, &err), MS_OK);
	assert_int_equal(ms_trace_state(trace), MS_TRACE_WHOLE);
	assert_int_equal(read_chunks(trace), CHUNKS - 1);
	ms_trace_close(trace);
	/* One that names a chunk twice leads nowhere. */
	memcpy(offsets + 8, offsets, 8);
	save(bytes, full);
	assert_int_equal(ms_trace_open(&trace, path, &err), MS_OK);
	assert_int_equal(ms_trace_state(trace), MS_TRACE_BROKEN);
	assert_int_equal(ms_trace_follow(trace, &err), MS_EFORMAT);
	assert_non_null(strstr(err.text, ": chunk 1 (at byte "));
	ms_trace_close(trace);
}

/* Every byte of the file, changed in several ways: refused, or what is read is right. */
static void changed_anywhere(void **state)
{
	static const uint8_t changes[] = { 0x01, 0x80, 0xff };
	uint8_t bytes[MOST_BYTES];
	bool limited;

	(void)state;
	write_chunks(0, CHUNKS, &limited);
	size_t full = load(bytes);
	for (size_t i = 0; i < full * MS_COUNT(changes); i++) {
		struct ms_trace *trace;
		struct ms_err err;

		bytes[i / MS_COUNT(changes)] ^= changes[i % MS_COUNT(changes)];
		save(bytes, full);
		bytes[i / MS_COUNT(changes)] ^= changes[i % MS_COUNT(changes)];
		if (ms_trace_open(&trace, path, &err) == MS_OK) {
			assert_true(read_chunks(trace) <= CHUNKS);
			ms_trace_close(trace);
		} else {
			assert_int_equal(err.code, MS_EFORMAT);
			assert_non_null(strstr(err.text, path));
		}
	}
}

#define HEAD(field) offsetof(struct ms_trace_head, field)

static const struct {
	size_t offset;
	uint32_t value;
	const char *error;
} heads[] = {
	{ 0, 0x464c457f, "not a memspy trace (other formats: memspy replay --format NAME)" },
	{ HEAD(head_bytes), 8, "its header is damaged" },
	{ HEAD(head_bytes), UINT32_MAX, "its header is damaged" },
	{ HEAD(chunk_bytes), 8, "its header is damaged" },
	{ HEAD(chunk_bytes), UINT32_MAX, "its header is damaged" },
	{ HEAD(chunk_bytes), (16 << 20) + 8, "its header is damaged" },
	{ HEAD(text_bytes), UINT32_MAX, "its header is damaged" },
	{ HEAD(texts), 0, "its header is damaged" },
	{ HEAD(texts), UINT32_MAX, "its header is damaged" },
	{ HEAD(texts), 9, "the program's arguments are cut short" },
};

static void wrong_heads(void **state)
{
	uint8_t bytes[MOST_BYTES];
	bool limited;

	(void)state;
	write_chunks(0, CHUNKS, &limited);
	size_t full = load(bytes);
	for (size_t i = 0; i < MS_COUNT(heads); i++) {
		uint8_t copy[MOST_BYTES];
		struct ms_trace *trace;
		struct ms_err err;
		char expected[256];

		memcpy(copy, bytes, full);
		memcpy(copy + heads[i].offset, &heads[i].value, 4);
		save(copy, full);
		snprintf(expected, sizeof(expected), "%s: %s", path, heads[i].error);
		assert_int_equal(ms_trace_open(&trace, path, &err), MS_EFORMAT);
		assert_string_equal(err.text, expected);
	}
}

static void other_versions(void **state)
{
	static const struct {
		uint32_t trace, wire;
	} versions[] = { { MS_TRACE_OLDEST - 1, MS_WIRE_NEWEST },
			 { MS_TRACE_NEWEST + 1, MS_WIRE_NEWEST },
			 { MS_TRACE_NEWEST, MS_WIRE_OLDEST - 1 },
			 { MS_TRACE_NEWEST, MS_WIRE_NEWEST + 1 } };
	uint8_t bytes[MOST_BYTES];
	bool limited;

	(void)state;
	write_chunks(0, CHUNKS, &limited);
	size_t full = load(bytes);
	for (size_t i = 0; i < MS_COUNT(versions); i++) {
		struct ms_trace *trace;
		struct ms_err err;
		char expected[256];

		memcpy(bytes + HEAD(version), &versions[i].trace, 4);
		memcpy(bytes + HEAD(wire_version), &versions[i].wire, 4);
		save(bytes, full);
		snprintf(expected, sizeof(expected),
			 "%s: version %u.%u, this memspy reads %d.%d to %d.%d", path,
			 versions[i].trace, versions[i].wire, MS_TRACE_OLDEST, MS_WIRE_OLDEST,
			 MS_TRACE_NEWEST, MS_WIRE_NEWEST);
		assert_int_equal(ms_trace_open(&trace, path, &err), MS_EFORMAT);
		assert_string_equal(err.text, expected);
	}
}

static void no_files(void **state)
{
	struct ms_trace_writer *writer;
	struct ms_trace *trace;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_trace_open(&trace, "/nowhere/a.trace", &err), MS_ENOENT);
	assert_string_equal(err.text,
			    "/nowhere/a.trace: cannot be opened: No such file or directory");
	assert_int_equal(ms_trace_open(&trace, "/tmp", &err), MS_EFORMAT);
	assert_string_equal(err.text, "/tmp: not a regular file");
	save((const uint8_t *)"", 0);
	assert_int_equal(ms_trace_open(&trace, path, &err), MS_EFORMAT);
	assert_non_null(strstr(err.text, ": 0 bytes, too short for a memspy trace"));
	assert_int_equal(ms_trace_create(&writer, "/nowhere/a.trace", 0, &info, &err), MS_EIO);
	assert_null(writer);
}

/* The disk is full: said at the latest when the trace is finished. */
static void full_disk(void **state)
{
	const struct ms_trace_end end = { .end = 0, .exit_status = 0 };
	struct ms_trace_writer *writer;
	uint64_t words[64] = { 0 };
	struct ms_err err = { MS_OK, "" };

	(void)state;
	if (access("/dev/full", W_OK) != 0)
		skip();
	assert_int_equal(ms_trace_create(&writer, "/dev/full", 0, &info, &err), MS_OK);
	ms_trace_add(writer, words, 64, &err);
	assert_int_equal(ms_trace_finish(writer, &end, &err), MS_EIO);
	assert_string_equal(err.text, "/dev/full: cannot write the trace: No space left on device");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_and_read),       cmocka_unit_test(sampled),
		cmocka_unit_test(nothing_kept),        cmocka_unit_test(limits),
		cmocka_unit_test(cut_anywhere),        cmocka_unit_test(changed_anywhere),
		cmocka_unit_test(bytes_after_the_end), cmocka_unit_test(damaged_index),
		cmocka_unit_test(broken_chunk),        cmocka_unit_test(wrong_heads),
		cmocka_unit_test(other_versions),      cmocka_unit_test(no_files),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests(tests, make_path, remove_path);
}
