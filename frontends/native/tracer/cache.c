/*
 * cache.c - the memory of translated blocks, and three ways to find a block: by the program's pc,
 * by an address in its code, by the low bits of an indirect branch's target.
 *
 * Blocks are numbered in the order of their code. When the program's code goes away, its block is
 * removed from all look-ups. The block's memory is kept, because a thread may still execute it.
 *
 * The memory has two halves. When one is full, all its blocks are forgotten, and new ones go to the
 * other half. A thread in the old half continues there until it calls C the next time, which a full
 * chunk forces it to do. While a thread is in the cache, w->inside holds the time (the number of
 * halves begun) at which it entered. A half is reused when no thread has been inside since before
 * that time.
 */
#include "arch.h"
#include "heap/heap.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "sys.h"
#include "syscalls/syscalls.h"
#include "tracer.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/window.h"

/* Sizes of the largest cache. With less memory, all are divided by the same power of two. */
enum {
	MOST_BLOCKS = 1 << 19,
	HASH_BITS = 20,
	MOST_SITES = 1 << 23,
	MOST_LINKS = 1 << 21,
	SMALLEST = 9,
	BLOCK_BYTES = 24 << 10, /* no block is larger */
	KEPT_BYTES = 4 << 10,   /* in front of the halves: code that stays */
};
static uint32_t code_bytes, most_blocks, most_sites, most_links; /* of both halves */
enum { PROT_RW = 3, PROT_RWX = 7 };
enum { HUGE_PAGES = 14 }; /* advice, as in <sys/mman.h>; ignored without huge pages */
enum { MAP_FLAGS = 0x4022 | MS_CODE_MAP /* private, anonymous, no reserve */ };

ms_code *ms_cache_at;
uint64_t *ms_cache_table[MS_CODES];
uint64_t ms_cache_table_mask;

static uint8_t *code;
static ms_code *kept_at;
static uint64_t miss; /* code for targets that are not in the table */
static struct ms_block *blocks;
static struct ms_site *sites;
static struct ms_link *links;
static uint8_t granules[1 << 16]; /* for each 64 KiB (hashed): has translated code */
static uint32_t *hash;            /* block number + 1 */

/* The half that is being filled; the arrays have two halves as well. */
static struct half {
	uint8_t *start, *end;
	uint32_t first_block, block_count;
	uint32_t site_count, link_count; /* from the arrays' start on */
} halves[2], *now;
static uint64_t times = 1; /* number of halves begun, from 1 on */

/* Memory in reach of generated code: the kernel chooses it by a flag, or it is near the runtime. */
static void *near_memory(uint64_t bytes, int prot)
{
	uint64_t place = MS_CODE_MAP != 0 ? 0 : ms_place(bytes);
	long at = ms_sys(__NR_mmap, (long)place, (long)bytes, prot, MAP_FLAGS, -1, 0);

	if (ms_failed(at))
		return NULL;
	/* Translated code is several times as long as the program's and is executed all over: large
	 * pages save TLB misses. */
	ms_sys(__NR_madvise, at, (long)bytes, HUGE_PAGES, 0, 0, 0);
	return (void *)at;
}

static void let_go(void *at, uint64_t bytes)
{
	if (at != NULL)
		ms_pages_free(at, bytes);
}

void *ms_tracer_near(uint64_t bytes)
{
	return near_memory(bytes, PROT_RW);
}

static bool take_memory(uint32_t less)
{
	code_bytes = MS_CODE_BYTES >> less;
	most_blocks = MOST_BLOCKS >> less;
	most_sites = MOST_SITES >> less;
	most_links = MOST_LINKS >> less;
	code = near_memory(code_bytes, PROT_RWX);
	blocks = ms_pages(most_blocks * sizeof(*blocks));
	sites = ms_pages(most_sites * sizeof(*sites));
	links = ms_pages(most_links * sizeof(*links));
	if (code != NULL && blocks != NULL && sites != NULL && links != NULL)
		return true;
	let_go(code, code_bytes);
	let_go(blocks, most_blocks * sizeof(*blocks));
	let_go(sites, most_sites * sizeof(*sites));
	let_go(links, most_links * sizeof(*links));
	return false;
}

/* Aligned to its size, so that generated code can form an entry's address by inserting bits. The
 * mask is stored before the table. */
