#include "analysis/source_lines/lines.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/summary/rounded_shares.h"
#include "analysis/summary/select.h"
#include "base/map.h"
#include "base/num.h"
#include "base/text.h"

struct lines_builder {
	struct ms_lines *lines;
	const struct ms_run *run;
	struct ms_names names; /* paths and functions, so that equal ones are equal pointers */
	struct ms_map file_of; /* path -> files */
	struct ms_map line_of; /* (file, number) -> lines */
	struct ms_map parts;   /* (line, data or code) -> index into the line's list */
	struct ms_map inlined; /* (line, function): seen */
	bool *code;            /* chosen; NULL: all */
	bool *file;            /* chosen, by index into files; NULL: all */
	uint32_t *place;       /* run's line -> lines; UNKNOWN, or OTHER when not chosen */
};

#define UNKNOWN (MS_NONE - 1)
#define OTHER   (MS_NONE - 2)
/* Keys of parts: code and data of a line share one map. */
#define CODE_PART (UINT64_C(1) << 32)

/* --- adding up --- */

static void new_counts(struct lines_builder *b, struct ms_summary_counts *counts)
{
	*counts = (struct ms_summary_counts){ .levels = ms_arena_take(
						      &b->lines->whole.arena,
						      b->run->levels.n * sizeof(*counts->levels)) };
}

static uint32_t file_at(struct lines_builder *b, const char *path)
{
	path = ms_intern(&b->names, path);
	uint32_t *slot = ms_map_at(&b->file_of, (uintptr_t)path, 0);

	if (*slot == MS_MAP_NONE) {
		struct ms_lines_file *file = ms_vec_add(&b->lines->files);

		*slot = (uint32_t)(b->lines->files.n - 1);
		file->path = path;
		new_counts(b, &file->counts);
		new_counts(b, &file->rest.counts);
	}
	return *slot;
}

static uint32_t line_at(struct lines_builder *b, uint32_t file, uint32_t number)
{
	uint32_t *slot = ms_map_at(&b->line_of, file, number);

	if (*slot == MS_MAP_NONE) {
		struct ms_lines_line *line = ms_vec_add(&b->lines->lines);

		*slot = (uint32_t)(b->lines->lines.n - 1);
		line->file = file;
		line->number = number;
		line->place = *slot;
		new_counts(b, &line->counts);
	}
	return *slot;
}

static struct ms_summary_counts *part_at(struct lines_builder *b, uint32_t line,
					 struct ms_lines_parts *parts, uint64_t key)
{
	uint32_t *slot = ms_map_at(&b->parts, line, key);

	if (*slot == MS_MAP_NONE) {
		struct ms_lines_part *part = ms_vec_add(&parts->at);

		*slot = (uint32_t)(parts->at.n - 1);
		part->of = (uint32_t)key;
		new_counts(b, &part->counts);
	}
	return &parts->at.at[*slot].counts;
}

/* The line that a place stands for; NULL: what was not asked for. */
static struct ms_lines_line *line_of(struct lines_builder *b, uint32_t place)
{
	if (place == OTHER)
		return NULL;
	return place == UNKNOWN ? &b->lines->unknown : &b->lines->lines.at[place];
}

static bool has_position(const struct ms_run_line *line)
{
	return line->file != NULL && line->line != 0;
}

static uint32_t place_of(struct lines_builder *b, const struct ms_run_line *line)
{
	if (b->code != NULL && !b->code[line->code])
		return OTHER;
	if (!has_position(line))
		return b->file != NULL ? OTHER : UNKNOWN;
	uint32_t file = file_at(b, line->file);
	return b->file != NULL && !b->file[file] ? OTHER : line_at(b, file, line->line);
}

/* Instructions, and the compute cycles that they took. */
struct line_compute {
	uint64_t instructions, cycles;
};

/* Compute time of a joined run is what was measured: add_computes(). */
static void add_executed(const struct lines_builder *b, struct ms_summary_counts *counts,
			 const struct line_compute *executed)
{
	bool measured = b->lines->whole.cost.measured;

	counts->instructions += executed->instructions;
	*(measured ? &counts->estimated.compute : &counts->compute) += executed->cycles;
}

