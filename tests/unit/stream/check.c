/* The checker: a case for each rule, what it says and where; whole files; and it survives rubbish.
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
#include "stream/check/check.h"
#include "stream/trace/trace.h"
#include "stream/trace/trace_priv.h"

#define AT                     .line = __LINE__
#define HEAD(kind, words, arg) ((uint64_t)(uint32_t)(arg) << 32 | (uint64_t)(words) << 16 | (kind))
#define PACK(a, b, c)          ((uint64_t)(a) | (uint64_t)(b) << 16 | (uint64_t)(c) << 32)

#define PACKED(path, size, place)                                            \
	(MS_WIRE_PACKED_ALLOC | (uint64_t)(path) << MS_WIRE_PACKED_PATH_AT | \
	 (uint64_t)(size) << MS_WIRE_PACKED_SIZE_AT | (place))

/* A block of two instructions, two references and two exits; a module, a path, a thread: all well.
 */
/* clang-format off */
static const uint64_t good[] = {
	HEAD(MS_WIRE_BLOCK, 8, 0), PACK(2, 2, 2), 0x5000, 0x5004, PACK(0, 8, MS_WIRE_READ),
		PACK(1, 4, MS_WIRE_MODIFY), PACK(1, 1, 0), PACK(2, 2, 0),
	HEAD(MS_WIRE_MODULE, 6, 0), 0, 0x5000, 0x1000, 4, 0x6f732e61, /* "a.so" */
	HEAD(MS_WIRE_PATH, 3, 0), 0x5001, 0x5005,
	HEAD(MS_WIRE_THREAD, 3, 1), 0x7000, 0x8000,
	HEAD(MS_WIRE_SWITCH, 1, 1),
	HEAD(MS_WIRE_TLS, 2, 1), 0x9000,
	HEAD(MS_WIRE_HEAP_CALL, 1, 1),
	HEAD(MS_WIRE_ALLOC, 3, 0), 0x100000, 64,
	HEAD(MS_WIRE_HEAP_CALL, 1, 0),
	HEAD(MS_WIRE_MAP, 4, MS_WIRE_NO_PATH), 0x200000, 0x1000, MS_WIRE_MAP_HEAP,
	HEAD(MS_WIRE_EXEC, 2, 0), 0x100000,
	HEAD(MS_WIRE_EXEC, 3, 1), 0x100000, 0, /* the second did not happen */
};
/* clang-format on */

struct check_case {
	int line;
	uint64_t words[24]; /* after the valid ones, in a separate chunk */
	size_t n;
	const char *problem; /* how it begins; NULL: none */
	uint64_t at;         /* its word */
	uint64_t count;      /* of problems, where it is not 1 */
};

#define WORDS(...) .words = { __VA_ARGS__ }, .n = sizeof((uint64_t[]){ __VA_ARGS__ }) / 8

#define SAMPLE(regs, before, after) \
	((uint64_t)(regs) | (uint64_t)(before) << 16 | (uint64_t)(after) << 32)

/* A block of instructions only: its first word. */
#define OPERANDS(instructions, operands) ((uint64_t)(operands) << 48 | (instructions))
#define WELL_FORMED                      "expected a known operation and marks of registers that it has"

