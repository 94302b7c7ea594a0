/*
 * cli/options/processors.h - the options that say how many processors are simulated, and which
 * thread runs on which of them; for every command that simulates.
 */
#ifndef MS_CLI_OPTIONS_PROCESSORS_H
#define MS_CLI_OPTIONS_PROCESSORS_H

#include "base/err.h"
#include "base/opt.h"
#include "collect/collect.h"
#include "machine/machine.h"

/* NULL: not given. */
struct ms_options_processors {
	const char *processors;
	const char *cpus;
	const char *ranks_per_node; /* "auto", "none", or how many */
	uint32_t local_ranks;       /* of the job on this node, for auto; 0: there is no job */
};

/* unless_given: what is simulated by default, and what its explanation adds. */
#define MS_OPTIONS_PROCESSOR_ROWS(type, field, unless_given, explanation)                       \
	{                                                                                       \
		.kind = MS_OPT_TEXT,                                                            \
		.letter = 'p',                                                                  \
		.name = "processors",                                                           \
		.value = "N",                                                                   \
		.offset = offsetof(type, field.processors),                                     \
		.brief = "simulate N processors of the machine, or all of them "                \
			 "(default: " unless_given ")",                                         \
		.full = "With one processor all threads use the same caches, one after the "    \
			"other. With more, each has those that the machine gives it, and "      \
			"misses show sharing. Where the machine has fewer, more of the same "   \
			"are added." explanation,                                               \
	},                                                                                      \
		{                                                                               \
			.kind = MS_OPT_TEXT,                                                    \
			.name = "cpus",                                                         \
			.value = "MAP",                                                         \
			.offset = offsetof(type, field.cpus),                                   \
			.brief = "which thread on which processor: 0,1,1,3, 0-3 or affinity",   \
			.full = "0,1,1,3: the first thread on processor 0, the next two on "    \
				"processor 1, the fourth on 3; then it begins again. 0-3 is "   \
				"0,1,2,3. affinity: "                                           \
				"where the program binds them itself (sched_setaffinity), the " \
				"others as always. By default, each new thread takes the "      \
				"next processor, round and round.",                             \
		},                                                                              \
	{                                                                                       \
		.kind = MS_OPT_TEXT, .name = "ranks-per-node", .value = "N|none",               \
		.offset = offsetof(type, field.ranks_per_node),                                 \
		.brief = "ranks that share the node's caches and bandwidth (default: auto)",    \
		.full = "Ranks of a parallel job on one node share its last-level cache and "   \
			"the bandwidth of its memory: each has an equal part, and so of the "   \
			"processors that --processors auto simulates. auto: as many as the "    \
			"launcher has started on this node (mpirun, srun), none where there "   \
			"is no launcher, and in replay. The report says how much each has.",    \
	}

#define MS_OPTIONS_AUTO_PROCESSORS                                                               \
	" auto, the default: one until the program starts a thread; from then on as many as it " \
	"may use on this machine, or as many as the machine has that --machine names. The "      \
	"report says how many. One, also for threads, with --sample, --sample-sets, "            \
	"--misses-only, --pmu and --attach, under Valgrind, and for machines "                   \
	"whose caches are not LRU and write-back. "                                              \
	"The order is that in which threads run natively: short ones may run one after "         \
	"another, and share nothing then. --processors N repeats one order."

/* What --processors auto simulates. */
struct ms_options_auto_processors {
	struct ms_machine several; /* shares memory with the machine that it was made from */
	bool has_several;          /* it is used as soon as the program has threads */
	const char *why_one;       /* why not, also for threads; NULL: the user has chosen */
};
/* The features of a run that several processors do not have. */
struct ms_options_one_processor {
	bool is_sampled, misses_only, has_monitor, is_attached;
};
/* Whether the number is left to memspy; the option is NULL then. */
bool ms_options_take_auto_processors(struct ms_options_processors *options);
void ms_options_choose_processors(const struct ms_options_processors *options,
				  const struct ms_machine *machine,
				  const struct ms_options_one_processor *features,
				  struct ms_options_auto_processors *choice);

/* Before there is a machine: whether they are numbers. */
int ms_options_check_processors(const struct ms_options_processors *options, struct ms_err *err);
/* Gives the machine its processors and reads the map for them; cpus needs ms_launch_cpus_free(). */
int ms_options_read_processors(const struct ms_options_processors *options,
			       struct ms_machine *machine, struct ms_err *err);
/* Says so on standard error when they are more than the machine has. */
void ms_options_warn_processors(const struct ms_machine *machine);
/* A seed is of use only where there are several. */
#define MS_OPTIONS_NO_SEED UINT64_MAX
/* why_one: why several are not chosen automatically; NULL: they are not, or the user has chosen. */
int ms_options_read_seed(uint64_t given, uint32_t processors, const char *why_one, uint64_t *seed,
			 struct ms_err *err);
int ms_options_read_cpus(const struct ms_options_processors *options, uint32_t processors,
			 struct ms_launch_cpus *cpus, struct ms_err *err);

#endif
