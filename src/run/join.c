#include "run/join.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "run/enum_words.h"
#include "run/key.h"
#include "run/merge_samples.h"

/* Where what the samples name is in the joined run. */
struct joining {
	struct ms_run *to;
	const struct ms_run *from;
	struct ms_names names;
	struct ms_map codes; /* name, module -> code */
	struct ms_map lines; /* code, position -> line */
	struct ms_map sites; /* module, offset and kind -> site */
	struct ms_map data;  /* key, kind -> data */
	struct ms_map cells; /* site, data -> cell */
	uint32_t *data_of;   /* of each data of the measured run; MS_NONE: not looked up yet */
	struct ms_run_keys from_keys;
};

static const char *own(struct joining *j, const char *text)
{
	return text != NULL ? ms_arena_strdup(&j->to->arena, text) : NULL;
}

/* --- code, lines, sites --- */

static uint32_t *code_slot(struct joining *j, const struct ms_run_code *code)
{
	const char *name = ms_intern(&j->names, code->name);
	const char *module = ms_intern(&j->names, ms_base_name(code->module));

	return ms_map_at(&j->codes, (uintptr_t)name, (uintptr_t)module);
}

static uint32_t code_of(struct joining *j, uint32_t from)
{
	const struct ms_run_code *code = &j->from->codes.at[from];
	uint32_t *slot = code_slot(j, code);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)j->to->codes.n;
		*ms_vec_add(&j->to->codes) =
			(struct ms_run_code){ own(j, code->name), own(j, code->module),
					      own(j, code->file), code->line, code->offset };
	}
	return *slot;
}

/* Folders are left out: they are those of one build, but may be relative in one of the runs. */
static uint32_t *line_slot(struct joining *j, uint32_t code, const struct ms_run_line *line)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_text_addf(&text, "%s:%" PRIu32, line->file != NULL ? ms_base_name(line->file) : "",
		     line->line);
	const char *position = ms_intern(&j->names, text.at);
	ms_text_free(&text);
	return ms_map_at(&j->lines, code, (uintptr_t)position);
}

static uint32_t line_of(struct joining *j, uint32_t from)
{
	const struct ms_run_line *line = &j->from->lines.at[from];
	uint32_t code = code_of(j, line->code);
	uint32_t *slot = line_slot(j, code, line);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)j->to->lines.n;
		*ms_vec_add(&j->to->lines) = (struct ms_run_line){ .code = code,
								   .file = own(j, line->file),
								   .line = line->line };
	}
	return *slot;
}

enum { ANY_KIND = 7 }; /* beside enum ms_run_site_kind, in three bits */

static uint32_t *site_slot(struct joining *j, const struct ms_run *run,
			   const struct ms_run_site *site, uint32_t kind)
{
	const char *module = run->codes.at[run->lines.at[site->line].code].module;

	return ms_map_at(&j->sites, (uintptr_t)ms_intern(&j->names, ms_base_name(module)),
			 site->offset << 3 | kind);
}

/* An instruction may read and write: the half of the same kind, else the first one. */
static uint32_t site_of(struct joining *j, uint32_t from)
{
	const struct ms_run_site *site = &j->from->sites.at[from];
	uint32_t same = *site_slot(j, j->from, site, site->kind);

	if (same != MS_MAP_NONE)
		return same;
	uint32_t any = *site_slot(j, j->from, site, ANY_KIND);

	if (any != MS_MAP_NONE)
		return any;
	uint32_t new = (uint32_t)j->to->sites.n;
	struct ms_run_site copy = { line_of(j, site->line), site->kind, site->size, site->offset,
				    own(j, site->inlined) };

	*ms_vec_add(&j->to->sites) = copy;
	*site_slot(j, j->from, site, site->kind) = new;
	*site_slot(j, j->from, site, ANY_KIND) = new;
	return new;
}

/* --- data --- */

