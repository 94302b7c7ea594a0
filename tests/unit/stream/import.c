/*
 * Importers: what each format comes to, written out again; everything that is imported is a stream
 * that the checker has nothing to say about; and what is malformed is refused, with its place.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/text.h"
#include "base/vec.h"
#include "stream/check/check.h"
#include "stream/import/import.h"
#include "stream/trace/trace.h"
#include "wire/operands.h"

#define AT .line = __LINE__

enum { ROOM = MS_WIRE_MIN_CHUNK / 8 };

static char path[64];

static int make_path(void **state)
{
	(void)state;
	strcpy(path, "/tmp/memspy-import-XXXXXX");
	int fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

static void save(const void *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");

	assert_int_equal(fwrite(bytes, 1, n, out), n);
	fclose(out);
}

/* --- a stream as text: "400: r8@1000 w4@2000; 404:", instructions by '!' where they only go on ---
 */

struct reader {
	struct ms_text text;
	MS_VEC(uint64_t) words; /* of blocks, as described */
	MS_VEC(size_t) blocks;  /* where each begins there */
	uint64_t maps;
};

static void write_execution(struct reader *r, uint32_t block, const uint64_t *addresses)
{
	const uint64_t *words = r->words.at + r->blocks.at[block];
	struct ms_wire_block head;
	struct ms_wire_exit exit;

	memcpy(&head, words, sizeof(head));
	memcpy(&exit, words + 2 + head.refs, sizeof(exit));
	ms_text_addf(&r->text, "%s%" PRIx64 "%s", r->text.n > 0 ? "; " : "", words[1],
		     exit.instructions == 1 ? ":" : "!");
	for (unsigned i = 0; i < head.refs; i++) {
		struct ms_wire_ref ref;

		memcpy(&ref, words + 2 + i, sizeof(ref));
		ms_text_addf(&r->text, " %c%u@%" PRIx64, "rwm"[ref.kind], ref.size, addresses[i]);
	}
}

static void read_words(struct reader *r, const uint64_t *words, size_t n)
{
	for (size_t at = 0; at < n; at += ms_wire_words_of(words[at])) {
		uint32_t kind = ms_wire_kind_of(words[at]);

		if (kind == MS_WIRE_EXEC) {
			write_execution(r, ms_wire_arg_of(words[at]), words + at + 1);
		} else if (kind == MS_WIRE_BLOCK) {
			*ms_vec_add(&r->blocks) = r->words.n;
			for (size_t i = 1; i < ms_wire_words_of(words[at]); i++)
				*ms_vec_add(&r->words) = words[at + i];
		} else {
			assert_int_equal(kind, MS_WIRE_MAP);
			r->maps++;
		}
	}
}

static void free_reader(struct reader *r)
{
	ms_text_free(&r->text);
	ms_vec_free(&r->words);
	ms_vec_free(&r->blocks);
}

/* Imports the file; a stream that breaks a rule fails the test. r may be NULL. */
static int import(const char *format, struct reader *r, struct ms_check_result *result,
		  struct ms_err *err)
{
	struct ms_check *check = ms_check_open(1);
	struct ms_import *in;
	uint64_t words[ROOM];
	size_t n = 1;
	int code = ms_import_open(&in, path, format, err);

	while (code == MS_OK && n > 0) {
		code = ms_import_read(in, words, ROOM, &n, err);
		if (code != MS_OK)
			break;
		ms_check_chunk(check, words, n);
		if (r != NULL)
			read_words(r, words, n);
	}
	if (ms_check_result(check)->problems > 0)
		fail_msg("%s: %s", format != NULL ? format : "auto",
			 ms_check_result(check)->first.at[0].text);
	if (result != NULL)
		*result = *ms_check_result(check);
	ms_import_close(in);
	ms_check_close(check);
	return code;
}

/* --- lines --- */

