/*
 * machine/machine.h - the simulated memory system: a description, no behaviour.
 *
 * Models:   any number of cache levels between a processor and memory, each private to a number of
 *           processors or shared by all; line sizes that do not shrink from one level to the next;
 *           any number of sets; a latency per level and for memory, applied when reporting.
 * Does not: instruction caches, translation buffers, bandwidth, prefetching.
 */
#ifndef MS_MACHINE_MACHINE_H
#define MS_MACHINE_MACHINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

struct ms_machine_level {
	const char *name; /* "L1" ... */
	uint64_t size;    /* bytes; size == sets * ways * line */
	uint32_t ways;
	uint32_t line;       /* bytes, a power of two, not smaller than the level before */
	uint32_t latency;    /* cycles a reference waits when this level answers (first level: 0) */
	uint32_t processors; /* how many processors share one cache; 0: all of them */
	const char *origin;  /* where geometry came from: "sysfs", "file", "option", ... */
	const char *latency_origin; /* likewise for the latency: "assumed", "file", ... */
};

struct ms_machine {
	struct ms_arena arena; /* owns every text */
	const char *name;      /* "host", "memspy-1992-matmul", a file's name */
	const char *text;      /* one line for people: what this machine is */
	const char *origin;    /* one sentence: where its figures came from */
	uint32_t processors;   /* simulated; 1 until parallel simulation exists */
	uint32_t memory_latency;
	const char *memory_latency_origin;
	MS_VEC(struct ms_machine_level) levels;
};

static inline uint64_t ms_machine_sets(const struct ms_machine_level *level)
{
	return level->size / level->ways / level->line;
}

/*
 * spec is "host", the name of a preset, or the path of a machine file (it contains '/' or ends in
 * ".ini"). preset_dir is where presets lie. On failure *machine needs no free.
 */
int ms_machine_load(struct ms_machine *machine, const char *spec, const char *preset_dir,
		    struct ms_err *err);
int ms_machine_load_file(struct ms_machine *machine, const char *path, struct ms_err *err);
/* sysfs_root is "/sys" except in tests. */
int ms_machine_load_host(struct ms_machine *machine, const char *sysfs_root, struct ms_err *err);

/* A machine without levels yet, for those that come as options. */
void ms_machine_start(struct ms_machine *machine);
/*
 * Puts level `name` ("l1", "l2", "l3", "ll") into the machine from "SIZE,WAYS,LINE" (as
 * cachegrind's options; ",LATENCY" may follow), replacing a level of that name or joining in the
 * order l1, l2, l3, ll. The caller starts from a machine without levels where only options were
 * given.
 */
int ms_machine_set_level(struct ms_machine *machine, const char *name, const char *spec,
			 struct ms_err *err);
/* Checks every rule above and names the level that breaks one. */
int ms_machine_check(const struct ms_machine *machine, const char *where, struct ms_err *err);
/* Names of the presets in preset_dir, sorted, in the arena. */
int ms_machine_list(const char *preset_dir, struct ms_arena *arena, const char ***names, size_t *n,
		    struct ms_err *err);
/* Writes the machine as a machine file (what ms_machine_load_file reads). */
void ms_machine_write(const struct ms_machine *machine, FILE *out);
void ms_machine_free(struct ms_machine *machine);

#endif
