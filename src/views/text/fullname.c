/* views/text/fullname.c - names of data with their origin, as text. */
#include "views/fullname.h"

#include "analysis/describe/describe.h"
#include "views/shared.h"
#include "views/text/page.h"

void ms_views_text_fullname(const struct ms_summary *s, const bool *chosen,
			    const struct ms_views_options *options, FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	size_t most = ms_views_top(SIZE_MAX, options->top);

	for (size_t at = 0, n = 0; n < most; n++) {
		uint32_t data = ms_views_fullname_next(s, chosen, &at);

		if (data == MS_NONE)
			break;
		const struct ms_run_data *d = &s->run->data.at[data];
		struct ms_text key = MS_TEXT_INIT;

		ms_describe_key(&key, s->run, data);
		ms_views_text_line(&page, "%s", d->name);
		ms_views_text_wrap(&page, "  from:  ", d->full_name);
		if (d->type != NULL)
			ms_views_text_wrap(&page, "  type:  ", d->type);
		ms_views_text_wrap(&page, "  key:   ", key.at);
		ms_text_free(&key);
	}
}
