#include "run/merge_runs.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "run/fields.h"
#include "run/key.h"
#include "run/merge_head.h"
#include "run/regroup.h"

/* What a key is of; numbers of pairs begin after these. */
enum key_kind { CODE, LINE, SITE, DATA, CELL, PHASE, PATH, BIN, NAME, KINDS = 16 };

/* Rows are added up when there are twice as many as after the last time, and at least so many. */
enum { FOLD_LEAST = 1 << 18 };

/* New indices of the elements of the run that is being added. */
struct index_maps {
	uint32_t *codes, *lines, *sites, *data, *cells, *phases, *paths;
};

struct ms_run_merger {
	struct ms_run run;
	struct ms_names names;  /* owns all strings */
	struct ms_map pairs;    /* of keys, which are pairs of pairs */
	struct ms_map elements; /* key -> index */
	size_t count;
	size_t rows;   /* in the arrays of `added`, now ... */
	size_t folded; /* ... and after they were last added up */
};

/* Arrays whose rows are appended, and added up. */
#define ARRAY(name) offsetof(struct ms_run, name)
static const size_t added[] = {
	ARRAY(untraced),          ARRAY(misses),           ARRAY(replaced),
	ARRAY(evictions),         ARRAY(path_misses),      ARRAY(line_uses),
	ARRAY(strides),           ARRAY(curves),           ARRAY(reuses),
	ARRAY(member_accesses),   ARRAY(member_pairs),     ARRAY(address_ranges),
	ARRAY(set_misses),        ARRAY(line_times),       ARRAY(phase_misses),
	ARRAY(sampled_levels),    ARRAY(sampled_lives),    ARRAY(sampled_references),
	ARRAY(sampled_misses),    ARRAY(hardware_samples), ARRAY(hardware_latencies),
	ARRAY(hardware_computes), ARRAY(hardware_losses),
};

struct ms_run_merger *ms_run_merger_new(void)
{
	return ms_alloc(sizeof(struct ms_run_merger));
}

size_t ms_run_merger_count(const struct ms_run_merger *merger)
{
	return merger->count;
}

/* --- keys --- */

static const char *own(struct ms_run_merger *m, const char *text)
{
	return text != NULL ? ms_intern(&m->names, text) : NULL;
}

static uint64_t pair(struct ms_run_merger *m, uint64_t a, uint64_t b)
{
	uint32_t *number = ms_map_at(&m->pairs, a, b);

	if (*number == MS_MAP_NONE)
		*number = (uint32_t)m->pairs.n + KINDS;
	return *number;
}

static uint64_t pair_text(struct ms_run_merger *m, uint64_t a, const char *text)
{
	return pair(m, a, (uint64_t)(uintptr_t)own(m, text));
}

/* The index of the element with this key; *is_new: it becomes the n-th. */
static uint32_t find(struct ms_run_merger *m, uint64_t key, size_t n, bool *is_new)
{
	uint32_t *index = ms_map_at(&m->elements, key, 0);

	*is_new = *index == MS_MAP_NONE;
	if (*is_new)
		*index = (uint32_t)n;
	return *index;
}

static const char *program_of(const struct ms_run *run)
{
	return run->build_id != NULL ? run->build_id : ms_base_name(run->program);
}

static const char *module_of(const struct ms_run *run, const char *module)
{
	const char *name = ms_base_name(module);

	return run->build_id != NULL && strcmp(name, ms_base_name(run->program)) == 0
		       ? run->build_id
		       : name;
}

/* --- elements with a key --- */

static void merge_codes(struct ms_run_merger *m, const struct ms_run *from, uint32_t *to)
{
	for (size_t i = 0; i < from->codes.n; i++) {
		const struct ms_run_code *c = &from->codes.at[i];
		uint64_t key = pair_text(m, CODE, module_of(from, c->module));
		bool is_new;

		key = pair(m, pair_text(m, key, c->name), c->offset);
		to[i] = find(m, key, m->run.codes.n, &is_new);
		if (!is_new)
			continue;
		struct ms_run_code *added_code = ms_vec_add(&m->run.codes);

		*added_code = *c;
		added_code->name = own(m, c->name);
		added_code->module = own(m, c->module);
		added_code->file = own(m, c->file);
	}
}

