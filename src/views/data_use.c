/* views/data_use.c - see data_use.h. */
#include "views/data_use.h"

#include "analysis/line_use/access_kind.h"
#include "analysis/line_use/line_use.h"
#include "base/compiler.h"
#include "base/mem.h"

void ms_views_data_use_make(struct ms_views_data_use *use, const struct ms_run *run)
{
	*use = (struct ms_views_data_use){ .run = run };
	use->levels = ms_alloc((run->levels.n + 1) * sizeof(*use->levels));
	for (uint32_t level = 0; level < run->levels.n; level++) {
		if (!ms_line_use_is_observed(run, level))
			continue;
		use->levels[level] = ms_alloc((run->data.n + 1) * sizeof(*use->levels[level]));
		ms_line_use_by_data(run, level, use->levels[level]);
	}
	if (run->strides.n == 0)
		return;
	use->access = ms_alloc((run->data.n + 1) * sizeof(*use->access));
	ms_line_use_find_access_by_data(run, use->access);
}

void ms_views_data_use_free(struct ms_views_data_use *use)
{
	for (size_t level = 0; level < use->run->levels.n; level++)
		ms_free(use->levels[level]);
	ms_free(use->levels);
	ms_free(use->access);
}

void ms_views_data_use_columns(struct ms_table *table, const struct ms_views_data_use *use)
{
	static const char *const of_level[] = { "used_bytes", "used_bytes_low", "used_bytes_high",
						"written_bytes" };
	static const char *const of_access[] = { "access", "stride", "stride_share" };

	for (size_t level = 0; level < use->run->levels.n; level++)
		for (size_t i = 0; use->levels[level] != NULL && i < MS_COUNT(of_level); i++)
			ms_table_column(table, (struct ms_table_column){
						       .key = ms_arena_printf(
							       &table->arena, "%s_%s",
							       use->run->levels.at[level].name,
							       of_level[i]) });
	for (size_t i = 0; use->access != NULL && i < MS_COUNT(of_access); i++)
		ms_table_column(table, (struct ms_table_column){ .key = of_access[i] });
}

static void put_real(struct ms_table *table, bool known, double value)
{
	if (known)
		ms_table_real(table, value, 1);
	else
		ms_table_none(table);
}

static void put_use(struct ms_table *table, const struct ms_line_use *use)
{
	put_real(table, use->lines > 0, use->used);
	put_real(table, use->lines > 0, use->low);
	put_real(table, use->lines > 0, use->high);
	put_real(table, use->written_lines > 0, use->written);
}

void ms_views_data_use_cells(struct ms_table *table, const struct ms_views_data_use *use,
			     uint32_t data)
{
	for (size_t level = 0; level < use->run->levels.n; level++)
		if (use->levels[level] != NULL)
			put_use(table, &use->levels[level][data]);
	if (use->access == NULL)
		return;
	const struct ms_line_use_access *access = &use->access[data];

	ms_table_text(table, ms_line_use_kind_word(access->kind));
	put_real(table, access->share > 0, (double)access->stride);
	put_real(table, access->share > 0, access->share);
}