static const struct {
	int line;
	const char *format;
	const char *in;
	const char *out;
	size_t blocks;
} line_cases[] = {
	{ AT, "lackey", "I  0401000,3\n", "401000:", 1 },
	{ AT, "lackey",
	  "==12== Lackey\n==12== \nI  04025310,3\n L 1fff000d48,8\n S 1fff000d40,4\n M 10,2\n",
	  "4025310: r8@1fff000d48 w4@1fff000d40 m2@10", 1 },
	/* The same list is the same block, another one is not. */
	{ AT, "lackey", "I  10,3\n L 1000,8\nI  10,3\n L 2000,8\nI  10,3\n L 2000,4\nI  10,3\n",
	  "10: r8@1000; 10: r8@2000; 10: r4@2000; 10:", 3 },
	{ AT, "lackey", "I  10,3\n L 1000,8\n S 2000,8\nI  10,3\n S 1000,8\n L 2000,8\n",
	  "10: r8@1000 w8@2000; 10: w8@1000 r8@2000", 2 },
	/* References without an instruction each stand alone. */
	{ AT, "lackey", " L 1000,8\n S 2000,8\nI  10,3\n L 3000,8",
	  "0! r8@1000; 0! w8@2000; 10: r8@3000", 3 },
	{ AT, "lackey", "I  ffffffffffffffff,1\n L ffffffffffffffff,1\n S 0,8\n",
	  "ffffffffffffffff: r1@ffffffffffffffff w7@1", 1 },
	{ AT, "lackey", "I  10,3\r\n L 1000,65535\r\n\r\nSB 10\n--12-- remark\n**12** remark\n",
	  "10: r65535@1000", 1 },
	{ AT, "din", "2 400\n0 1000\n1 2004 comment\n2 404\n", "400: r4@1000 w4@2004; 404:", 2 },
	{ AT, "din", "0 1001\n1 0x2007\n\n  0\t3000\n", "0! r4@1000; 0! w4@2004; 0! r4@3000", 2 },
	{ AT, "din", "2 0\n0 0\n", "0:; 0! r3@1", 2 },
	{ AT, "din", "2 400\n3 1003\n1 2004\n", "400: r4@1000 w4@2004", 1 },
	{ AT, "din", "2 FFFF0000\n0 AbCdEf00", "ffff0000: r4@abcdef00", 1 },
};

static void lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(line_cases); i++) {
		/* Said, and found out. */
		for (int named = 0; named < 2; named++) {
			struct reader r = { 0 };
			struct ms_err err;

			save(line_cases[i].in, strlen(line_cases[i].in));
			if (import(named ? line_cases[i].format : NULL, &r, NULL, &err) != MS_OK)
				fail_msg("line %d: %s", line_cases[i].line, err.text);
			if (strcmp(ms_text_get(&r.text), line_cases[i].out) != 0 ||
			    r.blocks.n != line_cases[i].blocks)
				fail_msg("line %d: \"%s\" in %zu blocks, expected \"%s\" in %zu",
					 line_cases[i].line, ms_text_get(&r.text), r.blocks.n,
					 line_cases[i].out, line_cases[i].blocks);
			free_reader(&r);
		}
	}
}

#define LACKEY ", expected 'I  ADDRESS,SIZE', ' L ', ' S ' or ' M ADDRESS,SIZE', or '==PID== ...'"
#define DIN                                                                                    \
	", expected 'LABEL ADDRESS' with label 0 (read), 1 (write), 2 (instruction fetch) or " \
	"3 (unknown kind, taken as a read) and a hexadecimal address"
#define NO_FLUSH                                                                               \
	", expected no cache flush, which memspy does not simulate (take these lines out, or " \
	"replay what is before and after them separately: each run begins with empty caches)"
#define UNKNOWN                                                                              \
	": is not a trace that memspy can read: found neither a trace of memspy nor one of " \
	"lackey, din "                                                                       \
	"or "                                                                                \
	"champsim at its start (--format NAME says which it is)"

