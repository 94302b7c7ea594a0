/*
 * name/unique_names.c - data of the same name gets what distinguishes it: "X (a.c:8)", "X (b.c)".
 *
 * This text is a property of the data alone (name/distinctions.c): no order, no other data and no
 * run has an influence on it. Whether it is needed depends on all data of that name that the
 * program has, whether the run used it or not. So a sampled run, another number of workers and the
 * other front-end give the same names as a whole run. Heap data and the program's own variables
 * keep the plain name before files and variables of libraries, these before variables of memspy's
 * and Valgrind's own modules.
 *
 * Data of the same origin (bins/naming.h) becomes one data structure: blocks that the methods of a
 * container allocate for one variable, and those of a call in a loop that the compiler has
 * unrolled.
 *
 * Keys (run/key.h) have numbers that count the data of a run. To keep these the same, too, unused
 * heap data that comes before used data of the same key becomes part of the run, without
 * references.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "name/distinctions.h"
#include "name/name_priv.h"
#include "name/path_name.h"
#include "run/key.h"
#include "run/regroup.h"

enum module_class { OF_THE_PROGRAM, OF_LIBRARIES, OF_PROFILERS };

/* One data whose name others have, too. */
struct member {
	const struct ms_name_state *n;
	uint32_t bound;
	enum module_class class;
	const struct ms_bins_bound_data *is;
	struct ms_run_data data; /* its names */
	const char *key;
	uint64_t origin;   /* as in bins/naming.h */
	uint32_t identity; /* the first member that is the same data, or a part of it */
	struct ms_name_distinction text; /* what distinguishes it from others of its name */
};

struct numbering {
	struct ms_name_state *n;
	struct ms_name_state scratch; /* describes data that may not become part of the run */
	struct ms_map counts; /* how many data have a name, where one that was used has it */
	struct ms_map used;   /* hashes of these names */
	const char **names;   /* by the binder's data; NULL: one that was used has another */
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

static uint64_t hash_name(const char *name)
{
	uint64_t hash = 0;

	for (; *name != '\0'; name++)
		hash = hash * 31 + (unsigned char)*name;
	return hash;
}

/*
 * Most data of a large program are variables that were not used, and whose names no used data has:
 * NULL. Used data has its name already.
 */
static const char *plain_name(struct numbering *g, uint32_t bound)
{
	const struct ms_bins_bound_data *is = ms_bins_get_data(g->n->from.binder, bound);
	struct ms_names *names = &g->scratch.names;
	struct ms_run_data data = { 0 };

	if (g->n->data[bound] < g->n->plain.n)
		return ms_intern(names, g->n->plain.at[g->n->data[bound]]);
	if (is->variable != NULL)
		return ms_map_get(&g->used, hash_name(is->variable->name), 0) != MS_MAP_NONE
			       ? ms_intern(names, is->variable->name)
			       : NULL;
	ms_name_describe_data(&g->scratch, is, &data);
	return ms_intern(names, data.name);
}

static void count_names(struct numbering *g)
{
	size_t count = ms_bins_data_count(g->n->from.binder);

	g->names = ms_alloc((count + 1) * sizeof(*g->names));
	for (size_t i = 0; i < g->n->plain.n; i++) {
		const char *name = ms_intern(&g->scratch.names, g->n->plain.at[i]);

		*ms_map_at(&g->counts, (uintptr_t)name, 0) = 0;
		*ms_map_at(&g->used, hash_name(name), 0) = 1;
	}
	for (uint32_t i = 0; i < count; i++) {
		g->names[i] = plain_name(g, i);
		if (ms_map_get(&g->counts, (uintptr_t)g->names[i], 0) != MS_MAP_NONE)
			++*ms_map_at(&g->counts, (uintptr_t)g->names[i], 0);
	}
}

/* The variable's number among those of its name in its module, by offset. */
static unsigned number_in_module(struct numbering *g, const struct ms_bins_bound_data *is)
{
	unsigned number = 1;
	size_t n;
	const struct ms_symbols_variable *all =
		ms_symbols_module_variables(ms_bins_symbols(g->n->from.binder, is->module), &n);

	for (size_t i = 0; i < n; i++)
		number += all[i].offset < is->variable->offset && all[i].tls == is->variable->tls &&
			  strcmp(all[i].name, is->variable->name) == 0;
	return number;
}

/* Of the calls that allocated: the same in each run of this build. */
static uint64_t hash_calls(struct ms_bins *binder, uint32_t node)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	size_t n = ms_bins_node_path(binder, node, pcs, MS_WIRE_MAX_PATH);
	uint64_t hash = 0;

