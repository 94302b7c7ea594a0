/* Code that follows a call, and where it stores the result: shared by the tests of both
 * architectures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/text.h"
#include "decode/stored_result.h"

enum { PC = 0x400000, CODE_BYTES = 128 };

struct stored_case {
	int line;
	const char *text;
	const char *bytes; /* in hexadecimal */
	/* "r12 at 6; r3+10 stored at b; *(r5-20)+10 at 0; 402d61 stored at 0; returned": registers
	 * by number. */
	const char *want;
};

static void add_place(struct ms_text *out, const struct ms_decode_result_place *place)
{
	if (place->base >= 0)
		ms_text_addf(out, "r%d", place->base);
	if (place->base < 0)
		ms_text_addf(out, "%llx", (unsigned long long)place->offset);
	else if (place->offset != 0)
		ms_text_addf(
			out, "%c%llx", place->offset < 0 ? '-' : '+',
			(unsigned long long)(place->offset < 0 ? -place->offset : place->offset));
	if (place->indexed)
		ms_text_add(out, "[]");
}

static void add_stored(struct ms_text *out, const struct ms_decode_stored_result *stored)
{
	if (out->n > 0)
		ms_text_add(out, "; ");
	if (stored->kind == MS_STORED_THROUGH)
		ms_text_add(out, "*(");
	add_place(out, &stored->place);
	if (stored->kind == MS_STORED_THROUGH) {
		ms_text_addf(out, ")+%llx", (unsigned long long)stored->target.offset);
		if (stored->target.indexed)
			ms_text_add(out, "[]");
	}
	if (stored->kind == MS_STORED_IN_PLACE)
		ms_text_add(out, " stored");
	ms_text_addf(out, " at %llx", (unsigned long long)(stored->pc - PC));
}

static void check_case(const struct stored_case *c)
{
	struct ms_decode_stored_results results;
	struct ms_text got = MS_TEXT_INIT;
	uint8_t bytes[CODE_BYTES];
	size_t n = 0;

	for (const char *at = c->bytes; *at != '\0'; at++) {
		unsigned byte;

		if (*at == ' ')
			continue;
		assert_true(n < CODE_BYTES);
		assert_int_equal(sscanf(at++, "%2x", &byte), 1);
		bytes[n++] = (uint8_t)byte;
	}
	ms_decode_find_stored_results(bytes, n, PC, &results);
	/* The first one is always the register of the result. */
	for (size_t i = 1; i < results.n; i++)
		add_stored(&got, &results.at[i]);
	if (results.returned)
		ms_text_addf(&got, "%sreturned", got.n > 0 ? "; " : "");
	if (strcmp(ms_text_get(&got), c->want) != 0)
		fail_msg("line %d, %s: %s, wanted %s", c->line, c->text, ms_text_get(&got),
			 c->want);
	ms_text_free(&got);
}
