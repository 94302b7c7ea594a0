/* views/export/collapsed.c - stacks, one a line, for flamegraph.pl and similar tools. */
#include "views/export/export_priv.h"

#include <inttypes.h>
#include <string.h>

MS_EXPORT(collapsed)
{
	struct ms_lines_stack stack = { .at = MS_VEC_INIT };
	struct ms_lines_point_weight weight;

	MS_TRY(ms_lines_point_weight_choose(&weight, points, options->metric, err));
	if (weight.total == 0)
		return ms_export_no_weight(&weight, err);
	for (size_t i = 0; i < points->at.n; i++) {
		uint64_t value = ms_lines_point_weight_of(&weight, &points->at.at[i].counts);

		if (value == 0)
			continue;
		ms_lines_point_stack(points, &points->at.at[i], options->view, &stack);
		for (size_t k = 0; k < stack.at.n; k++) {
			fputs(k > 0 ? ";" : "", out);
			ms_export_name(out, stack.at.at[k].name, ";");
		}
		fprintf(out, " %" PRIu64 "\n", value);
	}
	ms_vec_free(&stack.at);
	return MS_OK;
}
