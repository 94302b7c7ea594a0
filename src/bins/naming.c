/*
 * bins/naming.c - names the memory that one call path allocates.
 *
 * The search goes from the allocator outwards, inlined calls included. It skips frames that contain
 * no information about the variable (no DWARF, allocators, the standard libraries). If a frame
 * returns its variable, the search continues in its caller, with the members after the variable as
 * a suffix. The first frame that keeps the pointer names it.
 */
#include "bins/naming.h"

#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/map.h"
#include "base/vec.h"

#include "bins/container_parts.h"
#include "bins/starters.h"

enum { MOST_FRAMES = 64, MOST_CALLERS = 2 };

/* One source-level frame of the path, with its call that leads towards the allocator. */
struct name_step {
	const struct ms_bins_path_pc *pc;
	struct ms_symbols_frame frame; /* function is NULL if nothing is known */
	unsigned level;                /* among the inlined frames of this pc */
};

struct path_walk {
	MS_VEC(struct name_step) steps;
	struct ms_text suffix; /* "->cells": the suffix of the caller's variable */
	const char *type;      /* of the object: from the innermost frame that has it */
	struct ms_text known;  /* the innermost name of a variable, used if no caller has one */
	const char *known_type;
	size_t known_place;
	bool known_container;
	bool type_object;          /* that frame has the object itself, not a pointer to it */
	size_t place;              /* the first frame outside of wrappers */
	bool in_container;         /* a container in an object that a function has returned */
	bool through_library;      /* library code was between the last frame and this one */
	bool from_closure;         /* and the last frame was a closure's that returned the object */
	const char *part;          /* of a container; NULL: none is known */
	const char *part_function; /* the function of the library that shows it */
	bool arena;                /* a memory resource of std::pmr allocated: for any container */
};

static const char *const allocators[] = {
	"malloc",
	"calloc",
	"realloc",
	"reallocarray",
	"memalign",
	"aligned_alloc",
	"posix_memalign",
	"valloc",
	"pvalloc",
	"operator new",
	"operator new[]",
	"__rust_alloc",
	"__rust_realloc",
	"__rust_alloc_zeroed",
	"__rdl_alloc",
	"__rdl_realloc",
	"__rdl_alloc_zeroed",
	"__rg_alloc",
	"__libc_malloc",
	"__libc_calloc",
	"__libc_realloc",
	"__libc_memalign",
	/* include/memspy.h and memspy.f90: between a pool and the code that reports it. */
	"memspy_ask_",
	"memspy_find_",
	"memspy_tell_",
	"memspy_pool_alloc",
	"memspy_alloc_named",
	"memspy_fortran_pool_alloc",
	"memspy_fortran_alloc_named",
};

static const char *const libraries[] = {
	"std::",         "__gnu_cxx::",  "alloc::",      "core::",       "hashbrown::",
	"<alloc::",      "<core::",      "<std::",       "<hashbrown::", "__rustc::",
	"<T as alloc::", "<T as core::", "<I as core::",
};

static const char *const library_folders[] = { "/usr/include/", "/usr/lib/gcc/", "/rustc/" };

static bool begins_any(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (name[0] == list[i][0] && strncmp(name, list[i], strlen(list[i])) == 0)
			return true;
	return false;
}

/* The innermost part counts; but Rust's trees make boxes of their nodes. */
static void find_part(struct path_walk *w, const char *function)
{
	if (function != NULL && strncmp(function, "std::pmr::", 10) == 0 &&
	    strstr(function, "_resource::") != NULL &&
	    strstr(function, "memory_resource::") == NULL)
		w->arena = true;
	const char *part = w->part == NULL || strcmp(w->part, "box") == 0
				   ? ms_bins_container_part(function)
				   : NULL;

	if (part != NULL) {
		w->part = part;
		w->part_function = function;
	}
}

static bool is_any(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (name[0] == list[i][0] && strcmp(name, list[i]) == 0)
			return true;
	return false;
}

