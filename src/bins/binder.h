/*
 * bins/binder.h - which code and which data: numbers for sites and data bins, names for them later.
 *
 * The stream's events are told to the binder once each, in stream order, by whichever worker meets
 * them first (the caller serialises). What a call hands out stays where it is until close.
 */
#ifndef MS_BINS_BINDER_H
#define MS_BINS_BINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/text.h"
#include "stream/wire.h"
#include "symbols/symbols.h"

struct ms_binder;

/* Data bins that exist from the start. */
enum ms_bound_special {
	MS_BOUND_UNMAPPED,
	MS_BOUND_FREED,
	MS_BOUND_STACK,
	MS_BOUND_ALLOCATOR, /* heap memory outside any block */
	MS_BOUND_TLS,       /* thread-local memory that belongs to no known variable */
	MS_BOUND_START,     /* there when the program started */
	MS_BOUND_MONITOR,   /* not the program's: a simulated monitor's */
	MS_BOUND_NOT_SEEN,  /* what had its turn between windows */
	MS_BOUND_NOT_TOLD,  /* a block that it would have cost too much to tell of */
	MS_BOUND_HITS,      /* any, where nobody asks whose data it is that hits */
	MS_BOUND_OTHERS, /* evictors or victims of pairs that were merged: ms_engine_pair_limit */
	MS_BOUND_SPECIALS,
};

enum ms_bound_kind {
	MS_BOUND_HEAP,
	MS_BOUND_VARIABLE,
	MS_BOUND_TLS_VARIABLE,
	MS_BOUND_STACKS,
	MS_BOUND_FILE,
	MS_BOUND_MAPPING,
	MS_BOUND_SECTION,
	MS_BOUND_UNKNOWN,
	MS_BOUND_NAMED, /* by the program */
	MS_BOUND_ANY,   /* nobody has asked */
};

/* An instruction of a block; module is MS_BOUND_NO_MODULE for code outside any, offset an address
 * then. */
struct ms_bound_pc {
	uint32_t module;
	uint64_t offset;
};
#define MS_BOUND_NO_MODULE UINT32_MAX

struct ms_bound_ref {
	uint32_t site;
	uint16_t size;
	uint16_t kind;
};

struct ms_bound_block {
	uint32_t instructions;
	uint32_t refs;
	uint32_t exits;
	/* Of its instructions; see ms_bound_block_pc(). */
	struct ms_bound_pc first;
	const int32_t *distance;        /* of each from the first, or NULL ... */
	const struct ms_bound_pc *each; /* ... where some are too far away or in other modules */
	const struct ms_bound_ref *ref;
	const uint16_t *exit_refs;
	const uint16_t *exit_instructions;
	const uint16_t *exit_made; /* references that are told apart */
};

/* A compiler executes six million instructions in such blocks: they take four bytes each. */
MS_INLINE struct ms_bound_pc ms_bound_block_pc(const struct ms_bound_block *block, uint32_t i)
{
	if (block->each != NULL)
		return block->each[i];
	return (struct ms_bound_pc){ block->first.module,
				     block->first.offset + (uint64_t)(int64_t)block->distance[i] };
}

/* Memory [start, end) holds data. */
struct ms_bound_range {
	uint64_t start;
	uint64_t end;
	uint32_t data;
};

struct ms_bound_ranges {
	const struct ms_bound_range *at; /* sorted, not overlapping */
	size_t n;
};

struct ms_binder *ms_binder_open(void);
void ms_binder_close(struct ms_binder *binder);
/* Before any event: so many call paths have bins of their own, the following ones share bins by
 * their innermost user frames (path_merge.c). UINT32_MAX: none does. */
enum { MS_BOUND_PATHS = 2048 }; /* unless this is called */
void ms_binder_limit_paths(struct ms_binder *binder, uint32_t most);

/* --- events; words points behind the head word, n counts what follows it --- */

