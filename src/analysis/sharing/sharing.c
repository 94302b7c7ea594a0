#include "analysis/sharing/sharing.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measured/measured.h"
#include "analysis/sharing/sharing_priv.h"
#include "analysis/summary/select.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"

struct sharing_builder {
	struct ms_sharing *sharing;
	const struct ms_run *run;
	bool *code; /* chosen; NULL: all */
	bool *data;
	bool *line;             /* likewise, by index into lines */
	MS_VEC(uint64_t) asked; /* addresses */
	double *other_cost;     /* by cell: of a miss that no peer and no remote memory answered */
	double *exposed;        /* by cell: the part of these latencies that is stall */
	struct ms_map line_of;  /* address -> lines */
	struct ms_map data_of;  /* data -> sharing->data */
	struct ms_map access;   /* (line and offset, site and data) -> index into its accesses */
	struct ms_map pair_of;  /* (line and data, writer's line and data) -> sharing->pairs */
	struct ms_map part_of;  /* (line, data) -> parts */
	MS_VEC(uint64_t) parts; /* stall cycles of the data there */
	uint64_t *worst;        /* by line: the largest of them */
	struct ms_map in_line;  /* (line, data and whether it misses): seen */
	uint32_t *row_line;     /* of each row of the run */
};

void ms_sharing_counts_add(struct ms_sharing_counts *to, const struct ms_sharing_counts *from)
{
	to->truly += from->truly;
	to->falsely += from->falsely;
	to->peer += from->peer;
	to->far_peer += from->far_peer;
	to->remote += from->remote;
	to->stall += from->stall;
	to->false_stall += from->false_stall;
}

static struct ms_sharing_processors new_set(struct sharing_builder *b)
{
	return (struct ms_sharing_processors){ ms_arena_take(
		&b->sharing->whole.arena, (b->run->processors + 63) / 64 * sizeof(uint64_t)) };
}

static void put(struct ms_sharing_processors *set, uint32_t processor)
{
	set->words[processor / 64] |= UINT64_C(1) << processor % 64;
}

/* --- cost --- */

static void find_costs(struct sharing_builder *b)
{
	const struct ms_summary_cost *cost = &b->sharing->whole.cost;
	struct ms_summary_rows at = { 0, 0 };

	b->other_cost = ms_alloc((b->run->cells.n + 1) * sizeof(*b->other_cost));
	b->exposed = ms_alloc((b->run->cells.n + 1) * sizeof(*b->exposed));
	for (size_t i = 0; i < b->run->cells.n; i++) {
		struct ms_summary_cell_counts c = ms_summary_cell_counts(b->run, cost, i, &at);
		double misses = c.n > 0 ? (double)ms_summary_miss_count(&c.misses[0]) : 0;
		double latency = (double)ms_summary_cost_stall(cost, c.misses, c.n).cycles;
		double stall = latency;

		for (size_t k = 0; k < c.n; k++) {
			misses -= (double)c.misses[k].peer + (double)c.misses[k].remote;
			stall -= (double)c.misses[k].peer * (double)cost->peer +
				 (double)c.misses[k].remote * (double)cost->remote;
		}
		b->other_cost[i] = misses > 0 && stall > 0 ? stall / misses : 0;
		b->exposed[i] = cost->exposed && latency > 0 ? (double)c.stall.cycles / latency : 1;
	}
	assert(ms_summary_rows_end(b->run, &at));
}

static struct ms_sharing_counts counts_of(const struct sharing_builder *b,
					  const struct ms_run_sharing *row)
{
	const struct ms_summary_cost *cost = &b->sharing->whole.cost;
	uint64_t all = row->truly + row->falsely, known = row->peer + row->remote;
	double others = all > known ? (double)(all - known) : 0;
	bool far = ms_sharing_processor_node(b->run, b->run->cells.at[row->cell].processor) !=
		   ms_sharing_processor_node(b->run, b->run->cells.at[row->writer].processor);
	double stall = b->exposed[row->cell] * ((double)row->peer * (double)cost->peer +
						(double)row->remote * (double)cost->remote +
						others * b->other_cost[row->cell]);
	double falsely = all > 0 ? stall * (double)row->falsely / (double)all : 0;

	return (struct ms_sharing_counts){
		.truly = row->truly,
		.falsely = row->falsely,
		.peer = row->peer,
		.far_peer = far ? row->peer : 0,
		.remote = row->remote,
		.stall = ms_round_u64(stall),
		.false_stall = ms_round_u64(falsely),
	};
}

/* --- what was asked for --- */

