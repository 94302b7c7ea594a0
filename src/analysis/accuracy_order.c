/*
 * analysis/accuracy_order.c - bins that a sampled run has in another order than the whole one: is
 * it wrong, or does it not claim to know?
 *
 * Of a pair in the wrong order the sampled run says that the one has more stall time than the
 * other. It claims so only where the 95 % interval of the difference, as intervals.c makes those of
 * each, is above 0: all unknown references of the one hit, all of the other miss, and parts of the
 * windows differ as they do. Of a bin that no window has met it says nothing: short phases lie
 * between windows, and no interval tells of them.
 */
#include <math.h>

#include "analysis/accuracy_priv.h"
#include "analysis/estimate_priv.h"
#include "base/map.h"
#include "base/mem.h"

/* Stall time of a bin, in windows, by part. */
struct stall {
	double low[MS_RUN_PARTS_MOST];
	double high[MS_RUN_PARTS_MOST];
};

struct order {
	const struct ms_accuracy *a;
	const struct ms_run *run; /* the sampled one */
	struct ms_map bins;       /* code and data to the number in the list */
	struct stall *stalls;     /* by number */
	double references[MS_RUN_PARTS_MOST];
};

static uint32_t bin_of(const struct order *o, uint32_t cell)
{
	const struct ms_run_cell *c = &o->run->cells.at[cell];
	uint32_t line = o->run->sites.at[c->site].line;

	return ms_map_get(&o->bins, (uint64_t)o->run->lines.at[line].code << 32 | c->data, 0);
}

static void list_bins(struct order *o)
{
	for (uint32_t i = 0; i < o->a->bins.n; i++) {
		uint32_t rank = o->a->bins.at[i].sampled_rank;

		if (rank == 0)
			continue;
		const struct ms_entry *e = &o->a->sampled_summary.bins.at.at[rank - 1];
		*ms_map_at(&o->bins, (uint64_t)e->code << 32 | e->data, 0) = i;
	}
}

static void add_up(struct order *o)
{
	double *cells = ms_estimate_cells(o->run);

	for (size_t i = 0; i < o->run->sampled_references.n; i++) {
		const struct ms_run_sampled_reference *r = &o->run->sampled_references.at[i];

		o->references[r->part] += cells[r->cell] * (double)r->references;
	}
	for (size_t i = 0; i < o->run->sampled_misses.n; i++) {
		const struct ms_run_sampled_miss *m = &o->run->sampled_misses.at[i];
		uint32_t bin = bin_of(o, m->cell);
		double low, high;

		if (bin == MS_MAP_NONE)
			continue;
		ms_estimate_stall(&o->a->sampled_summary, m, &low, &high);
		o->stalls[bin].low[m->part] += cells[m->cell] * low;
		o->stalls[bin].high[m->part] += cells[m->cell] * high;
	}
	ms_free(cells);
}

/* More stall time, whatever is not known. */
static bool is_surely_more(const struct order *o, size_t one, size_t other)
{
	double difference[MS_RUN_PARTS_MOST], sum = 0, references = 0;

	for (uint32_t p = 0; p < MS_RUN_PARTS_MOST; p++) {
		double weight = ms_estimate_weight(o->run, p);

		difference[p] = o->stalls[one].low[p] - o->stalls[other].high[p];
		sum += weight * difference[p];
		references += weight * o->references[p];
	}
	double spread = ms_estimate_spread(o->run, difference, o->references);
	return references > 0 && !isnan(spread) && sum / references - spread > 0;
}

static bool is_before(const struct ms_accuracy_bin *one, const struct ms_accuracy_bin *other)
{
	return one->sampled_rank != 0 &&
	       (other->sampled_rank == 0 || one->sampled_rank < other->sampled_rank);
}

void ms_accuracy_order(struct ms_accuracy *a)
{
	struct order o = { .a = a,
			   .run = a->sampled,
			   .bins = MS_MAP_INIT,
			   .stalls = ms_alloc((a->bins.n + 1) * sizeof(struct stall)) };

	list_bins(&o);
	add_up(&o);
	/* Of several processors others may answer: what a miss costs is not known by part. */
	a->judged = a->sampled->processors <= 1;
	for (size_t i = 0; i < a->bins.n; i++) {
		for (size_t k = i + 1; k < a->bins.n; k++) {
			if (!is_before(&a->bins.at[k], &a->bins.at[i]))
				continue;
			bool met = a->bins.at[i].sampled_rank != 0;

			a->swapped++;
			a->unmet += !met;
			a->wrong += met && a->judged && is_surely_more(&o, k, i);
		}
	}
	ms_map_free(&o.bins);
	ms_free(o.stalls);
}