static uint64_t without(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

static void take_executed(struct line_compute *left, const struct line_compute *taken)
{
	left->instructions = without(left->instructions, taken->instructions);
	left->cycles = without(left->cycles, taken->cycles);
}

/* Finds the place of every line of the run, and adds up its instructions. */
static void add_places(struct lines_builder *b)
{
	const bool timed = ms_run_is_timed(b->run);
	struct line_compute left = { b->run->instructions,
				     timed ? b->run->compute_cycles : b->run->instructions };

	for (size_t i = 0; i < b->run->lines.n; i++) {
		const struct ms_run_line *from = &b->run->lines.at[i];
		uint32_t place = b->place[i] = place_of(b, from);
		struct ms_lines_line *line = line_of(b, place);

		struct line_compute executed = { from->instructions,
						 timed ? from->cycles : from->instructions };

		take_executed(&left, &executed);
		if (line == NULL) {
			add_executed(b, &b->lines->other, &executed);
			continue;
		}
		add_executed(b, &line->counts, &executed);
		add_executed(b, part_at(b, place, &line->code, CODE_PART | from->code), &executed);
	}
	/* Instructions that no line of the run has. */
	add_executed(b, b->lines->by_name ? &b->lines->other : &b->lines->unknown.counts, &left);
}

/* Of a run that was only sampled, nanoseconds of computing stand for instructions. */
static void add_compute(const struct lines_builder *b, struct ms_summary_counts *counts,
			const struct ms_run_hardware_compute *c)
{
	if (ms_run_is_measured(b->run))
		counts->instructions += c->time;
	ms_summary_add_measured_compute(counts, &b->lines->whole.cost, c);
}

static void add_computes(struct lines_builder *b)
{
	bool measured = ms_run_is_measured(b->run) || b->lines->whole.cost.measured;

	for (size_t i = 0; measured && i < b->run->hardware_computes.n; i++) {
		const struct ms_run_hardware_compute *c = &b->run->hardware_computes.at[i];
		uint32_t place = b->place[c->line];
		struct ms_lines_line *line = line_of(b, place);

		if (line == NULL) {
			add_compute(b, &b->lines->other, c);
			continue;
		}
		uint64_t code = CODE_PART | b->run->lines.at[c->line].code;
		add_compute(b, &line->counts, c);
		add_compute(b, part_at(b, place, &line->code, code), c);
	}
}

static void add_cell(struct lines_builder *b, const struct ms_summary_cell_counts *counts)
{
	const struct ms_run_cell *cell = counts->cell;
	const struct ms_run_site *site = &b->run->sites.at[cell->site];
	uint32_t place = b->place[site->line];
	struct ms_lines_line *line = line_of(b, place);

	if (line == NULL) {
		ms_summary_add_cell(&b->lines->other, counts);
		return;
	}
	uint64_t code = CODE_PART | b->run->lines.at[site->line].code;
	ms_summary_add_cell(&line->counts, counts);
	ms_summary_add_cell(part_at(b, place, &line->code, code), counts);
	/* What stands for all references misses nothing. */
	if (b->run->data.at[cell->data].kind != MS_DATA_ANY || b->lines->by_references)
		ms_summary_add_cell(part_at(b, place, &line->data, cell->data), counts);
}

static void add_cells(struct lines_builder *b)
{
	struct ms_summary_rows rows = { 0, 0 };

	for (size_t i = 0; i < b->run->cells.n; i++) {
		struct ms_summary_cell_counts counts =
			ms_summary_cell_counts(b->run, &b->lines->whole.cost, i, &rows);

		add_cell(b, &counts);
	}
	assert(ms_summary_rows_end(b->run, &rows));
}

static void split(const struct ms_lines *lines, struct ms_summary_counts *counts)
{
	ms_summary_split_measured(counts, &lines->whole.total.counts, lines->whole.run->levels.n);
}

static void split_line(const struct ms_lines *lines, struct ms_lines_line *line)
{
	split(lines, &line->counts);
	for (size_t i = 0; i < line->code.at.n; i++)
		split(lines, &line->code.at.at[i].counts);
	for (size_t i = 0; i < line->data.at.n; i++)
		split(lines, &line->data.at.at[i].counts);
}

/* Of a joined run: the measured stall of each line, by the simulated causes. */
static void split_lines(struct ms_lines *lines)
{
	if (!lines->whole.cost.measured)
		return;
	for (size_t i = 0; i < lines->lines.n; i++)
		split_line(lines, &lines->lines.at[i]);
	split_line(lines, &lines->unknown);
	split(lines, &lines->other);
}

/* --- inlined code --- */

/* The real function of a chain "a (f.c:3) < b (f.c:9)": b. NULL: the chain has one link. */
static const char *outermost(struct lines_builder *b, const char *chain)
{
	const char *last = NULL;

	for (const char *at = chain; (at = strstr(at, ") < ")) != NULL; at++)
		last = at + strlen(") < ");
	if (last == NULL)
		return NULL;
	size_t n = strlen(last);
	for (size_t i = n; i-- > 1;)
		if (last[i] == '(' && last[i - 1] == ' ')
			return ms_intern_n(&b->names, last, i - 1);
	return ms_intern_n(&b->names, last, n);
}

static void add_inlined(struct lines_builder *b)
{
	for (size_t i = 0; i < b->run->sites.n; i++) {
		const struct ms_run_site *site = &b->run->sites.at[i];
		const char *own = b->run->codes.at[b->run->lines.at[site->line].code].name;
		uint32_t place = b->place[site->line];
		const char *into = site->inlined ? outermost(b, site->inlined) : NULL;

		if (into == NULL || place == OTHER || place == UNKNOWN || strcmp(into, own) == 0)
			continue;
		uint32_t *seen = ms_map_at(&b->inlined, place, (uintptr_t)into);
		if (*seen == MS_MAP_NONE) {
			*seen = 1;
			*ms_vec_add(&b->lines->lines.at[place].inlined_into) = into;
		}
	}
}

/* --- order --- */

static int compare_counts(const struct ms_lines *lines, const struct ms_summary_counts *a,
			  const struct ms_summary_counts *b)
{
	int order = ms_cmp_u64(ms_summary_rw_sum(b->stall), ms_summary_rw_sum(a->stall));

	if (order == 0 && lines->whole.run->levels.n > 0)
		order = ms_cmp_u64(ms_summary_rw_sum(b->levels[0].misses),
				   ms_summary_rw_sum(a->levels[0].misses));
	if (order == 0)
		order = ms_cmp_u64(ms_summary_rw_sum(b->references),
				   ms_summary_rw_sum(a->references));
	return order != 0 ? order : ms_cmp_u64(b->instructions, a->instructions);
}

static int compare_data(const void *a, const void *b, void *lines)
{
	const struct ms_lines_part *x = a, *y = b;
	const struct ms_lines *l = lines;
	int order = compare_counts(l, &x->counts, &y->counts);
	const struct ms_run *run = l->whole.run;

	return order != 0 ? order : strcmp(run->data.at[x->of].name, run->data.at[y->of].name);
}

static int compare_code(const void *a, const void *b, void *lines)
{
	const struct ms_lines_part *x = a, *y = b;
	const struct ms_lines *l = lines;
	const struct ms_run_code *codes = l->whole.run->codes.at;
	int order = compare_counts(l, &x->counts, &y->counts);

	if (order == 0)
		order = strcmp(codes[x->of].name, codes[y->of].name);
	return order != 0 ? order : ms_cmp_u64(x->of, y->of);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_files(const void *a, const void *b, void *lines)
{
	const struct ms_lines_file *const *x = a, *const *y = b;
	int order = compare_counts(lines, &(*x)->counts, &(*y)->counts);

	return order != 0 ? order : strcmp((*x)->path, (*y)->path);
}

static int compare_lines(const void *a, const void *b)
{
	const struct ms_lines_line *x = a, *y = b;
	int order = ms_cmp_u64(x->file, y->file);

	return order != 0 ? order : ms_cmp_u64(x->number, y->number);
}

static void sort(void *at, size_t n, size_t size,
		 int (*compare)(const void *, const void *, void *), struct ms_lines *lines)
{
	if (n > 1)
		qsort_r(at, n, size, compare, lines);
}

static void sort_parts(struct ms_lines *lines, struct ms_lines_line *line)
{
	sort(line->data.at.at, line->data.at.n, sizeof(struct ms_lines_part), compare_data, lines);
	sort(line->code.at.at, line->code.at.n, sizeof(struct ms_lines_part), compare_code, lines);
	if (line->inlined_into.n > 1)
		qsort(line->inlined_into.at, line->inlined_into.n, sizeof(const char *),
		      compare_names);
}

/* Puts the files in order and drops those that have no lines here. */
static void sort_files(struct ms_lines *lines)
{
	size_t n = lines->files.n, kept = 0;
	struct ms_lines_file **order = ms_alloc((n + 1) * sizeof(*order));
	struct ms_lines_file *sorted = ms_alloc((n + 1) * sizeof(*sorted));
	uint32_t *rank = ms_alloc((n + 1) * sizeof(*rank));

	for (size_t i = 0; i < n; i++)
		order[i] = &lines->files.at[i];
	sort(order, n, sizeof(struct ms_lines_file *), compare_files, lines);
	for (size_t i = 0; i < n; i++) {
		if (order[i]->n == 0)
			continue;
		rank[order[i] - lines->files.at] = (uint32_t)kept;
		sorted[kept++] = *order[i];
	}
	for (size_t i = 0; i < lines->lines.n; i++)
		lines->lines.at[i].file = rank[lines->lines.at[i].file];
	if (kept > 0)
		memcpy(lines->files.at, sorted, kept * sizeof(*sorted));
	lines->files.n = kept;
	ms_free(order);
	ms_free(sorted);
	ms_free(rank);
}

/* Adds up the files, then puts everything in its order. */
static void arrange(struct ms_lines *lines)
{
	const struct ms_run *run = lines->whole.run;

	split_lines(lines);
	for (size_t i = 0; i < lines->lines.n; i++) {
		struct ms_lines_line *line = &lines->lines.at[i];
		struct ms_lines_file *file = &lines->files.at[line->file];

		ms_summary_add_counts(&file->counts, &line->counts, run->levels.n);
		file->n++;
		sort_parts(lines, line);
	}
	sort_parts(lines, &lines->unknown);
	sort_files(lines);
	if (lines->lines.n > 1)
		qsort(lines->lines.at, lines->lines.n, sizeof(struct ms_lines_line), compare_lines);
	for (size_t i = 0, at = 0; i < lines->files.n; i++) {
		const struct ms_lines_line *best = &lines->lines.at[at];
		size_t end = at + lines->files.at[i].n;

		lines->files.at[i].first = at;
		for (; at < end; at++)
			if (compare_counts(lines, &lines->lines.at[at].counts, &best->counts) < 0)
				best = &lines->lines.at[at];
		lines->files.at[i].module = run->codes.at[best->code.at.at[0].of].module;
	}
}

/* --- which files a user means --- */

typedef bool match_function(const char *path, const char *wanted);

static bool is_exactly(const char *path, const char *wanted)
{
	return strcmp(path, wanted) == 0;
}

/* "a.c" and "src/a.c" of "/home/u/src/a.c". */
static bool is_tail(const char *path, const char *wanted)
{
	size_t n = strlen(path), k = strlen(wanted);

	return k > 0 && n > k && strcmp(path + n - k, wanted) == 0 && path[n - k - 1] == '/';
}

static bool is_like(const char *path, const char *wanted)
{
	if (strpbrk(wanted, "*?[") == NULL)
		return false;
	for (const char *at = path; *at != '\0'; at++)
		if ((at == path || at[-1] == '/') && fnmatch(wanted, at, 0) == 0)
			return true;
	return false;
}

static bool is_part(const char *path, const char *wanted)
{
	return wanted[0] != '\0' && strstr(path, wanted) != NULL;
}

static size_t count_files(const struct ms_lines *lines, match_function *match, const char *wanted)
{
	size_t n = 0;

	for (size_t i = 0; i < lines->files.n; i++)
		n += match == NULL || match(lines->files.at[i].path, wanted);
	return n;
}

static int refuse_file(const struct ms_lines *lines, const char *wanted, struct ms_err *err)
{
	enum { LISTED = 6 };
	match_function *match = count_files(lines, is_part, wanted) > 1 ? is_part : NULL;
	size_t n = 0, all = count_files(lines, match, wanted);
	struct ms_text paths = MS_TEXT_INIT;
	int code;

	for (size_t i = 0; i < lines->files.n && n < LISTED; i++)
		if (match == NULL || match(lines->files.at[i].path, wanted))
			ms_text_addf(&paths, "%s%.150s", n++ > 0 ? ", " : "",
				     lines->files.at[i].path);
	if (all > n)
		ms_text_addf(&paths, " and %zu more", all - n);
	if (match != NULL)
		code = ms_fail(err, MS_EUSAGE,
			       "\"%s\" is part of the paths of several files: %s; say which, or "
			       "\"*%s*\" for all",
			       wanted, paths.at, wanted);
	else if (all > 0)
		code = ms_fail(err, MS_ENOENT,
			       "there is no source file \"%s\" in this run; there are %s", wanted,
			       paths.at);
	else
		code = ms_fail(err, MS_ENOENT,
			       "there is no source file \"%s\" in this run, nor any other: build "
			       "the program with -g",
			       wanted);
	ms_text_free(&paths);
	return code;
}

static int choose_file(struct lines_builder *b, const char *wanted, struct ms_err *err)
{
	static match_function *const matchers[] = { is_exactly, is_tail, is_like, is_part };
	const struct ms_lines *lines = b->lines;

	for (size_t w = 0; w < MS_COUNT(matchers); w++) {
		size_t n = count_files(lines, matchers[w], wanted);

		if (n == 0 || (matchers[w] == is_part && n > 1))
			continue;
		for (size_t i = 0; i < lines->files.n; i++)
			if (matchers[w](lines->files.at[i].path, wanted))
				b->file[i] = true;
		return MS_OK;
	}
	return refuse_file(lines, wanted, err);
}

static int choose(struct lines_builder *b, const struct ms_lines_wanted *wanted, struct ms_err *err)
{
	const struct ms_run *run = b->run;

	if (wanted->n_code > 0) {
		b->code = ms_alloc(run->codes.n * sizeof(*b->code));
		MS_TRY(ms_summary_select(&b->lines->whole.code, wanted->code, wanted->n_code,
					 b->code, wanted->remarks, err));
	}
	for (size_t i = 0; i < run->lines.n; i++)
		if (has_position(&run->lines.at[i]))
			file_at(b, run->lines.at[i].file);
	if (wanted->n_file > 0)
		b->file = ms_alloc((b->lines->files.n + 1) * sizeof(*b->file));
	for (size_t i = 0; i < wanted->n_file; i++)
		MS_TRY(choose_file(b, wanted->file[i], err));
	b->lines->files_by_name = wanted->n_file > 0;
	b->lines->by_name = wanted->n_file + wanted->n_code > 0;
	return MS_OK;
}

int ms_lines_make(struct ms_lines *lines, const struct ms_run *run,
		  const struct ms_lines_wanted *wanted, const char *latency, struct ms_err *err)
{
	struct lines_builder b = { .lines = lines, .run = run };

	*lines = (struct ms_lines){ .by_name = false };
	MS_TRY(ms_summary_make(&lines->whole, run, NULL, latency, err));
	lines->by_references = ms_summary_rw_sum(lines->whole.total.counts.stall) == 0;
	lines->unknown.file = MS_NONE;
	new_counts(&b, &lines->unknown.counts);
	new_counts(&b, &lines->other);
	new_counts(&b, &lines->rest.counts);
	b.place = ms_arena_take(&lines->whole.arena, (run->lines.n + 1) * sizeof(*b.place));
	lines->places = b.place;
	int code = choose(&b, wanted, err);
	if (code == MS_OK) {
		add_places(&b);
		add_computes(&b);
		add_cells(&b);
		add_inlined(&b);
		arrange(lines);
	}
	ms_arena_join(&lines->whole.arena, &b.names.arena);
	ms_free(b.names.slots);
	ms_map_free(&b.file_of);
	ms_map_free(&b.line_of);
	ms_map_free(&b.parts);
	ms_map_free(&b.inlined);
	ms_free(b.code);
	ms_free(b.file);
	if (code != MS_OK)
		ms_lines_free(lines);
	return code;
}

static void free_line(struct ms_lines_line *line)
{
	ms_vec_free(&line->code.at);
	ms_vec_free(&line->data.at);
	ms_vec_free(&line->inlined_into);
}

void ms_lines_free(struct ms_lines *lines)
{
	for (size_t i = 0; i < lines->lines.n; i++)
		free_line(&lines->lines.at[i]);
	free_line(&lines->unknown);
	ms_vec_free(&lines->lines);
	ms_vec_free(&lines->files);
	ms_summary_free(&lines->whole);
}
