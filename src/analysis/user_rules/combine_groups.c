/* analysis/user_rules/combine_groups.c - data or code of a run that shall be one. */
#include <stdlib.h>
#include <string.h>

#include "analysis/user_rules/rules_priv.h"
#include "base/map.h"
#include "base/mem.h"
#include "run/regroup.h"

enum { NAMED = 8 };

uint32_t *ms_rules_single_groups(size_t n)
{
	uint32_t *group = ms_alloc((n + 1) * sizeof(*group));

	for (uint32_t i = 0; i < n; i++)
		group[i] = i;
	return group;
}

/* `from` joins `to`. */
static void join(struct ms_run_data *to, const struct ms_run_data *from)
{
	if (to->kind != from->kind) {
		to->kind = MS_DATA_GROUP;
		to->reason = NULL;
	}
	if (to->type != NULL && (from->type == NULL || strcmp(to->type, from->type) != 0))
		to->type = NULL;
	to->objects += from->objects;
	to->bytes += from->bytes;
	to->peak_bytes += from->peak_bytes;
	if (from->largest > to->largest)
		to->largest = from->largest;
}

/* "3 data together: A; B; C", by their full names. */
static void list_members(struct ms_run *run, const uint32_t *group)
{
	size_t n = run->data.n;
	struct ms_text *lists = ms_alloc((n + 1) * sizeof(*lists));
	uint32_t *count = ms_alloc((n + 1) * sizeof(*count));

	for (uint32_t i = 0; i < n; i++)
		if (count[group[i]]++ < NAMED)
			ms_text_addf(&lists[group[i]], "%s%s", lists[group[i]].n > 0 ? "; " : "",
				     run->data.at[i].full_name);
	for (uint32_t i = 0; i < n; i++) {
		if (count[i] > NAMED)
			ms_text_addf(&lists[i], "; and %u more", count[i] - NAMED);
		if (count[i] > 1)
			run->data.at[i].full_name = ms_arena_printf(
				&run->arena, "%u data together: %s", count[i], lists[i].at);
		ms_text_free(&lists[i]);
	}
	ms_free(lists);
	ms_free(count);
}

void ms_rules_combine_data(struct ms_run *run, const uint32_t *group)
{
	list_members(run, group);
	for (uint32_t i = 0; i < run->data.n; i++)
		if (group[i] != i)
			join(&run->data.at[group[i]], &run->data.at[i]);
	ms_run_regroup(run, &(struct ms_run_groups){ .data = group });
}

/* The first line of the code, and the first site of its kind, stand for all. */
static uint32_t *group_lines(struct ms_run *run, const uint32_t *group, const bool *whole)
{
	uint32_t *lines = ms_rules_single_groups(run->lines.n);
	struct ms_map first = MS_MAP_INIT;

	for (uint32_t i = 0; i < run->lines.n; i++) {
		struct ms_run_line *line = &run->lines.at[i];
		uint32_t code = group[line->code], *slot;

		if (!whole[code])
			continue;
		slot = ms_map_at(&first, code, 0);
		if (*slot == MS_MAP_NONE) {
			*slot = i;
			line->file = NULL;
			line->line = 0;
		}
		lines[i] = *slot;
	}
	ms_map_free(&first);
	return lines;
}

static uint32_t *group_sites(struct ms_run *run, const uint32_t *lines, const uint32_t *group,
			     const bool *whole)
{
	uint32_t *sites = ms_rules_single_groups(run->sites.n);
	struct ms_map first = MS_MAP_INIT;

	for (uint32_t i = 0; i < run->sites.n; i++) {
		struct ms_run_site *site = &run->sites.at[i];
		uint32_t *slot;

		if (!whole[group[run->lines.at[site->line].code]])
			continue;
		slot = ms_map_at(&first, lines[site->line], site->kind);
		if (*slot == MS_MAP_NONE) {
			*slot = i;
			site->size = 0;
			site->offset = 0;
			site->inlined = NULL;
		}
		sites[i] = *slot;
	}
	ms_map_free(&first);
	return sites;
}

void ms_rules_combine_code(struct ms_run *run, const uint32_t *group, const bool *whole)
{
	uint32_t *lines = group_lines(run, group, whole);
	uint32_t *sites = group_sites(run, lines, group, whole);

	ms_run_regroup(run,
		       &(struct ms_run_groups){ .codes = group, .lines = lines, .sites = sites });
	ms_free(lines);
	ms_free(sites);
}
