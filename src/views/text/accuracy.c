/* views/text/accuracy.c - a sampled run beside the whole one, as text. */
#include "views/accuracy.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/confidence_intervals/miss_rate_estimators.h"
#include "base/table.h"

static void number(struct ms_table *t, double value, int decimals)
{
	if (isfinite(value))
		ms_table_real(t, value, decimals);
	else
		ms_table_none(t);
}

static void column(struct ms_table *t, const char *head, const char *key, bool right)
{
	ms_table_column(t, (struct ms_table_column){ .head = head, .key = key, .right = right });
}

static void heading(const struct ms_accuracy *a, FILE *out)
{
	const struct ms_run_sampling *s = &a->sampled->samplings.at[0];

	fprintf(out, "Whole:    @%" PRId64 ", %s\n", a->whole->id, a->whole->program);
	fprintf(out, "Sampled:  @%" PRId64 ", %.3g%% of %.4g references", a->sampled->id,
		s->total > 0 ? 100 * (double)s->references / s->total : 0, s->total);
	if (s->window > 0)
		fprintf(out, ", %" PRIu64 " windows of %" PRIu64 " on average", s->windows,
			ms_intervals_mean_window(s));
	if (s->sets > 1)
		fprintf(out, ", one of %" PRIu64 " sets", s->sets);
	if (s->total_low < s->total_high)
		fprintf(out, "\nTrue number: %.4g; its interval is %.4g to %.4g: %s",
			(double)a->references, s->total_low, s->total_high,
			a->covered ? "inside" : "not inside");
	fprintf(out, "\n\n");
}

static void rates(const struct ms_accuracy *a, const struct ms_views_options *o, FILE *out)
{
	struct ms_table t;

	fprintf(out, "MISS RATES, in per cent; errors in points, and relative to the true rate\n");
	ms_table_open(&t, out, MS_TABLE_TEXT, o->width, o->colour);
	column(&t, "Level", "level", false);
	column(&t, "True", "true", true);
	column(&t, "Sampled", "sampled", true);
	column(&t, "Error", "error", true);
	column(&t, "Rel.%", "relative", true);
	column(&t, "Low", "low", true);
	column(&t, "High", "high", true);
	column(&t, "Inside", "inside", false);
	for (size_t i = 0; i < a->levels.n; i++) {
		const struct ms_accuracy_level *l = &a->levels.at[i];
		double rate = l->sampled.rate[MS_ESTIMATE_RUN];

		ms_table_text(&t, l->name);
		number(&t, 100 * l->rate, 3);
		number(&t, 100 * rate, 3);
		number(&t, 100 * (rate - l->rate), 3);
		number(&t, l->rate > 0 ? 100 * (rate / l->rate - 1) : NAN, 1);
		number(&t, 100 * l->sampled.low, 3);
		number(&t, 100 * l->sampled.high, 3);
		ms_table_text(&t, !isfinite(l->sampled.low) ? "-" : l->covered ? "yes" : "no");
	}
	ms_table_close(&t);
}

static void guesses(const struct ms_accuracy *a, const struct ms_views_options *o, FILE *out)
{
	struct ms_table t;

	fprintf(out, "\nUNKNOWN REFERENCES, and by what they are taken for: error in points\n");
	ms_table_open(&t, out, MS_TABLE_TEXT, o->width, o->colour);
	column(&t, "Level", "level", false);
	column(&t, "Known misses", "known", true);
	column(&t, "Unknown", "unknown", true);
	column(&t, "G", "generations_each", true);
	for (unsigned i = 0; i < MS_ESTIMATORS; i++)
		column(&t, ms_intervals_estimator_names[i], ms_intervals_estimator_names[i], true);
	for (size_t i = 0; i < a->levels.n; i++) {
		const struct ms_accuracy_level *l = &a->levels.at[i];

		ms_table_text(&t, l->name);
		ms_table_count(&t, l->sampled.known);
		ms_table_count(&t, l->sampled.unknown);
		number(&t, l->sampled.generations_each, 2);
		for (unsigned k = 0; k < MS_ESTIMATORS; k++)
			number(&t, 100 * (l->sampled.rate[k] - l->rate), 3);
	}
	ms_table_close(&t);
}

