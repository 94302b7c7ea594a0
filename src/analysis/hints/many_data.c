/*
 * analysis/hints/many_data.c - most of the stall time is in heap data that matters little by
 * itself: a compiler allocates from tens of thousands of call paths. The hint names the types and
 * the allocating functions that have most of it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hints/hints_priv.h"
#include "analysis/summary/rounded_shares.h"
#include "analysis/user_rules/rules.h"
#include "base/map.h"
#include "base/num.h"
#include "base/vec.h"

/* Of the stall time: the most of one data structure, and the least of all such data. */
#define LARGEST_SHARE 0.01
#define LEAST_SHARE   0.3
enum { LEAST_DATA = 100, MOST_GROUPS = 3 };

struct stall_group {
	const char *name;
	uint64_t stall;
};

struct group_sums {
	struct ms_names names;
	struct ms_map of;
	MS_VEC(struct stall_group) at;
};

static bool is_small(const struct ms_summary *s, const struct ms_summary_entry *e)
{
	return s->run->data.at[e->data].kind == MS_DATA_HEAP &&
	       ms_summary_share(ms_summary_rw_sum(e->counts.stall),
				ms_summary_rw_sum(s->total.counts.stall)) < LARGEST_SHARE;
}

static void add_stall(struct group_sums *g, const char *name, uint64_t stall)
{
	uint32_t *slot = name != NULL ? ms_map_at(&g->of, (uintptr_t)name, 0) : NULL;

	if (slot == NULL)
		return;
	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)g->at.n;
		*ms_vec_add(&g->at) = (struct stall_group){ name, 0 };
	}
	g->at.at[*slot].stall += stall;
}

static int compare_groups(const void *a, const void *b)
{
	const struct stall_group *x = a, *y = b;
	int order = ms_cmp_u64(y->stall, x->stall);

	return order != 0 ? order : strcmp(x->name, y->name);
}

/* "Node.* 30.1%, Edge.* 12.0%": the largest groups of small data. */
static void add_groups(struct ms_text *out, const struct ms_summary *s, enum ms_rules_group by)
{
	uint64_t all = ms_summary_rw_sum(s->total.counts.stall);
	struct group_sums g = { .names = MS_NAMES_INIT, .of = MS_MAP_INIT };

	for (size_t i = 0; i < s->data.at.n; i++) {
		const struct ms_summary_entry *e = &s->data.at.at[i];

		if (is_small(s, e))
			add_stall(&g, ms_rules_group_name(&g.names, &s->run->data.at[e->data], by),
				  ms_summary_rw_sum(e->counts.stall));
	}
	if (g.at.n > 1)
		qsort(g.at.at, g.at.n, sizeof(*g.at.at), compare_groups);
	for (size_t i = 0; i < g.at.n && i < MOST_GROUPS; i++) {
		uint32_t tenths = ms_summary_share_tenths(g.at.at[i].stall, all);

		ms_text_addf(out, "%s%s %" PRIu32 ".%" PRIu32 "%%", i > 0 ? ", " : "",
			     g.at.at[i].name, tenths / 10, tenths % 10);
	}
	ms_vec_free(&g.at);
	ms_map_free(&g.of);
	ms_names_free(&g.names);
}

void ms_hints_add_many_data(struct ms_text *out, const struct ms_summary *s)
{
	uint64_t all = ms_summary_rw_sum(s->total.counts.stall), small = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->data.at.n; i++)
		if (is_small(s, &s->data.at.at[i])) {
			small += ms_summary_rw_sum(s->data.at.at[i].counts.stall);
			n++;
		}
	if (n < LEAST_DATA || ms_summary_share(small, all) < LEAST_SHARE)
		return;
	uint32_t tenths = ms_summary_share_tenths(small, all);
	ms_text_addf(out,
		     "%zu heap data structures with less than 1%% each have %" PRIu32 ".%" PRIu32
		     "%% of the stall time. By type: ",
		     n, tenths / 10, tenths % 10);
	add_groups(out, s, MS_RULES_BY_TYPE);
	ms_text_add(out, ". By allocating function: ");
	add_groups(out, s, MS_RULES_BY_FUNCTION);
	ms_text_add(out, ". --group type or --group function shows such groups in every report.");
}
