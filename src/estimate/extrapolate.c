/*
 * estimate/extrapolate.c - extrapolates the simulated counts to the whole program.
 *
 * Counts are multiplied by a factor. Where executions between windows were counted, each site has a
 * factor of its own: its references divided by those that were simulated. First uses are different:
 * a line is used for the first time only once, and a line that no window has seen before may have
 * been used between windows. first_use.c estimates how many lines were not. Of the others, known
 * misses are replacements by lines that were not simulated. Of the unknown references to them,
 * those to lines that exceed the capacity of the level miss.
 */
#include "estimate/extrapolate.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "estimate/evicted_share.h"
#include "estimate/first_use.h"
#include "estimate/set_weights.h"

/* Mean weights of a cell's misses of a level: of all, of lines never seen before, of others. Where
 * strata differ, most first uses may have been in one of them. */
struct weights {
	double all, unseen, again;
};

struct extrapolation {
	const struct ms_estimate_input *of;
	struct ms_engine_totals *totals;
	const struct ms_engine_windows_totals *sampled;
	double scale;
	double weight[MS_ENGINE_WINDOWS_PARTS]; /* of what was seen in a part; 1 unless strata
						   differ */
	double *sites;                /* by site: what more it counts, or NULL (site_factors.c) */
	double *ref_weights;          /* by cell: mean weight of its references ... */
	struct weights *miss_weights; /* ... and by cell, then level, of its misses */
	unsigned levels;
	size_t caches;           /* of a level, at most */
	double *unseen;          /* by data, level, cache: misses of lines never seen before ... */
	double *first_use_bound; /* ... how many of them are first uses at most ... */
	double *rest;            /* ... and what rounding has left of these so far */
	double *first;           /* by cell, then level: the share that they are */
	struct ms_estimate_seen_before *seen_before; /* by level, cache */
	double *evicted_share; /* by level, cache: the share of lines used before that have left */
	uint64_t *unknown;     /* by level, of one cell: unseen misses that may be hits */
};

/* The cache of a level that the cell's processor uses. */
static size_t cache_of(const struct extrapolation *s, uint32_t cell, uint32_t level)
{
	uint32_t cache =
		s->totals->cells.at[cell].processor / s->sampled->levels.at[level].processors;

	return level * s->caches + cache;
}

static size_t group_of(const struct extrapolation *s, uint32_t cell, uint32_t level)
{
	size_t data = s->totals->cells.at[cell].data;

	return data * s->levels * s->caches + cache_of(s, cell, level);
}

/* Lines that the data ever had at one time; infinity: not known. Each object may begin and end in
 * lines that it has to itself, wherever it may begin: blocks do so every eight bytes. */
static double lines_of(const struct extrapolation *s, uint32_t data, uint32_t level)
{
	const struct ms_estimate_data *d = &s->of->data[data];
	double bytes = d->bytes, each = d->each, line = s->of->line_bytes[level];
	double begins = d->is_heap ? 8 : 1;

	if (!(bytes > 0))
		return INFINITY;
	double lines = 1 + (each + line - begins - 1) / line;
	double most =
		bytes / line + d->objects * ((d->same_size ? floor(lines) : lines) - each / line);
	return most < bytes ? most : bytes;
}

static double mean(double weighted, double plain)
{
	return plain > 0 ? weighted / plain : 1;
}

static void add_misses(struct weights *sums, const struct ms_engine_windows_total_count *c,
		       double weight)
{
	double all = (double)(c->known + c->unknown_misses);
	double unseen = (double)(c->unseen_known + c->unseen_unknown);

	sums->all += weight * all;
	sums->unseen += weight * unseen;
	sums->again += weight * (all - unseen);
}

