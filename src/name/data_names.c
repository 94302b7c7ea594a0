/*
 * name/data_names.c - names of data: from the variable, the section, the file, or the call path
 * that allocated it.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "name/name_priv.h"
#include "name/path_name.h"

enum { MOST_INLINED = 64 };

static const enum ms_run_data_kind kinds[] = {
	[MS_BOUND_HEAP] = MS_DATA_HEAP,        [MS_BOUND_VARIABLE] = MS_DATA_STATIC,
	[MS_BOUND_TLS_VARIABLE] = MS_DATA_TLS, [MS_BOUND_STACKS] = MS_DATA_STACK,
	[MS_BOUND_FILE] = MS_DATA_FILE,        [MS_BOUND_MAPPING] = MS_DATA_MAPPED,
	[MS_BOUND_SECTION] = MS_DATA_SECTION,  [MS_BOUND_UNKNOWN] = MS_DATA_UNKNOWN,
	[MS_BOUND_NAMED] = MS_DATA_NAMED,      [MS_BOUND_ANY] = MS_DATA_ANY,
};

enum ms_run_data_kind ms_name_data_kind(const struct ms_bins_bound_data *bound)
{
	return kinds[bound->kind];
}

void ms_name_path(struct ms_bins *binder, uint32_t node, struct ms_bins_data_name *name)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	struct ms_bins_path_pc path[MS_WIRE_MAX_PATH];
	size_t count = ms_bins_node_path(binder, node, pcs, MS_WIRE_MAX_PATH);

	if (count > MS_WIRE_MAX_PATH)
		count = MS_WIRE_MAX_PATH;
	for (size_t i = 0; i < count; i++)
		path[i] = (struct ms_bins_path_pc){ ms_bins_symbols(binder, pcs[i].module),
						    pcs[i].offset };
	ms_bins_name_heap(path, count, name);
}

static void name_by_path(struct ms_name_state *n, const struct ms_bins_bound_data *bound,
			 struct ms_run_data *data)
{
	struct ms_bins_data_name name = { .type = NULL };

	ms_name_path(n->from.binder, bound->node, &name);
	data->name = ms_name_text(n, ms_text_get(&name.name));
	data->full_name = ms_name_text(n, ms_text_get(&name.full));
	data->type = ms_name_text(n, name.type);
	ms_bins_free_name(&name);
}

static void name_variable(struct ms_name_state *n, const struct ms_bins_bound_data *bound,
			  struct ms_run_data *data)
{
	const struct ms_symbols_variable *v = bound->variable;
	struct ms_text full = MS_TEXT_INIT;

	ms_text_addf(&full, "%s", v->name);
	if (v->file != NULL)
		ms_text_addf(&full, " (%s:%u)", ms_base_name(v->file), v->line);
	ms_text_addf(&full, " in %s", ms_bins_module_path(n->from.binder, bound->module));
	data->name = ms_name_text(n, v->name);
	data->full_name = ms_name_text(n, full.at);
	data->type = ms_name_text(n, v->type);
	ms_text_free(&full);
}

static void name_section(struct ms_name_state *n, const struct ms_bins_bound_data *bound,
			 struct ms_run_data *data)
{
	const char *module = ms_bins_module_path(n->from.binder, bound->module);
	struct ms_text name = MS_TEXT_INIT;

	ms_text_addf(&name, "%s[%s]", ms_base_name(module), bound->text);
	data->name = ms_name_text(n, name.at);
	ms_text_clear(&name);
	ms_text_addf(&name, "%s of %s, outside any variable", bound->text, module);
	data->full_name = ms_name_text(n, name.at);
	ms_text_free(&name);
}

/* The kernel marks files without a name, such as those of memfd_create(): "memfd:queue (deleted)".
 */
static void name_file(struct ms_name_state *n, const char *path, struct ms_run_data *data)
{
	static const char mark[] = " (deleted)";
	const char *base = ms_base_name(path);
	size_t length = strlen(base);
	struct ms_text name = MS_TEXT_INIT;

	if (length > strlen(mark) && strcmp(base + length - strlen(mark), mark) == 0)
		length -= strlen(mark);
	ms_text_add_n(&name, base, length);
	data->name = ms_name_text(n, ms_text_get(&name));
	ms_text_free(&name);
}

