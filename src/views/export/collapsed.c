/* views/export/collapsed.c - stacks, one a line, for flamegraph.pl and similar tools. */
#include "views/export/export_priv.h"

#include <inttypes.h>
#include <string.h>

#include "views/export/call_paths.h"

static void put_stack(const struct ms_lines_stack *stack, uint64_t value, FILE *out)
{
	for (size_t k = 0; k < stack->at.n; k++) {
		fputs(k > 0 ? ";" : "", out);
		ms_export_name(out, stack->at.at[k].name, ";");
	}
	fprintf(out, " %" PRIu64 "\n", value);
}

MS_EXPORT(collapsed)
{
	struct ms_lines_stack stack = { .at = MS_VEC_INIT };
	struct ms_lines_point_weight weight;
	struct ms_export_parts parts = { MS_VEC_INIT };
	struct ms_export_paths paths, no_paths = { .are_known = false };

	MS_TRY(ms_lines_point_weight_choose(&weight, points, options->metric, err));
	if (weight.total == 0)
		return ms_export_no_weight(&weight, err);
	ms_export_open_paths(&paths, points);
	for (size_t i = 0; i < points->at.n; i++) {
		const char *function = ms_lines_point_function(points, &points->at.at[i]);

		ms_export_divide(options->view == MS_STACK_CODE ? &paths : &no_paths, &weight,
				 &points->at.at[i], &parts);
		for (size_t k = 0; k < parts.at.n; k++) {
			ms_lines_point_stack(points, &points->at.at[i], options->view, &stack);
			if (options->view == MS_STACK_CODE)
				ms_export_add_callers(points->run, parts.at.at[k].path, function,
						      &stack);
			put_stack(&stack, parts.at.at[k].value, out);
		}
	}
	ms_export_close_paths(&paths);
	ms_vec_free(&parts.at);
	ms_vec_free(&stack.at);
	return MS_OK;
}
