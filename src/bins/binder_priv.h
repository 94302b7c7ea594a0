/* bins/binder_priv.h - declarations that the files of the binder share. */
#ifndef MS_BINS_BINDER_PRIV_H
#define MS_BINS_BINDER_PRIV_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "bins/binder.h"

/* Who a module is of, for memory that MPI allocates: mpi_memory.c. */
enum ms_bins_module_origin {
	MS_BINS_MODULE_LIBRARY, /* any library: its memory is its caller's */
	MS_BINS_MODULE_PROGRAM,
	MS_BINS_MODULE_MPI,
	MS_BINS_MODULE_INTERCEPTOR, /* MPI's; passes the program's calls on */
};

struct ms_bins_bound_module {
	char *path;
	uint64_t bias;
	uint64_t text;
	uint64_t text_size;
	bool gone;
	struct ms_symbols_module *symbols;
	uint64_t tls_offset; /* distance of its TLS block from the thread pointer; 0: none known */
	bool of_memspy;      /* its memory is that of the mapping */
	uint8_t origin;      /* enum ms_bins_module_origin */
	bool borrowed;       /* symbols belong to an earlier module of the same file */
	uint32_t same_as;    /* the number of that module, or its own */
	uint32_t first_data; /* of its variables; its sections follow them */
};

/*
 * A call path is a node: the outer part of the path, and the last call. Node 0 is the empty path.
 */
struct ms_bins_path_node {
	uint32_t outer;
	struct ms_bins_bound_pc pc;
	uint64_t function;  /* equal for two calls in the same function */
	uint32_t heap_data; /* MS_MAP_NONE: none yet */
	uint32_t mapping_data;
};

/*
 * The path that was described last, outermost call first: the next path mostly has the same start.
 */
struct ms_bins_last_path {
	size_t n;       /* 0: none, or modules have changed */
	size_t rubbish; /* outermost calls that are omitted */
	uint64_t words[MS_WIRE_MAX_PATH];
	uint32_t nodes[MS_WIRE_MAX_PATH]; /* the node of the path up to each call */
};

/* A front-end sends a path once, as addresses. Another library may occupy these addresses later. */
struct ms_bins_path {
	uint32_t located; /* its node, with the modules at these addresses */
	uint32_t node;    /* its node with the first modules of the same files: its identity */
	uint32_t gone;    /* the number of unloaded modules when it was last checked */
};

struct ms_bins_frame;

/* Functions with variables on the stack: stack_references.c. */
struct ms_bins_frames {
	MS_VEC(struct ms_bins_frame *) at;
	struct ms_map of; /* (symbols of its module, number) */
	/* The last one looked up, NULL if it has no such variables, and this part of its code. */
	const struct ms_symbols_module *symbols;
	uint64_t low, size;
	struct ms_bins_frame *last;
};

struct ms_bins {
	struct ms_arena arena;
	struct ms_names names;
	MS_VEC(struct ms_bins_bound_module) modules;
	MS_VEC(struct ms_bins_bound_site) sites;
	uint32_t *site_table;   /* hash table of sites: numbers + 1, 0: an empty entry */
	size_t site_table_size; /* a power of two */
	MS_VEC(const struct ms_bins_bound_block *) blocks;
	MS_VEC(struct ms_bins_bound_pc) call_sites;
	struct ms_map call_site_of; /* (module, offset) */
	MS_VEC(struct ms_bins_bound_data) data;
	struct ms_map text_data;
	struct ms_map part_data; /* (data, name of the part) */
	MS_VEC(struct ms_bins_path_node) nodes;
	struct ms_map node_of;             /* outer node, pc */
	MS_VEC(struct ms_bins_path) paths; /* by the stream's number */
	struct ms_bins_last_path last;
	uint32_t path_limit;         /* how many paths may have bins of their own: path_merge.c */
	uint32_t path_bins;          /* paths that have their own bins ... */
	uint32_t shared_bins;        /* ... and bins that several paths share */
	struct ms_map shared_bin_of; /* (node of the innermost calls, enum ms_bins_bound_kind) */
	struct ms_map function_of;   /* a call's key to an index into functions */
	MS_VEC(uint64_t) functions;  /* keys of functions' entries */
	struct ms_bins_frames frames;
	uint32_t modules_gone;
	bool omits_operands;
	bool has_mpi;      /* a library of MPI was loaded */
	bool loaded_again; /* whether some module was loaded more than once */
	bool tls_placed;
	uint64_t tls_lowest, tls_highest; /* extent of static TLS around a thread pointer */
};

uint32_t ms_bins_add_data(struct ms_bins *binder, const struct ms_bins_bound_data *data);
void ms_bins_free_frames(struct ms_bins_frames *frames);
/* paths.c: the node of n calls, the innermost first. */
uint32_t ms_bins_node_of_calls(struct ms_bins *binder, const struct ms_bins_bound_pc *pcs,
			       size_t n);
/* path_merge.c: makes the bin of a path that has none yet. */
uint32_t ms_bins_path_bin(struct ms_bins *binder, uint32_t node, enum ms_bins_bound_kind kind);
/* mpi_memory.c: sets the module's origin. */
void ms_bins_find_origin(struct ms_bins *binder, uint32_t module);
/* Whether MPI allocates or maps memory of this path for itself. */
bool ms_bins_is_of_mpi(const struct ms_bins *binder, uint32_t node);
/* One number for (module, offset), for use as a key. */
uint64_t ms_bins_pc_key(struct ms_bins_bound_pc pc);

#endif
