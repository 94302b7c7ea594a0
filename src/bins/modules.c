/* bins/modules.c - programs and libraries: their variables, sections and thread-local memory. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "bins/binder_priv.h"
#include "bins/tls.h"

/* glibc's struct pthread and what follows it, roughly: belongs to no variable. */
enum { THREAD_BLOCK_BYTES = 0x940 };

/* Numbers for all of a module's variables, then for its sections. */
static uint32_t add_module_data(struct ms_bins *binder, uint32_t module,
				const struct ms_symbols_variable *variables, size_t variable_count,
				const struct ms_symbols_section *sections, size_t section_count)
{
	uint32_t first = (uint32_t)binder->data.n;

	for (size_t i = 0; i < variable_count; i++) {
		const struct ms_symbols_variable *v = &variables[i];

		ms_bins_add_data(binder,
				 &(struct ms_bins_bound_data){
					 .kind = v->tls ? MS_BOUND_TLS_VARIABLE : MS_BOUND_VARIABLE,
					 .variable = v,
					 .module = module,
					 .bytes = v->size });
	}
	for (size_t i = 0; i < section_count; i++)
		ms_bins_add_data(binder, &(struct ms_bins_bound_data){ .kind = MS_BOUND_SECTION,
								       .text = sections[i].name,
								       .module = module,
								       .bytes = sections[i].size });
	return first;
}

static void add_range(struct ms_bins_bound_range *ranges, size_t *n, uint64_t start, uint64_t end,
		      uint32_t data)
{
	if (start < end)
		ranges[(*n)++] = (struct ms_bins_bound_range){ start, end, data };
}

/* The rest of a section, without the variables in it, is one bin. */
static void add_section(const struct ms_symbols_section *section, uint64_t bias, uint32_t data,
			const struct ms_bins_bound_range *variables, size_t variable_count,
			struct ms_bins_bound_range *ranges, size_t *n)
{
	uint64_t at = section->offset + bias;
	uint64_t end = at + section->size;

	for (size_t i = 0; i < variable_count && at < end; i++) {
		if (variables[i].end <= at || variables[i].start >= end)
			continue;
		add_range(ranges, n, at, variables[i].start, data);
		at = variables[i].end;
	}
	add_range(ranges, n, at, end, data);
}

static int by_start(const void *a, const void *b)
{
	const struct ms_bins_bound_range *x = a, *y = b;

	return ms_cmp_u64(x->start, y->start);
}

/* Sorts; if two ranges overlap (they should not), the first one stays. */
static void finish_ranges(struct ms_bins_bound_range *ranges, size_t *n)
{
	size_t kept = 0;

	if (*n > 0)
		qsort(ranges, *n, sizeof(*ranges), by_start);
	for (size_t i = 0; i < *n; i++) {
		struct ms_bins_bound_range r = ranges[i];

		if (kept > 0 && r.start < ranges[kept - 1].end)
			r.start = ranges[kept - 1].end;
		if (r.start < r.end)
			ranges[kept++] = r;
	}
	*n = kept;
}

static void list_memory(struct ms_bins *binder, uint32_t number, struct ms_bins_bound_ranges *out)
{
	struct ms_bins_bound_module *m = &binder->modules.at[number];
	size_t variable_count, section_count, n = 0;
	const struct ms_symbols_variable *variables =
		ms_symbols_module_variables(m->symbols, &variable_count);
	const struct ms_symbols_section *sections =
		ms_symbols_module_sections(m->symbols, &section_count);
	/* Each variable splits the range around it into at most one piece more. */
	struct ms_bins_bound_range *ranges = ms_arena_take(
		&binder->arena, (2 * variable_count + section_count) * sizeof(*ranges));

	if (!m->borrowed)
		m->first_data = add_module_data(binder, number, variables, variable_count, sections,
						section_count);
	for (size_t i = 0; i < variable_count; i++)
		if (!variables[i].tls)
			add_range(ranges, &n, variables[i].offset + m->bias,
				  variables[i].offset + m->bias + variables[i].size,
				  m->first_data + (uint32_t)i);
	finish_ranges(ranges, &n);
	size_t own = n;
	for (size_t i = 0; i < section_count; i++)
		add_section(&sections[i], m->bias, m->first_data + (uint32_t)(variable_count + i),
			    ranges, own, ranges, &n);
	finish_ranges(ranges, &n);
	for (size_t i = 0; m->origin == MS_BINS_MODULE_MPI && i < n; i++)
		ranges[i].data = MS_BOUND_MPI;
	*out = (struct ms_bins_bound_ranges){ ranges, n };
}

