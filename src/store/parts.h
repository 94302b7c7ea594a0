/*
 * store/parts.h - in which parts of a sampled run each cell was met: column `parts` of its row, as
 * JSON, {"PART":REFERENCES,...}. A row for each part would be half of all rows of a run of much
 * code: see packed.h.
 */
#ifndef MS_STORE_PARTS_H
#define MS_STORE_PARTS_H

#include "base/text.h"
#include "store/store_priv.h"

struct ms_parts_row {
	struct ms_run_cell cell;
	const char *parts; /* NULL: it was met in none */
};

enum { MS_PARTS_FIELDS = 8 };

struct ms_parts {
	struct ms_text text; /* of all rows */
	MS_VEC(struct ms_parts_row) rows;
	/* The table, as if its rows were an array of the run. */
	struct ms_field fields[MS_PARTS_FIELDS];
	struct ms_stored stored;
};

/* From the run's cells, of which this is said where they have no parts, and `sampled_references`;
 * ms_parts_free(). It points into itself. */
void ms_parts_make(struct ms_parts *parts, const struct ms_run *run, const struct ms_stored *cells);
void ms_parts_free(struct ms_parts *parts);

#endif
