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

/* "behind -3: read 8 at r0 (left)": how far in front of pc, what, and where: register k holds
 * (k + 1) * STEP. */
static const char *describe(const char *bytes)
{
	static const char *const stops[] = { "behind", "user", "compute", "kernel", "unknown" };
	static const char *const kinds[] = { "read", "write", "modify" };
	static const char *const sure[] = { "", " (left)", " (about)", " (none)" };
	static char text[200];
	uint8_t code[512];
	uint64_t regs[REGS], address;
	uint32_t stopped = 0, first = read_bytes(BEFORE_ALL, code, &stopped);
	uint32_t n = first + read_bytes(bytes, code + first, &stopped);

	stopped += first;
	struct ms_stopped s;

	struct ms_code_around around = {
		.pc = PC, .bytes = code, .before = stopped, .behind = n - stopped
	};
	for (uint64_t i = 0; i < REGS; i++)
		regs[i] = (i + 1) * STEP;
	ms_decode_stop(&around, &s);
	if (s.stop != MS_STOP_BEHIND && s.stop != MS_STOP_USER)
		return stops[s.stop];
	enum ms_address how = ms_decode_address(&s, regs, REGS, THREAD, &address);
	snprintf(text, sizeof(text), "%s %d: %s %u at 0x%llx%s%s", stops[s.stop],
		 (int)(s.site - PC), kinds[s.operand.kind], s.operand.size,
		 (unsigned long long)(how == MS_ADDRESS_NONE ? 0 : address), sure[how],
		 ms_decode_is_local(&s, regs, REGS, address) ? " local" : "");
	return text;
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