/* Windows that are denser represent fewer references. */
static void weigh_parts(struct extrapolation *s, const struct ms_estimate_scale *scale)
{
	const struct ms_engine_windows_totals *sampled = s->sampled;
	size_t n = s->totals->cells.n * s->levels;
	double *plain = ms_alloc((s->totals->cells.n + 1) * sizeof(*plain));
	struct weights *misses = ms_alloc((n + 1) * sizeof(*misses));

	for (unsigned p = 0; p < MS_ENGINE_WINDOWS_PARTS; p++)
		s->weight[p] = scale->strata > 1 && scale->by_part[p] > 0
				       ? scale->by_part[p] / scale->counts
				       : 1;
	for (size_t i = 0; i < sampled->references.n; i++) {
		const struct ms_engine_windows_total_references *r = &sampled->references.at[i];

		plain[r->cell] += (double)r->references;
		s->ref_weights[r->cell] += s->weight[r->part] * (double)r->references;
	}
	for (size_t i = 0; i < sampled->counts.n; i++) {
		const struct ms_engine_windows_total_count *c = &sampled->counts.at[i];
		size_t at = (size_t)c->cell * s->levels + c->level;

		add_misses(&misses[at], c, 1);
		add_misses(&s->miss_weights[at], c, s->weight[c->part]);
	}
	for (size_t i = 0; i < n; i++) {
		s->miss_weights[i].all = mean(s->miss_weights[i].all, misses[i].all);
		s->miss_weights[i].unseen = mean(s->miss_weights[i].unseen, misses[i].unseen);
		s->miss_weights[i].again = mean(s->miss_weights[i].again, misses[i].again);
	}
	for (size_t i = 0; i < s->totals->cells.n; i++)
		s->ref_weights[i] = mean(s->ref_weights[i], plain[i]);
	ms_free(misses);
	ms_free(plain);
}

static double site_of(const struct extrapolation *s, uint32_t cell)
{
	return s->sites != NULL ? s->sites[s->totals->cells.at[cell].site] : 1;
}

/* Corrects code that windows contain too often or too rarely by its number of executions. */
static void weigh_sites(struct extrapolation *s)
{
	if (s->of->executions == NULL)
		return;
	s->sites =
		ms_estimate_site_factors(s->of->executions, s->of->sites, s->totals, s->ref_weights,
					 s->scale / (double)s->of->sampling->sets.every);
	for (uint32_t i = 0; i < s->totals->cells.n; i++) {
		s->ref_weights[i] *= site_of(s, i);
		for (uint32_t l = 0; l < s->levels; l++) {
			struct weights *w = &s->miss_weights[(size_t)i * s->levels + l];

			w->all *= site_of(s, i);
			w->unseen *= site_of(s, i);
			w->again *= site_of(s, i);
		}
	}
}

/* Where sets are sampled, and if they are seen all the time: the number of references that were
 * seen says nothing of that of misses then. */
static void weigh_sets(struct extrapolation *s)
{
	const struct ms_engine_totals *t = s->totals;
	size_t n = t->cells.n * s->levels;
	double *missing = ms_alloc((n + 1) * sizeof(*missing));
	struct ms_estimate_set_weights weighing = { .totals = t,
						    .codes = s->of->codes,
						    .sites = s->of->sites,
						    .levels = s->levels,
						    .scale = s->scale,
						    .every = (double)s->of->sampling->sets.every,
						    .ref_weights = s->ref_weights,
						    .miss_weights = missing };

	if (s->of->codes != NULL) {
		ms_estimate_balance_refs(t, s->scale, s->of->scale->total, s->of->refs,
					 s->of->sites);
		weighing.refs = s->of->refs;
		ms_estimate_weigh_sets(&weighing);
	} else {
		ms_estimate_weigh_crossings(&weighing);
	}
	for (size_t i = 0; i < n; i++) {
		s->miss_weights[i].all *= missing[i];
		s->miss_weights[i].unseen *= missing[i];
		s->miss_weights[i].again *= missing[i];
	}
	ms_free(missing);
}

/* One cache: a line of a data structure is used for the first time only once. */
static void weigh_cache(struct extrapolation *s, uint32_t level, size_t at)
{
	const struct ms_engine_windows_total_level *about = &s->sampled->levels.at[level];
	double used = 0, frames = (double)about->frames / about->caches;

	for (uint32_t d = 0; d < s->of->data_count; d++) {
		size_t i = (size_t)d * s->levels * s->caches + at;

		used += s->scale * (s->unseen[i] < s->first_use_bound[i] ? s->unseen[i]
									 : s->first_use_bound[i]);
	}
	/* Lines in the simulated sets, as `frames` are. */
	used /= (double)s->of->sampling->sets.every;
	s->evicted_share[at] = ms_estimate_evicted_share(&s->seen_before[at], frames, used);
}

