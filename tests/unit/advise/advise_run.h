/*
 * tests/unit/advise/advise_run.h - runs of an out-of-order core with some data of known figures,
 * all used by one function, and the findings about them.
 */
#ifndef MS_TESTS_ADVISE_RUN_H
#define MS_TESTS_ADVISE_RUN_H

#include "advise/advise.h"
#include "unit/sample_run.h"

enum { ADVISE_LATENCY = 340, ADVISE_WALK = 40 };

/* In millions: references, and misses of the three levels. Shares of the memory's latency. */
struct advise_data {
	const char *name, *type;
	enum ms_run_dependence dependence;
	uint32_t size; /* of a reference */
	double references, misses[3];
	double exposed, prefetched;
	double walks;     /* exposed, in millions */
	double conflicts; /* share of the misses of the first level */
	uint64_t bytes;
	uint64_t touched; /* of these; 0: all */
	uint64_t objects;
	enum ms_run_site_kind kind;
	double waited;        /* millions of bytes */
	int32_t stride;       /* of all references; 0: not observed */
	double used, written; /* bytes of each fetched line; 0: not observed */
};

static void advise_add_data(struct ms_run *run, const struct advise_data *d)
{
	uint32_t data = (uint32_t)run->data.n, site = (uint32_t)run->sites.n;
	uint32_t cell = (uint32_t)run->cells.n;

	SAMPLE_ADD(&run->data, (struct ms_run_data){ .name = d->name,
						     .full_name = d->name,
						     .type = d->type,
						     .kind = MS_DATA_HEAP,
						     .objects = d->objects ? d->objects : 1,
						     .bytes = d->bytes,
						     .peak_bytes = d->bytes,
						     .largest = d->bytes });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 0, d->kind, d->size, 0x100 + site, NULL });
	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){ .site = site,
					 .data = data,
					 .references = (uint64_t)(1e6 * d->references),
					 .waited_bytes = (uint64_t)(1e6 * d->waited),
					 .exposed_walks =
						 (uint64_t)(1e6 * d->walks * MS_RUN_MISS_UNIT) });
	run->cells.at[cell].dependences[d->dependence] = (uint64_t)(1e6 * d->misses[0]);
	if (d->stride != 0)
		SAMPLE_ADD(&run->strides,
			   (struct ms_run_stride){ site, (uint32_t)d->stride, 100000 });
	if (d->used > 0)
		SAMPLE_ADD(&run->line_uses,
			   (struct ms_run_line_use){ .cell = cell,
						     .level = 0,
						     .lines = 1e6 * d->misses[0],
						     .used_bytes = 1e6 * d->misses[0] * d->used,
						     .written_lines = 1e6 * d->misses[0],
						     .written_bytes =
							     1e6 * d->misses[0] * d->written });
	for (uint32_t l = 0; l < 3; l++) {
		uint64_t lines = (d->touched ? d->touched : d->bytes) / 64;
		uint64_t all = (uint64_t)(1e6 * d->misses[l]), first = lines < all ? lines : all;
		double answered = d->misses[l] - (l < 2 ? d->misses[l + 1] : 0);

		SAMPLE_ADD(
			&run->misses,
			(struct ms_run_miss){
				.cell = cell,
				.level = l,
				.causes = { first, all - first, 0 },
				.conflict =
					l == 0 ? (uint64_t)(1e6 * d->misses[0] * d->conflicts) : 0,
				.exposed =
					(uint64_t)(1e6 * answered * MS_RUN_MISS_UNIT * d->exposed),
				.prefetched = (uint64_t)(1e6 * answered * MS_RUN_MISS_UNIT *
							 d->prefetched) });
	}
}

/* compute: millions of cycles of the function. */
static MS_UNUSED void advise_run(struct ms_run *run, double compute, const struct advise_data *data,
				 size_t n)
{
	sample_head(run);
	run->levels.n = 0;
	SAMPLE_ADD(&run->levels, (struct ms_run_level){ "L1", 65536, 4, 64, 0, 1, { 0 }, 0 });
	SAMPLE_ADD(&run->levels, (struct ms_run_level){ "L2", 1 << 20, 8, 64, 10, 1, { 0 }, 0 });
	SAMPLE_ADD(&run->levels, (struct ms_run_level){ "L3", 10 << 20, 5, 64, 60, 0, { 0 }, 0 });
	run->memory_latency = ADVISE_LATENCY;
	run->core = MS_RUN_OUT_OF_ORDER;
	run->ipc_milli = 4000;
	run->walk_latency = ADVISE_WALK;
	run->bandwidth_milli = 12000;
	run->compute_cycles = (uint64_t)(1e6 * compute);
	SAMPLE_ADD(&run->codes,
		   (struct ms_run_code){ "work", "/home/u/p", "/home/u/p.c", 5, 0x100 });
	SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = 0,
						      .file = "/home/u/p.c",
						      .line = 10,
						      .instructions = (uint64_t)(4e6 * compute),
						      .cycles = (uint64_t)(1e6 * compute) });
	for (size_t i = 0; i < n; i++)
		advise_add_data(run, &data[i]);
}

/* "pointer-chasing node.list 0.93" a line each, then the statement; in memory of the run. */
static MS_UNUSED const char *advise_findings(struct ms_run *run)
{
	const char *all = "";
	struct ms_advise advise;
	struct ms_summary s;

	assert_int_equal(ms_summary_make(&s, run, NULL, NULL, NULL), MS_OK);
	ms_advise_make(&advise, &s);
	for (size_t i = 0; i < advise.at.n; i++) {
		const struct ms_advise_finding *f = &advise.at.at[i];

		assert_true(0 < f->gain_low && f->gain_low <= f->gain && f->gain <= f->gain_high &&
			    f->gain_high <= 1);
		assert_non_null(f->remedy);
		assert_non_null(f->falsifier);
		assert_true(f->n_evidence > 0);
		all = ms_arena_printf(
			&run->arena, "%s%s %s %.2f\n", all, ms_advise_kind_word(f->kind),
			f->data != MS_NONE ? run->data.at[f->data].name : "-", f->gain);
	}
	if (advise.statement != NULL)
		all = ms_arena_printf(&run->arena, "%s%s\n", all, advise.statement);
	ms_advise_free(&advise);
	ms_summary_free(&s);
	return all;
}

#endif
