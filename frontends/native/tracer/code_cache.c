/*
 * code_cache.c - the memory of translated blocks, and three ways to find a block: by the program's
 * pc, by an address in its code, by the low bits of an indirect branch's target.
 *
 * Blocks are numbered in the order of their code. When the program's code goes away, its block is
 * removed from all look-ups. The block's memory is kept, because a thread may still execute
 * it.
 *
 * The memory has two halves. When one is full, all its blocks are forgotten, and new ones go to the
 * other half. A thread in the old half continues there until it calls C the next time, which a full
 * chunk forces it to do. While a thread is in the cache, w->inside holds the time (the number of
 * halves begun) at which it entered. A half is reused when no thread has been inside since before
 * that time.
 */
#include "tracer/code_cache.h"

#include "arch.h"
#include "heap/heap.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "syscalls/syscalls.h"
#include "tracer/arch_priv.h"
#include "tracer/tracer.h"
#include "tracer/window.h"

/* Sizes of the largest cache. With less memory, all are divided by the same power of two. */
enum {
	MOST_BLOCKS = 1 << 19,
	FIRST_SLOTS = 1 << 12, /* of the hash table, which doubles when it is half full */
	MOST_SITES = 1 << 23,
	MOST_LINKS = 1 << 21,
	SMALLEST = 9,
	BLOCK_BYTES = 24 << 10,    /* no block is larger */
	PERMANENT_BYTES = 4 << 10, /* in front of the halves: code that stays */
};
static uint32_t code_bytes, most_blocks, most_sites, most_links; /* of both halves */
enum { PROT_RW = 3, PROT_RWX = 7 };
/* Advice, as in <sys/mman.h>; ignored without huge pages. COLLAPSE: pages that are in use. */
enum { HUGE_PAGES = 14, COLLAPSE = 25 };
enum { SMALL_PAGES_BYTES = 1 << 20 }; /* code in small pages */
enum { MAP_FLAGS = 0x4022 | MS_TRACER_CACHE_MAP_FLAGS /* private, anonymous, no reserve */ };

ms_tracer_code_unit *ms_tracer_emit_cursor;

static uint8_t *code;
static ms_tracer_code_unit *permanent_at;
static struct ms_tracer_block *blocks;
static struct ms_tracer_insn_site *sites;
static struct ms_tracer_link *links;
static uint8_t granules[1 << 16]; /* for each 64 KiB (hashed): has translated code */
static struct block_hash {
	uint32_t bits, used;
	uint32_t slots[]; /* block number + 1 */
} * hash;

/* The half that is being filled; the arrays have two halves as well. */
static struct cache_half {
	uint8_t *start, *end;
	uint32_t first_block, block_count;
	uint32_t site_count, link_count; /* from the arrays' start on */
} halves[2], *current_half;
static uint64_t generation = 1; /* number of halves begun, from 1 on */

/* Memory in reach of generated code: the kernel chooses it by a flag, or it is near the runtime. */
static void *map_near(uint64_t bytes, int prot)
{
	uint64_t map_at = MS_TRACER_CACHE_MAP_FLAGS != 0 ? 0 : ms_runtime_choose_address(bytes);
	long at = ms_runtime_syscall(__NR_mmap, (long)map_at, (long)bytes, prot, MAP_FLAGS, -1, 0);

	return ms_runtime_is_error(at) ? NULL : (void *)at;
}

static void unmap(void *at, uint64_t bytes)
{
	if (at != NULL)
		ms_runtime_unmap_pages(at, bytes);
}

void *ms_tracer_map_near_code(uint64_t bytes)
{
	return map_near(bytes, PROT_RW);
}

static bool allocate_cache(uint32_t halvings)
{
	code_bytes = MS_TRACER_CACHE_BYTES >> halvings;
	most_blocks = MOST_BLOCKS >> halvings;
	most_sites = MOST_SITES >> halvings;
	most_links = MOST_LINKS >> halvings;
	code = map_near(code_bytes, PROT_RWX);
	blocks = ms_runtime_map_pages(most_blocks * sizeof(*blocks));
	sites = ms_runtime_map_pages(most_sites * sizeof(*sites));
	links = ms_runtime_map_pages(most_links * sizeof(*links));
	if (code != NULL && blocks != NULL && sites != NULL && links != NULL)
		return true;
	unmap(code, code_bytes);
	unmap(blocks, most_blocks * sizeof(*blocks));
	unmap(sites, most_sites * sizeof(*sites));
	unmap(links, most_links * sizeof(*links));
	return false;
}

static void advise(uint64_t at, uint64_t bytes, int advice)
{
	ms_runtime_syscall(__NR_madvise, (long)at, (long)bytes, advice, 0, 0, 0);
}

/*
 * Translated code is several times as long as the program's and is executed all over: large pages
 * save TLB misses. The kernel clears a large page at the first access, which takes longer than a
 * short program needs to run: there are none before there is much code.
 */