bool ms_bins_is_library_name(const struct ms_symbols_frame *f)
{
	if (f->function == NULL)
		return false;
	if (is_any(f->function, allocators, MS_COUNT(allocators)) ||
	    begins_any(f->function, libraries, MS_COUNT(libraries)))
		return true;
	/* The file of the function decides: macros and inlined calls may be in other files. */
	const char *file = f->decl_file != NULL ? f->decl_file : f->file;
	return file != NULL && begins_any(file, library_folders, MS_COUNT(library_folders));
}

/* "main (matmul.c:40)", "strdup (libc.so.6)" or "libc.so.6+0x1234". */
static void describe(const struct name_step *s, struct ms_text *out)
{
	const struct ms_symbols_frame *f = &s->frame;

	if (f->function != NULL && f->file != NULL && f->line > 0)
		ms_text_addf(out, "%s (%s:%u)", f->function, ms_base_name(f->file), f->line);
	else if (f->function != NULL && !f->nameless)
		ms_text_addf(out, "%s (%s)", f->function,
			     ms_base_name(ms_symbols_module_path(s->pc->module)));
	else if (s->pc->module != NULL)
		ms_text_addf(out, "%s+0x%llx", ms_base_name(ms_symbols_module_path(s->pc->module)),
			     (unsigned long long)s->pc->offset);
	else
		ms_text_addf(out, "0x%llx", (unsigned long long)s->pc->offset);
}

/* The C library's start of programs and threads, if its debug information is not installed. */
static bool is_nameless_starter(const struct name_step *s)
{
	const char *library =
		s->pc->module != NULL ? ms_base_name(ms_symbols_module_path(s->pc->module)) : "";

	return (s->frame.function == NULL || s->frame.nameless) &&
	       (strncmp(library, "libc.so", 7) == 0 || strncmp(library, "ld-linux", 8) == 0);
}

/*
 * Without a variable: "insert (tree.c:12) < build:40 < main:7", the function that allocated and its
 * callers. Three functions distinguish most structures of a program.
 */
static void name_by_functions(const struct path_walk *w, size_t place, struct ms_text *out)
{
	unsigned callers = 0;

	describe(&w->steps.at[place], out);
	for (size_t i = place + 1; i < w->steps.n && callers < MOST_CALLERS; i++) {
		const struct ms_symbols_frame *f = &w->steps.at[i].frame;

		if (ms_bins_is_starter(f, i + 1 == w->steps.n))
			break;
		if (f->function == NULL || f->nameless || ms_bins_is_library_name(f))
			continue;
		ms_text_addf(out, " < %s", f->function);
		if (f->file != NULL && f->line > 0)
			ms_text_addf(out, ":%u", f->line);
		callers++;
	}
}

static void collect(struct path_walk *w, const struct ms_bins_path_pc *path, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct ms_symbols_frame frames[MOST_FRAMES];
		size_t k = 0;

		/* The path holds return addresses; the call is just before. */
		if (path[i].module != NULL && path[i].offset > 0)
			k = ms_symbols_module_frames(path[i].module, path[i].offset - 1, frames,
						     MOST_FRAMES);
		if (k == 0) {
			ms_vec_add(&w->steps)->pc = &path[i];
			continue;
		}
		for (size_t level = 0; level < k; level++)
			*ms_vec_add(&w->steps) =
				(struct name_step){ &path[i], frames[level], (unsigned)level };
	}
}

/* "cells" after an object is ".cells", not "->cells"; in a container it is one of many. */
static void join(const struct path_walk *w, const struct ms_symbols_receiver *r,
		 struct ms_text *out)
{
	const char *suffix = ms_text_get(&w->suffix);
	bool arrow = strncmp(suffix, "->", 2) == 0;
	bool of_element = r->object && suffix[0] != '\0' &&
			  (r->element || (w->through_library && (arrow || w->from_closure)));

	ms_text_add(out, r->expression);
	if (of_element)
		ms_text_add(out, "[]");
	if (r->object && arrow)
		ms_text_addf(out, ".%s", suffix + 2);
	else
		ms_text_add(out, suffix);
}

static void name_by(struct ms_bins_data_name *out, const char *type,
		    const struct ms_text *expression)
{
	if (type != NULL)
		ms_text_addf(&out->name, "%s.", type);
	ms_text_add(&out->name, ms_text_get(expression));
	out->type = type;
}

