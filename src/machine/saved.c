/* machine/saved.c - this machine as it was calibrated and saved, while it is still the same one. */
#include <string.h>

#include "machine/machine_priv.h"

/* A saved file may be of another machine: home folders are shared, virtual machines move. */
static bool is_of(const struct ms_machine *saved, const struct ms_machine *host)
{
	if (strcmp(saved->text, host->text) != 0 || saved->levels.n != host->levels.n ||
	    saved->whole.processors != host->whole.processors)
		return false;
	for (size_t i = 0; i < host->levels.n; i++) {
		const struct ms_machine_level *a = &saved->levels.at[i], *b = &host->levels.at[i];

		if (a->size != b->size || a->ways != b->ways || a->line != b->line)
			return false;
	}
	return true;
}

int ms_machine_apply_saved(struct ms_machine *machine, const char *path, struct ms_err *err)
{
	struct ms_machine saved;

	MS_TRY(ms_machine_load_file(&saved, path, err));
	if (is_of(&saved, machine)) {
		ms_machine_free(machine);
		*machine = saved;
		machine->name = "host";
		return MS_OK;
	}
	machine->origin =
		ms_arena_printf(&machine->arena, "%s; %s is the calibration of another machine",
				machine->origin, path);
	ms_machine_free(&saved);
	return MS_OK;
}
