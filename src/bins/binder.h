/*
 * bins/binder.h - assigns numbers to sites and data bins, and names to them later.
 *
 * The binder receives each event of the stream once, in stream order, from the worker that reads it
 * first (the caller serialises). Pointers that a call returns stay valid until close.
 */
#ifndef MS_BINS_BINDER_H
#define MS_BINS_BINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/text.h"
#include "symbols/symbols.h"
#include "wire/wire.h"

struct ms_bins;

/* Data bins that exist from the start. */
enum ms_bins_bound_special {
	MS_BOUND_UNMAPPED,
	MS_BOUND_FREED,
	MS_BOUND_STACK,
	MS_BOUND_ALLOCATOR,    /* heap memory outside any block */
	MS_BOUND_TLS,          /* thread-local memory that belongs to no known variable */
	MS_BOUND_START,        /* mapped when the program started */
	MS_BOUND_MONITOR,      /* memory of a simulated monitor, not of the program */
	MS_BOUND_NOT_SEEN,     /* data referenced between windows or in other sets */
	MS_BOUND_NOT_RECORDED, /* a heap block that would have cost too much to report */
	MS_BOUND_HITS,         /* any data: hits that are not looked up */
	/* Of a process that memspy attached to: heap and anonymous memory that it had before. */
	MS_BOUND_BEFORE_ATTACH,
	MS_BOUND_OTHERS, /* evictors or victims of pairs that were merged: ms_engine_pair_limit */
	MS_BOUND_OPENMP, /* heap blocks of an OpenMP runtime: threads, teams, tasks */
	MS_BOUND_MPI,    /* what MPI allocates and maps for itself: queues, buffers, plugins */
	MS_BOUND_SPECIALS,
};

enum ms_bins_bound_kind {
	MS_BOUND_HEAP,
	MS_BOUND_VARIABLE,
	MS_BOUND_TLS_VARIABLE,
	MS_BOUND_STACKS,
	MS_BOUND_FILE,
	MS_BOUND_MAPPING,
	MS_BOUND_SECTION,
	MS_BOUND_UNKNOWN,
	MS_BOUND_NAMED, /* by the program */
	MS_BOUND_ANY,   /* not looked up */
};

/*
 * An instruction of a block. For code outside of any module, module is MS_BOUND_NO_MODULE and
 * offset is an address.
 */
struct ms_bins_bound_pc {
	uint32_t module;
	uint64_t offset;
};
#define MS_BOUND_NO_MODULE UINT32_MAX
/* Program counters, in no module, of time that the kernel took for the program. */
#define MS_BOUND_KERNEL_PC (UINT64_MAX - 1)
#define MS_BOUND_FAULTS_PC (UINT64_MAX - 2)

struct ms_bins_bound_ref {
	uint32_t site;
	uint16_t size;
	uint16_t kind;
	uint16_t instruction; /* index */
};

struct ms_bins_bound_block {
	uint32_t instructions;
	uint32_t refs;
	uint32_t exits;
	/* The addresses of its instructions; see ms_bound_block_pc(). */
	struct ms_bins_bound_pc first;
	const int32_t *distance;             /* of each instruction from the first, or NULL ... */
	const struct ms_bins_bound_pc *each; /* ... if some are too far away or in other modules */
	const struct ms_bins_bound_ref *ref;
	const uint16_t *exit_refs;
	const uint16_t *exit_instructions;
	const uint16_t *exit_made; /* references that are counted separately */
	const uint64_t *operands;  /* by instruction (wire/operands.h); NULL: unknown */
};

/* A compiler executes six million instructions in such blocks, so each takes four bytes only. */
MS_INLINE struct ms_bins_bound_pc ms_bound_block_pc(const struct ms_bins_bound_block *block,
						    uint32_t i)
{
	if (block->each != NULL)
		return block->each[i];
	return (struct ms_bins_bound_pc){
		block->first.module, block->first.offset + (uint64_t)(int64_t)block->distance[i]
	};
}

/* Memory [start, end) holds data. */
struct ms_bins_bound_range {
	uint64_t start;
	uint64_t end;
	uint32_t data;
};

struct ms_bins_bound_ranges {
	const struct ms_bins_bound_range *at; /* sorted, not overlapping */
	size_t n;
};

struct ms_bins *ms_bins_open(void);
void ms_bins_close(struct ms_bins *binder);
/*
 * Must be called before any event: the number of call paths that have bins of their own. Later
 * paths share bins by their innermost user frames (path_merge.c). UINT32_MAX: paths do not share
 * bins.
 */
enum { MS_BOUND_PATHS = 2048 }; /* unless this is called */
void ms_bins_limit_paths(struct ms_bins *binder, uint32_t most);
/* Likewise: operands of instructions are not kept, only checked. They take 8 bytes each. */
void ms_bins_omit_operands(struct ms_bins *binder);

/* --- events; words points after the head word, n is the number of words that follow it --- */

int ms_bins_block(struct ms_bins *binder, uint32_t number, const uint64_t *words, size_t n,
		  const struct ms_bins_bound_block **block, struct ms_err *err);
