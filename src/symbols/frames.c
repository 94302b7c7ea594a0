/*
 * symbols/frames.c - finds the function, file and line of an instruction, with the functions that
 * were inlined there.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

#include "symbols/dies_priv.h"
#include "symbols/module_priv.h"
#include "symbols/symtab_priv.h"
#include "symbols/units_priv.h"

/* The demangled name of a function symbol, computed once because each instruction needs it. */
static const char *readable(struct ms_symbols_module *m, struct ms_symbols_entry *s)
{
	if (s->readable != NULL)
		return s->readable;
	char *plain = ms_symbols_demangle(s->name);
	struct ms_text text = MS_TEXT_INIT;

	ms_text_addf(&text, "%s%s", plain != NULL ? plain : s->name, s->plt ? "@plt" : "");
	s->readable = ms_intern(&m->names, text.at);
	ms_text_free(&text);
	ms_free(plain);
	return s->readable;
}

/* Follows abstract origins to the DIE that has the name. */
static void origin(Dwarf_Die *die)
{
	Dwarf_Die next;

	for (int i = 0; i < 16 && ms_symbols_die_ref(die, DW_AT_abstract_origin, &next); i++)
		*die = next;
}

static const char *find_function_name(struct ms_symbols_module *m, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *linkage = NULL, *name = dwarf_diename(die);
	const char *region = name != NULL ? ms_symbols_outlined_name(m, die, name) : NULL;

	if (region != NULL)
		return region;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) != NULL ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr) != NULL)
		linkage = dwarf_formstring(&attr);
	if (linkage == NULL && name != NULL &&
	    (strncmp(name, "_Z", 2) == 0 || strncmp(name, "__", 2) == 0))
		linkage = name; /* g++, gfortran: functions that they make for OpenMP */
	if (linkage != NULL) {
		char *plain = ms_symbols_demangle(linkage);

		if (plain != NULL) {
			const char *text = ms_intern(&m->names, plain);

			ms_free(plain);
			return text;
		}
	}
	if (name == NULL)
		return linkage != NULL ? ms_intern(&m->names, linkage) : NULL;

	struct ms_text text = MS_TEXT_INIT;
	Dwarf_Die declared = *die;
	origin(&declared);
	ms_symbols_die_ref(&declared, DW_AT_specification, &declared);
	ms_symbols_scope_names(m, &declared, &text);
	ms_text_add(&text, name);
	name = ms_intern(&m->names, text.at);
	ms_text_free(&text);
	return name;
}

const char *ms_symbols_function_name(struct ms_symbols_module *m, Dwarf_Die *given)
{
	Dwarf_Die die = *given;

	if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
		origin(&die);
	uint32_t *slot = ms_map_at(&m->function_names, ms_symbols_die_off(m, &die),
				   !ms_symbols_die_is_known(m, &die));
	if (*slot != MS_MAP_NONE)
		return m->function_name_list.at[*slot];

	*slot = (uint32_t)m->function_name_list.n;
	size_t index = *slot;
	ms_vec_add(&m->function_name_list);
	const char *name = find_function_name(m, &die);
	m->function_name_list.at[index] = name;
	return name;
}

/*
 * Drops "/./" from a path, so that the same file has one name; and the "/bin/.." of clang, which
 * names the files of gcc's library by its own folder: "/usr/bin/../lib/gcc/...".
 */
static const char clang_folder[] = "/usr/bin/../";

static bool is_by_clang_folder(const char *path)
{
	return strncmp(path, clang_folder, strlen(clang_folder)) == 0;
}

static const char *intern_path(struct ms_symbols_module *m, struct ms_text *path)
{
	char *to = path->at;
	const char *from = path->at;

	if (is_by_clang_folder(from)) {
		to += strlen("/usr/");
		from += strlen(clang_folder);
	}
	while (*from != '\0') {
		if (from[0] == '/' && from[1] == '.' && from[2] == '/')
			from += 2;
		else
			*to++ = *from++;
	}
	*to = '\0';
	return ms_intern(&m->names, path->at);
}

const char *ms_symbols_unit_path(struct ms_symbols_module *m, struct ms_symbols_unit *unit,
				 const char *file)
{
	struct ms_text path = MS_TEXT_INIT;
	Dwarf_Attribute attr;

	if (file == NULL || file[0] == '\0' || strcmp(file, "???") == 0)
		return NULL;
	if (file[0] == '/' && strstr(file, "/./") == NULL && !is_by_clang_folder(file))
		return ms_intern(&m->names, file);
	if (file[0] != '/' && dwarf_attr(&unit->die, DW_AT_comp_dir, &attr) != NULL) {
		const char *folder = dwarf_formstring(&attr);

		if (folder != NULL)
			ms_text_addf(&path, "%s/", folder);
	}
	ms_text_add(&path, file);
	const char *text = intern_path(m, &path);
	ms_text_free(&path);
	return text;
}