/* Records the name that the wrapper itself uses, as a fallback. */
static void remember(struct path_walk *w, const struct ms_symbols_receiver *r)
{
	const char *expression = r->expression;

	if (w->known.n > 0 || r->type == NULL)
		return;
	if (r->root[0] == '\0' && strncmp(expression, "->", 2) == 0)
		expression += 2; /* a member of the constructor's object */
	ms_text_addf(&w->known, "%s%s", r->root, expression);
	w->known_type = r->type;
	w->known_place = w->place;
	w->known_container = r->object && w->through_library;
}

static void hand_to_caller(struct path_walk *w, const struct ms_symbols_receiver *r)
{
	struct ms_text suffix = MS_TEXT_INIT;

	remember(w, r);
	if (w->suffix.n == 0 && r->type != NULL) {
		w->type = r->type;
		w->type_object = r->object;
	}
	join(w, r, &suffix);
	ms_text_free(&w->suffix);
	w->suffix = suffix;
	w->in_container = w->in_container || (r->object && w->through_library);
	w->through_library = false;
}

static bool is_closure(const char *function)
{
	return function != NULL &&
	       (strstr(function, "{{closure}}") != NULL || strstr(function, "{closure#") != NULL);
}

/* Whether this frame has no information about variables: no lines, an allocator, a library. */
static bool says_nothing(const struct name_step *s)
{
	return s->pc->module == NULL || s->frame.file == NULL || s->frame.line == 0 ||
	       ms_bins_is_library_name(&s->frame);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; text != NULL && *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return (hash ^ 0xff) * 0x100000001b3;
}

/*
 * Rust's library has one name for the functions of all its vectors: those that grow one are
 * functions of the variable, others may allocate its elements.
 */
static bool may_be_element(const struct path_walk *w)
{
	for (size_t i = 0; i < w->place; i++) {
		const char *function = w->steps.at[i].frame.function;

		if (function != NULL && strstr(function, "RawVec") != NULL)
			return strstr(function, "::grow") == NULL &&
			       strstr(function, "::finish_grow") == NULL;
	}
	return false;
}

/* In the source, where that is known: a compiler may have made several instructions of one call. */
static uint64_t mix_step(uint64_t hash, const struct name_step *s)
{
	const struct ms_symbols_frame *f = &s->frame;

	if (f->file == NULL || f->line == 0)
		return ms_hash(ms_hash(hash, (uintptr_t)s->pc->module), s->pc->offset);
	return ms_hash(mix_text(mix_text(hash, f->file), f->function),
		       (uint64_t)f->line << 32 | f->column);
}

/*
 * Functions of parallel regions are called by the thread that starts the region, and by the OpenMP
 * runtime in the others. Their callers do not distinguish data.
 */
static bool is_of_every_thread(const struct name_step *s)
{
	const char *function = s->frame.function;

	return function != NULL &&
	       (strstr(function, "._omp_fn.") != NULL || strstr(function, ".omp_outlined") != NULL);
}

/*
 * Identifies data that has the name of a variable, by the calls in the source. A container's calls
 * are of any of its methods: its variable is identified by its function and the calls of this
 * function.
 */
static uint64_t identify(const struct path_walk *w, size_t place, bool container, const char *name)
{
	const struct name_step *of = &w->steps.at[place];
	uint64_t hash = mix_text(0xcbf29ce484222325, name);

	for (size_t i = 0; i < place; i++)
		if (!says_nothing(&w->steps.at[i]))
			hash = container ? mix_text(hash, w->steps.at[i].frame.function)
					 : mix_step(hash, &w->steps.at[i]);
	hash = container ? mix_text(hash, of->frame.function) : mix_step(hash, of);
	hash = ms_hash(hash, container && may_be_element(w));
	for (size_t i = place; i + 1 < w->steps.n && !is_of_every_thread(&w->steps.at[i]); i++)
		hash = mix_step(hash, &w->steps.at[i + 1]);
	return hash != 0 ? hash : 1;
}

/*
 * Whether the container r keeps a block that a function of the program has allocated and returned:
 * `list.push_back(create())`, `.map(|i| Box::new(i)).collect()`. It is an element, and has the type
 * that is known in that function.
 */
