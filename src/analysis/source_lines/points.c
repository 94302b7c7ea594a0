#include "analysis/source_lines/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "base/num.h"

static int compare_text(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return a == NULL ? -1 : b == NULL ? 1 : strcmp(a, b);
}

static int by_place(const void *a, const void *b, void *of)
{
	const struct ms_lines_point *x = a, *y = b;
	const struct ms_run *run = of;
	const struct ms_run_line *of_x = &run->lines.at[x->line];
	const struct ms_run_line *of_y = &run->lines.at[y->line];
	int order = ms_cmp_u64(of_x->code, of_y->code);

	if (order == 0)
		order = compare_text(of_x->file, of_y->file);
	if (order == 0)
		order = ms_cmp_u64(of_x->line, of_y->line);
	if (order == 0)
		order = compare_text(x->inlined, y->inlined);
	return order != 0 ? order : ms_cmp_u64(x->data, y->data);
}

static struct ms_lines_point *point_at(struct ms_lines_points *p, struct ms_map *map, uint32_t line,
				       uint32_t data, const char *inlined)
{
	uint32_t *slot = ms_map_at(map, (uint64_t)line << 32 | data, (uintptr_t)inlined);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)p->at.n;
		struct ms_lines_point *point = ms_vec_add(&p->at);
		point->key = *slot;
		point->line = line;
		point->data = data;
		point->inlined = inlined;
		point->counts.levels = ms_arena_take(
			&p->arena, (p->run->levels.n + 1) * sizeof(*point->counts.levels));
	}
	return &p->at.at[*slot];
}

int ms_lines_points_make(struct ms_lines_points *p, const struct ms_run *run, const char *latency,
			 struct ms_err *err)
{
	struct ms_map map = MS_MAP_INIT;
	struct ms_summary_rows at = { 0, 0 };

	*p = (struct ms_lines_points){ .run = run };
	MS_TRY(ms_summary_make(&p->summary, run, NULL, latency, err));
	for (size_t i = 0; i < run->cells.n; i++) {
		struct ms_summary_cell_counts cell =
			ms_summary_cell_counts(run, &p->summary.cost, i, &at);
		const struct ms_run_site *site = &run->sites.at[cell.cell->site];
		const char *inlined =
			site->inlined != NULL ? ms_intern(&p->names, site->inlined) : NULL;

		struct ms_lines_point *point =
			point_at(p, &map, site->line, cell.cell->data, inlined);
		*ms_vec_add(&p->keys) = point->key;
		ms_summary_add_cell(&point->counts, &cell);
	}
	for (size_t i = 0; i < p->at.n && p->summary.cost.measured; i++)
		ms_summary_split_measured(&p->at.at[i].counts, &p->summary.total.counts,
					  run->levels.n);
	ms_map_free(&map);
	if (p->at.n > 0)
		qsort_r(p->at.at, p->at.n, sizeof(*p->at.at), by_place, (void *)run);
	return MS_OK;
}

void ms_lines_points_free(struct ms_lines_points *p)
{
	ms_summary_free(&p->summary);
	ms_arena_free(&p->arena);
	ms_names_free(&p->names);
	ms_vec_free(&p->at);
	ms_vec_free(&p->keys);
}

void ms_lines_points_intervals(const struct ms_lines_points *p, struct ms_intervals *intervals)
{
	ms_intervals_make(intervals, &p->summary, p->keys.at, MS_ENTRY_BIN);
	ms_intervals_split_rw_keys(intervals, &p->summary, p->keys.at, MS_ENTRY_BIN);
}

/* --- stacks --- */

static void push(struct ms_lines_stack *stack, const char *name, const char *file, uint32_t line)
{
	*ms_vec_add(&stack->at) = (struct ms_lines_stack_frame){ name, file, line };
}

/* The last link of a chain "a (f.c:3) < b (f.c:9)" that ends at `end`: where it begins. */
static const char *last_link(const char *chain, const char *end)
{
	for (const char *at = end; at > chain; at--)
		if (strncmp(at, ") < ", 4) == 0 && at + 4 <= end)
			return at + 4;
	return chain;
}

/* "a (f.c:3)": a. */
static const char *link_name(struct ms_lines_points *p, const char *link, const char *end)
{
	for (const char *at = end; at > link + 1; at--)
		if (at[-1] == '(' && at[-2] == ' ')
			return ms_intern_n(&p->names, link, (size_t)(at - link) - 2);
	return ms_intern_n(&p->names, link, (size_t)(end - link));
}