static const struct check_case cases[] = {
	{ AT, WORDS(HEAD(MS_WIRE_EXEC, 2, 0), 1), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_FREE, 2, 0), 0x100000), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_FREE, 2, 0), 0x123456), NULL, 0, 0 }, /* counted, no problem */
	{ AT, WORDS(HEAD(999, 1, 0)), "a record of kind 999, expected 0 to ", 0, 0 },
	{ AT, WORDS(UINT64_MAX), "a record of kind 65535, expected 0 to ", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_FREE, 0, 0)),
	  "frees: a record of 0 words, expected 1 to the 1 left in the chunk", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_EXEC, 2, 0), 1, HEAD(MS_WIRE_EXEC, 3, 1), 1),
	  "executions: a record of 3 words, expected 1 to the 2 left in the chunk", 2, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_FREE, 1, 0)), "frees: a record of 1 words, expected 2", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_FREE, 3, 0), 1, 2), "frees: a record of 3 words, expected 2", 0,
	  0 },
	{ AT, WORDS(HEAD(MS_WIRE_PACKED, 4, 0), 0xf0000, 0x1000, PACKED(0, 48, 0x1000)), NULL, 0,
	  0 },
	{ AT, WORDS(HEAD(MS_WIRE_PACKED, 1, 0)),
	  "packed blocks: a record of 1 words, expected at least 2", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_PACKED, 4, 0), 0, 0x10000, PACKED(7, 8, 1)),
	  "an allocation from path 7, expected one of the 1 described", 3, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_MODULE, 2, 1), 1),
	  "modules: a record of 2 words, expected at least 5", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_EXEC, 1, 2)),
	  "an execution left by exit 2, expected one of the 2 described", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_EXEC, 3, 0), 1, 2),
	  "an execution left by exit 0 with 2 references, expected 1", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 2, 2), 0), "block 2 is described, expected number 1", 0,
	  0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 2, 0), 0), "block 0 is described, expected number 1", 0,
	  0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), PACK(1, 1, 1), 1, 2),
	  "block 1: 3 words, expected 4 for 1 instructions, 1 references, 1 exits", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), PACK(1, 1, 0), 0x5000, PACK(1, 8, 0)),
	  "block 1: reference 0 is of instruction 1, expected one of 1", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), PACK(1, 1, 0), 0x5000, PACK(0, 8, 3)),
	  "block 1: reference 0 has kind 3 and 8 bytes, expected a kind of 0 to 2 and at least 1 "
	  "byte",
	  0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), PACK(1, 1, 0), 0x5000, PACK(0, 0, 0)),
	  "block 1: reference 0 has kind 0 and 0 bytes, expected a kind of 0 to 2 and at least 1 "
	  "byte",
	  0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), PACK(1, 0, 1), 0x5000, PACK(1, 1, 0)),
	  "block 1: exit 0 has 1 references and 1 instructions, expected at most 0 and 1", 0, 0 },
	/* Operands: x1 = [x2], an integer operation; see wire/operands.h. */
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), OPERANDS(1, 1), 0x5000, 0x1000000030002), NULL, 0,
	  0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 3, 1), OPERANDS(1, 1), 0x5000),
	  "block 1: 2 words, expected 3 for 1 instructions with operands, 0 references, 0 exits", 0,
	  0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), OPERANDS(1, 0), 0x5000, 0x1000000030002),
	  "block 1: 3 words, expected 2 for 1 instructions, 0 references, 0 exits", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), OPERANDS(1, 2), 0x5000, 0x1000000030002),
	  "block 1: operands of kind 2, expected 0 or 1", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 2, 1), OPERANDS(0, 1)), NULL, 0, 0 },
	/* An unknown operation, an unknown bit, an address and a base that are in no register. */
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), OPERANDS(1, 1), 0x5000, 0xe0000000000000),
	  "block 1: instruction 0 has operands 0xe0000000000000, " WELL_FORMED, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), OPERANDS(1, 1), 0x5000, 0x400000000000000),
	  "block 1: instruction 0 has operands 0x400000000000000, " WELL_FORMED, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), OPERANDS(1, 1), 0x5000, 0x2000000030002),
	  "block 1: instruction 0 has operands 0x2000000030002, " WELL_FORMED, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_BLOCK, 4, 1), OPERANDS(1, 1), 0x5000, 0x101000000030002),
	  "block 1: instruction 0 has operands 0x101000000030002, " WELL_FORMED, 0, 0 },
	{ AT,
	  WORDS(HEAD(MS_WIRE_BLOCK, 6, 1), OPERANDS(2, 1), 0x5000, 0x5004, 0x1000000030002,
		0x201000000030000),
	  "block 1: instruction 1 has operands 0x201000000030000, " WELL_FORMED, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_MODULE, 6, 3), 0, 0x9000, 16, 4, 0x6f732e61),
	  "module 3 is described, expected number 1", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_MODULE, 6, 1), 0, 0x9000, 16, 9, 0x6f732e61),
	  "module 1: 5 words for a path of 9 bytes, expected 6", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_MODULE, 6, 1), 0, 0x9000, UINT64_MAX, 4, 0x6f732e61),
	  "module 1: code from 0x9000, 18446744073709551615 bytes: beyond the last address", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_MODULE_GONE, 1, 0)), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_MODULE_GONE, 1, 0), HEAD(MS_WIRE_MODULE_GONE, 1, 0)),
	  "module 0 goes, expected one that is loaded", 1, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_PATH, 2, 5), 1), "path 5 is described, expected number 1", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_ALLOC, 3, 1), 0x1000, 8),
	  "an allocation from path 1, expected one of the 1 described", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_ALLOC, 3, 0), 0x1000, UINT64_MAX),
	  "an allocation at 0x1000 of 18446744073709551615 bytes: beyond the last address", 0, 0 },
	/* Inner blocks may lie anywhere, and be freed or not. */
	{ AT,
	  WORDS(HEAD(MS_WIRE_INNER_ALLOC, 3, 0), 0x100000, 8, HEAD(MS_WIRE_INNER_FREE, 2, 0), 1),
	  NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_INNER_ALLOC, 3, 1), 0x1000, 8),
	  "an allocation from path 1, expected one of the 1 described", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_NAME, 5, 0), 0x1000, 8, 1, 'a'), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_NAME, 5, 0), 0x1000, 8, 9, 'a'),
	  "a name of 4 words with 9 bytes, expected 5, and 1 to 255 bytes", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_NAME, 4, 0), 0x1000, 8, 0),
	  "a name of 3 words with 0 bytes, expected 3, and 1 to 255 bytes", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_NAME, 5, 0), 0x1000, UINT64_MAX, 1, 'a'),
	  "a name at 0x1000 of 18446744073709551615 bytes: beyond the last address", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_PHASE, 2, 1), 'a', HEAD(MS_WIRE_UNNAME, 2, 0), 7), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_PHASE, 2, 256), 'a'),
	  "a phase of 1 words with 256 bytes, expected 32, and 1 to 255 bytes", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_COUNTING, 1, 0), HEAD(MS_WIRE_COUNTING, 1, 1)), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_COUNTING, 1, 1)), "counting is set to 1, expected 0", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_COUNTING, 1, 0), HEAD(MS_WIRE_EXEC, 2, 0), 1),
	  "an execution while counting is off", 1, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_HEAP_CALL, 1, 2)),
	  "a call of the allocator, 2, expected 1 (enters) or 0 (leaves)", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_MAP, 4, 0), 0x1000, 0x1000, MS_WIRE_MAP_ANON), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_MAP, 4, 7), 0x1000, 0x1000, MS_WIRE_MAP_ANON),
	  "a mapping from path 7, expected one of the 1 described", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_MAP, 4, 0), 0x1000, 0x1000, 4),
	  "a mapping of kind 4, expected 0 to 3", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_MAP, 4, 0), 0x1000, 0x1000, (uint64_t)9 << 32 | MS_WIRE_MAP_FILE),
	  "a mapping of 3 words with a path of 9 bytes, expected 5", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_UNMAP, 3, 0), UINT64_MAX, 2),
	  "an unmapping at 0xffffffffffffffff of 2 bytes: beyond the last address", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_THREAD, 3, 1), 1, 2), "thread 1 starts, which runs already", 0,
	  0 },
	{ AT, WORDS(HEAD(MS_WIRE_THREAD, 3, 2), 0x9000, 0x1000),
	  "thread 2: its stack from 0x9000 to 0x1000 is upside down", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_THREAD, 3, 5000000), 1, 2),
	  "thread 5000000, expected at most 4194304", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_SWITCH, 1, 2)),
	  "thread 2, expected one that was started and has not ended", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_THREAD_END, 1, 1), HEAD(MS_WIRE_SWITCH, 1, 1)),
	  "thread 1, expected one that was started and has not ended", 1, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_THREAD_END, 2, 1), MS_WIRE_END_TAKEN), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_THREAD_END, 2, 1), 2),
	  "the end of thread 1 in 1 words, of kind 2, expected at most one, and 0 or 1", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_TLS, 2, 3), 1),
	  "thread 3, expected one that was started and has not ended", 0, 0 },
	/* Threads that wait. */
	{ AT,
	  WORDS(HEAD(MS_WIRE_WAIT, 3, 1), 0, 0, HEAD(MS_WIRE_WAKE, 2, 1), MS_WIRE_NO_THREAD,
		HEAD(MS_WIRE_SPIN, 3, 1), 7, 0, HEAD(MS_WIRE_SWITCH, 1, 1)),
	  NULL, 0, 0 },
	{ AT,
	  WORDS(HEAD(MS_WIRE_WAIT, 3, 1), 0, 0, HEAD(MS_WIRE_THREAD_END, 1, 1),
		HEAD(MS_WIRE_THREAD, 3, 1), 1, 2, HEAD(MS_WIRE_SWITCH, 1, 1)),
	  NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_WAIT, 3, 1), 4, 0), "thread 1 waits for reason 4, expected 0 to 3",
	  0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_WAIT, 3, 2), 0, 0),
	  "thread 2, expected one that was started and has not ended", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_WAIT, 3, 1), 0, 0, HEAD(MS_WIRE_WAIT, 3, 1), 0, 0),
	  "thread 1 waits, which it did already", 3, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_WAIT, 3, 1), 0, 0, HEAD(MS_WIRE_SWITCH, 1, 1)),
	  "thread 1 runs, which waits", 3, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_WAKE, 2, 1), 1), "thread 1 wakes, which did not wait", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_WAIT, 3, 1), 0, 0, HEAD(MS_WIRE_WAKE, 2, 1), 9),
	  "thread 1 is woken by thread 9, which never started", 3, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_SPIN, 3, 3), 1, 0),
	  "thread 3, expected one that was started and has not ended", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_WAIT, 3, 1), 0, 5),
	  "thread 1 is at path 5, expected one of the 1 described", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_CLOCK, 2, 1), 9, HEAD(MS_WIRE_CLOCK, 2, 1), 9), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_CLOCK, 2, 1), 9, HEAD(MS_WIRE_CLOCK, 2, 1), 8),
	  "thread 1: its clock goes back from 9 to 8", 2, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_AFFINITY, 3, 1), 0, 1), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_AFFINITY, 1, 1)),
	  "affinities: a record of 1 words, expected at least 2", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_AFFINITY, 2, 1), 0),
	  "thread 1: affinity of 1 words to no processor, expected at most 16 words and at least "
	  "one processor",
	  0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_POLICY, 5, 1), 0x1000, 0x1000, MS_WIRE_POLICY_NODES, 2), NULL, 0,
	  0 },
	{ AT, WORDS(HEAD(MS_WIRE_POLICY, 5, 1), 0x1000, 0x1000, 3, 2),
	  "a memory policy of kind 3, expected 0 to 2", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_POLICY, 5, 1), 0x1000, 0, 0, 0),
	  "a memory policy for no bytes at 0x1000, expected 0 where it is for all", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_POLICY, 5, 1), 0x1000, UINT64_MAX, 0, 0),
	  "a memory policy at 0x1000 of 18446744073709551615 bytes: beyond the last address", 0,
	  0 },
	{ AT, WORDS(HEAD(MS_WIRE_WINDOW_OPEN, 4, 0), 1, 1, 1),
	  "window 0 opens after executions that are in none", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_WINDOW_OPEN, 3, 0), 1, 1),
	  "windows: a record of 3 words, expected at least 4", 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_WINDOW_CLOSE, 4, 0), 1, 1, 1),
	  "window 0 closes, expected the one that is open", 0, 0 },
	/* One register, and nine bytes of code: sample's last word holds how many of each. */
	{ AT, WORDS(HEAD(MS_WIRE_SAMPLE, 9, 1), 0x1000, 1000000, 0, 0, SAMPLE(1, 8, 1), 5, 0, 0),
	  NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_SAMPLE, 8, 1), 0x1000, 1000000, 0, 0, SAMPLE(1, 8, 1), 5, 0),
	  "a sample in 7 words, with 1 registers and 9 bytes of code, expected at most 32 and 512",
	  0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_SAMPLE, 6, 1), 0x1000, 1000000, 0, 0, SAMPLE(0, 300, 0)),
	  "a sample in 5 words, with 0 registers and 300 bytes of code, expected at most 32 and "
	  "512",
	  0, 0 },
	/* One problem does not hide the next. */
	{ AT, WORDS(HEAD(MS_WIRE_EXEC, 1, 9), HEAD(MS_WIRE_SWITCH, 1, 2), HEAD(MS_WIRE_FREE, 1, 0)),
	  "an execution left by exit 9, expected one of the 2 described", 0, 3 },
	/* Unknown records are skipped, and numbers after one are not checked. */
	{ AT, WORDS(HEAD(999, 2, 0), 0, HEAD(MS_WIRE_EXEC, 1, 9)),
	  "a record of kind 999, expected 0 to ", 0, 1 },
};