static void use_large_pages(void)
{
	static bool is_advised;
	uint64_t end = (uint64_t)ms_tracer_emit_cursor;

	if (is_advised || end - (uint64_t)code < SMALL_PAGES_BYTES)
		return;
	is_advised = true;
	advise((uint64_t)code, code_bytes, HUGE_PAGES);
	advise((uint64_t)code, end - (uint64_t)code, COLLAPSE);
}

/* --- halves --- */

static void begin_half(uint32_t which)
{
	uint8_t *first = code + PERMANENT_BYTES;
	uint32_t bytes = (code_bytes - PERMANENT_BYTES) / 2 & ~63u;

	current_half = &halves[which];
	*current_half = (struct cache_half){ .start = first + which * bytes,
					     .end = first + (which + 1) * bytes,
					     .first_block = which * (most_blocks / 2),
					     .site_count = which * (most_sites / 2),
					     .link_count = which * (most_links / 2) };
	ms_tracer_emit_cursor = (ms_tracer_code_unit *)current_half->start;
}

static uint64_t memory_of(uint32_t halvings)
{
	uint64_t whole = MS_TRACER_CACHE_BYTES + MOST_BLOCKS * sizeof(*blocks) +
			 MOST_SITES * sizeof(*sites) + MOST_LINKS * sizeof(*links);

	return whole >> halvings;
}

/* Under a memory limit, the program keeps nearly all memory that is left (memory_limits.c). */
static uint32_t choose_size(void)
{
	enum { PART = 8 };
	uint32_t halvings = ms_runtime_config.cache_halvings < SMALLEST
				    ? ms_runtime_config.cache_halvings
				    : SMALLEST;
	uint64_t left = ms_syscalls_get_memory_left();

	while (halvings < SMALLEST && memory_of(halvings) > left / PART)
		halvings++;
	return halvings;
}

static struct block_hash *allocate_hash(uint32_t bits)
{
	struct block_hash *made =
		ms_runtime_map_pages(sizeof(*made) + (sizeof(made->slots[0]) << bits));

	if (made != NULL)
		made->bits = bits;
	return made;
}

bool ms_tracer_start_cache(void)
{
	uint32_t halvings = choose_size();

	hash = allocate_hash(__builtin_ctz(FIRST_SLOTS));
	if (hash == NULL || !ms_tracer_start_branch_tables())
		return false;
	while (!allocate_cache(halvings))
		if (halvings++ >= SMALLEST)
			return false;
	ms_tracer_emit_cursor = (ms_tracer_code_unit *)code;
	return true;
}

void ms_tracer_begin_cache(void)
{
	permanent_at = ms_tracer_emit_cursor;
	begin_half(0);
}

static void forget_all(void)
{
	for (uint32_t i = 0; i < 1u << hash->bits; i++)
		if (hash->slots[i] != 0)
			__atomic_store_n(&hash->slots[i], 0, __ATOMIC_RELAXED);
	hash->used = 0;
	ms_tracer_reset_branch_tables();
}

static bool has_room(void)
{
	uint32_t which = (uint32_t)(current_half - halves) + 1;

	return (uint8_t *)ms_tracer_emit_cursor + BLOCK_BYTES < current_half->end &&
	       current_half->block_count < most_blocks / 2 &&
	       hash->used < (1u << hash->bits) / 4 * 3 && /* it could not be enlarged */
	       current_half->site_count + 4 * MS_TRACER_MAX_INSNS < which * (most_sites / 2) &&
	       current_half->link_count + 2 * MS_TRACER_MAX_INSNS < which * (most_links / 2);
}

bool ms_tracer_make_cache_room(void)
{
	if (has_room())
		return true;
	/* First remove all look-ups, then wait for the threads that had already found a block. */
	forget_all();
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!ms_tracer_wait_until_outside(generation))
		return false;
	begin_half(current_half == halves);
	ms_tracer_stats.restarts++;
	__atomic_store_n(&generation, generation + 1, __ATOMIC_SEQ_CST);
	return true;
}

void ms_tracer_enter_cache(struct ms_tracer_window *w)
{
	__atomic_store_n(&w->inside, __atomic_load_n(&generation, __ATOMIC_SEQ_CST),
			 __ATOMIC_SEQ_CST);
}

bool ms_tracer_is_current_half(uint64_t inside)
{
	return inside == generation;
}

ms_tracer_code_unit *ms_tracer_emit_permanent(ms_tracer_code_unit *(*write)(uint64_t), uint64_t pc)
{
	ms_tracer_code_unit *at = ms_tracer_emit_cursor, *permanent = NULL;

	if ((uint8_t *)permanent_at + MS_TRACER_CLONE_CALL_BYTES + sizeof(uint64_t) <=
	    code + PERMANENT_BYTES) {
		ms_tracer_emit_cursor = permanent_at;
		permanent = write(pc);
		permanent_at = ms_tracer_emit_cursor;
		ms_tracer_emit_cursor = at;
	}
	return permanent;
}

bool ms_tracer_is_in_cache(uint64_t address)
{
	return address - (uint64_t)code < code_bytes;
}

/* --- blocks --- */