static const struct {
	int line;
	const char *format;
	const char *in;
	const char *error; /* after the path */
} bad_lines[] = {
	{ AT, "lackey", "I  10,3\nhello\n", ":2: found 'hello'" LACKEY },
	{ AT, "lackey", "I  10,3\n\n L 1000\n", ":3: found ' L 1000'" LACKEY },
	{ AT, "lackey", " L 1000,0\n", ":1: found ' L 1000,0'" LACKEY },
	{ AT, "lackey", " L 1000,65536\n", ":1: found ' L 1000,65536'" LACKEY },
	{ AT, "lackey", " L 1000,\n", ":1: found ' L 1000,'" LACKEY },
	{ AT, "lackey", " L ,8\n", ":1: found ' L ,8'" LACKEY },
	{ AT, "lackey", " L 1000,8x\n", ":1: found ' L 1000,8x'" LACKEY },
	{ AT, "lackey", " L 11112222333344445,8\n", ":1: found ' L 11112222333344445,8'" LACKEY },
	{ AT, "lackey", "\x01\xff\n", ":1: found '\\x01\xef\xbf\xbd'" LACKEY },
	{ AT, "din", "5 1000\n", ":1: found '5 1000'" DIN },
	{ AT, "din", "0 1000\n4 1000\n", ":2: found '4 1000'" NO_FLUSH },
	{ AT, NULL, "4 0 all of them\n0 1000\n", ":1: found '4 0 all of them'" NO_FLUSH },
	{ AT, "din", "3\n", ":1: found '3'" DIN },
	{ AT, "din", "4\n", ":1: found '4'" DIN },
	{ AT, "din", "0\n", ":1: found '0'" DIN },
	{ AT, "din", "0 \n", ":1: found '0 '" DIN },
	{ AT, "din", "0 xyz\n", ":1: found '0 xyz'" DIN },
	{ AT, "din", "0 1000,4\n", ":1: found '0 1000,4'" DIN },
	{ AT, "din", "01000\n", ":1: found '01000'" DIN },
	{ AT, "din", "r 1000\n", ":1: found 'r 1000'" DIN },
	{ AT, "din",
	  "a line that goes on and on and on, much longer than anybody would want to see it "
	  "again\n",
	  ":1: found 'a line that goes on and on and on, much longer than anybody…'" DIN },
	{ AT, "champsim", "too short", ": record 1: found 9 bytes, expected 64" },
	{ AT, NULL, "", ": is empty, expected a trace" },
	{ AT, "din", "", ": is empty, expected a trace" },
	{ AT, NULL, "hello\n", UNKNOWN },
	{ AT, NULL, "==1== only what Valgrind says\n", UNKNOWN },
	{ AT, NULL, "\177ELF and so on", UNKNOWN },
	{ AT, "dinero", "0 0\n", NULL },
};

static void malformed(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(bad_lines); i++) {
		char expected[512];
		struct ms_err err = { MS_OK, "" };

		save(bad_lines[i].in, strlen(bad_lines[i].in));
		snprintf(expected, sizeof(expected), "%s%s", path, bad_lines[i].error);
		if (bad_lines[i].error == NULL)
			strcpy(expected,
			       "unknown format 'dinero', expected lackey, din or champsim");
		if (import(bad_lines[i].format, NULL, NULL, &err) == MS_OK ||
		    strcmp(err.text, expected) != 0)
			fail_msg("line %d: \"%s\", expected \"%s\"", bad_lines[i].line, err.text,
				 expected);
	}
}

static void too_long(void **state)
{
	static char line[70000];
	struct ms_err err;
	char expected[256];

	(void)state;
	memset(line, '0', sizeof(line));
	save(line, sizeof(line));
	snprintf(expected, sizeof(expected), "%s:1: found a line of more than 65536 bytes", path);
	assert_int_equal(import("din", NULL, NULL, &err), MS_EFORMAT);
	assert_string_equal(err.text, expected);
}

/* More references than a block may have go on in another, of no further instruction. */
static void many_references(void **state)
{
	struct ms_text in = MS_TEXT_INIT;
	struct ms_check_result result;
	struct reader r = { 0 };
	struct ms_err err;

	(void)state;
	ms_text_add(&in, "2 400\n");
	for (int i = 0; i < 1000; i++)
		ms_text_addf(&in, "0 %x\n", 0x100000 * i + 0x100);
	save(in.at, in.n);
	assert_int_equal(import("din", &r, &result, &err), MS_OK);
	assert_int_equal(result.references, 1000);
	assert_int_equal(result.instructions, 1);
	assert_int_equal(result.records[MS_WIRE_EXEC], 16);
	assert_int_equal(r.blocks.n, 3); /* the first, the next ones, the last */
	assert_int_equal(r.maps, 1000);
	ms_text_free(&in);
	free_reader(&r);
}

/* Memory is mapped once a window, and not without bound. */
static void windows(void **state)
{
	struct ms_text in = MS_TEXT_INIT;
	struct reader r = { 0 };
	struct ms_err err;

	(void)state;
	for (int round = 0; round < 2; round++)
		for (uint64_t i = 0; i < 5000; i++)
			ms_text_addf(&in, "0 %" PRIx64 "\n", i << 20 | 0x10);
	save(in.at, in.n);
	assert_int_equal(import("din", &r, NULL, &err), MS_OK);
	assert_int_equal(r.maps, 4096);
	ms_text_free(&in);
	free_reader(&r);
}

