/*
 * analysis/diff/match_items.c - matches code and data of both sides.
 *
 * Each item has up to three keys. Keys of the first kind are unique for the data of a run, and
 * items with equal ones match. Items that remain on both sides are matched by the second kind of
 * key, if it is unique on either side, and then by the third.
 */
#include <string.h>

#include "analysis/diff/diff_priv.h"
#include "analysis/summary/mpi_code.h"
#include "base/mem.h"

uint32_t ms_diff_resolve(const struct ms_diff_items *items, uint32_t i)
{
	return items->at.at[i].same_as != MS_NONE ? items->at.at[i].same_as : i;
}

uint32_t ms_diff_item(struct ms_diff_builder *d, struct ms_diff_items *items, uint64_t a,
		      uint64_t b)
{
	uint32_t *slot = ms_map_at(&items->map, a, b);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)items->at.n;
		struct ms_diff_item *item = ms_vec_add(&items->at);
		item->code = item->data = item->same_as = MS_NONE;
		item->values = ms_arena_take(&d->diff->arena,
					     d->runs.n * d->figures * sizeof(*item->values));
	}
	return *slot;
}

static const char *key_of(struct ms_diff_builder *d, const char *text)
{
	return ms_intern(&d->names, text);
}

/* --- code --- */

/* "f" of "f(int, char)" and of "f.constprop.0": what stays when the compiler decides otherwise. */
static const char *plain_code(struct ms_diff_builder *d, const char *name)
{
	static const char *const ends[] = { ".constprop.", ".isra.", ".part.", ".cold",
					    ".lto_priv." };
	size_t n = strlen(name);
	const char *open = strchr(name, '(');

	for (size_t i = 0; i < MS_COUNT(ends); i++) {
		const char *end = strstr(name, ends[i]);

		if (end != NULL && (size_t)(end - name) < n)
			n = (size_t)(end - name);
	}
	if (open != NULL && open > name && (size_t)(open - name) < n)
		n = (size_t)(open - name);
	return ms_intern_n(&d->names, name, n);
}

static void note_code(struct ms_diff_builder *d, struct ms_diff_run *r,
		      const struct ms_run_code *code, enum ms_summary_mpi role)
{
	const char *place = ms_base_name(code->file != NULL ? code->file : code->module);
	const char *name = key_of(d, code->name);
	uint32_t i = ms_diff_item(d, &d->codes, (uintptr_t)name, (uintptr_t)key_of(d, place));
	struct ms_diff_item *item = &d->codes.at.at[i];

	item->keys[0] = item->keys[1] = name;
	item->keys[2] = plain_code(d, code->name);
	item->name[r->side] = code->name;
	item->is_mpi_waiting |= role == MS_SUMMARY_MPI_WAITING;
	*ms_vec_add(&r->codes) = i;
}

static void note_codes(struct ms_diff_builder *d, struct ms_diff_run *r)
{
	const struct ms_run *run = r->run;
	enum ms_summary_mpi *roles = ms_alloc((run->codes.n + 1) * sizeof(*roles));

	ms_summary_find_mpi(run, roles);
	for (size_t i = 0; i < run->codes.n; i++)
		note_code(d, r, &run->codes.at[i], roles[i]);
	ms_free(roles);
}

/* --- data --- */

/* The type, and how it was allocated without what it was called: a variable may be renamed. */
static const char *path_key(struct ms_diff_builder *d, const struct ms_run_data *data,
			    const char *key)
{
	const char *path = strstr(key, " < ");
	struct ms_text text = MS_TEXT_INIT;

	if (data->type == NULL || path == NULL)
		return NULL;
	ms_text_addf(&text, "%s%s", data->type, path);
	const char *made = key_of(d, text.at);
	ms_text_free(&text);
	return made;
}

/* Its name and type: it may be allocated in another way. */
static const char *name_key(struct ms_diff_builder *d, const struct ms_run_data *data)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_run_data_plain_name(&text, data);
	ms_text_addf(&text, " : %s", data->type != NULL ? data->type : "");
	const char *made = key_of(d, text.at);
	ms_text_free(&text);
	return made;
}

static void note_data(struct ms_diff_builder *d, struct ms_diff_run *r)
{
	struct ms_run_keys keys;

	ms_run_keys_make(&keys, r->run);
	for (size_t k = 0; k < r->run->data.n; k++) {
		const struct ms_run_data *data = &r->run->data.at[k];
		const char *key = key_of(d, data->key != NULL ? data->key : keys.at[k]);
		uint32_t i = ms_diff_item(d, &d->data, (uintptr_t)key, 0);
		struct ms_diff_item *item = &d->data.at.at[i];

		item->keys[0] = key;
		item->keys[1] = path_key(d, data, key);
		item->keys[2] = name_key(d, data);
		item->name[r->side] = data->name;
		item->type = data->type;
		*ms_vec_add(&r->data) = i;
	}
	ms_run_keys_free(&keys);
}

/* --- what is left over --- */

/* How many items of each side have a key, and the last of them. */
struct key_holders {
	uint32_t n[2];
	uint32_t item[2];
};

static bool is_alone(const struct ms_diff_item *item)
{
	return (item->name[0] == NULL) != (item->name[1] == NULL) && item->same_as == MS_NONE;
}

/* The item of before takes in the one of after. */
static void join(struct ms_diff_items *items, const struct key_holders *h)
{
	struct ms_diff_item *before = &items->at.at[h->item[0]];
	struct ms_diff_item *after = &items->at.at[h->item[1]];

	if (!is_alone(before) || !is_alone(after))
		return;
	before->name[1] = after->name[1];
	before->type = after->type;
	before->is_mpi_waiting |= after->is_mpi_waiting;
	after->same_as = h->item[0];
}

static void match_by(struct ms_diff_items *items, unsigned kind)
{
	struct ms_map map = MS_MAP_INIT;
	MS_VEC(struct key_holders) all = MS_VEC_INIT;

	for (uint32_t i = 0; i < items->at.n; i++) {
		const struct ms_diff_item *item = &items->at.at[i];
		unsigned side = item->name[0] == NULL;

		if (!is_alone(item) || item->keys[kind] == NULL)
			continue;
		uint32_t *slot = ms_map_at(&map, (uintptr_t)item->keys[kind], 0);
		if (*slot == MS_MAP_NONE) {
			*slot = (uint32_t)all.n;
			ms_vec_add(&all);
		}
		all.at[*slot].n[side]++;
		all.at[*slot].item[side] = i;
	}
	for (size_t i = 0; i < all.n; i++)
		if (all.at[i].n[0] == 1 && all.at[i].n[1] == 1)
			join(items, &all.at[i]);
	ms_vec_free(&all);
	ms_map_free(&map);
}

void ms_diff_match_items(struct ms_diff_builder *d)
{
	for (size_t i = 0; i < d->runs.n; i++) {
		struct ms_diff_run *r = &d->runs.at[i];

		note_codes(d, r);
		note_data(d, r);
	}
	for (unsigned kind = 1; kind < 3; kind++) {
		match_by(&d->codes, kind);
		match_by(&d->data, kind);
	}
}
