/*
 * analysis/sharing/sharing_intervals.c - how far the misses that sharing causes may be off in a
 * sampled run.
 *
 * They are the invalidation misses of the first level, whose interval intervals.h has for each data
 * and for all. Some of them, such as those of one line or those that are false sharing, are taken
 * to be as bunched as all are (design_effect.h).
 *
 * Left out: cycles, as windows do not keep apart whose cache answered.
 */
#include <math.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/sharing/sharing_priv.h"
#include "base/mem.h"

/* Invalidation misses of some data, or of all. */
struct sharing_totals {
	double misses;
	struct ms_intervals_bounds within;
};

struct sharing_bounder {
	struct ms_sharing *sharing;
	double scale;
	struct sharing_totals all;
	struct sharing_totals *data; /* by data of the run */
};

static struct ms_intervals_bounds part_of(const struct sharing_bounder *j,
					  const struct sharing_totals *w, uint64_t count)
{
	if ((double)count == w->misses && count >= MS_EFFECT_EVENTS * j->scale)
		return w->within;
	return ms_intervals_effect_part((double)count, w->misses, w->within, j->scale);
}

static struct ms_sharing_intervals within(const struct sharing_bounder *j,
					  const struct sharing_totals *w,
					  const struct ms_sharing_counts *c)
{
	return (struct ms_sharing_intervals){ part_of(j, w, c->truly + c->falsely),
					      part_of(j, w, c->truly), part_of(j, w, c->falsely) };
}

static struct sharing_totals whole_of(const struct ms_summary_counts *counts,
				      const struct ms_intervals_entry *known)
{
	struct sharing_totals w = { 0, { NAN, NAN } };

	if (known != NULL) {
		w.misses = (double)counts->levels[0].causes[MS_CAUSE_INVALIDATED];
		w.within = known->levels[0].causes[MS_CAUSE_INVALIDATED];
	}
	return w;
}

static void find_wholes(struct sharing_bounder *j)
{
	const struct ms_summary *whole = &j->sharing->whole;
	struct ms_intervals total, by_data;

	ms_intervals_by_kind(&total, whole, MS_ENTRY_TOTAL, NULL);
	ms_intervals_by_kind(&by_data, whole, MS_ENTRY_DATA, NULL);
	j->all = whole_of(&whole->total.counts, ms_intervals_at(&total, 0));
	for (size_t i = 0; i < whole->data.at.n; i++) {
		const struct ms_summary_entry *e = &whole->data.at.at[i];

		j->data[e->data] = whole_of(&e->counts, ms_intervals_at(&by_data, e->data));
	}
	ms_intervals_free(&total);
	ms_intervals_free(&by_data);
}

static void bound_line(const struct sharing_bounder *j, struct ms_sharing_line *line)
{
	line->within = within(j, &j->all, &line->counts);
	for (size_t i = 0; i < line->accesses.n; i++) {
		struct ms_sharing_access *a = &line->accesses.at[i];

		a->within = within(j, &j->data[a->data], &a->missed);
	}
}

void ms_sharing_set_intervals(struct ms_sharing *s)
{
	const struct ms_run *run = s->whole.run;
	struct sharing_bounder j = { .sharing = s,
				     .scale = ms_intervals_effect_scale(run),
				     .data = ms_alloc((run->data.n + 1) * sizeof(*j.data)) };

	j.all = whole_of(NULL, NULL);
	for (size_t i = 0; i < run->data.n; i++)
		j.data[i] = j.all;
	if (run->samplings.n > 0 && run->levels.n > 0)
		find_wholes(&j);
	s->within = within(&j, &j.all, &s->total);
	for (size_t i = 0; i < s->data.n; i++)
		s->data.at[i].within =
			within(&j, &j.data[s->data.at[i].data], &s->data.at[i].counts);
	for (size_t i = 0; i < s->pairs.n; i++)
		s->pairs.at[i].within =
			within(&j, &j.data[s->pairs.at[i].data], &s->pairs.at[i].counts);
	for (size_t i = 0; i < s->lines.n; i++)
		bound_line(&j, &s->lines.at[i]);
	ms_free(j.data);
}