/* --- records --- */

struct champsim {
	uint64_t ip;
	uint8_t is_branch, taken;
	uint8_t registers[6];
	uint64_t written[2];
	uint64_t read[4];
};

static const struct champsim program[] = {
	{ .ip = 0x400, .read = { 0x1004 } },
	{ .ip = 0x408, .written = { 0, 0x2000 }, .read = { 0x3000, 0, 0x3008 } },
	{ .ip = 0x410, .written = { 0x4000 }, .read = { 0, 0x4000 } }, /* modifies */
	{ .ip = 0x414, .is_branch = 1, .taken = 1 },
	{ .ip = 0x400, .read = { 0x100c } },
};

static void records(void **state)
{
	struct reader r = { 0 };
	struct ms_err err;

	(void)state;
	assert_int_equal(sizeof(struct champsim), 64);
	save(program, sizeof(program));
	for (int named = 0; named < 2; named++) {
		ms_text_clear(&r.text);
		r.blocks.n = r.words.n = 0;
		assert_int_equal(import(named ? "champsim" : NULL, &r, NULL, &err), MS_OK);
		assert_string_equal(
			ms_text_get(&r.text),
			"400: r8@1000; 408: r8@3000 r8@3008 w8@2000; 410: m8@4000; 414:; "
			"400: r8@1008");
		assert_int_equal(r.blocks.n, 4);
	}
	free_reader(&r);
}

/* By record: the registers of a chain, a sum, a store, a conditional branch, a return. */
static void registers(void **state)
{
	enum { RSP = 6, RBX = 7, RDX = 8, RAX = 10, RFLAGS = 25, RIP = 26 };
	static const struct champsim code[] = {
		{ .ip = 0x400, .registers = { RBX, 0, RBX }, .read = { 0x1000 } },
		{ .ip = 0x404, .registers = { RAX, RFLAGS, RAX, RBX }, .read = { 0x1008 } },
		{ .ip = 0x408, .registers = { 0, 0, RDX, RAX }, .written = { 0x2000 } },
		{ .ip = 0x40c, .is_branch = 1, .registers = { RIP, 0, RIP, RFLAGS } },
		{ .ip = 0x410, .is_branch = 1, .registers = { RIP, RSP, RSP }, .read = { 0x3000 } },
	};
	static const struct {
		uint32_t written, reads, addresses, operation;
	} want[] = {
		{ 1, 1, 1, MS_WIRE_OP_INTEGER }, { 2, 2, 1, MS_WIRE_OP_INTEGER },
		{ 0, 2, 2, MS_WIRE_OP_INTEGER }, { 0, 1, 0, MS_WIRE_OP_INDIRECT_BRANCH },
		{ 0, 0, 0, MS_WIRE_OP_BRANCH },
	};
	struct reader r = { 0 };
	struct ms_err err;

	(void)state;
	save(code, sizeof(code));
	assert_int_equal(import("champsim", &r, NULL, &err), MS_OK);
	assert_int_equal(r.blocks.n, MS_COUNT(code));
	for (size_t i = 0; i < MS_COUNT(code); i++) {
		size_t end = i + 1 < r.blocks.n ? r.blocks.at[i + 1] : r.words.n;
		uint64_t operands = r.words.at[end - 1];
		uint32_t written = 0, reads = 0, addresses = 0;

		for (uint32_t k = 0; k < MS_WIRE_WRITTEN; k++)
			written += ms_wire_written_register(operands, k) != 0;
		for (uint32_t k = 0; k < MS_WIRE_READS; k++) {
			reads += ms_wire_read_register(operands, k) != 0;
			addresses += ms_wire_is_address(operands, k);
		}
		assert_int_equal(written, want[i].written);
		assert_int_equal(reads, want[i].reads);
		assert_int_equal(addresses, want[i].addresses);
		assert_int_equal(ms_wire_operation_of(operands), want[i].operation);
	}
	/* The chain reads what it writes; the sum reads its address there. */
	uint64_t chain = r.words.at[r.blocks.at[1] - 1], sum = r.words.at[r.blocks.at[2] - 1];
	assert_int_equal(ms_wire_read_register(chain, 0), ms_wire_written_register(chain, 0));
	assert_int_equal(ms_wire_read_register(sum, 0), ms_wire_written_register(chain, 0));
	free_reader(&r);
}