static void bound_firsts(struct extrapolation *s)
{
	for (uint32_t d = 0; d < s->of->data_count; d++)
		for (uint32_t l = 0; l < s->levels; l++)
			for (size_t k = 0; k < s->caches; k++)
				s->first_use_bound[((size_t)d * s->levels + l) * s->caches + k] =
					lines_of(s, d, l) / s->scale;
}

static void add_seen_before(const struct extrapolation *s,
			    const struct ms_engine_windows_total_count *c)
{
	struct ms_estimate_seen_before *seen = &s->seen_before[cache_of(s, c->cell, c->level)];
	double weight = s->miss_weights[(size_t)c->cell * s->levels + c->level].again;

	seen->accesses +=
		weight * (double)(c->unknown_hits + c->unknown_misses - c->unseen_unknown);
	seen->evicted += weight * (double)(c->unknown_misses - c->unseen_unknown);
}

/* The accesses of cells, by level; in the order of the counts. */
static size_t add_firsts(const struct extrapolation *s, struct ms_estimate_first_uses *uses)
{
	size_t n = 0;

	for (size_t i = 0; i < s->sampled->counts.n; i++) {
		const struct ms_engine_windows_total_count *c = &s->sampled->counts.at[i];
		size_t at = (size_t)c->cell * s->levels + c->level;
		double unseen = (double)(c->unseen_known + c->unseen_unknown);

		if (n == 0 || uses[n - 1].at != at)
			uses[n++] = (struct ms_estimate_first_uses){
				.at = at,
				.group = group_of(s, c->cell, c->level),
				.weight = s->miss_weights[at].unseen
			};
		uses[n - 1].unseen += unseen;
		uses[n - 1].asked += (double)(c->unknown_hits + c->unknown_misses);
		uses[n - 1].seen +=
			(double)(c->unknown_hits + c->unknown_misses - c->unseen_unknown);
		s->unseen[uses[n - 1].group] += s->miss_weights[at].unseen * unseen;
		add_seen_before(s, c);
	}
	return n;
}

/* Where some sets are simulated throughout, a line that was not seen was not used. But data that
 * does not move cannot have more first uses than lines. */
static double seen_whole(const struct extrapolation *s, const struct ms_estimate_first_uses *use)
{
	size_t data = use->group / (s->levels * s->caches);
	bool moves = s->of->data[data].is_heap;
	double unseen = s->unseen[use->group], most = s->first_use_bound[use->group];

	return unseen > most && !moves ? most / unseen : 1;
}

static void weigh_firsts(struct extrapolation *s)
{
	struct ms_estimate_first_uses *uses = ms_alloc((s->sampled->counts.n + 1) * sizeof(*uses));
	size_t n = add_firsts(s, uses);

	bound_firsts(s);
	ms_estimate_first_use_shares(uses, n, s->scale / (double)s->of->sampling->sets.every,
				     s->first_use_bound);
	for (uint32_t l = 0; l < s->levels; l++)
		for (uint32_t k = 0; k < s->sampled->levels.at[l].caches; k++)
			weigh_cache(s, l, l * s->caches + k);
	for (size_t i = 0; i < n; i++)
		s->first[uses[i].at] =
			s->of->sampling->ratio < 1 ? uses[i].share : seen_whole(s, &uses[i]);
	ms_free(uses);
}

/* --- counts --- */

static bool continues(const struct ms_engine_total_pair *at, size_t i)
{
	return i > 0 && at[i].cell == at[i - 1].cell && at[i].level == at[i - 1].level;
}

static const struct weights *miss_weights_of(const struct extrapolation *s, uint32_t cell,
					     uint32_t level)
{
	return &s->miss_weights[(size_t)cell * s->levels + level];
}

/* Scales running sums, from the first pair of a cell and level on. So the rounded counts add up to
 * the rounded total. */
static void scale_pairs(const struct extrapolation *s, struct ms_engine_total_pair *at, size_t n,
			bool again)
{
	uint64_t sum = 0, done = 0;

	for (size_t i = 0; i < n; i++) {
		if (!continues(at, i))
			sum = done = 0;
		sum += at[i].count;
		const struct weights *w = miss_weights_of(s, at[i].cell, at[i].level);
		double scale = s->scale * (again ? w->again : w->all);

		at[i].count = ms_estimate_scale_count(sum, scale) - done;
		done += at[i].count;
	}
}

