/*
 * collect/stretch.c - what was seen becomes an estimate for the whole program.
 *
 * Counts are multiplied. But a line is used for the first time once only, and a line that was never
 * seen before may have been used between windows. So the first uses of a data's lines are never
 * more than the lines that it has; what is beyond that was used before. Of these, those that miss
 * for sure have been replaced by something that was not seen; and of those that may have hit, as
 * many as there are lines used for which the level has no room.
 */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "collect/collect_priv.h"

struct stretch {
	struct collector *c;
	struct ms_totals *totals;
	const struct ms_sampled *sampled;
	double scale;
	double weight[MS_SAMPLE_PARTS]; /* of what was seen in a part; 1 unless strata differ */
	double *cells;                  /* by cell: mean weight of its references ... */
	double *missing;                /* ... and by cell, then level, of its misses */
	unsigned levels;
	const uint32_t *lines; /* by level: bytes of one */
	double *unseen;        /* by data, then level: misses of lines never seen before ... */
	double *first;         /* ... and the share of them that are first uses */
	double *gone;          /* by level: the share of lines used before that are not there */
	uint64_t *unknown;     /* by level, of one cell: unseen misses that may be hits */
};

static double *of_data(const struct stretch *s, double *array, uint32_t cell, uint32_t level)
{
	return &array[(size_t)s->totals->cells.at[cell].data * s->levels + level];
}

/* Lines that the data ever had at one time; infinity: not known. */
static double lines_of(const struct stretch *s, uint32_t data, uint32_t level)
{
	const struct ms_bound_data *bound = ms_binder_data(s->c->binder, data);
	uint64_t bytes = bound->bytes;
	double objects = 1;

	if (data < s->c->stats.n && s->c->stats.at[data].objects > 0) {
		bytes = s->c->stats.at[data].peak;
		objects = (double)s->c->stats.at[data].objects;
	}
	if (bytes == 0)
		return INFINITY;
	/* An object may begin and end within a line that is no other's. */
	double most = (double)bytes / s->lines[level] + objects;
	return most < (double)bytes ? most : (double)bytes;
}

static double mean(double weighted, double plain)
{
	return plain > 0 ? weighted / plain : 1;
}

/* Windows that lay closer stand for less. */
static void weigh_parts(struct stretch *s, const struct sampled_scale *scale)
{
	const struct ms_sampled *sampled = s->sampled;
	size_t n = s->totals->cells.n * s->levels;
	double *plain = ms_alloc((n + s->totals->cells.n + 1) * sizeof(*plain));

	for (unsigned p = 0; p < MS_SAMPLE_PARTS; p++)
		s->weight[p] = scale->strata > 1 && scale->by_part[p] > 0
				       ? scale->by_part[p] / scale->counts
				       : 1;
	for (size_t i = 0; i < sampled->references.n; i++) {
		const struct ms_sampled_references *r = &sampled->references.at[i];

		plain[n + r->cell] += (double)r->references;
		s->cells[r->cell] += s->weight[r->part] * (double)r->references;
	}
	for (size_t i = 0; i < sampled->counts.n; i++) {
		const struct ms_sampled_count *c = &sampled->counts.at[i];
		size_t at = (size_t)c->cell * s->levels + c->level;

		plain[at] += (double)(c->known + c->unknown_misses);
		s->missing[at] += s->weight[c->part] * (double)(c->known + c->unknown_misses);
	}
	for (size_t i = 0; i < n; i++)
		s->missing[i] = mean(s->missing[i], plain[i]);
	for (size_t i = 0; i < s->totals->cells.n; i++)
		s->cells[i] = mean(s->cells[i], plain[n + i]);
	ms_free(plain);
}

static void weigh(struct stretch *s)
{
	size_t data = ms_binder_data_count(s->c->binder);

	for (size_t i = 0; i < s->sampled->counts.n; i++) {
		const struct ms_sampled_count *n = &s->sampled->counts.at[i];

		*of_data(s, s->unseen, n->cell, n->level) +=
			s->weight[n->part] * (double)(n->unseen_known + n->unseen_unknown);
	}
	for (uint32_t l = 0; l < s->levels; l++) {
		double used = 0, frames = (double)s->sampled->levels.at[l].frames;

		for (uint32_t d = 0; d < data; d++) {
			size_t i = (size_t)d * s->levels + l;
			double most = lines_of(s, d, l), unseen = s->unseen[i] * s->scale;

			s->first[i] = unseen > most ? most / unseen : 1;
			used += s->first[i] * unseen;
		}
		/* Both in the sets that were seen, or both in all. */
		used /= (double)s->c->sampling->sets.every;
		s->gone[l] = used > frames ? 1 - frames / used : 0;
	}
}

/* --- counts --- */

static bool continues(const struct ms_total_pair *at, size_t i)
{
	return i > 0 && at[i].cell == at[i - 1].cell && at[i].level == at[i - 1].level;
}

static double missing_of(const struct stretch *s, uint32_t cell, uint32_t level)
{
	return s->missing[(size_t)cell * s->levels + level];
}

/* Sums, from the first of a cell and level on, are stretched: so their last one is as if it alone
 * had been. */
