#include "machine/probes.h"

#include "base/mem.h"

/* Loads of one probe: some milliseconds if each of them misses. */
enum { ACCESSES = 1 << 16, CHAIN_ACCESSES = 1 << 14, LINE = MS_PROBE_LINE };

/* Prevents the compiler from removing loads. */
static volatile uint64_t result;
/* The value is 0, which the compiler does not know: a loaded value becomes part of an address. */
static volatile uint64_t no_bits;

/* --- chains --------------------------------------------------------------------------------- */

static double walk_chains(void **at[MS_PROBE_CHAINS], unsigned chains, size_t steps)
{
	double started = ms_machine_chase_clock();

	for (size_t i = 0; i < steps; i++)
		for (unsigned k = 0; k < chains; k++)
			at[k] = *at[k];
	double spent = ms_machine_chase_clock() - started;

	result = (uint64_t)(uintptr_t)at[0];
	return spent / (double)(steps * chains);
}

void ms_machine_probe_find_starts(const struct ms_machine_chase *chase, size_t lines,
				  struct ms_machine_probe_starts *starts)
{
	void **now = chase->at;

	*starts = (struct ms_machine_probe_starts){ .steps = lines / MS_PROBE_CHAINS };
	for (unsigned k = 0; k < MS_PROBE_CHAINS; k++) {
		starts->at[k] = now;
		for (size_t i = 0; i < starts->steps; i++)
			now = *now;
	}
}

double ms_machine_probe_chains(struct ms_machine_probe_starts *starts, unsigned chains)
{
	size_t steps = CHAIN_ACCESSES / chains;
	void **at[MS_PROBE_CHAINS];
	double ns;

	for (unsigned k = 0; k < chains; k++)
		at[k] = starts->at[(starts->next + k) % MS_PROBE_CHAINS];
	ns = walk_chains(at, chains, steps < starts->steps ? steps : starts->steps);
	for (unsigned k = 0; k < chains; k++)
		starts->at[(starts->next + k) % MS_PROBE_CHAINS] = at[k];
	starts->next = (starts->next + chains) % MS_PROBE_CHAINS;
	return ns;
}

/* --- prefetching ---------------------------------------------------------------------------- */

/* A line below `lines`: the same numbers in each run, without an order. */
static size_t random_line(uint64_t number, size_t lines)
{
	number *= UINT64_C(0x9e3779b97f4a7c15);
	number ^= number >> 29;
	number *= UINT64_C(0xbf58476d1ce4e5b9);
	return (size_t)((number >> 32) % lines);
}

/*
 * After the end of the piece it starts again at a random line: otherwise accesses of the same lap
 * and of the next would be streams themselves.
 */
double ms_machine_probe_stride(const struct ms_machine_chase *chase, size_t stride, size_t *from)
{
	const uint64_t mask = no_bits;
	size_t at = *from % (chase->bytes - LINE);
	uint64_t value = 0;
	double started = ms_machine_chase_clock();

	for (size_t i = 0; i < ACCESSES; i++) {
		value = *(const uint64_t *)(const void *)(chase->base + at + value) & mask;
		at += stride;
		if (at + LINE > chase->bytes)
			at = random_line(i + stride, stride / LINE) * LINE;
	}
	double spent = ms_machine_chase_clock() - started;

	result = value;
	*from = at;
	return spent / ACCESSES;
}

double ms_machine_probe_streams(const struct ms_machine_chase *chase, unsigned streams,
				size_t *from)
{
	const size_t apart = chase->bytes / streams / LINE * LINE;
	const size_t lines = ACCESSES / streams;
	const uint64_t mask = no_bits;
	size_t starts[MS_PROBE_STREAMS];
	uint64_t value = 0;

	/* Each at a random line of its part: no stride leads from one stream to the next. */
	for (unsigned k = 0; k < streams; k++)
		starts[k] = k * apart + random_line(*from + k, apart / LINE - lines) * LINE;
	double started = ms_machine_chase_clock();

	for (size_t i = 0; i < lines; i++)
		for (unsigned k = 0; k < streams; k++)
			value = *(const uint64_t *)(const void *)(chase->base + starts[k] +
								  i * LINE + value) &
				mask;
	double spent = ms_machine_chase_clock() - started;

	result = value;
	*from += MS_PROBE_STREAMS;
	return spent / (double)(lines * streams);
}

/* --- bandwidth ------------------------------------------------------------------------------ */

enum { WORDS = LINE / sizeof(uint64_t) };

static uint64_t read_lines(const uint64_t *at, size_t lines)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < lines; i++, at += WORDS)
		sum += at[0] + at[WORDS / 2];
	return sum;
}