/* Bytes that processors take away from each other at a time: the largest private line. */
static uint64_t line_bytes(const struct ms_run *run)
{
	uint64_t bytes = run->levels.n > 0 ? run->levels.at[0].line : 1;

	for (size_t i = 1; i < run->levels.n; i++)
		if (run->levels.at[i].processors != 0 && run->levels.at[i].line > bytes)
			bytes = run->levels.at[i].line;
	return bytes;
}

static int choose(const struct ms_summary_entries *entries, size_t all, const char *const *names,
		  size_t n, bool **chosen, struct ms_text *remarks, struct ms_err *err)
{
	if (n == 0)
		return MS_OK;
	*chosen = ms_alloc(all * sizeof(**chosen));
	return ms_summary_select(entries, names, n, *chosen, remarks, err);
}

static int read_addresses(struct sharing_builder *b, const struct ms_sharing_wanted *wanted,
			  struct ms_err *err)
{
	for (size_t i = 0; i < wanted->n_line; i++) {
		const char *text = wanted->line[i];
		char *end;

		errno = 0;
		uint64_t address = strtoull(text, &end, 16);
		if (text[0] == '\0' || text[0] == '-' || *end != '\0' || errno != 0)
			return ms_fail(err, MS_EUSAGE,
				       "--line: found \"%s\", expected an address in hexadecimal "
				       "(0x4040c0), as `memspy sharing` shows them",
				       text);
		*ms_vec_add(&b->asked) = address;
	}
	return MS_OK;
}

static bool is_asked(const struct sharing_builder *b, uint64_t line)
{
	uint64_t bytes = line_bytes(b->run);

	for (size_t i = 0; i < b->asked.n; i++)
		if (line != MS_NO_OFFSET && b->asked.at[i] - line < bytes)
			return true;
	return b->asked.n == 0;
}

static bool is_chosen(const struct sharing_builder *b, uint32_t cell)
{
	const struct ms_run_cell *c = &b->run->cells.at[cell];
	uint32_t code = b->run->lines.at[b->run->sites.at[c->site].line].code;

	return (b->code == NULL || b->code[code]) && (b->data == NULL || b->data[c->data]);
}

/* Gives each row its line, and finds the lines in which something that was asked for happens. */
static void find_lines(struct sharing_builder *b)
{
	size_t n = b->run->sharing.n;

	b->row_line = ms_alloc((n + 1) * sizeof(*b->row_line));
	b->line = ms_alloc((n + 1) * sizeof(*b->line));
	for (size_t i = 0; i < n; i++) {
		const struct ms_run_sharing *row = &b->run->sharing.at[i];
		uint32_t *slot = ms_map_at(&b->line_of, row->line, 0);

		if (*slot == MS_MAP_NONE) {
			struct ms_sharing_line *line = ms_vec_add(&b->sharing->lines);

			*slot = (uint32_t)(b->sharing->lines.n - 1);
			line->line = row->line;
			line->data = MS_NONE;
			line->missers = new_set(b);
			line->writers = new_set(b);
		}
		b->row_line[i] = *slot;
		if (is_asked(b, row->line) &&
		    (is_chosen(b, row->cell) || is_chosen(b, row->writer)))
			b->line[*slot] = true;
	}
}

/* --- adding up --- */

static struct ms_sharing_access *access_at(struct sharing_builder *b, uint32_t line, uint32_t cell,
					   uint32_t offset)
{
	const struct ms_run_cell *c = &b->run->cells.at[cell];
	struct ms_sharing_line *to = &b->sharing->lines.at[line];
	uint32_t *slot = ms_map_at(&b->access, (uint64_t)line << 32 | offset,
				   (uint64_t)c->site << 32 | c->data);

	if (*slot == MS_MAP_NONE) {
		struct ms_sharing_access *access = ms_vec_add(&to->accesses);

		*slot = (uint32_t)(to->accesses.n - 1);
		access->site = c->site;
		access->data = c->data;
		access->offset = offset;
		access->object = MS_NO_OFFSET;
		access->processors = new_set(b);
	}
	put(&to->accesses.at[*slot].processors, c->processor);
	return &to->accesses.at[*slot];
}

static void name_access(struct ms_sharing_access *access, uint64_t object, const char *field)
{
	if (access->object == MS_NO_OFFSET)
		access->object = object;
	if (access->field == NULL)
		access->field = field;
}

static struct ms_sharing_data *data_at(struct sharing_builder *b, uint32_t data)
{
	uint32_t *slot = ms_map_at(&b->data_of, data, 0);

	if (*slot == MS_MAP_NONE) {
		struct ms_sharing_data *d = ms_vec_add(&b->sharing->data);

		*slot = (uint32_t)(b->sharing->data.n - 1);
		d->data = data;
		d->missers = new_set(b);
		d->writers = new_set(b);
	}
	return &b->sharing->data.at[*slot];
}

