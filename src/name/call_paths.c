/*
 * name/call_paths.c - the call paths of a run: contexts of the engine whose calls are on the same
 * line become one path. Inlined functions are on the path, as if they had been called.
 *
 * For each line, data and level, the misses of all paths add up to those of the cells. Where they
 * were extrapolated, the misses of paths are scaled with them.
 */
#include <stdlib.h>

#include "base/num.h"
#include "name/name_priv.h"

/* Misses of one line and data at one level. */
struct line_misses {
	uint64_t cells; /* of the run's cells ... */
	uint64_t paths; /* ... and of its paths, before they are scaled */
	uint64_t left;  /* of those: not scaled yet */
	uint64_t to_give;
};

struct path_sums {
	struct ms_name_state *naming;
	struct ms_map row_of;    /* (path and level, line and data) to rows */
	struct ms_map misses_of; /* (level, line and data) to misses */
	MS_VEC(struct line_misses) misses;
};

/* --- paths --- */

static uint32_t add_path(struct ms_name_paths *p, uint32_t parent, uint32_t line)
{
	struct ms_run *run = p->naming->run;
	uint32_t *path = ms_map_at(&p->number, parent, line);

	if (*path == MS_MAP_NONE) {
		*path = (uint32_t)run->paths.n;
		*ms_vec_add(&run->paths) = (struct ms_run_path){ parent, line, MS_PATH_CALL };
	}
	return *path;
}

/* The functions that the one of this instruction was inlined into call it. */
static uint32_t add_inliners(struct ms_name_paths *p, uint32_t path, struct ms_bins_bound_pc pc)
{
	const uint32_t *lines;
	size_t n = ms_name_codes_inliners(&p->naming->code, pc, &lines);

	for (size_t i = 0; i < n; i++)
		path = add_path(p, path, lines[i]);
	return path;
}

_Static_assert((int)MS_ENGINE_ROOT_CONTEXT == (int)MS_PATH_ROOT &&
		       (int)MS_ENGINE_OTHER_CONTEXTS == (int)MS_PATH_OTHER &&
		       (int)MS_ENGINE_SPECIAL_CONTEXTS == (int)MS_PATH_CALL,
	       "the first paths are the special contexts");

void ms_name_open_paths(struct ms_name_paths *p, struct ms_name_state *naming,
			const struct ms_name_context *contexts, size_t n)
{
	*p = (struct ms_name_paths){ .naming = naming };
	p->of_context = ms_alloc((n + 1) * sizeof(*p->of_context));
	for (uint32_t i = 0; i < n; i++) {
		const struct ms_name_context *at = &contexts[i];

		if (i >= MS_PATH_CALL) {
			uint32_t caller = add_inliners(p, p->of_context[at->parent], at->call);

			p->of_context[i] = add_path(p, caller, ms_name_line(naming, at->call));
			continue;
		}
		p->of_context[i] = i;
		*ms_vec_add(&naming->run->paths) = (struct ms_run_path){ MS_NONE, MS_NONE, i };
	}
}

uint32_t ms_name_path_to(struct ms_name_paths *p, uint32_t context, struct ms_bins_bound_pc pc)
{
	uint32_t path = p->of_context[context];

	return path == MS_PATH_OTHER ? path : add_inliners(p, path, pc);
}

void ms_name_close_paths(struct ms_name_paths *p)
{
	ms_map_free(&p->number);
	ms_free(p->of_context);
}

static void open_paths(struct ms_name_paths *p, struct ms_name_state *naming,
		       const struct ms_engine_totals *t)
{
	struct ms_name_context *contexts = ms_alloc((t->contexts.n + 1) * sizeof(*contexts));

	for (size_t i = MS_ENGINE_SPECIAL_CONTEXTS; i < t->contexts.n; i++)
		contexts[i] = (struct ms_name_context){
			t->contexts.at[i].parent,
			ms_bins_call_site_at(naming->from.binder, t->contexts.at[i].call_site)
		};
	ms_name_open_paths(p, naming, contexts, t->contexts.n);
	ms_free(contexts);
}

/* --- misses --- */

static uint64_t line_and_data(uint32_t line, uint32_t data)
{
	return (uint64_t)line << 32 | data;
}

static struct line_misses *misses_at(struct path_sums *s, uint32_t line, uint32_t data,
				     uint32_t level)
{
	uint32_t *at = ms_map_at(&s->misses_of, level, line_and_data(line, data));

	if (*at == MS_MAP_NONE) {
		*at = (uint32_t)s->misses.n;
		ms_vec_add(&s->misses);
	}
	return &s->misses.at[*at];
}

