/* Functions with variables on the stack, in machine code: shared by the tests of both
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
#include "decode/stack_addresses.h"

enum { PC = 0x400000, CODE_BYTES = 512, MOST_PLACES = 4, CFA = MS_DECODE_CFA };

/* Where variable `name` - 'a' is: of this size at base + offset, in [from, to) of the code. */
struct stack_place {
	char name;
	uint64_t size;
	int8_t base;
	int64_t offset;
	uint8_t kind;
	uint64_t from, to; /* 0: everywhere */
	uint64_t row, origin;
};

struct stack_case {
	int line;
	const char *text;
	const char *bytes; /* in hexadecimal */
	struct stack_place places[MOST_PLACES];
	const char *want; /* "1c write a; 30 read b" */
};

static size_t read_code(const char *text, uint8_t *bytes)
{
	size_t n = 0;

	for (; *text != '\0'; text++) {
		unsigned byte;

		if (*text == ' ')
			continue;
		assert_true(n < CODE_BYTES);
		assert_int_equal(sscanf(text, "%2x", &byte), 1);
		bytes[n++] = (uint8_t)byte;
		text++;
	}
	return n;
}

static void make_function(const struct stack_case *c, const uint8_t *bytes, size_t n,
			  struct ms_decode_stack_function *f)
{
	*ms_vec_add(&f->code) = (struct ms_decode_stack_code){ PC, bytes, n };
	for (size_t i = 0; i < MOST_PLACES && c->places[i].name != '\0'; i++) {
		const struct stack_place *p = &c->places[i];
		uint32_t variable = (uint32_t)(p->name - 'a');

		while (f->variables.n <= variable)
			ms_vec_add(&f->variables);
		f->variables.at[variable] = (struct ms_decode_stack_variable){
			.size = p->size, .row = p->row, .origin = p->origin
		};
		*ms_vec_add(&f->places) = (struct ms_decode_stack_place){
			.from = PC + p->from,
			.to = PC + (p->to != 0 ? p->to : n),
			.variable = variable,
			.base = p->base,
			.offset = p->offset,
			.kind = p->kind,
		};
	}
}

static void check_case(const struct stack_case *c)
{
	static const char *const kinds[] = { "read", "write", "modify" };
	struct ms_decode_stack_accesses accesses = { .at = MS_VEC_INIT };
	struct ms_decode_stack_function f = { 0 };
	struct ms_text text = MS_TEXT_INIT;
	uint8_t bytes[CODE_BYTES];
	size_t n = read_code(c->bytes, bytes);

	make_function(c, bytes, n, &f);
	ms_decode_find_stack_accesses(&f, &accesses);
	for (size_t i = 0; i < accesses.at.n; i++)
		ms_text_addf(&text, "%s%llx %s %c", i > 0 ? "; " : "",
			     (unsigned long long)(accesses.at.at[i].pc - PC),
			     kinds[accesses.at.at[i].kind],
			     (char)('a' + (char)accesses.at.at[i].variable));
	if (strcmp(ms_text_get(&text), c->want) != 0)
		fail_msg("line %d: %s: '%s', expected '%s'", c->line, c->text, ms_text_get(&text),
			 c->want);
	ms_text_free(&text);
	ms_vec_free(&accesses.at);
	ms_decode_free_stack_function(&f);
}

static void finds_variables(void **state);

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(finds_variables) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