/* --- the blocks of a function --- */

static void add_block(const struct ms_symbols_module *m, struct ms_symbols_function *f,
		      Dwarf_Die *die, uint32_t parent, int depth, uint64_t *steps_left)
{
	uint32_t index = (uint32_t)f->blocks.n;
	ptrdiff_t next = 0;
	Dwarf_Addr base, low, high;
	Dwarf_Die child;

	*ms_vec_add(&f->blocks) =
		(struct ms_symbols_block){ ms_symbols_die_off(m, die), parent, dwarf_tag(die) };
	while ((next = dwarf_ranges(die, next, &base, &low, &high)) > 0)
		*ms_vec_add(&f->ranges) = (struct ms_symbols_block_range){ low, high, index };
	if (depth > MS_MAX_DEPTH - 2 || dwarf_child(die, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (*steps_left == 0)
			return;
		--*steps_left;
		if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
		    tag == DW_TAG_try_block || tag == DW_TAG_catch_block)
			add_block(m, f, &child, index, depth + 1, steps_left);
	} while (ms_symbols_die_next(&child));
}

size_t ms_symbols_function_blocks(struct ms_symbols_module *m, struct ms_symbols_function *f,
				  uint64_t pc, uint32_t *chain, size_t cap)
{
	uint32_t inner = MS_NO_INDEX;
	size_t n = 0;

	if (!f->walked) {
		uint64_t steps = UINT64_C(1) << 24;
		Dwarf_Die die;

		f->walked = true;
		if (ms_symbols_die_at(m, f->off, &die))
			add_block(m, f, &die, MS_NO_INDEX, 0, &steps);
	}
	/*
	 * Children come after their parents, so the last block that contains pc is the innermost.
	 */
	for (size_t i = f->ranges.n; i-- > 0;) {
		if (pc < f->ranges.at[i].low || pc >= f->ranges.at[i].high)
			continue;
		inner = f->ranges.at[i].block;
		break;
	}
	for (; inner != MS_NO_INDEX && n < cap; inner = f->blocks.at[inner].parent)
		chain[n++] = inner;
	return n;
}

/* --- frames --- */

static void set_line(struct ms_symbols_module *m, struct ms_symbols_unit *unit, uint64_t pc,
		     struct ms_symbols_frame *frame)
{
	Dwarf_Line *line = dwarf_getsrc_die(&unit->die, pc);
	int number, column;

	if (line == NULL)
		return;
	frame->file = ms_symbols_unit_path(m, unit, dwarf_linesrc(line, NULL, NULL));
	if (dwarf_lineno(line, &number) == 0 && number > 0)
		frame->line = (uint32_t)number;
	if (dwarf_linecol(line, &column) == 0 && column > 0)
		frame->column = (uint32_t)column;
}

/* Sets the position of the inlined call, which lies in the next frame. */
static void set_call(struct ms_symbols_module *m, struct ms_symbols_unit *unit, Dwarf_Die *inlined,
		     struct ms_symbols_frame *frame)
{
	uint64_t file = ms_symbols_die_number(inlined, DW_AT_call_file, UINT64_MAX);
	Dwarf_Files *files;
	size_t n;

	frame->line = (uint32_t)ms_symbols_die_number(inlined, DW_AT_call_line, 0);
	frame->column = (uint32_t)ms_symbols_die_number(inlined, DW_AT_call_column, 0);
	if (dwarf_getsrcfiles(&unit->body, &files, &n) == 0 && file < n)
		frame->file = ms_symbols_unit_path(m, unit, dwarf_filesrc(files, file, NULL, NULL));
}

/* Functions that g++ makes for OpenMP have lines, but no declaration. */
static void set_declaration_by_code(struct ms_symbols_module *m, struct ms_symbols_unit *unit,
				    struct ms_symbols_frame *frame)
{
	struct ms_symbols_frame first = { 0 };

	set_line(m, unit, frame->entry, &first);
	frame->decl_file = first.file;
	frame->decl_line = first.line;
}

static void set_function(struct ms_symbols_module *m, struct ms_symbols_unit *unit, Dwarf_Die *die,
			 struct ms_symbols_frame *frame)
{
	int line;

