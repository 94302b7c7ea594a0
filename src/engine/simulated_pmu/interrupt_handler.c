#include "engine/simulated_pmu/interrupt_handler.h"

#include <string.h>

#include "base/mem.h"
#include "wire/wire.h"

/*
 * The handler's memory: a stack, which grows down; arrays, which are reserved and filled from the
 * front; and a heap, for single allocations. They begin at different cache sets, as they would by
 * chance.
 */
#define STACK_TOP (MS_PMU_HANDLER_BASE + 0x10000)
#define MAP       (MS_PMU_HANDLER_BASE + (UINT64_C(1) << 36) + 0x3000)
#define BUCKETS   (MS_PMU_HANDLER_BASE + (UINT64_C(2) << 36) + 0x7000)
#define HEAP      (MS_PMU_HANDLER_BASE + (UINT64_C(3) << 36) + 0xd000)

/* Sizes of the records in bytes, and offsets of their fields. */
enum {
	NODE = 64, /* start, end, largest end below, two children, parent, bucket */
	NODE_END = 8,
	NODE_BELOW = 24,
	NODE_BUCKET = 48,
	BUCKET = 96, /* two vectors, then the description of the objects */
	BUCKET_EVICTIONS = 16,
	MAP_ENTRY = 24, /* start, end, number */
	MAP_NUMBER = 16,
	ENTRY = 24, /* number, events, latency; or number, vector, its size and capacity */
	ENTRY_EVENTS = 8,
	ENTRY_LATENCY = 16,
	FIRST_ROOM = 4, /* capacity of a new vector, in entries */
};

enum {
	SAVED = 32, /* words that the interrupt saves and restores */
	FRAME = 6,  /* words that a function saves */
	COPIED = 32 /* bytes that one copy operation moves */
};

void ms_pmu_open_handler(struct ms_pmu_handler *h)
{
	*h = (struct ms_pmu_handler){ .heap = HEAP };
}

static void close_vector(struct ms_pmu_handler_vector *v)
{
	ms_free(v->number);
	ms_free(v->inner);
}

void ms_pmu_close_handler(struct ms_pmu_handler *h)
{
	for (size_t i = 0; i < h->buckets.n; i++) {
		close_vector(&h->buckets.at[i].misses);
		close_vector(&h->buckets.at[i].evictions);
	}
	for (size_t i = 0; i < h->inner.n; i++)
		close_vector(&h->inner.at[i]);
	ms_vec_free(&h->buckets);
	ms_vec_free(&h->inner);
	ms_pmu_close_tree(&h->tree);
}

static uint64_t allocate(struct ms_pmu_handler *h, uint64_t bytes)
{
	uint64_t address = h->heap;

	h->heap += (bytes + 15) & ~UINT64_C(15);
	return address;
}

/* --- the program's objects --- */

void ms_pmu_remove_objects(struct ms_pmu_handler *h, uint64_t start, uint64_t end)
{
	for (;;) {
		uint32_t node = ms_pmu_find_node_from(&h->tree, start);

		if (node == 0 || h->tree.nodes.at[node].start >= end)
			return;
		ms_pmu_remove_node(&h->tree, h->tree.nodes.at[node].start);
	}
}

void ms_pmu_remove_object(struct ms_pmu_handler *h, uint64_t start)
{
	ms_pmu_remove_node(&h->tree, start);
}

/* A new object replaces all objects that overlap it. */
void ms_pmu_add_object(struct ms_pmu_handler *h, uint64_t start, uint64_t end)
{
	ms_pmu_remove_objects(h, start + 1, end);
	if (ms_pmu_add_node(&h->tree, start, h->heap))
		allocate(h, NODE);
}

/* --- references --- */

static void refer(struct ms_pmu_handler *h, uint64_t address, uint32_t size, uint32_t kind)
{
	h->references++;
	h->refer(h->arg, address, size, kind);
}

static void read8(struct ms_pmu_handler *h, uint64_t address)
{
	refer(h, address, 8, MS_WIRE_READ);
}

/* Saves or restores words of the stack, below the first `depth` words. */
static void use_stack(struct ms_pmu_handler *h, unsigned depth, unsigned words, uint32_t kind)
{
	for (unsigned i = 0; i < words; i++)
		refer(h, STACK_TOP - 8 * (uint64_t)(depth + i + 1), 8, kind);
}

static void enter(struct ms_pmu_handler *h)
{
	use_stack(h, SAVED, FRAME, MS_WIRE_WRITE);
}

static void leave(struct ms_pmu_handler *h)
{
	use_stack(h, SAVED, FRAME, MS_WIRE_READ);
}

/* --- look-ups --- */

/* Descends the tree to the last object that starts at or before the address, and reads its end and
 * bucket. */
static void find_object(struct ms_pmu_handler *h, uint64_t address)
{
	uint32_t node = h->tree.root;
	uint64_t found = 0;

	enter(h);
	while (node != 0) {
		const struct ms_pmu_object_node *n = &h->tree.nodes.at[node];
		unsigned side = address >= n->start;

		read8(h, n->address);
		read8(h, n->address + NODE_BELOW + 8 * side);
		found = side ? n->address : found;
		node = n->below[side];
	}
	if (found != 0) {
		read8(h, found + NODE_END);
		refer(h, found + NODE_BUCKET, 4, MS_WIRE_READ);
	}
	leave(h);
}

