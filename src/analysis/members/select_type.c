/* analysis/members/select_type.c - the data that a name means, which may be that of their type. */
#include <stdlib.h>
#include <string.h>

#include "analysis/members/members_priv.h"
#include "analysis/summary/select.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/num.h"

static struct ms_summary_entry *entry_at(struct ms_summary_entries *types, const char *name)
{
	for (size_t i = 0; i < types->at.n; i++)
		if (strcmp(types->at.at[i].name, name) == 0)
			return &types->at.at[i];
	struct ms_summary_entry *entry = ms_vec_add(&types->at);
	*entry = (struct ms_summary_entry){ .kind = MS_ENTRY_DATA,
					    .name = name,
					    .data = (uint32_t)types->at.n - 1 };
	return entry;
}

static int compare_stall(const void *a, const void *b)
{
	const struct ms_summary_entry *x = a, *y = b;
	int order =
		ms_cmp_u64(ms_summary_rw_sum(y->counts.stall), ms_summary_rw_sum(x->counts.stall));

	return order != 0 ? order : ms_cmp_u64(x->data, y->data);
}

/* "Box" of "std::vector<Box>": what a container of the library holds; NULL: it is none. */
static const char *find_element(struct ms_arena *arena, const char *type)
{
	const char *first = strchr(type, '<'), *end;
	unsigned depth = 0;

	if (first == NULL || strncmp(type, "std::", 5) != 0)
		return NULL;
	for (end = ++first; *end != '\0' && (depth > 0 || (*end != ',' && *end != '>')); end++)
		depth += (unsigned)(*end == '<') - (unsigned)(*end == '>');
	return *end != '\0' ? ms_arena_strndup(arena, first, (size_t)(end - first)) : NULL;
}

/*
 * The types of all data, and of what containers hold, with their stall, the costliest first, as if
 * each was one data structure.
 */
static void list_types(struct ms_summary_entries *types, const struct ms_summary *s,
		       struct ms_arena *arena)
{
	*types = (struct ms_summary_entries){ .are_data = true };
	for (size_t i = 0; i < s->data.at.n; i++) {
		const struct ms_summary_entry *data = &s->data.at.at[i];
		const char *type = s->run->data.at[data->data].type,
			   *names[] = { type, type != NULL ? find_element(arena, type) : NULL };

		for (size_t n = 0; n < MS_COUNT(names) && names[n] != NULL; n++)
			for (int k = 0; k < MS_RW; k++)
				entry_at(types, names[n])->counts.stall[k] += data->counts.stall[k];
	}
	if (types->at.n > 1)
		qsort(types->at.at, types->at.n, sizeof(*types->at.at), compare_stall);
}

/* Whether the name means a type: it fits one as well as any data, and is not just part of it. */
static bool is_type(const struct ms_summary_entries *types, const struct ms_summary *s,
		    const char *name)
{
	enum ms_summary_match match = ms_summary_rank(types, name);

	return match < MS_MATCH_PART && match <= ms_summary_rank(&s->data, name);
}

static bool is_of_type(struct ms_arena *arena, const char *type, const char *name)
{
	const char *element = type != NULL ? find_element(arena, type) : NULL;

	return type != NULL &&
	       (strcmp(type, name) == 0 || (element != NULL && strcmp(element, name) == 0));
}

static int select_of_types(const struct ms_summary_entries *types, const struct ms_run *run,
			   const char *name, struct ms_arena *arena, bool *chosen,
			   struct ms_text *remarks, struct ms_err *err)
{
	bool *of = ms_alloc((types->at.n + 1) * sizeof(*of));
	int code = ms_summary_select(types, &name, 1, of, remarks, err);

	for (size_t t = 0; t < types->at.n && code == MS_OK; t++)
		for (size_t i = 0; i < run->data.n && of[types->at.at[t].data]; i++)
			chosen[i] |= is_of_type(arena, run->data.at[i].type, types->at.at[t].name);
	ms_free(of);
	return code;
}

/* Types are stored without the keyword of C: "node" of "struct node". */
static const char *without_keyword(const char *name)
{
	static const char *const keywords[] = { "struct ", "class ", "union ", "enum " };

	for (size_t i = 0; i < MS_COUNT(keywords); i++)
		if (strncmp(name, keywords[i], strlen(keywords[i])) == 0)
			return name + strlen(keywords[i]);
	return name;
}

int ms_members_select(const struct ms_summary *summary, const char *name, bool *chosen,
		      struct ms_text *remarks, struct ms_err *err)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_summary_entries types;

	list_types(&types, summary, &arena);
	const char *type =
		ms_summary_rank(&types, name) < MS_MATCH_PART ? name : without_keyword(name);
	int code =
		is_type(&types, summary, type)
			? select_of_types(&types, summary->run, type, &arena, chosen, remarks, err)
			: ms_summary_select(&summary->data, &name, 1, chosen, remarks, err);
	ms_vec_free(&types.at);
	ms_arena_free(&arena);
	return code;
}