static bool is_returned_element(const struct path_walk *w, const struct ms_symbols_receiver *r)
{
	return r->object && (!w->through_library || w->from_closure) && w->suffix.n == 0 &&
	       w->type != NULL && !w->type_object;
}

static void add_part(const struct path_walk *w, const char *type, bool object, struct ms_text *name)
{
	const char *returned =
		w->from_closure && w->through_library && w->suffix.n == 0 && w->type_object
			? ms_bins_part_of_type(w->type)
			: NULL;
	const char *part = returned != NULL ? returned : w->part;

	if (part != NULL &&
	    (returned != NULL || !ms_bins_is_whole_container(part, w->part_function, type, object)))
		ms_text_addf(name, " (%s)", part);
}

/* Names the data after the expression that keeps the pointer. */
static void name_kept(const struct path_walk *w, const struct ms_symbols_receiver *r,
		      struct ms_bins_data_name *out)
{
	struct ms_text expression = MS_TEXT_INIT;

	bool element = is_returned_element(w, r);

	join(w, r, &expression);
	if (element)
		ms_text_add(&expression, "[]");
	const char *type = w->suffix.n == 0 && r->type != NULL && !element ? r->type : w->type;
	bool object = w->suffix.n == 0 && !element ? r->object : w->type_object;
	/* Which of the arena's containers needed the block does not say whose data it has. */
	if (w->arena && (type == NULL || strstr(type, "_resource") == NULL)) {
		ms_text_free(&expression);
		ms_text_addf(&out->name, "%s (std::pmr buffer)",
			     w->steps.at[w->place].frame.function);
		out->origin = identify(w, w->place, true, out->name.at);
		out->container = true;
		return;
	}
	add_part(w, type, object, &expression);
	name_by(out, type, &expression);
	ms_text_free(&expression);
	out->container = w->in_container || (r->object && w->through_library);
	out->origin = identify(w, w->place, out->container, ms_text_get(&out->name));
}

/* No caller keeps the pointer in a variable. */
static void name_by_wrapper(const struct path_walk *w, struct ms_bins_data_name *out)
{
	name_by(out, w->known_type, &w->known);
	out->container = w->known_container;
	out->origin = identify(w, w->known_place, out->container, ms_text_get(&out->name));
}

/* A temporary of the library: which of its functions allocate does not distinguish it. */
static void name_unkept(const struct path_walk *w, size_t place, struct ms_bins_data_name *out)
{
	name_by_functions(w, place, &out->name);
	if (w->part != NULL)
		out->origin = identify(w, place, false, ms_text_get(&out->name));
}

/* Searches outwards; true if a variable is found that keeps the pointer. */
static bool find_keeper(struct path_walk *w, struct ms_bins_data_name *out)
{
	const char *callee = NULL;
	bool handed = false;

	for (size_t i = 0; i < w->steps.n; i++) {
		const struct name_step *s = &w->steps.at[i];
		struct ms_symbols_receiver r;

		if (says_nothing(s)) {
			w->through_library = true;
			if (ms_bins_is_library_name(&s->frame))
				find_part(w, s->frame.function);
		} else if (ms_symbols_module_receiver_at(s->pc->module, s->pc->offset, s->level,
							 callee, &r)) {
			w->place = i;
			if (!r.returned) {
				name_kept(w, &r, out);
				return true;
			}
			hand_to_caller(w, &r);
			w->from_closure = is_closure(s->frame.function);
			handed = true;
		} else if (!handed && access(s->frame.file, R_OK) != 0) {
			/* Third-party code without its source: its caller may have a name. */
			w->place = w->place == SIZE_MAX ? i : w->place;
			w->through_library = true;
		} else {
			w->place = i;
			return false;
		}
		callee = s->frame.function;
	}
	return false;
}

/*
 * Without DWARF: the first frame that is not an allocator, or the first with a name in its module.
 */
static size_t first_outside(const struct path_walk *w)
{
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < w->steps.n; i++) {
		const struct name_step *s = &w->steps.at[i];

		if (ms_bins_is_library_name(&s->frame))
			continue;
		first = first == SIZE_MAX ? i : first;
		if (s->pc->module != w->steps.at[first].pc->module)
			break;
		if (s->frame.function != NULL && !s->frame.nameless)
			return i;
	}
	return first == SIZE_MAX ? 0 : first;
}