/* Data without a name of its own is distinguished by the reason why it has none. */
static uint32_t *data_slot(struct joining *j, const struct ms_run_data *data, const char *key)
{
	const char *reason = data->kind == MS_DATA_UNKNOWN && data->reason ? data->reason : "";
	struct ms_text text = MS_TEXT_INIT;

	ms_text_addf(&text, "%s\n%s", key, reason);
	const char *name = ms_intern(&j->names, text.at);
	ms_text_free(&text);
	return ms_map_at(&j->data, (uintptr_t)name, data->kind);
}

static bool is_name_used(const struct ms_run *run, const char *name)
{
	for (size_t i = 0; i < run->data.n; i++)
		if (strcmp(run->data.at[i].name, name) == 0)
			return true;
	return false;
}

/* Names are unique in a run: "list", "list#2". */
static const char *free_name(struct joining *j, const char *name)
{
	const char *unique = own(j, name);

	for (unsigned n = 2; is_name_used(j->to, unique); n++)
		unique = ms_arena_printf(&j->to->arena, "%s#%u", name, n);
	return unique;
}

static void copy_frames(struct joining *j, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < j->from->frames.n; i++) {
		struct ms_run_frame f = j->from->frames.at[i];

		if (f.data != from)
			continue;
		*ms_vec_add(&j->to->frames) = (struct ms_run_frame){ to,
								     f.depth,
								     own(j, f.function),
								     own(j, f.file),
								     f.line,
								     own(j, f.module),
								     f.offset };
	}
}

/* Of a data structure that was not simulated; rows of frames are sorted by data, and it is last. */
static uint32_t add_data(struct joining *j, uint32_t from)
{
	struct ms_run_data data = j->from->data.at[from];
	uint32_t at = (uint32_t)j->to->data.n;

	data.name = free_name(j, data.name);
	data.full_name = own(j, data.full_name);
	data.type = own(j, data.type);
	data.reason = own(j, data.reason);
	data.key = NULL;
	*ms_vec_add(&j->to->data) = data;
	copy_frames(j, from, at);
	return at;
}

/* A sampled run may know less of an allocation: the same name and kind will do. */
static uint32_t find_named(const struct ms_run *run, const struct ms_run_data *data)
{
	for (uint32_t i = 0; i < run->data.n; i++)
		if (run->data.at[i].kind == data->kind && data->kind != MS_DATA_UNKNOWN &&
		    strcmp(run->data.at[i].name, data->name) == 0)
			return i;
	return MS_NONE;
}

static uint32_t data_of(struct joining *j, uint32_t from)
{
	const struct ms_run_data *data = &j->from->data.at[from];

	if (j->data_of[from] != MS_NONE)
		return j->data_of[from];
	uint32_t to = *data_slot(j, data, j->from_keys.at[from]);

	if (to == MS_MAP_NONE)
		to = find_named(j->to, data);
	if (to == MS_NONE)
		to = add_data(j, from);
	j->data_of[from] = to;
	return to;
}

/* --- samples --- */

static uint32_t cell_of(struct joining *j, const struct ms_run_cell *from)
{
	uint32_t site = site_of(j, from->site), data = data_of(j, from->data);
	uint32_t *slot = ms_map_at(&j->cells, site, data);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)j->to->cells.n;
		*ms_vec_add(&j->to->cells) = (struct ms_run_cell){ .site = site, .data = data };
	}
	return *slot;
}

static void add_samples(struct joining *j)
{
	for (size_t i = 0; i < j->from->hardware_samples.n; i++) {
		struct ms_run_hardware_sample s = j->from->hardware_samples.at[i];

		s.cell = cell_of(j, &j->from->cells.at[s.cell]);
		*ms_vec_add(&j->to->hardware_samples) = s;
	}
	ms_run_merge_samples(j->to);
}

static void add_computes(struct joining *j)
{
	for (size_t i = 0; i < j->from->hardware_computes.n; i++) {
		struct ms_run_hardware_compute c = j->from->hardware_computes.at[i];

		c.line = line_of(j, c.line);
		*ms_vec_add(&j->to->hardware_computes) = c;
	}
	ms_run_merge_computes(j->to);
}

