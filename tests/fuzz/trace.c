/*
 * A trace file in which anything may be wrong: memspy check and memspy replay come to an end, with
 * a sentence or with a run.
 *
 * Input: a byte. 0: what follows is the file. Else: how many patches (see fuzz.h) are made to a
 * valid trace of the words that follow them, so that the code after checksum tests is reached.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/collect.h"
#include "fuzz/fuzz.h"
#include "stream/check/check.h"
#include "stream/trace/trace.h"
#include "wire/wire.h"

enum { CHUNK_WORDS = 64, LARGEST = 1 << 20 };

static void write_trace(const char *path, struct fuzz_input words)
{
	static const char *const argv[] = { "./program", "two words", NULL };
	static const struct ms_trace_info info = { "fuzz", argv, MS_WIRE_MIN_CHUNK, NULL };
	const struct ms_trace_end end = { .exit_status = 3 };
	struct ms_trace_writer *writer;
	struct ms_err err;

	if (ms_trace_create(&writer, path, 0, &info, &err) != MS_OK)
		fuzz_fail("%s", err.text);
	while (words.n >= 8) {
		uint64_t chunk[CHUNK_WORDS];
		size_t n = words.n / 8 < CHUNK_WORDS ? words.n / 8 : CHUNK_WORDS;

		memcpy(chunk, words.at, n * 8);
		words.at += n * 8;
		words.n -= n * 8;
		if (ms_trace_add(writer, chunk, n, &err) != MS_OK)
			fuzz_fail("%s", err.text);
	}
	if (ms_trace_finish(writer, &end, &err) != MS_OK)
		fuzz_fail("%s", err.text);
}

/* A good trace of the words, with the patches made to it. */
static size_t make_trace(uint8_t *bytes, struct fuzz_input words, struct fuzz_input patches)
{
	struct fuzz_file file;
	ssize_t n;

	fuzz_file_make(&file, "", 0);
	write_trace(file.path, words);
	n = pread(file.fd, bytes, LARGEST, 0);
	fuzz_file_close(&file);
	if (n <= 0)
		fuzz_fail("an empty trace was written");
	fuzz_patch(bytes, (size_t)n, &patches);
	return (size_t)n;
}

static void use(const char *path)
{
	const struct ms_machine *machine = fuzz_machine();
	const struct ms_collect_replay_options options = {
		.trace = path, .machines = &machine, .machine_count = 1, .workers = 1
	};
	struct ms_check *check = ms_check_open(8);
	struct ms_run run;
	struct ms_err err;

	ms_check_trace(check, path, &err);
	ms_check_close(check);
	if (ms_collect_replay(&options, &run, &err) == MS_OK)
		ms_run_free(&run);
	else if (err.text[0] == '\0')
		fuzz_fail("a failure without a sentence");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t made[LARGEST];
	struct fuzz_input in = { data, size };
	size_t patches = 8 * (size_t)fuzz_take(&in, 1);
	struct fuzz_file file;

	if (in.n > LARGEST / 2)
		return 0;
	if (patches == 0) {
		fuzz_file_make(&file, in.at, in.n);
	} else {
		if (patches > in.n)
			patches = in.n;
		struct fuzz_input words = { in.at + patches, in.n - patches };

		size_t n = make_trace(made, words, (struct fuzz_input){ in.at, patches });
		fuzz_file_make(&file, made, n);
	}
	use(file.path);
	fuzz_file_close(&file);
	return 0;
}
