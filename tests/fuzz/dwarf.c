/*
 * A program or library whose ELF headers or debug information are corrupt: whatever they say,
 * reading names out of it comes to an end.
 *
 * Input: which object (a byte: see objects), which of its parts (a byte: see parts), then patches
 * of that part as fuzz.h has them. A byte 0xff among them, where `what` would stand, and the byte
 * after it select another part.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "symbols/stack_frames.h"
#include "symbols/symbols.h"

static const char *const objects[] = { "plain", "optimised", "old", "stripped", "packed" };

/* Sections by name; the others are headers. */
static const char *const parts[] = {
	".debug_info",     ".debug_abbrev",  ".debug_line",   ".debug_str",
	".debug_line_str", ".debug_aranges", ".debug_ranges", ".debug_rnglists",
	".debug_loclists", ".debug_loc",     ".eh_frame",     ".eh_frame_hdr",
	".symtab",         ".strtab",        ".dynsym",       ".dynstr",
	".rela.plt",       ".plt",           ".shstrtab",     ".note.gnu.build-id",
	"headers",         "segments",       "sections",      "everything",
};

enum { MOST_FRAMES = 8, LARGEST = 1 << 20, PROBES = 48 };

struct object {
	uint8_t *bytes;
	size_t n;
	uint64_t text, text_size;
};

struct range {
	size_t at, n;
};

static const Elf64_Shdr *sections_of(const struct object *o, size_t *n)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)o->bytes;

	*n = head->e_shnum;
	return (const Elf64_Shdr *)(o->bytes + head->e_shoff);
}

static struct range section(const struct object *o, const char *name)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)o->bytes;
	size_t n;
	const Elf64_Shdr *s = sections_of(o, &n);
	const char *names = (const char *)o->bytes + s[head->e_shstrndx].sh_offset;

	for (size_t i = 0; i < n; i++)
		if (strcmp(names + s[i].sh_name, name) == 0 && s[i].sh_type != SHT_NOBITS)
			return (struct range){ s[i].sh_offset, s[i].sh_size };
	return (struct range){ 0, 0 };
}

static struct range part(const struct object *o, unsigned which)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)o->bytes;
	const char *name = parts[which % MS_COUNT(parts)];

	if (name[0] == '.')
		return section(o, name);
	if (strcmp(name, "headers") == 0)
		return (struct range){ 0, sizeof(*head) };
	if (strcmp(name, "segments") == 0)
		return (struct range){ head->e_phoff, head->e_phnum * (size_t)head->e_phentsize };
	if (strcmp(name, "sections") == 0)
		return (struct range){ head->e_shoff, head->e_shnum * (size_t)head->e_shentsize };
	return (struct range){ 0, o->n };
}

static void read_object(struct object *o, const char *name)
{
	char path[4096];
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", FUZZ_OBJECTS, name);
	FILE *file = fopen(path, "rb");
	if (file == NULL)
		fuzz_fail("%s: cannot be opened; make fuzz-tests builds it", path);
	o->bytes = malloc(LARGEST);
	o->n = fread(o->bytes, 1, LARGEST, file);
	fclose(file);
	const Elf64_Shdr *s = sections_of(o, &n);
	for (size_t i = 0; i < n; i++)
		if (s[i].sh_flags & SHF_EXECINSTR && s[i].sh_size > o->text_size) {
			o->text = s[i].sh_addr;
			o->text_size = s[i].sh_size;
		}
}

static const struct object *object(unsigned which)
{
	static struct object read[MS_COUNT(objects)];
	struct object *o = &read[which % MS_COUNT(objects)];

	if (o->bytes == NULL)
		read_object(o, objects[which % MS_COUNT(objects)]);
	return o;
}

