#include "fuzz/import.h"

#include "fuzz/fuzz.h"
#include "stream/check/check.h"
#include "stream/import/import.h"
#include "wire/wire.h"

enum { CHUNK_WORDS = MS_WIRE_MIN_CHUNK / 8 };

static void check_stream(struct ms_import *import)
{
	struct ms_check *check = ms_check_open(1);
	uint64_t words[CHUNK_WORDS];
	struct ms_err err = { MS_OK, "" };
	size_t n = 1;

	while (n > 0 && ms_import_read(import, words, CHUNK_WORDS, &n, &err) == MS_OK) {
		if (n > CHUNK_WORDS)
			fuzz_fail("a chunk of %zu words", n);
		ms_check_chunk(check, words, n);
	}
	if (n > 0 && err.text[0] == '\0')
		fuzz_fail("a failure without a sentence");
	if (ms_check_result(check)->problems > 0)
		fuzz_fail("its stream is broken: %s", ms_check_result(check)->first.at[0].text);
	ms_check_close(check);
}

static void import_as(const char *format, const struct fuzz_file *file)
{
	struct ms_import *import = NULL;
	struct ms_err err = { MS_OK, "" };

	if (ms_import_open(&import, file->path, format, &err) != MS_OK) {
		if (err.text[0] == '\0')
			fuzz_fail("a failure without a sentence");
		return;
	}
	if (import != NULL)
		check_stream(import);
	ms_import_close(import);
}

/* Also as whatever it looks like. */
void fuzz_import(const char *format, const uint8_t *data, size_t size)
{
	struct fuzz_file file;

	fuzz_file_make(&file, data, size);
	import_as(format, &file);
	import_as(NULL, &file);
	fuzz_file_close(&file);
}
