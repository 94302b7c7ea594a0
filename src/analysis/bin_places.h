/*
 * analysis/bin_places.h - where the bins of a summary are at home: the figures of every bin at
 * every line of source; and which data pushes each data out, whatever the code.
 */
#ifndef MS_ANALYSIS_BIN_PLACES_H
#define MS_ANALYSIS_BIN_PLACES_H

#include "analysis/summary.h"

struct ms_bin_place {
	uint32_t bin;  /* index into the summary's bins */
	uint32_t line; /* of the run */
	struct ms_counts counts;
};

struct ms_bin_places {
	struct ms_arena arena;
	MS_VEC(struct ms_bin_place)
	at; /* by bin, then the most stall, misses and references first */
	size_t left_out;
};

/* At most `each` of a bin and `most` in all: those of the bins that stand first. */
void ms_bin_places_make(struct ms_bin_places *places, const struct ms_summary *summary, size_t each,
			size_t most);
void ms_bin_places_free(struct ms_bin_places *places);

/* Replacement misses of a data at a level that references to another (or itself) caused. */
struct ms_data_replacer {
	uint32_t data;
	struct ms_replacer by;
};

struct ms_data_replacers {
	MS_VEC(struct ms_data_replacer) at; /* by data, level, the most first */
};

void ms_data_replacers_make(struct ms_data_replacers *replacers, const struct ms_summary *summary);
void ms_data_replacers_free(struct ms_data_replacers *replacers);

#endif
