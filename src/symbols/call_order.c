/*
 * symbols/call_order.c - numbers the calls of one function that come from one source line.
 *
 * gfortran gives every call of a line the same column. The calls of allocate(a(n), b(n)) differ
 * only in their order in the code, which is that of the objects: a compiler does not exchange
 * calls.
 */
#include <gelf.h>
#include <string.h>

#include "symbols/direct_call_priv.h"
#include "symbols/frame_size_priv.h"
#include "symbols/lookup_priv.h"
#include "symbols/module_priv.h"
#include "symbols/receiver_priv.h"

enum { LARGEST_FUNCTION = 1 << 20 };

/* A section of the module that has code. */
struct code_section {
	const uint8_t *at;
	uint64_t start, size;
};

static bool find_code(const struct ms_symbols_module *m, uint64_t offset, struct code_section *code)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(m->elf, section)) != NULL) {
		GElf_Shdr s;
		Elf_Data *data;

		if (gelf_getshdr(section, &s) == NULL || s.sh_type != SHT_PROGBITS ||
		    !(s.sh_flags & SHF_EXECINSTR) || offset < s.sh_addr ||
		    offset - s.sh_addr >= s.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		if (data == NULL || data->d_buf == NULL || data->d_size < s.sh_size)
			return false;
		*code = (struct code_section){ data->d_buf, s.sh_addr, s.sh_size };
		return true;
	}
	return false;
}

const uint8_t *ms_symbols_code_at(const struct ms_symbols_module *m, uint64_t offset, size_t *n)
{
	struct code_section code;

	if (!find_code(m, offset, &code))
		return NULL;
	*n = code.size - (offset - code.start);
	return code.at + (offset - code.start);
}

bool ms_symbols_frame_size(const struct ms_symbols_module *m, uint64_t entry, uint64_t *size)
{
	size_t n;
	const uint8_t *code = ms_symbols_code_at(m, entry, &n);

	*size = code != NULL ? ms_symbols_prologue_bytes(code, n) : 0;
	return *size > 0;
}

static struct ms_symbols_direct_call call_before(const struct code_section *code, uint64_t end)
{
	return ms_symbols_call_before(code->at, end - code->start, end);
}

/* Whether the call that returns to `end` is in the same line and inline level as the place. */
static bool is_in_line(struct ms_symbols_module *m, const struct ms_symbols_place *place,
		       unsigned level, const char *inlined, uint64_t end)
{
	struct ms_symbols_frame frames[MS_MAX_DEPTH];
	size_t n = ms_symbols_module_frames(m, end - 1, frames, MS_COUNT(frames));

	if (level >= n || frames[level].line != place->line || frames[level].file != place->file)
		return false;
	return level == 0 || inlined == NULL ||
	       (frames[level - 1].function != NULL &&
		strcmp(frames[level - 1].function, inlined) == 0);
}

bool ms_symbols_call_order(struct ms_symbols_module *m, const struct ms_symbols_place *place,
			   unsigned level, const char *inlined, unsigned *rank, unsigned *count)
{
	const struct ms_symbols_function *f = place->function;
	uint64_t offset = place->pc + 1;
	struct code_section code;

	*rank = *count = 0;
	if (!find_code(m, place->pc, &code))
		return false;
	struct ms_symbols_direct_call ours = call_before(&code, offset);
	unsigned step = ms_symbols_call_alignment;
	for (size_t i = 0; i < f->ranges.n && ours.form != 0; i++) {
		const struct ms_symbols_block_range *r = &f->ranges.at[i];

		if (r->block != place->chain[place->n - 1] || r->high <= r->low ||
		    r->high - r->low > LARGEST_FUNCTION || r->low < code.start ||
		    r->high - code.start > code.size)
			continue;
		for (uint64_t end = r->low + step; end <= r->high; end += step) {
			struct ms_symbols_direct_call other = call_before(&code, end);

			if (other.form != ours.form || other.target != ours.target ||
			    !is_in_line(m, place, level, inlined, end))
				continue;
			*rank += end < offset;
			++*count;
		}
	}
	return *count > 0;
}
