/*
 * private_alloc_names.c - selects the functions that private_alloc.c watches: by name, from the
 * symbols of each module, as the Valgrind front-end does. Excluded are functions that a wrapper
 * interposes already, and those of the C++ libraries that forward to malloc. Of the C library, only
 * functions that jump out of an allocator are watched.
 *
 * This file also finds code that the kernel restarts when it is interrupted (rseq), which must run
 * at its own address. Programs and libraries describe it in a separate section, __rseq_cs.
 */
#include <elf.h>

#include "allocator_names.h"
#include "allocators.h"
#include "heap/heap.h"
#include "heap/private_call.h"
#include "heap/stack_frame.h"
#include "interpose/function_numbers.h"
#include "interpose/interpose.h"
#include "maps/maps.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- functions that the user named --- */

static struct private_name {
	struct ms_allocator_function call;
	char kind;
	bool found, called;
	char name[256];
} private_names[MS_HEAP_PRIVATE_MAX_NAMES];
static uint32_t private_name_count;

static int next_number(const char **text)
{
	bool less = **text == '-';
	int n = 0;

	for (*text += less; **text >= '0' && **text <= '9'; (*text)++)
		n = n * 10 + (**text - '0');
	*text += **text == ';';
	return less ? -n : n;
}

/* "T;0;-1;-1;48;name", as far as a comma. */
void ms_heap_add_private_name(const char *text)
{
	struct private_name *o = &private_names[private_name_count];
	size_t n = 0;

	if (private_name_count == MS_HEAP_PRIVATE_MAX_NAMES)
		return;
	private_name_count++;
	o->kind = text[0];
	text += 2;
	o->call.action = o->kind == 'T'   ? MS_ALLOCATOR_TAKES
			 : o->kind == 'F' ? MS_ALLOCATOR_FREES
					  : MS_ALLOCATOR_RESIZES;
	o->call.own = true;
	o->call.size = next_number(&text);
	o->call.times = next_number(&text);
	o->call.block = next_number(&text);
	o->call.bytes = (size_t)next_number(&text);
	for (; text[n] != '\0' && text[n] != ',' && n + 1 < sizeof(o->name); n++)
		o->name[n] = text[n];
	o->call.name = o->name;
}

void ms_heap_note_private_call(const struct ms_allocator_function *call)
{
	struct private_name *o =
		(struct private_name *)((uintptr_t)call - offsetof(struct private_name, call));

	o->called = true;
}

static const char *get_option(const struct private_name *o)
{
	return o->kind == 'T' ? "--malloc" : o->kind == 'F' ? "--free" : "--realloc";
}

void ms_heap_report_missing_names(void)
{
	for (uint32_t i = 0; i < private_name_count; i++) {
		const struct private_name *o = &private_names[i];

		if (!o->found)
			ms_runtime_log_message(
				"memspy: %s %s: no function of this name is in the program or its "
				"libraries (names are those that nm shows); if the compiler has "
				"inlined it everywhere (static inline), name a function that calls "
				"it, build with -fno-inline, or describe the pool with memspy.h",
				get_option(o), o->name);
		else if (!o->called && o->kind == 'T')
			ms_runtime_log_message(
				"memspy: %s %s: was never called while the program was traced; if "
				"the compiler has inlined it, name a function that calls it, build "
				"with -fno-inline, or describe the pool with memspy.h",
				get_option(o), o->name);
	}
}

/* --- names --- */

/* The rest of the text after its beginning; NULL: it begins otherwise. */
static const char *skip_prefix(const char *text, const char *beginning)
{
	while (*beginning != '\0')
		if (*text++ != *beginning++)
			return NULL;
	return text;
}

static const struct ms_allocator_function *find_in(const struct ms_allocator_function *table,
						   size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (name[0] == table[i].name[0] && ms_runtime_are_texts_equal(name, table[i].name))
			return &table[i];
	return NULL;
}

static const struct ms_allocator_function *find_operator(const char *name)
{
	for (size_t i = 0; i < COUNT(operators); i++) {
		const char *end = skip_prefix(name, operators[i].name);

		for (size_t k = 0; end != NULL && k < COUNT(operator_ends); k++)
			if (ms_runtime_are_texts_equal(end, operator_ends[k]))
				return &operators[i];
	}
	return NULL;
}

static const struct ms_allocator_function *find_private(const char *name)
{
	for (uint32_t i = 0; i < private_name_count; i++)
		if (ms_runtime_are_texts_equal(name, private_names[i].name)) {
			private_names[i].found = true;
			return &private_names[i].call;
		}
	return NULL;
}

/* Calls with their arguments shifted to the right; the descriptions are kept permanently.
 */
static const struct ms_allocator_function *shift_arguments(const struct ms_allocator_function *call,
							   int shift)
{
	static struct ms_allocator_function copies[64];
	static uint32_t count;

	if (call == NULL || shift == 0)
		return call;
	if (count == COUNT(copies))
		return NULL;
	copies[count] = *call;
	copies[count].size += call->size >= 0 ? shift : 0;
	copies[count].times += call->times >= 0 ? shift : 0;
	copies[count].block += call->block >= 0 ? shift : 0;
	return &copies[count++];
}

