/*
 * advise/allocation.c - time in malloc(), free() and their relatives. Evidence is the compute and
 * stall time of the C library's functions, and which data has the most objects.
 */
#include <string.h>

#include "advise/advise_priv.h"
#include "base/text.h"

/* Objects of one data; below, the time has another reason. */
enum { LEAST_OBJECTS = 10000 };
/* Of the bytes of all objects: when more exist at a time, most objects are not for one use. */
#define KEPT 0.5
/* Reusing memory costs a little itself. */
#define SAVED 0.95

static const char *const allocator_functions[] = {
	"malloc",
	"free",
	"calloc",
	"realloc",
	"cfree",
	"operator new",
	"operator delete",
	"_int_malloc",
	"_int_free",
	"_int_realloc",
	"__libc_malloc",
	"__libc_free",
	"__libc_calloc",
	"__libc_realloc",
	"malloc_consolidate",
	"unlink_chunk",
	"tcache_",
	"_int_free_",
	"__GI___libc_malloc",
	"__GI___libc_free",
	"sysmalloc",
	"systrim",
	"arena_get",
};

static bool is_allocator(const struct ms_run_code *code)
{
	const char *module = ms_base_name(code->module);

	if (strncmp(module, "libc.", 5) != 0 && strncmp(module, "libc-", 5) != 0 &&
	    strncmp(module, "libstdc++", 9) != 0)
		return false;
	for (size_t i = 0; i < MS_COUNT(allocator_functions); i++)
		if (strncmp(code->name, allocator_functions[i], strlen(allocator_functions[i])) ==
		    0)
			return true;
	return false;
}

/* Containers that grow: they are compiled into the program. */
static bool grows_container(const struct ms_run_code *code)
{
	return strncmp(code->name, "std::", 5) == 0 && strstr(code->name, "::_M_realloc_") != NULL;
}

static double allocator_cycles(const struct ms_advise_search *search)
{
	double cycles = 0;

	for (size_t i = 0; i < search->summary->code.at.n; i++) {
		const struct ms_summary_entry *e = &search->summary->code.at.at[i];

		const struct ms_run_code *code = &search->run->codes.at[e->code];

		if (is_allocator(code) || grows_container(code))
			cycles += (double)e->counts.compute +
				  (double)ms_summary_rw_sum(e->counts.stall);
	}
	return cycles;
}

/* The data with the most objects; MS_NONE: no data has many. */
static uint32_t most_objects(const struct ms_run *run, uint64_t *all)
{
	uint32_t most = MS_NONE;

	*all = 0;
	for (uint32_t i = 0; i < run->data.n; i++) {
		if (run->data.at[i].kind != MS_DATA_HEAP)
			continue;
		*all += run->data.at[i].objects;
		if (most == MS_NONE || run->data.at[i].objects > run->data.at[most].objects)
			most = i;
	}
	return most != MS_NONE && run->data.at[most].objects >= LEAST_OBJECTS ? most : MS_NONE;
}

/* Headers of C++, and the standard library of Rust as its releases are built. */
static bool is_library_source(const char *file)
{
	return strstr(file, "/include/") != NULL || strncmp(file, "/rustc/", 7) == 0;
}

/* The innermost frame of the allocation that is not of a library. */
static const struct ms_run_frame *allocating_frame(const struct ms_run *run, uint32_t data)
{
	for (size_t i = 0; i < run->frames.n; i++)
		if (run->frames.at[i].data == data && run->frames.at[i].file != NULL &&
		    !is_library_source(run->frames.at[i].file))
			return &run->frames.at[i];
	return NULL;
}

static const char *where(struct ms_advise_search *search, uint32_t data)
{
	const struct ms_run_frame *frame = allocating_frame(search->run, data);

	if (frame == NULL)
		return "the loop that allocates it";
	return ms_arena_printf(search->arena, "%s (%s:%u)", frame->function,
			       ms_base_name(frame->file), frame->line);
}

static const char *make_remedy(struct ms_advise_search *search, uint32_t data)
{
	const struct ms_run_data *of = &search->run->data.at[data];
	const char *name = ms_advise_data_name(search, data), *place = where(search, data);

	if ((double)of->peak_bytes > KEPT * (double)of->bytes)
		return ms_arena_printf(
			search->arena,
			"Most of these objects exist at the same time: take %s in %s from a pool "
			"(one "
			"allocation for an array of many objects, of which each use gets the next "
			"one), or let a container hold the objects themselves, not pointers to "
			"them.",
			name, place);
	return ms_arena_printf(
		search->arena,
		"Do not allocate %s for each use in %s: declare it before the loop and clear it "
		"(C++: clear() keeps the memory; reserve() avoids growing), keep freed objects in "
		"a list for reuse, or take them from a pool that is freed as a whole.",
		name, place);
}

void ms_advise_find_allocation(struct ms_advise_search *search)
{
	const struct ms_run *run = search->run;
	double cycles = allocator_cycles(search);
	uint64_t all;
	uint32_t data = most_objects(run, &all);

	if (data == MS_NONE)
		return;
	const struct ms_run_data *of = &run->data.at[data];
	double saved = SAVED * cycles * (double)of->objects / (double)all;
	struct ms_advise_finding *f = ms_advise_add(
		search, &(struct ms_advise_place){ MS_ADVISE_ALLOCATION, data, MS_NONE, MS_NONE,
						   saved, MS_ADVISE_ERROR, false });
	if (f == NULL)
		return;
	ms_advise_show_by(search, f, ms_advise_data_command(search, "report --by code", MS_NONE),
			  "%s of the time is in malloc(), free() and what they call",
			  ms_advise_percent(search->arena, cycles / search->time));
	ms_advise_show(search, f, "%s objects of %s, of %s each, at most %s at a time",
		       ms_advise_count(search->arena, (double)of->objects),
		       ms_advise_data_name(search, data),
		       ms_advise_size(search->arena, (double)of->bytes / (double)of->objects),
		       ms_advise_size(search->arena, (double)of->peak_bytes));
	f->remedy = make_remedy(search, data);
	f->falsifier = "a faster allocator (LD_PRELOAD) does not change the time";
}
