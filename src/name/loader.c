/*
 * name/loader.c - an estimate of what the native front-end does not see: the references of the
 * dynamic loader before the front-end, which the loader itself loads, begins to trace.
 *
 * Model: a fixed part, and a number of references for each relocation of the modules that were
 * loaded then, far more where a symbol is looked up. Fitted to what Valgrind counts in addition for
 * true, ls, tar, perl, git, sqlite3 and gdb on aarch64 (37,000 to 12 million references), from
 * which it differs by -22 to +30 %. docs/design/native.md has the figures.
 */
#include <string.h>

#include "name/name_priv.h"
#include "symbols/symbols.h"

enum { FIXED = 15000, FOR_SIMPLE = 3, FOR_LOOKUP = 270 };
/* Per cent of all references below which the report does not mention the loader. */
enum { FEW = 3 };

static uint64_t estimate(const struct ms_name_state *n)
{
	struct ms_symbols_relocations sum = { 0, 0 };

	for (uint32_t i = 0; i < n->from.program->modules_at_start; i++) {
		const char *name = ms_base_name(ms_bins_module_path(n->from.binder, i));
		struct ms_symbols_module *symbols = ms_bins_symbols(n->from.binder, i);

		if (symbols != NULL && strncmp(name, "memspy", strlen("memspy")) != 0)
			ms_symbols_module_relocations(symbols, &sum);
	}
	return FIXED + FOR_SIMPLE * sum.simple + FOR_LOOKUP * sum.lookups;
}

void ms_name_add_loader(const struct ms_name_state *n)
{
	struct ms_run *run = n->run;
	uint64_t references = 0;

	if (!n->from.program->starts_natively || n->from.program->modules_at_start == 0)
		return;
	for (size_t i = 0; i < run->cells.n; i++)
		references += run->cells.at[i].references;
	uint64_t loader = estimate(n);
	if (references > 0 && loader * 100 >= (references + loader) * FEW)
		*ms_vec_add(&run->untraced) =
			(struct ms_run_untraced){ "the dynamic loader, before the program started",
						  MS_WHO_LOADER, loader, 0 };
}
