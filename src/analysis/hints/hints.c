/* analysis/hints/hints.c - the table of hints. A new hint is a function and a row. */
#include "analysis/hints/hints.h"

#include "analysis/hints/hints_priv.h"
#include "base/compiler.h"

/* Each adds its sentence, or nothing if it does not apply. */
typedef void add_hint(struct ms_text *out, const struct ms_summary *summary);

static add_hint *const hints_table[] = {
	ms_hints_add_missing_debug_info, ms_hints_add_byte_block,   ms_hints_add_library_function,
	ms_hints_add_idle_processors,    ms_hints_add_uncalibrated,
};

_Static_assert(MS_COUNT(hints_table) <= MS_HINTS_MOST, "callers have room for all hints");

size_t ms_hints_find(const struct ms_summary *summary, struct ms_arena *arena,
		     const char *hints[MS_HINTS_MOST])
{
	struct ms_text text = MS_TEXT_INIT;
	size_t n = 0;

	for (size_t i = 0; i < MS_COUNT(hints_table); i++) {
		ms_text_clear(&text);
		hints_table[i](&text, summary);
		if (text.n > 0)
			hints[n++] = ms_arena_strdup(arena, text.at);
	}
	ms_text_free(&text);
	return n;
}
