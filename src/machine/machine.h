/*
 * machine/machine.h - the simulated memory system: a description, no behaviour.
 *
 * Models:   up to 64 cache levels between a processor and memory, each private to a number of
 *           processors or shared by all; line sizes that do not shrink from one level to the next;
 *           any number of sets; how a level replaces, writes, takes lines and relates to the levels
 *           before it; stream prefetchers; how caches are kept coherent; memory in nodes, each near
 *           to some of the processors, and which node a page lies on; a latency per level, for
 *           near and far memory and for another processor's cache, applied when reporting; the
 *           core (core.h): how much of a latency it waits for.
 *           docs/formats/machine.md says what each of them means.
 * Does not: instruction caches, instruction TLBs; distances between nodes that differ.
 */
#ifndef MS_MACHINE_MACHINE_H
#define MS_MACHINE_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "machine/core.h"
#include "machine/policies.h"

/* Which node a page of memory lies on, where the program does not say. */
enum ms_machine_page_placement {
	MS_PLACEMENT_FIRST_TOUCH, /* that of the processor whose reference first misses in it */
	MS_PLACEMENT_INTERLEAVED, /* page by page, one node after the other */
	MS_PLACEMENT_NODE,        /* always the same */
};

/* The words of machine files, by the value of the enum; the list ends with NULL. */
extern const char *const ms_machine_placements[]; /* "first-touch" ... "node" */

struct ms_machine_level {
	const char *name; /* "L1" ... */
	uint64_t size;    /* bytes; size == sets * ways * line */
	uint32_t ways;
	uint32_t line;       /* bytes, a power of two, not smaller than the level before */
	uint32_t latency;    /* cycles a reference waits when this level answers (first level: 0) */
	uint32_t processors; /* how many processors share one cache; 0: all of them */
	const char *origin;  /* where geometry came from: "sysfs", "file", "option", ... */
	const char *latency_origin; /* likewise for the latency: "assumed", "file", ... */
	uint32_t replacement; /* enum ms_machine_replacement_policy; like all below, 0 is the usual
				 one */
	uint32_t write;       /* enum ms_machine_write_policy */
	uint32_t write_miss;  /* enum ms_machine_write_miss_policy */
	uint32_t contents;    /* enum ms_machine_contents_policy */
	uint32_t prefetch;    /* streams that a prefetcher follows; 0: there is none */
	uint32_t outstanding; /* misses of this level in flight; 0: not stated */
	uint32_t usable;      /* percent that one program can use; 0: not stated, all of it */
	const char *outstanding_origin; /* NULL: not stated */
	const char *usable_origin;
};

/* The keys of a level whose value is one of a few words; the first word is the default. */
struct ms_machine_choice {
	const char *key;          /* in machine files */
	const char *const *words; /* by the value of the enum; ends with NULL */
	size_t offset;            /* of the uint32_t in struct ms_machine_level */
};

enum {
	MS_CHOICE_REPLACEMENT,
	MS_CHOICE_WRITE,
	MS_CHOICE_WRITE_MISS,
	MS_CHOICE_CONTENTS,
	MS_MACHINE_CHOICES
};
extern const struct ms_machine_choice ms_machine_choices[MS_MACHINE_CHOICES];
/*
 * The maximum number of streams of a prefetcher, and the bytes of the page that no stream leaves.
 */
enum { MS_PREFETCH_MOST = 64, MS_PREFETCH_PAGE = 4096 };
/* The maximum numbers of simulated processors and nodes. */
enum { MS_PROCESSORS_MOST = 1024, MS_NODES_MOST = 64 };
/* Limits for descriptions: beyond every machine that exists, within what fits in memory. */
enum {
	MS_LEVELS_MOST = 64,
	MS_WAYS_MOST = 1 << 20,
	MS_LATENCY_MOST = 1000000, /* cycles */
	MS_DESCRIBED_MOST = 65536, /* processors, nodes */
};
/* The most memory that the line numbers of one cache, and of all simulated caches, may take. */
#define MS_CACHE_BYTES_MOST  (UINT64_C(4) << 30)
#define MS_CACHES_BYTES_MOST (UINT64_C(16) << 30)

/* The whole machine of a description; 0: not stated (treated as 1). */
struct ms_machine_whole {
	uint32_t processors;
	uint32_t nodes;
};

