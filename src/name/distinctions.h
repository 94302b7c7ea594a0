/*
 * name/distinctions.h - what distinguishes data of the same name, in growing detail. Each level is
 * a property of the data alone.
 *
 *    heap      where it was allocated, its callers: "a.c:8", "a.c:8 < 20", ...; at last
 *              also a hash of the whole call path: "a.c:8 < 20 < 31 ~1f3a"
 *    variable  its file or module: "a.c", "libc.so.6"; then "a.c:12", "libc.so.6, 3" (the third of
 *              this name in the module)
 *    file      its folder
 */
#ifndef MS_NAME_DISTINCTIONS_H
#define MS_NAME_DISTINCTIONS_H

#include <stdint.h>

#include "base/text.h"
#include "symbols/symbols.h"

enum { MS_NAME_MOST_DISTINCT = 4 };

struct ms_name_distinction {
	struct ms_text text;
	size_t end[MS_NAME_MOST_DISTINCT]; /* of the text, by level - 1 */
};

/* path: a hash of the instructions that called. */
void ms_name_distinguish_path(struct ms_name_distinction *d, const char *positions, uint64_t path);
void ms_name_distinguish_variable(struct ms_name_distinction *d,
				  const struct ms_symbols_variable *variable, const char *module,
				  unsigned number_in_module);
void ms_name_distinguish_file(struct ms_name_distinction *d, const char *path);
/* Adds the text of a level: 1 to MS_NAME_MOST_DISTINCT. */
void ms_name_write_distinction(struct ms_text *out, const struct ms_name_distinction *d,
			       unsigned level);

#endif
