/*
 * advise/sharing.c - lines that processors invalidate in each other's caches. All stall cycles of a
 * line are attributed to the data that is written there: moving it, or writing it less often, saves
 * the misses of its neighbours, too.
 */
#include "analysis/sharing/sharing.h"

#include <inttypes.h>
#include <string.h>

#include "advise/advise_priv.h"
#include "base/mem.h"

/* Of the invalidation misses of written data: with more true sharing, lines of its own do not help.
 */
#define LEAST_TRUE 0.25

/* All lines in which one data is written. */
struct shared_data {
	double stall;
	double truly, falsely;
	size_t lines;
	const struct ms_sharing_line *worst;            /* the line that stalls the most ... */
	const struct ms_sharing_access *writer, *other; /* ... and accesses to it */
};

static const struct ms_sharing_access *find_writer(const struct ms_sharing_line *line)
{
	const struct ms_sharing_access *writer = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < line->accesses.n; i++) {
		const struct ms_sharing_access *a = &line->accesses.at[i];

		if (a->caused_truly + a->caused_falsely > most) {
			most = a->caused_truly + a->caused_falsely;
			writer = a;
		}
	}
	return writer;
}

/* What misses the most in the line at other bytes than the writer's. */
static const struct ms_sharing_access *find_other(const struct ms_sharing_line *line,
						  const struct ms_sharing_access *writer)
{
	const struct ms_sharing_access *other = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < line->accesses.n; i++) {
		const struct ms_sharing_access *a = &line->accesses.at[i];

		if (a->offset != writer->offset && a->missed.falsely > most) {
			most = a->missed.falsely;
			other = a;
		}
	}
	return other;
}

static size_t count_processors(const struct ms_advise_search *search,
			       const struct ms_sharing_access *a)
{
	size_t n = 0;

	for (uint32_t i = 0; i < search->run->processors; i++)
		n += ms_sharing_processors_has(&a->processors, i);
	return n;
}

/* Whether several processors write the same bytes: lines of their own would not help. */
static bool is_true_sharing(const struct ms_advise_search *search, const struct shared_data *shared)
{
	return shared->truly > LEAST_TRUE * (shared->truly + shared->falsely) ||
	       count_processors(search, shared->writer) > 1;
}

static void add_up(const struct ms_sharing *sharing, struct shared_data *by_data)
{
	for (size_t i = 0; i < sharing->lines.n; i++) {
		const struct ms_sharing_line *line = &sharing->lines.at[i];
		const struct ms_sharing_access *writer = find_writer(line);

		if (writer == NULL)
			continue;
		struct shared_data *to = &by_data[writer->data];

		to->stall += (double)line->counts.stall;
		to->lines++;
		for (size_t k = 0; k < line->accesses.n; k++) {
			const struct ms_sharing_access *a = &line->accesses.at[k];

			if (a->data != writer->data)
				continue;
			to->truly += (double)a->missed.truly;
			to->falsely += (double)a->missed.falsely;
		}
		if (to->worst == NULL || line->counts.stall > to->worst->counts.stall) {
			to->worst = line;
			to->writer = writer;
			to->other = find_other(line, writer);
		}
	}
}

/* "counter[1]", "job.progress": the data and the member, or the offset in it. */
static const char *member_name(struct ms_advise_search *search, const struct ms_sharing_access *a)
{
	const char *name = ms_advise_data_name(search, a->data);

	if (a->field != NULL)
		return ms_arena_printf(search->arena, "%s%s%s", name,
				       a->field[0] == '[' || a->field[0] == '.' ? "" : ".",
				       a->field);
	if (a->object != MS_NO_OFFSET)
		return ms_arena_printf(search->arena, "%s (offset %" PRIu64 ")", name, a->object);
	return name;
}

/* Where time was measured, the simulation shows the part of all waiting, and the clock how much
 * that is: waiting for a line to be written is sampled at what is executed next, with other data.
 */
static double find_stall(const struct ms_advise_search *search, const struct shared_data *shared)
{
	double all = (double)ms_summary_rw_sum(search->summary->total.counts.estimated.stall);

	if (!ms_run_has_measured_time(search->run))
		return shared->stall;
	return shared->stall < all ? search->bins.stall * shared->stall / all : search->bins.stall;
}

