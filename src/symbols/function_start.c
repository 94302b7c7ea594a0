/*
 * symbols/function_start.c - where the function of an instruction begins, from the symbol table or
 * the unwind tables. Debug information is not read: this is asked for every block of a program.
 */
#include <string.h>

#include "symbols/module_priv.h"
#include "symbols/symbols.h"
#include "symbols/symtab_priv.h"

/* GCC and LLVM put rarely executed parts of f into f.cold and f.cold.3. */
static size_t length_without_cold(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return cold != NULL ? (size_t)(cold - name) : 0;
}

/* The function that a cold part belongs to; the part itself if there is none. */
static const struct ms_symbols_entry *find_whole(const struct ms_symbols_module *m,
						 const struct ms_symbols_entry *part, size_t n)
{
	for (size_t i = 0; i < m->functions.at.n; i++) {
		const struct ms_symbols_entry *s = &m->functions.at.at[i];

		if (strncmp(s->name, part->name, n) == 0 && s->name[n] == '\0')
			return s;
	}
	return part;
}

uint64_t ms_symbols_module_function(struct ms_symbols_module *m, uint64_t offset)
{
	const struct ms_symbols_entry *s = ms_symbols_symtab_function(m, offset);

	if (s == NULL) {
		const struct ms_symbols_unwind_entry *f = ms_symbols_unwind_function(m, offset);

		return f != NULL ? f->start : UINT64_MAX;
	}
	size_t whole = length_without_cold(s->name);
	return whole > 0 ? find_whole(m, s, whole)->offset : s->offset;
}
