/* analysis/line_use/access_kind.c - see access_kind.h. */
#include "analysis/line_use/access_kind.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"

/*
 * Strides of all sites, in references: those of a site that were observed stand for all of its
 * references. Executions that are observed are not the same share of each site's.
 */
enum { MAX_STRIDES = 64 };

struct stride_sum {
	uint32_t stride;
	double count;
};

struct strides {
	struct stride_sum at[MAX_STRIDES];
	uint32_t n;
	double all;
	double unobserved; /* references of sites without an observed stride */
	double others;
	double sequential;
};

static void add_stride(struct strides *strides, uint32_t distance, uint32_t size, double count)
{
	int64_t stride = (int32_t)distance;
	uint32_t i = 0;

	strides->all += count;
	if (distance != MS_RUN_OTHER_STRIDES && stride >= -(int64_t)size && stride <= (int64_t)size)
		strides->sequential += count;
	while (i < strides->n && strides->at[i].stride != distance)
		i++;
	if (distance == MS_RUN_OTHER_STRIDES || i == MAX_STRIDES) {
		strides->others += count;
		return;
	}
	if (i == strides->n)
		strides->at[strides->n++] = (struct stride_sum){ .stride = distance };
	strides->at[i].count += count;
}

/* `row`: the first stride of its site; they are together. Returns the row after the last one. */
static size_t add_site_strides(struct strides *strides, const struct ms_run *run, size_t row,
			       uint64_t references)
{
	const uint32_t site = run->strides.at[row].site;
	uint64_t observed = 0;
	size_t end = row;

	for (; end < run->strides.n && run->strides.at[end].site == site; end++)
		observed += run->strides.at[end].count;
	for (; row < end; row++)
		if (references > 0 && observed > 0)
			add_stride(strides, run->strides.at[row].stride, run->sites.at[site].size,
				   (double)references * (double)run->strides.at[row].count /
					   (double)observed);
	return end;
}

/* Sites that were not observed may have any strides. */
static bool is_known(const struct strides *strides)
{
	return strides->all > strides->unobserved;
}

static void describe(const struct strides *strides, struct ms_line_use_access *access)
{
	double most = 0;

	if (!is_known(strides))
		return;
	for (uint32_t i = 0; i < strides->n; i++) {
		access->number += strides->at[i].count * 100 >= strides->all;
		if (strides->at[i].count > most) {
			most = strides->at[i].count;
			access->stride = (int32_t)strides->at[i].stride;
		}
	}
	access->share = strides->all > 0 ? most / strides->all : 0;
}

/* Addresses that depend on loads come before strides: a chain can be in order by chance. */
static enum ms_line_use_kind find_kind(const struct strides *strides,
				       const struct ms_line_use_access *access,
				       const uint64_t dependences[MS_RUN_DEPENDENCES])
{
	enum { FEW = 4 };
	uint64_t misses = 0;

	for (int i = 0; i < MS_RUN_DEPENDENCES; i++)
		misses += dependences[i];
	if (2 * dependences[MS_RUN_DEPENDENCE_CHAINED] > misses)
		return MS_LINE_USE_CHAIN;
	if (2 * (dependences[MS_RUN_DEPENDENCE_LED] + dependences[MS_RUN_DEPENDENCE_CHAINED]) >
	    misses)
		return MS_LINE_USE_GATHER;
	if (!is_known(strides))
		return MS_LINE_USE_UNKNOWN;
	if (2 * strides->sequential > strides->all)
		return MS_LINE_USE_SEQUENTIAL;
	return 2 * strides->others > strides->all || (access->share < 0.5 && access->number > FEW)
		       ? MS_LINE_USE_IRREGULAR
		       : MS_LINE_USE_STRIDED;
}

/* `references` by site. */
static struct ms_line_use_access find_access(const struct ms_run *run, const uint64_t *references,
					     const uint64_t dependences[MS_RUN_DEPENDENCES])
{
	struct ms_line_use_access access = { .kind = MS_LINE_USE_UNKNOWN };
	struct strides strides = { .n = 0 };

	for (size_t i = 0; i < run->sites.n; i++)
		strides.unobserved += (double)references[i];
	for (size_t i = 0; i < run->strides.n;) {
		uint32_t site = run->strides.at[i].site;

		strides.unobserved -= (double)references[site];
		i = add_site_strides(&strides, run, i, references[site]);
	}
	describe(&strides, &access);
	access.kind = find_kind(&strides, &access, dependences);
	return access;
}

static void add_dependences(uint64_t sum[MS_RUN_DEPENDENCES], const struct ms_run_cell *cell)
{
	for (int i = 0; i < MS_RUN_DEPENDENCES; i++)
		sum[i] += cell->dependences[i];
}

void ms_line_use_counts_make(struct ms_line_use_counts *counts, const struct ms_run *run)
{
	*counts = (struct ms_line_use_counts){
		.references = ms_alloc((run->sites.n + 1) * sizeof(*counts->references)),
	};
}