static void show_cost(struct ms_advise_search *search, struct ms_advise_finding *f,
		      const struct shared_data *shared)
{
	const char *command = ms_advise_data_command(search, "sharing", f->data);

	ms_advise_show_by(
		search, f, command, "%s of the time are misses on %zu line%s that %s is written in",
		ms_advise_percent(search->arena, shared->stall / search->time), shared->lines,
		shared->lines == 1 ? "" : "s", ms_advise_data_name(search, f->data));
	ms_advise_show_by(search, f, command, "its own misses: %s true sharing, %s false sharing",
			  ms_advise_count(search->arena, shared->truly),
			  ms_advise_count(search->arena, shared->falsely));
}

/* A member of a record gets a line of its own; elements of an array become records of a line. */
static const char *separate_lines(struct ms_advise_search *search,
				  const struct ms_advise_finding *f,
				  const struct ms_sharing_access *writer, unsigned line)
{
	const char *field = writer->field != NULL ? writer->field + (writer->field[0] == '.') : "";
	size_t n = strcspn(field, "[");

	if (strstr(field, "::") != NULL)
		return NULL; /* of a base class, which other records may have, too */
	if (n > 0 && field[n] == '\0' && !ms_advise_is_scalar(search->run->data.at[f->data].type))
		return ms_advise_aligned_snippet(search, f, field, line);
	if (n > 0 && field[n] == '[')
		return ms_arena_printf(search->arena,
				       "struct { alignas(%u) T value; } %.*s[THREADS];\n", line,
				       (int)n, field);
	return ms_arena_printf(search->arena, "struct { alignas(%u) %s value; } %s[THREADS];\n",
			       line, ms_advise_shared_type(search, f->data, f->line),
			       ms_advise_variable(search, f->data));
}

static void describe_false(struct ms_advise_search *search, struct ms_advise_finding *f,
			   const struct shared_data *shared)
{
	unsigned line = search->run->levels.at[0].line;
	const char *writer = member_name(search, shared->writer);

	show_cost(search, f, shared);
	f->remedy = ms_arena_printf(
		search->arena,
		"Put %s and %s into different cache lines: alignas(%u) on what each thread writes.",
		writer,
		shared->other != NULL ? member_name(search, shared->other) : "its neighbours",
		line);
	f->snippet = separate_lines(search, f, shared->writer, line);
	f->falsifier = "with the members apart, memspy sharing still shows misses on these lines";
}

static void describe_true(struct ms_advise_search *search, struct ms_advise_finding *f,
			  const struct shared_data *shared)
{
	show_cost(search, f, shared);
	f->remedy = ms_arena_printf(
		search->arena,
		"Let each thread update a copy of %s of its own (a local variable, or one in a "
		"line of its own) and add the copies up at the end; if all threads must see each "
		"update, write less often.",
		member_name(search, shared->writer));
	f->snippet = ms_arena_printf(search->arena,
				     "%s own = 0;\n"
				     "for (...) own += ...;\n"
				     "atomic_fetch_add(&%s, own); /* once a thread */\n",
				     ms_advise_element_type(search, f->data, f->line),
				     ms_advise_variable(search, f->data));
	f->falsifier = "other threads need each intermediate value";
}

static void find(struct ms_advise_search *search, enum ms_advise_kind kind)
{
	static const struct ms_sharing_wanted all;
	struct ms_sharing sharing;
	struct ms_err err;

	if (search->run->processors == 1 || search->run->sharing.n == 0 ||
	    ms_sharing_make(&sharing, search->run, &all, NULL, &err) != MS_OK)
		return;
	struct shared_data *by_data = ms_alloc((search->run->data.n + 1) * sizeof(*by_data));

	add_up(&sharing, by_data);
	for (uint32_t i = 0; i < search->run->data.n; i++) {
		struct shared_data *shared = &by_data[i];
		if (shared->worst == NULL)
			continue;
		shared->stall = find_stall(search, shared);
		bool truly = is_true_sharing(search, shared);

		if (truly != (kind == MS_ADVISE_TRUE_SHARING) ||
		    !ms_advise_is_users(search->run, i))
			continue;
		uint32_t line = search->run->sites.at[shared->writer->site].line;
		struct ms_advise_finding *f = ms_advise_add(
			search,
			&(struct ms_advise_place){ kind, i, search->run->lines.at[line].code, line,
						   shared->stall, MS_ADVISE_ERROR, false });
		if (f != NULL)
			(truly ? describe_true : describe_false)(search, f, shared);
	}
	ms_free(by_data);
	ms_sharing_free(&sharing);
}

void ms_advise_find_false_sharing(struct ms_advise_search *search)
{
	find(search, MS_ADVISE_FALSE_SHARING);
}

void ms_advise_find_true_sharing(struct ms_advise_search *search)
{
	find(search, MS_ADVISE_TRUE_SHARING);
}