/* A library that is loaded again is the same module: its variables keep their numbers. */
static bool borrow_symbols(struct ms_bins *binder, struct ms_bins_bound_module *m)
{
	for (size_t i = 0; i + 1 < binder->modules.n; i++) {
		const struct ms_bins_bound_module *old = &binder->modules.at[i];

		if (!old->gone || old->symbols == NULL || strcmp(old->path, m->path) != 0)
			continue;
		m->symbols = old->symbols;
		m->first_data = old->first_data;
		m->same_as = old->same_as;
		binder->loaded_again = true;
		m->borrowed = true;
		return true;
	}
	return false;
}

/*
 * The path of the file. Front-ends read it from /proc/PID/maps, where "\\012" is a line feed and a
 * backslash is itself. If a file with the unchanged name exists, it takes precedence.
 */
static char *path_of(struct ms_bins *binder, const char *text, size_t n)
{
	static const char escaped[] = "\\012";
	char *path = ms_arena_strndup(&binder->arena, text, n);

	if (strstr(path, escaped) == NULL || access(path, F_OK) == 0)
		return path;
	for (char *at = path; (at = strstr(at, escaped)) != NULL; at++) {
		*at = '\n';
		memmove(at + 1, at + strlen(escaped), strlen(at + strlen(escaped)) + 1);
	}
	return path;
}

int ms_bins_module(struct ms_bins *binder, uint32_t number, const uint64_t *words, size_t n,
		   struct ms_bins_bound_ranges *ranges, struct ms_err *err)
{
	struct ms_wire_module wire;

	*ranges = (struct ms_bins_bound_ranges){ NULL, 0 };
	if (number != binder->modules.n || n * 8 < sizeof(wire))
		return ms_fail(err, MS_EFORMAT, "stream: module %u described, expected module %zu",
			       number, binder->modules.n);
	memcpy(&wire, words, sizeof(wire));
	if (wire.path_bytes > (n * 8 - sizeof(wire)))
		return ms_fail(err, MS_EFORMAT, "stream: module %u: its path is cut short", number);

	binder->last.n = 0;
	struct ms_bins_bound_module *m = ms_vec_add(&binder->modules);
	*m = (struct ms_bins_bound_module){
		.path = path_of(binder, (const char *)words + sizeof(wire), wire.path_bytes),
		.text = wire.text,
		.text_size = wire.text_size,
		.same_as = number,
	};
	/* If the file is deleted or not an ELF file, only its names are lost, not the run. */
	uint64_t address = wire.offset;
	if (!borrow_symbols(binder, m) &&
	    ms_symbols_module_open(&m->symbols, m->path, NULL) != MS_OK)
		m->symbols = NULL;
	else
		address = ms_symbols_module_address(m->symbols, wire.offset);
	m->bias = wire.text - address;
	m->of_memspy = (wire.flags & MS_WIRE_MODULE_OF_MEMSPY) != 0;
	ms_bins_find_origin(binder, number);
	if (m->symbols != NULL && !m->of_memspy)
		list_memory(binder, number, ranges);
	return MS_OK;
}

void ms_bins_module_gone(struct ms_bins *binder, uint32_t number)
{
	binder->last.n = 0;
	if (number >= binder->modules.n)
		return;
	binder->modules.at[number].gone = true;
	binder->modules_gone++;
}

struct ms_symbols_module *ms_bins_symbols(const struct ms_bins *binder, uint32_t module)
{
	return module < binder->modules.n ? binder->modules.at[module].symbols : NULL;
}

const char *ms_bins_module_path(const struct ms_bins *binder, uint32_t module)
{
	return module < binder->modules.n ? binder->modules.at[module].path : "";
}

/* Data that only a text identifies. */
static uint32_t data_of_text(struct ms_bins *binder, const char *text, enum ms_bins_bound_kind kind)
{
	const char *name = ms_intern(&binder->names, text);
	uint32_t *data = ms_map_at(&binder->text_data, (uintptr_t)name, kind);

	if (*data == MS_MAP_NONE)
		*data = ms_bins_add_data(
			binder, &(struct ms_bins_bound_data){
					.kind = kind, .text = name, .module = MS_BOUND_NO_MODULE });
	return *data;
}

uint32_t ms_bins_file(struct ms_bins *binder, const char *path)
{
	return data_of_text(binder, path, MS_BOUND_FILE);
}