static void merge_lines(struct ms_run_merger *m, const struct ms_run *from,
			const struct index_maps *maps, uint32_t *to)
{
	for (size_t i = 0; i < from->lines.n; i++) {
		const struct ms_run_line *l = &from->lines.at[i];
		uint64_t key = pair_text(m, pair(m, LINE, maps->codes[l->code]), l->file);
		bool is_new;

		to[i] = find(m, pair(m, key, l->line), m->run.lines.n, &is_new);
		if (is_new)
			*ms_vec_add(&m->run.lines) =
				(struct ms_run_line){ maps->codes[l->code], own(m, l->file),
						      l->line, 0, 0 };
		m->run.lines.at[to[i]].instructions += l->instructions;
		m->run.lines.at[to[i]].cycles += l->cycles;
	}
}

static void merge_sites(struct ms_run_merger *m, const struct ms_run *from,
			const struct index_maps *maps, uint32_t *to)
{
	for (size_t i = 0; i < from->sites.n; i++) {
		const struct ms_run_site *s = &from->sites.at[i];
		uint64_t key = pair(m, SITE, maps->lines[s->line]);
		bool is_new;

		key = pair(m, pair(m, key, (uint64_t)s->kind << 32 | s->size), s->offset);
		key = pair_text(m, key, s->inlined);
		to[i] = find(m, key, m->run.sites.n, &is_new);
		if (is_new)
			*ms_vec_add(&m->run.sites) =
				(struct ms_run_site){ maps->lines[s->line], s->kind, s->size,
						      s->offset, own(m, s->inlined) };
	}
}

/* Names of data are unique within a run; data of another program gets that program's name. */
static const char *make_name(struct ms_run_merger *m, const struct ms_run *from, const char *name)
{
	const char *program = ms_base_name(from->program);
	struct ms_text text = MS_TEXT_INIT;
	const char *unique = own(m, name);
	bool is_new;

	find(m, pair_text(m, NAME, unique), 0, &is_new);
	for (unsigned i = 1; !is_new; i++) {
		ms_text_clear(&text);
		ms_text_addf(&text, i == 1 ? "%s [%s]" : "%s [%s, %u]", name, program, i);
		unique = own(m, text.at);
		find(m, pair_text(m, NAME, unique), 0, &is_new);
	}
	ms_text_free(&text);
	return unique;
}

static void add_data(struct ms_run_merger *m, const struct ms_run *from,
		     const struct ms_run_data *d)
{
	struct ms_run_data *made = ms_vec_add(&m->run.data);

	made->name = make_name(m, from, d->name);
	made->full_name = own(m, d->full_name);
	made->type = own(m, d->type);
	made->reason = own(m, d->reason);
	made->kind = d->kind;
}

static void sum_data(struct ms_run_data *to, const struct ms_run_data *from)
{
	to->objects += from->objects;
	to->bytes += from->bytes;
	to->peak_bytes += from->peak_bytes;
	if (from->largest > to->largest)
		to->largest = from->largest;
	if (from->paths > to->paths)
		to->paths = from->paths;
}

static const struct ms_run_table *table_of(size_t array)
{
	const struct ms_run_table *s = ms_run_tables;

	while (s->array != array)
		s++;
	return s;
}

static const uint32_t *map_of(const struct index_maps *maps, size_t target)
{
	return target == ARRAY(codes)    ? maps->codes
	       : target == ARRAY(lines)  ? maps->lines
	       : target == ARRAY(sites)  ? maps->sites
	       : target == ARRAY(data)   ? maps->data
	       : target == ARRAY(cells)  ? maps->cells
	       : target == ARRAY(phases) ? maps->phases
	       : target == ARRAY(paths)  ? maps->paths
					 : NULL;
}

