/*
 * views/export/callgrind.c - callgrind.out and cachegrind.out files.
 *
 * The code view of callgrind's has functions and their lines, and the calls of a run with call
 * paths, with the stall and misses that they lead to. The data view has each data as a function,
 * with the lines that use it, called by the functions that allocated it.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "analysis/measured/measured.h"
#include "base/map.h"
#include "base/num.h"
#include "views/entries.h"
#include "views/export/call_edges.h"
#include "views/export/export_priv.h"

/* A number for each name, defined when it is first used: "fn=(1) main", then "fn=(1)". */
struct names {
	struct ms_names texts;
	struct ms_map map;
	uint32_t n;
};

struct callgrind_writer {
	FILE *out;
	const struct ms_run *run;
	size_t levels;      /* that are written */
	bool references;    /* are, too */
	const char **homes; /* of each data: the file whose lines use it most; NULL: not known */
	struct names objects, files, functions;
};

static void put_name(struct callgrind_writer *w, struct names *names, const char *key,
		     const char *name)
{
	uint32_t *id = ms_map_at(&names->map, (uintptr_t)ms_intern(&names->texts, name), 0);

	if (*id != MS_MAP_NONE) {
		fprintf(w->out, "%s=(%" PRIu32 ")\n", key, *id);
		return;
	}
	*id = ++names->n;
	fprintf(w->out, "%s=(%" PRIu32 ") ", key, *id);
	ms_export_name(w->out, name, "");
	fputc('\n', w->out);
}

static void put_object(struct callgrind_writer *w, const char *key, const char *name)
{
	put_name(w, &w->objects, key, name);
}

static void put_file(struct callgrind_writer *w, const char *key, const char *name)
{
	put_name(w, &w->files, key, name != NULL ? name : "???");
}

static void put_function(struct callgrind_writer *w, const char *key, const char *name)
{
	put_name(w, &w->functions, key, name);
}

static void free_names(struct names *names)
{
	ms_names_free(&names->texts);
	ms_map_free(&names->map);
}

static void free_writer(struct callgrind_writer *w)
{
	free_names(&w->objects);
	free_names(&w->files);
	free_names(&w->functions);
}

/* --- events --- */

/* Names of events are letters and digits. */
static void put_level(FILE *out, const char *name)
{
	for (; *name != '\0'; name++)
		fputc(isalnum((unsigned char)*name) ? *name : '_', out);
}

/* What a source reports, by its unit: names of events, and what they count. */
static const char *const sampled_events[] = {
	[MS_RUN_NO_UNIT] = "event: Events : Page faults\nevents: Events\n",
	[MS_RUN_CYCLES] = "event: Latency : Latency of events, in cycles\n"
			  "event: Events : Events\nevents: Latency Events\n",
	[MS_RUN_NANOSECONDS] = "event: Stall : Memory stall time, in ns\n"
			       "event: Compute : Time spent computing, in ns\n"
			       "event: Samples : Samples\nevents: Stall Compute Samples\n",
};

