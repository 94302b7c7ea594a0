/* symbols/stripped_source_priv.h - source files without comments. */
#ifndef MS_SYMBOLS_STRIPPED_SOURCE_PRIV_H
#define MS_SYMBOLS_STRIPPED_SOURCE_PRIV_H

#include <stddef.h>

#include "base/vec.h"
#include "symbols/units_priv.h"

struct ms_symbols_module;

struct ms_symbols_source {
	const char *path;
	char *text; /* the file with comments, strings and preprocessor lines blanked out */
	size_t size;
	MS_VEC(size_t) lines;        /* where each line starts; lines.at[0] is line 1 */
	MS_VEC(const char *) macros; /* with arguments, that the file defines */
};

/* NULL if the file cannot be read. The module owns it. */
const struct ms_symbols_source *ms_symbols_source_get(struct ms_symbols_module *module,
						      const char *path, enum ms_symbols_lang lang);
void ms_symbols_sources_free(struct ms_symbols_module *module);

#endif
