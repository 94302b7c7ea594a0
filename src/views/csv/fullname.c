/* views/csv/fullname.c - names of data with their origin, as CSV. */
#include "views/fullname.h"

#include "analysis/describe/describe.h"
#include "base/table.h"
#include "run/enum_words.h"
#include "views/shared.h"

void ms_views_csv_fullname(const struct ms_summary *s, const bool *chosen,
			   const struct ms_views_options *options, FILE *out)
{
	static const char *const heads[] = { "name", "kind", "type", "key", "full_name" };
	struct ms_table t;
	size_t most = ms_views_top(SIZE_MAX, options->top);

	ms_table_open(&t, out, MS_TABLE_CSV, options->width, false);
	for (size_t i = 0; i < MS_COUNT(heads); i++)
		ms_table_column(&t, (struct ms_table_column){ .head = heads[i], .key = heads[i] });
	for (size_t at = 0, n = 0; n < most; n++) {
		uint32_t data = ms_views_fullname_next(s, chosen, &at);

		if (data == MS_NONE)
			break;
		const struct ms_run_data *d = &s->run->data.at[data];
		struct ms_text key = MS_TEXT_INIT;

		ms_describe_key(&key, s->run, data);
		ms_table_text(&t, d->name);
		ms_table_text(&t, ms_run_data_kind_word(d->kind));
		ms_table_text(&t, d->type);
		ms_table_text(&t, key.at);
		ms_table_text(&t, d->full_name);
		ms_text_free(&key);
	}
	ms_table_close(&t);
}
