/*
 * engine/pmu/interrupt_handler.h - the program that a monitor's interrupt runs: what it keeps, and
 * where.
 *
 * Models:   the instrumentation of Buck's dissertation (4.3.1 and 5.2). A red-black tree leads from
 *           an address to its data's bucket, a sorted map from a pc to a number. A bucket has a
 *           vector of the places that missed it, and for each data that pushed it out another
 *           vector of places; all are sorted, and searched by halves. Each load and store of all
 *           this is one reference, at the address where it would be.
 * Does not: what the tree costs when objects come and go: only its shape follows them. Nor the
 *           kernel's part of an interrupt, which is a number of cycles (pmu.h).
 *
 * The engine knows instructions, not functions or lines: those are what the map and the vectors
 * tell apart.
 */
#ifndef MS_ENGINE_PMU_INTERRUPT_HANDLER_H
#define MS_ENGINE_PMU_INTERRUPT_HANDLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* Where no program has anything. */
#define MS_PMU_HANDLER_BASE (UINT64_C(1) << 48)
#define MS_PMU_HANDLER_END  (UINT64_C(1) << 49)

/* An object of the program, as the tree knows it. Number 0 is no node. */
struct ms_pmu_object_node {
	uint64_t start;
	uint64_t address;
	uint32_t below[2]; /* those that start before, and behind */
	uint32_t rank;     /* 1: a leaf; see object_tree.c */
};

struct ms_pmu_object_tree {
	MS_VEC(struct ms_pmu_object_node) nodes;
	MS_VEC(uint32_t) free;
	uint32_t root;
	uint32_t count;
};

/* Entries sorted by number. */
struct ms_pmu_handler_vector {
	uint64_t address;
	uint32_t n;
	uint32_t room;
	uint32_t *number;
	uint32_t *inner; /* of evictions: which of the inner vectors */
};

struct ms_pmu_handler_bucket {
	struct ms_pmu_handler_vector misses;    /* by place */
	struct ms_pmu_handler_vector evictions; /* by the data that pushed it out */
};

struct ms_pmu_handler {
	struct ms_pmu_object_tree tree;
	MS_VEC(struct ms_pmu_handler_bucket) buckets; /* by data */
	MS_VEC(struct ms_pmu_handler_vector)
	inner;          /* of evictions of one data by one other: by place */
	uint64_t heap;  /* where the next allocation will lie */
	uint32_t sites; /* entries of the map */

	/* Who is told of each reference; kind: enum ms_wire_ref_kind. */
	void (*refer)(void *arg, uint64_t address, uint32_t size, uint32_t kind);
	void *arg;
	uint64_t references;
};

/* What the registers say when the interrupt comes. */
struct ms_pmu_handler_sample {
	uint64_t address;
	uint32_t data;
	uint32_t site;
	bool evicted;         /* something left the cache: */
	uint64_t victim;      /* its address, which may be the handler's own ... */
	uint32_t victim_data; /* ... and then this means nothing */
};

void ms_pmu_open_handler(struct ms_pmu_handler *handler);
void ms_pmu_close_handler(struct ms_pmu_handler *handler);
void ms_pmu_run_handler(struct ms_pmu_handler *handler, const struct ms_pmu_handler_sample *sample);

/* The program's memory changes. */
void ms_pmu_add_object(struct ms_pmu_handler *handler, uint64_t start, uint64_t end);
void ms_pmu_remove_object(struct ms_pmu_handler *handler, uint64_t start);
void ms_pmu_remove_objects(struct ms_pmu_handler *handler, uint64_t start, uint64_t end);

/* object_tree.c; address: where a new node would lie. Returns whether it was new. */
bool ms_pmu_add_node(struct ms_pmu_object_tree *tree, uint64_t start, uint64_t address);
bool ms_pmu_remove_node(struct ms_pmu_object_tree *tree, uint64_t start);
/* The first that starts at or behind this; 0: none. */
uint32_t ms_pmu_find_node_from(const struct ms_pmu_object_tree *tree, uint64_t start);
void ms_pmu_close_tree(struct ms_pmu_object_tree *tree);

#endif
