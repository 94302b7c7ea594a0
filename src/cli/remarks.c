#include "cli/remarks.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Names in them come from programs. */
void ms_cli_print_remarks(struct ms_text *remarks)
{
	struct ms_text safe = MS_TEXT_INIT, one = MS_TEXT_INIT;

	for (const char *line = ms_text_get(remarks); *line != '\0';) {
		size_t n = strcspn(line, "\n");

		ms_text_add_n(&one, line, n);
		ms_utf8_fit(&safe, ms_text_get(&one), SIZE_MAX, MS_CUT_END);
		fprintf(stderr, "memspy: %s\n", ms_text_get(&safe));
		ms_text_clear(&safe);
		ms_text_clear(&one);
		line += n + (line[n] == '\n');
	}
	ms_text_free(&safe);
	ms_text_free(&one);
	ms_text_free(remarks);
}
