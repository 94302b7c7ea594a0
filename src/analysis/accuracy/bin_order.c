/*
 * analysis/accuracy/bin_order.c - decides for bins whose order differs between a sampled run and
 * the whole one whether the sampled run is wrong, or makes no claim.
 *
 * For a pair in the wrong order, the sampled run has more stall time for one bin than for the
 * other. It claims this order only where the 95 % interval of the difference is above 0. The
 * interval is computed as in intervals.c: all unknown references of the one hit, all of the other
 * miss; it includes the variation between parts of the windows, where executions between windows
 * were counted also without these counts; and the other bin may have three misses more, as any
 * entry. For a bin that is in no window the run makes no claim: short phases may be between
 * windows, and no interval includes them.
 */
#include <math.h>

#include "analysis/accuracy/accuracy_priv.h"
#include "analysis/confidence_intervals/part_weights.h"
#include "base/map.h"
#include "base/mem.h"

/* Stall time of a bin, in windows, by part. */
struct bin_stall {
	double low[MS_RUN_PARTS_MOST];
	double high[MS_RUN_PARTS_MOST];
};

/* By what references of each cell stand for. */
struct weighted_stall {
	struct bin_stall *stalls; /* by number */
	double references[MS_RUN_PARTS_MOST];
};

struct bin_order {
	const struct ms_accuracy *a;
	const struct ms_run *run; /* the sampled one */
	struct ms_map bins;       /* code and data to the number in the list */
	struct weighted_stall counted;
	struct weighted_stall windows_only; /* stalls NULL: the same */
};

static uint32_t bin_of(const struct bin_order *o, uint32_t cell)
{
	const struct ms_run_cell *c = &o->run->cells.at[cell];
	uint32_t line = o->run->sites.at[c->site].line;

	return ms_map_get(&o->bins, (uint64_t)o->run->lines.at[line].code << 32 | c->data, 0);
}

static void list_bins(struct bin_order *o)
{
	for (uint32_t i = 0; i < o->a->bins.n; i++) {
		uint32_t rank = o->a->bins.at[i].sampled_rank;

		if (rank == 0)
			continue;
		const struct ms_summary_entry *e = &o->a->sampled_summary.bins.at.at[rank - 1];
		*ms_map_at(&o->bins, (uint64_t)e->code << 32 | e->data, 0) = i;
	}
}

static void add_up(const struct bin_order *o, const double *cells, struct weighted_stall *w)
{
	w->stalls = ms_alloc((o->a->bins.n + 1) * sizeof(*w->stalls));
	for (size_t i = 0; i < o->run->sampled_references.n; i++) {
		const struct ms_run_sampled_reference *r = &o->run->sampled_references.at[i];

		w->references[r->part] += cells[r->cell] * (double)r->references;
	}
	for (size_t i = 0; i < o->run->sampled_misses.n; i++) {
		const struct ms_run_sampled_miss *m = &o->run->sampled_misses.at[i];
		uint32_t bin = bin_of(o, m->cell);
		double low, high;

		if (bin == MS_MAP_NONE)
			continue;
		ms_intervals_part_stall(&o->a->sampled_summary, m, &low, &high);
		w->stalls[bin].low[m->part] += cells[m->cell] * low;
		w->stalls[bin].high[m->part] += cells[m->cell] * high;
	}
}

static void weigh(struct bin_order *o)
{
	double *cells = ms_intervals_cell_factors(o->run),
	       *ones = ms_intervals_unit_factors(o->run, cells);

	add_up(o, cells, &o->counted);
	if (ones != NULL)
		add_up(o, ones, &o->windows_only);
	ms_free(cells);
	ms_free(ones);
}

/* More stall time, whatever is not known. */
static bool is_surely_more(const struct bin_order *o, const struct weighted_stall *w, size_t one,
			   size_t other)
{
	double difference[MS_RUN_PARTS_MOST], references = 0;
	double sum = -ms_intervals_unobserved(o->run) *
		     ms_intervals_max_miss_cost(&o->a->sampled_summary);

	for (uint32_t p = 0; p < MS_RUN_PARTS_MOST; p++) {
		double weight = ms_intervals_part_weight(o->run, p);

		difference[p] = w->stalls[one].low[p] - w->stalls[other].high[p];
		sum += weight * difference[p];
		references += weight * w->references[p];
	}
	double spread = ms_intervals_half_width(o->run, difference, w->references);
	return references > 0 && !isnan(spread) && sum / references - spread > 0;
}

static bool is_claimed(const struct bin_order *o, size_t one, size_t other)
{
	return is_surely_more(o, &o->counted, one, other) &&
	       (o->windows_only.stalls == NULL || is_surely_more(o, &o->windows_only, one, other));
}

static bool is_before(const struct ms_accuracy_bin *one, const struct ms_accuracy_bin *other)
{
	return one->sampled_rank != 0 &&
	       (other->sampled_rank == 0 || one->sampled_rank < other->sampled_rank);
}

void ms_accuracy_judge_order(struct ms_accuracy *a)
{
	struct bin_order o = { .a = a, .run = a->sampled, .bins = MS_MAP_INIT };

	list_bins(&o);
	weigh(&o);
	/* With several processors, the cost of a miss depends on what answers, which is not known
	 * by part. */
	a->judged = a->sampled->processors <= 1;
	for (size_t i = 0; i < a->bins.n; i++) {
		for (size_t k = i + 1; k < a->bins.n; k++) {
			if (!is_before(&a->bins.at[k], &a->bins.at[i]))
				continue;
			bool in_window = a->bins.at[i].sampled_rank != 0;

			a->swapped++;
			a->unclaimed += !in_window;
			a->wrong += in_window && a->judged && is_claimed(&o, k, i);
		}
	}
	ms_map_free(&o.bins);
	ms_free(o.counted.stalls);
	ms_free(o.windows_only.stalls);
}
