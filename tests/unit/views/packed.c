/* Tables in JSON. */
#include "views/html/packed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void tables(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct ms_html_packed p;

	(void)state;
	ms_html_packed_open(&p, out);
	ms_html_packed_table(&p, "code");
	ms_html_packed_texts(&p, "name");
	ms_html_packed_column(&p, "levels.%d.misses", 0);
	ms_html_packed_column(&p, "rate");
	ms_html_packed_row(&p);
	ms_html_packed_text(&p, "main");
	ms_html_packed_u64(&p, UINT64_MAX);
	ms_html_packed_real(&p, 0.5);
	ms_html_packed_row(&p); /* zeros in the middle stay, at the end they go */
	ms_html_packed_text(&p, "a \"b\" \xff");
	ms_html_packed_u64(&p, 0);
	ms_html_packed_real(&p, NAN);
	ms_html_packed_row(&p);
	ms_html_packed_text(&p, "main"); /* a text once more is the same number: 0, at the end */
	ms_html_packed_u64(&p, 0);
	ms_html_packed_row(&p);
	ms_html_packed_text(&p, NULL);
	ms_html_packed_u64(&p, 7);
	ms_html_packed_end(&p);
	ms_html_packed_table(&p, "empty");
	ms_html_packed_column(&p, "n");
	ms_html_packed_end(&p);
	ms_html_packed_close(&p);
	fclose(out);
	assert_string_equal(
		text, "{\n\"code\": {\"columns\": [\"name\", \"levels.0.misses\", \"rate\"], "
		      "\"text_columns\": [\"name\"], \"rows\": [\n"
		      "[0,18446744073709551615,0.5],\n[1,0,null],\n[],\n[null,7]]},\n"
		      "\"empty\": {\"columns\": [\"n\"], \"text_columns\": [], \"rows\": []},\n"
		      "\"texts\": [\n \"main\",\n \"a \\\"b\\\" \\ufffd\"\n]\n}");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(tables) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