static void put_sampled_costs(struct callgrind_writer *w, const struct ms_summary_counts *c)
{
	uint32_t unit = w->run->hardware.at[0].unit;

	if (unit == MS_RUN_NANOSECONDS)
		fprintf(w->out, " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			ms_summary_rw_sum(c->stall), c->instructions, c->samples.n);
	else if (unit == MS_RUN_CYCLES)
		fprintf(w->out, " %" PRIu64 " %" PRIu64 "\n", ms_summary_rw_sum(c->stall),
			ms_summary_rw_sum(c->references));
	else
		fprintf(w->out, " %" PRIu64 "\n", ms_summary_rw_sum(c->references));
}

static void put_event_names(struct callgrind_writer *w)
{
	if (ms_run_is_measured(w->run)) {
		fputs(sampled_events[w->run->hardware.at[0].unit], w->out);
		return;
	}
	for (size_t i = 0; i < w->levels; i++) {
		fputs("event: ", w->out);
		put_level(w->out, w->run->levels.at[i].name);
		fprintf(w->out, "mr : %s read misses\nevent: ", w->run->levels.at[i].name);
		put_level(w->out, w->run->levels.at[i].name);
		fprintf(w->out, "mw : %s write misses\n", w->run->levels.at[i].name);
	}
	fputs("event: Ir : Instructions\n", w->out);
	if (w->references)
		fputs("event: Dr : Reads\nevent: Dw : Writes\n", w->out);
	fprintf(w->out, "event: Stall : Memory stall cycles\nevents: Stall Ir%s",
		w->references ? " Dr Dw" : "");
	for (size_t i = 0; i < w->levels; i++) {
		fputc(' ', w->out);
		put_level(w->out, w->run->levels.at[i].name);
		fputs("mr ", w->out);
		put_level(w->out, w->run->levels.at[i].name);
		fputs("mw", w->out);
	}
	fputc('\n', w->out);
}

static void put_costs(struct callgrind_writer *w, const struct ms_summary_counts *c)
{
	if (ms_run_is_measured(w->run)) {
		put_sampled_costs(w, c);
		return;
	}
	fprintf(w->out, " %" PRIu64 " %" PRIu64, ms_summary_rw_sum(c->stall), c->instructions);
	for (int rw = 0; rw < MS_RW && w->references; rw++)
		fprintf(w->out, " %" PRIu64, c->references[rw]);
	for (size_t i = 0; i < w->levels; i++)
		fprintf(w->out, " %" PRIu64 " %" PRIu64, c->levels[i].misses[MS_READS],
			c->levels[i].misses[MS_WRITES]);
	fputc('\n', w->out);
}

static void put_head(struct callgrind_writer *w, const char *view,
		     const struct ms_summary_counts *total)
{
	fprintf(w->out,
		"# callgrind format\nversion: 1\ncreator: memspy %s\ncmd: ", w->run->memspy);
	ms_export_command(w->out, w->run);
	fprintf(w->out, "\ndesc: Machine: %s\ndesc: View: %s\n", w->run->machine, view);
	if (!w->references)
		fprintf(w->out, "desc: Missing: %s\n", MS_VIEWS_MISSES_ONLY);
	fputs("positions: line\n", w->out);
	put_event_names(w);
	fputs("summary:", w->out);
	put_costs(w, total);
}

/* --- the code view --- */

static int by_source(const void *a, const void *b, void *arg)
{
	const struct ms_run *run = arg;
	const struct ms_run_line *x = &run->lines.at[((const struct ms_summary_entry *)a)->line];
	const struct ms_run_line *y = &run->lines.at[((const struct ms_summary_entry *)b)->line];
	int order = ms_cmp_u64(x->code, y->code);

	if (order == 0 && x->file != y->file)
		order = x->file == NULL ? -1 : y->file == NULL ? 1 : strcmp(x->file, y->file);
	return order != 0 ? order : ms_cmp_u64(x->line, y->line);
}

static void sort_lines(struct ms_summary *s)
{
	if (s->lines.at.n > 0)
		qsort_r(s->lines.at.at, s->lines.at.n, sizeof(*s->lines.at.at), by_source,
			(void *)s->run);
}

static bool is_same_file(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* How often each is made is not known. */
static void put_calls_of(struct callgrind_writer *w, const struct ms_export_edges *edges,
			 uint32_t code)
{
	for (size_t i = 0; i < edges->at.n; i++) {
		const struct ms_export_edge *edge = &edges->at.at[i];
		const struct ms_run_line *line = &w->run->lines.at[edge->line];
		const struct ms_run_code *called = &w->run->codes.at[edge->code];

		if (line->code != code)
			continue;
		/* With it, callgrind_annotate takes a function of this object for another one. */
		if (strcmp(called->module, w->run->codes.at[code].module) != 0)
			put_object(w, "cob", called->module);
		put_file(w, "cfi", called->file);
		put_function(w, "cfn", called->name);
		fprintf(w->out, "calls=1 %" PRIu32 "\n%" PRIu32, called->line, line->line);
		put_costs(w, &edge->costs);
	}
}

static void code_view(struct callgrind_writer *w, struct ms_summary *s,
		      const struct ms_export_edges *edges)
{
	const char *file = NULL;
	uint32_t code = MS_NONE;

	sort_lines(s);
	for (size_t i = 0; i < s->lines.at.n; i++) {
		const struct ms_run_line *line = &w->run->lines.at[s->lines.at.at[i].line];
		const struct ms_run_code *f = &w->run->codes.at[line->code];

		if (line->code != code) {
			code = line->code;
			file = f->file;
			fputc('\n', w->out);
			put_object(w, "ob", f->module);
			put_file(w, "fl", file);
			put_function(w, "fn", f->name);
			put_calls_of(w, edges, code);
		}
		if (!is_same_file(file, line->file)) {
			file = line->file;
			put_file(w, is_same_file(file, f->file) ? "fe" : "fi", file);
		}
		fprintf(w->out, "%" PRIu32, line->line);
		put_costs(w, &s->lines.at.at[i].counts);
	}
}

/* --- the data view --- */

/* One call on the way to an allocation, and what all data that came by it costs. */
struct call {
	const struct ms_run_frame *from;
	const struct ms_run_frame *to; /* NULL: the data itself */
	uint32_t data;                 /* likewise; MS_NONE: a function */
	uint64_t times;
	struct ms_summary_counts costs;
};

struct callgrind_calls {
	struct ms_arena arena;
	struct ms_names names;
	struct ms_map map;
	struct ms_map counted; /* (call, data): recursion counts once */
	MS_VEC(struct call) at;
};

/* Functions are known by their names: one function, however it was reached. */
static uint64_t function_key(struct callgrind_calls *c, const struct ms_run_frame *f)
{
	return (uint64_t)(uintptr_t)ms_intern(&c->names, f->function);
}

static void add_call(struct callgrind_calls *c, const struct ms_run *run,
		     const struct ms_run_frame *from, const struct ms_run_frame *to,
		     const struct ms_summary_entry *data)
{
	uint64_t target = to != NULL ? function_key(c, to) : data->data;
	uint32_t *slot =
		ms_map_at(&c->map, function_key(c, from) ^ (uint64_t)from->line << 48, target);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)c->at.n;
		struct call *call = ms_vec_add(&c->at);
		call->from = from;
		call->to = to;
		call->data = to != NULL ? MS_NONE : data->data;
		call->costs.levels =
			ms_arena_take(&c->arena, (run->levels.n + 1) * sizeof(*call->costs.levels));
	}
	uint32_t i = *slot;
	uint32_t *seen = ms_map_at(&c->counted, i, data->data);
	if (*seen != MS_MAP_NONE)
		return;
	*seen = 0;
	c->at.at[i].times += run->data.at[data->data].objects;
	ms_summary_add_counts(&c->at.at[i].costs, &data->counts, run->levels.n);
}