static bool take_table(uint64_t **table)
{
	uint64_t entries = ms_processor_table(), bytes = entries * sizeof(**table);
	uint64_t at = (uint64_t)near_memory(2 * bytes, PROT_RW);

	if (at == 0)
		return false;
	*table = (uint64_t *)((at + bytes) & ~(bytes - 1));
	ms_cache_table_mask = entries - 1;
	(*table)[-1] = ms_cache_table_mask;
	return true;
}

/* --- halves --- */

static void begin(uint32_t which)
{
	uint8_t *first = code + KEPT_BYTES;
	uint32_t bytes = (code_bytes - KEPT_BYTES) / 2 & ~63u;

	now = &halves[which];
	*now = (struct half){ .start = first + which * bytes,
			      .end = first + (which + 1) * bytes,
			      .first_block = which * (most_blocks / 2),
			      .site_count = which * (most_sites / 2),
			      .link_count = which * (most_links / 2) };
	ms_cache_at = (ms_code *)now->start;
}

static uint64_t memory_of(uint32_t less)
{
	uint64_t whole = MS_CODE_BYTES + MOST_BLOCKS * sizeof(*blocks) +
			 MOST_SITES * sizeof(*sites) + MOST_LINKS * sizeof(*links);

	return whole >> less;
}

/* Under a memory limit, the program keeps nearly all memory that is left (limits.c). */
static uint32_t choose_size(void)
{
	enum { PART = 8 };
	uint32_t less = ms_config.less_cache < SMALLEST ? ms_config.less_cache : SMALLEST;
	uint64_t left = ms_limits_left();

	while (less < SMALLEST && memory_of(less) > left / PART)
		less++;
	return less;
}

bool ms_cache_start(void)
{
	uint32_t less = choose_size();

	hash = ms_pages((1u << HASH_BITS) * sizeof(*hash));
	if (hash == NULL)
		return false;
	for (uint32_t kind = 0; kind < MS_CODES; kind++)
		if (!take_table(&ms_cache_table[kind]))
			return false;
	while (!take_memory(less))
		if (less++ >= SMALLEST)
			return false;
	ms_cache_at = (ms_code *)code;
	return true;
}

void ms_cache_begin(void)
{
	kept_at = ms_cache_at;
	begin(0);
}

static void forget_all(void)
{
	for (uint32_t i = 0; i < 1u << HASH_BITS; i++)
		if (hash[i] != 0)
			__atomic_store_n(&hash[i], 0, __ATOMIC_RELAXED);
	ms_cache_miss_is(miss);
}

static bool has_room(void)
{
	uint32_t which = (uint32_t)(now - halves) + 1;

	return (uint8_t *)ms_cache_at + BLOCK_BYTES < now->end &&
	       now->block_count < most_blocks / 2 &&
	       now->site_count + 4 * MS_MAX_INSNS < which * (most_sites / 2) &&
	       now->link_count + 2 * MS_MAX_INSNS < which * (most_links / 2);
}

bool ms_cache_make_room(void)
{
	if (has_room())
		return true;
	/* First remove all look-ups, then wait for the threads that had already found a block. */
	forget_all();
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!ms_window_wait_for(times))
		return false;
	begin(now == halves);
	ms_tracer_stats.restarts++;
	__atomic_store_n(&times, times + 1, __ATOMIC_SEQ_CST);
	return true;
}

void ms_cache_enter(struct ms_window *w)
{
	__atomic_store_n(&w->inside, __atomic_load_n(&times, __ATOMIC_SEQ_CST), __ATOMIC_SEQ_CST);
}

bool ms_cache_is_new(uint64_t inside)
{
	return inside == times;
}

ms_code *ms_cache_keep(ms_code *(*write)(uint64_t), uint64_t pc)
{
	ms_code *at = ms_cache_at, *kept = NULL;

	if ((uint8_t *)kept_at + MS_CLONE_BYTES + sizeof(uint64_t) <= code + KEPT_BYTES) {
		ms_cache_at = kept_at;
		kept = write(pc);
		kept_at = ms_cache_at;
		ms_cache_at = at;
	}
	return kept;
}

void ms_cache_miss_is(uint64_t at)
{
	miss = at;
	for (uint64_t i = 0; i <= ms_cache_table_mask; i++)
		for (uint32_t k = 0; k < MS_CODES; k++)
			__atomic_store_n(&ms_cache_table[k][i], miss, __ATOMIC_RELAXED);
}