/* Indices become those of the sums, and strings those that the merger owns. */
static void translate(struct ms_run_merger *m, const struct ms_run_field *f,
		      const struct index_maps *maps, char *at)
{
	if (f->kind == MS_FIELD_INDEX || f->kind == MS_FIELD_MAYBE_INDEX) {
		const uint32_t *map = map_of(maps, f->target);
		uint32_t value;

		memcpy(&value, at, sizeof(value));
		if (map != NULL && value != MS_NONE)
			memcpy(at, &map[value], sizeof(value));
	} else if (f->kind == MS_FIELD_TEXT || f->kind == MS_FIELD_MAYBE_TEXT ||
		   f->kind == MS_FIELD_STRING || f->kind == MS_FIELD_MAYBE_STRING) {
		const char *text;

		memcpy(&text, at, sizeof(text));
		text = own(m, text);
		memcpy(at, &text, sizeof(text));
	}
}

/* Appends rows of an array; wanted: those whose first field is an element that is new; NULL: all.
 */
static void append_rows(struct ms_run_merger *m, const struct ms_run *from,
			const struct ms_run_table *s, const struct index_maps *maps,
			const bool *wanted)
{
	struct ms_run_any_vec rows = ms_run_vec(from, s->array), to = ms_run_vec(&m->run, s->array);

	ms_vec_reserve_((void **)&to.at, to.n, &to.cap, rows.n, s->size);
	for (size_t i = 0; i < rows.n; i++) {
		const char *row = rows.at + i * s->size;
		char *made = to.at + to.n * s->size;
		uint32_t first;

		memcpy(&first, row + s->fields[0].offset, sizeof(first));
		if (wanted != NULL && !wanted[first])
			continue;
		memcpy(made, row, s->size);
		for (const struct ms_run_field *f = s->fields; f->column != NULL; f++)
			translate(m, f, maps, made + f->offset);
		to.n++;
	}
	memcpy((char *)&m->run + s->array, &to, sizeof(to));
}

/* Call paths and members of data are those of the first run that has it. */
static void merge_data(struct ms_run_merger *m, const struct ms_run *from,
		       const struct index_maps *maps, uint32_t *to)
{
	bool *is_new = ms_alloc((from->data.n + 1) * sizeof(*is_new));
	uint64_t program = pair_text(m, DATA, program_of(from));
	struct ms_run_keys keys;

	ms_run_keys_make(&keys, from);
	for (size_t i = 0; i < from->data.n; i++) {
		uint64_t key = pair_text(m, program, keys.at[i]);

		to[i] = find(m, key, m->run.data.n, &is_new[i]);
		if (is_new[i])
			add_data(m, from, &from->data.at[i]);
		sum_data(&m->run.data.at[to[i]], &from->data.at[i]);
	}
	append_rows(m, from, table_of(ARRAY(frames)), maps, is_new);
	append_rows(m, from, table_of(ARRAY(members)), maps, is_new);
	ms_run_keys_free(&keys);
	ms_free(is_new);
}

static void sum_cell(struct ms_run_cell *to, const struct ms_run_cell *from)
{
	to->references += from->references;
	to->upgrades += from->upgrades;
	to->walks += from->walks;
	to->exposed_walks += from->exposed_walks;
	to->waited_bytes += from->waited_bytes;
	for (int i = 0; i < MS_RUN_DEPENDENCES; i++)
		to->dependences[i] += from->dependences[i];
}

static void merge_cells(struct ms_run_merger *m, const struct ms_run *from,
			const struct index_maps *maps, uint32_t *to)
{
	for (size_t i = 0; i < from->cells.n; i++) {
		const struct ms_run_cell *c = &from->cells.at[i];
		uint32_t site = maps->sites[c->site], data = maps->data[c->data];
		uint64_t key = pair(m, pair(m, CELL, (uint64_t)site << 32 | data), c->processor);
		bool is_new;

		to[i] = find(m, key, m->run.cells.n, &is_new);
		if (is_new)
			*ms_vec_add(&m->run.cells) = (struct ms_run_cell){
				.site = site, .data = data, .processor = c->processor
			};
		sum_cell(&m->run.cells.at[to[i]], c);
	}
}

static void merge_phases(struct ms_run_merger *m, const struct ms_run *from, uint32_t *to)
{
	for (size_t i = 0; i < from->phases.n; i++) {
		const struct ms_run_phase *p = &from->phases.at[i];
		bool is_new;

		to[i] = find(m, pair_text(m, PHASE, p->name), m->run.phases.n, &is_new);
		if (is_new)
			*ms_vec_add(&m->run.phases) =
				(struct ms_run_phase){ .name = own(m, p->name) };
		m->run.phases.at[to[i]].times += p->times;
		m->run.phases.at[to[i]].references += p->references;
	}
}