static void stretch_pairs(const struct stretch *s, struct ms_total_pair *at, size_t n)
{
	uint64_t sum = 0, done = 0;

	for (size_t i = 0; i < n; i++) {
		if (!continues(at, i))
			sum = done = 0;
		sum += at[i].count;
		double scale = s->scale * missing_of(s, at[i].cell, at[i].level);

		at[i].count = ms_sampled_times(sum, scale) - done;
		done += at[i].count;
	}
}

static uint64_t total_of(const struct ms_total_miss *m)
{
	return m->causes[MS_MISS_FIRST] + m->causes[MS_MISS_REPLACED];
}

/* The rows of one cell, the last level first: what misses a level has missed those before it. */
static void stretch_cell(struct stretch *s, struct ms_total_miss *rows, size_t n)
{
	uint64_t behind = 0;

	for (size_t i = n; i-- > 0;) {
		struct ms_total_miss *m = &rows[i];
		double first = *of_data(s, s->first, m->cell, m->level);
		double unseen = (double)m->causes[MS_MISS_FIRST];
		double unknown = (double)s->unknown[m->level];
		double before = (1 - first) * (unseen - unknown + unknown * s->gone[m->level]);
		double scale = s->scale * missing_of(s, m->cell, m->level);
		uint64_t not_seen = ms_round_u64(before * scale);

		m->causes[MS_MISS_REPLACED] = ms_sampled_times(m->causes[MS_MISS_REPLACED], scale);
		m->causes[MS_MISS_FIRST] = ms_round_u64(unseen * first * scale);
		if (total_of(m) + not_seen < behind)
			not_seen = behind - total_of(m);
		if (not_seen > 0)
			*ms_vec_add(&s->totals->replaced) =
				(struct ms_total_pair){ m->cell, m->level, MS_BOUND_NOT_SEEN,
							not_seen };
		m->causes[MS_MISS_REPLACED] += not_seen;
		m->weighted = (double)total_of(m);
		behind = total_of(m);
	}
	/* Rounding may have made more misses than references. */
	struct ms_total_cell *cell = &s->totals->cells.at[rows->cell];
	if (cell->references < behind)
		cell->references = behind;
}

static void stretch_misses(struct stretch *s)
{
	const struct ms_sampled *sampled = s->sampled;
	struct ms_totals *t = s->totals;
	size_t c = 0;

	for (size_t i = 0, to; i < t->misses.n; i = to) {
		uint32_t cell = t->misses.at[i].cell;

		for (to = i; to < t->misses.n && t->misses.at[to].cell == cell; to++)
			s->unknown[t->misses.at[to].level] = 0;
		for (; c < sampled->counts.n && sampled->counts.at[c].cell <= cell; c++)
			if (sampled->counts.at[c].cell == cell)
				s->unknown[sampled->counts.at[c].level] +=
					sampled->counts.at[c].unseen_unknown;
		stretch_cell(s, &t->misses.at[i], to - i);
	}
}

static int by_cell_level_other(const void *a, const void *b)
{
	const struct ms_total_pair *x = a, *y = b;
	int c = ms_cmp_u64(x->cell, y->cell);

	if (c == 0)
		c = ms_cmp_u64(x->level, y->level);
	return c != 0 ? c : ms_cmp_u64(x->other, y->other);
}

void ms_sampled_stretch(struct collector *c, const struct ms_machine *machine,
			const struct ms_sampled *sampled, const struct sampled_scale *scale,
			struct ms_totals *totals)
{
	unsigned levels = (unsigned)machine->levels.n;
	size_t n = ms_binder_data_count(c->binder) * levels;
	uint32_t *lines = ms_alloc(levels * sizeof(*lines));
	struct stretch s = {
		.c = c,
		.totals = totals,
		.sampled = sampled,
		.scale = scale->counts,
		.cells = ms_alloc((totals->cells.n + 1) * sizeof(double)),
		.missing = ms_alloc((totals->cells.n + 1) * levels * sizeof(double)),
		.levels = levels,
		.lines = lines,
		.unseen = ms_alloc(n * sizeof(double)),
		.first = ms_alloc(n * sizeof(double)),
		.gone = ms_alloc(levels * sizeof(double)),
		.unknown = ms_alloc(levels * sizeof(uint64_t)),
	};

	for (unsigned l = 0; l < levels; l++)
		lines[l] = machine->levels.at[l].line;
	weigh_parts(&s, scale);
	weigh(&s);
	for (size_t i = 0; i < n && c->sampling->ratio >= 1; i++)
		s.first[i] = 1; /* all is seen of some sets: what was not seen was not used */
	for (size_t i = 0; i < totals->cells.n; i++)
		totals->cells.at[i].references =
			ms_sampled_times(totals->cells.at[i].references, s.scale * s.cells[i]);
	stretch_pairs(&s, totals->replaced.at, totals->replaced.n);
	stretch_pairs(&s, totals->evictions.at, totals->evictions.n);
	stretch_misses(&s);
	if (totals->replaced.n > 1)
		qsort(totals->replaced.at, totals->replaced.n, sizeof(*totals->replaced.at),
		      by_cell_level_other);
	ms_free(lines);
	ms_free(s.cells);
	ms_free(s.missing);
	ms_free(s.unseen);
	ms_free(s.first);
	ms_free(s.gone);
	ms_free(s.unknown);
}