static const char *from_name(const struct call *call)
{
	return call->from->function;
}

static int by_caller(const void *a, const void *b)
{
	const struct call *x = a, *y = b;
	int order = strcmp(from_name(x), from_name(y));

	if (order == 0)
		order = ms_cmp_u64(x->from->line, y->from->line);
	if (order == 0)
		order = ms_cmp_u64(x->data, y->data);
	return order != 0 || x->to == NULL ? order : strcmp(x->to->function, y->to->function);
}

static void collect_calls(struct callgrind_calls *c, const struct ms_summary *s)
{
	for (size_t i = 0; i < s->data.at.n; i++) {
		const struct ms_summary_entry *data = &s->data.at.at[i];
		size_t n;
		const struct ms_run_frame *f = ms_describe_call_path(s->run, data->data, &n);

		for (size_t k = 0; k < n; k++)
			add_call(c, s->run, &f[k], k > 0 ? &f[k - 1] : NULL, data);
	}
	if (c->at.n > 0)
		qsort(c->at.at, c->at.n, sizeof(*c->at.at), by_caller);
}

static const char *data_object(const struct ms_run_data *data)
{
	static const char *const names[] = {
		[MS_DATA_HEAP] = "[heap]",       [MS_DATA_STATIC] = "[static]",
		[MS_DATA_TLS] = "[thread]",      [MS_DATA_STACK] = "[stack]",
		[MS_DATA_FILE] = "[file]",       [MS_DATA_MAPPED] = "[mapped]",
		[MS_DATA_SECTION] = "[section]", [MS_DATA_UNKNOWN] = "[unknown]",
		[MS_DATA_NAMED] = "[named]",
	};

	return data->kind < MS_COUNT(names) ? names[data->kind] : "[unknown]";
}

