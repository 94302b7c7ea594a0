/*
 * name/sharing.c - adds invalidated lines to the run: the engine's addresses become offsets in
 * objects, and names of members where debug information has the type.
 */
#include "base/map.h"
#include "base/text.h"
#include "name/name_priv.h"

struct fields {
	const struct ms_name_state *naming;
	struct ms_bins *binder;
	const struct ms_engine_totals *totals;
	const struct ms_run *run;
	struct ms_names *names;
	struct ms_map types; /* data -> known */
	MS_VEC(struct ms_name_type) known;
	struct ms_map seen; /* (data, offset) -> members */
	MS_VEC(const char *) members;
};

/* bound: the binder's number; data: the run's. */
static const struct ms_name_type *type_of(struct fields *f, uint32_t bound, uint32_t data)
{
	uint32_t *slot = ms_map_at(&f->types, bound, 0);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)f->known.n;
		*ms_vec_add(&f->known) =
			ms_name_find_type(f->binder, bound, &f->run->data.at[data]);
	}
	return &f->known.at[*slot];
}

static const char *make_member(struct fields *f, const struct ms_name_type *type, uint32_t data,
			       uint64_t offset)
{
	struct ms_name_header header = ms_name_get_header(f->naming, data);
	struct ms_text text = MS_TEXT_INIT;
	const char *name = NULL;
	bool before = offset < header.bytes;
	uint64_t skipped = header.is_typed ? 0 : header.bytes;
	uint64_t room = header.is_typed ? 0 : type->room - header.bytes;

	/* Elements of a flexible array have no names here. */
	if (header.is_known && header.bytes > 0 && before != header.is_typed)
		return NULL;
	if (type->module != NULL && header.is_known &&
	    ms_symbols_module_member(type->module, type->type, offset - skipped, room, &text) &&
	    text.n > 0)
		name = ms_intern(f->names, text.at);
	ms_text_free(&text);
	return name;
}

/* The member of a cell's data; NULL: not known, or the data has none. */
static const char *member(struct fields *f, uint32_t cell, uint64_t offset)
{
	uint32_t bound = f->totals->cells.at[cell].data, data = f->run->cells.at[cell].data;

	if (offset == MS_NO_OFFSET)
		return NULL;
	uint32_t *slot = ms_map_at(&f->seen, bound, offset);
	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)f->members.n;
		*ms_vec_add(&f->members) = make_member(f, type_of(f, bound, data), data, offset);
	}
	return f->members.at[*slot];
}

/* How far into its object a byte lies. */
static uint64_t object_offset(uint64_t line, uint32_t offset, uint64_t object)
{
	bool known = line != UINT64_MAX && object != UINT64_MAX && line + offset >= object;

	return known ? line + offset - object : MS_NO_OFFSET;
}

void ms_name_add_sharing(struct ms_name_state *n, const struct ms_engine_totals *totals)
{
	struct ms_run *run = n->run;
	struct fields f = { .naming = n,
			    .binder = n->from.binder,
			    .totals = totals,
			    .run = run,
			    .names = &n->names };

	for (size_t i = 0; i < totals->sharing.n; i++) {
		const struct ms_engine_total_sharing *t = &totals->sharing.at[i];
		uint64_t object = object_offset(t->line, t->offset, t->object);
		uint64_t written = object_offset(t->line, t->writer_offset, t->writer_object);

		*ms_vec_add(&run->sharing) = (struct ms_run_sharing){
			.cell = t->cell,
			.writer = t->writer,
			.line = t->line == UINT64_MAX ? MS_NO_OFFSET : t->line,
			.offset = t->offset,
			.writer_offset = t->writer_offset,
			.object = object,
			.writer_object = written,
			.field = member(&f, t->cell, object),
			.writer_field = member(&f, t->writer, written),
			.truly = t->truly,
			.falsely = t->falsely,
			.peer = t->peer,
			.remote = t->remote,
		};
	}
	ms_map_free(&f.types);
	ms_map_free(&f.seen);
	ms_vec_free(&f.known);
	ms_vec_free(&f.members);
}