static void check_case(const struct check_case *t)
{
	struct ms_check *check = ms_check_open(3);
	const struct ms_check_result *r = ms_check_result(check);
	uint64_t expected = t->problem == NULL ? 0 : t->count != 0 ? t->count : 1;

	ms_check_chunk(check, good, MS_COUNT(good));
	if (r->problems != 0)
		fail_msg("line %d: the good chunk: %s", t->line, r->first.at[0].text);
	ms_check_chunk(check, t->words, t->n);
	if (r->problems != expected)
		fail_msg("line %d: %" PRIu64 " problems, expected %" PRIu64 ": %s", t->line,
			 r->problems, expected, r->first.n > 0 ? r->first.at[0].text : "");
	if (t->problem != NULL) {
		const struct ms_check_problem *p = &r->first.at[0];

		if (strncmp(p->text, t->problem, strlen(t->problem)) != 0 || p->chunk != 1 ||
		    p->word != t->at)
			fail_msg("line %d: chunk %" PRIu64 ", word %" PRIu64
				 ": \"%s\", expected word %" PRIu64 ": \"%s\"",
				 t->line, p->chunk, p->word, p->text, t->at, t->problem);
	}
	ms_check_close(check);
}

static void rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		check_case(&cases[i]);
}

/* Block 0 has one instruction, no references and one exit. */
#define ONE_BLOCK HEAD(MS_WIRE_BLOCK, 4, 0), 1 | UINT64_C(1) << 32, 0x1000, UINT64_C(1) << 16
#define OPEN(n)   HEAD(MS_WIRE_WINDOW_OPEN, 4, n), 100, MS_WIRE_NOT_KNOWN, MS_WIRE_NOT_KNOWN
#define CLOSE(n)  HEAD(MS_WIRE_WINDOW_CLOSE, 4, n), 0, 1, MS_WIRE_NOT_KNOWN
#define EXEC      HEAD(MS_WIRE_EXEC, 1, 0)

