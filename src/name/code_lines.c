#include "name/code_lines.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
	MOST_INLINED = 64,
	PAGE_BITS = 9,
	PAGE = 1 << PAGE_BITS,
	MOST_PAGES = 1 << 21, /* a module of 1 GiB; what lies beyond is rare, or a broken stream */
};

/* Lines by offset: 0 is unknown, else one more than the line, and whether something was inlined. */
struct ms_name_pc_page {
	uint32_t at[PAGE];
};
#define INLINED UINT32_C(0x80000000)

/* A value that differs from all lines. */
#define NO_LINE UINT32_MAX

static const char *keep(struct ms_name_codes *c, const char *text)
{
	return text == NULL ? NULL : ms_intern(c->names, text);
}

/* Headers of the system: what they inline is charged to the function that uses it. */
static bool is_system_file(const char *file)
{
	return file != NULL &&
	       (strncmp(file, "/usr/include/", 13) == 0 || strncmp(file, "/usr/lib/", 9) == 0 ||
		strncmp(file, "/rustc/", 7) == 0);
}

/* The innermost function of the user's own source; without one, the innermost that is no header's.
 */
static size_t chosen_frame(const struct ms_symbols_frame *frames, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!frames[i].inlined || !is_system_file(frames[i].file))
			return i;
	return n - 1;
}

static uint32_t code_at(struct ms_name_codes *c, const char *name, const char *module,
			const struct ms_symbols_frame *frame, uint64_t offset)
{
	uint32_t *code = ms_map_at(&c->codes, (uintptr_t)name, (uintptr_t)module);

	if (*code == MS_MAP_NONE) {
		*code = (uint32_t)c->run->codes.n;
		*ms_vec_add(&c->run->codes) =
			(struct ms_run_code){ name, module,
					      frame != NULL ? keep(c, frame->decl_file) : NULL,
					      frame != NULL ? frame->decl_line : 0, offset };
	}
	return *code;
}

static uint32_t line_at(struct ms_name_codes *c, uint32_t code, const char *file, uint32_t number)
{
	uint32_t *line = ms_map_at(&c->lines, (uint64_t)code << 32 | number, (uintptr_t)file);

	if (*line == MS_MAP_NONE) {
		*line = (uint32_t)c->run->lines.n;
		*ms_vec_add(&c->run->lines) = (struct ms_run_line){ code, file, number, 0, 0 };
	}
	return *line;
}

/* A stream without any modules is an imported one: only addresses identify its code. */
static uint32_t address_line(struct ms_name_codes *c, uint64_t address)
{
	char name[32] = "<no instruction>";

	if (address != 0)
		snprintf(name, sizeof(name), "0x%llx", (unsigned long long)address);
	return line_at(c, code_at(c, keep(c, name), keep(c, "<no module>"), NULL, address), NULL,
		       0);
}

/* NULL: it is no time of the kernel. */
static const char *kernel_code(struct ms_bins_bound_pc pc)
{
	if (pc.module != MS_BOUND_NO_MODULE)
		return NULL;
	if (pc.offset == MS_BOUND_FAULTS_PC)
		return "<page faults>";
	return pc.offset == MS_BOUND_KERNEL_PC ? "<kernel>" : NULL;
}

/* Code that no symbol names is named by its module; all of a module's together. */
static uint32_t unnamed_line(struct ms_name_codes *c, struct ms_bins_bound_pc pc)
{
	if (kernel_code(pc) != NULL)
		return line_at(c,
			       code_at(c, keep(c, kernel_code(pc)), keep(c, "<kernel>"), NULL, 0),
			       NULL, 0);
	if (pc.module == MS_BOUND_NO_MODULE && ms_bins_module_path(c->binder, 0)[0] == '\0')
		return address_line(c, pc.offset);

	const char *module = keep(c, pc.module == MS_BOUND_NO_MODULE
					     ? "<no module>"
					     : ms_bins_module_path(c->binder, pc.module));
	struct ms_text name = MS_TEXT_INIT;

	ms_text_addf(&name, "<%s>",
		     pc.module == MS_BOUND_NO_MODULE ? "generated code" : ms_base_name(module));
	uint32_t code = code_at(c, keep(c, name.at), module, NULL, 0);
	ms_text_free(&name);
	return line_at(c, code, NULL, 0);
}

static size_t frames_at(struct ms_name_codes *c, struct ms_bins_bound_pc pc,
			struct ms_symbols_frame *frames)
{
	struct ms_symbols_module *symbols = ms_bins_symbols(c->binder, pc.module);

	return symbols != NULL ? ms_symbols_module_frames(symbols, pc.offset, frames, MOST_INLINED)
			       : 0;
}

/* Texts of a module are equal where their pointers are. */
static bool is_last(const struct ms_name_codes *c, const struct ms_symbols_frame *f,
		    uint32_t module)
{
	return c->last_module == module && c->last_line != NO_LINE &&
	       c->last.function == f->function && c->last.file == f->file &&
	       c->last.line == f->line;
}

