/* views/html/members.c - members of data structures as tables of the page: their figures, and their
 * references by thread.
 */
#include "analysis/members/members.h"
#include "views/html/tables_priv.h"

/* References of a thread to a member. */
struct member_thread {
	uint32_t member; /* row of the table of members */
	uint32_t thread;
	double reads;
	double writes;
};

struct member_threads {
	MS_VEC(struct member_thread) at;
};

static void put_row(struct ms_html_packed *p, const struct ms_members *members, uint32_t data,
		    const struct ms_members_row *row)
{
	const double figures[] = { row->reads,       row->writes, row->first_misses,
				   row->last_misses, row->stall,  row->together };

	ms_html_packed_row(p);
	ms_html_packed_u64(p, data);
	ms_html_packed_u64(p, (uint64_t)members->header + members->element);
	ms_html_packed_u64(p, row->offset);
	ms_html_packed_u64(p, row->size);
	ms_html_packed_text(p, row->name);
	ms_html_packed_text(p, row->type);
	ms_html_packed_text(p,
			    row->partner != MS_NONE ? members->rows.at[row->partner].name : NULL);
	for (size_t i = 0; i < MS_COUNT(figures); i++)
		ms_html_packed_rounded(p, figures[i]);
	ms_html_packed_u64(p, row->group);
	ms_html_packed_u64(p, row->truly);
	ms_html_packed_u64(p, row->falsely);
}

static void add_threads(struct member_threads *threads, const struct ms_run *run,
			const struct ms_members_row *row, size_t member)
{
	for (uint32_t t = 0; t < run->threads.n && row->thread_reads != NULL; t++)
		if (threads->at.n < MS_HTML_MEMBER_THREADS &&
		    row->thread_reads[t] + row->thread_writes[t] > 0)
			*ms_vec_add(&threads->at) =
				(struct member_thread){ (uint32_t)member, t, row->thread_reads[t],
							row->thread_writes[t] };
}

static void put_threads(struct ms_html_packed *p, const struct member_threads *threads)
{
	static const char *const columns[] = { "member", "thread", "reads", "writes" };

	ms_html_packed_table(p, "member_threads");
	for (size_t i = 0; i < MS_COUNT(columns); i++)
		ms_html_packed_column(p, "%s", columns[i]);
	for (size_t i = 0; i < threads->at.n; i++) {
		ms_html_packed_row(p);
		ms_html_packed_u64(p, threads->at.at[i].member);
		ms_html_packed_u64(p, threads->at.at[i].thread);
		ms_html_packed_rounded(p, threads->at.at[i].reads);
		ms_html_packed_rounded(p, threads->at.at[i].writes);
	}
	ms_html_packed_end(p);
}

static void put_columns(struct ms_html_packed *p)
{
	static const char *const numbers[] = { "data", "element", "offset", "size" };
	static const char *const texts[] = { "name", "type", "used_with" };
	static const char *const figures[] = { "reads",       "writes",       "first_misses",
					       "last_misses", "stall",        "used_with_share",
					       "group",       "true_sharing", "false_sharing" };

	ms_html_packed_table(p, "members");
	for (size_t i = 0; i < MS_COUNT(numbers); i++)
		ms_html_packed_column(p, "%s", numbers[i]);
	for (size_t i = 0; i < MS_COUNT(texts); i++)
		ms_html_packed_texts(p, texts[i]);
	for (size_t i = 0; i < MS_COUNT(figures); i++)
		ms_html_packed_column(p, "%s", figures[i]);
}

void ms_html_put_members(struct ms_html_tables *t)
{
	const struct ms_summary *summary = t->s;
	struct ms_html_packed *p = &t->packed;
	size_t most = MS_HTML_MEMBERS >> t->wanted->shrink;
	struct member_threads threads = { MS_VEC_INIT };
	size_t n = 0;

	put_columns(p);
	for (uint32_t i = 0; i < summary->data.at.n && n < most; i++) {
		struct ms_members members;

		if (!ms_html_wants_data(t->wanted, i) ||
		    !ms_members_are_known(summary->run, summary->data.at.at[i].data))
			continue;
		ms_members_make(&members, summary, summary->data.at.at[i].data);
		for (size_t k = 0; k < members.rows.n && n < most; k++, n++) {
			put_row(p, &members, i, &members.rows.at[k]);
			add_threads(&threads, summary->run, &members.rows.at[k], n);
		}
		ms_members_free(&members);
	}
	ms_html_packed_end(p);
	put_threads(p, &threads);
	ms_vec_free(&threads.at);
}

/* Rows of one data are together, in the order of offsets; data in the order of the run, not of the
 * report. */
void ms_html_put_ranges(struct ms_html_tables *t)
{
	const struct ms_run *run = t->run;
	struct ms_html_packed *p = &t->packed;
	size_t most = MS_HTML_RANGED >> t->wanted->shrink;
	static const char *const columns[] = { "data",       "range",        "bytes",
					       "references", "first_misses", "last_misses" };

	ms_html_packed_table(p, "ranges");
	for (size_t i = 0; i < MS_COUNT(columns); i++)
		ms_html_packed_column(p, "%s", columns[i]);
	for (size_t i = 0; i < run->address_ranges.n; i++) {
		const struct ms_run_address_range *r = &run->address_ranges.at[i];

		uint32_t row = t->rows.data[r->data];

		if (!ms_html_wants_data(t->wanted, row) ||
		    (t->wanted->data == MS_NONE && row >= most))
			continue;
		ms_html_packed_row(p);
		ms_html_packed_u64(p, row);
		ms_html_packed_u64(p, r->number);
		ms_html_packed_u64(p, r->bytes);
		ms_html_packed_rounded(p, r->references);
		ms_html_packed_rounded(p, r->first_misses);
		ms_html_packed_rounded(p, r->last_misses);
	}
	ms_html_packed_end(p);
}
