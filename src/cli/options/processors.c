#include "cli/options/processors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/processors.h"
#include "engine/add_processors.h"

/* 0: all that the machine has. */
static int read_number(const char *text, uint32_t *number, struct ms_err *err)
{
	char *end = NULL;

	*number = 0;
	if (strcmp(text, "all") == 0)
		return MS_OK;
	unsigned long n = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
	if (n == 0 || n > MS_PROCESSORS_MOST || *end != '\0')
		return ms_fail(err, MS_EUSAGE,
			       "--processors '%s': expected how many are simulated, 1 to %d, or "
			       "all that the machine has",
			       text, MS_PROCESSORS_MOST);
	*number = (uint32_t)n;
	return MS_OK;
}

/* 0: a rank has the machine for itself. */
static int read_ranks(const struct ms_options_processors *options, uint32_t *ranks,
		      struct ms_err *err)
{
	const char *text = options->ranks_per_node;
	char *end = NULL;

	*ranks = text == NULL || strcmp(text, "auto") == 0 ? options->local_ranks : 0;
	if (text == NULL || strcmp(text, "auto") == 0 || strcmp(text, "none") == 0)
		return MS_OK;
	unsigned long n = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
	if (n == 0 || n > MS_DESCRIBED_MOST || *end != '\0')
		return ms_fail(err, MS_EUSAGE,
			       "--ranks-per-node '%s': expected how many ranks share a node, 1 to "
			       "%d, or none",
			       text, MS_DESCRIBED_MOST);
	*ranks = (uint32_t)n;
	return MS_OK;
}

int ms_options_check_processors(const struct ms_options_processors *options, struct ms_err *err)
{
	uint32_t number;

	MS_TRY(read_ranks(options, &number, err));
	return options->processors != NULL ? read_number(options->processors, &number, err) : MS_OK;
}

int ms_options_read_processors(const struct ms_options_processors *options,
			       struct ms_machine *machine, struct ms_err *err)
{
	uint32_t number, ranks;

	MS_TRY(read_ranks(options, &ranks, err));
	ms_machine_use_share(machine);
	ms_machine_share_among_ranks(machine, ranks);
	if (options->processors == NULL)
		return MS_OK;
	MS_TRY(read_number(options->processors, &number, err));
	return ms_machine_set_processors(machine, number, err);
}

bool ms_options_take_auto_processors(struct ms_options_processors *options)
{
	if (options->processors != NULL && strcmp(options->processors, "auto") == 0)
		options->processors = NULL;
	return options->processors == NULL;
}

static bool is_this_machine(const struct ms_machine *machine)
{
	return strcmp(machine->name, "host") == 0;
}

/* On another machine the result must not depend on this one. */
static uint32_t count_usable(const struct ms_machine *machine, uint32_t ranks)
{
	uint32_t n = is_this_machine(machine) ? ms_processors_allowed() : machine->whole.processors;

	if (ranks > 1 && n > ms_machine_rank_processors(machine, ranks))
		n = ms_machine_rank_processors(machine, ranks);
	return n < MS_PROCESSORS_MOST ? n : MS_PROCESSORS_MOST;
}

/* NULL: several can be simulated. */
static const char *find_why_one(const struct ms_machine *machine, uint32_t ranks,
				const struct ms_options_one_processor *features)
{
	const struct {
		bool applies;
		const char *why;
	} reasons[] = {
		{ features->is_attached, "--attach simulates one" },
		{ features->is_sampled, "parts of the program are simulated" },
		{ features->misses_only, "hits are not attributed" },
		{ features->has_monitor, "a monitor is simulated" },
		{ !ms_engine_can_add_processors(machine), "its caches are not LRU and write-back" },
		{ count_usable(machine, 0) <= 1 && is_this_machine(machine),
		  "the program may use one" },
		{ count_usable(machine, 0) <= 1, "the machine has one" },
		{ count_usable(machine, ranks) <= 1,
		  "the ranks of its node use the other processors" },
	};

	for (size_t i = 0; i < MS_COUNT(reasons); i++)
		if (reasons[i].applies)
			return reasons[i].why;
	return NULL;
}

void ms_options_choose_processors(const struct ms_options_processors *options,
				  const struct ms_machine *machine,
				  const struct ms_options_one_processor *features,
				  struct ms_options_auto_processors *choice)
{
	struct ms_err err;
	uint32_t ranks = 0;

	read_ranks(options, &ranks, &err); /* was checked */
	*choice = (struct ms_options_auto_processors){
		.several = *machine, .why_one = find_why_one(machine, ranks, features)
	};
	if (choice->why_one != NULL)
		return;
	if (ms_machine_set_processors(&choice->several, count_usable(machine, ranks), &err) ==
	    MS_OK)
		choice->has_several = true;
	else
		choice->why_one = "more take too much memory";
}

void ms_options_warn_processors(const struct ms_machine *machine)
{
	if (machine->whole.processors != 0 && machine->processors > machine->whole.processors)
		fprintf(stderr,
			"memspy: %s has %" PRIu32 " processor%s; %" PRIu32
			" are simulated, more of the same\n",
			machine->name, machine->whole.processors,
			machine->whole.processors == 1 ? "" : "s", machine->processors);
}

int ms_options_read_seed(uint64_t given, uint32_t processors, const char *why_one, uint64_t *seed,
			 struct ms_err *err)
{
	*seed = given != MS_OPTIONS_NO_SEED ? given : 0;
	if (given == MS_OPTIONS_NO_SEED || processors > 1)
		return MS_OK;
	return ms_fail(err, MS_EUSAGE,
		       "--seed %" PRIu64 ": only one processor is simulated%s%s, and nothing "
		       "varies; say how many with --processors N",
		       given, why_one != NULL ? ", since " : "", why_one != NULL ? why_one : "");
}

int ms_options_read_cpus(const struct ms_options_processors *options, uint32_t processors,
			 struct ms_launch_cpus *cpus, struct ms_err *err)
{
	*cpus = (struct ms_launch_cpus){ .text = NULL };
	if (options->cpus == NULL)
		return MS_OK;
	if (processors <= 1)
		return ms_fail(err, MS_EUSAGE,
			       "--cpus %s: only one processor is simulated; say how many with "
			       "--processors N",
			       options->cpus);
	return ms_launch_cpus_read(cpus, options->cpus, processors, err);
}
