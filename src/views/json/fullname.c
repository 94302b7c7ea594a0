/* views/json/fullname.c - names of data with their origin, as JSON. */
#include "views/fullname.h"

#include "analysis/describe/describe.h"
#include "base/json.h"
#include "run/enum_words.h"
#include "views/json/parts.h"
#include "views/shared.h"

void ms_views_json_fullname(const struct ms_summary *s, const bool *chosen,
			    const struct ms_views_options *options, FILE *out)
{
	struct ms_json j;
	size_t most = ms_views_top(SIZE_MAX, options->top);

	ms_views_json_begin(&j, out);
	ms_views_json_run(&j, s->run);
	ms_json_end(&j);
	ms_json_array(&j, "data");
	for (size_t at = 0, n = 0; n < most; n++) {
		uint32_t data = ms_views_fullname_next(s, chosen, &at);

		if (data == MS_NONE)
			break;
		const struct ms_run_data *d = &s->run->data.at[data];
		struct ms_text key = MS_TEXT_INIT;

		ms_describe_key(&key, s->run, data);
		ms_json_object(&j, NULL);
		ms_json_text(&j, "name", d->name);
		ms_json_text(&j, "kind", ms_run_data_kind_word(d->kind));
		ms_json_text(&j, "type", d->type);
		ms_json_text(&j, "key", key.at);
		ms_json_text(&j, "full_name", d->full_name);
		ms_json_end(&j);
		ms_text_free(&key);
	}
	ms_json_end(&j);
	ms_json_end(&j);
}