static void probe_frame(struct ms_symbols_module *m, uint64_t pc)
{
	struct ms_decode_stack_accesses accesses = { .at = MS_VEC_INIT };
	struct ms_symbols_stack_frame frame;
	uint64_t low, high;

	if (ms_symbols_module_frame_number(m, pc, &low, &high) == 0)
		return;
	ms_symbols_module_stack_frame(m, pc, &(struct ms_symbols_frame_limits){ 1, 1 }, &frame);
	ms_decode_find_stack_accesses(&frame.function, &accesses);
	for (size_t i = 0; i < accesses.at.n; i++)
		if (accesses.at.at[i].variable >= frame.variables.n)
			fuzz_fail("an access to variable %u of %zu", accesses.at.at[i].variable,
				  frame.variables.n);
	ms_vec_free(&accesses.at);
	ms_symbols_stack_frame_free(&frame);
}

static void probe(struct ms_symbols_module *m, uint64_t pc)
{
	struct ms_symbols_frame frames[MOST_FRAMES];
	struct ms_symbols_receiver receiver;
	size_t n = ms_symbols_module_frames(m, pc, frames, MOST_FRAMES);

	for (size_t i = 0; i < n; i++)
		if (frames[i].function == NULL)
			fuzz_fail("frame %zu at 0x%llx has no name", i, (unsigned long long)pc);
	for (unsigned level = 0; level < 3; level++)
		ms_symbols_module_receiver_at(m, pc + 1, level, level == 1 ? "malloc" : NULL,
					      &receiver);
	probe_frame(m, pc);
	ms_symbols_module_address(m, pc);
}

/* What lies at the edges of a variable, and in memory that may hold several. */
static void name_members(struct ms_symbols_module *m, const struct ms_symbols_variable *v)
{
	const uint64_t offsets[] = { 0, 1, v->size / 2, v->size - 1, v->size, UINT64_MAX };
	struct ms_text text = MS_TEXT_INIT;

	for (size_t i = 0; i < MS_COUNT(offsets); i++) {
		ms_symbols_module_member(m, v->type_die, offsets[i], i % 2 ? 3 * v->size : 0,
					 &text);
		if (text.n > (1 << 20))
			fuzz_fail("the member at %llu of %s has a name without an end",
				  (unsigned long long)offsets[i], v->name);
		ms_text_clear(&text);
	}
	ms_text_free(&text);
	if (v->type != NULL)
		ms_symbols_module_type(m, v->type);
}

static void check_variables(struct ms_symbols_module *m)
{
	size_t n;
	const struct ms_symbols_variable *v = ms_symbols_module_variables(m, &n);

	for (size_t i = 0; i < n; i++) {
		if (v[i].name == NULL || v[i].size == 0)
			fuzz_fail("variable %zu has no name or no size", i);
		if (i > 0 && v[i].tls == v[i - 1].tls &&
		    v[i].offset - v[i - 1].offset < v[i - 1].size)
			fuzz_fail("variables %s and %s overlap", v[i - 1].name, v[i].name);
		name_members(m, &v[i]);
	}
	ms_symbols_module_sections(m, &n);
}

static void read_names(const char *path, const struct object *o)
{
	struct ms_symbols_module *m;
	struct ms_err err;

	if (ms_symbols_module_open_in(&m, path, "/nonexistent", &err) != MS_OK)
		return;
	check_variables(m);
	for (uint64_t i = 0; i < PROBES; i++)
		probe(m, o->text + o->text_size * i / PROBES);
	probe(m, 0);
	probe(m, UINT64_MAX - 1);
	ms_symbols_module_build_id(m);
	ms_symbols_module_tls_size(m);
	ms_symbols_module_close(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t bytes[LARGEST];
	struct fuzz_input in = { data, size };
	const struct object *o = object((unsigned)fuzz_take(&in, 1));
	struct fuzz_file file;

	memcpy(bytes, o->bytes, o->n);
	struct range r = part(o, (unsigned)fuzz_take(&in, 1));
	while (in.n > 0) {
		struct fuzz_input one = { in.at, in.n < 8 ? in.n : 8 };

		if (in.at[0] == 0xff) {
			fuzz_take(&in, 1);
			r = part(o, (unsigned)fuzz_take(&in, 1));
			continue;
		}
		fuzz_take(&in, 8);
		fuzz_patch(bytes + r.at, r.n, &one);
	}
	fuzz_file_make(&file, bytes, o->n);
	read_names(file.path, o);
	fuzz_file_close(&file);
	return 0;
}