static uint64_t total_of(const struct ms_engine_total_miss *m)
{
	return m->causes[MS_ENGINE_MISS_FIRST] + m->causes[MS_ENGINE_MISS_REPLACED] +
	       m->causes[MS_ENGINE_MISS_INVALIDATED];
}

/* Misses that the next level answered, or a peer, or memory. */
static uint64_t answered_of(const struct ms_engine_total_miss *m, uint64_t next_level)
{
	return total_of(m) > next_level ? total_of(m) - next_level : 0;
}

/* Misses by what answered them: not more than those that did not miss the next level. */
static void scale_answers(struct ms_engine_total_miss *m, double scale, uint64_t next_level)
{
	uint64_t most = answered_of(m, next_level);

	m->covered = ms_estimate_scale_count(m->covered, scale);
	m->falsely = ms_estimate_scale_count(m->falsely, scale);
	m->write_backs = ms_estimate_scale_count(m->write_backs, scale);
	m->peer = ms_estimate_scale_count(m->peer, scale);
	if (m->peer > most)
		m->peer = most;
	m->remote = ms_estimate_scale_count(m->remote, scale);
	if (m->remote > most - m->peer)
		m->remote = most - m->peer;
}

static double ratio(uint64_t after, uint64_t before)
{
	return before > 0 ? (double)after / (double)before : 0;
}

/* The part of the answered misses that is exposed, or that prefetching hid, remains the same. */
static void scale_exposed(struct ms_engine_total_miss *m, uint64_t answered, uint64_t before)
{
	m->exposed = ms_estimate_scale_count(m->exposed, ratio(answered, before));
	m->prefetched = ms_estimate_scale_count(m->prefetched, ratio(answered, before));
}

static uint64_t misses_of(const struct ms_engine_total_miss *rows, size_t n, unsigned level)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].level == level)
			return total_of(&rows[i]);
	return 0;
}

/* What page walks and waiting for bandwidth follow: misses of a cell, at first in windows. */
struct causes_of_waiting {
	uint64_t first;     /* misses of the first level */
	uint64_t transfers; /* see count_transfers() */
};

/* The transfers that the timing model counts, in thirds of one from memory: the last level is half
 * as fast again. */
static uint64_t count_transfers(const struct ms_engine_total_miss *rows, size_t n, unsigned levels)
{
	uint64_t memory = misses_of(rows, n, levels - 1);

	return memory + 2 * (levels > 1 ? misses_of(rows, n, levels - 2) : memory);
}

static struct causes_of_waiting find_causes(const struct ms_engine_total_miss *rows, size_t n,
					    unsigned levels)
{
	return (struct causes_of_waiting){ misses_of(rows, n, 0),
					   count_transfers(rows, n, levels) };
}

/* Many misses of windows are none in the program: caches are empty when a window opens. */
static void scale_timing(struct ms_engine_total_cell *cell, struct causes_of_waiting after,
			 struct causes_of_waiting before)
{
	double misses = ratio(after.first, before.first),
	       transfers = ratio(after.transfers, before.transfers);

	cell->walks = ms_estimate_scale_count(cell->walks, misses);
	cell->exposed_walks = ms_estimate_scale_count(cell->exposed_walks, misses);
	cell->waited_bytes = ms_estimate_scale_count(cell->waited_bytes, transfers);
}

/* The classes still add up to the misses of the first level. */
static void scale_dependences(struct ms_engine_total_cell *cell, uint64_t misses)
{
	uint64_t sum = 0, all = 0, done = 0;

	for (int i = 0; i < MS_ENGINE_DEPENDENCES; i++)
		all += cell->dependences[i];
	for (int i = 0; i < MS_ENGINE_DEPENDENCES; i++) {
		sum += cell->dependences[i];
		cell->dependences[i] = ms_estimate_scale_count(sum, ratio(misses, all)) - done;
		done += cell->dependences[i];
	}
}

/* The rounding error of a cell is carried over to the next cell of the same data. Otherwise
 * hundreds of cells with one use each could add up to more first uses than the data has lines. */