static const struct check_case windows_cases[] = {
	{ AT, WORDS(ONE_BLOCK, HEAD(MS_WIRE_WINDOW_OPEN, 6, 0), 1, 1, 1, 8, 8, EXEC, CLOSE(0)),
	  NULL, 0, 0 },
	{ AT, WORDS(ONE_BLOCK, HEAD(MS_WIRE_WINDOW_OPEN, 6, 0), 1, 1, 1, 8, 9, EXEC, CLOSE(0)),
	  "window 0: of 8 stretches that were timed 9 were not disturbed", 4, 0 },
	{ AT, WORDS(ONE_BLOCK, HEAD(MS_WIRE_WINDOW_OPEN, 5, 0), 1, 1, 1, 8, EXEC, CLOSE(0)),
	  "windows: a record of 5 words, expected 4 or 6", 4, 0 },
	{ AT, WORDS(ONE_BLOCK, OPEN(0), EXEC, CLOSE(0), OPEN(1), EXEC, EXEC, CLOSE(1)), NULL, 0,
	  0 },
	{ AT, WORDS(ONE_BLOCK, OPEN(0), EXEC, CLOSE(0), HEAD(MS_WIRE_LEFT_OUT, 2, 0), 7), NULL, 0,
	  0 },
	{ AT, WORDS(ONE_BLOCK, OPEN(0), EXEC, HEAD(MS_WIRE_LEFT_OUT, 2, 0), 7, CLOSE(0)),
	  "executions counted between windows inside one, expected them after the last", 9, 0 },
	{ AT, WORDS(ONE_BLOCK, HEAD(MS_WIRE_LEFT_OUT, 2, 0), 7),
	  "executions counted between windows where there are none, expected them after the last",
	  4, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_UNTRACED, 4, MS_WIRE_UNTRACED_CODE), 1, 0, 0), NULL, 0, 0 },
	{ AT, WORDS(HEAD(MS_WIRE_UNTRACED, 4, MS_WIRE_UNTRACED_REASONS), 1, 0, 0),
	  "untraced for reason 8, expected 0 to 7", 0, 0 },
	{ AT, WORDS(ONE_BLOCK, OPEN(0), EXEC, CLOSE(0), HEAD(MS_WIRE_LEFT_OUT, 2, 1), 7),
	  "executions left by exit 1, expected one of the 1 described", 13, 0 },
	{ AT, WORDS(ONE_BLOCK, OPEN(0), EXEC, CLOSE(0), EXEC),
	  "an execution after window 0, expected one inside a window", 13, 0 },
	{ AT, WORDS(ONE_BLOCK, OPEN(0), EXEC, OPEN(1)), "window 1 opens, and window 0 is open", 9,
	  0 },
	{ AT, WORDS(ONE_BLOCK, OPEN(0), CLOSE(0), OPEN(2)),
	  "window 2 is described, expected number 1", 12, 0 },
	{ AT, WORDS(ONE_BLOCK, OPEN(0), CLOSE(1)), "window 1 closes, expected the one that is open",
	  8, 0 },
};

