/* symbols/relocations.c - counts the relocations that the dynamic loader processes at start. */
#include "symbols/module_priv.h"

#include <gelf.h>

/* Whether the module requests that all functions are looked up at start (BIND_NOW). */
static bool binds_now(Elf_Data *dynamic, size_t entries)
{
	for (size_t i = 0; i < entries; i++) {
		GElf_Dyn entry;

		if (gelf_getdyn(dynamic, (int)i, &entry) == NULL)
			return false;
		if (entry.d_tag == DT_BIND_NOW ||
		    (entry.d_tag == DT_FLAGS && entry.d_un.d_val & DF_BIND_NOW) ||
		    (entry.d_tag == DT_FLAGS_1 && entry.d_un.d_val & DF_1_NOW))
			return true;
	}
	return false;
}

/* For a relocation without a symbol, the loader only adds the load address of the module. */
static uint64_t count_with_symbol(Elf_Data *data, size_t entries)
{
	uint64_t count = 0;

	for (size_t i = 0; i < entries; i++) {
		GElf_Rela rela;

		if (gelf_getrela(data, (int)i, &rela) != NULL)
			count += GELF_R_SYM(rela.r_info) != 0;
	}
	return count;
}

void ms_symbols_module_relocations(struct ms_symbols_module *m, struct ms_symbols_relocations *sum)
{
	Elf_Scn *calls = m->elf != NULL ? ms_symbols_elf_section(m->elf, ".rela.plt") : NULL;
	uint64_t of_calls = 0;
	bool now = false;

	for (Elf_Scn *at = NULL; m->elf != NULL && (at = elf_nextscn(m->elf, at)) != NULL;) {
		GElf_Shdr section;
		Elf_Data *data;

		if (gelf_getshdr(at, &section) == NULL || section.sh_entsize == 0 ||
		    !(section.sh_flags & SHF_ALLOC) || (data = elf_getdata(at, NULL)) == NULL)
			continue;
		size_t entries = section.sh_size / section.sh_entsize;
		uint64_t lookups =
			section.sh_type == SHT_RELA ? count_with_symbol(data, entries) : 0;

		if (section.sh_type == SHT_DYNAMIC)
			now = binds_now(data, entries);
		else if (section.sh_type == SHT_RELA)
			sum->simple += entries - lookups;
		if (at == calls)
			of_calls = lookups;
		else
			sum->lookups += lookups;
	}
	/* Functions are looked up at their first call, unless the module requests BIND_NOW. */
	sum->lookups += now ? of_calls : 0;
	sum->simple += now ? 0 : of_calls;
}
