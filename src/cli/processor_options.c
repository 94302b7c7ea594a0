#include "cli/processor_options.h"

#include <stdlib.h>
#include <string.h>

int ms_cli_processors(const struct ms_processor_options *options, struct ms_machine *machine,
		      struct ms_err *err)
{
	const char *text = options->processors;
	char *end = NULL;

	if (text == NULL)
		return MS_OK;
	if (strcmp(text, "all") == 0)
		return ms_machine_set_processors(machine, 0, err);
	unsigned long n = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
	if (n == 0 || n > MS_PROCESSORS_MOST || *end != '\0')
		return ms_fail(err, MS_EUSAGE, "--processors %s: expected 1 to %d, or all", text,
			       MS_PROCESSORS_MOST);
	return ms_machine_set_processors(machine, (uint32_t)n, err);
}

int ms_cli_cpus(const struct ms_processor_options *options, uint32_t processors,
		struct ms_cpus *cpus, struct ms_err *err)
{
	*cpus = (struct ms_cpus){ .text = NULL };
	if (options->cpus == NULL)
		return MS_OK;
	if (processors <= 1)
		return ms_fail(err, MS_EUSAGE,
			       "--cpus %s: only one processor is simulated; say how many with "
			       "--processors N",
			       options->cpus);
	return ms_cpus_read(cpus, options->cpus, processors, err);
}