/* The links of the chain; the function itself is one, unless others than memspy have made it. */
static void push_chain(struct ms_lines_points *p, const char *chain, const struct ms_run_code *code,
		       struct ms_lines_stack *stack)
{
	const char *end = chain + strlen(chain);
	size_t first = stack->at.n;
	bool named = false;

	push(stack, code->name, code->file, code->line);
	while (end != NULL) {
		const char *link = last_link(chain, end);
		const char *name = link_name(p, link, end);
		bool own = strcmp(name, code->name) == 0;

		push(stack, name, own ? code->file : NULL, own ? code->line : 0);
		named |= own;
		end = link > chain ? link - strlen(" < ") : NULL;
	}
	if (!named)
		return;
	stack->at.n--;
	memmove(stack->at.at + first, stack->at.at + first + 1,
		(stack->at.n - first) * sizeof(*stack->at.at));
}

/* The function and what was inlined into it, outermost first; then the line. */
static void push_code(struct ms_lines_points *p, const struct ms_lines_point *point,
		      struct ms_lines_stack *stack)
{
	const struct ms_run_line *line = &p->run->lines.at[point->line];
	const struct ms_run_code *code = &p->run->codes.at[line->code];

	if (point->inlined == NULL)
		push(stack, code->name, code->file, code->line);
	else
		push_chain(p, point->inlined, code, stack);
	if (line->file != NULL) {
		char place[32];

		snprintf(place, sizeof(place), ":%u", line->line);
		push(stack, ms_arena_printf(&p->arena, "%s%s", ms_base_name(line->file), place),
		     line->file, line->line);
	}
}

static void push_data(struct ms_lines_points *p, const struct ms_lines_point *point,
		      struct ms_lines_stack *stack)
{
	const struct ms_run_data *data = &p->run->data.at[point->data];

	push(stack, ms_arena_printf(&p->arena, "[%s]", data->name), NULL, 0);
}

static void push_path(struct ms_lines_points *p, const struct ms_lines_point *point,
		      struct ms_lines_stack *stack)
{
	size_t n;
	const struct ms_run_frame *frames = ms_describe_call_path(p->run, point->data, &n);

	while (n-- > 0)
		push(stack, frames[n].function, frames[n].file, frames[n].line);
}

const char *ms_lines_point_function(const struct ms_lines_points *p,
				    const struct ms_lines_point *point)
{
	return p->run->codes.at[p->run->lines.at[point->line].code].name;
}

void ms_lines_point_stack(struct ms_lines_points *p, const struct ms_lines_point *point,
			  enum ms_lines_stack_view view, struct ms_lines_stack *stack)
{
	stack->at.n = 0;
	if (view == MS_STACK_CODE) {
		push_code(p, point, stack);
		push_data(p, point, stack);
	} else {
		push_path(p, point, stack);
		push_data(p, point, stack);
		push_code(p, point, stack);
	}
}

/* --- weights --- */

enum { STALL = -2, REFERENCES = -1 };

bool ms_lines_point_weight_is_stall(const struct ms_lines_point_weight *w)
{
	return w->level == STALL;
}

static int level_of(const struct ms_run *run, const char *key)
{
	for (size_t i = 0; i < run->levels.n; i++) {
		size_t n = strlen(run->levels.at[i].name);

		if (strncmp(key, run->levels.at[i].name, n) == 0 && strcmp(key + n, "_misses") == 0)
			return (int)i;
	}
	return STALL - 1;
}

int ms_lines_point_weight_choose(struct ms_lines_point_weight *w,
				 const struct ms_lines_points *points, const char *key,
				 struct ms_err *err)
{
	const struct ms_summary_counts *total = &points->summary.total.counts;

	if (key == NULL)
		key = ms_summary_rw_sum(total->stall) > 0 ? "stall" : "references";
	*w = (struct ms_lines_point_weight){ .key = key };
	w->level = strcmp(key, "stall") == 0        ? STALL
		   : strcmp(key, "references") == 0 ? REFERENCES
						    : level_of(points->run, key);
	if (w->level < STALL)
		return ms_fail(err, MS_EUSAGE,
			       "unknown metric '%s', expected stall, references, or the misses of "
			       "a level such as %s_misses",
			       key,
			       points->run->levels.n > 0 ? points->run->levels.at[0].name : "L1");
	w->total = ms_lines_point_weight_of(w, total);
	return MS_OK;
}

uint64_t ms_lines_point_weight_of(const struct ms_lines_point_weight *w,
				  const struct ms_summary_counts *counts)
{
	if (w->level == STALL)
		return ms_summary_rw_sum(counts->stall);
	if (w->level == REFERENCES)
		return ms_summary_rw_sum(counts->references);
	return ms_summary_rw_sum(counts->levels[w->level].misses);
}
