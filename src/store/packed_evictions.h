/*
 * store/packed_evictions.h - evictors and victims: one row of table replacement for each cell and
 * level, with all of its evictors and victims as JSON, {"DATA":COUNT,...}. With one row for each
 * pair, these would be half of all rows of a large run, and a row costs SQLite the same whether it
 * has two numbers or twenty.
 */
#ifndef MS_STORE_PACKED_EVICTIONS_H
#define MS_STORE_PACKED_EVICTIONS_H

#include "base/text.h"
#include "store/store_priv.h"

struct ms_store_packed_row {
	uint32_t cell;
	uint32_t level;
	const char *evictors; /* NULL: none; likewise: */
	const char *victims;
};

struct ms_store_packed {
	struct ms_text text; /* of all rows */
	MS_VEC(struct ms_store_packed_row) rows;
};

/* The table, described as if its rows were an array of the run. */
extern const struct ms_run_table ms_store_replacement_table;

/* Position in the run's `replaced` and `evictions`: {0} is the start. */
struct ms_store_packed_position {
	size_t replaced, evictions;
};

/*
 * Packs the next rows from the position on, until their text has so many bytes (0: all rows), and
 * moves the position past them; false: there were none left. A large run is packed in parts, as
 * its text takes as much memory as the pairs. ms_store_packed_free() in any case.
 */
bool ms_store_packed_make(struct ms_store_packed *packed, const struct ms_run *run,
			  struct ms_store_packed_position *from, size_t bytes);
void ms_store_packed_free(struct ms_store_packed *packed);

/* The number of fields that identify an element's row: those before the last two. */
enum { MS_PACKED_KEYS = 2 }; /* at most */
int ms_store_packed_keys(const struct ms_run_table *stored);

/*
 * Adds the next pair to the text: {"KEY":COUNT for the first, ,"KEY":COUNT for later ones; and its
 * end, with a NUL.
 */
void ms_store_packed_add(struct ms_text *text, bool is_first, uint32_t key, uint64_t count);
void ms_store_packed_add_end(struct ms_text *text);

/*
 * Reads the next pair of a text of n bytes from *at on. False: there is none; then *at is n, or
 * ms_store_packed_make() does not write such a text.
 */
bool ms_store_packed_next(const char *text, size_t n, size_t *at, uint32_t *data, uint64_t *count);

#endif