static void windows(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(windows_cases); i++) {
		const struct check_case *t = &windows_cases[i];
		struct ms_check *check = ms_check_open(3);
		const struct ms_check_result *r = ms_check_result(check);

		ms_check_chunk(check, t->words, t->n);
		if (r->problems != (t->problem != NULL))
			fail_msg("line %d: %" PRIu64 " problems: %s", t->line, r->problems,
				 r->first.n > 0 ? r->first.at[0].text : "");
		if (t->problem != NULL) {
			assert_string_equal(r->first.at[0].text, t->problem);
			assert_int_equal(r->first.at[0].word, t->at);
		}
		ms_check_close(check);
	}
}

/* Blocks in a word each count like those of records of their own. */
static void counts_packed(void **state)
{
	static const uint64_t more[] = {
		HEAD(MS_WIRE_PACKED, 6, 0), 0xf0000, PACKED(0, 8, 0x1000), 0x1000, 0x1000,
		PACKED(0, 8191, UINT32_MAX)
	};
	struct ms_check *check = ms_check_open(3);
	const struct ms_check_result *r = ms_check_result(check);

	(void)state;
	ms_check_chunk(check, good, MS_COUNT(good));
	ms_check_chunk(check, more, MS_COUNT(more));
	assert_int_equal(r->problems, 0);
	assert_int_equal(r->records[MS_WIRE_PACKED], 1);
	assert_int_equal(r->records[MS_WIRE_ALLOC], 3);
	assert_int_equal(r->records[MS_WIRE_FREE], 2);
	assert_int_equal(r->over_live, 1);
	assert_int_equal(r->unknown_frees, 1);
	ms_check_close(check);
}