static void put_call(struct callgrind_writer *w, const struct call *call)
{
	if (call->to != NULL) {
		if (strcmp(call->to->module, call->from->module) != 0)
			put_object(w, "cob", call->to->module);
		put_file(w, "cfi", call->to->file);
		put_function(w, "cfn", call->to->function);
	} else {
		put_object(w, "cob", data_object(&w->run->data.at[call->data]));
		put_file(w, "cfi", w->homes[call->data]);
		put_function(w, "cfn", w->run->data.at[call->data].name);
	}
	fprintf(w->out, "calls=%" PRIu64 " 0\n%" PRIu32, call->times > 0 ? call->times : 1,
		call->from->line);
	put_costs(w, &call->costs);
}

static void put_calls(struct callgrind_writer *w, const struct callgrind_calls *c)
{
	for (size_t i = 0; i < c->at.n; i++) {
		const struct call *call = &c->at.at[i];

		if (i == 0 || strcmp(from_name(call), from_name(call - 1)) != 0) {
			fputc('\n', w->out);
			put_object(w, "ob", call->from->module);
			put_file(w, "fl", call->from->file);
			put_function(w, "fn", call->from->function);
		}
		put_call(w, call);
	}
}

static int by_data(const void *a, const void *b, void *arg)
{
	const struct ms_run *run = arg;
	const struct ms_lines_point *x = a, *y = b;
	int order = ms_cmp_u64(x->data, y->data);
	const char *file_x = run->lines.at[x->line].file, *file_y = run->lines.at[y->line].file;

	if (order == 0 && !is_same_file(file_x, file_y))
		order = file_x == NULL ? -1 : file_y == NULL ? 1 : strcmp(file_x, file_y);
	if (order == 0)
		order = ms_cmp_u64(run->lines.at[x->line].line, run->lines.at[y->line].line);
	return order;
}

/* Readers take a function for one of its file: most of what uses a data is better in one. */
static void find_homes(struct callgrind_writer *w, struct ms_lines_points *p)
{
	uint64_t *most = ms_arena_take(&p->arena, (p->run->data.n + 1) * sizeof(*most));

	w->homes = ms_arena_take(&p->arena, (p->run->data.n + 1) * sizeof(*w->homes));
	for (size_t i = 0; i < p->at.n; i++) {
		const struct ms_lines_point *point = &p->at.at[i];
		uint64_t cost = 1 + ms_summary_rw_sum(point->counts.stall);

		if (cost <= most[point->data])
			continue;
		most[point->data] = cost;
		w->homes[point->data] = p->run->lines.at[point->line].file;
	}
}

static void data_view(struct callgrind_writer *w, struct ms_lines_points *p)
{
	struct callgrind_calls calls = { .at = MS_VEC_INIT };
	uint32_t data = MS_NONE;
	const char *file = NULL;

	find_homes(w, p);
	if (p->at.n > 0)
		qsort_r(p->at.at, p->at.n, sizeof(*p->at.at), by_data, (void *)p->run);
	for (size_t i = 0; i < p->at.n; i++) {
		const struct ms_lines_point *point = &p->at.at[i];
		const struct ms_run_line *line = &w->run->lines.at[point->line];

		if (!w->references && w->run->data.at[point->data].kind == MS_DATA_ANY)
			continue;
		if (point->data != data) {
			data = point->data;
			file = w->homes[data];
			fputc('\n', w->out);
			put_object(w, "ob", data_object(&w->run->data.at[data]));
			put_file(w, "fl", file);
			put_function(w, "fn", w->run->data.at[data].name);
		}
		if (!is_same_file(file, line->file)) {
			file = line->file;
			put_file(w, is_same_file(file, w->homes[data]) ? "fe" : "fi", file);
		}
		fprintf(w->out, "%" PRIu32, line->line);
		put_costs(w, &point->counts);
	}
	collect_calls(&calls, &p->summary);
	put_calls(w, &calls);
	ms_arena_free(&calls.arena);
	ms_names_free(&calls.names);
	ms_map_free(&calls.map);
	ms_map_free(&calls.counted);
	ms_vec_free(&calls.at);
}