static void add_pair(struct sharing_builder *b, const struct ms_run_cell *cell,
		     const struct ms_run_cell *writer, const struct ms_sharing_counts *counts)
{
	uint32_t line = b->run->sites.at[cell->site].line;
	uint32_t writer_line = b->run->sites.at[writer->site].line;
	uint32_t *slot = ms_map_at(&b->pair_of, (uint64_t)line << 32 | cell->data,
				   (uint64_t)writer_line << 32 | writer->data);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)b->sharing->pairs.n;
		*ms_vec_add(&b->sharing->pairs) = (struct ms_sharing_pair){
			.line = line,
			.data = cell->data,
			.writer_line = writer_line,
			.writer_data = writer->data,
			.missers = new_set(b),
			.writers = new_set(b),
		};
	}
	struct ms_sharing_pair *pair = &b->sharing->pairs.at[*slot];
	ms_sharing_counts_add(&pair->counts, counts);
	put(&pair->missers, cell->processor);
	put(&pair->writers, writer->processor);
}

/* The data that stalls the most in a line gives it its name. */
static void weigh_data(struct sharing_builder *b, uint32_t at, uint32_t data, uint64_t stall)
{
	struct ms_sharing_line *line = &b->sharing->lines.at[at];
	uint32_t *slot = ms_map_at(&b->part_of, at, data);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)b->parts.n;
		ms_vec_add(&b->parts);
	}
	b->parts.at[*slot] += stall;
	if (line->data == MS_NONE || b->parts.at[*slot] > b->worst[at]) {
		line->data = data;
		b->worst[at] = b->parts.at[*slot];
	}
}

/* True the first time; missed: beside whether it has any part in the line, whether it misses. */
static bool meets(struct sharing_builder *b, uint32_t line, uint32_t data, bool missed)
{
	uint32_t *seen = ms_map_at(&b->in_line, line, (uint64_t)missed << 32 | data);
	bool first = *seen == MS_MAP_NONE;

	*seen = 1;
	return first;
}

static void add_row(struct sharing_builder *b, const struct ms_run_sharing *row, uint32_t at)
{
	const struct ms_run_cell *cell = &b->run->cells.at[row->cell];
	const struct ms_run_cell *writer = &b->run->cells.at[row->writer];
	struct ms_sharing_counts counts = counts_of(b, row);
	struct ms_sharing_line *line = &b->sharing->lines.at[at];
	struct ms_sharing_data *data = data_at(b, cell->data);

	data->lines += meets(b, at, cell->data, true);
	line->n_data += meets(b, at, cell->data, false);
	line->n_data += meets(b, at, writer->data, false);
	ms_sharing_counts_add(&b->sharing->total, &counts);
	ms_sharing_counts_add(&line->counts, &counts);
	ms_sharing_counts_add(&data->counts, &counts);
	put(&line->missers, cell->processor);
	put(&line->writers, writer->processor);
	put(&data->missers, cell->processor);
	put(&data->writers, writer->processor);
	add_pair(b, cell, writer, &counts);
	weigh_data(b, at, cell->data, counts.stall);

	struct ms_sharing_access *access = access_at(b, at, row->cell, row->offset);
	name_access(access, row->object, row->field);
	ms_sharing_counts_add(&access->missed, &counts);
	access = access_at(b, at, row->writer, row->writer_offset);
	name_access(access, row->writer_object, row->writer_field);
	access->caused_truly += row->truly;
	access->caused_falsely += row->falsely;
}

/* --- order --- */

/* False sharing that costs next to nothing does not stand before all else. */
static uint64_t worth(uint64_t false_stall, const struct ms_sharing_counts *total)
{
	return false_stall >= total->stall / 20 ? false_stall : 0;
}

static int compare_shared(const struct ms_sharing_counts *a, const struct ms_sharing_counts *b,
			  const struct ms_sharing_counts *total)
{
	int order = ms_cmp_u64(worth(b->false_stall, total), worth(a->false_stall, total));

	if (order == 0)
		order = ms_cmp_u64(b->stall, a->stall);
	return order != 0 ? order : ms_cmp_u64(b->truly + b->falsely, a->truly + a->falsely);
}

static int compare_lines(const void *a, const void *b, void *sharing)
{
	const struct ms_sharing_line *x = a, *y = b;
	const struct ms_sharing *s = sharing;
	int order = compare_shared(&x->counts, &y->counts, &s->total);

	return order != 0 ? order : ms_cmp_u64(x->line, y->line);
}

