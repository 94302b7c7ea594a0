/*
 * store/packed_parts.h - the parts of a sampled run in which each cell occurs: column `parts` of
 * its row, as JSON, {"PART":REFERENCES,...}. With one row for each part, these would be half of all
 * rows of a run with much code: see packed_evictions.h.
 */
#ifndef MS_STORE_PACKED_PARTS_H
#define MS_STORE_PACKED_PARTS_H

#include "base/text.h"
#include "store/store_priv.h"

struct ms_store_parts_row {
	struct ms_run_cell cell;
	const char *parts; /* NULL: it occurs in none */
};

enum { MS_PARTS_FIELDS = 16 };

struct ms_store_parts {
	struct ms_text text; /* of all rows */
	MS_VEC(struct ms_store_parts_row) rows;
	/* The table, described as if its rows were an array of the run. */
	struct ms_run_field fields[MS_PARTS_FIELDS];
	struct ms_run_table stored;
};

/*
 * From the run's cells and `sampled_references`; cells: their description without parts. Free with
 * ms_store_parts_free(). The struct contains pointers into itself.
 */
void ms_store_parts_make(struct ms_store_parts *parts, const struct ms_run *run,
			 const struct ms_run_table *cells);
void ms_store_parts_free(struct ms_store_parts *parts);

#endif
