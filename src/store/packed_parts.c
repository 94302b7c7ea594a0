#include "store/packed_parts.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "store/packed_evictions.h"

static void set_fields(struct ms_store_parts *parts, const struct ms_run_table *cells)
{
	size_t n = 0;

	while (cells->fields[n].column != NULL)
		n++;
	assert(n + 2 <= MS_PARTS_FIELDS);
	memcpy(parts->fields, cells->fields, n * sizeof(*cells->fields));
	parts->fields[n] =
		(struct ms_run_field){ "parts", MS_FIELD_MAYBE_TEXT,
				       offsetof(struct ms_store_parts_row, parts), 0, NULL };
	parts->stored = *cells;
	parts->stored.size = sizeof(struct ms_store_parts_row);
	parts->stored.fields = parts->fields;
}

/* The parts of the cell, which are next from *at on. 0: there are none; else 1 + their start. */
static size_t add_text(struct ms_text *text, const struct ms_run *run, size_t cell, size_t *at)
{
	size_t begin = text->n;

	for (; *at < run->sampled_references.n; ++*at) {
		const struct ms_run_sampled_reference *r = &run->sampled_references.at[*at];

		if (r->cell != cell)
			break;
		ms_store_packed_add(text, text->n == begin, r->part, r->references);
	}
	if (text->n == begin)
		return 0;
	ms_store_packed_add_end(text);
	return 1 + begin;
}

void ms_store_parts_make(struct ms_store_parts *parts, const struct ms_run *run,
			 const struct ms_run_table *cells)
{
	size_t *begins = ms_alloc((run->cells.n + 1) * sizeof(*begins));
	size_t at = 0;

	*parts = (struct ms_store_parts){ .text = MS_TEXT_INIT };
	set_fields(parts, cells);
	for (size_t i = 0; i < run->cells.n; i++)
		begins[i] = add_text(&parts->text, run, i, &at);
	/* Pointers are set only now, because the text has moved while it grew. */
	ms_vec_reserve(&parts->rows, run->cells.n);
	for (size_t i = 0; i < run->cells.n; i++)
		*ms_vec_add(&parts->rows) = (struct ms_store_parts_row){
			run->cells.at[i], begins[i] != 0 ? parts->text.at + begins[i] - 1 : NULL
		};
	ms_free(begins);
}

void ms_store_parts_free(struct ms_store_parts *parts)
{
	ms_text_free(&parts->text);
	ms_vec_free(&parts->rows);
}