static void find_site(struct ms_pmu_handler *h, uint32_t site)
{
	uint32_t from = 0, to = h->sites;

	enter(h);
	while (to - from > 1) {
		uint32_t middle = from + (to - from) / 2;

		read8(h, MAP + (uint64_t)middle * MAP_ENTRY);
		if (site >= middle)
			from = middle;
		else
			to = middle;
	}
	refer(h, MAP + (uint64_t)from * MAP_ENTRY + MAP_NUMBER, 4, MS_WIRE_READ);
	leave(h);
}

/* --- vectors --- */

static void copy(struct ms_pmu_handler *h, uint64_t to, uint64_t from, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i += COPIED) {
		uint32_t size = (uint32_t)(bytes - i < COPIED ? bytes - i : COPIED);

		refer(h, from + i, size, MS_WIRE_READ);
		refer(h, to + i, size, MS_WIRE_WRITE);
	}
}

static void grow(struct ms_pmu_handler *h, struct ms_pmu_handler_vector *v)
{
	uint64_t old = v->address;

	v->room = v->room == 0 ? FIRST_ROOM : v->room * 2;
	v->address = allocate(h, (uint64_t)v->room * ENTRY);
	v->number = ms_realloc(v->number, v->room * sizeof(*v->number));
	v->inner = ms_realloc(v->inner, v->room * sizeof(*v->inner));
	copy(h, v->address, old, (uint64_t)v->n * ENTRY);
}

static void insert(struct ms_pmu_handler *h, struct ms_pmu_handler_vector *v, uint32_t at,
		   uint32_t number)
{
	if (v->n == v->room)
		grow(h, v);

	uint64_t address = v->address + (uint64_t)at * ENTRY;
	size_t following = v->n - at;

	copy(h, address + ENTRY, address, following * ENTRY);
	memmove(v->number + at + 1, v->number + at, following * sizeof(*v->number));
	memmove(v->inner + at + 1, v->inner + at, following * sizeof(*v->inner));
	refer(h, address, ENTRY, MS_WIRE_WRITE);
	v->number[at] = number;
	v->inner[at] = UINT32_MAX;
	v->n++;
}

/* Returns the entry of this number; inserts it if it is missing. */
static uint32_t find_entry(struct ms_pmu_handler *h, struct ms_pmu_handler_vector *v,
			   uint32_t number)
{
	uint32_t from = 0, to = v->n;

	enter(h);
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		refer(h, v->address + (uint64_t)middle * ENTRY, 4, MS_WIRE_READ);
		if (v->number[middle] < number)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == v->n || v->number[from] != number)
		insert(h, v, from, number);
	leave(h);
	return from;
}

static void add_to(struct ms_pmu_handler *h, const struct ms_pmu_handler_vector *v, uint32_t entry,
		   uint32_t offset)
{
	refer(h, v->address + (uint64_t)entry * ENTRY + offset, 8, MS_WIRE_MODIFY);
}

/* --- buckets --- */

static struct ms_pmu_handler_bucket *bucket_of(struct ms_pmu_handler *h, uint32_t data)
{
	if (data >= h->buckets.n) {
		ms_vec_reserve(&h->buckets, data + 1 - h->buckets.n);
		h->buckets.n = data + 1;
	}
	return &h->buckets.at[data];
}

/* Reads a vector's address and length from the bucket. */
static void read_vector(struct ms_pmu_handler *h, uint32_t data, uint32_t offset)
{
	read8(h, BUCKETS + (uint64_t)data * BUCKET + offset);
	read8(h, BUCKETS + (uint64_t)data * BUCKET + offset + 8);
}

static void count_miss(struct ms_pmu_handler *h, const struct ms_pmu_handler_sample *s)
{
	struct ms_pmu_handler_vector *misses = &bucket_of(h, s->data)->misses;
	uint32_t entry;

	read_vector(h, s->data, 0);
	entry = find_entry(h, misses, s->site);
	add_to(h, misses, entry, ENTRY_EVENTS);
	add_to(h, misses, entry, ENTRY_LATENCY);
}

static void count_eviction(struct ms_pmu_handler *h, const struct ms_pmu_handler_sample *s)
{
	struct ms_pmu_handler_vector *by = &bucket_of(h, s->victim_data)->evictions;
	uint32_t entry;

	read_vector(h, s->victim_data, BUCKET_EVICTIONS);
	entry = find_entry(h, by, s->data);
	if (by->inner[entry] == UINT32_MAX) {
		by->inner[entry] = (uint32_t)h->inner.n;
		(void)ms_vec_add(&h->inner);
	}
	struct ms_pmu_handler_vector *sites = &h->inner.at[by->inner[entry]];
	read8(h, by->address + (uint64_t)entry * ENTRY + ENTRY_EVENTS);
	entry = find_entry(h, sites, s->site);
	add_to(h, sites, entry, ENTRY_EVENTS);
}

void ms_pmu_run_handler(struct ms_pmu_handler *h, const struct ms_pmu_handler_sample *s)
{
	use_stack(h, 0, SAVED, MS_WIRE_WRITE);
	find_object(h, s->address);
	find_site(h, s->site);
	count_miss(h, s);
	if (s->evicted) {
		find_object(h, s->victim);
		if (s->victim < MS_PMU_HANDLER_BASE || s->victim >= MS_PMU_HANDLER_END)
			count_eviction(h, s);
	}
	use_stack(h, 0, SAVED, MS_WIRE_READ);
}