static int compare_pairs(const void *a, const void *b, void *sharing)
{
	const struct ms_sharing_pair *x = a, *y = b;
	const struct ms_sharing *s = sharing;
	int order = compare_shared(&x->counts, &y->counts, &s->total);

	if (order == 0)
		order = ms_cmp_u64(x->line, y->line);
	if (order == 0)
		order = ms_cmp_u64(x->writer_line, y->writer_line);
	if (order == 0)
		order = ms_cmp_u64(x->data, y->data);
	return order != 0 ? order : ms_cmp_u64(x->writer_data, y->writer_data);
}

static int compare_data(const void *a, const void *b, void *sharing)
{
	const struct ms_sharing_data *x = a, *y = b;
	const struct ms_sharing *s = sharing;
	const struct ms_run_data *data = s->whole.run->data.at;
	int order = compare_shared(&x->counts, &y->counts, &s->total);

	return order != 0 ? order : strcmp(data[x->data].name, data[y->data].name);
}

static int compare_accesses(const void *a, const void *b)
{
	const struct ms_sharing_access *x = a, *y = b;
	int order = ms_cmp_u64(x->offset, y->offset);

	if (order == 0)
		order = ms_cmp_u64(y->missed.stall, x->missed.stall);
	if (order == 0)
		order = ms_cmp_u64(y->caused_truly + y->caused_falsely,
				   x->caused_truly + x->caused_falsely);
	if (order == 0)
		order = ms_cmp_u64(x->site, y->site);
	return order != 0 ? order : ms_cmp_u64(x->data, y->data);
}

static void sort(struct sharing_builder *b)
{
	struct ms_sharing *s = b->sharing;
	size_t n = 0;

	for (size_t i = 0; i < s->lines.n; i++) {
		struct ms_sharing_line *line = &s->lines.at[i];

		if (line->accesses.n == 0)
			continue; /* nothing that was asked for */
		qsort(line->accesses.at, line->accesses.n, sizeof(*line->accesses.at),
		      compare_accesses);
		s->lines.at[n++] = *line;
	}
	s->lines.n = n;
	if (n > 1)
		qsort_r(s->lines.at, n, sizeof(*s->lines.at), compare_lines, s);
	if (s->pairs.n > 1)
		qsort_r(s->pairs.at, s->pairs.n, sizeof(*s->pairs.at), compare_pairs, s);
	if (s->data.n > 1)
		qsort_r(s->data.at, s->data.n, sizeof(*s->data.at), compare_data, s);
}

static int make(struct sharing_builder *b, const struct ms_sharing_wanted *wanted,
		struct ms_err *err)
{
	const struct ms_summary *whole = &b->sharing->whole;

	MS_TRY(choose(&whole->code, b->run->codes.n, wanted->code, wanted->n_code, &b->code,
		      wanted->remarks, err));
	MS_TRY(choose(&whole->data, b->run->data.n, wanted->data, wanted->n_data, &b->data,
		      wanted->remarks, err));
	MS_TRY(read_addresses(b, wanted, err));
	find_costs(b);
	find_lines(b);
	b->worst = ms_alloc((b->sharing->lines.n + 1) * sizeof(*b->worst));
	for (size_t i = 0; i < b->run->sharing.n; i++)
		if (b->line[b->row_line[i]])
			add_row(b, &b->run->sharing.at[i], b->row_line[i]);
	sort(b);
	ms_sharing_set_intervals(b->sharing);
	return MS_OK;
}

int ms_sharing_make(struct ms_sharing *sharing, const struct ms_run *run,
		    const struct ms_sharing_wanted *wanted, const char *latency, struct ms_err *err)
{
	struct sharing_builder b = { .sharing = sharing, .run = run };

	MS_TRY(ms_measured_refuse(run, "sharing of lines", err));
	*sharing = (struct ms_sharing){ .total = { .truly = 0 } };
	MS_TRY(ms_summary_make(&sharing->whole, run, NULL, latency, err));
	int code = make(&b, wanted, err);
	ms_free(b.code);
	ms_free(b.data);
	ms_free(b.line);
	ms_free(b.row_line);
	ms_free(b.other_cost);
	ms_free(b.exposed);
	ms_vec_free(&b.asked);
	ms_map_free(&b.line_of);
	ms_map_free(&b.data_of);
	ms_map_free(&b.access);
	ms_map_free(&b.pair_of);
	ms_map_free(&b.part_of);
	ms_vec_free(&b.parts);
	ms_free(b.worst);
	ms_map_free(&b.in_line);
	if (code != MS_OK)
		ms_sharing_free(sharing);
	return code;
}

void ms_sharing_free(struct ms_sharing *sharing)
{
	for (size_t i = 0; i < sharing->lines.n; i++)
		ms_vec_free(&sharing->lines.at[i].accesses);
	ms_vec_free(&sharing->lines);
	ms_vec_free(&sharing->data);
	ms_vec_free(&sharing->pairs);
	ms_summary_free(&sharing->whole);
}
