/* Where a thread was stopped, in words: shared by the tests of both architectures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "decode/decode_priv.h"

enum { PC = 0x400000, REGS = 32, STEP = 0x10000000, THREAD = 0x7f0000 };

/* bytes: in hexadecimal; '|' stands where the thread was stopped. */
struct decode_case {
	int line;
	const char *text;
	const char *bytes;
	const char *want;
};

static uint32_t read_bytes(const char *text, uint8_t *bytes, uint32_t *stopped)
{
	uint32_t n = 0;

	for (; *text != '\0'; text++) {
		unsigned byte;

		if (*text == '|') {
			*stopped = n;
		} else if (*text != ' ') {
			assert_int_equal(sscanf(text, "%2x", &byte), 1);
			bytes[n++] = (uint8_t)byte;
			text++;
		}
	}
	return n;
}

/* "after -3: read 8 at r0 (left)": how far in front of pc, what, and where: register k holds
 * (k + 1) * STEP. ", on by 8": its stride; "a line or more"; "r3": by the value of register 3;
 * " beside 8": that of another load. */
static const char *describe(const char *bytes)
{
	static const char *const stops[] = { "after", "user", "compute", "kernel", "unknown" };
	static const char *const kinds[] = { "read", "write", "modify" };
	static const char *const sure[] = { "", " (left)", " (about)", " (none)" };
	static char text[200];
	uint8_t code[512];
	uint64_t regs[REGS], address;
	uint32_t stopped = 0, first = read_bytes(BEFORE_ALL, code, &stopped);
	uint32_t n = first + read_bytes(bytes, code + first, &stopped);

	stopped += first;
	struct ms_decode_stopped_thread s;

	struct ms_decode_code_around around = {
		.pc = PC, .bytes = code, .before = stopped, .after = n - stopped
	};
	for (uint64_t i = 0; i < REGS; i++)
		regs[i] = (i + 1) * STEP;
	ms_decode_stop(&around, &s);
	if (s.stop != MS_STOP_AFTER_ACCESS && s.stop != MS_STOP_AFTER_USE)
		return stops[s.stop];
	enum ms_decode_address_form how = ms_decode_address(&s, regs, REGS, THREAD, &address);
	snprintf(text, sizeof(text), "%s %d: %s %u at 0x%llx%s%s", stops[s.stop],
		 (int)(s.site - PC), kinds[s.operand.kind], s.operand.size,
		 (unsigned long long)(how == MS_ADDRESS_NONE ? 0 : address), sure[how],
		 ms_decode_is_local(&s, regs, REGS, address) ? " local" : "");
	size_t used = strlen(text);
	if (s.operand.stride != 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used, ", on by %d",
					 s.operand.stride);
	if (s.operand.strides_far)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 ", on by a line or more");
	if (s.operand.stride_scale != 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used, ", on by r%d",
					 s.operand.stride_register);
	if (s.other.stride != 0)
		snprintf(text + used, sizeof(text) - used, " beside %d", s.other.stride);
	return text;
}

/* Which references to a line, and which of two that go along, can have been waited for. */
static void stride_reuses_line(void **state)
{
	static const struct {
		int line;
		int8_t stride;
		uint8_t size;
		uint64_t address;
		bool was_there;
	} cases[] = {
		{ __LINE__, 8, 8, 0x1000, false },   { __LINE__, 8, 8, 0x1008, true },
		{ __LINE__, 8, 8, 0x1038, true },    { __LINE__, 8, 8, 0x103c, false },
		{ __LINE__, 8, 8, 0x1004, false },   { __LINE__, -8, 8, 0x1038, false },
		{ __LINE__, -8, 8, 0x1030, true },   { __LINE__, -8, 8, 0x1000, true },
		{ __LINE__, 32, 32, 0x1000, false }, { __LINE__, 32, 32, 0x1020, true },
		{ __LINE__, 24, 4, 0x1014, false },  { __LINE__, 24, 4, 0x102c, true },
		{ __LINE__, 0, 8, 0x1008, false },
	};
	/* By registers 0 and 1, which hold 0x10000000 and 0x20000000 + `apart`. */
	static const struct {
		int line;
		uint64_t apart;
		bool along;
	} pairs[] = { { __LINE__, 0, true },
		      { __LINE__, 7, true },
		      { __LINE__, 8, false },
		      { __LINE__, 56, false },
		      { __LINE__, 60, true } };

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		const struct ms_decode_operand o = { .stride = cases[i].stride,
						     .size = cases[i].size };

		if (ms_decode_was_there(&o, cases[i].address) != cases[i].was_there)
			fail_msg("line %d", cases[i].line);
	}
	for (size_t i = 0; i < MS_COUNT(pairs); i++) {
		const uint64_t regs[] = { STEP, 2 * STEP + pairs[i].apart };
		const struct ms_decode_stopped_thread s = {
			.other = { .base = 1, .index = MS_NO_REGISTER, .stride = -8 }
		};

		if (ms_decode_goes_along(&s, regs, 2, 0, regs[0]) != pairs[i].along)
			fail_msg("line %d", pairs[i].line);
	}
	assert_false(ms_decode_goes_along(&(struct ms_decode_stopped_thread){ .site = 1 }, NULL, 0,
					  0, 0x1000));
}

/* "3 instructions, 4 cycles, chained": the loop around the load or store before pc, or pc. */
static const char *describe_loop(const char *bytes)
{
	static char text[100];
	uint8_t code[512];
	uint32_t stopped = 0, first = read_bytes(BEFORE_ALL, code, &stopped);
	uint32_t n = first + read_bytes(bytes, code + first, &stopped);
	struct ms_decode_stopped_thread s;

	stopped += first;
	struct ms_decode_code_around around = {
		.pc = PC, .bytes = code, .before = stopped, .after = n - stopped
	};
	ms_decode_stop(&around, &s);
	if (s.loop.begin == 0)
		return "no loop";
	snprintf(text, sizeof(text), "%u instructions from %d, %u cycles%s", s.loop.instructions,
		 (int)(s.loop.begin - PC), s.loop.recurrence, s.loop.chained ? ", chained" : "");
	return text;
}

static void check_loops(const struct decode_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *got = describe_loop(cases[i].bytes);

		if (strcmp(got, cases[i].want) != 0)
			fail_msg("line %d: %s: %s, expected %s", cases[i].line, cases[i].text, got,
				 cases[i].want);
	}
}

static void check_cases(const struct decode_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *got = describe(cases[i].bytes);

		if (strcmp(got, cases[i].want) != 0)
			fail_msg("line %d: %s: %s, expected %s", cases[i].line, cases[i].text, got,
				 cases[i].want);
	}
}