/* A module's variables and sections, at their run-time addresses. */
int ms_bins_module(struct ms_bins *binder, uint32_t number, const uint64_t *words, size_t n,
		   struct ms_bins_bound_ranges *ranges, struct ms_err *err);
void ms_bins_module_gone(struct ms_bins *binder, uint32_t number);
int ms_bins_path(struct ms_bins *binder, uint32_t number, const uint64_t *words, size_t n,
		 struct ms_err *err);
/* The data of blocks that a path has allocated, or of memory that it has mapped. */
int ms_bins_heap(struct ms_bins *binder, uint32_t path, uint32_t *data, struct ms_err *err);
int ms_bins_mapping(struct ms_bins *binder, uint32_t path, uint32_t *data, struct ms_err *err);
uint32_t ms_bins_file(struct ms_bins *binder, const char *path);
/* The data of ranges to which the program gave this name. */
uint32_t ms_bins_named(struct ms_bins *binder, const char *name);
/* The data of a variable on the stack: "main.buffer". */
uint32_t ms_bins_stack_variable(struct ms_bins *binder, const char *name);
/*
 * The data of a reference to the stack: the variable that the instruction accesses, or
 * MS_BOUND_STACK. kind: enum ms_wire_ref_kind, or any.
 */
enum { MS_BOUND_ANY_KIND = 3 };
uint32_t ms_bins_stack_data(struct ms_bins *binder, struct ms_bins_bound_pc pc, unsigned kind);
/* A part of data that is counted separately: "33-64", "thread 2", ".next". */
uint32_t ms_bins_part(struct ms_bins *binder, uint32_t data, const char *part);
/* A thread's thread-local variables and the rest of its thread-local memory, sorted. */
void ms_bins_tls(struct ms_bins *binder, uint64_t thread_pointer,
		 struct ms_bins_bound_ranges *ranges);

/* The module that contains pc now. */
struct ms_bins_bound_pc ms_bins_locate(const struct ms_bins *binder, uint64_t pc);
/* The number of a call instruction at this address. */
uint32_t ms_bins_call_site(struct ms_bins *binder, uint64_t pc);
/* Where the function of this address begins, as its module is mapped now; 0: unknown. */
uint64_t ms_bins_function(const struct ms_bins *binder, uint64_t pc);
/* The data of references whose address is not known, for this reason. */
uint32_t ms_bins_unknown(struct ms_bins *binder, const char *reason);

/* --- afterwards --- */

struct ms_bins_bound_site {
	struct ms_bins_bound_pc pc;
	uint16_t size;
	uint16_t kind;    /* enum ms_wire_ref_kind */
	uint16_t times;   /* such references of the instruction, if counted separately */
	uint16_t ordinal; /* among the references of the instruction */
};

size_t ms_bins_sites(const struct ms_bins *binder);
const struct ms_bins_bound_site *ms_bins_site(const struct ms_bins *binder, uint32_t site);
struct ms_bins_bound_pc ms_bins_call_site_at(const struct ms_bins *binder, uint32_t call_site);
size_t ms_bins_blocks(const struct ms_bins *binder);
const struct ms_bins_bound_block *ms_bins_block_at(const struct ms_bins *binder, uint32_t number);

/* NULL if the file could not be opened as an ELF file. */
struct ms_symbols_module *ms_bins_symbols(const struct ms_bins *binder, uint32_t module);
/* How often a module has come or gone: the same address may be other code afterwards. */
uint64_t ms_bins_count_module_changes(const struct ms_bins *binder);
/* Whether it is a library of MPI. */
bool ms_bins_is_mpi_module(const struct ms_bins *binder, uint32_t module);
const char *ms_bins_module_path(const struct ms_bins *binder, uint32_t module);
/*
 * A line for each module whose debug information or sources were not found: what it is, and where
 * it should be.
 */
void ms_bins_missing_debug(const struct ms_bins *binder, struct ms_text *out);

struct ms_bins_bound_data {
	enum ms_bins_bound_kind kind;
	const struct ms_symbols_variable *variable; /* variables: from the module's symbols */
	const char *text;   /* file's path, section's or special's name, a given
			       name */
	const char *reason; /* MS_BOUND_UNKNOWN: why */
	uint32_t module;    /* variables and sections */
	uint32_t node;      /* heap and mappings: the call path */
	uint64_t bytes;     /* variables and sections */
	const char *part;   /* which part of data that is otherwise equal; NULL: all of it */
	uint64_t paths;     /* call paths that share it: path_merge.c; 0: it has one, or none */
};

size_t ms_bins_data_count(const struct ms_bins *binder);
const struct ms_bins_bound_data *ms_bins_get_data(const struct ms_bins *binder, uint32_t data);
/*
 * The call path of a node, innermost first; writes at most cap frames, returns the number of all.
 */
size_t ms_bins_node_path(const struct ms_bins *binder, uint32_t node, struct ms_bins_bound_pc *pcs,
			 size_t cap);
/* The same for a path by its number in the stream; 0: there is no such path. */
size_t ms_bins_path_at(const struct ms_bins *binder, uint32_t path, struct ms_bins_bound_pc *pcs,
		       size_t cap);

#endif