static const struct ms_allocator_function *find_call(const char *name, bool operators_too)
{
	const struct ms_allocator_function *call = find_private(name);

	if (call == NULL)
		call = find_in(common, COUNT(common), name);
	if (call == NULL && name[0] == '_' && name[1] == 'Z')
		return operators_too ? find_operator(name) : NULL;
	for (size_t i = 0; call == NULL && i < COUNT(prefixes); i++) {
		const char *rest = skip_prefix(name, prefixes[i].text);

		if (rest == NULL)
			continue;
		call = find_in(common, COUNT(common), rest);
		if (call == NULL)
			call = find_in(prefixed, COUNT(prefixed), rest);
		call = shift_arguments(call, prefixes[i].shift);
	}
	return call;
}

/* --- symbols of a file --- */

struct file {
	const uint8_t *at;
	uint64_t size;
};

static bool map_file(const char *path, struct file *file)
{
	file->at = ms_runtime_map_file(path, &file->size);
	return file->at != NULL;
}

static bool is_within_file(const struct file *file, uint64_t at, uint64_t bytes)
{
	return at <= file->size && bytes <= file->size - at;
}

static bool is_wrapped(uint64_t pc)
{
	for (uint32_t i = 0; i < MS_INTERPOSE_COUNT; i++)
		if ((uint64_t)ms_interpose_real_functions[i] == pc)
			return true;
	return false;
}

/* What is searched for in a module. */
struct symbol_search {
	const struct ms_maps_loaded_module *module;
	bool operators_too;
	bool only_nonlocal_exits;
};

static void read_symbols(const struct file *file, const Elf64_Shdr *table, const Elf64_Shdr *text,
			 const struct symbol_search *search)
{
	const struct ms_maps_loaded_module *module = search->module;
	const char *names = (const char *)file->at + text->sh_offset;

	if (!is_within_file(file, table->sh_offset, table->sh_size) || text->sh_size == 0 ||
	    !is_within_file(file, text->sh_offset, text->sh_size) ||
	    names[text->sh_size - 1] != '\0')
		return;
	for (uint64_t i = 0; i < table->sh_size / sizeof(Elf64_Sym); i++) {
		const Elf64_Sym *s = (const Elf64_Sym *)(file->at + table->sh_offset) + i;
		uint64_t pc = module->bias + s->st_value;

		if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF ||
		    s->st_name >= text->sh_size || pc < module->start || pc >= module->end)
			continue;
		const struct ms_allocator_function *call =
			find_call(names + s->st_name, search->operators_too);
		if (call != NULL && !is_wrapped(pc) &&
		    (call->action == MS_ALLOCATOR_LEAVES || !search->only_nonlocal_exits))
			ms_heap_watch_function(pc, call);
	}
}

/* The sections' names; NULL: there are none. */
static const char *section_names(const struct file *file, const Elf64_Ehdr *head,
				 const Elf64_Shdr *sections)
{
	const Elf64_Shdr *text = &sections[head->e_shstrndx];

	if (head->e_shstrndx >= head->e_shnum || text->sh_size == 0 ||
	    !is_within_file(file, text->sh_offset, text->sh_size) ||
	    file->at[text->sh_offset + text->sh_size - 1] != '\0')
		return NULL;
	return (const char *)file->at + text->sh_offset;
}

/* Restartable sequences: the loader has relocated their addresses. */
static void read_sequences(const struct ms_maps_loaded_module *module, const Elf64_Shdr *section)
{
	enum { ANNOUNCED = 32 };
	const struct {
		uint32_t version, flags;
		uint64_t start, bytes, abort;
	} *at = (const void *)(module->bias + section->sh_addr);

	/* And the instructions right before, which register it with the kernel. */
	for (uint64_t i = 0; i < section->sh_size / sizeof(*at); i++)
		ms_maps_exclude_code(at[i].start - ANNOUNCED, at[i].bytes + ANNOUNCED);
}

static bool has_name(const char *path, const char *beginning)
{
	const char *name = path;

	for (const char *c = path; *c != '\0'; c++)
		if (*c == '/')
			name = c + 1;
	return skip_prefix(name, beginning) != NULL;
}

void ms_heap_scan_module(const struct ms_maps_loaded_module *module, const char *path)
{
	const struct symbol_search search = {
		.module = module,
		.operators_too = !has_name(path, "libstdc++.") && !has_name(path, "libc++"),
		.only_nonlocal_exits = !ms_runtime_config.attached &&
				       (has_name(path, "libc.so") || has_name(path, "ld-linux")),
	};
	struct file file;

	ms_heap_watch_stack_functions(module, path);
	if (!map_file(path, &file))
		return;
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)file.at;
	if (is_within_file(&file, 0, sizeof(*head)) &&
	    ms_runtime_are_bytes_equal(head->e_ident, ELFMAG, SELFMAG) &&
	    is_within_file(&file, head->e_shoff, head->e_shnum * sizeof(Elf64_Shdr))) {
		const Elf64_Shdr *sections = (const Elf64_Shdr *)(file.at + head->e_shoff);

		const char *names = section_names(&file, head, sections);

		for (uint32_t i = 0; i < head->e_shnum; i++) {
			if (names != NULL && sections[i].sh_flags & SHF_ALLOC &&
			    sections[i].sh_name < sections[head->e_shstrndx].sh_size &&
			    ms_runtime_are_texts_equal(names + sections[i].sh_name, "__rseq_cs"))
				read_sequences(module, &sections[i]);
			if ((sections[i].sh_type == SHT_SYMTAB ||
			     sections[i].sh_type == SHT_DYNSYM) &&
			    sections[i].sh_link < head->e_shnum)
				read_symbols(&file, &sections[i], &sections[sections[i].sh_link],
					     &search);
		}
	}
	ms_runtime_unmap_pages((void *)file.at, file.size);
}