	frame->function = ms_symbols_function_name(m, die);
	if (frame->function == NULL)
		frame->function = "?";
	frame->inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	frame->decl_file = ms_symbols_unit_path(m, unit, ms_symbols_die_file(die));
	if (dwarf_decl_line(die, &line) == 0 && line > 0)
		frame->decl_line = (uint32_t)line;
	if (frame->decl_file == NULL && !frame->inlined)
		set_declaration_by_code(m, unit, frame);
}

/* DW_AT_entry_pc, or the start of the lowest range. */
static uint64_t entry_of(const struct ms_symbols_function *f, uint32_t block, Dwarf_Die *die)
{
	Dwarf_Addr entry;
	uint64_t lowest = UINT64_MAX;

	if (dwarf_hasattr(die, DW_AT_entry_pc) && dwarf_entrypc(die, &entry) == 0 && entry != 0)
		return entry;
	for (size_t i = 0; i < f->ranges.n; i++)
		if (f->ranges.at[i].block == block && f->ranges.at[i].low < lowest)
			lowest = f->ranges.at[i].low;
	/* The first range of a function in several parts (hot and cold) has its entry. */
	for (size_t i = 0; i < f->ranges.n && f->blocks.at[block].parent == MS_NO_INDEX; i++)
		if (f->ranges.at[i].block == block)
			return f->ranges.at[i].low;
	return lowest;
}

static size_t dwarf_frames(struct ms_symbols_module *m, struct ms_symbols_unit *unit, uint64_t pc,
			   struct ms_symbols_frame *frames, size_t cap)
{
	struct ms_symbols_function *f = ms_symbols_unit_function(m, unit, pc);
	uint32_t chain[MS_MAX_DEPTH];
	size_t n = 0, blocks;

	if (f == NULL)
		return 0;
	blocks = ms_symbols_function_blocks(m, f, pc, chain, MS_COUNT(chain));
	set_line(m, unit, pc, &frames[0]);
	for (size_t i = 0; i < blocks && n < cap; i++) {
		const struct ms_symbols_block *block = &f->blocks.at[chain[i]];
		Dwarf_Die die;

		if (block->tag != DW_TAG_inlined_subroutine && block->parent != MS_NO_INDEX)
			continue;
		if (!ms_symbols_die_at(m, block->off, &die))
			return 0;
		frames[n].entry = entry_of(f, chain[i], &die);
		set_function(m, unit, &die, &frames[n++]);
		if (block->parent != MS_NO_INDEX && n < cap) {
			frames[n] = (struct ms_symbols_frame){ 0 };
			set_call(m, unit, &die, &frames[n]);
		}
	}
	return n;
}

static size_t nameless_frame(struct ms_symbols_module *m, uint64_t offset,
			     struct ms_symbols_frame *frame)
{
	struct ms_symbols_unwind_entry *f = ms_symbols_unwind_function(m, offset);

	if (f == NULL)
		return 0;
	if (f->name == NULL) {
		struct ms_text text = MS_TEXT_INIT;

		ms_text_addf(&text, "%s+0x%" PRIx64, ms_base_name(m->path), f->start);
		f->name = ms_intern(&m->names, text.at);
		ms_text_free(&text);
	}
	frame->entry = f->start;
	frame->function = f->name;
	frame->nameless = true;
	return 1;
}

static size_t symtab_frame(struct ms_symbols_module *m, uint64_t offset,
			   struct ms_symbols_frame *frame)
{
	struct ms_symbols_entry *s = ms_symbols_symtab_function(m, offset);

	if (s == NULL)
		return nameless_frame(m, offset, frame);
	frame->function = readable(m, s);
	frame->entry = s->offset;
	return 1;
}

size_t ms_symbols_module_frames(struct ms_symbols_module *m, uint64_t offset,
				struct ms_symbols_frame *frames, size_t cap)
{
	struct ms_symbols_unit *unit;
	size_t n;

	if (cap == 0)
		return 0;
	frames[0] = (struct ms_symbols_frame){ 0 };
	unit = ms_symbols_unit_at(m, offset);
	if (unit == NULL)
		return symtab_frame(m, offset, &frames[0]);
	n = dwarf_frames(m, unit, offset, frames, cap);
	if (n > 0)
		return n;
	/*
	 * A unit with lines only (assembly, or its .dwo file is missing): the symbol table names
	 * the function.
	 */
	frames[0] = (struct ms_symbols_frame){ 0 };
	n = symtab_frame(m, offset, &frames[0]);
	if (n > 0)
		set_line(m, unit, offset, &frames[0]);
	return n;
}
