/* machine/machine_priv.h - declarations that the files of machine/ and their tests share. */
#ifndef MS_MACHINE_MACHINE_PRIV_H
#define MS_MACHINE_MACHINE_PRIV_H

#include <stdbool.h>

#include "machine/machine.h"

/* The sections and keys of a machine file, in the order in which they are written. */
enum ms_machine_section {
	MS_SECTION_MACHINE,
	MS_SECTION_LEVEL,
	MS_SECTION_MEMORY,
	MS_SECTION_PREFETCH,
	MS_SECTION_TLB,
	MS_SECTIONS
};

struct ms_machine_section_row {
	const char *name;
	bool required;
	bool named; /* [level NAME]; may occur several times */
};

extern const struct ms_machine_section_row ms_machine_sections[MS_SECTIONS];

/* What the keys of a file set; its levels are added section by section. */
struct ms_machine_values {
	struct ms_machine *machine;
	const char *source;
	bool full;                 /* the last level has "ways = full" */
	bool has_remote, has_peer; /* [memory] has these latencies */
};

struct ms_machine_key {
	enum ms_machine_section section;
	const char *name;
	bool required;
	/* Completes "found '...', expected ...". NULL: the value is one of `words`. */
	const char *expected;
	/* Stores the value; false if it is not what is expected. NULL: it is that of `figure`. */
	bool (*set)(struct ms_machine_values *values, const char *value);
	const char *const *words; /* ends with NULL */
	enum ms_machine_figure figure;
};

extern const struct ms_machine_key ms_machine_keys[]; /* ends with a row whose name is NULL */
#define MS_EXPECTED_CYCLES "a whole number of cycles from 0 to 1000000"

/* Stores the value of a key; false if it is not what is expected. */
bool ms_machine_set_key(struct ms_machine_values *values, const struct ms_machine_key *key,
			const char *value);

#define MS_ORIGIN_ASSUMED "assumed"
#define MS_ORIGIN_DEFINED "by definition"
#define MS_ORIGIN_OPTION  "option"
#define MS_ORIGIN_FILE    "file"
#define MS_ORIGIN_MEMORY  "as memory"
/* The end of the host's origin, until latencies of its family replace them. */
#define MS_LATENCIES_ASSUMED ", latencies assumed"

/*
 * Default latencies, for what neither the system nor the user specifies: cycles that a reference
 * waits if the level of that name ("L1", "L2", "L3", "L4", "LL") answers, and if memory does.
 * docs/formats/machine.md explains them.
 */
uint32_t ms_machine_assumed_latency(const char *level);
enum { MS_ASSUMED_MEMORY_LATENCY = 200, MS_ASSUMED_PEER_LATENCY = 120 };
/* Distances of local and remote memory: those of many systems. */
enum { MS_ASSUMED_NEAR = 10, MS_ASSUMED_FAR = 20 };
/* Sets the latency of memory for a machine of one node; remote memory has the same latency. */
void ms_machine_assume_memory(struct ms_machine *machine);

/*
 * Sets the figures of an out-of-order core that have no origin yet, and core.outstanding; levels
 * must be set before.
 */
void ms_machine_assume_core(struct ms_machine *machine);
/* "32K": the largest unit that represents the size exactly. */
char *ms_machine_size_text(uint64_t size, char out[MS_FIGURE_TEXT]);

/* A level that is assumed if the system does not describe it. */
struct ms_machine_generic {
	uint64_t size;
	uint32_t ways;
	uint32_t line;
};

/* number: 1 for the first level ... */
const struct ms_machine_generic *ms_machine_generic_level(unsigned number);
enum { MS_GENERIC_LEVELS = 3 };

/* Sets the host's processors, nodes and remote memory; levels and latencies must be set before. */
void ms_machine_host_nodes(struct ms_machine *machine, const char *sysfs_root);
/* Sets the host's page sizes as the system has them. */
void ms_machine_host_pages(struct ms_machine *machine, const char *sysfs_root);
/* The count of numbers in a list such as "0-3,8". */
uint32_t ms_machine_count_list(const char *list);

/* Reads a machine file; label begins its origin: its path, or "preset dash". */
int ms_machine_read(struct ms_machine *machine, const char *path, const char *label,
		    struct ms_err *err);

/* Checks the rules for one level, alone and with the previous one. */
int ms_machine_check_level(const struct ms_machine *machine, size_t index, const char *where,
			   struct ms_err *err);
/* Checks the rules for levels and memory with the number of processors and nodes. */
int ms_machine_check_whole(const struct ms_machine *machine, const char *where, struct ms_err *err);

#endif