/* Instructions belong to code: data has none. */
static struct ms_summary_counts without_instructions(struct ms_summary_counts counts)
{
	counts.instructions = 0;
	return counts;
}

MS_EXPORT(callgrind)
{
	struct callgrind_writer w = { .out = out,
				      .run = points->run,
				      .levels = points->run->levels.n };
	struct ms_summary_counts total = points->summary.total.counts;

	(void)err;
	w.references = options->view != MS_STACK_DATA || !w.run->misses_only;
	if (options->view == MS_STACK_DATA) {
		total = without_instructions(total);
		put_head(&w, "data, and the code that allocated it", &total);
		data_view(&w, points);
	} else {
		struct ms_export_edges edges;

		ms_export_find_edges(&edges, points);
		put_head(&w, "code", &total);
		code_view(&w, &points->summary, &edges);
		ms_export_free_edges(&edges);
	}
	fputs("\ntotals:", out);
	put_costs(&w, &total);
	free_writer(&w);
	return MS_OK;
}

/* --- cachegrind --- */

/* As cachegrind counts: the first level and the last. */
static void put_cachegrind_costs(struct callgrind_writer *w, const struct ms_summary_counts *c)
{
	fprintf(w->out, " %" PRIu64, c->instructions);
	for (int rw = 0; rw < MS_RW; rw++) {
		fprintf(w->out, " %" PRIu64, c->references[rw]);
		if (w->levels > 0)
			fprintf(w->out, " %" PRIu64, c->levels[0].misses[rw]);
		if (w->levels > 1)
			fprintf(w->out, " %" PRIu64, c->levels[w->levels - 1].misses[rw]);
	}
	fputc('\n', w->out);
}

static void put_cachegrind_head(struct callgrind_writer *w)
{
	static const char *const names[] = { "D1", "LL" };

	for (size_t i = 0; i < 2 && i < w->levels; i++) {
		const struct ms_run_level *l = &w->run->levels.at[i > 0 ? w->levels - 1 : 0];

		fprintf(w->out, "desc: %s cache: %" PRIu64 " B, %u B, %u-way associative\n",
			names[i], l->size, l->line, l->ways);
	}
	fputs("cmd: ", w->out);
	ms_export_command(w->out, w->run);
	fprintf(w->out, "\nevents: Ir Dr%s%s Dw%s%s\n", w->levels > 0 ? " D1mr" : "",
		w->levels > 1 ? " DLmr" : "", w->levels > 0 ? " D1mw" : "",
		w->levels > 1 ? " DLmw" : "");
}

MS_EXPORT(cachegrind)
{
	struct callgrind_writer w = { .out = out,
				      .run = points->run,
				      .levels = points->run->levels.n };
	struct ms_summary *s = &points->summary;
	const char *file = "";
	uint32_t code = MS_NONE;

	(void)options;
	MS_TRY(ms_measured_refuse(points->run, "instructions and misses, as cachegrind counts them",
				  err));
	put_cachegrind_head(&w);
	sort_lines(s);
	for (size_t i = 0; i < s->lines.at.n; i++) {
		const struct ms_run_line *line = &w.run->lines.at[s->lines.at.at[i].line];

		if (line->code != code || !is_same_file(file, line->file)) {
			code = line->code;
			file = line->file;
			fputs("fl=", out);
			ms_export_name(out, file != NULL ? file : "???", "");
			fputs("\nfn=", out);
			ms_export_name(out, w.run->codes.at[code].name, "");
			fputc('\n', out);
		}
		fprintf(out, "%" PRIu32, line->line);
		put_cachegrind_costs(&w, &s->lines.at.at[i].counts);
	}
	fputs("summary:", out);
	put_cachegrind_costs(&w, &s->total.counts);
	free_writer(&w);
	return MS_OK;
}
