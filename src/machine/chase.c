#include "machine/chase.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

#include "base/mem.h"

enum { SMALL_PAGE = 4096 };
static const size_t HUGE_PAGE = 2 << 20;

double ms_machine_chase_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* --- memory --------------------------------------------------------------------------------- */

/* Bytes of this process in transparent huge pages; 0 if /proc does not show them. */
static size_t transparent_bytes(void)
{
	FILE *in = fopen("/proc/self/smaps_rollup", "re");
	char line[256];
	size_t kilobytes = 0;

	while (in != NULL && fgets(line, sizeof(line), in) != NULL)
		if (sscanf(line, "AnonHugePages: %zu", &kilobytes) == 1)
			break;
	if (in != NULL)
		fclose(in);
	return kilobytes * 1024;
}

static char *map(size_t bytes, int flags)
{
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags,
			-1, 0);

	return at != MAP_FAILED ? at : NULL;
}

/*
 * There are few reserved huge pages, and a lack of them shows only on access: MAP_POPULATE
 * allocates them now.
 */
static bool take_reserved(struct ms_machine_chase *chase, size_t bytes)
{
	chase->base = map(bytes, MAP_HUGETLB | MAP_POPULATE);
	chase->bytes = chase->base != NULL ? bytes : 0;
	chase->pages = MS_PAGES_RESERVED;
	return chase->base != NULL;
}

/* Aligned to a huge page: unmaps the parts before and after it. */
static char *map_aligned(size_t bytes)
{
	char *at = map(bytes + HUGE_PAGE, 0);

	if (at == NULL)
		return NULL;
	size_t before = (HUGE_PAGE - (uintptr_t)at % HUGE_PAGE) % HUGE_PAGE;
	if (before > 0)
		munmap(at, before);
	munmap(at + before + bytes, HUGE_PAGE - before);
	return at + before;
}

static void take_pages(struct ms_machine_chase *chase, size_t bytes, int advice)
{
	size_t before = transparent_bytes();

	while ((chase->base = map_aligned(bytes)) == NULL && bytes > HUGE_PAGE)
		bytes = bytes / 2 / HUGE_PAGE * HUGE_PAGE;
	chase->bytes = chase->base != NULL ? bytes : 0;
	if (chase->base == NULL)
		return;
	madvise(chase->base, bytes, advice);
	for (size_t i = 0; i < bytes; i += SMALL_PAGE)
		chase->base[i] = 1;
	/* Nearly all of it: a few small pages at the edges do no harm. */
	chase->pages = transparent_bytes() - before >= bytes / 8 * 7 ? MS_PAGES_TRANSPARENT
								     : MS_PAGES_SMALL;
}

void ms_machine_chase_open(struct ms_machine_chase *chase, size_t bytes)
{
	*chase = (struct ms_machine_chase){ 0 };
	bytes = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	if (bytes > 0 && !take_reserved(chase, bytes))
		take_pages(chase, bytes, MADV_HUGEPAGE);
}

void ms_machine_chase_open_small(struct ms_machine_chase *chase, size_t bytes)
{
	*chase = (struct ms_machine_chase){ 0 };
	bytes = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	if (bytes > 0)
		take_pages(chase, bytes, MADV_NOHUGEPAGE);
}

void ms_machine_chase_close(struct ms_machine_chase *chase)
{
	if (chase->base != NULL)
		munmap(chase->base, chase->bytes);
	chase->base = NULL;
}

const char *ms_machine_chase_pages_text(const struct ms_machine_chase *chase)
{
	static const char *const texts[] = {
		[MS_PAGES_SMALL] = "small pages, translation included",
		[MS_PAGES_TRANSPARENT] = "transparent huge pages",
		[MS_PAGES_RESERVED] = "reserved huge pages",
	};

	return texts[chase->pages];
}

/* --- the walk ------------------------------------------------------------------------------- */

/* xorshift64*: the same walk on every machine. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

void ms_machine_chase_shuffle(uint32_t *next, size_t n, uint64_t seed)
{
	uint64_t state = seed | 1;

	for (size_t i = 0; i < n; i++)
		next[i] = (uint32_t)i;
	for (size_t i = n; i-- > 1;) {
		size_t other = (size_t)((next_random(&state) >> 32) * i >> 32);
		uint32_t swapped = next[i];

		next[i] = next[other];
		next[other] = swapped;
	}
}

void ms_machine_chase_link(struct ms_machine_chase *chase, size_t bytes, size_t line)
{
	size_t n = bytes / line;
	uint32_t *next = ms_alloc(n * sizeof(*next));

	ms_machine_chase_shuffle(next, n, n);
	for (size_t i = 0; i < n; i++)
		*(void **)(void *)(chase->base + i * line) = chase->base + next[i] * line;
	chase->at = (void **)(void *)chase->base;
	ms_free(next);
}

/* Prevents the compiler from removing the walk. */
static void *volatile arrived;
static volatile uint64_t added;

double ms_machine_chase_walk(struct ms_machine_chase *chase, uint64_t steps)
{
	void **at = chase->at;
	double started = ms_machine_chase_clock();

	for (uint64_t i = 0; i < steps; i++)
		at = *at;
	arrived = at;
	double spent = ms_machine_chase_clock() - started;

	chase->at = at;
	return spent;
}

double ms_machine_chain_cycle(void)
{
	enum { ROUNDS = 8192 };
	double started = ms_machine_chase_clock();

	added = ms_machine_chain(ROUNDS);
	return (ms_machine_chase_clock() - started) / ((double)ROUNDS * MS_CHAIN_ADDS);
}