static void bad_records(void **state)
{
	struct champsim bad[MS_COUNT(program)];
	struct ms_err err;
	char expected[512];

	(void)state;
	save(program, sizeof(program) - 1);
	snprintf(expected, sizeof(expected), "%s: record 5: found 63 bytes, expected 64", path);
	assert_int_equal(import("champsim", NULL, NULL, &err), MS_EFORMAT);
	assert_string_equal(err.text, expected);

	memcpy(bad, program, sizeof(bad));
	bad[3].taken = 7;
	save(bad, sizeof(bad));
	snprintf(expected, sizeof(expected),
		 "%s: record 4: found the bytes 14 04 00 00 00 00 00 00 01 07 00 00 00 00 00 00 "
		 "..., "
		 "expected an instruction of 64 bytes: its address, two bytes that are 0 or 1 "
		 "(branch, "
		 "taken), registers, addresses",
		 path);
	assert_int_equal(import("champsim", NULL, NULL, &err), MS_EFORMAT);
	assert_string_equal(err.text, expected);
}

/* --- files --- */

static void own_trace(void **state)
{
	static const char *const argv[] = { "program", NULL };
	const struct ms_trace_info info = { "test", argv, MS_WIRE_MIN_CHUNK, NULL };
	const struct ms_trace_end end = { .end = 0 };
	struct ms_trace_writer *writer;
	struct ms_import *in = (void *)&end;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_trace_create(&writer, path, 0, &info, &err), MS_OK);
	assert_int_equal(ms_trace_finish(writer, &end, &err), MS_OK);
	assert_int_equal(ms_import_open(&in, path, NULL, &err), MS_OK);
	assert_null(in);
}

static void no_files(void **state)
{
	struct ms_import *in;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_import_open(&in, "/nowhere/a", "din", &err), MS_ENOENT);
	assert_string_equal(err.text, "/nowhere/a: cannot be opened: No such file or directory");
	assert_int_equal(ms_import_open(&in, "/tmp", NULL, &err), MS_EFORMAT);
	assert_string_equal(err.text, "/tmp: not a regular file");
}

static void compressed(void **state)
{
	struct reader r = { 0 };
	struct ms_err err;
	char command[512];

	(void)state;
	save("2 400\n0 1000\n", 13);
	snprintf(command, sizeof(command), "gzip -nc <%s >%s.gz && mv %s.gz %s", path, path, path,
		 path);
	assert_int_equal(system(command), 0);
	assert_int_equal(import(NULL, &r, NULL, &err), MS_OK);
	assert_string_equal(ms_text_get(&r.text), "400: r4@1000");
	free_reader(&r);

	snprintf(command, sizeof(command), "%s: gzip says that it is damaged or cut short", path);
	assert_int_equal(truncate(path, 20), 0);
	int kept = dup(2);
	assert_non_null(freopen("/dev/null", "w", stderr)); /* gzip has something to say too */
	assert_int_equal(import("din", NULL, NULL, &err), MS_EFORMAT);
	assert_true(dup2(kept, 2) == 2);
	close(kept);
	assert_string_equal(err.text, command);
}

/* Rubbish is refused or imported, whatever it is taken for. */
static void rubbish(void **state)
{
	static const char letters[] = "0123 ILSM,\n=abcdef\0\1\377";
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 200; round++) {
		char bytes[1000];

		for (size_t i = 0; i < sizeof(bytes); i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			bytes[i] = letters[(seed >> 33) % (sizeof(letters) - 1)];
		}
		save(bytes, sizeof(bytes));
		for (size_t f = 0; ms_import_name(f) != NULL; f++) {
			struct ms_err err;

			import(ms_import_name(f), NULL, NULL, &err);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),      cmocka_unit_test(malformed),
		cmocka_unit_test(too_long),   cmocka_unit_test(many_references),
		cmocka_unit_test(windows),    cmocka_unit_test(records),
		cmocka_unit_test(registers),  cmocka_unit_test(bad_records),
		cmocka_unit_test(own_trace),  cmocka_unit_test(no_files),
		cmocka_unit_test(compressed), cmocka_unit_test(rubbish),
	};

	return cmocka_run_group_tests(tests, make_path, remove_path);
}
