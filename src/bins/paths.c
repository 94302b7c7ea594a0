/*
 * bins/paths.c - call paths: equal paths are one data bin.
 *
 * Paths are stored as a tree with the outermost call at its root. Recursion is folded: if a
 * function is already in the path, the calls since then are omitted. So a tree that a recursive
 * function builds is one bin, not one per depth. The bin has the path to the first call of the
 * function and the site of the allocation.
 */
#include <string.h>

#include "bins/binder_priv.h"

enum { MOST_FRAMES = 64 };

/*
 * A value that is equal for two calls in one function; the call itself if the function is unknown.
 */
static uint64_t function_of(struct ms_bins *binder, struct ms_bins_bound_pc pc)
{
	struct ms_symbols_frame frames[MOST_FRAMES];
	struct ms_symbols_module *symbols = ms_bins_symbols(binder, pc.module);
	uint32_t *known = ms_map_at(&binder->function_of, ms_bins_pc_key(pc), 0);

	if (*known != MS_MAP_NONE)
		return binder->functions.at[*known];

	size_t n = symbols != NULL
			   ? ms_symbols_module_frames(symbols, pc.offset - 1, frames, MOST_FRAMES)
			   : 0;
	struct ms_bins_bound_pc entry = { pc.module, n > 0 ? frames[n - 1].entry : pc.offset };
	*known = (uint32_t)binder->functions.n;
	*ms_vec_add(&binder->functions) = ms_bins_pc_key(entry);
	return binder->functions.at[*known];
}

static uint32_t node_at(struct ms_bins *binder, uint32_t outer, struct ms_bins_bound_pc pc,
			uint64_t function)
{
	uint32_t *node = ms_map_at(&binder->node_of, outer, ms_bins_pc_key(pc));

	if (*node == MS_MAP_NONE) {
		*node = (uint32_t)binder->nodes.n;
		*ms_vec_add(&binder->nodes) =
			(struct ms_bins_path_node){ outer, pc, function, MS_MAP_NONE, MS_MAP_NONE };
	}
	return *node;
}

/* The path with one more call; omits the calls after an earlier call in the same function. */
static uint32_t append(struct ms_bins *binder, uint32_t path, struct ms_bins_bound_pc pc)
{
	uint64_t function = function_of(binder, pc);

	for (uint32_t node = path; node != 0; node = binder->nodes.at[node].outer)
		if (binder->nodes.at[node].function == function) {
			path = binder->nodes.at[node].outer;
			break;
		}
	return node_at(binder, path, pc, function);
}

uint32_t ms_bins_node_of_calls(struct ms_bins *binder, const struct ms_bins_bound_pc *pcs, size_t n)
{
	uint32_t node = 0;

	for (size_t i = n; i-- > 0;)
		node = append(binder, node, pcs[i]);
	return node;
}

/* A library that is loaded again is the same module. */
static bool was_there_before(const struct ms_bins *binder, struct ms_bins_bound_pc *pc)
{
	uint32_t module = pc->module;

	if (module < binder->modules.n)
		pc->module = binder->modules.at[module].same_as;
	return pc->module != module;
}

static void set_path(struct ms_bins *binder, struct ms_bins_path *path, uint32_t located)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	bool again = false;

	path->located = path->node = located;
	if (!binder->loaded_again)
		return;
	size_t n = ms_bins_node_path(binder, located, pcs, MS_WIRE_MAX_PATH);
	for (size_t i = 0; i < n; i++)
		again = was_there_before(binder, &pcs[i]) || again;
	if (again)
		path->node = ms_bins_node_of_calls(binder, pcs, n);
}

/* The return address may be the next function's first byte. */
static struct ms_bins_bound_pc locate_call(const struct ms_bins *binder, uint64_t address)
{
	struct ms_bins_bound_pc pc = ms_bins_locate(binder, address - 1);

	pc.offset++;
	return pc;
}

/*
 * The number of calls, from the outermost on, that this path has in common with the last path. The
 * innermost call of each path does not count, because it is never omitted.
 */
static size_t begins_as_last(const struct ms_bins_last_path *last, const uint64_t *words, size_t n)
{
	size_t same = 0;

	while (same + 1 < n && same + 1 < last->n && last->words[same] == words[n - 1 - same])
		same++;
	return same;
}

/*
 * Adds the next call, inwards. Outermost calls outside of all modules are errors of the unwinder at
 * the end of the stack. They are omitted, unless the path has no other calls.
 */
