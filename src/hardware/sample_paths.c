/*
 * hardware/sample_paths.c - see sample_paths.h.
 *
 * At the end of the program the time of a site and data is corrected: time of hits is subtracted,
 * and samples of blocks that were not recorded get their data. So what was observed by context is
 * taken as shares of the time that is left.
 */
#include "hardware/sample_paths.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "hardware/hardware.h"

void ms_hardware_paths_close(struct ms_hardware_paths *p)
{
	ms_map_free(&p->context_of);
	ms_vec_free(&p->contexts);
	ms_vec_free(&p->pending);
	ms_map_free(&p->row_of);
	ms_vec_free(&p->rows);
}

/* --- contexts --- */

static bool is_same_pc(struct ms_bins_bound_pc a, struct ms_bins_bound_pc b)
{
	return a.module == b.module && a.offset == b.offset;
}

/* Recursion: the context of the outermost call of the same instruction; MS_NONE: there is none. */
static uint32_t find_outer(const struct ms_hardware_paths *p, uint32_t context,
			   struct ms_bins_bound_pc call)
{
	uint32_t found = MS_NONE;

	for (; context >= MS_PATH_CALL; context = p->contexts.at[context].parent)
		if (is_same_pc(p->contexts.at[context].call, call))
			found = context;
	return found;
}

uint32_t ms_hardware_add_call(struct ms_hardware_paths *p, uint32_t context,
			      struct ms_bins_bound_pc call)
{
	uint32_t outer = find_outer(p, context, call);

	p->are_known = true;
	if (context == MS_PATH_OTHER || outer != MS_NONE)
		return context == MS_PATH_OTHER ? context : outer;
	while (p->contexts.n < MS_PATH_CALL)
		*ms_vec_add(&p->contexts) = (struct ms_name_context){ .parent = MS_NONE };
	uint32_t *slot =
		ms_map_at(&p->context_of, (uint64_t)context << 32 | call.module, call.offset);
	if (*slot == MS_MAP_NONE) {
		if (p->contexts.n >= MS_HARDWARE_MAX_CONTEXTS) {
			*slot = MS_PATH_OTHER;
			return MS_PATH_OTHER;
		}
		*slot = (uint32_t)p->contexts.n;
		*ms_vec_add(&p->contexts) = (struct ms_name_context){ context, call };
	}
	return *slot;
}

void ms_hardware_set_context(struct ms_hardware_paths *p, uint32_t thread, uint32_t context)
{
	while (p->pending.n <= thread)
		*ms_vec_add(&p->pending) = MS_PATH_ROOT;
	p->pending.at[thread] = context;
}

uint32_t ms_hardware_take_context(struct ms_hardware_paths *p, uint32_t thread)
{
	if (thread >= p->pending.n)
		return MS_PATH_ROOT;
	uint32_t context = p->pending.at[thread];

	p->pending.at[thread] = MS_PATH_ROOT;
	return context;
}

void ms_hardware_count_context(struct ms_hardware_paths *p, uint32_t context, uint32_t site,
			       uint32_t data, uint64_t latency)
{
	uint32_t *slot = ms_map_at(&p->row_of, (uint64_t)site << 32 | data, context);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)p->rows.n;
		*ms_vec_add(&p->rows) = (struct ms_hardware_path_row){ site, data, context, 0 };
	}
	p->rows.at[*slot].latency += latency;
}

/* --- the run --- */

struct path_times {
	const struct ms_hardware_paths *paths;
	struct ms_run *run;
	const struct ms_hardware_site *sites;
	struct ms_name_paths names;
	struct ms_map row_of; /* (path, line and data) to path_misses */
};

static int by_site_data_context(const void *a, const void *b)
{
	const struct ms_hardware_path_row *x = a, *y = b;
	int order = ms_cmp_u64(x->site, y->site);

	if (order == 0)
		order = ms_cmp_u64(x->data, y->data);
	return order != 0 ? order : ms_cmp_u64(x->context, y->context);
}

/* The rows of a site and data; data is MS_NONE: of the site. Returns their number. */
static size_t find_rows(const struct ms_hardware_paths *p, uint32_t site, uint32_t data,
			size_t *first)
{
	size_t low = 0, high = p->rows.n, n = 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct ms_hardware_path_row *row = &p->rows.at[mid];

		if (row->site < site || (data != MS_NONE && row->site == site && row->data < data))
			low = mid + 1;
		else
			high = mid;
	}
	*first = low;
	while (low + n < p->rows.n && p->rows.at[low + n].site == site &&
	       (data == MS_NONE || p->rows.at[low + n].data == data))
		n++;
	return n;
}

static void add_to_path(struct path_times *s, uint32_t path, uint32_t line, uint32_t data,
			uint64_t latency)
{
	uint32_t *slot = ms_map_at(&s->row_of, path, (uint64_t)line << 32 | data);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)s->run->path_misses.n;
		*ms_vec_add(&s->run->path_misses) =
			(struct ms_run_path_miss){ path, line, data, MS_PATH_LATENCY, 0 };
	}
	s->run->path_misses.at[*slot].misses += latency;
}

/* Each context takes its share of what is left, so that nothing is left after the last one. */
static void divide(struct path_times *s, const struct ms_hardware_row *row, uint32_t line,
		   uint32_t data)
{
	const struct ms_hardware_site *site = &s->sites[row->site];
	const struct ms_bins_bound_pc pc = { site->module, site->offset };
	bool is_alike = row->sureness == MS_SURE_ALIKE;
	size_t first, n = find_rows(s->paths, row->site, is_alike ? MS_NONE : row->data, &first);
	uint64_t all = 0, left = row->latency;

	if (n == 0)
		n = find_rows(s->paths, row->site, MS_NONE, &first);
	for (size_t i = first; i < first + n; i++)
		all += s->paths->rows.at[i].latency;
	for (size_t i = first; i < first + n && left > 0; i++) {
		const struct ms_hardware_path_row *from = &s->paths->rows.at[i];
		uint64_t share =
			from->latency == all
				? left
				: (uint64_t)((double)left * (double)from->latency / (double)all +
					     0.5);

		share = share < left ? share : left;
		all -= from->latency;
		left -= share;
		add_to_path(s, ms_name_path_to(&s->names, from->context, pc), line, data, share);
	}
	if (left > 0)
		add_to_path(s, MS_PATH_OTHER, line, data, left);
}

/* Compute time has no data, and no path. */
static void divide_rows(struct path_times *s, const struct ms_hardware *h)
{
	size_t sample = 0;

	for (size_t i = 0; i < h->rows.n; i++) {
		if (h->rows.at[i].data == MS_NONE)
			continue;
		const struct ms_run_cell *cell =
			&s->run->cells.at[s->run->hardware_samples.at[sample++].cell];

		divide(s, &h->rows.at[i], s->run->sites.at[cell->site].line, cell->data);
	}
}

void ms_hardware_add_paths(struct ms_hardware *h, struct ms_name_state *naming)
{
	struct ms_hardware_paths *p = &h->paths;

	if (!p->are_known || p->rows.n == 0)
		return;
	qsort(p->rows.at, p->rows.n, sizeof(*p->rows.at), by_site_data_context);
	struct path_times s = { .paths = p, .run = naming->run, .sites = h->sites.at };

	ms_name_open_paths(&s.names, naming, p->contexts.at, p->contexts.n);
	divide_rows(&s, h);
	ms_name_finish_paths(naming->run);
	ms_map_free(&s.row_of);
	ms_name_close_paths(&s.names);
}
