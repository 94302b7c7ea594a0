/*
 * symbols/unwind.c - where functions begin in a module without symbols: the unwind tables, which a
 * stripped program keeps, have an entry for each.
 *
 * .eh_frame_hdr holds a sorted table of (function, entry) pairs. Linkers write it in one way only:
 * 32-bit offsets from the section's own address; anything else is left alone.
 */
#include <string.h>

#include "symbols/symbols_priv.h"

enum { PCREL_SDATA4 = 0x1b, UDATA4 = 0x03, DATAREL_SDATA4 = 0x3b, HEADER_BYTES = 12 };

static int32_t signed_at(const unsigned char *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static void read_starts(struct ms_module *m)
{
	Elf_Scn *section = ms_elf_section(m->elf, ".eh_frame_hdr");
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
	for (uint32_t i = 0; i < count; i++) {
		uint64_t start = head.sh_addr + (uint64_t)signed_at(bytes + HEADER_BYTES + i * 8);

		if (m->unwind_starts.n > 0 && start <= m->unwind_starts.at[m->unwind_starts.n - 1])
			continue;
		*ms_vec_add(&m->unwind_starts) = start;
	}
}

/* The tables do not say where a function ends; code ends with its segment. */
static bool is_code(const struct ms_module *m, uint64_t offset)
{
	size_t n;

	if (elf_getphdrnum(m->elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr head;

		if (gelf_getphdr(m->elf, (int)i, &head) != NULL && head.p_type == PT_LOAD &&
		    head.p_flags & PF_X && offset - head.p_vaddr < head.p_filesz)
			return true;
	}
	return false;
}

bool ms_unwind_function(struct ms_module *m, uint64_t offset, uint64_t *start)
{
	size_t low = 0, high;

	if (!m->unwind_read) {
		m->unwind_read = true;
		read_starts(m);
	}
	high = m->unwind_starts.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (m->unwind_starts.at[mid] <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0 || !is_code(m, offset))
		return false;
	*start = m->unwind_starts.at[low - 1];
	return true;
}
