/*
 * name/splits.c - splits data by size, thread or member: a bin, or a variable, becomes several
 * while the program runs.
 *
 * Members are distinguished in units of 8 bytes, as all objects on the heap are; members that share
 * a unit are combined. Not split: arrays of structures whose size is not a multiple of 8, blocks
 * with more than MOST_PLACES members, and structures larger than LARGEST.
 */
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "name/path_name.h"
#include "name/splits.h"
#include "run/key.h"
#include "run/rules.h"

enum { LARGEST = 4096, MOST_PLACES = 1 << 16, UNIT = 8 };

/* What is known of one data of the binder. */
struct split {
	unsigned flags;                /* enum ms_run_split */
	uint64_t size;                 /* of the structure; 0: it is not split by member */
	struct ms_name_ranges members; /* offsets in it */
};

struct ms_name_splits {
	struct ms_map of; /* data -> at */
	MS_VEC(struct split) at;
};

void ms_name_splits_close(struct ms_name_splits *splits)
{
	if (splits == NULL)
		return;
	for (size_t i = 0; i < splits->at.n; i++)
		ms_vec_free(&splits->at.at[i].members.at);
	ms_vec_free(&splits->at);
	ms_map_free(&splits->of);
	ms_free(splits);
}

/* --- members --- */

/* ".next" of "[0].next.x": the member of the structure itself. */
static void outer_member(const char *text, struct ms_text *out)
{
	while (*text == '[')
		text += strcspn(text, "]") + 1;
	if (*text != '\0')
		ms_text_add_n(out, text, 1 + strcspn(text + 1, ".["));
}

struct type {
	struct ms_symbols_module *module;
	uint64_t die;
	uint64_t room;  /* heap memory may hold several of them; a variable is just what it is: 0 */
	uint64_t whole; /* of a variable: its bytes */
};

static bool is_second(const struct type *type, uint64_t offset)
{
	struct ms_text text = MS_TEXT_INIT;
	bool second =
		ms_symbols_module_member(type->module, type->die, offset, type->room, &text) &&
		strncmp(ms_text_get(&text), "[1]", 3) == 0;

	ms_text_free(&text);
	return second;
}

/* The size of an element: where the second one begins, or the whole variable. */
static uint64_t size_of(const struct type *type)
{
	for (uint64_t size = 1; size <= LARGEST; size++)
		if (is_second(type, size))
			return size;
	return type->whole <= LARGEST ? type->whole : 0;
}

/* The members that lie in a unit: ".a", or ".a,.b". */
static void unit_name(const struct type *type, uint64_t at, struct ms_text *out)
{
	struct ms_text text = MS_TEXT_INIT, member = MS_TEXT_INIT;

	for (uint64_t i = 0; i < UNIT; i++) {
		ms_text_clear(&text);
		ms_text_clear(&member);
		if (!ms_symbols_module_member(type->module, type->die, at + i, type->room, &text))
			continue;
		outer_member(ms_text_get(&text), &member);
		if (member.n > 0 && strstr(ms_text_get(out), member.at) == NULL)
			ms_text_addf(out, "%s%s", out->n > 0 ? "," : "", member.at);
	}
	ms_text_free(&text);
	ms_text_free(&member);
}

/* Ranges of the structure with one name each; padding stays with the whole. */
static void find_members(struct ms_bins *binder, struct split *split, uint32_t data,
			 const struct type *type)
{
	split->size = size_of(type);
	for (uint64_t at = 0; at + UNIT <= split->size; at += UNIT) {
		struct ms_text name = MS_TEXT_INIT;
		size_t n = split->members.at.n;

		unit_name(type, at, &name);
		if (name.n > 0) {
			uint32_t part = ms_bins_part(binder, data, name.at);
			struct ms_engine_range *last = n > 0 ? &split->members.at.at[n - 1] : NULL;

			if (last != NULL && last->data == part && last->end == at)
				last->end = at + UNIT;
			else
				*ms_vec_add(&split->members.at) =
					(struct ms_engine_range){ at, at + UNIT, part };
		}
		ms_text_free(&name);
	}
	if (split->members.at.n == 0)
		split->size = 0;
}

/* A heap object's type was named by one of the modules on its way. */
static void heap_members(struct ms_bins *binder, struct split *split, uint32_t data,
			 const char *name)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	size_t n = ms_bins_node_path(binder, ms_bins_get_data(binder, data)->node, pcs,
				     MS_WIRE_MAX_PATH);

	for (size_t i = 0; name != NULL && i < n && i < MS_WIRE_MAX_PATH; i++) {
		struct ms_symbols_module *module = ms_bins_symbols(binder, pcs[i].module);
		uint64_t type = module != NULL ? ms_symbols_module_type(module, name) : 0;

		if (type == 0)
			continue;
		find_members(binder, split, data, &(struct type){ module, type, LARGEST * 4, 0 });
		return;
	}
}

/* --- which data, and how --- */

static unsigned choose_split(const struct ms_name_split_choice *c, const struct ms_run_data *data)
{
	struct ms_text key = MS_TEXT_INIT;

	ms_run_data_key(&key, data);
	unsigned flags = c->choose(ms_text_get(&key), data->name, c->arg);
	ms_text_free(&key);
	return flags;
}

static void choose_heap_split(struct ms_name_split_choice *c, struct ms_bins *binder,
			      struct split *split, uint32_t data)
{
	struct ms_bins_data_name name = { .type = NULL };

