/* views/text/verify.c - measured and predicted gain as text. */
#include "views/verify.h"

#include <inttypes.h>

#include "base/num.h"
#include "base/table.h"
#include "views/text/page.h"

static void put_side(const struct ms_views_text_page *page, const char *label, const char *command,
		     const struct ms_verify_side *side)
{
	char median[MS_NUM_TEXT], fastest[MS_NUM_TEXT];

	ms_views_text_line(page, "%s %s (fastest %s)  %s", label,
			   ms_format_seconds(side->median, median),
			   ms_format_seconds(side->fastest, fastest), command);
}

static const char *place_in_bounds(const struct ms_run_verification *s)
{
	if (s->measured < s->predicted_low)
		return "below";
	return s->measured > s->predicted_high ? "above" : "within";
}

static void put_prediction(const struct ms_views_text_page *page, const struct ms_views_verify *v)
{
	const struct ms_run_verification *s = v->stored;

	if (s->kind == NULL)
		return;
	ms_views_text_line(
		page,
		"Predicted gain: %.0f%% of the time (%.0f%% to %.0f%%): %s%s%s, run @%" PRId64,
		100 * s->predicted, 100 * s->predicted_low, 100 * s->predicted_high, s->kind,
		s->data != NULL ? " of " : "", s->data != NULL ? s->data : "", v->run);
	ms_views_text_line(page, "The measured gain is %s the predicted bounds.",
			   place_in_bounds(s));
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

static void put_seconds(struct ms_table *table, double seconds)
{
	char text[MS_NUM_TEXT];

	ms_table_text(table, ms_arena_strdup(&table->arena, ms_format_seconds(seconds, text)));
}

static void put_gain(struct ms_table *table, double gain, double low, double high)
{
	ms_table_text(table, ms_arena_printf(&table->arena, "%.0f%% (%.0f%% to %.0f%%)", 100 * gain,
					     100 * low, 100 * high));
}

static void put_verified(struct ms_table *table, const struct ms_run_verified *verified)
{
	const struct ms_run_verification *v = &verified->verification;
	bool predicted = v->kind != NULL;

	ms_table_text(table, ms_arena_printf(&table->arena, "@%" PRId64, verified->run));
	ms_table_text(table, v->verified);
	ms_table_text(table, v->before);
	ms_table_text(table, v->after);
	put_seconds(table, v->before_seconds);
	put_seconds(table, v->after_seconds);
	put_gain(table, v->measured, v->measured_low, v->measured_high);
	if (predicted)
		put_gain(table, v->predicted, v->predicted_low, v->predicted_high);
	else
		ms_table_none(table);
	ms_table_text(table, predicted ? place_in_bounds(v) : NULL);
	ms_table_text(table,
		      !predicted || v->data == NULL
			      ? v->kind
			      : ms_arena_printf(&table->arena, "%s of %s", v->kind, v->data));
}

void ms_views_text_verified(const struct ms_run_verified_list *list,
			    const struct ms_views_options *options, FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	struct ms_table table;

	if (list->at.n == 0) {
		ms_views_text_wrap(
			&page, "",
			"No measured gains are stored. memspy verify BEFORE AFTER stores "
			"them with the latest run of BEFORE.");
		return;
	}
	ms_views_text_title(&page, "MEASURED AND PREDICTED GAINS, of the time before the change");
	ms_table_open(&table, page.out, MS_TABLE_TEXT, page.width, page.colour);
	ms_views_text_number_column(&table, "Run", 0);
	ms_views_text_words_column(&table, "Measured at", 0, MS_CUT_END, 3);
	ms_views_text_words_column(&table, "Command before", 8, MS_CUT_END, 2);
	ms_views_text_words_column(&table, "Command after", 8, MS_CUT_END, 1);
	ms_views_text_number_column(&table, "Before", 5);
	ms_views_text_number_column(&table, "After", 4);
	ms_views_text_number_column(&table, "Measured gain", 0);
	ms_views_text_number_column(&table, "Predicted gain", 0);
	ms_views_text_words_column(&table, "In bounds", 0, MS_CUT_END, 6);
	ms_views_text_words_column(&table, "Finding", 10, MS_CUT_END, 0);
	for (size_t i = 0; i < list->at.n; i++)
		put_verified(&table, &list->at.at[i]);
	ms_table_close(&table);
}
