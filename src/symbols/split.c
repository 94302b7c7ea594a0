/*
 * symbols/split.c - DIEs by offset, in a module's own debug information and in the .dwo files of
 * its split units (-gsplit-dwarf).
 *
 * Offsets in each .dwo file begin at 0. So the upper bits of a DIE's offset hold the number of its
 * file. Another bit marks offsets in .debug_types, a separate section of DWARF 4.
 */
#include <dwarf.h>
#include <unistd.h>

#include "symbols/dies_priv.h"
#include "symbols/module_priv.h"

enum { TYPES_SHIFT = 39, FILE_SHIFT = 40 };

bool ms_symbols_die_in_types(Dwarf_Die *die)
{
	Dwarf_Half version;
	uint8_t type;

	return dwarf_cu_info(die->cu, &version, &type, NULL, NULL, NULL, NULL, NULL) == 0 &&
	       version < 5 && (type == DW_UT_type || type == DW_UT_split_type);
}

void ms_symbols_split_add(struct ms_symbols_module *m, Dwarf *dwarf)
{
	uint32_t *slot = ms_map_at(&m->split_files, (uintptr_t)dwarf, 0);

	if (*slot != MS_MAP_NONE)
		return;
	*ms_vec_add(&m->splits) = dwarf;
	*slot = (uint32_t)m->splits.n;
}

static const char *text_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	const char *text = dwarf_attr(die, name, &attr) != NULL ? dwarf_formstring(&attr) : NULL;

	return text != NULL ? text : "";
}

void ms_symbols_split_missing(struct ms_symbols_module *m, Dwarf_Die *unit)
{
	const char *name = text_of(unit, DW_AT_dwo_name);
	const char *folder = text_of(unit, DW_AT_comp_dir);

	if (m->unsplit++ > 0)
		return;
	if (name[0] == '\0')
		name = text_of(unit, DW_AT_GNU_dwo_name);
	m->unsplit_name = name[0] == '/' || folder[0] == '\0'
				  ? ms_arena_strdup(&m->arena, name)
				  : ms_arena_printf(&m->arena, "%s/%s", folder, name);
	const char *package = ms_arena_printf(&m->arena, "%s.dwp", m->path);
	if (access(package, F_OK) == 0)
		m->unsplit_name = package;
}

uint64_t ms_symbols_module_missing(const struct ms_symbols_module *m, const char **file)
{
	*file = m->unsplit_name;
	return m->unsplit;
}

/*
 * 0: the module's own; MS_MAP_NONE: an unknown file, such as the one to which dwz moved common
 * parts.
 */
static uint32_t file_of(const struct ms_symbols_module *m, Dwarf *dwarf)
{
	return dwarf == m->dwarf ? 0 : ms_map_get(&m->split_files, (uintptr_t)dwarf, 0);
}

bool ms_symbols_die_is_known(const struct ms_symbols_module *m, Dwarf_Die *die)
{
	return file_of(m, dwarf_cu_getdwarf(die->cu)) != MS_MAP_NONE;
}

Dwarf_Off ms_symbols_die_off(const struct ms_symbols_module *m, Dwarf_Die *die)
{
	uint32_t file = file_of(m, dwarf_cu_getdwarf(die->cu));
	Dwarf_Off off = dwarf_dieoffset(die) | (Dwarf_Off)ms_symbols_die_in_types(die)
						       << TYPES_SHIFT;

	return file == MS_MAP_NONE ? off : off | (Dwarf_Off)file << FILE_SHIFT;
}

bool ms_symbols_die_at(const struct ms_symbols_module *m, Dwarf_Off off, Dwarf_Die *die)
{
	uint64_t file = off >> FILE_SHIFT;
	bool types = off >> TYPES_SHIFT & 1;
	Dwarf_Off in = off & ((UINT64_C(1) << TYPES_SHIFT) - 1);
	Dwarf *dwarf = m->dwarf;

	if (file > m->splits.n)
		return false;
	if (file > 0)
		dwarf = m->splits.at[file - 1];
	return dwarf != NULL && (types ? dwarf_offdie_types : dwarf_offdie)(dwarf, in, die) != NULL;
}

void ms_symbols_split_free(struct ms_symbols_module *m)
{
	ms_vec_free(&m->splits);
	ms_map_free(&m->split_files);
}
