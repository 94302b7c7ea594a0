/*
 * hardware/unrecorded_allocs.c - attributes samples in heap blocks that were not recorded.
 *
 * If a program allocates more than the sampler's budget allows, the front-end records only some
 * blocks, chosen at random (frontends/native/heap/alloc_sampling.c). The choice is independent of
 * the code that uses the blocks. So an instruction accesses unrecorded blocks in the same
 * proportions as recorded ones, where each recorded block represents the average number for its
 * data.
 *
 * A sample of an instruction in memory of no block is attributed to one of these, in this order:
 *
 *  - the data of a recorded block near by, if the instruction has samples in that data, or has none
 *    in recorded blocks;
 *  - the data of the instruction's samples in recorded blocks, in proportion;
 *  - the data of all samples of the program in recorded blocks, in proportion;
 *  - data that is not known.
 *
 * The choice of blocks also says how many samples recorded blocks should have: of 400 samples of an
 * instruction in data of which a tenth is recorded, some 40 are in recorded blocks. If there are
 * far fewer, the samples are of other data, none of whose blocks was recorded (inferred_samples.h).
 * Then they are of data that is not known.
 *
 * Samples of the allocator's own functions remain attributed to the allocator.
 */
#include <string.h>

#include "base/num.h"
#include "hardware/hardware.h"
#include "hardware/inferred_samples.h"

enum { NEAR = 4096, STEP = 32 };
/* Bytes between functions of one allocator; those of the C library take some 20,000. */
enum { BESIDE = 16384 };

/* --- while the program runs --- */

/* How many blocks a recorded one represents. */
static double stands_for(const struct ms_hardware *h, uint32_t data)
{
	const struct ms_name_data_stats *s;

	if (data >= h->memory.program->stats.n ||
	    ms_bins_get_data(h->memory.binder, data)->kind != MS_BOUND_HEAP)
		return 1;
	s = &h->memory.program->stats.at[data];
	return s->recorded > 0 ? s->objects / (double)s->recorded : 1;
}

/* Whether only some of its blocks were recorded. */
static bool is_thinned(const struct ms_hardware *h, uint32_t data)
{
	return stands_for(h, data) > 1.0001;
}

static bool is_of_no_block(uint32_t data)
{
	return data == MS_BOUND_ALLOCATOR || data == MS_BOUND_FREED;
}

uint32_t ms_hardware_near_block(const struct ms_hardware *h, uint32_t data, uint64_t address)
{
	if ((!is_of_no_block(data) && data != MS_BOUND_UNMAPPED) || !h->thinned)
		return MS_NONE;
	for (uint64_t away = STEP; away <= NEAR; away += STEP) {
		uint32_t below = ms_engine_find_data(h->memory.shard, address - away);
		uint32_t above = ms_engine_find_data(h->memory.shard, address + away);

		if (is_thinned(h, below))
			return below;
		if (is_thinned(h, above))
			return above;
	}
	return MS_NONE;
}

/* --- at its end --- */

/* Samples in recorded blocks of one data structure: of one site, or of all. */
struct recorded_samples {
	uint32_t data;
	uint64_t samples;
	double stands; /* samples that they represent */
};

struct attribution {
	struct ms_hardware *h;
	const struct ms_run *run;
	struct ms_name_state *naming;
	MS_VEC(struct recorded_samples) all;
	MS_VEC(struct recorded_samples) here;
	MS_VEC(struct ms_hardware_site) allocators; /* sites in named functions of allocators */
};

