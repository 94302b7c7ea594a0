/* bins/binder_priv.h - what the binder's files share. */
#ifndef MS_BINS_BINDER_PRIV_H
#define MS_BINS_BINDER_PRIV_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "bins/binder.h"

struct bound_module {
	char *path;
	uint64_t bias;
	uint64_t text;
	uint64_t text_size;
	bool gone;
	struct ms_module *symbols;
	uint64_t tls_offset; /* distance of its TLS block from the thread pointer; 0: none known */
	bool borrowed;       /* symbols belong to an earlier module of the same file */
	uint32_t same_as;    /* that one's number, or its own */
	uint32_t first_data; /* of its variables; its sections' follow them */
};

/* A call path is a node: the outer part of the path, and the last call. Node 0 is the empty path.
 */
struct path_node {
	uint32_t outer;
	struct ms_bound_pc pc;
	uint64_t function;  /* something that is the same for two calls in one */
	uint32_t heap_data; /* MS_MAP_NONE: none yet */
	uint32_t mapping_data;
};

/* The path that was described last, outermost call first: the next one mostly begins as it does. */
struct last_path {
	size_t n;       /* 0: none, or modules have changed */
	size_t rubbish; /* calls that are left out */
	uint64_t words[MS_WIRE_MAX_PATH];
	uint32_t nodes[MS_WIRE_MAX_PATH]; /* what each has come to */
};

/* A front-end tells a path once, as addresses: they may be another library's later on. */
struct path {
	uint32_t located; /* its node, with the modules that lie there */
	uint32_t node;    /* with the first ones of the same files: what it is known by */
	uint32_t gone;    /* how many modules had when that was looked at */
};

struct ms_binder {
	struct ms_arena arena;
	struct ms_names names;
	MS_VEC(struct bound_module) modules;
	MS_VEC(struct ms_bound_site) sites;
	uint32_t *site_table;   /* hash table of sites: numbers + 1, 0: an empty place */
	size_t site_table_size; /* a power of two */
	MS_VEC(const struct ms_bound_block *) blocks;
	MS_VEC(struct ms_bound_data) data;
	struct ms_map text_data;
	struct ms_map part_data; /* (data, name of the part) */
	MS_VEC(struct path_node) nodes;
	struct ms_map node_of;     /* outer node, pc */
	MS_VEC(struct path) paths; /* by the stream's number */
	struct last_path last;
	uint32_t path_limit;         /* how many paths may have bins of their own: path_merge.c */
	uint32_t path_bins;          /* so many have ... */
	uint32_t shared_bins;        /* ... and there are so many bins of several */
	struct ms_map shared_bin_of; /* (node of the innermost calls, enum ms_bound_kind) */
	struct ms_map function_of;   /* a call's key to an index into functions */
	MS_VEC(uint64_t) functions;  /* keys of functions' entries */
	uint32_t modules_gone;
	bool loaded_again; /* some module has been */
	bool tls_placed;
	uint64_t tls_lowest, tls_highest; /* extent of static TLS around a thread pointer */
};

uint32_t ms_binder_add_data(struct ms_binder *binder, const struct ms_bound_data *data);
/* paths.c: the node of n calls, the innermost first. */
uint32_t ms_binder_node_of_calls(struct ms_binder *binder, const struct ms_bound_pc *pcs, size_t n);
/* path_merge.c: the bin of a path that had none yet. */
uint32_t ms_binder_path_bin(struct ms_binder *binder, uint32_t node, enum ms_bound_kind kind);
/* One number for (module, offset), for use as a key. */
uint64_t ms_binder_pc_key(struct ms_bound_pc pc);

#endif