static uint64_t first_uses(struct extrapolation *s, const struct ms_engine_total_miss *m,
			   double exact)
{
	double *rest = &s->rest[group_of(s, m->cell, m->level)];
	uint64_t n = ms_round_u64(exact + *rest > 0 ? exact + *rest : 0);

	*rest += exact - (double)n;
	return n;
}

/* The rows of one cell, the last level first: a miss of a level has missed all levels before it. */
static void scale_cell(struct extrapolation *s, struct ms_engine_total_miss *rows, size_t n)
{
	uint64_t next_level = 0, next_level_seen = 0;
	const struct causes_of_waiting before_scaling = find_causes(rows, n, s->levels);

	for (size_t i = n; i-- > 0;) {
		struct ms_engine_total_miss *m = &rows[i];
		uint64_t answered = answered_of(m, next_level_seen);
		double first = s->first[(size_t)m->cell * s->levels + m->level];
		double unseen = (double)m->causes[MS_ENGINE_MISS_FIRST];
		double unknown = (double)s->unknown[m->level];
		double gone = s->evicted_share[cache_of(s, m->cell, m->level)];
		double before = s->of->sampling->ratio < 1
					? (1 - first) * (unseen - unknown + unknown * gone)
					: 0;
		const struct weights *w = miss_weights_of(s, m->cell, m->level);
		/* The program has at least the misses that were simulated. */
		double fresh = s->scale * w->unseen > 1 ? s->scale * w->unseen : 1;
		double weight = total_of(m) > 0 ? m->weighted / (double)total_of(m) : 0;
		uint64_t not_seen = ms_round_u64(before * fresh);

		next_level_seen = total_of(m);
		m->causes[MS_ENGINE_MISS_REPLACED] = ms_estimate_scale_count(
			m->causes[MS_ENGINE_MISS_REPLACED], s->scale * w->again);
		m->causes[MS_ENGINE_MISS_INVALIDATED] = ms_estimate_scale_count(
			m->causes[MS_ENGINE_MISS_INVALIDATED], s->scale * w->again);
		m->causes[MS_ENGINE_MISS_FIRST] = first_uses(s, m, unseen * first * fresh);
		if (total_of(m) + not_seen < next_level)
			not_seen = next_level - total_of(m);
		if (not_seen > 0)
			*ms_vec_add(&s->totals->replaced) =
				(struct ms_engine_total_pair){ m->cell, m->level,
							       s->of->unseen_data, not_seen };
		m->causes[MS_ENGINE_MISS_REPLACED] += not_seen;
		m->weighted = weight * (double)total_of(m);
		scale_answers(m, s->scale * w->all, next_level);
		scale_exposed(m, answered_of(m, next_level), answered);
		next_level = total_of(m);
	}
	/* Rounding may have made more misses than references. */
	struct ms_engine_total_cell *cell = &s->totals->cells.at[rows->cell];
	if (cell->references < next_level)
		cell->references = next_level;
	scale_dependences(cell, rows->level == 0 ? total_of(rows) : 0);
	scale_timing(cell, find_causes(rows, n, s->levels), before_scaling);
}

static void scale_misses(struct extrapolation *s)
{
	const struct ms_engine_windows_totals *sampled = s->sampled;
	struct ms_engine_totals *t = s->totals;
	size_t c = 0;

	for (size_t i = 0, to; i < t->misses.n; i = to) {
		uint32_t cell = t->misses.at[i].cell;

		for (to = i; to < t->misses.n && t->misses.at[to].cell == cell; to++)
			s->unknown[t->misses.at[to].level] = 0;
		for (; c < sampled->counts.n && sampled->counts.at[c].cell <= cell; c++)
			if (sampled->counts.at[c].cell == cell)
				s->unknown[sampled->counts.at[c].level] +=
					sampled->counts.at[c].unseen_unknown;
		scale_cell(s, &t->misses.at[i], to - i);
	}
}

/* For several processors. */
static void scale_sharing(struct extrapolation *s)
{
	struct ms_engine_totals *t = s->totals;

	for (size_t i = 0; i < t->sharing.n; i++) {
		struct ms_engine_total_sharing *row = &t->sharing.at[i];
		double scale = s->scale * miss_weights_of(s, row->cell, 0)->again;
		uint64_t *counts[] = { &row->truly, &row->falsely, &row->peer, &row->remote };

		for (size_t k = 0; k < MS_COUNT(counts); k++)
			*counts[k] = ms_estimate_scale_count(*counts[k], scale);
	}
}