/* Functions of the C library's allocator, and of others that programs are linked with. */
static bool is_allocator(const char *name)
{
	static const char *const begins[] = {
		"malloc",
		"calloc",
		"realloc",
		"free",
		"cfree",
		"_int_",
		"__libc_malloc",
		"__libc_free",
		"__libc_calloc",
		"__libc_realloc",
		"unlink_chunk",
		"sysmalloc",
		"systrim",
		"tcache_",
		"arena_get",
		"munmap_chunk",
		"mremap_chunk",
		"ptmalloc_",
		"heap_trim",
		"alloc_perturb",
		"memalign",
		"_mid_memalign",
		"aligned_alloc",
		"posix_memalign",
		"je_",
		"mi_",
		"tc_",
		"operator new",
		"operator delete",
	};

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static const char *code_of(const struct attribution *s, const struct ms_hardware_site *at)
{
	uint32_t line =
		ms_name_line(s->naming, (struct ms_bins_bound_pc){ at->module, at->offset });

	return s->run->codes.at[s->run->lines.at[line].code].name;
}

static void find_allocators(struct attribution *s)
{
	const struct ms_hardware *h = s->h;

	for (size_t i = 0; i < h->sites.n; i++)
		if (is_allocator(code_of(s, &h->sites.at[i])))
			*ms_vec_add(&s->allocators) = h->sites.at[i];
}

/*
 * Without debug information, internal functions of the C library have no names. But their addresses
 * are close to those of the functions that programs call.
 */
static bool is_beside_allocator(const struct attribution *s, const struct ms_hardware_site *site)
{
	for (size_t i = 0; i < s->allocators.n; i++) {
		const struct ms_hardware_site *a = &s->allocators.at[i];

		if (a->module == site->module && a->offset < site->offset + BESIDE &&
		    site->offset < a->offset + BESIDE)
			return true;
	}
	return false;
}

static bool is_in_allocator(const struct attribution *s, uint32_t site)
{
	const struct ms_hardware_site *at = &s->h->sites.at[site];
	const char *name = code_of(s, at);

	return is_allocator(name) || (strstr(name, "+0x") != NULL && is_beside_allocator(s, at));
}

static void add_recorded(const struct attribution *s, struct recorded_samples *list, size_t *n,
			 const struct ms_hardware_row *row)
{
	size_t i = 0;

	if (row->data == MS_NONE || row->sureness == MS_SURE_ALIKE || !is_thinned(s->h, row->data))
		return;
	while (i < *n && list[i].data != row->data)
		i++;
	if (i == *n)
		list[(*n)++] = (struct recorded_samples){ .data = row->data };
	list[i].samples += row->samples;
	list[i].stands += (double)row->samples * stands_for(s->h, row->data);
}

static void find_here(struct attribution *s, uint32_t site, size_t rows)
{
	const struct ms_hardware *h = s->h;

	ms_vec_reserve(&s->here, rows + 1);
	s->here.n = 0;
	for (size_t i = 0; i < rows; i++)
		if (h->rows.at[i].site == site)
			add_recorded(s, s->here.at, &s->here.n, &h->rows.at[i]);
}

/* Attributes samples of a row to data. known: the number of samples that justify it; 0: a block
 * near by does. */
static void attribute_part(struct attribution *s, size_t from, uint32_t data, uint64_t samples,
			   uint64_t known)
{
	struct ms_hardware *h = s->h;
	struct ms_hardware_row was = h->rows.at[from];
	double part = was.samples > 0 ? (double)samples / (double)was.samples : 0;
	/* A few samples that represent many have the variance of a few: see
	 * ms_measured_stall_share(). */
	double m = (double)samples, k = (double)known;
	double fewer = known > 0 && m > k ? (m + k) * (m + k) / k / m : 1;
	uint32_t sureness = data == MS_BOUND_NOT_RECORDED ? was.sureness : MS_SURE_ALIKE;

	if (samples == 0)
		return;
	struct ms_hardware_row *to =
		ms_hardware_row(h, &(struct ms_hardware_row){ .site = was.site,
							      .data = data,
							      .near = MS_NONE,
							      .answer = was.answer,
							      .sureness = sureness });
	to->samples += samples;
	to->events += ms_round_u64((double)was.events * part);
	to->events_squares += was.events_squares * part * fewer;
	to->latency += ms_round_u64((double)was.latency * part);
	to->latency_squares += was.latency_squares * part * fewer;
}

/* How many samples an instruction has in recorded blocks, and how many these represent. */
static double sum_up(const struct recorded_samples *recorded_samples, size_t n, uint64_t *samples)
{
	double stands = 0;

	*samples = 0;
	for (size_t i = 0; i < n; i++) {
		stands += recorded_samples[i].stands;
		*samples += recorded_samples[i].samples;
	}
	return stands;
}

/* Distributes samples of a row in proportion; the last data gets the rounding error. */
static void share_out(struct attribution *s, size_t from, uint64_t all,
		      const struct recorded_samples *recorded_samples, size_t n)
{
	uint64_t left = all, samples;
	double stands = sum_up(recorded_samples, n, &samples);

	for (size_t i = 0; i < n; i++) {
		uint64_t part = ms_round_u64((double)all * recorded_samples[i].stands / stands);

		if (part > left || i + 1 == n)
			part = left;
		attribute_part(s, from, recorded_samples[i].data, part,
			       recorded_samples[i].samples);
		left -= part;
	}
}

static bool is_among(const struct recorded_samples *recorded_samples, size_t n, uint32_t data)
{
	for (size_t i = 0; i < n; i++)
		if (recorded_samples[i].data == data)
			return true;
	return false;
}

/* Moves all samples of a row to other data. */
static void move(struct ms_hardware *h, size_t at, uint32_t data)
{
	struct ms_hardware_row was = h->rows.at[at];
	struct ms_hardware_row *to =
		ms_hardware_row(h, &(struct ms_hardware_row){ .site = was.site,
							      .data = data,
							      .near = MS_NONE,
							      .answer = was.answer,
							      .sureness = was.sureness });

	if (to == &h->rows.at[at])
		return;
	ms_hardware_add_to_row(to, &was);
	h->rows.at[at].samples = 0;
}

/* Samples of a row that the instruction's samples in recorded blocks explain are distributed; the
 * others are of data that is not known. */
static void share_out_explained(struct attribution *s, size_t at)
{
	uint64_t all = s->h->rows.at[at].samples, recorded;
	double stands = sum_up(s->here.at, s->here.n, &recorded);
	uint64_t explained = ms_hardware_explained_samples(all, recorded, stands);

	share_out(s, at, explained, s->here.at, s->here.n);
	attribute_part(s, at, MS_BOUND_NOT_RECORDED, all - explained, 0);
}

/* Without any sample of the instruction in recorded blocks. */
static void attribute_without(struct attribution *s, size_t at)
{
	struct ms_hardware_row row = s->h->rows.at[at];
	uint64_t recorded;
	double stands = sum_up(s->all.at, s->all.n, &recorded);

	if (row.near != MS_NONE &&
	    ms_hardware_may_be_unrecorded(row.samples, stands_for(s->h, row.near)))
		attribute_part(s, at, row.near, row.samples, 0);
	else if (recorded > 0 &&
		 ms_hardware_may_be_unrecorded(row.samples, stands / (double)recorded))
		share_out(s, at, row.samples, s->all.at, s->all.n);
	else
		attribute_part(s, at, MS_BOUND_NOT_RECORDED, row.samples, 0);
}

static void attribute(struct attribution *s, size_t at, size_t rows)
{
	struct ms_hardware_row row = s->h->rows.at[at];

	find_here(s, row.site, rows);
	if (s->here.n == 0)
		attribute_without(s, at);
	else if (row.near != MS_NONE && is_among(s->here.at, s->here.n, row.near))
		attribute_part(s, at, row.near, row.samples, 0);
	else
		share_out_explained(s, at);
	s->h->rows.at[at].samples = 0;
}

/* Removes rows whose samples were moved to others. */
static void drop_empty(struct ms_hardware *h)
{
	size_t kept = 0;

	for (size_t i = 0; i < h->rows.n; i++)
		if (h->rows.at[i].samples > 0)
			h->rows.at[kept++] = h->rows.at[i];
	h->rows.n = kept;
}

void ms_hardware_attribute_unrecorded(struct ms_hardware *h, struct ms_name_state *naming)
{
	struct attribution s = { .h = h, .run = naming->run, .naming = naming };
	size_t rows = h->rows.n;

	find_allocators(&s);
	ms_vec_reserve(&s.all, rows + 1);
	for (size_t i = 0; i < rows; i++)
		add_recorded(&s, s.all.at, &s.all.n, &h->rows.at[i]);
	for (size_t i = 0; i < rows; i++) {
		/* Only recorded blocks reveal memory that malloc has mapped itself. */
		if (!is_of_no_block(h->rows.at[i].data) &&
		    (h->rows.at[i].data != MS_BOUND_UNMAPPED || h->rows.at[i].near == MS_NONE))
			continue;
		/* Freed memory belongs to the allocator while the allocator runs. */
		if (is_in_allocator(&s, h->rows.at[i].site))
			move(h, i, MS_BOUND_ALLOCATOR);
		else if (h->thinned)
			attribute(&s, i, rows);
	}
	drop_empty(h);
	ms_vec_free(&s.all);
	ms_vec_free(&s.here);
	ms_vec_free(&s.allocators);
}