/* volatile: otherwise the compiler calls memset(), which need not read the lines. */
static uint64_t write_lines(volatile uint64_t *at, size_t lines)
{
	for (size_t i = 0; i < lines; i++, at += WORDS)
		for (size_t k = 0; k < WORDS; k++)
			at[k] = i;
	return 0;
}

static uint64_t copy_lines(volatile uint64_t *to, const uint64_t *at, size_t lines)
{
	for (size_t i = 0; i < lines; i++, at += WORDS, to += WORDS)
		for (size_t k = 0; k < WORDS; k++)
			to[k] = at[k];
	return 0;
}

double ms_machine_probe_transfer(const struct ms_machine_chase *chase,
				 enum ms_machine_transfer transfer)
{
	/* A copy uses one half for each side. */
	size_t lines = chase->bytes / LINE / (transfer == MS_TRANSFER_COPY ? 2 : 1);
	uint64_t *at = (uint64_t *)(void *)chase->base;
	double started = ms_machine_chase_clock();

	if (transfer == MS_TRANSFER_READ)
		result = read_lines(at, lines);
	else if (transfer == MS_TRANSFER_WRITE)
		result = write_lines(at, lines);
	else
		result = copy_lines(at + lines * WORDS, at, lines);
	return (ms_machine_chase_clock() - started) / (double)lines;
}

/* --- address translation -------------------------------------------------------------------- */

/*
 * The word that is read in a page. Its line differs from page to page, and again after 64 pages, so
 * that the words are in all sets of a cache.
 */
static void **word_of(const struct ms_machine_chase *chase, size_t number, size_t page)
{
	size_t line = (17 * number + number / 64) % (page / LINE);

	return (void **)(void *)(chase->base + number * page + line * LINE);
}

void ms_machine_probe_link_pages(struct ms_machine_chase *chase, size_t pages, size_t page)
{
	uint32_t *next = ms_alloc(pages * sizeof(*next));

	ms_machine_chase_shuffle(next, pages, pages);
	for (size_t i = 0; i < pages; i++)
		*word_of(chase, i, page) = word_of(chase, next[i], page);
	ms_free(next);
	chase->at = word_of(chase, 0, page);
}

double ms_machine_probe_pages(struct ms_machine_chase *chase, size_t pages, size_t page,
			      unsigned chains)
{
	struct ms_machine_probe_starts starts;
	size_t steps = pages > CHAIN_ACCESSES ? pages : CHAIN_ACCESSES;
	void **at[MS_PROBE_CHAINS];

	ms_machine_probe_link_pages(chase, pages, page);
	/* This also takes a lap, so that caches and TLB hold what they can. */
	ms_machine_probe_find_starts(chase, pages, &starts);
	/* As far from each other as possible: a walk that follows another one finds its pages in
	 * the TLB. */
	for (unsigned k = 0; k < chains; k++)
		at[k] = starts.at[k * MS_PROBE_CHAINS / chains];
	return walk_chains(at, chains, steps / chains);
}

/* --- instructions --------------------------------------------------------------------------- */

double ms_machine_probe_mix(void)
{
	enum { ROUNDS = 1 << 16 };
	static _Alignas(64) uint64_t data[64];
	double started;

	ms_machine_mix(ROUNDS / 16, data);
	started = ms_machine_chase_clock();
	ms_machine_mix(ROUNDS, data);
	return (ms_machine_chase_clock() - started) / ((double)ROUNDS * MS_MIX_INSTRUCTIONS);
}

enum { FLOAT_LOOPS = 1 << 16, FLOAT_OPERATIONS = 8 };

/* The compiler must not compute in another order: each operation rounds. */
static double add_chain(double value, double term)
{
	for (int i = 0; i < FLOAT_LOOPS; i++)
		value = (((((((value + term) + term) + term) + term) + term) + term) + term) + term;
	return value;
}

static double multiply_chain(double value, double factor)
{
	for (int i = 0; i < FLOAT_LOOPS; i++)
		value = (((((((value * factor) * factor) * factor) * factor) * factor) * factor) *
			 factor) *
			factor;
	return value;
}

double ms_machine_probe_float(enum ms_machine_float_operation operation)
{
	volatile double start = 1.5, with = 1.0, end;
	double started = ms_machine_chase_clock();

	end = operation == MS_FLOAT_ADD ? add_chain(start, with) : multiply_chain(start, with);
	(void)end;
	return (ms_machine_chase_clock() - started) / ((double)FLOAT_LOOPS * FLOAT_OPERATIONS);
}
