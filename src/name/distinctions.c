#include "name/distinctions.h"

#include <string.h>

static void end_levels_from(struct ms_name_distinction *d, unsigned level)
{
	for (; level <= MS_NAME_MOST_DISTINCT; level++)
		d->end[level - 1] = d->text.n;
}

/* Three positions distinguish most paths. */
void ms_name_distinguish_path(struct ms_name_distinction *d, const char *positions, uint64_t path)
{
	static const char separator[] = " < ";
	const char *at = positions;

	for (unsigned level = 1; level < MS_NAME_MOST_DISTINCT; level++) {
		const char *end = at != NULL ? strstr(at, separator) : NULL;

		if (at != NULL)
			ms_text_add_n(&d->text, at, end != NULL ? (size_t)(end - at) : strlen(at));
		d->end[level - 1] = d->text.n;
		at = end != NULL ? end + strlen(separator) : NULL;
		if (at != NULL && level + 1 < MS_NAME_MOST_DISTINCT)
			ms_text_add(&d->text, separator);
	}
	ms_text_addf(&d->text, "%s~%04x", d->text.n > 0 ? " " : "",
		     (unsigned)((path ^ path >> 32 ^ path >> 16) & 0xffff));
	end_levels_from(d, MS_NAME_MOST_DISTINCT);
}

void ms_name_distinguish_variable(struct ms_name_distinction *d,
				  const struct ms_symbols_variable *variable, const char *module,
				  unsigned number_in_module)
{
	const char *place = variable->file != NULL ? variable->file : module;

	ms_text_add(&d->text, ms_base_name(place));
	d->end[0] = d->text.n;
	if (variable->file != NULL)
		ms_text_addf(&d->text, ":%u", variable->line);
	else
		ms_text_addf(&d->text, ", %u", number_in_module);
	d->end[1] = d->text.n;
	if (variable->file != NULL)
		ms_text_addf(&d->text, " in %s", ms_base_name(module));
	end_levels_from(d, 3);
}

void ms_name_distinguish_file(struct ms_name_distinction *d, const char *path)
{
	const char *base = ms_base_name(path);

	if (base > path + 1)
		ms_text_add_n(&d->text, path, (size_t)(base - path) - 1);
	end_levels_from(d, 1);
}

void ms_name_write_distinction(struct ms_text *out, const struct ms_name_distinction *d,
			       unsigned level)
{
	ms_text_add_n(out, ms_text_get(&d->text), d->end[level - 1]);
}
