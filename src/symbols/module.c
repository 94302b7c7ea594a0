/* symbols/module.c - opens a module and reads its ELF headers. */
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/dies_priv.h"
#include "symbols/module_priv.h"
#include "symbols/stripped_source_priv.h"
#include "symbols/units_priv.h"

#define DEBUG_ROOT "/usr/lib/debug"

static bool has_dwarf(Elf *elf)
{
	return ms_symbols_elf_section(elf, ".debug_info") != NULL ||
	       ms_symbols_elf_section(elf, ".zdebug_info") != NULL;
}

static bool has_symbols(Elf *elf)
{
	return ms_symbols_elf_section(elf, ".symtab") != NULL ||
	       ms_symbols_elf_section(elf, ".dynsym") != NULL;
}

/*
 * The C library's debug file is installed wherever Valgrind is. Reading its DWARF takes longer than
 * a short program runs, and its lines are of code that users do not tune. So only its symbols are
 * used.
 */
static bool is_c_library(const char *path)
{
	static const char *const files[] = { "libc.so.",       "ld-linux",  "libm.so.",
					     "libpthread.so.", "libdl.so.", "librt.so." };
	const char *file = ms_base_name(path);

	for (size_t i = 0; i < MS_COUNT(files); i++)
		if (strncmp(file, files[i], strlen(files[i])) == 0)
			return true;
	return false;
}

static void open_debug(struct ms_symbols_module *m, const char *root)
{
	if (!has_dwarf(m->elf) || ms_symbols_elf_section(m->elf, ".symtab") == NULL)
		m->debug_fd = ms_symbols_debugfile_find(m, root);
	if (m->debug_fd >= 0)
		m->debug_elf = elf_begin(m->debug_fd, ELF_C_READ_MMAP, NULL);
	if (has_dwarf(m->elf))
		m->dwarf = dwarf_begin_elf(m->elf, DWARF_C_READ, NULL);
	else if (has_dwarf(m->debug_elf) && !is_c_library(m->path))
		m->dwarf = dwarf_begin_elf(m->debug_elf, DWARF_C_READ, NULL);

	if (m->dwarf != NULL)
		m->debug = MS_DEBUG_DWARF;
	else if (has_symbols(m->elf) || has_symbols(m->debug_elf))
		m->debug = MS_DEBUG_SYMTAB;
}

static void read_tls(struct ms_symbols_module *m)
{
	size_t n;

	if (elf_getphdrnum(m->elf, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr head;

		if (gelf_getphdr(m->elf, (int)i, &head) == NULL || head.p_type != PT_TLS)
			continue;
		m->tls_start = head.p_vaddr;
		m->tls_size = head.p_memsz;
		m->tls_align = head.p_align;
	}
}

/*
 * -1 with a message if there is no file, or if reading it might block or never end (a pipe, a
 * device).
 */
static int open_plain(const char *path, struct ms_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0) {
		ms_fail_errno(err, "%s: cannot be opened", path);
	} else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		ms_fail(err, MS_EFORMAT, "%s: not a regular file", path);
		close(fd);
		fd = -1;
	}
	return fd;
}

int ms_symbols_module_open_in(struct ms_symbols_module **module, const char *path,
			      const char *debug_root, struct ms_err *err)
{
	*module = NULL;
	elf_version(EV_CURRENT);
	struct ms_err why = { MS_OK, "" };
	int fd = open_plain(path, &why);
	if (fd < 0)
		return ms_fail(err, why.code, "%s", why.text);

	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	GElf_Ehdr head;
	if (elf == NULL || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &head) == NULL) {
		elf_end(elf);
		close(fd);
		return ms_fail(err, MS_EFORMAT, "%s: not an ELF file (program or library)", path);
	}

	struct ms_symbols_module *m = ms_alloc(sizeof(*m));
	struct ms_text id = MS_TEXT_INIT;
	m->fd = fd;
	m->elf = elf;
	m->debug_fd = -1;
	m->path = ms_intern(&m->names, path);
	ms_symbols_elf_build_id(elf, &id);
	m->build_id = ms_intern(&m->names, ms_text_get(&id));
	ms_text_free(&id);
	read_tls(m);
	open_debug(m, debug_root);
	*module = m;
	return MS_OK;
}

int ms_symbols_module_open(struct ms_symbols_module **module, const char *path, struct ms_err *err)
{
	return ms_symbols_module_open_in(module, path, DEBUG_ROOT, err);
}