static void add_head(struct joining *j)
{
	struct ms_run_hardware h = j->from->hardware.at[0];

	h.event = own(j, h.event);
	*ms_vec_add(&j->to->hardware) = h;
	for (size_t i = 0; i < j->from->hardware_losses.n; i++) {
		struct ms_run_hardware_loss loss = j->from->hardware_losses.at[i];

		loss.reason = own(j, loss.reason);
		*ms_vec_add(&j->to->hardware_losses) = loss;
	}
}

/* --- what was simulated --- */

static void index_codes(struct joining *j)
{
	for (size_t i = j->to->codes.n; i-- > 0;) /* of equal ones, the first */
		*code_slot(j, &j->to->codes.at[i]) = (uint32_t)i;
	for (size_t i = j->to->lines.n; i-- > 0;)
		*line_slot(j, j->to->lines.at[i].code, &j->to->lines.at[i]) = (uint32_t)i;
	for (size_t i = j->to->sites.n; i-- > 0;) {
		const struct ms_run_site *site = &j->to->sites.at[i];

		*site_slot(j, j->to, site, site->kind) = (uint32_t)i;
		*site_slot(j, j->to, site, ANY_KIND) = (uint32_t)i;
	}
}

static void index_data(struct joining *j)
{
	struct ms_run_keys keys;

	ms_run_keys_make(&keys, j->to);
	for (size_t i = j->to->data.n; i-- > 0;)
		*data_slot(j, &j->to->data.at[i], keys.at[i]) = (uint32_t)i;
	ms_run_keys_free(&keys);
	for (uint32_t i = 0; i < j->to->cells.n; i++) {
		const struct ms_run_cell *c = &j->to->cells.at[i];
		uint32_t *slot = ms_map_at(&j->cells, c->site, c->data);

		if (*slot == MS_MAP_NONE || j->to->cells.at[*slot].references < c->references)
			*slot = i;
	}
}

static void add_origins(struct joining *j)
{
	const struct ms_run *runs[MS_RUN_ORIGIN_PARTS] = {
		[MS_RUN_SIMULATED_PART] = j->to, [MS_RUN_MEASURED_PART] = j->from
	};

	for (uint32_t part = 0; part < MS_RUN_ORIGIN_PARTS; part++)
		*ms_vec_add(&j->to->origins) =
			(struct ms_run_origin){ part, own(j, runs[part]->uid),
						own(j, runs[part]->tag),
						own(j, runs[part]->started) };
}

/* It is stored as a run of its own. */
static void forget_identity(struct ms_run *run)
{
	run->id = 0;
	run->uid = NULL;
	run->tag = NULL;
	run->note = NULL;
	run->tags.n = 0;
	run->parent = 0;
	run->relation = MS_RELATION_NONE;
	run->children.n = 0;
}

struct ms_run ms_run_simulated_part(const struct ms_run *run)
{
	struct ms_run part = *run;

	part.by_estimate = true;
	return part;
}

void ms_run_join(struct ms_run *simulated, const struct ms_run *measured)
{
	struct joining j = { .to = simulated,
			     .from = measured,
			     .data_of = ms_alloc((measured->data.n + 1) * sizeof(*j.data_of)) };

	memset(j.data_of, 0xff, measured->data.n * sizeof(*j.data_of)); /* MS_NONE */
	ms_run_keys_make(&j.from_keys, measured);
	index_codes(&j);
	index_data(&j);
	add_origins(&j);
	forget_identity(simulated);
	add_head(&j);
	add_samples(&j);
	add_computes(&j);
	ms_run_keys_free(&j.from_keys);
	ms_free(j.data_of);
	ms_map_free(&j.codes);
	ms_map_free(&j.lines);
	ms_map_free(&j.sites);
	ms_map_free(&j.data);
	ms_map_free(&j.cells);
	ms_names_free(&j.names);
}
