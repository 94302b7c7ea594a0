/* analysis/members/members.c - see members.h. */
#include "analysis/members/members_priv.h"

#include <string.h>

#include "base/text.h"

bool ms_members_are_known(const struct ms_run *run, uint32_t data)
{
	for (size_t i = 0; i < run->members.n; i++)
		if (run->members.at[i].data == data)
			return true;
	return false;
}

bool ms_members_are_observed(const struct ms_run *run, uint32_t data)
{
	for (size_t i = 0; i < run->line_uses.n; i++)
		if (run->cells.at[run->line_uses.at[i].cell].data == data)
			return true;
	return false;
}

/* --- layout --- */

static void add_padding(struct ms_members *members, uint32_t from, uint32_t to)
{
	if (to > from)
		*ms_vec_add(&members->rows) = (struct ms_members_row){ .offset = from,
								       .size = to - from,
								       .partner = MS_NONE };
}

/* Members of the header come first, with its size instead of that of an element. */
static void find_header(struct ms_members *members)
{
	const struct ms_run *run = members->run;
	uint32_t first = 0;

	for (size_t i = 0; i < run->members.n; i++) {
		const struct ms_run_member *member = &run->members.at[i];

		if (member->data != members->data)
			continue;
		if (first == 0)
			first = member->element;
		members->element = member->element;
		if (member->offset >= first)
			members->header = first;
	}
}

/* Members are sorted by offset; bit fields can share bytes. */
static void list_layout(struct ms_members *members)
{
	const struct ms_run *run = members->run;
	uint32_t end = 0;

	find_header(members);

	for (size_t i = 0; i < run->members.n; i++) {
		const struct ms_run_member *member = &run->members.at[i];

		if (member->data != members->data)
			continue;
		if (end < members->header && member->offset >= members->header) {
			add_padding(members, end, members->header);
			end = members->header;
		}
		add_padding(members, end, member->offset);
		*ms_vec_add(&members->rows) = (struct ms_members_row){ .offset = member->offset,
								       .size = member->size,
								       .name = member->name,
								       .type = member->type,
								       .partner = MS_NONE };
		if (member->offset + member->size > end)
			end = member->offset + member->size;
	}
	add_padding(members, end, members->header + members->element);
}

/* --- accesses --- */

struct ms_members_cost ms_members_find_cost(const struct ms_summary *summary, uint32_t number)
{
	const struct ms_run *run = summary->run;
	const struct ms_run_cell *cell = &run->cells.at[number];
	size_t from = 0, to = run->misses.n, n = 0;
	struct ms_members_cost cost = { 0, 0, 0 };

	while (from < to) {
		size_t middle = (from + to) / 2;

		if (run->misses.at[middle].cell < number)
			from = middle + 1;
		else
			to = middle;
	}
	while (from + n < run->misses.n && run->misses.at[from + n].cell == number) {
		const struct ms_run_miss *miss = &run->misses.at[from + n++];

		if (miss->level == 0)
			cost.first_misses += (double)ms_summary_miss_count(miss);
		if (miss->level + 1 == run->levels.n)
			cost.last_misses += (double)ms_summary_miss_count(miss);
	}
	cost.stall =
		(double)ms_summary_cost_cell(&summary->cost, cell, run->misses.at + from, n).cycles;
	return cost;
}

static bool overlaps(const struct ms_members_row *row, const struct ms_run_member_access *access)
{
	return row->name != NULL && row->offset < access->offset + access->size &&
	       access->offset < row->offset + row->size;
}

static uint32_t count_common_bytes(const struct ms_members_row *row,
				   const struct ms_run_member_access *access)
{
	uint32_t from = row->offset > access->offset ? row->offset : access->offset,
		 row_end = row->offset + row->size, end = access->offset + access->size;

	return (row_end < end ? row_end : end) - from;
}

static void add_access(struct ms_members *members, const struct ms_run_member_access *access,
		       uint32_t kind, const struct ms_members_cost *cost, double share)
{
	double touched = 0;

	for (size_t i = 0; i < members->rows.n; i++)
		touched += overlaps(&members->rows.at[i], access);
	for (size_t i = 0; i < members->rows.n; i++) {
		struct ms_members_row *row = &members->rows.at[i];

		if (!overlaps(row, access))
			continue;
		row->reads += kind != MS_SITE_WRITE ? access->references : 0;
		row->writes +=
			kind == MS_SITE_WRITE || kind == MS_SITE_MODIFY ? access->references : 0;
		row->bytes += access->references * count_common_bytes(row, access);
		row->first_misses += cost->first_misses * share / touched;
		row->last_misses += cost->last_misses * share / touched;
		row->stall += cost->stall * share / touched;
		members->stall += cost->stall * share / touched;
	}
}

static void add_accesses(struct ms_members *members, const struct ms_summary *summary)
{
	const struct ms_run *run = members->run;

	for (size_t i = 0; i < run->member_accesses.n; i++) {
		const struct ms_run_member_access *access = &run->member_accesses.at[i];
		const struct ms_run_cell *cell = &run->cells.at[access->cell];

		if (cell->data != members->data || cell->references == 0)
			continue;
		struct ms_members_cost cost = ms_members_find_cost(summary, access->cell);

		add_access(members, access, run->sites.at[cell->site].kind, &cost,
			   access->references / (double)cell->references);
	}
}