static void unpacks(void **state)
{
	const uint64_t base = 0xaaaae0000000;
	uint64_t r[MS_WIRE_UNPACKED];

	(void)state;
	assert_int_equal(
		ms_wire_unpack(base, PACKED(MS_WIRE_PACKED_PATHS - 1, 8191, UINT32_MAX), r), 3);
	assert_int_equal(r[0], HEAD(MS_WIRE_ALLOC, 3, MS_WIRE_PACKED_PATHS - 1));
	assert_int_equal(r[1], base + 16 * (uint64_t)UINT32_MAX);
	assert_int_equal(r[2], 8191);
	assert_int_equal(ms_wire_unpack(base, 2, r), 2);
	assert_int_equal(r[0], HEAD(MS_WIRE_FREE, 2, 0));
	assert_int_equal(r[1], base + 32);
}

static void counts(void **state)
{
	static const uint64_t more[] = {
		HEAD(MS_WIRE_ALLOC, 3, 0), 0x100000, 8, HEAD(MS_WIRE_FREE, 2, 0), 0x100000,
		HEAD(MS_WIRE_FREE, 2, 0),  0x100000
	};
	struct ms_check *check = ms_check_open(3);
	const struct ms_check_result *r = ms_check_result(check);

	(void)state;
	ms_check_chunk(check, good, MS_COUNT(good));
	ms_check_chunk(check, more, MS_COUNT(more));
	assert_int_equal(r->problems, 0);
	assert_int_equal(r->chunks, 2);
	assert_int_equal(r->words, MS_COUNT(good) + MS_COUNT(more));
	assert_int_equal(r->references, 2);
	assert_int_equal(r->not_made, 1);
	assert_int_equal(r->instructions, 3);
	assert_int_equal(r->exits, 2);
	assert_int_equal(r->over_live, 1);
	assert_int_equal(r->unknown_frees, 1);
	assert_int_equal(r->records[MS_WIRE_EXEC], 2);
	assert_int_equal(r->records[MS_WIRE_BLOCK], 1);
	assert_int_equal(r->records[MS_WIRE_ALLOC], 2);
	assert_int_equal(r->records[MS_WIRE_FREE], 2);
	assert_int_equal(r->records[MS_WIRE_HEAP_CALL], 2);
	for (unsigned kind = 0; kind < MS_WIRE_KINDS; kind++) {
		assert_non_null(ms_check_kind_name(kind));
		assert_non_null(ms_check_kind_key(kind));
	}
	ms_check_close(check);
}

