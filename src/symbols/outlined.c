/*
 * symbols/outlined.c - names of the functions that clang makes of OpenMP regions.
 *
 * Up to version 16 clang calls all of them ".omp_outlined." with a number that counts through the
 * file, and puts the code of the region into a second function, ".omp_outlined._debug__". Like
 * g++'s "advance._omp_fn.0", the name here consists of the function that contains the region, and
 * of the number of the region in this function. DWARF has the line of the region only: the function
 * around it is the last one that begins before.
 */
#include <dwarf.h>
#include <string.h>

#include "symbols/dies_priv.h"
#include "symbols/module_priv.h"
#include "symbols/units_priv.h"

static const char outlined[] = ".omp_outlined.";
static const char with_code[] = ".omp_outlined._debug__";

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

struct region_search {
	struct ms_symbols_module *module;
	struct ms_symbols_unit *unit;
	const char *file; /* of the region */
	int line;
};

/* A function that is defined in the file of the region, and its line. */
static bool is_in_file(const struct region_search *s, const struct ms_symbols_scope *scope,
		       Dwarf_Die *die, int *line)
{
	if (!scope->function || !ms_symbols_die_at(s->module, scope->start, die) ||
	    dwarf_hasattr(die, DW_AT_declaration) || dwarf_hasattr(die, DW_AT_abstract_origin) ||
	    dwarf_diename(die) == NULL || dwarf_decl_line(die, line) != 0)
		return false;
	const char *file = ms_symbols_die_file(die);
	return file != NULL && strcmp(file, s->file) == 0;
}

/* The function that contains the region. */
static bool find_around(const struct region_search *s, Dwarf_Die *around, int *start)
{
	*start = 0;
	for (size_t i = 0; i < s->unit->scopes.n; i++) {
		Dwarf_Die die;
		int line;

		if (!is_in_file(s, &s->unit->scopes.at[i], &die, &line) || line > s->line ||
		    line <= *start || begins(dwarf_diename(&die), ".omp_"))
			continue;
		*around = die;
		*start = line;
	}
	return *start > 0;
}

/* The number of regions before this one, from the line on: functions of the same sort. */
static unsigned count_before(const struct region_search *s, int from, bool has_code)
{
	unsigned count = 0;

	for (size_t i = 0; i < s->unit->scopes.n; i++) {
		Dwarf_Die die;
		int line;

		if (is_in_file(s, &s->unit->scopes.at[i], &die, &line) && line >= from &&
		    line < s->line && begins(dwarf_diename(&die), outlined) &&
		    begins(dwarf_diename(&die), with_code) == has_code)
			count++;
	}
	return count;
}

const char *ms_symbols_outlined_name(struct ms_symbols_module *m, Dwarf_Die *die, const char *name)
{
	struct region_search s = { .module = m };
	struct ms_text text = MS_TEXT_INIT;
	Dwarf_Die around;
	int start;

	if (!begins(name, outlined))
		return NULL;
	s.unit = ms_symbols_unit_of(m, die);
	s.file = ms_symbols_die_file(die);
	if (s.unit == NULL || s.file == NULL || dwarf_decl_line(die, &s.line) != 0)
		return NULL;
	ms_symbols_unit_walk(m, s.unit);
	if (!find_around(&s, &around, &start))
		return NULL;
	const char *function = ms_symbols_function_name(m, &around);
	ms_text_addf(&text, "%s.omp_outlined.%u", function != NULL ? function : "?",
		     count_before(&s, start, begins(name, with_code)));
	name = ms_intern(&m->names, text.at);
	ms_text_free(&text);
	return name;
}