uint32_t ms_bins_named(struct ms_bins *binder, const char *name)
{
	return data_of_text(binder, name, MS_BOUND_NAMED);
}

uint32_t ms_bins_stack_variable(struct ms_bins *binder, const char *name)
{
	return data_of_text(binder, name, MS_BOUND_STACKS);
}

/* --- thread-local memory --- */

/*
 * Where the C library places the TLS blocks of modules: in load order, below the thread pointer
 * (x86-64) or above it (aarch64). Known for modules that are loaded at the start.
 */
static void place_tls(struct ms_bins *binder)
{
	uint64_t used = 0;

	for (size_t i = 0; i < binder->modules.n; i++) {
		struct ms_bins_bound_module *m = &binder->modules.at[i];

		if (m->symbols == NULL || ms_symbols_module_tls_size(m->symbols) == 0)
			continue;
		m->tls_offset = ms_bins_tls_place(&used, ms_symbols_module_tls_size(m->symbols),
						  ms_symbols_module_tls_align(m->symbols));
	}
	binder->tls_placed = true;
	ms_bins_tls_extent(used, THREAD_BLOCK_BYTES, &binder->tls_lowest, &binder->tls_highest);
}

static size_t count_tls(const struct ms_bins *binder)
{
	size_t total = 1;

	for (size_t i = 0; i < binder->modules.n; i++) {
		size_t n = 0;

		if (binder->modules.at[i].tls_offset != 0)
			ms_symbols_module_variables(binder->modules.at[i].symbols, &n);
		total += n;
	}
	return total;
}

void ms_bins_tls(struct ms_bins *binder, uint64_t thread_pointer, struct ms_bins_bound_ranges *out)
{
	size_t n = 0;

	if (!binder->tls_placed)
		place_tls(binder);

	struct ms_bins_bound_range *ranges =
		ms_arena_take(&binder->arena, count_tls(binder) * sizeof(*ranges));
	/* First the memory that belongs to no variable; variables replace parts of it. */
	add_range(ranges, &n, thread_pointer - binder->tls_lowest,
		  thread_pointer + binder->tls_highest, MS_BOUND_TLS);
	for (size_t i = 0; i < binder->modules.n; i++) {
		const struct ms_bins_bound_module *m = &binder->modules.at[i];
		size_t variable_count;

		if (m->tls_offset == 0 || m->of_memspy)
			continue;
		uint64_t block = ms_bins_tls_block(thread_pointer, m->tls_offset);
		const struct ms_symbols_variable *v =
			ms_symbols_module_variables(m->symbols, &variable_count);
		for (size_t k = 0; k < variable_count; k++)
			if (v[k].tls)
				add_range(ranges, &n, block + v[k].offset,
					  block + v[k].offset + v[k].size,
					  m->first_data + (uint32_t)k);
	}
	*out = (struct ms_bins_bound_ranges){ ranges, n };
}

/*
 * Sources of modules below /usr are seldom installed, and few users want names of their variables.
 */
static void add_missing_sources(const struct ms_bins_bound_module *m, struct ms_text *out)
{
	const char *file = NULL;
	uint64_t n = m->symbols != NULL && !m->borrowed && strncmp(m->path, "/usr/", 5) != 0 &&
				     strncmp(m->path, "/lib", 4) != 0
			     ? ms_symbols_module_missing_sources(m->symbols, &file)
			     : 0;

	if (n > 0)
		ms_text_addf(out,
			     "%s: %llu of its source files not found (%s%s): names of data that "
			     "is allocated there come from debug information alone\n",
			     m->path, (unsigned long long)n, file, n > 1 ? ", ..." : "");
}

void ms_bins_missing_debug(const struct ms_bins *binder, struct ms_text *out)
{
	for (size_t i = 0; i < binder->modules.n; i++) {
		const struct ms_bins_bound_module *m = &binder->modules.at[i];
		const char *file = NULL;
		uint64_t units = m->symbols != NULL && !m->borrowed
					 ? ms_symbols_module_missing(m->symbols, &file)
					 : 0;

		if (units > 0)
			ms_text_addf(out,
				     "%s: types and inlined functions of %llu of its source files "
				     "are not known: their debug information was split off, and "
				     "%s %s\n",
				     m->path, (unsigned long long)units, file,
				     access(file, F_OK) == 0 ? "could not be read" : "is missing");
		add_missing_sources(m, out);
	}
}
