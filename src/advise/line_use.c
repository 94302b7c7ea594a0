/*
 * advise/line_use.c - arrays of which a loop uses every second element, or every tenth: less than
 * half of each fetched line. Records have findings of their own (layout.c), and loops that use the
 * other elements in other iterations, too (loop_order.c).
 *
 * Evidence: observed lines of which at most half is used, and a constant stride.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "advise/advise_priv.h"

/* Of a fetched line. */
#define MOST_USED    0.5
#define LEAST_AFFINE 0.8
/* Lines: a larger stride is one over rows, whose elements are not interleaved parts. */
enum { ROW = 4 };

static bool skips_elements(const struct ms_advise_search *search, const struct ms_evidence_bin *bin,
			   struct ms_line_use_access *access)
{
	if (bin->stall <= 0 || bin->dependences[MS_RUN_DEPENDENCE_AFFINE] < LEAST_AFFINE ||
	    ms_advise_has_conflicts(bin) || !ms_advise_is_users(search->run, bin->data) ||
	    !ms_advise_is_scalar(search->run->data.at[bin->data].type) ||
	    ms_advise_used_share(search, bin) > MOST_USED || ms_advise_is_column_walk(search, bin))
		return false;
	*access = ms_evidence_find_access(&search->bins, bin);
	return access->kind == MS_LINE_USE_STRIDED &&
	       (double)llabs(access->stride) < ROW * search->run->levels.at[0].line;
}

static const char *separate_array(struct ms_advise_search *search,
				  const struct ms_evidence_bin *bin, const char *variable,
				  double step)
{
	const char *type = ms_advise_element_type(search, bin->data, bin->line);

	if (ms_advise_find_language(search->run, bin->line) == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena,
				       "%s :: %s_part(n) ! instead of %s(1 + %.0f * (i - 1))\n",
				       type, variable, variable, step);
	return ms_arena_printf(search->arena,
			       "%s %s_part[N]; /* %s_part[i] instead of %s[%.0f * i] */\n", type,
			       variable, variable, variable, step);
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin, const struct ms_line_use_access *access)
{
	const char *name = ms_advise_data_name(search, bin->data);
	const char *variable = ms_advise_variable(search, bin->data);
	double line = search->run->levels.at[0].line, size = bin->bytes / bin->references;
	double step = (double)llabs(access->stride) / size;

	ms_advise_show(search, f, "%s of the time is waiting for %s",
		       ms_advise_percent(search->arena, bin->stall / search->time), name);
	ms_advise_show(search, f,
		       "%.0f of %.0f bytes of each fetched line are used: most references are "
		       "%" PRId64 " bytes after the one before, and access %.0f",
		       ms_advise_used_share(search, bin) * line, line, access->stride, size);
	f->remedy = ms_arena_printf(
		search->arena,
		"Store the elements of %s that %s uses one after the other: an array of its own "
		"for each of the %.0f interleaved parts, or a copy of what the loop needs. It then "
		"uses all of each line.",
		name, ms_advise_place_name(search, bin->code, bin->line), step);
	f->snippet = separate_array(search, bin, variable, step);
	f->falsifier = "other code that costs as much uses neighbouring elements together";
}

void ms_advise_find_line_use(struct ms_advise_search *search)
{
	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];
		struct ms_line_use_access access;

		if (!skips_elements(search, bin, &access))
			continue;
		double saved = bin->stall - ms_evidence_streamed(&search->bins, bin, bin->bytes);
		struct ms_advise_finding *f = ms_advise_add(
			search,
			&(struct ms_advise_place){ MS_ADVISE_LINE_USE, bin->data, bin->code,
						   bin->line, saved, MS_ADVISE_ERROR, true });
		if (f != NULL)
			describe(search, f, bin, &access);
	}
}
