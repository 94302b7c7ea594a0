#include "analysis/ranks/rank_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"

uint64_t ms_rank_times_of(const struct ms_run_rank *rank)
{
	return rank->compute + rank->stall;
}

static void finish(struct ms_rank_times_spread *s, double squares, uint64_t n)
{
	double ranks = n > 0 ? (double)n : 1;

	s->mean = (double)s->sum / ranks;
	s->deviation = sqrt(fmax(squares / ranks - s->mean * s->mean, 0));
	s->excess = (double)s->most - s->mean;
}

static int by_time(const void *a, const void *b, void *arg)
{
	const struct ms_run *run = arg;
	const struct ms_run_rank *x = &run->rank_rows.at[*(const uint32_t *)a];
	const struct ms_run_rank *y = &run->rank_rows.at[*(const uint32_t *)b];
	int order = ms_cmp_u64(ms_rank_times_of(y), ms_rank_times_of(x));

	return order != 0 ? order : ms_cmp_u64(x->rank, y->rank);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static uint64_t count_nodes(const struct ms_run *run)
{
	MS_VEC(const char *) hosts = MS_VEC_INIT;
	uint64_t n = 0;

	for (size_t i = 0; i < run->rank_rows.n; i++)
		if (run->rank_rows.at[i].host != NULL)
			*ms_vec_add(&hosts) = run->rank_rows.at[i].host;
	if (hosts.n > 1)
		qsort(hosts.at, hosts.n, sizeof(*hosts.at), by_name);
	for (size_t i = 0; i < hosts.n; i++)
		n += i == 0 || strcmp(hosts.at[i], hosts.at[i - 1]) != 0;
	ms_vec_free(&hosts);
	return n;
}

static void add_rank(struct ms_rank_times *t, uint32_t row, double *squares)
{
	const struct ms_run_rank *r = &t->run->rank_rows.at[row];
	uint64_t time = ms_rank_times_of(r);

	if (t->merged == 0 || time < t->time.least) {
		t->time.least = time;
		t->time.least_rank = r->rank;
	}
	if (t->merged == 0 || time > t->time.most) {
		t->time.most = time;
		t->time.most_rank = r->rank;
	}
	t->merged++;
	t->time.sum += time;
	*squares += (double)time * (double)time;
	*ms_vec_add(&t->order) = row;
}

/* Where a rank has no stall, that is the least; it is not known which rank that is. */
static void add_bin(struct ms_rank_times *t, const struct ms_run_rank_bin *b)
{
	struct ms_rank_times_entry *e = ms_vec_add(&t->bins);
	bool everywhere = b->ranks >= t->merged;

	*e = (struct ms_rank_times_entry){
		b->code,
		b->data,
		{ .sum = b->sum,
		  .least = everywhere ? b->least : 0,
		  .least_rank = everywhere ? b->least_rank : MS_NONE,
		  .most = b->most,
		  .most_rank = b->most_rank },
	};
	finish(&e->stall, b->squares, t->merged);
}

static int by_excess(const void *a, const void *b)
{
	const struct ms_rank_times_entry *x = a, *y = b;
	int order = (x->stall.excess < y->stall.excess) - (x->stall.excess > y->stall.excess);

	if (order == 0)
		order = ms_cmp_u64(y->stall.sum, x->stall.sum);
	if (order == 0)
		order = ms_cmp_u64(x->code, y->code);
	return order != 0 ? order : ms_cmp_u64(x->data, y->data);
}

static void add_program(struct ms_rank_times *t, const struct ms_run_rank *r)
{
	const char *name = ms_base_name(r->program != NULL ? r->program : "");
	struct ms_rank_times_program *p = NULL;

	for (size_t i = 0; i < t->programs.n && p == NULL; i++)
		if (strcmp(t->programs.at[i].name, name) == 0)
			p = &t->programs.at[i];
	if (p == NULL) {
		p = ms_vec_add(&t->programs);
		p->name = name;
	}
	p->processes++;
	p->compute += r->compute;
	p->stall += r->stall;
}

static int by_program_time(const void *a, const void *b)
{
	const struct ms_rank_times_program *x = a, *y = b;
	int order = ms_cmp_u64(y->compute + y->stall, x->compute + x->stall);

	return order != 0 ? order : strcmp(x->name, y->name);
}

void ms_rank_times_make(struct ms_rank_times *t, const struct ms_run *run)
{
	double squares = 0;

	*t = (struct ms_rank_times){ .run = run, .nodes = count_nodes(run) };
	for (uint32_t i = 0; i < run->rank_rows.n; i++)
		if (run->rank_rows.at[i].state == MS_RANK_MERGED)
			add_rank(t, i, &squares);
	for (size_t i = 0; i < t->order.n; i++)
		add_program(t, &run->rank_rows.at[t->order.at[i]]);
	if (t->programs.n > 1)
		qsort(t->programs.at, t->programs.n, sizeof(*t->programs.at), by_program_time);
	finish(&t->time, squares, t->merged);
	if (t->order.n > 1)
		qsort_r(t->order.at, t->order.n, sizeof(*t->order.at), by_time, (void *)run);
	for (size_t i = 0; i < run->rank_bins.n; i++)
		add_bin(t, &run->rank_bins.at[i]);
	if (t->bins.n > 1)
		qsort(t->bins.at, t->bins.n, sizeof(*t->bins.at), by_excess);
}

void ms_rank_times_free(struct ms_rank_times *t)
{
	ms_vec_free(&t->order);
	ms_vec_free(&t->programs);
	ms_vec_free(&t->bins);
}
