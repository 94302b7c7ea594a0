#include "cli/options/machine.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/command.h"

struct level_option {
	const char *name;
	const char *spec;
};

/* Puts the levels that are given into the machine; `joint` stands before them in its origin. */
static int apply(struct ms_machine *machine, const struct level_option *levels, size_t n,
		 const char *joint, struct ms_err *err)
{
	struct ms_text changed = MS_TEXT_INIT;

	for (size_t i = 0; i < n; i++) {
		if (levels[i].spec == NULL)
			continue;
		int code = ms_machine_set_level(machine, levels[i].name, levels[i].spec, err);
		if (code != MS_OK) {
			ms_text_free(&changed);
			return code;
		}
		ms_text_addf(&changed, " --%s %s", levels[i].name, levels[i].spec);
	}
	machine->origin = ms_arena_printf(&machine->arena, "%s%s%s", machine->origin, joint,
					  ms_text_get(&changed));
	ms_text_free(&changed);
	if (ms_machine_check(machine, NULL, err) != MS_OK) {
		if (err != NULL)
			err->code = MS_EUSAGE;
		return MS_EUSAGE;
	}
	return MS_OK;
}

/* The host has the figures that `memspy machine --calibrate --save` measured, if it did. */
static int load(struct ms_machine *machine, const char *spec, struct ms_err *err)
{
	const char *saved = ms_cli_calibration_file();

	MS_TRY(ms_machine_load(machine, spec, ms_cli_machines_dir(), err));
	if (strcmp(spec, "host") != 0 || saved == NULL || access(saved, F_OK) != 0)
		return MS_OK;
	int code = ms_machine_apply_saved(machine, saved, err);
	if (code != MS_OK)
		ms_machine_free(machine);
	return code;
}

int ms_options_read_machine(const struct ms_options_machine *options, struct ms_machine *machine,
			    struct ms_err *err)
{
	const struct level_option levels[] = {
		{ "l1", options->l1 },
		{ "l2", options->l2 },
		{ "l3", options->l3 },
		{ "ll", options->ll },
	};
	bool given = options->l1 || options->l2 || options->l3 || options->ll;
	bool alone = given && options->machine == NULL;

	if (alone)
		ms_machine_start(machine);
	else
		MS_TRY(load(machine, options->machine ? options->machine : "host", err));
	if (!given)
		return MS_OK;

	int code = apply(machine, levels, MS_COUNT(levels), alone ? "" : "; with", err);
	if (code != MS_OK)
		ms_machine_free(machine);
	return code;
}