static uint32_t slot_of(const struct block_hash *in, uint64_t key)
{
	return (uint32_t)((key ^ key >> 40) * 0x9e3779b97f4a7c15u >> (64 - in->bits));
}

static uint32_t next_slot(const struct block_hash *in, uint32_t slot)
{
	return (slot + 1) & ((1u << in->bits) - 1);
}

static uint64_t key_of(const struct ms_tracer_block *block)
{
	return ms_tracer_make_key(block->pc, block->kind);
}

struct ms_tracer_block *ms_tracer_find_block(uint64_t key)
{
	const struct block_hash *in = __atomic_load_n(&hash, __ATOMIC_ACQUIRE);
	uint32_t number;

	for (uint32_t i = slot_of(in, key);
	     (number = __atomic_load_n(&in->slots[i], __ATOMIC_ACQUIRE)) != 0;
	     i = next_slot(in, i)) {
		struct ms_tracer_block *b = &blocks[number - 1];

		if (key_of(b) == key && !b->is_gone)
			return b;
	}
	return NULL;
}

struct ms_tracer_block *ms_tracer_find_linkable_block(uint64_t key)
{
	return ms_heap_is_watched(ms_tracer_get_key_pc(key), ms_tracer_is_recording_key(key))
		       ? NULL
		       : ms_tracer_find_block(key);
}

struct ms_tracer_block *ms_tracer_add_block(uint64_t key)
{
	struct ms_tracer_block *b =
		&blocks[current_half->first_block + current_half->block_count++];

	ms_tracer_fill_branch_table(ms_tracer_get_key_kind(key));
	use_large_pages();
	*b = (struct ms_tracer_block){ .pc = ms_tracer_get_key_pc(key),
				       .first_site = current_half->site_count,
				       .kind = (uint8_t)ms_tracer_get_key_kind(key) };
	return b;
}

static void insert(struct block_hash *into, uint32_t number)
{
	uint32_t i = slot_of(into, key_of(&blocks[number - 1]));

	while (into->slots[i] != 0)
		i = next_slot(into, i);
	into->used++;
	__atomic_store_n(&into->slots[i], number, __ATOMIC_RELEASE);
}

/*
 * A short program touches few pages of a small table; in one for all blocks, each would have a page
 * of its own. Other threads may still search the old table: it stays, and all of them together are
 * no larger than the newest. A block that they do not find there is looked up again under the lock.
 */
static void make_hash_room(void)
{
	struct block_hash *old = hash, *wider;

	if (old->used < 1u << (old->bits - 1) || 1u << old->bits >= 2 * MOST_BLOCKS ||
	    (wider = allocate_hash(old->bits + 1)) == NULL)
		return;
	for (uint32_t i = 0; i < 1u << old->bits; i++)
		if (old->slots[i] != 0)
			insert(wider, old->slots[i]);
	__atomic_store_n(&hash, wider, __ATOMIC_RELEASE);
}

void ms_tracer_publish_block(const struct ms_tracer_block *block)
{
	granules[block->pc >> 16 & 0xffff] = 1;
	make_hash_room();
	insert(hash, (uint32_t)(block - blocks) + 1);
}

void ms_tracer_add_site(struct ms_tracer_block *block, struct ms_tracer_insn_site site)
{
	sites[current_half->site_count++] = site;
	block->sites++;
}

const struct ms_tracer_insn_site *ms_tracer_find_site(uint64_t address,
						      struct ms_tracer_block **block)
{
	const struct cache_half *half = address < (uint64_t)halves[0].end ? &halves[0] : &halves[1];
	uint32_t lo = half->first_block, hi = lo + half->block_count;
	struct ms_tracer_block *b;

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

uint32_t ms_tracer_add_link(struct ms_tracer_link link)
{
	links[current_half->link_count] = link;
	return current_half->link_count++;
}

struct ms_tracer_link *ms_tracer_get_link(uint32_t number)
{
	return &links[number];
}

bool ms_tracer_may_have_blocks(uint64_t start, uint64_t size)
{
	for (uint64_t g = start >> 16; g <= (start + size) >> 16; g++)
		if (granules[g & 0xffff])
			return true;
	return false;
}

void ms_tracer_drop_block(struct ms_tracer_block *b)
{
	b->is_gone = true;
	ms_tracer_drop_branch_target(b);
}

void ms_tracer_forget_blocks(uint64_t start, uint64_t end)
{
	for (uint32_t i = 0; i < current_half->block_count; i++) {
		struct ms_tracer_block *b = &blocks[current_half->first_block + i];

		if (!b->is_gone && b->pc >= start && b->pc < end)
			ms_tracer_drop_block(b);
	}
}

void ms_tracer_forget_blocks_at(uint64_t pc)
{
	struct ms_tracer_block *b;

	for (uint32_t kind = 0; kind < MS_TRACER_CODE_KINDS; kind++)
		while ((b = ms_tracer_find_block(ms_tracer_make_key(pc, kind))) != NULL)
			ms_tracer_drop_block(b);
}
