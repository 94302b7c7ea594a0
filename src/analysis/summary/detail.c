#include "analysis/summary/detail.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/summary/select.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"

static bool *make_flags(bool **chosen, size_t all)
{
	if (*chosen == NULL)
		*chosen = ms_alloc(all * sizeof(**chosen));
	return *chosen;
}

static int choose(struct ms_summary_detail *d, const struct ms_summary_entries *entries, size_t all,
		  const char *const *names, size_t n, bool **chosen, struct ms_err *err)
{
	if (n == 0)
		return MS_OK;
	return ms_summary_select(entries, names, n, make_flags(chosen, all), &d->remarks, err);
}

static int choose_either(struct ms_summary_detail *d, const struct ms_run *run, const char *name,
			 struct ms_err *err)
{
	bool is_code = false;

	MS_TRY(ms_summary_select_either(&d->whole.data, &d->whole.code, name, &is_code, &d->remarks,
					err));
	if (is_code)
		return choose(d, &d->whole.code, run->codes.n, &name, 1, &d->code, err);
	return choose(d, &d->whole.data, run->data.n, &name, 1, &d->data, err);
}

/* The bin that stalls the most, or everything in a run without references. */
static void choose_worst(struct ms_summary_detail *d, const struct ms_run *run)
{
	if (d->whole.bins.at.n == 0)
		return;
	d->code = ms_alloc(run->codes.n * sizeof(*d->code));
	d->data = ms_alloc(run->data.n * sizeof(*d->data));
	d->code[d->whole.bins.at.at[0].code] = true;
	d->data[d->whole.bins.at.at[0].data] = true;
}

static void add_elapsed(struct ms_summary_detail *d)
{
	if (d->code == NULL) {
		d->elapsed_compute = d->whole.total.counts.compute;
		d->elapsed_stall = ms_summary_rw_sum(d->whole.total.counts.stall);
		return;
	}
	for (size_t i = 0; i < d->whole.code.at.n; i++) {
		const struct ms_summary_entry *entry = &d->whole.code.at.at[i];

		if (!d->code[entry->code])
			continue;
		d->elapsed_compute += entry->counts.compute;
		d->elapsed_stall += ms_summary_rw_sum(entry->counts.stall);
	}
}

static void add_replacers(struct ms_summary_detail *d, const struct ms_run *run)
{
	size_t n = run->levels.n * run->data.n;
	uint64_t *counts = ms_alloc(n * sizeof(*counts));

	for (size_t i = 0; i < d->part.bins.at.n; i++) {
		const struct ms_summary_entry *bin = &d->part.bins.at.at[i];

		for (size_t k = 0; k < bin->replaced_by.n; k++) {
			const struct ms_summary_evictor *r = &bin->replaced_by.at[k];

			counts[r->level * run->data.n + r->data] += r->count;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (counts[i] > 0)
			*ms_vec_add(&d->replaced_by) = (struct ms_summary_evictor){
				(uint32_t)(i / run->data.n), (uint32_t)(i % run->data.n), counts[i]
			};
	ms_free(counts);
	ms_summary_sort_evictors(run, d->replaced_by.at, d->replaced_by.n);
}

static bool is_chosen(const struct ms_summary_detail *d, const struct ms_run *run, uint32_t cell)
{
	const struct ms_run_cell *c = &run->cells.at[cell];
	uint32_t code = run->lines.at[run->sites.at[c->site].line].code;

	return (d->code == NULL || d->code[code]) && (d->data == NULL || d->data[c->data]);
}

static int compare_invalidators(const void *a, const void *b, void *run)
{
	const struct ms_summary_invalidator *x = a, *y = b;
	const struct ms_run *r = run;
	int order = ms_cmp_u64(y->truly + y->falsely, x->truly + x->falsely);

	if (order == 0)
		order = ms_cmp_u64(x->processor, y->processor);
	if (order == 0)
		order = strcmp(r->codes.at[x->code].name, r->codes.at[y->code].name);
	if (order == 0)
		order = strcmp(r->data.at[x->data].name, r->data.at[y->data].name);
	return order != 0 ? order : ms_cmp_u64(x->code, y->code);
}

static void add_invalidators(struct ms_summary_detail *d, const struct ms_run *run)
{
	struct ms_map seen = MS_MAP_INIT; /* (code and data, processor) -> invalidated_by */

	for (size_t i = 0; i < run->sharing.n; i++) {
		const struct ms_run_sharing *s = &run->sharing.at[i];
		const struct ms_run_cell *writer = &run->cells.at[s->writer];
		uint32_t code = run->lines.at[run->sites.at[writer->site].line].code;

		if (!is_chosen(d, run, s->cell))
			continue;
		uint32_t *slot =
			ms_map_at(&seen, (uint64_t)code << 32 | writer->data, writer->processor);
		if (*slot == MS_MAP_NONE) {
			*slot = (uint32_t)d->invalidated_by.n;
			*ms_vec_add(&d->invalidated_by) =
				(struct ms_summary_invalidator){ writer->processor, code,
								 writer->data, 0, 0 };
		}
		d->invalidated_by.at[*slot].truly += s->truly;
		d->invalidated_by.at[*slot].falsely += s->falsely;
	}
	ms_map_free(&seen);
	if (d->invalidated_by.n > 1)
		qsort_r(d->invalidated_by.at, d->invalidated_by.n, sizeof(*d->invalidated_by.at),
			compare_invalidators, (void *)(uintptr_t)run);
}

static int make(struct ms_summary_detail *d, const struct ms_run *run,
		const struct ms_summary_detail_wanted *wanted, const char *latency,
		struct ms_err *err)
{
	MS_TRY(choose(d, &d->whole.code, run->codes.n, wanted->code, wanted->n_code, &d->code,
		      err));
	MS_TRY(choose(d, &d->whole.data, run->data.n, wanted->data, wanted->n_data, &d->data, err));
	for (size_t i = 0; i < wanted->n_names; i++)
		MS_TRY(choose_either(d, run, wanted->names[i], err));
	if (wanted->n_code + wanted->n_data + wanted->n_names == 0)
		choose_worst(d, run);

	struct ms_summary_selection selection = { d->code, d->data };
	MS_TRY(ms_summary_make(&d->part, run, &selection, latency, err));
	add_elapsed(d);
	add_replacers(d, run);
	add_invalidators(d, run);
	return MS_OK;
}

int ms_summary_detail_make(struct ms_summary_detail *detail, const struct ms_run *run,
			   const struct ms_summary_detail_wanted *wanted, const char *latency,
			   struct ms_err *err)
{
	*detail = (struct ms_summary_detail){ .remarks = MS_TEXT_INIT };
	MS_TRY(ms_summary_make(&detail->whole, run, NULL, latency, err));
	int code = make(detail, run, wanted, latency, err);
	if (code != MS_OK)
		ms_summary_detail_free(detail);
	return code;
}

void ms_summary_detail_free(struct ms_summary_detail *detail)
{
	ms_summary_free(&detail->whole);
	ms_summary_free(&detail->part);
	ms_free(detail->code);
	ms_free(detail->data);
	ms_text_free(&detail->remarks);
	ms_vec_free(&detail->replaced_by);
	ms_vec_free(&detail->invalidated_by);
}