	ms_name_path(binder, ms_bins_get_data(binder, data)->node, &name);
	split->flags =
		choose_split(c, &(struct ms_run_data){ .kind = MS_DATA_HEAP,
						       .name = ms_text_get(&name.name),
						       .full_name = ms_text_get(&name.full) });
	if (split->flags & MS_SPLIT_FIELD)
		heap_members(binder, split, data, name.type);
	ms_bins_free_name(&name);
}

static void choose_variable_split(struct ms_name_split_choice *c, struct ms_bins *binder,
				  struct split *split, uint32_t data)
{
	const struct ms_bins_bound_data *bound = ms_bins_get_data(binder, data);
	const struct ms_symbols_variable *v = bound->variable;
	struct ms_text full = MS_TEXT_INIT;

	ms_text_add(&full, v->name);
	if (v->file != NULL)
		ms_text_addf(&full, " (%s:%u)", ms_base_name(v->file), v->line);
	ms_text_addf(&full, " in %s", ms_bins_module_path(binder, bound->module));
	split->flags = choose_split(c, &(struct ms_run_data){ .kind = MS_DATA_STATIC,
							      .name = v->name,
							      .full_name = full.at });
	ms_text_free(&full);
	if ((split->flags & MS_SPLIT_FIELD) && v->type_die != 0)
		find_members(binder, split, data,
			     &(struct type){ ms_bins_symbols(binder, bound->module), v->type_die, 0,
					     bound->bytes });
}

static const struct split *split_of(struct ms_name_split_choice *c, struct ms_bins *binder,
				    uint32_t data)
{
	if (c->known == NULL)
		c->known = ms_alloc(sizeof(*c->known));
	uint32_t *slot = ms_map_at(&c->known->of, data, 0);
	if (*slot == MS_MAP_NONE) {
		struct split split = { .flags = 0 };

		*slot = (uint32_t)c->known->at.n;
		ms_vec_add(&c->known->at);
		if (ms_bins_get_data(binder, data)->variable != NULL)
			choose_variable_split(c, binder, &split, data);
		else
			choose_heap_split(c, binder, &split, data);
		c->known->at.at[*slot] = split;
	}
	return &c->known->at.at[*slot];
}

/* "33-64", "thread 2": a part for each. */
static void part_name(unsigned flags, uint64_t size, uint32_t number, char out[96])
{
	char class[64] = "", thread[32] = "";
	uint64_t most = 8;

	while (most < size && most < UINT64_C(1) << 62)
		most *= 2;
	if (flags & MS_SPLIT_SIZE)
		snprintf(class, sizeof(class), "%llu-%llu",
			 (unsigned long long)(most > 8 ? most / 2 + 1 : 0),
			 (unsigned long long)most);
	if (flags & MS_SPLIT_THREAD)
		snprintf(thread, sizeof(thread), "thread %u", number);
	snprintf(out, 96, "%s%s%s", class, class[0] != '\0' && thread[0] != '\0' ? ", " : "",
		 thread);
}

struct ms_name_split_block ms_name_split_alloc(struct ms_name_split_choice *c,
					       struct ms_bins *binder, uint32_t data, uint64_t size,
					       uint32_t thread)
{
	const struct split *split = split_of(c, binder, data);
	struct ms_name_split_block block = { .data = data,
					     .is_watched = (split->flags & MS_SPLIT_WATCH) != 0 };

	if (split->size > 0 && size >= split->size &&
	    (split->size % UNIT == 0 || size < 2 * split->size) &&
	    size / split->size * split->members.at.n <= MOST_PLACES) {
		block.members = split->members.at.at;
		block.member_count = split->members.at.n;
		block.stride = split->size;
	}
	if (split->flags & (MS_SPLIT_SIZE | MS_SPLIT_THREAD)) {
		char part[96];

		part_name(split->flags, size, thread, part);
		block.data = ms_bins_part(binder, data, part);
	}
	return block;
}

/* Ranges of the members, and of what lies between them. */
static void split_range(const struct split *split, const struct ms_bins_bound_range *range,
			struct ms_name_ranges *places)
{
	uint64_t start = range->start, n = (range->end - start) / split->size;

	if (n * split->members.at.n > MOST_PLACES)
		n = 0;
	for (uint64_t i = 0; i < n * split->members.at.n; i++) {
		const struct ms_engine_range *p = &split->members.at.at[i % split->members.at.n];
		uint64_t of = range->start + i / split->members.at.n * split->size;

		if (start < of + p->start)
			*ms_vec_add(&places->at) =
				(struct ms_engine_range){ start, of + p->start, range->data };
		*ms_vec_add(&places->at) =
			(struct ms_engine_range){ of + p->start, of + p->end, p->data };
		start = of + p->end;
	}
	if (start < range->end)
		*ms_vec_add(&places->at) =
			(struct ms_engine_range){ start, range->end, range->data };
}

void ms_name_split_static(struct ms_name_split_choice *c, struct ms_bins *binder,
			  const struct ms_bins_bound_range *range, struct ms_name_ranges *places)
{
	const struct ms_bins_bound_data *bound = ms_bins_get_data(binder, range->data);
	const struct split *split = c->choose != NULL && bound->variable != NULL
					    ? split_of(c, binder, range->data)
					    : NULL;
	size_t before = places->at.n;

	if (split == NULL || split->size == 0 || range->start % UNIT != 0 ||
	    (split->size % UNIT != 0 && range->end - range->start >= 2 * split->size))
		*ms_vec_add(&places->at) =
			(struct ms_engine_range){ range->start, range->end, range->data };
	else
		split_range(split, range, places);
	if (split != NULL && (split->flags & MS_SPLIT_WATCH))
		for (size_t i = before; i < places->at.n; i++)
			*ms_vec_add(&places->watched) = places->at.at[i];
}
