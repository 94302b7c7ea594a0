/* machine/machine_priv.h - declarations that the files of machine/ and their tests share. */
#ifndef MS_MACHINE_MACHINE_PRIV_H
#define MS_MACHINE_MACHINE_PRIV_H

#include <stdbool.h>

#include "machine/machine.h"

/* The sections and keys of a machine file, in the order in which they are written. */
enum ms_machine_section { MS_SECTION_MACHINE, MS_SECTION_LEVEL, MS_SECTION_MEMORY, MS_SECTIONS };

struct ms_machine_parse;

struct ms_machine_key {
	enum ms_machine_section section;
	const char *name;
	bool required;
	/* Completes "found '...', expected ...". NULL: the value is one of `words`. */
	const char *expected;
	/* Stores the value; false if it is not what is expected. */
	bool (*set)(struct ms_machine_parse *parse, const char *value);
	const char *const *words; /* ends with NULL */
};

extern const struct ms_machine_key ms_machine_keys[];      /* ends with a row whose name is NULL */
extern const char *const ms_machine_sections[MS_SECTIONS]; /* "machine", "level", "memory" */

#define MS_ORIGIN_ASSUMED "assumed"
#define MS_ORIGIN_DEFINED "by definition"
#define MS_ORIGIN_OPTION  "option"
#define MS_ORIGIN_FILE    "file"
#define MS_ORIGIN_MEMORY  "as memory"

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