void ms_name_describe_data(struct ms_name_state *n, const struct ms_bins_bound_data *bound,
			   struct ms_run_data *data)
{
	if (bound->variable != NULL) {
		name_variable(n, bound, data);
	} else if (bound->kind == MS_BOUND_SECTION) {
		name_section(n, bound, data);
	} else if (bound->kind == MS_BOUND_NAMED || bound->kind == MS_BOUND_STACKS) {
		data->name = data->full_name = ms_name_text(n, bound->text);
	} else if (bound->text != NULL) {
		name_file(n, bound->text, data);
		data->full_name = ms_name_text(n, bound->text);
	} else {
		name_by_path(n, bound, data);
	}
}

/* "node.list{.next}": the part follows the name, so that the names of all parts differ. */
static void name_part(struct ms_name_state *n, const struct ms_bins_bound_data *bound,
		      struct ms_run_data *data)
{
	struct ms_text text = MS_TEXT_INIT;
	size_t plain = strlen(data->name);
	/* Of a variable, the place of its declaration follows its name. */
	const char *rest =
		bound->variable != NULL && strncmp(data->full_name, data->name, plain) == 0
			? data->full_name + plain
			: "";

	ms_text_addf(&text, "%.*s{%s}%s", (int)(strlen(data->full_name) - strlen(rest)),
		     data->full_name, bound->part, rest);
	data->full_name = ms_name_text(n, text.at);
	ms_text_clear(&text);
	ms_text_addf(&text, "%s{%s}", data->name, bound->part);
	data->name = ms_name_text(n, text.at);
	ms_text_free(&text);
}

static void add_frames(struct ms_name_state *n, const struct ms_bins_bound_data *bound,
		       uint32_t data)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	size_t count = ms_bins_node_path(n->from.binder, bound->node, pcs, MS_WIRE_MAX_PATH);

	uint32_t depth = 0;

	for (size_t i = 0; i < count && i < MS_WIRE_MAX_PATH; i++) {
		struct ms_symbols_module *symbols = ms_bins_symbols(n->from.binder, pcs[i].module);
		struct ms_symbols_frame frames[MOST_INLINED] = { { .function = "?" } };
		size_t known = symbols != NULL
				       ? ms_symbols_module_frames(symbols, pcs[i].offset - 1,
								  frames, MOST_INLINED)
				       : 0;
		const char *module = ms_bins_module_path(n->from.binder, pcs[i].module);

		/* Inlined calls, too: the innermost function is often one of a library. */
		for (size_t k = 0; k == 0 || k < known; k++)
			*ms_vec_add(&n->run->frames) = (struct ms_run_frame){
				.data = data,
				.depth = depth++,
				.function = ms_name_text(n, known > 0 ? frames[k].function : "?"),
				.file = known > 0 ? ms_name_text(n, frames[k].file) : NULL,
				.line = known > 0 ? frames[k].line : 0,
				.module = ms_name_text(n, module),
				.offset = pcs[i].offset,
			};
	}
}

uint32_t ms_name_number_data(struct ms_name_state *n, uint32_t bound)
{
	if (n->data[bound] == MS_NONE) {
		n->data[bound] = (uint32_t)n->run->data.n;
		*ms_vec_add(&n->run->data) = (struct ms_run_data){ 0 };
		*ms_vec_add(&n->numbered) = bound;
	}
	return n->data[bound];
}

static void describe_data(struct ms_name_state *n, uint32_t number)
{
	const struct ms_bins_bound_data *bound =
		ms_bins_get_data(n->from.binder, n->numbered.at[number]);
	struct ms_run_data data = { .kind = ms_name_data_kind(bound),
				    .reason = ms_name_text(n, bound->reason),
				    .paths = bound->paths };

	if (n->numbered.at[number] < n->from.program->stats.n) {
		const struct ms_name_data_stats *s =
			&n->from.program->stats.at[n->numbered.at[number]];

		data.objects = ms_round_u64(s->objects);
		data.bytes = ms_round_u64(s->bytes);
		data.peak_bytes = ms_round_u64(s->peak);
		data.largest = s->largest;
	}
	if (data.objects == 0 && bound->bytes != 0) {
		data.objects = 1;
		data.bytes = data.peak_bytes = data.largest = bound->bytes;
	}
	ms_name_describe_data(n, bound, &data);
	*ms_vec_add(&n->plain) = data.name;
	if (bound->part != NULL)
		name_part(n, bound, &data);
	n->run->data.at[number] = data;
	if (bound->node != 0)
		add_frames(n, bound, number);
}

void ms_name_all_data(struct ms_name_state *n)
{
	while (n->named < n->numbered.n)
		describe_data(n, (uint32_t)n->named++);
}

uint32_t ms_name_data(struct ms_name_state *n, uint32_t bound)
{
	uint32_t number = ms_name_number_data(n, bound);

	ms_name_all_data(n);
	return number;
}
