/* cli/options/sources.h - where sources are looked for that are not where the debug information
 * says. */
#ifndef MS_CLI_OPTIONS_SOURCES_H
#define MS_CLI_OPTIONS_SOURCES_H

#include "base/opt.h"

#define MS_OPTIONS_SOURCE_ROW(type, field)                                                   \
	{                                                                                    \
		.kind = MS_OPT_LIST, .name = "source", .value = "DIR",                       \
		.offset = offsetof(type, field),                                             \
		.brief = "look here for moved sources (may be repeated)",                    \
		.full = "Where a source is not at the path that the debug information has, " \
			"DIR is tried followed by that path, then with ever fewer of its "   \
			"folders.",                                                          \
	}

/* Warns of those that are no folders: nothing will be found in them. */
void ms_options_check_sources(const struct ms_opt_list *folders);

#endif