static uint32_t named_line(struct ms_name_codes *c, const struct ms_symbols_frame *f,
			   uint32_t module)
{
	if (is_last(c, f, module))
		return c->last_line;
	const char *path = keep(c, ms_bins_module_path(c->binder, module));
	uint32_t code = code_at(c, keep(c, f->function), path, f, f->entry);

	c->last = *f;
	c->last_module = module;
	c->last_line = line_at(c, code, keep(c, f->file), f->line);
	return c->last_line;
}

/* The entry of a pc in a page of the table. */
static uint32_t make_entry(struct ms_name_codes *c, struct ms_bins_bound_pc pc)
{
	struct ms_symbols_frame frames[MOST_INLINED];
	size_t n = frames_at(c, pc, frames);

	if (n == 0)
		return unnamed_line(c, pc) + 1;
	return (named_line(c, &frames[chosen_frame(frames, n)], pc.module) + 1) |
	       (n > 1 ? INLINED : 0);
}

static uint32_t *far_entry(struct ms_name_codes *c, struct ms_bins_bound_pc pc)
{
	uint32_t *entry = ms_map_at(&c->far, pc.module, pc.offset);

	if (*entry == MS_MAP_NONE)
		*entry = 0;
	return entry;
}

static uint32_t *entry_at(struct ms_name_codes *c, struct ms_bins_bound_pc pc)
{
	if (pc.module == MS_BOUND_NO_MODULE || pc.offset >> PAGE_BITS >= MOST_PAGES)
		return far_entry(c, pc);
	while (c->modules.n <= pc.module)
		ms_vec_add(&c->modules);
	struct ms_name_pc_pages *pages = &c->modules.at[pc.module];
	size_t page = (size_t)(pc.offset >> PAGE_BITS);
	while (pages->at.n <= page)
		*ms_vec_add(&pages->at) = NULL;
	if (pages->at.at[page] == NULL)
		pages->at.at[page] = ms_arena_take(&c->arena, sizeof(struct ms_name_pc_page));
	return &pages->at.at[page]->at[pc.offset & (PAGE - 1)];
}

static uint32_t entry_of(struct ms_name_codes *c, struct ms_bins_bound_pc pc)
{
	uint32_t *entry = entry_at(c, pc);

	if (*entry == 0)
		*entry = make_entry(c, pc); /* creates no other entry */
	return *entry;
}

uint32_t ms_name_codes_line(struct ms_name_codes *c, struct ms_bins_bound_pc pc)
{
	return (entry_of(c, pc) & ~INLINED) - 1;
}

static struct ms_name_chain make_chain(struct ms_name_codes *c, struct ms_bins_bound_pc pc)
{
	struct ms_symbols_frame frames[MOST_INLINED];
	size_t n = frames_at(c, pc, frames), chosen = chosen_frame(frames, n);
	struct ms_name_chain chain = { c->chain_lines.n, 0 };

	for (size_t i = n; i-- > chosen + 1;) {
		if (frames[i].inlined && is_system_file(frames[i].file))
			continue;
		*ms_vec_add(&c->chain_lines) = named_line(c, &frames[i], pc.module);
		chain.n++;
	}
	return chain;
}

size_t ms_name_codes_inliners(struct ms_name_codes *c, struct ms_bins_bound_pc pc,
			      const uint32_t **lines)
{
	*lines = NULL;
	if (!(entry_of(c, pc) & INLINED))
		return 0;
	uint32_t *number = ms_map_at(&c->chain_of, pc.module, pc.offset);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)c->chains.n;
		*ms_vec_add(&c->chains) = make_chain(c, pc);
	}
	const struct ms_name_chain *chain = &c->chains.at[*number];

	*lines = c->chain_lines.at + chain->first;
	return chain->n;
}

const char *ms_name_codes_inlined(struct ms_name_codes *c, struct ms_bins_bound_pc pc)
{
	struct ms_symbols_frame frames[MOST_INLINED];
	struct ms_text chain = MS_TEXT_INIT;

	if (!(entry_of(c, pc) & INLINED))
		return NULL;
	size_t n = frames_at(c, pc, frames);
	for (size_t i = 0; i < n; i++)
		ms_text_addf(&chain, "%s%s (%s:%u)", i > 0 ? " < " : "", frames[i].function,
			     frames[i].file != NULL ? ms_base_name(frames[i].file) : "?",
			     frames[i].line);
	const char *kept = keep(c, chain.at);
	ms_text_free(&chain);
	return kept;
}

void ms_name_codes_open(struct ms_name_codes *c, struct ms_bins *binder, struct ms_run *run,
			struct ms_names *names)
{
	*c = (struct ms_name_codes){
		.binder = binder, .run = run, .names = names, .last_line = NO_LINE
	};
}

void ms_name_codes_close(struct ms_name_codes *c)
{
	for (size_t i = 0; i < c->modules.n; i++)
		ms_vec_free(&c->modules.at[i].at);
	ms_vec_free(&c->modules);
	ms_map_free(&c->codes);
	ms_map_free(&c->lines);
	ms_map_free(&c->far);
	ms_map_free(&c->chain_of);
	ms_vec_free(&c->chains);
	ms_vec_free(&c->chain_lines);
	ms_arena_free(&c->arena);
}
