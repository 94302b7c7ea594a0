/* views/text/verify.c - measured and predicted gain as text. */
#include "views/verify.h"

#include <inttypes.h>

#include "base/num.h"
#include "views/text/page.h"

static void put_side(const struct ms_views_text_page *page, const char *label, const char *command,
		     const struct ms_verify_side *side)
{
	char median[MS_NUM_TEXT], fastest[MS_NUM_TEXT];

	ms_views_text_line(page, "%s %s (fastest %s)  %s", label,
			   ms_format_seconds(side->median, median),
			   ms_format_seconds(side->fastest, fastest), command);
}

static void put_prediction(const struct ms_views_text_page *page, const struct ms_views_verify *v)
{
	const struct ms_run_verification *s = v->stored;
	bool inside = s->measured >= s->predicted_low && s->measured <= s->predicted_high;

	if (s->kind == NULL)
		return;
	ms_views_text_line(
		page,
		"Predicted gain: %.0f%% of the time (%.0f%% to %.0f%%): %s%s%s, run @%" PRId64,
		100 * s->predicted, 100 * s->predicted_low, 100 * s->predicted_high, s->kind,
		s->data != NULL ? " of " : "", s->data != NULL ? s->data : "", v->run);
	ms_views_text_line(page, "The measured gain is %s the predicted bounds.",
			   inside                           ? "within"
			   : s->measured < s->predicted_low ? "below"
							    : "above");
}

void ms_views_text_verify(const struct ms_views_verify *v, const struct ms_views_options *options,
			  FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	const struct ms_verify *m = v->verify;

	ms_views_text_title(&page, "PROCESSOR TIME, median of %zu rounds", m->rounds);
	put_side(&page, "Before:", v->stored->before, &m->before);
	put_side(&page, "After: ", v->stored->after, &m->after);
	ms_views_text_line(
		&page, "Measured gain:  %.0f%% of the time (%.0f%% to %.0f%%); %.3g times as fast",
		100 * m->gain, 100 * m->gain_low, 100 * m->gain_high,
		m->gain < 1 ? 1 / (1 - m->gain) : 0.0);
	put_prediction(&page, v);
	if (v->load >= 0.5)
		ms_views_text_wrap(
			&page, "Note: ",
			"other processes were running; their use of caches and memory is in "
			"these times.");
}
