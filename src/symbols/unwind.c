/*
 * symbols/unwind.c - finds where functions begin in a module without symbols. A stripped program
 * keeps its unwind tables, which have an entry for each function.
 *
 * .eh_frame_hdr contains a sorted table of (function, entry) pairs. Linkers write it in one format
 * only: 32-bit offsets from the section's own address; any other format is ignored. Static programs
 * have only the entries, .eh_frame, whose start is a 32-bit offset from its own position.
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

#include "symbols/module_priv.h"
#include "symbols/symtab_priv.h"

enum { PCREL_SDATA4 = 0x1b, UDATA4 = 0x03, DATAREL_SDATA4 = 0x3b, HEADER_BYTES = 12 };

static int32_t signed_at(const unsigned char *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static void add_start(struct ms_symbols_module *m, uint64_t start)
{
	if (m->unwound.n == 0 || start > m->unwound.at[m->unwound.n - 1].start)
		*ms_vec_add(&m->unwound) = (struct ms_symbols_unwind_entry){ start, NULL };
}

static int compare_starts(const void *a, const void *b)
{
	return ms_cmp_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Reads the entries of .eh_frame, in any order. */
static void read_entries(struct ms_symbols_module *m)
{
	Elf_Scn *section = ms_symbols_elf_section(m->elf, ".eh_frame");
	Elf_Data *data = section != NULL ? elf_getdata(section, NULL) : NULL;
	MS_VEC(uint64_t) found = MS_VEC_INIT;
	const unsigned char *ident = (const unsigned char *)elf_getident(m->elf, NULL);
	GElf_Shdr head;
	Dwarf_CFI_Entry entry;
	Dwarf_Off at = 0, next;

	if (data == NULL || ident == NULL || gelf_getshdr(section, &head) == NULL)
		return;
	for (; dwarf_next_cfi(ident, data, true, at, &next, &entry) == 0; at = next) {
		if (dwarf_cfi_cie_p(&entry) || entry.fde.end - entry.fde.start < 8)
			continue;
		uint64_t place = (uint64_t)(entry.fde.start - (const uint8_t *)data->d_buf);
		*ms_vec_add(&found) = head.sh_addr + place + (uint64_t)signed_at(entry.fde.start);
	}
	if (found.n > 0)
		qsort(found.at, found.n, sizeof(*found.at), compare_starts);
	for (size_t i = 0; i < found.n; i++)
		add_start(m, found.at[i]);
	ms_vec_free(&found);
}

static void read_table(struct ms_symbols_module *m)
{
	Elf_Scn *section = ms_symbols_elf_section(m->elf, ".eh_frame_hdr");
	Elf_Data *data = section != NULL ? elf_getdata(section, NULL) : NULL;
	GElf_Shdr head;
	uint32_t count;

	if (data == NULL || gelf_getshdr(section, &head) == NULL || data->d_size < HEADER_BYTES)
		return;
	const unsigned char *bytes = data->d_buf;
	if (bytes[0] != 1 || bytes[1] != PCREL_SDATA4 || bytes[2] != UDATA4 ||
	    bytes[3] != DATAREL_SDATA4)
		return;
	memcpy(&count, bytes + 8, sizeof(count));
	if (count > (data->d_size - HEADER_BYTES) / 8)
		return;
	for (uint32_t i = 0; i < count; i++)
		add_start(m, head.sh_addr + (uint64_t)signed_at(bytes + HEADER_BYTES + i * 8));
}

/* The tables do not contain the ends of functions; code ends with its segment. */
static bool is_code(struct ms_symbols_module *m, uint64_t offset)
{
	size_t n;

	if (offset - m->code_start < m->code_size)
		return true;
	if (elf_getphdrnum(m->elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr head;

		if (gelf_getphdr(m->elf, (int)i, &head) == NULL || head.p_type != PT_LOAD ||
		    !(head.p_flags & PF_X) || offset - head.p_vaddr >= head.p_filesz)
			continue;
		m->code_start = head.p_vaddr;
		m->code_size = head.p_filesz;
		return true;
	}
	return false;
}

struct ms_symbols_unwind_entry *ms_symbols_unwind_function(struct ms_symbols_module *m,
							   uint64_t offset)
{
	size_t low = 0, high;

	if (!m->unwind_read) {
		m->unwind_read = true;
		read_table(m);
		if (m->unwound.n == 0)
			read_entries(m);
	}
	high = m->unwound.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (m->unwound.at[mid].start <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 && is_code(m, offset) ? &m->unwound.at[low - 1] : NULL;
}