/* If the name is itself a frame of the path, it is not written twice. */
static void write_full(const struct path_walk *w, bool variable, struct ms_bins_data_name *out)
{
	bool started = false; /* starters are only outside of main() and thread functions */

	for (size_t i = w->steps.n; i-- > 0;) {
		const struct name_step *s = &w->steps.at[i];

		if (ms_bins_is_library_name(&s->frame) ||
		    (!started && (ms_bins_is_starter(&s->frame, i + 1 == w->steps.n) ||
				  is_nameless_starter(s))))
			continue;
		started = true;
		if (out->full.n > 0)
			ms_text_add(&out->full, " > ");
		describe(s, &out->full);
	}
	if (variable || out->full.n == 0)
		ms_text_addf(&out->full, "%s%s", out->full.n > 0 ? " > " : "",
			     ms_text_get(&out->name));
}

/* "tree.c:12", "12" in the same file as the call before, "+0x1f30" without debug information. */
static void add_position(const struct name_step *s, const char **file,
			 struct ms_bins_call_position *out)
{
	if (s->frame.file == NULL || s->frame.line == 0) {
		ms_text_addf(&out->text, "+0x%llx", (unsigned long long)s->pc->offset);
		return;
	}
	if (*file == NULL || strcmp(*file, s->frame.file) != 0)
		ms_text_addf(&out->text, "%s:", ms_base_name(s->frame.file));
	ms_text_addf(&out->text, "%u", s->frame.line);
	out->column = s->frame.column;
	*file = s->frame.file;
}

static void write_positions(const struct path_walk *w, size_t place, struct ms_bins_data_name *out)
{
	const char *file = NULL;

	for (size_t i = place; i < w->steps.n && out->position_count < MS_BINS_MOST_POSITIONS;
	     i++) {
		const struct name_step *s = &w->steps.at[i];
		struct ms_bins_call_position *next = &out->positions[out->position_count];

		if (ms_bins_is_starter(&s->frame, i + 1 == w->steps.n) || is_nameless_starter(s))
			break;
		if (i == place && out->container && !may_be_element(w)) {
			ms_text_add(&next->text, s->frame.function);
			file = s->frame.file;
		} else if (i == place || !ms_bins_is_library_name(&s->frame)) {
			add_position(s, &file, next);
		}
		out->position_count += next->text.n > 0;
		if (is_of_every_thread(s))
			break;
	}
}

static void clear_name(struct ms_bins_data_name *name)
{
	ms_text_clear(&name->name);
	ms_text_clear(&name->full);
	for (size_t i = 0; i < MS_BINS_MOST_POSITIONS; i++) {
		ms_text_clear(&name->positions[i].text);
		name->positions[i].column = 0;
	}
	name->position_count = 0;
	name->type = NULL;
	name->container = false;
	name->origin = 0;
}

void ms_bins_free_name(struct ms_bins_data_name *name)
{
	ms_text_free(&name->name);
	ms_text_free(&name->full);
	for (size_t i = 0; i < MS_BINS_MOST_POSITIONS; i++)
		ms_text_free(&name->positions[i].text);
}

void ms_bins_name_heap(const struct ms_bins_path_pc *path, size_t n, struct ms_bins_data_name *out)
{
	struct path_walk w = { .place = SIZE_MAX };

	clear_name(out);
	collect(&w, path, n);
	bool variable = find_keeper(&w, out);
	size_t place = !variable && w.known.n > 0 ? w.known_place
		       : w.place != SIZE_MAX      ? w.place
		       : w.steps.n > 0            ? first_outside(&w)
						  : 0;
	if (!variable) {
		variable = w.known.n > 0;
		if (variable)
			name_by_wrapper(&w, out);
		else if (w.steps.n > 0)
			name_unkept(&w, place, out);
		else
			ms_text_add(&out->name, "<unknown>");
	}
	write_full(&w, variable, out);
	write_positions(&w, place, out);
	ms_text_free(&w.suffix);
	ms_text_free(&w.known);
	ms_vec_free(&w.steps);
}