bool ms_cache_holds(uint64_t address)
{
	return address - (uint64_t)code < code_bytes;
}

/* --- blocks --- */

static uint32_t slot_of(uint64_t key)
{
	return (uint32_t)((key ^ key >> 40) * 0x9e3779b97f4a7c15u >> (64 - HASH_BITS));
}

struct ms_block *ms_cache_find(uint64_t key)
{
	uint32_t number;

	for (uint32_t i = slot_of(key); (number = __atomic_load_n(&hash[i], __ATOMIC_ACQUIRE)) != 0;
	     i = (i + 1) & ((1u << HASH_BITS) - 1)) {
		struct ms_block *b = &blocks[number - 1];

		if (ms_key(b->pc, b->kind) == key && !b->gone)
			return b;
	}
	return NULL;
}

struct ms_block *ms_cache_linked(uint64_t key)
{
	return ms_own_watches(ms_key_pc(key)) ? NULL : ms_cache_find(key);
}

struct ms_block *ms_cache_add(uint64_t key)
{
	struct ms_block *b = &blocks[now->first_block + now->block_count++];

	*b = (struct ms_block){ .pc = ms_key_pc(key),
				.first_site = now->site_count,
				.kind = (uint8_t)ms_key_kind(key) };
	return b;
}

void ms_cache_publish(const struct ms_block *block)
{
	uint32_t i = slot_of(ms_key(block->pc, block->kind));

	granules[block->pc >> 16 & 0xffff] = 1;
	while (hash[i] != 0)
		i = (i + 1) & ((1u << HASH_BITS) - 1);
	__atomic_store_n(&hash[i], (uint32_t)(block - blocks) + 1, __ATOMIC_RELEASE);
}

void ms_cache_site(struct ms_block *block, struct ms_site site)
{
	sites[now->site_count++] = site;
	block->sites++;
}

const struct ms_site *ms_cache_site_at(uint64_t address, struct ms_block **block)
{
	const struct half *half = address < (uint64_t)halves[0].end ? &halves[0] : &halves[1];
	uint32_t lo = half->first_block, hi = lo + half->block_count;
	struct ms_block *b;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (blocks[mid].indirect <= address)
			lo = mid;
		else
			hi = mid;
	}
	b = &blocks[lo];
	if (half->block_count == 0 || address < b->entry || address >= b->entry + b->size)
		return NULL;
	*block = b;
	for (uint32_t i = b->sites; i-- > 0;)
		if (b->entry + sites[b->first_site + i].offset <= address)
			return &sites[b->first_site + i];
	return NULL;
}

uint32_t ms_cache_link(struct ms_link link)
{
	links[now->link_count] = link;
	return now->link_count++;
}

struct ms_link *ms_cache_link_at(uint32_t number)
{
	return &links[number];
}

static uint64_t *entry_of(uint64_t target, uint32_t kind)
{
	return &ms_cache_table[kind][target >> MS_TABLE_SHIFT & ms_cache_table_mask];
}

void ms_cache_aim(uint64_t target, const struct ms_block *block)
{
	__atomic_store_n(entry_of(target, block->kind), block->indirect, __ATOMIC_RELEASE);
}

bool ms_cache_may_hold(uint64_t start, uint64_t size)
{
	for (uint64_t g = start >> 16; g <= (start + size) >> 16; g++)
		if (granules[g & 0xffff])
			return true;
	return false;
}

void ms_cache_drop(struct ms_block *b)
{
	uint64_t *entry = entry_of(b->pc, b->kind);

	b->gone = true;
	if (*entry == b->indirect)
		__atomic_store_n(entry, miss, __ATOMIC_RELEASE);
}

void ms_cache_forget(uint64_t start, uint64_t end)
{
	for (uint32_t i = 0; i < now->block_count; i++) {
		struct ms_block *b = &blocks[now->first_block + i];

		if (!b->gone && b->pc >= start && b->pc < end)
			ms_cache_drop(b);
	}
}

void ms_cache_forget_at(uint64_t pc)
{
	struct ms_block *b;

	for (uint32_t kind = 0; kind < MS_CODES; kind++)
		while ((b = ms_cache_find(ms_key(pc, kind))) != NULL)
			ms_cache_drop(b);
}
