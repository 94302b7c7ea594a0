/*
 * bins/paths.c - call paths: equal ones are one data bin.
 *
 * Paths are kept as a tree, the outermost call at its root. Recursion is folded: when a function is
 * met that is already in the path, all that lies between is left out. So a tree that is built by a
 * recursive function is one bin, not one per depth: the way in, and the place of the allocation.
 */
#include <string.h>

#include "bins/binder_priv.h"

enum { MOST_FRAMES = 64 };

/* Something that is the same for two calls in one function; the call itself where none is known. */
static uint64_t function_of(struct ms_binder *binder, struct ms_bound_pc pc)
{
	struct ms_frame frames[MOST_FRAMES];
	struct ms_module *symbols = ms_binder_symbols(binder, pc.module);
	uint32_t *known = ms_map_at(&binder->function_of, ms_binder_pc_key(pc), 0);

	if (*known != MS_MAP_NONE)
		return binder->functions.at[*known];

	size_t n =
		symbols != NULL ? ms_module_frames(symbols, pc.offset - 1, frames, MOST_FRAMES) : 0;
	struct ms_bound_pc entry = { pc.module, n > 0 ? frames[n - 1].entry : pc.offset };
	*known = (uint32_t)binder->functions.n;
	*ms_vec_add(&binder->functions) = ms_binder_pc_key(entry);
	return binder->functions.at[*known];
}

struct call {
	struct ms_bound_pc pc;
	uint64_t function;
};

/* Appends a call to a path of n; returns its new length. */
static size_t append(struct ms_binder *binder, struct call *path, size_t n, struct ms_bound_pc pc)
{
	uint64_t function = function_of(binder, pc);

	for (size_t i = 0; i < n; i++)
		if (path[i].function == function) {
			n = i;
			break;
		}
	path[n] = (struct call){ pc, function };
	return n + 1;
}

/* The outermost calls that lie in no module are what the unwinder made of the stack's end. */
static size_t without_rubbish(const struct ms_binder *binder, const uint64_t *words, size_t n)
{
	while (n > 1 && ms_binder_locate(binder, words[n - 1] - 1).module == MS_BOUND_NO_MODULE)
		n--;
	return n;
}

static uint32_t node_at(struct ms_binder *binder, uint32_t outer, struct ms_bound_pc pc)
{
	uint32_t *node = ms_map_at(&binder->node_of, outer, ms_binder_pc_key(pc));

	if (*node == MS_MAP_NONE) {
		*node = (uint32_t)binder->nodes.n;
		*ms_vec_add(&binder->nodes) =
			(struct path_node){ outer, pc, MS_MAP_NONE, MS_MAP_NONE };
	}
	return *node;
}

int ms_binder_path(struct ms_binder *binder, uint32_t number, const uint64_t *words, size_t n,
		   struct ms_err *err)
{
	struct call path[MS_WIRE_MAX_PATH];
	size_t length = 0;
	uint32_t node = 0;

	if (number != binder->path_nodes.n || n > MS_WIRE_MAX_PATH)
		return ms_fail(err, MS_EFORMAT,
			       "stream: path %u of %zu calls, expected path %zu of at most %d",
			       number, n, binder->path_nodes.n, MS_WIRE_MAX_PATH);
	/* A path that was cut starts somewhere in a deep recursion: only its last call is sure. */
	if (n > 1 && words[n - 1] == 0)
		n = 1;
	n = without_rubbish(binder, words, n);
	for (size_t i = n; i-- > 0;) {
		/* The return address may be the next function's first byte. */
		struct ms_bound_pc pc = ms_binder_locate(binder, words[i] - 1);

		pc.offset++;
		length = append(binder, path, length, pc);
	}
	for (size_t i = 0; i < length; i++)
		node = node_at(binder, node, path[i].pc);
	*ms_vec_add(&binder->path_nodes) = node;
	return MS_OK;
}

static int node_of_path(const struct ms_binder *binder, uint32_t path, uint32_t *node,
			struct ms_err *err)
{
	if (path >= binder->path_nodes.n)
		return ms_fail(err, MS_EFORMAT, "stream: path %u was never described", path);
	*node = binder->path_nodes.at[path];
	return MS_OK;
}

static uint32_t add_path_data(struct ms_binder *binder, uint32_t node, enum ms_bound_kind kind)
{
	return ms_binder_add_data(binder, &(struct ms_bound_data){ .kind = kind,
								   .module = MS_BOUND_NO_MODULE,
								   .node = node });
}

int ms_binder_heap(struct ms_binder *binder, uint32_t path, uint32_t *data, struct ms_err *err)
{
	uint32_t node = 0;

	MS_TRY(node_of_path(binder, path, &node, err));
	if (binder->nodes.at[node].heap_data == MS_MAP_NONE)
		binder->nodes.at[node].heap_data = add_path_data(binder, node, MS_BOUND_HEAP);
	*data = binder->nodes.at[node].heap_data;
	return MS_OK;
}

int ms_binder_mapping(struct ms_binder *binder, uint32_t path, uint32_t *data, struct ms_err *err)
{
	uint32_t node = 0;

	MS_TRY(node_of_path(binder, path, &node, err));
	if (binder->nodes.at[node].mapping_data == MS_MAP_NONE)
		binder->nodes.at[node].mapping_data = add_path_data(binder, node, MS_BOUND_MAPPING);
	*data = binder->nodes.at[node].mapping_data;
	return MS_OK;
}

size_t ms_binder_node_path(const struct ms_binder *binder, uint32_t node, struct ms_bound_pc *pcs,
			   size_t cap)
{
	size_t n = 0;

	/* A node is the innermost call; its outer node the one around it. */
	for (; node != 0; node = binder->nodes.at[node].outer, n++)
		if (n < cap)
			pcs[n] = binder->nodes.at[node].pc;
	return n;
}

size_t ms_binder_path_at(const struct ms_binder *binder, uint32_t path, struct ms_bound_pc *pcs,
			 size_t cap)
{
	return path < binder->path_nodes.n
		       ? ms_binder_node_path(binder, binder->path_nodes.at[path], pcs, cap)
		       : 0;
}
