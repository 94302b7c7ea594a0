/*
 * machine/machine.h - the simulated memory system: a description, no behaviour.
 *
 * Models:   any number of cache levels between a processor and memory, each private to a number of
 *           processors or shared by all; line sizes that do not shrink from one level to the next;
 *           any number of sets; how a level replaces, writes, takes lines and relates to the levels
 *           before it; stream prefetchers; a latency per level and for memory, applied when
 *           reporting. docs/formats/machine.md says what each of them means.
 * Does not: instruction caches, translation buffers, bandwidth, write buffers, near and far memory.
 */
#ifndef MS_MACHINE_MACHINE_H
#define MS_MACHINE_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

/* Which line of a full set leaves. */
enum ms_replacement {
	MS_REPLACEMENT_LRU,
	MS_REPLACEMENT_TREE_PLRU,
	MS_REPLACEMENT_RANDOM,
	MS_REPLACEMENTS,
};

/* Whether a store to a line that is there goes on to the next level. */
enum ms_write { MS_WRITE_BACK, MS_WRITE_THROUGH };
/* Whether a store to a line that is not there brings it in, or goes around the level. */
enum ms_write_miss { MS_WRITE_MISS_ALLOCATE, MS_WRITE_MISS_AROUND };

/* What a level holds beside the levels before it. */
enum ms_contents {
	MS_CONTENTS_NEITHER,
	MS_CONTENTS_INCLUSIVE, /* all of theirs: what leaves this level leaves them */
	MS_CONTENTS_EXCLUSIVE, /* none of theirs: what leaves the one before it comes here */
};

struct ms_machine_level {
	const char *name; /* "L1" ... */
	uint64_t size;    /* bytes; size == sets * ways * line */
	uint32_t ways;
	uint32_t line;       /* bytes, a power of two, not smaller than the level before */
	uint32_t latency;    /* cycles a reference waits when this level answers (first level: 0) */
	uint32_t processors; /* how many processors share one cache; 0: all of them */
	const char *origin;  /* where geometry came from: "sysfs", "file", "option", ... */
	const char *latency_origin; /* likewise for the latency: "assumed", "file", ... */
	uint32_t replacement;       /* enum ms_replacement; like all below, 0 is the usual one */
	uint32_t write;             /* enum ms_write */
	uint32_t write_miss;        /* enum ms_write_miss */
	uint32_t contents;          /* enum ms_contents */
	uint32_t prefetch;          /* streams that a prefetcher follows; 0: there is none */
};

/* The keys of a level whose value is one of a few words; the first word is the usual one. */
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
/* The most streams that a prefetcher may follow, and the bytes that none of them leaves. */
enum { MS_PREFETCH_MOST = 64, MS_PREFETCH_PAGE = 4096 };

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

static inline uint32_t ms_machine_chosen(const struct ms_machine_level *level, size_t choice)
{
	return *(const uint32_t *)((const char *)level + ms_machine_choices[choice].offset);
}

static inline const char *ms_machine_word(const struct ms_machine_level *level, size_t choice)
{
	return ms_machine_choices[choice].words[ms_machine_chosen(level, choice)];
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
