/*
 * views/data_use.h - columns of CSV that tables of data have besides those of ms_metric_table: how
 * much of fetched lines is used, and how the data is accessed. They are computed for all data at
 * once; a metric is computed for one entry at a time.
 */
#ifndef MS_VIEWS_DATA_USE_H
#define MS_VIEWS_DATA_USE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/table.h"
#include "run/run.h"

struct ms_line_use;
struct ms_line_use_access;

/* Of each data structure of the run, in all code. */
struct ms_views_data_use {
	const struct ms_run *run;
	struct ms_line_use **levels;       /* NULL: lines of the level were not observed */
	struct ms_line_use_access *access; /* NULL: no strides were observed */
};

void ms_views_data_use_make(struct ms_views_data_use *use, const struct ms_run *run);
void ms_views_data_use_free(struct ms_views_data_use *use);
void ms_views_data_use_columns(struct ms_table *table, const struct ms_views_data_use *use);
void ms_views_data_use_cells(struct ms_table *table, const struct ms_views_data_use *use,
			     uint32_t data);

#endif