void ms_symbols_module_close(struct ms_symbols_module *m)
{
	if (m == NULL)
		return;
	ms_symbols_units_free(m);
	ms_symbols_split_free(m);
	ms_symbols_sources_free(m);
	dwarf_cfi_end(m->cfi);
	dwarf_end(m->dwarf);
	elf_end(m->debug_elf);
	elf_end(m->elf);
	if (m->debug_fd >= 0)
		close(m->debug_fd);
	close(m->fd);
	ms_vec_free(&m->functions.at);
	ms_vec_free(&m->objects.at);
	ms_vec_free(&m->unwound);
	ms_vec_free(&m->variables);
	ms_vec_free(&m->sections);
	ms_vec_free(&m->type_dies);
	ms_map_free(&m->type_names);
	ms_vec_free(&m->function_name_list);
	ms_map_free(&m->function_names);
	ms_names_free(&m->names);
	ms_arena_free(&m->arena);
	ms_free(m);
}

const char *ms_symbols_module_path(const struct ms_symbols_module *module)
{
	return module->path;
}

const char *ms_symbols_module_build_id(const struct ms_symbols_module *module)
{
	return module->build_id;
}

enum ms_symbols_debug_level ms_symbols_module_debug(const struct ms_symbols_module *module)
{
	return module->debug;
}

uint64_t ms_symbols_module_tls_size(const struct ms_symbols_module *module)
{
	return module->tls_size;
}

uint64_t ms_symbols_module_tls_align(const struct ms_symbols_module *module)
{
	return module->tls_align;
}

uint64_t ms_symbols_module_address(const struct ms_symbols_module *module, uint64_t file_offset)
{
	size_t n;

	if (elf_getphdrnum(module->elf, &n) != 0)
		return file_offset;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr head;

		/* Segments may share a page of the file: only the code segment is searched. */
		if (gelf_getphdr(module->elf, (int)i, &head) == NULL || head.p_type != PT_LOAD ||
		    !(head.p_flags & PF_X))
			continue;
		/* Mappings start at page boundaries, segments need not. */
		uint64_t slack = head.p_align > 1 ? head.p_offset % head.p_align : 0;
		if (file_offset + slack >= head.p_offset &&
		    file_offset < head.p_offset + head.p_filesz)
			return file_offset - head.p_offset + head.p_vaddr;
	}
	return file_offset;
}

static void add_section(struct ms_symbols_module *m, const char *name, uint64_t offset,
			uint64_t size)
{
	struct ms_symbols_section *s;

	if (size == 0 || offset + size < offset)
		return;
	s = ms_vec_add(&m->sections);
	s->name = ms_intern(&m->names, name);
	s->offset = offset;
	s->size = size;
}

static void read_sections(struct ms_symbols_module *m)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(m->elf, &names) != 0)
		return;
	while ((section = elf_nextscn(m->elf, section)) != NULL) {
		GElf_Shdr head;

		if (gelf_getshdr(section, &head) == NULL || !(head.sh_flags & SHF_ALLOC) ||
		    head.sh_flags & SHF_EXECINSTR)
			continue;
		/* .tbss takes no space in the image: the next section has the same addresses. */
		if (head.sh_flags & SHF_TLS && head.sh_type == SHT_NOBITS)
			continue;
		const char *name = elf_strptr(m->elf, names, head.sh_name);
		add_section(m, name != NULL && name[0] ? name : "?", head.sh_addr, head.sh_size);
	}
}

/* For files without section headers: the segments that contain no code. */
static void read_segments(struct ms_symbols_module *m)
{
	size_t n;

	if (elf_getphdrnum(m->elf, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr head;

		if (gelf_getphdr(m->elf, (int)i, &head) != NULL && head.p_type == PT_LOAD &&
		    !(head.p_flags & PF_X))
			add_section(m, head.p_flags & PF_W ? ".data" : ".rodata", head.p_vaddr,
				    head.p_memsz);
	}
}

static int compare_sections(const void *a, const void *b)
{
	const struct ms_symbols_section *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

const struct ms_symbols_section *ms_symbols_module_sections(struct ms_symbols_module *m, size_t *n)
{
	if (!m->sections_read) {
		m->sections_read = true;
		read_sections(m);
		if (m->sections.n == 0)
			read_segments(m);
		if (m->sections.n > 0)
			qsort(m->sections.at, m->sections.n, sizeof(*m->sections.at),
			      compare_sections);
	}
	*n = m->sections.n;
	return m->sections.at;
}
