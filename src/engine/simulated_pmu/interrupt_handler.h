/*
 * engine/simulated_pmu/interrupt_handler.h - the simulated interrupt handler of the performance
 * monitor: its data structures and their addresses.
 *
 *   Models:   the instrumentation of Buck's dissertation (4.3.1 and 5.2). A red-black tree maps an
 *             address to the bucket of its data, a sorted map a pc to a number. A bucket has a
 *             vector of the instructions that missed it, and for each data that evicted it another
 *             vector of instructions. All vectors are sorted and use binary search. Each load and
 *             store of these operations is one reference, at the address that it would have.
 *   Does not: the cost of tree updates when objects are allocated and freed; only the shape of the
 *             tree follows them. Nor the kernel's part of an interrupt, which is a constant number
 *             of cycles (pmu.h).
 *
 * The engine has numbers of instructions, not functions or source lines. So the map and the
 * vectors distinguish instructions.
 */
#ifndef MS_ENGINE_SIMULATED_PMU_INTERRUPT_HANDLER_H
#define MS_ENGINE_SIMULATED_PMU_INTERRUPT_HANDLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* An address range that no program uses. */
#define MS_PMU_HANDLER_BASE (UINT64_C(1) << 48)
#define MS_PMU_HANDLER_END  (UINT64_C(1) << 49)

/* An object of the program, as a node of the tree. Node 0 means "none". */
struct ms_pmu_object_node {
	uint64_t start;
	uint64_t address;
	uint32_t below[2]; /* subtrees of objects that start before and after this one */
	uint32_t rank;     /* 1: a leaf; see object_tree.c */
};

struct ms_pmu_object_tree {
	MS_VEC(struct ms_pmu_object_node) nodes;
	MS_VEC(uint32_t) free;
	uint32_t root;
	uint32_t count;
};

/* Entries, sorted by number. */
struct ms_pmu_handler_vector {
	uint64_t address;
	uint32_t n;
	uint32_t room;
	uint32_t *number;
	uint32_t *inner; /* of evictions: index of the inner vector */
};

struct ms_pmu_handler_bucket {
	struct ms_pmu_handler_vector misses;    /* by instruction */
	struct ms_pmu_handler_vector evictions; /* by the data that caused them */
};

struct ms_pmu_handler {
	struct ms_pmu_object_tree tree;
	MS_VEC(struct ms_pmu_handler_bucket) buckets; /* by data */
	MS_VEC(struct ms_pmu_handler_vector)
	inner;          /* of evictions of one data by another: by instruction */
	uint64_t heap;  /* address of the next allocation */
	uint32_t sites; /* entries of the map */

	/* Called for each reference of the handler; kind: enum ms_wire_ref_kind. */
	void (*refer)(void *arg, uint64_t address, uint32_t size, uint32_t kind);
	void *arg;
	uint64_t references;
};

/* The contents of the monitor's registers at the interrupt. */
struct ms_pmu_handler_sample {
	uint64_t address;
	uint32_t data;
	uint32_t site;
	bool evicted;         /* a line was evicted */
	uint64_t victim;      /* its address, which may be one of the handler's */
	uint32_t victim_data; /* undefined if the victim is the handler's */
};

void ms_pmu_open_handler(struct ms_pmu_handler *handler);
void ms_pmu_close_handler(struct ms_pmu_handler *handler);
void ms_pmu_run_handler(struct ms_pmu_handler *handler, const struct ms_pmu_handler_sample *sample);

/* Changes of the program's objects. */
void ms_pmu_add_object(struct ms_pmu_handler *handler, uint64_t start, uint64_t end);
void ms_pmu_remove_object(struct ms_pmu_handler *handler, uint64_t start);
void ms_pmu_remove_objects(struct ms_pmu_handler *handler, uint64_t start, uint64_t end);

/* object_tree.c; address: of the node, if it has to be allocated. Returns whether it was
 * allocated. */
bool ms_pmu_add_node(struct ms_pmu_object_tree *tree, uint64_t start, uint64_t address);
bool ms_pmu_remove_node(struct ms_pmu_object_tree *tree, uint64_t start);
/* Returns the first node that starts at or after this address; 0: none. */
uint32_t ms_pmu_find_node_from(const struct ms_pmu_object_tree *tree, uint64_t start);
void ms_pmu_close_tree(struct ms_pmu_object_tree *tree);

#endif
