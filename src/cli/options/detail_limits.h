/*
 * cli/options/detail_limits.h - the options that say how much detail is kept of large programs; for
 * every command that simulates.
 */
#ifndef MS_CLI_OPTIONS_DETAIL_LIMITS_H
#define MS_CLI_OPTIONS_DETAIL_LIMITS_H

#include "base/opt.h"
#include "collect/collect.h"

#define MS_OPTIONS_LIMIT_ROWS(type, field)                                                       \
	{                                                                                        \
		.kind = MS_OPT_FLAG,                                                             \
		.name = "exact-pairs",                                                           \
		.offset = offsetof(type, field.exact),                                           \
		.brief = "merge no call paths, pairs or instructions of large programs",         \
		.full = "Large programs allocate from tens of thousands of call paths and have " \
			"millions of pairs of data that evict each other. Those beyond "         \
			"--max-paths and --max-pairs are merged; totals stay exact, and the "    \
			"report says what was merged. With this option nothing is, whatever "    \
			"memory and room in the database that takes.",                           \
	},                                                                                       \
		{                                                                                \
			.kind = MS_OPT_NUMBER,                                                   \
			.name = "max-paths",                                                     \
			.value = "N",                                                            \
			.offset = offsetof(type, field.paths),                                   \
			.min = 1,                                                                \
			.max = 4294967294.0,                                                     \
			.brief = "allocation call paths with bins of their own (default: 2048)", \
			.full = "Further ones share a bin with all that have the same three "    \
				"innermost user frames, or the same innermost one when there "   \
				"are too many of these bins, too.",                              \
		},                                                                               \
		{ .kind = MS_OPT_FLAG,                                                           \
		  .name = "call-paths",                                                          \
		  .offset = offsetof(type, field.call_paths),                                    \
		  .brief = "record which calls lead to misses",                                  \
		  .full = "Each miss is counted for the call path of its code: see 'memspy "     \
			  "callers', 'memspy report --by path' and 'memspy export'. Simulation " \
			  "takes up to a third longer. Not with --sample-sets." },               \
		{ .kind = MS_OPT_FLAG,                                                           \
		  .name = "conflicts",                                                           \
		  .offset = offsetof(type, field.conflicts),                                     \
		  .brief = "divide replacement misses by bounds, not by estimates",              \
		  .full = "Replacement misses are conflict misses if a fully associative "       \
			  "cache of the same size would have hit, else capacity misses. By "     \
			  "default both are estimated, with intervals. With this option, the "   \
			  "first level is estimated from a larger part of the run, and the "     \
			  "counts of other levels are certain. Simulation takes up to two "      \
			  "thirds longer. Only for one processor with LRU write-back levels, "   \
			  "and not with --sample or --sample-sets." },                           \
		{ .kind = MS_OPT_FLAG,                                                           \
		  .name = "exact-3c",                                                            \
		  .offset = offsetof(type, field.exact_causes),                                  \
		  .brief = "count conflict and capacity misses exactly",                         \
		  .full = "As --conflicts, but nothing is estimated or left ambiguous. "         \
			  "Simulation takes several times as long." },                           \
		{ .kind = MS_OPT_NUMBER,                                                         \
		  .name = "max-contexts",                                                        \
		  .value = "N",                                                                  \
		  .offset = offsetof(type, field.contexts),                                      \
		  .min = 2,                                                                      \
		  .max = 4294967294.0,                                                           \
		  .brief = "with --call-paths: paths that are kept apart (default: 65536)",      \
		  .full = "The misses of further ones count for <other paths>." },               \
	{                                                                                        \
		.kind = MS_OPT_NUMBER, .name = "max-pairs", .value = "N",                        \
		.offset = offsetof(type, field.pairs), .min = 2, .max = 4294967294.0,            \
		.brief = "pairs of data that evict each other (default: 524288)",                \
		.full = "When there are more, those with the smallest counts are merged: their " \
			"victims and evictors are <other data>. When there are more than half "  \
			"as many pairs of instruction and data, instructions of the same line "  \
			"and kind are merged.",                                                  \
	}

/* Says so on standard error if call paths were requested and cannot be recorded. sampling: NULL if
 * all is simulated. */
void ms_options_warn_call_paths(const struct ms_collect_bin_limits *limits,
				const struct ms_machine *machine,
				const struct ms_stream_sampling *sampling);

#endif
