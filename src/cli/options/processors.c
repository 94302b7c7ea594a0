#include "cli/options/processors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int ms_options_check_processors(const struct ms_options_processors *options, struct ms_err *err)
{
	uint32_t number;

	return options->processors != NULL ? read_number(options->processors, &number, err) : MS_OK;
}

int ms_options_read_processors(const struct ms_options_processors *options,
			       struct ms_machine *machine, struct ms_err *err)
{
	uint32_t number;

	ms_machine_use_share(machine);
	if (options->processors == NULL)
		return MS_OK;
	MS_TRY(read_number(options->processors, &number, err));
	return ms_machine_set_processors(machine, number, err);
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

int ms_options_read_seed(uint64_t given, uint32_t processors, uint64_t *seed, struct ms_err *err)
{
	*seed = given != MS_OPTIONS_NO_SEED ? given : 0;
	if (given == MS_OPTIONS_NO_SEED || processors > 1)
		return MS_OK;
	return ms_fail(err, MS_EUSAGE,
		       "--seed %" PRIu64 ": only one processor is simulated, and nothing varies; "
		       "say how many with --processors N",
		       given);
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