static void scale_threads(struct extrapolation *s, const struct ms_estimate_scale *scale)
{
	struct ms_engine_totals *t = s->totals;
	double time = scale->time;

	for (size_t i = 0; i < t->threads.n; i++) {
		t->threads.at[i].instructions =
			ms_estimate_scale_count(t->threads.at[i].instructions, time);
		t->threads.at[i].references =
			ms_estimate_scale_count(t->threads.at[i].references, scale->references);
	}
	for (size_t i = 0; i < t->thread_misses.n; i++) {
		struct ms_engine_total_thread_miss *m = &t->thread_misses.at[i];

		m->misses = ms_estimate_scale_count(m->misses, s->scale);
		m->peer = ms_estimate_scale_count(m->peer, s->scale);
		m->remote = ms_estimate_scale_count(m->remote, s->scale);
	}
}

static int by_cell_level_other(const void *a, const void *b)
{
	const struct ms_engine_total_pair *x = a, *y = b;
	int c = ms_cmp_u64(x->cell, y->cell);

	if (c == 0)
		c = ms_cmp_u64(x->level, y->level);
	return c != 0 ? c : ms_cmp_u64(x->other, y->other);
}

void ms_estimate_extrapolate(const struct ms_estimate_input *input, struct ms_engine_totals *totals)
{
	const struct ms_engine_windows_totals *sampled = input->sampled;
	const struct ms_estimate_scale *scale = input->scale;
	unsigned levels = input->levels;
	size_t caches = sampled->levels.at[0].caches; /* later levels have no more */
	size_t n = input->data_count * levels * caches;
	struct extrapolation s = {
		.of = input,
		.totals = totals,
		.sampled = sampled,
		.scale = scale->counts,
		.ref_weights = ms_alloc((totals->cells.n + 1) * sizeof(double)),
		.miss_weights = ms_alloc((totals->cells.n + 1) * levels * sizeof(struct weights)),
		.levels = levels,
		.caches = caches,
		.unseen = ms_alloc(n * sizeof(double)),
		.first = ms_alloc((totals->cells.n + 1) * levels * sizeof(double)),
		.first_use_bound = ms_alloc(n * sizeof(double)),
		.rest = ms_alloc(n * sizeof(double)),
		.seen_before = ms_alloc(levels * caches * sizeof(struct ms_estimate_seen_before)),
		.evicted_share = ms_alloc(levels * caches * sizeof(double)),
		.unknown = ms_alloc(levels * sizeof(uint64_t)),
	};

	weigh_parts(&s, scale);
	if (input->codes == NULL)
		weigh_sites(&s);
	if (input->sampling->sets.every > 1)
		weigh_sets(&s);
	weigh_firsts(&s);
	for (size_t i = 0; i < totals->cells.n; i++) {
		struct ms_engine_total_cell *cell = &totals->cells.at[i];

		cell->references =
			ms_estimate_scale_count(cell->references, s.scale * s.ref_weights[i]);
		cell->upgrades =
			ms_estimate_scale_count(cell->upgrades, s.scale * s.ref_weights[i]);
	}
	scale_pairs(&s, totals->replaced.at, totals->replaced.n, true);
	scale_pairs(&s, totals->evictions.at, totals->evictions.n, false);
	scale_sharing(&s);
	scale_threads(&s, scale);
	scale_misses(&s);
	if (input->codes == NULL)
		ms_estimate_subtract_crossings(totals);
	else
		ms_estimate_add_unseen_sites(totals, input->refs, input->sites, scale->total,
					     input->unseen_data);
	if (totals->replaced.n > 1)
		qsort(totals->replaced.at, totals->replaced.n, sizeof(*totals->replaced.at),
		      by_cell_level_other);
	ms_free(s.sites);
	ms_free(s.ref_weights);
	ms_free(s.miss_weights);
	ms_free(s.unseen);
	ms_free(s.first);
	ms_free(s.first_use_bound);
	ms_free(s.rest);
	ms_free(s.seen_before);
	ms_free(s.evicted_share);
	ms_free(s.unknown);
}