int ms_binder_block(struct ms_binder *binder, uint32_t number, const uint64_t *words, size_t n,
		    const struct ms_bound_block **block, struct ms_err *err);
/* A module's variables and sections, at their run-time addresses. */
int ms_binder_module(struct ms_binder *binder, uint32_t number, const uint64_t *words, size_t n,
		     struct ms_bound_ranges *ranges, struct ms_err *err);
void ms_binder_module_gone(struct ms_binder *binder, uint32_t number);
int ms_binder_path(struct ms_binder *binder, uint32_t number, const uint64_t *words, size_t n,
		   struct ms_err *err);
/* The data of blocks allocated, or of memory mapped, from a path. */
int ms_binder_heap(struct ms_binder *binder, uint32_t path, uint32_t *data, struct ms_err *err);
int ms_binder_mapping(struct ms_binder *binder, uint32_t path, uint32_t *data, struct ms_err *err);
uint32_t ms_binder_file(struct ms_binder *binder, const char *path);
/* The data of ranges to which the program gave this name. */
uint32_t ms_binder_named(struct ms_binder *binder, const char *name);
/* A part of data that is to be told apart: "33-64", "thread 2", ".next". */
uint32_t ms_binder_part(struct ms_binder *binder, uint32_t data, const char *part);
/* A thread's thread-local variables and the rest of its thread-local memory, sorted. */
void ms_binder_tls(struct ms_binder *binder, uint64_t thread_pointer,
		   struct ms_bound_ranges *ranges);

/* The module that holds pc now. */
struct ms_bound_pc ms_binder_locate(const struct ms_binder *binder, uint64_t pc);
/* Data of references whose address could not be found out, for this reason. */
uint32_t ms_binder_unknown(struct ms_binder *binder, const char *reason);

/* --- afterwards --- */

struct ms_bound_site {
	struct ms_bound_pc pc;
	uint16_t size;
	uint16_t kind;    /* enum ms_wire_ref_kind */
	uint16_t times;   /* that the instruction makes such references, if they are told apart */
	uint16_t ordinal; /* among the references of the instruction */
};

size_t ms_binder_sites(const struct ms_binder *binder);
const struct ms_bound_site *ms_binder_site(const struct ms_binder *binder, uint32_t site);
size_t ms_binder_blocks(const struct ms_binder *binder);
const struct ms_bound_block *ms_binder_block_at(const struct ms_binder *binder, uint32_t number);

/* NULL when the file could not be opened as an ELF file. */
struct ms_module *ms_binder_symbols(const struct ms_binder *binder, uint32_t module);
const char *ms_binder_module_path(const struct ms_binder *binder, uint32_t module);
/* A line for each module of which debug information was not found: what, and where it should be. */
void ms_binder_missing(const struct ms_binder *binder, struct ms_text *out);

struct ms_bound_data {
	enum ms_bound_kind kind;
	const struct ms_variable *variable; /* variables: what the module says */
	const char *text;                   /* file's path, section's or special's name, a given
					       name */
	const char *reason;                 /* MS_BOUND_UNKNOWN: why */
	uint32_t module;                    /* variables and sections */
	uint32_t node;                      /* heap and mappings: the call path */
	uint64_t bytes;                     /* variables and sections */
	const char *part; /* which part of what else is the same; NULL: all of it */
	uint64_t paths;   /* call paths that share it: path_merge.c; 0: it has one, or none */
};

size_t ms_binder_data_count(const struct ms_binder *binder);
const struct ms_bound_data *ms_binder_data(const struct ms_binder *binder, uint32_t data);
/* The call path of a node, innermost first; at most cap frames are written, all are counted. */
size_t ms_binder_node_path(const struct ms_binder *binder, uint32_t node, struct ms_bound_pc *pcs,
			   size_t cap);
/* The same of a path as the stream numbers it; 0: there is none such. */
size_t ms_binder_path_at(const struct ms_binder *binder, uint32_t path, struct ms_bound_pc *pcs,
			 size_t cap);

#endif
