/*
 * name/unique_names.c - data of the same name gets numbers: "X", "X#2".
 *
 * A number is a property of the program, not of the run: it counts all data of that name that the
 * program has, whether the run used it or not, in an order that does not depend on when any of it
 * was first used. So a sampled run, another number of workers and the other front-end give the same
 * names as a whole run. Numbers of data that was not used are missing in a run.
 *
 * Order: heap data and the program's own variables, then files and variables of libraries, then
 * variables of memspy's and Valgrind's own modules; each by full name, in which digits count as
 * numbers, then by the instructions that allocated it.
 *
 * The numbers of keys (run/key.h) count the data of a run. To keep these the same, too, unused
 * heap data that comes before used data of the same key becomes part of the run, without
 * references.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "name/name_priv.h"
#include "run/key.h"

enum module_class { OF_THE_PROGRAM, OF_LIBRARIES, OF_PROFILERS };

/* One data whose name others have, too. */
struct member {
	const struct ms_name_state *n;
	uint32_t bound;
	enum module_class class;
	const struct ms_bins_bound_data *is;
	struct ms_run_data data; /* its names */
	const char *key;
};

struct numbering {
	struct ms_name_state *n;
	struct ms_name_state scratch; /* describes data that may not become part of the run */
	struct ms_map counts; /* how many data have a name, where one that was used has it */
	const char **names;   /* by the binder's data */
	MS_VEC(struct member) members;
};

static enum module_class class_of(const struct ms_name_state *n,
				  const struct ms_bins_bound_data *is)
{
	static const char *const profilers[] = { "vgpreload_", "memspy" };

	if (is->variable == NULL)
		return is->node != 0 ? OF_THE_PROGRAM : OF_LIBRARIES;
	if (is->module == 0)
		return OF_THE_PROGRAM;
	const char *name = ms_base_name(ms_bins_module_path(n->from.binder, is->module));
	for (size_t i = 0; i < MS_COUNT(profilers); i++)
		if (strncmp(name, profilers[i], strlen(profilers[i])) == 0)
			return OF_PROFILERS;
	return OF_LIBRARIES;
}

static const char *plain_name(struct ms_name_state *scratch, const struct ms_bins_bound_data *is)
{
	struct ms_run_data data = { 0 };

	if (is->variable != NULL) /* there are many; most full names are not needed */
		return ms_intern(&scratch->names, is->variable->name);
	ms_name_describe_data(scratch, is, &data);
	return ms_intern(&scratch->names, data.name);
}

static void count_names(struct numbering *g)
{
	size_t count = ms_bins_data_count(g->n->from.binder);

	g->names = ms_alloc((count + 1) * sizeof(*g->names));
	for (size_t i = 0; i < g->n->plain.n; i++)
		*ms_map_at(&g->counts, (uintptr_t)ms_intern(&g->scratch.names, g->n->plain.at[i]),
			   0) = 0;
	for (uint32_t i = 0; i < count; i++) {
		g->names[i] = plain_name(&g->scratch, ms_bins_get_data(g->n->from.binder, i));
		if (ms_map_get(&g->counts, (uintptr_t)g->names[i], 0) != MS_MAP_NONE)
			++*ms_map_at(&g->counts, (uintptr_t)g->names[i], 0);
	}
}

static void add_member(struct numbering *g, uint32_t bound)
{
	const struct ms_bins_bound_data *is = ms_bins_get_data(g->n->from.binder, bound);
	struct member m = { .n = g->n, .bound = bound, .class = class_of(g->n, is), .is = is };
	struct ms_text key = MS_TEXT_INIT;

	ms_name_describe_data(&g->scratch, is, &m.data);
	m.data.kind = ms_name_data_kind(is);
	ms_run_data_key(&key, &m.data);
	m.key = ms_intern(&g->scratch.names, ms_text_get(&key));
	ms_text_free(&key);
	*ms_vec_add(&g->members) = m;
}

static int compare_calls(struct ms_bins *binder, struct ms_bins_bound_pc a,
			 struct ms_bins_bound_pc b)
{
	int order = strcmp(ms_base_name(ms_bins_module_path(binder, a.module)),
			   ms_base_name(ms_bins_module_path(binder, b.module)));

	return order != 0 ? order : ms_cmp_u64(a.offset, b.offset);
}

/* The calls that allocated it, the innermost first. */
static int compare_paths(struct ms_bins *binder, uint32_t a, uint32_t b)
{
	struct ms_bins_bound_pc x[MS_WIRE_MAX_PATH], y[MS_WIRE_MAX_PATH];

	if (a == b || a == 0 || b == 0)
		return ms_cmp_u64(a, b);
	size_t xs = ms_bins_node_path(binder, a, x, MS_WIRE_MAX_PATH);
	size_t ys = ms_bins_node_path(binder, b, y, MS_WIRE_MAX_PATH);
	for (size_t i = 0; i < xs && i < ys && i < MS_WIRE_MAX_PATH; i++) {
		int order = compare_calls(binder, x[i], y[i]);

		if (order != 0)
			return order;
	}
	return ms_cmp_u64(xs, ys);
}

