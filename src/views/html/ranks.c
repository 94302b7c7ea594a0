/* views/html/ranks.c - how the ranks of a merged run differ, as tables of the page. */
#include <stdlib.h>

#include "analysis/ranks/rank_times.h"
#include "base/num.h"
#include "run/enum_words.h"
#include "views/html/html_priv.h"

/* Stall of a data structure over all merged ranks. */
struct rank_sum {
	uint32_t data;
	uint64_t stall;
};

struct rank_sums {
	MS_VEC(struct rank_sum) at; /* the largest first */
	bool *is_shown;             /* by data */
};

static int by_stall(const void *a, const void *b)
{
	const struct rank_sum *x = a, *y = b;
	int order = ms_cmp_u64(y->stall, x->stall);

	return order != 0 ? order : ms_cmp_u64(x->data, y->data);
}

/* The data with the most stall over all ranks. */
static void make_sums(struct rank_sums *sums, const struct ms_run *run)
{
	*sums = (struct rank_sums){ .is_shown = ms_alloc((run->data.n + 1) * sizeof(bool)) };
	for (uint32_t i = 0; i < run->data.n; i++)
		*ms_vec_add(&sums->at) = (struct rank_sum){ i, 0 };
	for (size_t i = 0; i < run->rank_bins.n; i++)
		sums->at.at[run->rank_bins.at[i].data].stall += run->rank_bins.at[i].sum;
	if (sums->at.n > 1)
		qsort(sums->at.at, sums->at.n, sizeof(*sums->at.at), by_stall);
	if (sums->at.n > MS_HTML_RANK_DATA)
		sums->at.n = MS_HTML_RANK_DATA;
	while (sums->at.n > 0 && sums->at.at[sums->at.n - 1].stall == 0)
		sums->at.n--;
	for (size_t i = 0; i < sums->at.n; i++)
		sums->is_shown[sums->at.at[i].data] = true;
}

static void put_columns(struct ms_html_packed *p, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ms_html_packed_column(p, "%s", names[i]);
}

static void put_ranks(struct ms_html_packed *p, const struct ms_run *run)
{
	static const char *const texts[] = { "state", "reason", "host", "program" };
	static const char *const numbers[] = { "rank", "cluster", "compute", "stall", "waiting" };

	ms_html_packed_table(p, "ranks");
	for (size_t i = 0; i < MS_COUNT(texts); i++)
		ms_html_packed_texts(p, texts[i]);
	put_columns(p, numbers, MS_COUNT(numbers));
	for (size_t i = 0; i < run->rank_rows.n; i++) {
		const struct ms_run_rank *r = &run->rank_rows.at[i];

		ms_html_packed_row(p);
		ms_html_packed_text(p, ms_run_rank_state_word(r->state));
		ms_html_packed_text(p, r->reason);
		ms_html_packed_text(p, r->host);
		ms_html_packed_text(p, r->program);
		ms_html_packed_u64(p, r->rank);
		if (r->cluster != MS_NONE)
			ms_html_packed_u64(p, r->cluster);
		else
			ms_html_packed_null(p);
		ms_html_packed_u64(p, r->compute);
		ms_html_packed_u64(p, r->stall);
		ms_html_packed_u64(p, r->waiting);
	}
	ms_html_packed_end(p);
}

static void put_data(struct ms_html_packed *p, const struct ms_run *run,
		     const struct ms_html_rows *rows)
{
	static const char *const of_all[] = { "data", "stall" };
	static const char *const of_ranks[] = { "rank", "data", "stall" };
	struct rank_sums sums;

	make_sums(&sums, run);
	ms_html_packed_table(p, "rank_sums");
	put_columns(p, of_all, MS_COUNT(of_all));
	for (size_t i = 0; i < sums.at.n; i++)
		ms_html_packed_numbers(
			p, (uint64_t[]){ rows->data[sums.at.at[i].data], sums.at.at[i].stall }, 2);
	ms_html_packed_end(p);
	ms_html_packed_table(p, "rank_data");
	put_columns(p, of_ranks, MS_COUNT(of_ranks));
	for (size_t i = 0; i < run->rank_data.n; i++) {
		const struct ms_run_rank_data *d = &run->rank_data.at[i];

		if (sums.is_shown[d->data])
			ms_html_packed_numbers(
				p, (uint64_t[]){ d->rank, rows->data[d->data], d->stall }, 3);
	}
	ms_html_packed_end(p);
	ms_vec_free(&sums.at);
	ms_free(sums.is_shown);
}

static void put_bins(struct ms_html_packed *p, const struct ms_rank_times *t,
		     const struct ms_html_rows *rows)
{
	static const char *const columns[] = { "code",      "data", "above",     "mean",
					       "deviation", "most", "most_rank", "least" };

	ms_html_packed_table(p, "rank_bins");
	put_columns(p, columns, MS_COUNT(columns));
	for (size_t i = 0; i < t->bins.n && i < MS_HTML_RANK_BINS; i++) {
		const struct ms_rank_times_entry *e = &t->bins.at[i];

		ms_html_packed_row(p);
		ms_html_packed_u64(p, rows->code[e->code]);
		ms_html_packed_u64(p, rows->data[e->data]);
		ms_html_packed_rounded(p, e->stall.excess);
		ms_html_packed_rounded(p, e->stall.mean);
		ms_html_packed_rounded(p, e->stall.deviation);
		ms_html_packed_u64(p, e->stall.most);
		ms_html_packed_u64(p, e->stall.most_rank);
		ms_html_packed_u64(p, e->stall.least);
	}
	ms_html_packed_end(p);
}

static void put_clusters(struct ms_html_packed *p, const struct ms_run *run)
{
	static const char *const columns[] = { "ranks", "time", "representative" };

	ms_html_packed_table(p, "rank_clusters");
	put_columns(p, columns, MS_COUNT(columns));
	for (size_t i = 0; i < run->rank_clusters.n; i++) {
		const struct ms_run_rank_cluster *c = &run->rank_clusters.at[i];

		ms_html_packed_numbers(p, (uint64_t[]){ c->ranks, c->time, c->representative }, 3);
	}
	ms_html_packed_end(p);
}

void ms_html_put_ranks(struct ms_html_packed *p, const struct ms_run *run,
		       const struct ms_html_rows *rows)
{
	struct ms_rank_times times;

	ms_rank_times_make(&times, run);
	put_ranks(p, run);
	put_data(p, run, rows);
	put_bins(p, &times, rows);
	put_clusters(p, run);
	ms_rank_times_free(&times);
}
