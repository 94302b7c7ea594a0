/* views/json/members.c - the members of data structures as JSON. */
#include "views/members.h"

#include "base/json.h"
#include "views/json/parts.h"
#include "views/json/report.h"

static void put_threads(struct ms_json *j, const char *key, const struct ms_members *m,
			const double *references)
{
	ms_json_array(j, key);
	for (size_t i = 0; i < m->run->threads.n; i++) {
		if (references[i] <= 0)
			continue;
		ms_json_object(j, NULL);
		ms_json_u64(j, "thread", i);
		ms_json_real(j, "references", references[i]);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void put_pairs(struct ms_json *j, const struct ms_members *m)
{
	ms_json_array(j, "pairs");
	for (size_t i = 0; i < m->pairs.n; i++) {
		const struct ms_members_pair *pair = &m->pairs.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "member", m->rows.at[pair->a].name);
		ms_json_text(j, "other", m->rows.at[pair->b].name);
		ms_json_real(j, "share", pair->share);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void put_row(struct ms_json *j, const struct ms_members *m, const struct ms_members_row *row)
{
	ms_json_object(j, NULL);
	ms_json_u64(j, "offset", row->offset);
	ms_json_u64(j, "size", row->size);
	if (row->name == NULL) {
		ms_json_end(j);
		return;
	}
	ms_json_text(j, "name", row->name);
	ms_json_text(j, "type", row->type);
	ms_json_real(j, "reads", row->reads);
	ms_json_real(j, "writes", row->writes);
	ms_json_real(j, "bytes", row->bytes);
	ms_json_real(j, "first_misses", row->first_misses);
	ms_json_real(j, "last_misses", row->last_misses);
	ms_json_real(j, "stall", row->stall);
	if (row->partner != MS_NONE) {
		ms_json_text(j, "used_with", m->rows.at[row->partner].name);
		ms_json_real(j, "used_with_share", row->together);
	}
	if (row->group != 0)
		ms_json_u64(j, "group", row->group);
	if (row->thread_reads != NULL) {
		put_threads(j, "readers", m, row->thread_reads);
		put_threads(j, "writers", m, row->thread_writes);
	}
	if (m->run->processors > 1) {
		ms_json_u64(j, "true_sharing", row->truly);
		ms_json_u64(j, "false_sharing", row->falsely);
	}
	ms_json_end(j);
}

void ms_views_json_members(const struct ms_summary *summary, const struct ms_members *members,
			   size_t n, const struct ms_views_options *options, FILE *out)
{
	struct ms_json j;

	(void)options;
	ms_views_json_begin(&j, out);
	ms_views_json_run_object(&j, summary);
	ms_json_array(&j, "data");
	for (size_t i = 0; i < n; i++) {
		ms_json_object(&j, NULL);
		ms_json_text(&j, "name", summary->run->data.at[members[i].data].name);
		ms_json_u64(&j, "element", members[i].element);
		ms_json_u64(&j, "header", members[i].header);
		ms_json_real(&j, "stall", members[i].stall);
		ms_json_array(&j, "members");
		for (size_t k = 0; k < members[i].rows.n; k++)
			if (!members[i].rows.at[k].hidden)
				put_row(&j, &members[i], &members[i].rows.at[k]);
		ms_json_end(&j);
		put_pairs(&j, &members[i]);
		ms_json_end(&j);
	}
	ms_json_end(&j);
	ms_json_end(&j);
}