static void merge_paths(struct ms_run_merger *m, const struct ms_run *from,
			const struct index_maps *maps, uint32_t *to)
{
	for (size_t i = 0; i < from->paths.n; i++) {
		struct ms_run_path p = from->paths.at[i];
		bool is_new;

		p.parent = p.parent != MS_NONE ? to[p.parent] : MS_NONE;
		p.line = p.line != MS_NONE ? maps->lines[p.line] : MS_NONE;
		uint64_t key = pair(m, pair(m, PATH, p.kind), (uint64_t)p.parent << 32 | p.line);
		to[i] = find(m, key, m->run.paths.n, &is_new);
		if (is_new)
			*ms_vec_add(&m->run.paths) = p;
	}
}

/* --- how ranks differ --- */

static void sum_bin(struct ms_run_rank_bin *to, const struct ms_run_rank_bin *from)
{
	if (to->ranks == 0 || from->least < to->least ||
	    (from->least == to->least && from->least_rank < to->least_rank)) {
		to->least = from->least;
		to->least_rank = from->least_rank;
	}
	if (to->ranks == 0 || from->most > to->most ||
	    (from->most == to->most && from->most_rank < to->most_rank)) {
		to->most = from->most;
		to->most_rank = from->most_rank;
	}
	to->ranks += from->ranks;
	to->sum += from->sum;
	to->squares += from->squares;
}

static void merge_bins(struct ms_run_merger *m, const struct ms_run *from,
		       const struct index_maps *maps)
{
	for (size_t i = 0; i < from->rank_bins.n; i++) {
		const struct ms_run_rank_bin *b = &from->rank_bins.at[i];
		uint32_t code = maps->codes[b->code], data = maps->data[b->data];
		bool is_new;
		uint32_t at = find(m, pair(m, BIN, (uint64_t)code << 32 | data), m->run.rank_bins.n,
				   &is_new);

		if (is_new)
			*ms_vec_add(&m->run.rank_bins) =
				(struct ms_run_rank_bin){ .code = code, .data = data };
		sum_bin(&m->run.rank_bins.at[at], b);
	}
}

void ms_run_merger_add_ranks(struct ms_run_merger *m, const struct ms_run *run)
{
	const struct index_maps none = { NULL };

	append_rows(m, run, table_of(ARRAY(rank_rows)), &none, NULL);
}

/* --- the whole --- */

const char *ms_run_merger_refuses(const struct ms_run_merger *merger, const struct ms_run *run)
{
	return merger->count > 0 ? ms_run_why_not_merged(&merger->run, run) : NULL;
}

static void take_head(struct ms_run_merger *m, const struct ms_run *from)
{
	for (const struct ms_run_field *f = ms_run_fields; f->column != NULL; f++) {
		const struct index_maps none = { NULL };
		size_t size = f->kind == MS_FIELD_U32 || f->kind == MS_FIELD_INT ||
					      f->kind == MS_FIELD_WORD
				      ? 4
				      : 8;
		char *at = (char *)&m->run + f->offset;

		memcpy(at, (const char *)from + f->offset, size);
		translate(m, f, &none, at);
	}
	static const size_t first[] = { ARRAY(argv), ARRAY(environment), ARRAY(levels),
					ARRAY(samplings), ARRAY(hardware) };
	const struct index_maps none = { NULL };

	for (size_t i = 0; i < MS_COUNT(first); i++)
		append_rows(m, from, table_of(first[i]), &none, NULL);
	m->run.uid = m->run.tag = m->run.note = NULL;
	m->run.slice_steps = m->run.seed = 0;
	m->run.parent = 0;
	m->run.relation = MS_RELATION_NONE;
	if (m->run.samplings.n > 1) /* the strata of the others are others */
		m->run.samplings.n = 1;
}

static void sum_head(struct ms_run_merger *m, const struct ms_run *from)
{
	if (strcmp(from->started, m->run.started) < 0)
		m->run.started = own(m, from->started);
	ms_run_sum_head(&m->run, from, m->count);
}