	for (size_t i = 0; i < n && i < MS_WIRE_MAX_PATH; i++) {
		const char *module = ms_base_name(ms_bins_module_path(binder, pcs[i].module));

		for (; *module != '\0'; module++)
			hash = ms_hash(hash, (unsigned char)*module);
		hash = ms_hash(hash, pcs[i].offset);
	}
	return hash;
}

static void distinguish(struct numbering *g, struct member *m)
{
	struct ms_name_distinction *d = &m->text;
	struct ms_bins *binder = g->n->from.binder;

	if (m->is->variable != NULL) {
		ms_name_distinguish_variable(d, m->is->variable,
					     ms_bins_module_path(binder, m->is->module),
					     number_in_module(g, m->is));
	} else if (m->is->node != 0) {
		struct ms_bins_data_name name = { .type = NULL };

		ms_name_path(binder, m->is->node, &name);
		m->origin = m->is->paths == 0 ? name.origin : 0;
		ms_name_distinguish_path(d, &name, hash_calls(binder, m->is->node));
		ms_bins_free_name(&name);
	} else {
		ms_name_distinguish_file(d, m->data.full_name);
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
	distinguish(g, &m);
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

/*
 * "main (a.c:8)" has the first position already: "column 14" or the callers' positions remain, or
 * the hash, which distinguishes no other line.
 */
static void write_distinction(const struct member *member, const char *name, unsigned level,
			      struct ms_text *out)
{
	struct ms_text position = MS_TEXT_INIT, text = MS_TEXT_INIT;

	ms_name_write_distinction(&text, &member->text, level);
	ms_text_add(&position, "(");
	ms_name_write_distinction(&position, &member->text, 1);
	ms_text_add(&position, ")");
	const char *all = ms_text_get(&text), *hash = strrchr(all, '~');
	size_t first = position.n - 2;
	bool is_shown = first > 0 && strstr(name, position.at) != NULL &&
			strncmp(all, position.at + 1, first) == 0;

	if (!is_shown)
		ms_text_add(out, all);
	else if (hash != NULL)
		ms_text_add(out, hash);
	else if (all[first] == ':')
		ms_text_addf(out, "column %s", all + first + 1);
	else
		ms_text_add(out, all[first] == ' ' ? all + first + 1 : all);
	ms_text_free(&position);
	ms_text_free(&text);
}

static void add_distinction(struct ms_name_state *n, const struct member *member, unsigned level)
{
	struct ms_text name = MS_TEXT_INIT, text = MS_TEXT_INIT;

	if (n->data[member->bound] == MS_NONE)
		return;
	struct ms_run_data *data = &n->run->data.at[n->data[member->bound]];
	write_distinction(member, data->name, level, &text);
	if (text.n > 0) {
		ms_text_addf(&name, "%s (%s)", data->name, text.at);
		data->name = ms_intern(&n->names, name.at);
	}
	ms_text_free(&name);
	ms_text_free(&text);
}

/* Parts of the same data, and data of the same origin, are not to be distinguished. */
static void find_identities(struct member *members, size_t n)
{
	struct ms_map origins = MS_MAP_INIT;

	for (uint32_t i = 0; i < n; i++) {
		members[i].identity = i;
		if (i > 0 && compare_identities(&members[i - 1], &members[i]) == 0) {
			members[i].identity = members[i - 1].identity;
		} else if (members[i].origin != 0) {
			uint32_t *first = ms_map_at(&origins, members[i].origin, 0);

			if (*first == MS_MAP_NONE)
				*first = i;
			members[i].identity = *first;
		}
	}
	ms_map_free(&origins);
}

/* Whether it alone has a claim to the plain name: the only data of the class that has most. */
static bool keeps_name(const struct member *members, size_t n, uint32_t member)
{
	if (members[member].class != members[0].class)
		return false;
	for (size_t i = 0; i < n && members[i].class == members[0].class; i++)
		if (members[i].identity != members[member].identity)
			return false;
	return true;
}

/* The least that no other data of its name has. */
static unsigned level_needed(const struct member *members, size_t n, uint32_t member)
{
	struct ms_text own = MS_TEXT_INIT, other = MS_TEXT_INIT;
	unsigned level = 1;
	bool same = true;

	for (; same && level < MS_NAME_MOST_DISTINCT; level += same) {
		ms_text_clear(&own);
		ms_name_write_distinction(&own, &members[member].text, level);
		same = own.n == 0;
		for (uint32_t i = 0; i < n && !same; i++) {
			if (members[i].identity == members[member].identity)
				continue;
			ms_text_clear(&other);
			ms_name_write_distinction(&other, &members[i].text, level);
			same = strcmp(own.at, ms_text_get(&other)) == 0;
		}
	}
	ms_text_free(&own);
	ms_text_free(&other);
	return level;
}

static void distinguish_members(struct numbering *g, struct member *members, size_t n)
{
	use_those_before(g, members, n);
	find_identities(members, n);
	for (uint32_t i = 0; i < n; i++)
		if (!keeps_name(members, n, i))
			add_distinction(g->n, &members[i],
					level_needed(members, n, members[i].identity));
}

/* `from` is the same data structure as `to`. */
static void add_sizes(struct ms_run_data *to, const struct ms_run_data *from)
{
	to->objects += from->objects;
	to->bytes += from->bytes;
	to->peak_bytes += from->peak_bytes;
	if (from->largest > to->largest)
		to->largest = from->largest;
}

/* By the run's data: the first one of the same origin. */
static uint32_t *group_by_origin(const struct numbering *g, bool *any)
{
	const struct ms_run *run = g->n->run;
	uint32_t *group = ms_alloc((run->data.n + 1) * sizeof(*group));
	uint64_t *origins = ms_alloc((run->data.n + 1) * sizeof(*origins));
	struct ms_map first = MS_MAP_INIT;

	for (size_t i = 0; i < g->members.n; i++)
		if (g->n->data[g->members.at[i].bound] != MS_NONE)
			origins[g->n->data[g->members.at[i].bound]] = g->members.at[i].origin;
	for (uint32_t i = 0; i < run->data.n; i++) {
		group[i] = i;
		if (origins[i] == 0)
			continue;
		/* Equal names are one pointer; those of split parts differ. */
		uint32_t *same = ms_map_at(&first, origins[i], (uintptr_t)run->data.at[i].name);
		if (*same == MS_MAP_NONE)
			*same = i;
		group[i] = *same;
		*any = *any || group[i] != i;
	}
	ms_map_free(&first);
	ms_free(origins);
	return group;
}

/* Data of the binder that became part of the run later has the numbers after these. */
static void renumber(struct ms_name_state *n, const uint32_t *group, size_t count)
{
	uint32_t *to = ms_alloc((count + 1) * sizeof(*to)), kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		to[i] = group[i] == i ? kept : to[group[i]];
		n->data[n->numbered.at[i]] = to[i];
		if (group[i] == i)
			n->numbered.at[kept++] = n->numbered.at[i];
	}
	n->numbered.n = n->named = kept;
	ms_free(to);
}

static void merge_by_origin(const struct numbering *g)
{
	struct ms_run *run = g->n->run;
	bool any = false;
	uint32_t *group = group_by_origin(g, &any);

	for (uint32_t i = 0; i < run->data.n; i++)
		if (group[i] != i)
			add_sizes(&run->data.at[group[i]], &run->data.at[i]);
	if (any) {
		if (g->n->from.counted != NULL)
			g->n->from.counted(NULL, g->n->from.counted_arg);
		renumber(g->n, group, run->data.n);
		ms_run_regroup(run, &(struct ms_run_groups){ .data = group, .keep_frames = true });
	}
	ms_free(group);
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
		distinguish_members(&g, &g.members.at[i], end - i);
	}
	merge_by_origin(&g);
	resolve_collisions(n);
	for (size_t i = 0; i < g.members.n; i++)
		ms_text_free(&g.members.at[i].text.text);
	ms_vec_free(&g.members);
	ms_map_free(&g.counts);
	ms_map_free(&g.used);
	ms_names_free(&g.scratch.names);
	ms_free(g.names);
}