static void add_row(struct path_sums *s, const struct ms_run_path_miss *row)
{
	struct ms_run *run = s->naming->run;
	uint32_t *at = ms_map_at(&s->row_of, (uint64_t)row->path << 8 | row->level,
				 line_and_data(row->line, row->data));

	misses_at(s, row->line, row->data, row->level)->paths += row->misses;
	if (*at != MS_MAP_NONE) {
		run->path_misses.at[*at].misses += row->misses;
		return;
	}
	*at = (uint32_t)run->path_misses.n;
	*ms_vec_add(&run->path_misses) = *row;
}

static void add_rows(struct path_sums *s, const struct ms_engine_totals *t,
		     struct ms_name_paths *paths)
{
	for (size_t i = 0; i < t->path_misses.n; i++) {
		const struct ms_engine_total_path_miss *m = &t->path_misses.at[i];
		const struct ms_bins_bound_site *site =
			ms_bins_site(s->naming->from.binder, m->site);

		add_row(s, &(struct ms_run_path_miss){
				   .path = ms_name_path_to(paths, m->context, site->pc),
				   .line = ms_name_line(s->naming, site->pc),
				   .data = ms_name_number_data(s->naming, m->data),
				   .level = m->level,
				   .misses = m->misses,
			   });
	}
}

static void add_cells(struct path_sums *s)
{
	const struct ms_run *run = s->naming->run;

	for (size_t i = 0; i < run->misses.n; i++) {
		const struct ms_run_miss *m = &run->misses.at[i];
		const struct ms_run_cell *cell = &run->cells.at[m->cell];
		uint64_t misses = 0;

		for (int k = 0; k < MS_CAUSES; k++)
			misses += m->causes[k];
		if (misses > 0)
			misses_at(s, run->sites.at[cell->site].line, cell->data, m->level)->cells +=
				misses;
	}
}

/* --- scaling --- */

/* Each row gets its share of what is left to give, so that nothing is left after the last one. */
static void scale_rows(struct path_sums *s)
{
	struct ms_run *run = s->naming->run;

	for (size_t i = 0; i < s->misses.n; i++) {
		s->misses.at[i].left = s->misses.at[i].paths;
		s->misses.at[i].to_give = s->misses.at[i].cells;
	}
	for (size_t i = 0; i < run->path_misses.n; i++) {
		struct ms_run_path_miss *row = &run->path_misses.at[i];
		struct line_misses *all = misses_at(s, row->line, row->data, row->level);
		uint64_t share = all->to_give == all->left
					 ? row->misses
					 : (uint64_t)((double)row->misses / (double)all->left *
							      (double)all->to_give +
						      0.5);

		if (share > all->to_give)
			share = all->to_give;
		all->left -= row->misses;
		all->to_give -= share;
		row->misses = share;
	}
}

/* Misses whose paths were not observed: of windows, all that were estimated otherwise. */
static void add_unobserved(struct path_sums *s)
{
	const struct ms_run *run = s->naming->run;

	for (size_t i = 0; i < run->misses.n; i++) {
		const struct ms_run_miss *m = &run->misses.at[i];
		const struct ms_run_cell *cell = &run->cells.at[m->cell];
		uint32_t line = run->sites.at[cell->site].line;
		struct line_misses *all = misses_at(s, line, cell->data, m->level);

		if (all->to_give == 0)
			continue;
		add_row(s, &(struct ms_run_path_miss){ MS_PATH_OTHER, line, cell->data, m->level,
						       all->to_give });
		all->to_give = 0;
	}
}

static int by_path_line_data_level(const void *a, const void *b)
{
	const struct ms_run_path_miss *x = a, *y = b;
	int order = ms_cmp_u64(x->path, y->path);

	if (order == 0)
		order = ms_cmp_u64(x->line, y->line);
	if (order == 0)
		order = ms_cmp_u64(x->data, y->data);
	return order != 0 ? order : ms_cmp_u64(x->level, y->level);
}

void ms_name_finish_paths(struct ms_run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->path_misses.n; i++)
		if (run->path_misses.at[i].misses > 0)
			run->path_misses.at[n++] = run->path_misses.at[i];
	run->path_misses.n = n;
	if (n > 0)
		qsort(run->path_misses.at, n, sizeof(*run->path_misses.at),
		      by_path_line_data_level);
}

void ms_name_add_call_paths(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	struct path_sums s = { .naming = n };

	if (t->contexts.n == 0)
		return;
	struct ms_name_paths paths;

	open_paths(&paths, n, t);
	add_rows(&s, t, &paths);
	add_cells(&s);
	scale_rows(&s);
	add_unobserved(&s);
	ms_name_finish_paths(n->run);
	ms_name_close_paths(&paths);
	ms_map_free(&s.row_of);
	ms_map_free(&s.misses_of);
	ms_vec_free(&s.misses);
}
