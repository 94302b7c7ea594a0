/*
 * cache.c - the memory of translated blocks, and how they are found: by the program's pc, by a
 * place in their code, by the low bits of an indirect branch's target.
 *
 * Everything lies below 2 GiB, so that generated code reaches it with 32-bit addresses. Blocks are
 * numbered in the order of their code. A block of code that has gone is taken out of all look-ups,
 * its memory stays: nobody knows who is still in it.
 */
#include "asm.h"

#include <cpuid.h>

/* Of the largest cache; one that has less memory has everything smaller by the same power. */
enum {
	CODE_BYTES = 256 << 20,
	MOST_BLOCKS = 1 << 19,
	HASH_BITS = 20,
	MOST_SITES = 1 << 23,
	MOST_LINKS = 1 << 21,
	SMALLEST = 6,
	BLOCK_BYTES = 16 << 10, /* no block is larger */
};
static uint32_t code_bytes, most_blocks, most_sites, most_links;
enum { PROT_RW = 3, PROT_RWX = 7, MAP_FLAGS = 0x4062 /* private, anonymous, 32-bit, no reserve */ };

uint8_t *ms_cache_at;
uint64_t *ms_cache_table;
uint64_t ms_cache_table_mask;

static uint8_t *code;
static struct ms_block *blocks;
static struct ms_site *sites;
static struct ms_link *links;
static uint8_t granules[1 << 16]; /* of 64 KiB: code was taken from it, or from one like it */
static uint32_t *hash;            /* block number + 1 */
static uint32_t block_count, site_count, link_count;

static void *low_memory(uint64_t bytes, int prot)
{
	int64_t at = ms_sys(__NR_mmap, 0, (long)bytes, prot, MAP_FLAGS, -1, 0);

	return at < 0 && at > -4096 ? NULL : (void *)at;
}

static bool has_pext(void)
{
	uint32_t a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2) != 0;
}

static void let_go(void *at, uint64_t bytes)
{
	if (at != NULL)
		ms_pages_free(at, bytes);
}

static bool take_memory(uint32_t less)
{
	code_bytes = CODE_BYTES >> less;
	most_blocks = MOST_BLOCKS >> less;
	most_sites = MOST_SITES >> less;
	most_links = MOST_LINKS >> less;
	code = low_memory(code_bytes, PROT_RWX);
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

bool ms_cache_start(void)
{
	uint64_t entries = has_pext() ? 1 << 18 : 1 << 16;
	uint8_t *table = low_memory(entries * 8 + MS_PAGE, PROT_RW);
	uint32_t less = 0;

	hash = ms_pages((1u << HASH_BITS) * sizeof(*hash));
	if (table == NULL || hash == NULL)
		return false;
	while (!take_memory(less))
		if (less++ == SMALLEST)
			return false;
	ms_cache_table = (uint64_t *)(table + MS_PAGE);
	ms_cache_table_mask = entries - 1;
	ms_cache_table[-1] = ms_cache_table_mask;
	ms_cache_at = code;
	return true;
}

bool ms_cache_has_room(void)
{
	return ms_cache_at + BLOCK_BYTES < code + code_bytes && block_count < most_blocks &&
	       site_count + 4 * MS_MAX_INSNS < most_sites &&
	       link_count + MS_MAX_EXITS + 8 < most_links;
}

bool ms_cache_holds(uint64_t address)
{
	return address - (uint64_t)code < code_bytes;
}

static uint32_t slot_of(uint64_t pc)
{
	return (uint32_t)(pc * 0x9e3779b97f4a7c15u >> (64 - HASH_BITS));
}

struct ms_block *ms_cache_find(uint64_t pc)
{
	for (uint32_t i = slot_of(pc); hash[i] != 0; i = (i + 1) & ((1u << HASH_BITS) - 1)) {
		struct ms_block *b = &blocks[hash[i] - 1];

		if (b->pc == pc && !b->gone)
			return b;
	}
	return NULL;
}

struct ms_block *ms_cache_add(uint64_t pc)
{
	struct ms_block *b = &blocks[block_count++];

	*b = (struct ms_block){ .pc = pc, .first_site = site_count };
	return b;
}

void ms_cache_publish(const struct ms_block *block)
{
	uint32_t i = slot_of(block->pc);

	granules[block->pc >> 16 & 0xffff] = 1;
	while (hash[i] != 0)
		i = (i + 1) & ((1u << HASH_BITS) - 1);
	__atomic_store_n(&hash[i], (uint32_t)(block - blocks) + 1, __ATOMIC_RELEASE);
}

void ms_cache_site(struct ms_block *block, struct ms_site site)
{
	sites[site_count++] = site;
	block->sites++;
}

const struct ms_site *ms_cache_site_at(uint64_t address, struct ms_block **block)
{
	uint32_t lo = 0, hi = block_count;
	struct ms_block *b;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (blocks[mid].indirect <= address)
			lo = mid;
		else
			hi = mid;
	}
	b = &blocks[lo];
	if (block_count == 0 || address < b->entry || address >= b->entry + b->size)
		return NULL;
	*block = b;
	for (uint32_t i = b->sites; i-- > 0;)
		if (b->entry + sites[b->first_site + i].offset <= address)
			return &sites[b->first_site + i];
	return NULL;
}

uint32_t ms_cache_link(struct ms_link link)
{
	links[link_count] = link;
	return link_count++;
}

struct ms_link *ms_cache_link_at(uint32_t number)
{
	return &links[number];
}

void ms_cache_aim(uint64_t target, const struct ms_block *block)
{
	__atomic_store_n(&ms_cache_table[target & ms_cache_table_mask], block->indirect,
			 __ATOMIC_RELEASE);
}

bool ms_cache_may_hold(uint64_t start, uint64_t size)
{
	for (uint64_t g = start >> 16; g <= (start + size) >> 16; g++)
		if (granules[g & 0xffff])
			return true;
	return false;
}

void ms_cache_forget(uint64_t start, uint64_t end)
{
	for (uint32_t i = 0; i < block_count; i++) {
		struct ms_block *b = &blocks[i];
		uint64_t *entry = &ms_cache_table[b->pc & ms_cache_table_mask];

		if (b->gone || b->pc < start || b->pc >= end)
			continue;
		b->gone = true;
		if (*entry == b->indirect)
			__atomic_store_n(entry, (uint64_t)code, __ATOMIC_RELEASE); /* the miss */
	}
}