static void go_on(struct ms_bins *binder, uint64_t word, bool is_innermost)
{
	struct ms_bins_last_path *last = &binder->last;
	struct ms_bins_bound_pc pc = locate_call(binder, word);
	uint32_t outer = last->n > 0 ? last->nodes[last->n - 1] : 0;
	bool is_rubbish =
		last->rubbish == last->n && pc.module == MS_BOUND_NO_MODULE && !is_innermost;

	last->rubbish += is_rubbish;
	last->words[last->n] = word;
	last->nodes[last->n++] = is_rubbish ? 0 : append(binder, outer, pc);
}

int ms_bins_path(struct ms_bins *binder, uint32_t number, const uint64_t *words, size_t n,
		 struct ms_err *err)
{
	struct ms_bins_last_path *last = &binder->last;

	if (number != binder->paths.n || n > MS_WIRE_MAX_PATH)
		return ms_fail(err, MS_EFORMAT,
			       "stream: path %u of %zu calls, expected path %zu of at most %d",
			       number, n, binder->paths.n, MS_WIRE_MAX_PATH);
	/* A truncated path starts somewhere in a deep recursion: only its last call is certain. */
	if (n > 1 && words[n - 1] == 0)
		n = 1;
	last->n = begins_as_last(last, words, n);
	if (last->rubbish > last->n)
		last->rubbish = last->n;
	while (last->n < n)
		go_on(binder, words[n - 1 - last->n], last->n + 1 == n);
	struct ms_bins_path *path = ms_vec_add(&binder->paths);
	set_path(binder, path, n > 0 ? last->nodes[n - 1] : 0);
	path->gone = binder->modules_gone;
	return MS_OK;
}

static bool is_gone(const struct ms_bins *binder, struct ms_bins_bound_pc pc)
{
	return pc.module < binder->modules.n && binder->modules.at[pc.module].gone;
}

/*
 * Some modules were unloaded since the path was located. If another module now occupies the address
 * of such a call, the call is in that module. Until then, the path stays the same.
 */
static void look_again(struct ms_bins *binder, struct ms_bins_path *path)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	size_t n = ms_bins_node_path(binder, path->located, pcs, MS_WIRE_MAX_PATH);
	bool moved = false, open = false;

	for (size_t i = 0; i < n; i++) {
		if (!is_gone(binder, pcs[i]))
			continue;
		uint64_t address = pcs[i].offset + binder->modules.at[pcs[i].module].bias;
		struct ms_bins_bound_pc now = locate_call(binder, address);

		if (now.module == MS_BOUND_NO_MODULE) {
			open = true;
		} else {
			pcs[i] = now;
			moved = true;
		}
	}
	if (moved)
		set_path(binder, path, ms_bins_node_of_calls(binder, pcs, n));
	if (!open)
		path->gone = binder->modules_gone;
}

static int node_of_path(struct ms_bins *binder, uint32_t path, uint32_t *node, struct ms_err *err)
{
	if (path >= binder->paths.n)
		return ms_fail(err, MS_EFORMAT, "stream: path %u was never described", path);
	if (binder->paths.at[path].gone != binder->modules_gone)
		look_again(binder, &binder->paths.at[path]);
	*node = binder->paths.at[path].node;
	return MS_OK;
}

int ms_bins_heap(struct ms_bins *binder, uint32_t path, uint32_t *data, struct ms_err *err)
{
	uint32_t node = 0;

	MS_TRY(node_of_path(binder, path, &node, err));
	*data = binder->nodes.at[node].heap_data;
	if (*data == MS_MAP_NONE) {
		*data = ms_bins_path_bin(binder, node, MS_BOUND_HEAP); /* may move the nodes */
		binder->nodes.at[node].heap_data = *data;
	}
	return MS_OK;
}

int ms_bins_mapping(struct ms_bins *binder, uint32_t path, uint32_t *data, struct ms_err *err)
{
	uint32_t node = 0;

	MS_TRY(node_of_path(binder, path, &node, err));
	*data = binder->nodes.at[node].mapping_data;
	if (*data == MS_MAP_NONE) {
		*data = ms_bins_path_bin(binder, node, MS_BOUND_MAPPING); /* as above */
		binder->nodes.at[node].mapping_data = *data;
	}
	return MS_OK;
}

size_t ms_bins_node_path(const struct ms_bins *binder, uint32_t node, struct ms_bins_bound_pc *pcs,
			 size_t cap)
{
	size_t n = 0;

	/* A node is the innermost call; its outer node is the caller. */
	for (; node != 0; node = binder->nodes.at[node].outer, n++)
		if (n < cap)
			pcs[n] = binder->nodes.at[node].pc;
	return n;
}

size_t ms_bins_path_at(const struct ms_bins *binder, uint32_t path, struct ms_bins_bound_pc *pcs,
		       size_t cap)
{
	return path < binder->paths.n
		       ? ms_bins_node_path(binder, binder->paths.at[path].node, pcs, cap)
		       : 0;
}