void ms_line_use_count_cell(struct ms_line_use_counts *counts, const struct ms_run_cell *cell)
{
	counts->references[cell->site] += cell->references;
	add_dependences(counts->dependences, cell);
}

struct ms_line_use_access ms_line_use_counts_end(struct ms_line_use_counts *counts,
						 const struct ms_run *run)
{
	struct ms_line_use_access access =
		find_access(run, counts->references, counts->dependences);

	ms_free(counts->references);
	return access;
}

struct ms_line_use_access ms_line_use_find_access(const struct ms_run *run, const bool *code,
						  const bool *data)
{
	struct ms_line_use_counts counts;

	ms_line_use_counts_make(&counts, run);
	for (size_t i = 0; i < run->cells.n; i++) {
		const struct ms_run_cell *cell = &run->cells.at[i];
		uint32_t line = run->sites.at[cell->site].line;

		if ((code == NULL || code[run->lines.at[line].code]) &&
		    (data == NULL || data[cell->data]))
			ms_line_use_count_cell(&counts, cell);
	}
	return ms_line_use_counts_end(&counts, run);
}

/* --- of all data at once: a pass over the cells for each would take long in large runs --- */

/* A cell has references of `site` to `data`. */
struct site_of_data {
	uint32_t data, site;
	uint64_t references;
};

struct sites_of_data {
	MS_VEC(struct site_of_data) at;
};

static int by_data_site(const void *a, const void *b)
{
	const struct site_of_data *x = a, *y = b;

	return x->data != y->data ? ms_cmp_u64(x->data, y->data) : ms_cmp_u64(x->site, y->site);
}

static void collect_sites(struct sites_of_data *sites, const struct ms_run *run)
{
	for (size_t i = 0; i < run->cells.n; i++)
		*ms_vec_add(&sites->at) =
			(struct site_of_data){ run->cells.at[i].data, run->cells.at[i].site,
					       run->cells.at[i].references };
	if (sites->at.n > 0)
		qsort(sites->at.at, sites->at.n, sizeof(*sites->at.at), by_data_site);
}

/* Strides of a site are together. */
static uint32_t *index_strides(const struct ms_run *run)
{
	uint32_t *first = ms_alloc((run->sites.n + 1) * sizeof(*first));

	for (size_t i = 0; i < run->sites.n; i++)
		first[i] = MS_NONE;
	for (size_t i = run->strides.n; i-- > 0;)
		first[run->strides.at[i].site] = (uint32_t)i;
	return first;
}

void ms_line_use_find_access_by_data(const struct ms_run *run, struct ms_line_use_access *access)
{
	struct sites_of_data sites = { MS_VEC_INIT };
	uint32_t *first = index_strides(run);
	uint64_t(*dependences)[MS_RUN_DEPENDENCES] =
		ms_alloc((run->data.n + 1) * sizeof(*dependences));

	collect_sites(&sites, run);
	for (size_t i = 0; i < run->cells.n; i++)
		add_dependences(dependences[run->cells.at[i].data], &run->cells.at[i]);
	for (size_t d = 0, i = 0; d < run->data.n; d++) {
		struct strides strides = { .n = 0 };

		while (i < sites.at.n && sites.at.at[i].data == d) {
			uint32_t site = sites.at.at[i].site;
			uint64_t references = 0;

			for (; i < sites.at.n && sites.at.at[i].data == d &&
			       sites.at.at[i].site == site;
			     i++)
				references += sites.at.at[i].references;
			if (first[site] != MS_NONE)
				add_site_strides(&strides, run, first[site], references);
			else
				strides.unobserved += (double)references;
		}
		access[d] = (struct ms_line_use_access){ .kind = MS_LINE_USE_UNKNOWN };
		describe(&strides, &access[d]);
		access[d].kind = find_kind(&strides, &access[d], dependences[d]);
	}
	ms_free(dependences);
	ms_free(first);
	ms_vec_free(&sites.at);
}

struct ms_line_use_access ms_line_use_find_site_access(const struct ms_run *run, uint32_t site)
{
	uint64_t *references = ms_alloc((run->sites.n + 1) * sizeof(*references));
	uint64_t dependences[MS_RUN_DEPENDENCES] = { 0 };

	for (size_t i = 0; i < run->cells.n; i++)
		if (run->cells.at[i].site == site) {
			references[site] += run->cells.at[i].references;
			add_dependences(dependences, &run->cells.at[i]);
		}
	struct ms_line_use_access access = find_access(run, references, dependences);
	ms_free(references);
	return access;
}

const char *ms_line_use_kind_word(enum ms_line_use_kind kind)
{
	static const char *const words[MS_LINE_USE_KINDS] = {
		[MS_LINE_USE_UNKNOWN] = "unknown", [MS_LINE_USE_SEQUENTIAL] = "sequential",
		[MS_LINE_USE_STRIDED] = "strided", [MS_LINE_USE_GATHER] = "gather",
		[MS_LINE_USE_CHAIN] = "chain",     [MS_LINE_USE_IRREGULAR] = "irregular",
	};

	return words[kind];
}
