#include "views/export/call_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

static int by_line_and_data(const void *a, const void *b, void *of)
{
	const struct ms_paths_row *rows = of;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = ms_cmp_u64(rows[x].line, rows[y].line);

	if (order == 0)
		order = ms_cmp_u64(rows[x].data, rows[y].data);
	return order != 0 ? order : ms_cmp_u64(x, y);
}

void ms_export_open_paths(struct ms_export_paths *paths, const struct ms_lines_points *points)
{
	struct ms_err ignored;

	*paths = (struct ms_export_paths){ .are_known = ms_paths_are_known(points->run) };
	if (!paths->are_known)
		return;
	ms_paths_make_rows(&paths->rows, &points->summary, &ignored);
	for (uint32_t i = 0; i < paths->rows.at.n; i++)
		*ms_vec_add(&paths->order) = i;
	qsort_r(paths->order.at, paths->order.n, sizeof(*paths->order.at), by_line_and_data,
		paths->rows.at.at);
}

void ms_export_close_paths(struct ms_export_paths *paths)
{
	if (paths->are_known)
		ms_paths_free_rows(&paths->rows);
	ms_vec_free(&paths->order);
}

size_t ms_export_find_rows(const struct ms_export_paths *paths, uint32_t line, uint32_t data,
			   size_t *first)
{
	size_t low = 0, high = paths->order.n, n = 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct ms_paths_row *row = &paths->rows.at.at[paths->order.at[mid]];

		if (row->line < line || (row->line == line && row->data < data))
			low = mid + 1;
		else
			high = mid;
	}
	*first = low;
	while (low + n < paths->order.n) {
		const struct ms_paths_row *row = &paths->rows.at.at[paths->order.at[low + n]];

		if (row->line != line || row->data != data)
			break;
		n++;
	}
	return n;
}

/* What a row has of the weight; references are not known by path. */
static uint64_t weight_of(const struct ms_lines_point_weight *weight,
			  const struct ms_paths_row *row)
{
	return weight->level >= 0                       ? row->misses[weight->level]
	       : ms_lines_point_weight_is_stall(weight) ? row->stall
							: 0;
}

/* Each part takes its share of what is left, so that nothing is left after the last one. */
void ms_export_divide(const struct ms_export_paths *paths,
		      const struct ms_lines_point_weight *weight,
		      const struct ms_lines_point *point, struct ms_export_parts *parts)
{
	uint64_t left = ms_lines_point_weight_of(weight, &point->counts), all = 0;
	size_t first = 0, n = paths->are_known
				      ? ms_export_find_rows(paths, point->line, point->data, &first)
				      : 0;

	parts->at.n = 0;
	for (size_t i = 0; i < n; i++)
		all += weight_of(weight, &paths->rows.at.at[paths->order.at[first + i]]);
	for (size_t i = 0; i < n && all > 0 && left > 0; i++) {
		const struct ms_paths_row *row = &paths->rows.at.at[paths->order.at[first + i]];
		uint64_t of_row = weight_of(weight, row);
		uint64_t value =
			of_row == all
				? left
				: (uint64_t)((double)left * (double)of_row / (double)all + 0.5);

		all -= of_row;
		value = value < left ? value : left;
		left -= value;
		if (value > 0)
			*ms_vec_add(&parts->at) = (struct ms_export_part){ row->path, value };
	}
	if (left > 0)
		*ms_vec_add(&parts->at) = (struct ms_export_part){ MS_NONE, left };
}

static size_t count_calls(const struct ms_run *run, uint32_t path)
{
	size_t n = 0;

	for (; path != MS_NONE && run->paths.at[path].kind != MS_PATH_ROOT;
	     path = run->paths.at[path].parent)
		n++;
	return n;
}

/*
 * A path has the functions that the function of a point was inlined into, and so has the stack of
 * the point: those before the function itself.
 */
static void remove_inliners(const struct ms_run *run, uint32_t path, const char *function,
			    struct ms_lines_stack *stack)
{
	size_t own = stack->at.n;

	if (path == MS_NONE || run->paths.at[path].kind != MS_PATH_CALL)
		return;
	while (own > 0 && strcmp(stack->at.at[own - 1].name, function) != 0)
		own--;
	if (own == 0)
		return;
	stack->at.n -= own - 1;
	memmove(stack->at.at, stack->at.at + own - 1, stack->at.n * sizeof(*stack->at.at));
}

void ms_export_add_callers(const struct ms_run *run, uint32_t path, const char *function,
			   struct ms_lines_stack *stack)
{
	size_t n = count_calls(run, path);

	remove_inliners(run, path, function, stack);

	ms_vec_reserve(&stack->at, n);
	memmove(stack->at.at + n, stack->at.at, stack->at.n * sizeof(*stack->at.at));
	stack->at.n += n;
	for (; n > 0; path = run->paths.at[path].parent) {
		const struct ms_run_path *at = &run->paths.at[path];

		if (at->line == MS_NONE) {
			stack->at.at[--n] =
				(struct ms_lines_stack_frame){ "<other paths>", NULL, 0 };
			continue;
		}
		const struct ms_run_code *code = &run->codes.at[run->lines.at[at->line].code];
		stack->at.at[--n] =
			(struct ms_lines_stack_frame){ code->name, code->file, code->line };
	}
}
