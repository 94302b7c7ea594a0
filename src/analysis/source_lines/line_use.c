/* analysis/source_lines/line_use.c - see line_use.h. */
#include "analysis/source_lines/line_use.h"

#include "base/mem.h"

void ms_lines_use_make(struct ms_lines_use *use, const struct ms_lines *lines)
{
	const struct ms_run *run = lines->whole.run;

	use->levels = run->levels.n;
	use->by_place = ms_alloc((use->levels + 1) * sizeof(struct ms_line_use *));
	for (uint32_t level = 0; level < use->levels; level++) {
		if (!ms_line_use_is_observed(run, level))
			continue;
		use->by_place[level] = ms_alloc((lines->lines.n + 1) * sizeof(struct ms_line_use));
		ms_line_use_by_line(run, level,
				    &(struct ms_line_use_keys){ lines->places, lines->lines.n },
				    use->by_place[level]);
	}
}

void ms_lines_use_free(struct ms_lines_use *use)
{
	for (size_t level = 0; level < use->levels; level++)
		ms_free(use->by_place[level]);
	ms_free(use->by_place);
}

const struct ms_line_use *ms_lines_use_at(const struct ms_lines_use *use, size_t level,
					  const struct ms_lines_line *line)
{
	if (use->by_place[level] == NULL || line->file == MS_NONE)
		return NULL;
	const struct ms_line_use *of_line = &use->by_place[level][line->place];
	return of_line->lines > 0 || of_line->written_lines > 0 ? of_line : NULL;
}
