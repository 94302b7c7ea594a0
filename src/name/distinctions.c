#include "name/distinctions.h"

#include <string.h>

/* The text from `start` to its end is that of this level. */
static void set_level(struct ms_name_distinction *d, unsigned level, size_t start)
{
	d->start[level - 1] = start;
	d->end[level - 1] = d->text.n;
}

static void set_levels_from(struct ms_name_distinction *d, unsigned level, size_t start)
{
	for (; level <= MS_NAME_MOST_DISTINCT; level++)
		set_level(d, level, start);
}

/* Adds the first n positions, the last one with its column. */
static void add_positions(struct ms_text *out, const struct ms_bins_data_name *name, size_t n,
			  bool column)
{
	for (size_t i = 0; i < n && i < name->position_count; i++)
		ms_text_addf(out, "%s%s", i > 0 ? " < " : "",
			     ms_text_get(&name->positions[i].text));
	if (column && n <= name->position_count && name->positions[n - 1].column > 0)
		ms_text_addf(out, ":%u", name->positions[n - 1].column);
}

/* Three positions distinguish most paths. */
void ms_name_distinguish_path(struct ms_name_distinction *d, const struct ms_bins_data_name *name,
			      uint64_t path)
{
	size_t start;

	for (unsigned level = 1; level < MS_NAME_MOST_DISTINCT; level++) {
		start = d->text.n;
		add_positions(&d->text, name, (level + 1) / 2, level % 2 == 0);
		set_level(d, level, start);
	}
	start = d->text.n;
	add_positions(&d->text, name, MS_BINS_MOST_POSITIONS, false);
	ms_text_addf(&d->text, "%s~%04x", d->text.n > start ? " " : "",
		     (unsigned)((path ^ path >> 32 ^ path >> 16) & 0xffff));
	set_level(d, MS_NAME_MOST_DISTINCT, start);
}

void ms_name_distinguish_variable(struct ms_name_distinction *d,
				  const struct ms_symbols_variable *variable, const char *module,
				  unsigned number_in_module)
{
	const char *place = variable->file != NULL ? variable->file : module;

	ms_text_add(&d->text, ms_base_name(place));
	set_level(d, 1, 0);
	if (variable->file != NULL)
		ms_text_addf(&d->text, ":%u", variable->line);
	else
		ms_text_addf(&d->text, ", %u", number_in_module);
	set_level(d, 2, 0);
	if (variable->file != NULL)
		ms_text_addf(&d->text, " in %s", ms_base_name(module));
	set_levels_from(d, 3, 0);
}

void ms_name_distinguish_file(struct ms_name_distinction *d, const char *path)
{
	const char *base = ms_base_name(path);

	if (base > path + 1)
		ms_text_add_n(&d->text, path, (size_t)(base - path) - 1);
	set_levels_from(d, 1, 0);
}

void ms_name_write_distinction(struct ms_text *out, const struct ms_name_distinction *d,
			       unsigned level)
{
	size_t start = d->start[level - 1];

	ms_text_add_n(out, ms_text_get(&d->text) + start, d->end[level - 1] - start);
}