struct ms_machine {
	struct ms_arena arena; /* owns all strings */
	const char *name;      /* "host", "memspy-1992-matmul", a file's name */
	const char *text;      /* one line for display: what this machine is */
	const char *origin;    /* one sentence: the origin of its figures */
	const char *note;      /* what makes measured figures uncertain; NULL: nothing */
	struct ms_machine_whole whole;
	uint32_t processors;      /* simulated: the first ones; 1 unless more are requested */
	uint32_t nodes;           /* the nodes of these processors */
	uint32_t node_processors; /* processors on one node: 0 is all of them */
	uint32_t protocol;        /* enum ms_machine_coherence_protocol */
	uint32_t placement;       /* enum ms_machine_page_placement */
	uint32_t placement_node;  /* for MS_PLACEMENT_NODE */
	uint32_t memory_latency;  /* of the processor's own node */
	uint32_t remote_latency;  /* of any other node's memory */
	uint32_t peer_latency;    /* when a cache of another processor answers */
	const char *memory_latency_origin;
	const char *remote_latency_origin;
	const char *peer_latency_origin;
	MS_VEC(struct ms_machine_level) levels;
	struct ms_machine_core core;
	const char *figure_origins[MS_FIGURES]; /* NULL: not stated, and not assumed */
};

static inline uint64_t ms_machine_sets(const struct ms_machine_level *level)
{
	return level->size / level->ways / level->line;
}

/* Memory for the line numbers of one such cache: 8 bytes a way, sets in multiples of 8 ways. */
static inline uint64_t ms_machine_cache_bytes(const struct ms_machine_level *level)
{
	return ms_machine_sets(level) * ((level->ways + UINT64_C(7)) & ~UINT64_C(7)) * 8;
}

static inline uint32_t ms_machine_chosen(const struct ms_machine_level *level, size_t choice)
{
	return *(const uint32_t *)((const char *)level + ms_machine_choices[choice].offset);
}

static inline const char *ms_machine_word(const struct ms_machine_level *level, size_t choice)
{
	return ms_machine_choices[choice].words[ms_machine_chosen(level, choice)];
}

/* Which node a processor is on. */
static inline uint32_t ms_machine_node(const struct ms_machine *machine, uint32_t processor)
{
	return machine->node_processors != 0 ? processor / machine->node_processors : 0;
}

/*
 * spec is "host", the name of a preset, or the path of a machine file (it contains '/' or ends in
 * ".ini"). preset_dir is the directory of the presets. On failure *machine needs no free.
 */
int ms_machine_load(struct ms_machine *machine, const char *spec, const char *preset_dir,
		    struct ms_err *err);
int ms_machine_load_file(struct ms_machine *machine, const char *path, struct ms_err *err);
/* sysfs_root is "/sys" except in tests. */
int ms_machine_load_host(struct ms_machine *machine, const char *sysfs_root, struct ms_err *err);
/*
 * *machine is the host. If the machine file at `path` describes the same machine, it takes its
 * place, still named "host"; if not, its origin says so.
 */
int ms_machine_apply_saved(struct ms_machine *machine, const char *path, struct ms_err *err);

/* A machine without levels, for levels that options add. */
void ms_machine_start(struct ms_machine *machine);
/*
 * Adds level `name` ("l1", "l2", "l3", "ll") to the machine from "SIZE,WAYS,LINE" (as cachegrind's
 * options; ",LATENCY" may follow). It replaces a level of that name, or is inserted in the order
 * l1, l2, l3, ll. If only options were given, the caller starts from a machine without levels.
 */
int ms_machine_set_level(struct ms_machine *machine, const char *name, const char *spec,
			 struct ms_err *err);
/*
 * Sets the number of simulated processors: 0 is the whole machine. They are its first ones, on as
 * many nodes as necessary. If the machine has fewer, more of the same are added: shared caches and
 * nodes keep their size, and there are more of them. A cache that all processors share remains one,
 * and so does a single node. A loaded machine simulates one processor.
 */
int ms_machine_set_processors(struct ms_machine *machine, uint32_t processors, struct ms_err *err);
/*
 * Reduces each level to the share that one program can use, in whole ways and at least one, and
 * states so in `origin`; for simulations, not for display.
 */
void ms_machine_use_share(struct ms_machine *machine);
/*
 * ranks.c: leaves each of so many ranks on the machine its part of the caches and the bandwidth
 * that they share, and says so in the origin. After ms_machine_use_share().
 */
void ms_machine_share_among_ranks(struct ms_machine *machine, uint32_t ranks);
/* The processors of each rank; at least 1. */
uint32_t ms_machine_rank_processors(const struct ms_machine *machine, uint32_t ranks);
/* "first-touch", "node 2", as in machine files. */
const char *ms_machine_placement_text(const struct ms_machine *machine, char out[32]);
/* Checks every rule above; the message names the level that violates one. */
int ms_machine_check(const struct ms_machine *machine, const char *where, struct ms_err *err);
/* Names of the presets in preset_dir, sorted, in the arena. */
int ms_machine_list(const char *preset_dir, struct ms_arena *arena, const char ***names, size_t *n,
		    struct ms_err *err);
/* Writes the machine as a machine file (what ms_machine_load_file reads). */
void ms_machine_write(const struct ms_machine *machine, FILE *out);
void ms_machine_free(struct ms_machine *machine);

#endif