static void rubbish(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct ms_check *check = ms_check_open(5);
		uint64_t words[512];

		for (size_t i = 0; i < MS_COUNT(words); i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			uint64_t w = seed ^ seed >> 29;
			words[i] = w % 2 == 0 ? HEAD(w >> 8 & 15, w >> 12 & 7, w >> 60) : w;
		}
		ms_check_chunk(check, good, MS_COUNT(good));
		for (size_t i = 0; i < MS_COUNT(words); i += 64)
			ms_check_chunk(check, words + i, 64);
		assert_true(ms_check_result(check)->first.n <= 5);
		ms_check_close(check);
	}
}

/* --- files --- */

static char path[64];

static int make_path(void **state)
{
	(void)state;
	strcpy(path, "/tmp/memspy-check-XXXXXX");
	int fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

enum { MOST_BYTES = 4096 };

/* The good chunk, then one of eight executions. */
static size_t make_file(uint8_t bytes[MOST_BYTES])
{
	static const char *const argv[] = { "program", NULL };
	const struct ms_trace_info info = { "test", argv, MS_WIRE_MIN_CHUNK, NULL };
	const struct ms_trace_end end = { .end = 0 };
	struct ms_trace_writer *writer;
	uint64_t words[16];
	struct ms_err err;

	for (size_t i = 0; i < MS_COUNT(words); i += 2) {
		words[i] = HEAD(MS_WIRE_EXEC, 2, 0);
		words[i + 1] = 0x100000 + 8 * i;
	}
	assert_int_equal(ms_trace_create(&writer, path, 0, &info, &err), MS_OK);
	assert_int_equal(ms_trace_add(writer, good, MS_COUNT(good), &err), MS_OK);
	assert_int_equal(ms_trace_add(writer, words, MS_COUNT(words), &err), MS_OK);
	assert_int_equal(ms_trace_finish(writer, &end, &err), MS_OK);
	FILE *in = fopen(path, "rb");
	size_t n = fread(bytes, 1, MOST_BYTES, in);
	fclose(in);
	return n;
}

static void save(const uint8_t *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");

	assert_int_equal(fwrite(bytes, 1, n, out), n);
	fclose(out);
}

/* The first problem's sentence, or "" when there is none, or the error. */
static uint64_t check_file(char text[512])
{
	struct ms_check *check = ms_check_open(1);
	const struct ms_check_result *r = ms_check_result(check);
	struct ms_err err = { MS_OK, "" };

	text[0] = '\0';
	if (ms_check_trace(check, path, &err) != MS_OK)
		snprintf(text, 512, "%s", err.text);
	else if (r->problems > 0)
		snprintf(text, 512, "%s", r->first.at[0].text);
	uint64_t problems = r->problems;
	ms_check_close(check);
	return problems;
}

static void whole_file(void **state)
{
	uint8_t bytes[MOST_BYTES];
	char text[512];

	(void)state;
	make_file(bytes);
	assert_int_equal(check_file(text), 0);
	assert_string_equal(text, "");
}

/* No length below the file's own passes, and what is said is right. */
static void cut_files(void **state)
{
	uint8_t bytes[MOST_BYTES];
	char text[512];

	(void)state;
	size_t full = make_file(bytes);
	for (size_t n = 0; n < full; n++) {
		save(bytes, n);
		check_file(text);
		if (strstr(text, "cut short") == NULL && strstr(text, "too short") == NULL &&
		    strstr(text, "are left") == NULL && strstr(text, "damaged") == NULL)
			fail_msg("cut to %zu bytes: \"%s\"", n, text);
	}
	memset(bytes + full, 0, 3);
	save(bytes, full + 3);
	assert_int_equal(check_file(text), 1);
	assert_non_null(strstr(text, "3 bytes after the end, at byte "));
}

/* A compressed byte may be changed and mean the same; the tests of the trace look at those. */
static bool matters(const uint8_t *bytes, size_t i, uint64_t index_at)
{
	size_t at = sizeof(struct ms_trace_head) + sizeof("test") + sizeof("program");
	struct ms_trace_chunk chunk;

	for (; at < index_at; at += sizeof(chunk) + chunk.bytes) {
		memcpy(&chunk, bytes + at, sizeof(chunk));
		if (i >= at && i < at + sizeof(chunk))
			return true;
	}
	if (i == index_at + offsetof(struct ms_trace_index, end)) /* another way to end */
		return false;
	return (i >= index_at && i < index_at + offsetof(struct ms_trace_index, exit_status)) ||
	       i >= index_at + offsetof(struct ms_trace_index, chunks);
}

/* Every change of a chunk's head, of the index and of the tail is found. */
static void changed_files(void **state)
{
	uint8_t bytes[MOST_BYTES];
	uint64_t index_at;
	char text[512];

	(void)state;
	size_t full = make_file(bytes);
	memcpy(&index_at, bytes + full - sizeof(struct ms_trace_tail), 8);
	for (size_t i = 0; i < full; i++) {
		if (!matters(bytes, i, index_at))
			continue;
		bytes[i] ^= 0x01;
		save(bytes, full);
		if (check_file(text) == 0)
			fail_msg("byte %zu of %zu changed: no problem found", i, full);
		bytes[i] ^= 0x01;
	}
}

/* A chunk that cannot be read is one problem; what follows is still looked at. */
static void damaged_chunk(void **state)
{
	uint8_t bytes[MOST_BYTES];
	char text[512];

	(void)state;
	size_t full = make_file(bytes);
	size_t at = sizeof(struct ms_trace_head) + sizeof("test") + sizeof("program");
	bytes[at + offsetof(struct ms_trace_chunk, check)] ^= 1;
	save(bytes, full);
	assert_int_equal(check_file(text), 1);
	assert_string_equal(text,
			    "its words cannot be read: it is damaged, or not where the index says");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules),         cmocka_unit_test(windows),
		cmocka_unit_test(counts),        cmocka_unit_test(counts_packed),
		cmocka_unit_test(unpacks),       cmocka_unit_test(rubbish),
		cmocka_unit_test(whole_file),    cmocka_unit_test(cut_files),
		cmocka_unit_test(changed_files), cmocka_unit_test(damaged_chunk),
	};

	return cmocka_run_group_tests(tests, make_path, remove_path);
}