/* Only of runs with several processors. */
static void invalidations(const struct ms_accuracy *a, const struct ms_views_options *o, FILE *out)
{
	struct ms_table t;

	if (a->whole->processors <= 1)
		return;
	fprintf(out, "\nINVALIDATION MISSES, in per cent of the references\n");
	ms_table_open(&t, out, MS_TABLE_TEXT, o->width, o->colour);
	column(&t, "Level", "level", false);
	column(&t, "True", "true", true);
	column(&t, "Sampled", "sampled", true);
	column(&t, "Error", "error", true);
	column(&t, "Low", "low", true);
	column(&t, "High", "high", true);
	column(&t, "Inside", "inside", false);
	for (size_t i = 0; i < a->levels.n; i++) {
		const struct ms_accuracy_level *l = &a->levels.at[i];

		ms_table_text(&t, l->name);
		number(&t, 100 * l->lost, 3);
		number(&t, 100 * l->sampled.lost, 3);
		number(&t, 100 * (l->sampled.lost - l->lost), 3);
		number(&t, 100 * l->sampled.lost_low, 3);
		number(&t, 100 * l->sampled.lost_high, 3);
		ms_table_text(&t, !isfinite(l->sampled.lost_low) ? "-"
				  : l->lost_covered              ? "yes"
								 : "no");
	}
	ms_table_close(&t);
}

static void causes(const struct ms_accuracy *a, const struct ms_views_options *o, FILE *out)
{
	struct ms_table t;

	fprintf(out, "\nCAUSES, in per cent of the misses\n");
	ms_table_open(&t, out, MS_TABLE_TEXT, o->width, o->colour);
	column(&t, "Level", "level", false);
	column(&t, "First", "first", true);
	column(&t, "sampled", "sampled_first", true);
	column(&t, "Replaced", "replaced", true);
	column(&t, "sampled", "sampled_replaced", true);
	column(&t, "by what was not seen", "not_seen", true);
	for (size_t i = 0; i < a->levels.n; i++) {
		const struct ms_accuracy_level *l = &a->levels.at[i];

		ms_table_text(&t, l->name);
		number(&t, 100 * l->causes[MS_CAUSE_FIRST], 1);
		number(&t, 100 * l->sampled_causes[MS_CAUSE_FIRST], 1);
		number(&t, 100 * l->causes[MS_CAUSE_REPLACED], 1);
		number(&t, 100 * l->sampled_causes[MS_CAUSE_REPLACED], 1);
		number(&t, 100 * l->not_seen, 1);
	}
	ms_table_close(&t);
}

/* Tied ones, bins that no window contains, and what the sampled run is wrong about. */
static void swapped(const struct ms_accuracy *a, FILE *out)
{
	size_t tied = a->swapped - a->unclaimed - a->wrong;

	fprintf(out, "; %zu pair%s swapped", a->swapped, a->swapped == 1 ? "" : "s");
	if (a->judged && tied == a->swapped)
		fprintf(out, ", within the interval of the difference");
	else if (a->judged)
		fprintf(out, ": %zu within the interval of the difference, %zu beyond it", tied,
			a->wrong);
	if (a->unclaimed > 0)
		fprintf(out, ", %zu with a bin that no window contains", a->unclaimed);
}

static void bins(const struct ms_accuracy *a, const struct ms_views_options *o, FILE *out)
{
	struct ms_table t;

	fprintf(out, "\nBINS with %.0f%% of the stall time: %zu of %zu in the true order",
		100 * a->through, a->in_order, a->bins.n);
	if (a->swapped > 0)
		swapped(a, out);
	fprintf(out, "\n");
	if (a->bins.n == 0)
		return;
	ms_table_open(&t, out, MS_TABLE_TEXT, o->width, o->colour);
	column(&t, "Rank", "rank", true);
	column(&t, "sampled", "sampled_rank", true);
	column(&t, "True%", "share", true);
	column(&t, "sampled", "sampled_share", true);
	ms_table_column(
		&t, (struct ms_table_column){ .head = "Code / data", .key = "bin", .least = 16 });
	for (size_t i = 0; i < a->bins.n; i++) {
		const struct ms_accuracy_bin *b = &a->bins.at[i];

		ms_table_count(&t, b->rank);
		if (b->sampled_rank > 0)
			ms_table_count(&t, b->sampled_rank);
		else
			ms_table_none(&t);
		number(&t, 100 * b->share, 1);
		number(&t, 100 * b->sampled_share, 1);
		ms_table_text(&t, b->name);
	}
	ms_table_close(&t);
}

void ms_views_text_accuracy(const struct ms_accuracy *a, const struct ms_views_options *options,
			    FILE *out)
{
	heading(a, out);
	rates(a, options, out);
	guesses(a, options, out);
	invalidations(a, options, out);
	causes(a, options, out);
	bins(a, options, out);
}
