/*
 * name/distinctions.h - what distinguishes data of the same name, in growing detail. Each level is
 * a property of the data alone.
 *
 *    heap      where it was allocated, then also the column, then its callers: "a.c:8", "a.c:8:14",
 *              "a.c:8 < 20", "a.c:8 < 20:9", ...; at last a hash of the whole call path:
 *              "a.c:8 < 20 < 31 ~1f3a"
 *    variable  its file or module: "a.c", "libc.so.6"; then "a.c:12", "libc.so.6, 3" (the third of
 *              this name in the module)
 *    file      its folder
 */
#ifndef MS_NAME_DISTINCTIONS_H
#define MS_NAME_DISTINCTIONS_H

#include <stdint.h>

#include "base/text.h"
#include "bins/naming.h"
#include "symbols/symbols.h"

enum { MS_NAME_MOST_DISTINCT = 2 * MS_BINS_MOST_POSITIONS + 1 };

struct ms_name_distinction {
	struct ms_text text;                                             /* of all levels */
	size_t start[MS_NAME_MOST_DISTINCT], end[MS_NAME_MOST_DISTINCT]; /* by level - 1 */
};

/* path: a hash of the instructions that called. */
void ms_name_distinguish_path(struct ms_name_distinction *d, const struct ms_bins_data_name *name,
			      uint64_t path);
void ms_name_distinguish_variable(struct ms_name_distinction *d,
				  const struct ms_symbols_variable *variable, const char *module,
				  unsigned number_in_module);
void ms_name_distinguish_file(struct ms_name_distinction *d, const char *path);
/* Adds the text of a level: 1 to MS_NAME_MOST_DISTINCT. */
void ms_name_write_distinction(struct ms_text *out, const struct ms_name_distinction *d,
			       unsigned level);

#endif