/* Windows of all ranks are counted in as many parts as those of the first. */
static void limit_parts(struct ms_run *run)
{
	uint32_t parts = run->samplings.n > 0 ? run->samplings.at[0].parts : 1;

	for (size_t i = 0; i < run->sampled_references.n; i++)
		run->sampled_references.at[i].part %= parts;
	for (size_t i = 0; i < run->sampled_misses.n; i++)
		run->sampled_misses.at[i].part %= parts;
}

static void fold(struct ms_run_merger *m)
{
	limit_parts(&m->run);
	m->rows = 0;
	for (size_t i = 0; i < MS_COUNT(added); i++) {
		ms_run_sum_rows(&m->run, table_of(added[i]), NULL);
		m->rows += ms_run_vec(&m->run, added[i]).n;
	}
	m->folded = m->rows;
}

static uint32_t *new_map(size_t n)
{
	return ms_alloc((n + 1) * sizeof(uint32_t));
}

static void free_maps(struct index_maps *maps)
{
	ms_free(maps->codes);
	ms_free(maps->lines);
	ms_free(maps->sites);
	ms_free(maps->data);
	ms_free(maps->cells);
	ms_free(maps->phases);
	ms_free(maps->paths);
}

void ms_run_merger_add(struct ms_run_merger *m, const struct ms_run *from)
{
	struct index_maps maps = { new_map(from->codes.n), new_map(from->lines.n),
				   new_map(from->sites.n), new_map(from->data.n),
				   new_map(from->cells.n), new_map(from->phases.n),
				   new_map(from->paths.n) };

	if (m->count == 0)
		take_head(m, from);
	else
		sum_head(m, from);
	m->count++;
	merge_codes(m, from, maps.codes);
	merge_lines(m, from, &maps, maps.lines);
	merge_sites(m, from, &maps, maps.sites);
	merge_data(m, from, &maps, maps.data);
	merge_cells(m, from, &maps, maps.cells);
	merge_phases(m, from, maps.phases);
	merge_paths(m, from, &maps, maps.paths);
	for (size_t i = 0; i < MS_COUNT(added); i++) {
		append_rows(m, from, table_of(added[i]), &maps, NULL);
		m->rows += ms_run_vec(from, added[i]).n;
	}
	merge_bins(m, from, &maps);
	append_rows(m, from, table_of(ARRAY(rank_rows)), &maps, NULL);
	append_rows(m, from, table_of(ARRAY(rank_data)), &maps, NULL);
	free_maps(&maps);
	if (m->rows > FOLD_LEAST && m->rows > 2 * m->folded)
		fold(m);
}

/* A phase has a figure for each level, also where a run has none of the phase. */
static void complete_phases(struct ms_run *run)
{
	size_t levels = ms_run_is_measured(run) ? MS_PHASE_FIGURES : run->levels.n;

	for (uint32_t phase = 0; phase < run->phases.n; phase++)
		for (uint32_t level = 0; level < levels; level++)
			*ms_vec_add(&run->phase_misses) =
				(struct ms_run_phase_miss){ phase, level, 0 };
}

/* Sorts cells, and what refers to them, as in other runs. */
static void sort_cells(struct ms_run *run)
{
	uint32_t *self = new_map(run->data.n);

	for (uint32_t i = 0; i < run->data.n; i++)
		self[i] = i;
	ms_run_regroup(run, &(struct ms_run_groups){ .data = self, .keep_frames = true });
	ms_free(self);
}

void ms_run_merger_finish(struct ms_run_merger *m, struct ms_run *run)
{
	complete_phases(&m->run);
	fold(m);
	sort_cells(&m->run);
	ms_run_sum_rows(&m->run, table_of(ARRAY(rank_rows)), NULL);
	ms_run_sum_rows(&m->run, table_of(ARRAY(rank_data)), NULL);
	*run = m->run;
	ms_arena_join(&run->arena, &m->names.arena);
	ms_names_free(&m->names);
	ms_map_free(&m->pairs);
	ms_map_free(&m->elements);
	ms_free(m);
}
