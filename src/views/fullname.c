#include "views/fullname.h"

#include "run/words.h"
#include "views/views_priv.h"

/* In the order of the summary: what waits the most first. */
static uint32_t next(const struct ms_summary *s, const bool *chosen, size_t *at)
{
	while (*at < s->data.at.n) {
		uint32_t data = s->data.at.at[(*at)++].data;

		if (chosen[data])
			return data;
	}
	return MS_NONE;
}

static bool is_told(size_t shown, const struct ms_view_options *options)
{
	return options->top == 0 || shown < options->top;
}

void ms_fullname_text(const struct ms_summary *s, const bool *chosen,
		      const struct ms_view_options *options, FILE *out)
{
	struct ms_page page = ms_page_of(options, out);
	uint32_t data;

	for (size_t at = 0, n = 0; is_told(n, options) && (data = next(s, chosen, &at)) != MS_NONE;
	     n++) {
		const struct ms_run_data *d = &s->run->data.at[data];
		struct ms_text key = MS_TEXT_INIT;

		ms_about_key(&key, s->run, data);
		ms_page_line(&page, "%s", d->name);
		ms_page_wrap(&page, "  from:  ", d->full_name);
		if (d->type != NULL)
			ms_page_wrap(&page, "  type:  ", d->type);
		ms_page_wrap(&page, "  key:   ", key.at);
		ms_text_free(&key);
	}
}

void ms_fullname_csv(const struct ms_summary *s, const bool *chosen,
		     const struct ms_view_options *options, FILE *out)
{
	static const char *const heads[] = { "name", "kind", "type", "key", "full_name" };
	struct ms_table t;
	uint32_t data;

	ms_table_open(&t, out, MS_TABLE_CSV, options->width, false);
	for (size_t i = 0; i < MS_COUNT(heads); i++)
		ms_table_column(&t, (struct ms_table_column){ .head = heads[i], .key = heads[i] });
	for (size_t at = 0, n = 0; is_told(n, options) && (data = next(s, chosen, &at)) != MS_NONE;
	     n++) {
		const struct ms_run_data *d = &s->run->data.at[data];
		struct ms_text key = MS_TEXT_INIT;

		ms_about_key(&key, s->run, data);
		ms_table_text(&t, d->name);
		ms_table_text(&t, ms_data_kind_word(d->kind));
		ms_table_text(&t, d->type);
		ms_table_text(&t, key.at);
		ms_table_text(&t, d->full_name);
		ms_text_free(&key);
	}
	ms_table_close(&t);
}

void ms_fullname_json(const struct ms_summary *s, const bool *chosen,
		      const struct ms_view_options *options, FILE *out)
{
	struct ms_json j;
	uint32_t data;

	ms_view_json_begin(&j, out);
	ms_view_json_run(&j, s->run);
	ms_json_end(&j);
	ms_json_array(&j, "data");
	for (size_t at = 0, n = 0; is_told(n, options) && (data = next(s, chosen, &at)) != MS_NONE;
	     n++) {
		const struct ms_run_data *d = &s->run->data.at[data];
		struct ms_text key = MS_TEXT_INIT;

		ms_about_key(&key, s->run, data);
		ms_json_object(&j, NULL);
		ms_json_text(&j, "name", d->name);
		ms_json_text(&j, "kind", ms_data_kind_word(d->kind));
		ms_json_text(&j, "type", d->type);
		ms_json_text(&j, "key", key.at);
		ms_json_text(&j, "full_name", d->full_name);
		ms_json_end(&j);
		ms_text_free(&key);
	}
	ms_json_end(&j);
	ms_json_end(&j);
}

ms_fullname_writer *const ms_fullname_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_fullname_text,
	[MS_VIEW_JSON] = ms_fullname_json,
	[MS_VIEW_CSV] = ms_fullname_csv,
};
