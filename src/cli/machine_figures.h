/* cli/machine_figures.h - shows the figures of a machine's core and where each comes from. */
#ifndef MS_CLI_MACHINE_FIGURES_H
#define MS_CLI_MACHINE_FIGURES_H

#include "base/json.h"
#include "machine/machine.h"

/* A table of the figures that the machine states or assumes; nothing if there are none. */
void ms_cli_print_figures(const struct ms_machine *machine, size_t width, FILE *out);
/* The same as the array "figures" of an open object. */
void ms_cli_json_figures(const struct ms_machine *machine, struct ms_json *json);

#endif