static void count_access(const struct ms_members *members,
			 const struct ms_run_member_access *access, double *references)
{
	for (size_t k = 0; k < members->rows.n; k++)
		if (overlaps(&members->rows.at[k], access))
			references[k] += access->references;
}

void ms_members_count_in_cells(const struct ms_members *members, const bool *is_chosen,
			       double *references)
{
	const struct ms_run *run = members->run;

	for (size_t i = 0; i < run->member_accesses.n; i++)
		if (is_chosen[run->member_accesses.at[i].cell])
			count_access(members, &run->member_accesses.at[i], references);
}

void ms_members_count_in_code(const struct ms_members *members, uint32_t code, double *references)
{
	const struct ms_run *run = members->run;

	for (size_t i = 0; i < run->member_accesses.n; i++) {
		const struct ms_run_cell *cell = &run->cells.at[run->member_accesses.at[i].cell];

		if (cell->data == members->data &&
		    run->lines.at[run->sites.at[cell->site].line].code == code)
			count_access(members, &run->member_accesses.at[i], references);
	}
}

/* --- threads --- */

static void add_thread(struct ms_members *members, const struct ms_run_member_thread *t,
		       uint32_t kind)
{
	const struct ms_run_member_access access = { t->cell, t->offset, t->size, t->references };
	size_t size = members->run->threads.n * sizeof(double);

	for (size_t i = 0; i < members->rows.n; i++) {
		struct ms_members_row *row = &members->rows.at[i];

		if (!overlaps(row, &access))
			continue;
		if (row->thread_reads == NULL) {
			row->thread_reads = ms_arena_take(&members->arena, size);
			row->thread_writes = ms_arena_take(&members->arena, size);
		}
		row->thread_reads[t->thread] += kind != MS_SITE_WRITE ? t->references : 0;
		row->thread_writes[t->thread] +=
			kind == MS_SITE_WRITE || kind == MS_SITE_MODIFY ? t->references : 0;
	}
}

static void add_threads(struct ms_members *members)
{
	const struct ms_run *run = members->run;

	for (size_t i = 0; i < run->member_threads.n; i++) {
		const struct ms_run_member_thread *t = &run->member_threads.at[i];
		const struct ms_run_cell *cell = &run->cells.at[t->cell];

		if (cell->data == members->data && cell->references > 0)
			add_thread(members, t, run->sites.at[cell->site].kind);
	}
}

const char *ms_members_list_threads(const struct ms_members *members, const double *references,
				    struct ms_arena *arena)
{
	size_t n = references != NULL ? members->run->threads.n : 0;
	struct ms_text text = MS_TEXT_INIT;

	for (size_t from = 0, to; from < n; from = to + 1) {
		for (to = from; to < n && references[to] > 0;)
			to++;
		if (to > from)
			ms_text_addf(&text, "%s%zu", text.n > 0 ? "," : "", from);
		if (to > from + 1)
			ms_text_addf(&text, "%s%zu", to > from + 2 ? "-" : ",", to - 1);
	}
	const char *list = ms_arena_strdup(arena, ms_text_get(&text));

	ms_text_free(&text);
	return list;
}

/* --- sharing --- */

static uint32_t find_offset(const struct ms_members *members, uint64_t object)
{
	uint32_t header = members->header;

	return object < header ? (uint32_t)object
			       : header + (uint32_t)((object - header) % members->element);
}

/* memspy sharing has the same rows. */
static void add_sharing(struct ms_members *members)
{
	const struct ms_run *run = members->run;

	for (size_t i = 0; i < run->sharing.n && members->element > 0; i++) {
		const struct ms_run_sharing *s = &run->sharing.at[i];
		const struct ms_run_member_access access = {
			.offset = find_offset(members, s->object), .size = 1
		};

		if (run->cells.at[s->cell].data != members->data || s->object == MS_NO_OFFSET)
			continue;
		for (size_t k = 0; k < members->rows.n; k++)
			if (overlaps(&members->rows.at[k], &access)) {
				members->rows.at[k].truly += s->truly;
				members->rows.at[k].falsely += s->falsely;
				break; /* of bit-fields, the first one */
			}
	}
}

void ms_members_make(struct ms_members *members, const struct ms_summary *summary, uint32_t data)
{
	*members = (struct ms_members){ .run = summary->run, .data = data, .arena = MS_ARENA_INIT };
	list_layout(members);
	add_accesses(members, summary);
	add_threads(members);
	add_sharing(members);
	ms_members_add_pairs(members, summary);
}

static bool is_above(const struct ms_members_row *a, const struct ms_members_row *b)
{
	double x = a->reads + a->writes, y = b->reads + b->writes;

	if (a->stall != b->stall)
		return a->stall > b->stall;
	if (x != y)
		return x > y;
	return (a->name != NULL) != (b->name != NULL) ? a->name != NULL : a < b;
}

/* Rows stay in the order of the layout, to which partners refer. */
void ms_members_limit(struct ms_members *members, size_t top)
{
	for (size_t i = 0; i < members->rows.n; i++) {
		struct ms_members_row *row = &members->rows.at[i];
		size_t above = 0;

		for (size_t k = 0; k < members->rows.n; k++)
			above += is_above(&members->rows.at[k], row);
		row->hidden = top != 0 && above >= top;
		members->hidden += row->hidden;
	}
}

void ms_members_free(struct ms_members *members)
{
	ms_vec_free(&members->rows);
	ms_vec_free(&members->pairs);
	ms_arena_free(&members->arena);
}