static int compare_variables(const struct ms_bins_bound_data *x, const struct ms_bins_bound_data *y)
{
	if (x->variable == NULL || y->variable == NULL)
		return ms_cmp_u64(x->variable != NULL, y->variable != NULL);
	int order = ms_cmp_u64(x->variable->offset, y->variable->offset);
	return order != 0 ? order : ms_cmp_u64(x->module, y->module);
}

/* 0: the same data, or parts of it. */
static int compare_identities(const struct member *x, const struct member *y)
{
	int order = ms_cmp_u64(x->class, y->class);

	if (order == 0)
		order = strverscmp(x->data.full_name, y->data.full_name);
	if (order == 0)
		order = ms_cmp_u64(x->is->kind, y->is->kind);
	if (order == 0)
		order = compare_variables(x->is, y->is);
	return order != 0 ? order : compare_paths(x->n->from.binder, x->is->node, y->is->node);
}

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->data.name, y->data.name);

	if (order == 0)
		order = compare_identities(x, y);
	return order != 0 ? order : ms_cmp_u64(x->bound, y->bound);
}

/* Unused heap data that comes before used data of the same key; members all have the same name. */
static void use_those_before(struct numbering *g, const struct member *members, size_t n)
{
	struct ms_map used = MS_MAP_INIT;

	for (size_t i = n; i-- > 0;) {
		if (members[i].is->node == 0 || members[i].is->part != NULL)
			continue;
		if (g->n->data[members[i].bound] != MS_NONE)
			*ms_map_at(&used, (uintptr_t)members[i].key, 0) = 1;
		else if (ms_map_get(&used, (uintptr_t)members[i].key, 0) != MS_MAP_NONE)
			ms_name_data(g->n, members[i].bound);
	}
	ms_map_free(&used);
}

static void add_number(struct ms_name_state *n, const struct member *member, unsigned number)
{
	struct ms_text name = MS_TEXT_INIT;

	if (number == 1 || n->data[member->bound] == MS_NONE)
		return;
	struct ms_run_data *data = &n->run->data.at[n->data[member->bound]];
	ms_text_addf(&name, "%s#%u", data->name, number);
	data->name = ms_intern(&n->names, name.at);
	ms_text_free(&name);
}

static void number_members(struct numbering *g, const struct member *members, size_t n)
{
	unsigned number = 0;

	use_those_before(g, members, n);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || compare_identities(&members[i - 1], &members[i]) != 0)
			number++;
		add_number(g->n, &members[i], number);
	}
}

/* A program may call its data "X#2". */
static void resolve_collisions(struct ms_name_state *n)
{
	struct ms_map times = MS_MAP_INIT;

	for (uint32_t i = 0; i < n->run->data.n; i++) {
		struct ms_run_data *data = &n->run->data.at[i];
		const char *plain = data->name;
		uint32_t *count = ms_map_at(&times, (uintptr_t)plain, 0);
		struct ms_text name = MS_TEXT_INIT;
		unsigned number = 1;

		while (*count != MS_MAP_NONE) {
			ms_text_clear(&name);
			ms_text_addf(&name, "%s#%u", plain, ++number);
			data->name = ms_intern(&n->names, name.at);
			count = ms_map_at(&times, (uintptr_t)data->name, 0);
		}
		*count = 1;
		ms_text_free(&name);
	}
	ms_map_free(&times);
}

void ms_name_make_unique(struct ms_name_state *n)
{
	struct numbering g = { .n = n, .scratch = { .from = n->from } };

	count_names(&g);
	for (uint32_t i = 0; i < ms_bins_data_count(n->from.binder); i++) {
		uint32_t count = ms_map_get(&g.counts, (uintptr_t)g.names[i], 0);

		if (count != MS_MAP_NONE && count > 1)
			add_member(&g, i);
	}
	if (g.members.n > 1)
		qsort(g.members.at, g.members.n, sizeof(*g.members.at), compare_members);
	for (size_t i = 0, end; i < g.members.n; i = end) {
		for (end = i + 1;
		     end < g.members.n && g.members.at[end].data.name == g.members.at[i].data.name;)
			end++;
		number_members(&g, &g.members.at[i], end - i);
	}
	resolve_collisions(n);
	ms_vec_free(&g.members);
	ms_map_free(&g.counts);
	ms_names_free(&g.scratch.names);
	ms_free(g.names);
}
