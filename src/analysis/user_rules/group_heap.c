/*
 * analysis/user_rules/group_heap.c - groups heap data by type or by allocating function: for
 * programs that allocate from thousands of call paths, none of which matters by itself.
 */
#include "analysis/user_rules/rules_priv.h"
#include "base/map.h"
#include "base/mem.h"

/*
 * "Node.*", all data of this type; "insert()", all data that this function allocates. Data whose
 * type is not known is grouped by function.
 */
static bool add_group_name(struct ms_text *out, const struct ms_run_data *data,
			   enum ms_rules_group by)
{
	if (data->kind != MS_DATA_HEAP)
		return false;
	if (by == MS_RULES_BY_TYPE && data->type != NULL) {
		ms_text_addf(out, "%s.*", data->type);
		return true;
	}
	if (!ms_run_data_function(out, data))
		return false;
	ms_text_add(out, "()");
	return true;
}

const char *ms_rules_group_name(struct ms_names *names, const struct ms_run_data *data,
				enum ms_rules_group by)
{
	struct ms_text text = MS_TEXT_INIT;
	const char *name = NULL;

	if (add_group_name(&text, data, by))
		name = ms_intern(names, text.at);
	ms_text_free(&text);
	return name;
}

void ms_rules_group_heap(struct ms_run *run, enum ms_rules_group by)
{
	uint32_t *group = ms_rules_single_groups(run->data.n);
	struct ms_names names = MS_NAMES_INIT;
	struct ms_map first = MS_MAP_INIT;
	bool any = false;

	for (uint32_t i = 0; i < run->data.n; i++) {
		const char *name = ms_rules_group_name(&names, &run->data.at[i], by);
		uint32_t *holder = name != NULL ? ms_map_at(&first, (uintptr_t)name, 0) : NULL;

		if (holder == NULL)
			continue;
		if (*holder == MS_MAP_NONE) {
			*holder = i;
			continue;
		}
		/* A group of one keeps its name. */
		group[i] = *holder;
		run->data.at[*holder].name = run->data.at[*holder].key =
			ms_arena_strdup(&run->arena, name);
		any = true;
	}
	if (any)
		ms_rules_combine_data(run, group);
	ms_map_free(&first);
	ms_names_free(&names);
	ms_free(group);
}
