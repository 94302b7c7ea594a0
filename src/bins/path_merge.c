/*
 * bins/path_merge.c - limits the number of data bins for call paths.
 *
 * A large program allocates from tens of thousands of call paths. These are more than a user can
 * read, and each of them multiplies the counters of all code that uses its blocks. The first paths
 * have bins of their own. Later paths with the same innermost user frames share a bin: three
 * frames, which are those that a name shows, or one frame if there are many of these shared bins,
 * too. The sharing depends only on the order of the stream, so all workers and a replay agree.
 */
#include <string.h>

#include "bins/binder_priv.h"
#include "bins/naming.h"

enum { FRAMES_FIRST = 3, FRAMES_LATER = 1, MOST_FRAMES = 64 };

void ms_bins_limit_paths(struct ms_bins *binder, uint32_t most)
{
	binder->path_limit = most;
}

/* Whether this call is in user code, not only in allocators and standard libraries. */
static bool is_user_frame(const struct ms_bins *binder, struct ms_bins_bound_pc pc)
{
	struct ms_symbols_frame frames[MOST_FRAMES];
	struct ms_symbols_module *symbols = ms_bins_symbols(binder, pc.module);
	size_t n = symbols != NULL
			   ? ms_symbols_module_frames(symbols, pc.offset - 1, frames, MOST_FRAMES)
			   : 0;

	for (size_t i = 0; i < n; i++)
		if (!ms_bins_is_library_name(&frames[i]))
			return true;
	return n == 0;
}

/* The number of calls of a path, from the innermost on, that contain so many user frames. */
static size_t inner_calls(const struct ms_bins *binder, const struct ms_bins_bound_pc *pcs,
			  size_t n, unsigned frames)
{
	size_t i = 0;

	while (i < n && frames > 0)
		frames -= is_user_frame(binder, pcs[i++]);
	return i;
}

static uint32_t add_bin(struct ms_bins *binder, uint32_t node, enum ms_bins_bound_kind kind,
			const char *part)
{
	return ms_bins_add_data(binder, &(struct ms_bins_bound_data){ .kind = kind,
								      .module = MS_BOUND_NO_MODULE,
								      .node = node,
								      .part = part });
}

static uint32_t shared_bin(struct ms_bins *binder, uint32_t node, enum ms_bins_bound_kind kind)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	size_t n = ms_bins_node_path(binder, node, pcs, MS_WIRE_MAX_PATH);
	unsigned frames = binder->shared_bins < binder->path_limit ? FRAMES_FIRST : FRAMES_LATER;
	uint32_t inner = ms_bins_node_of_calls(binder, pcs, inner_calls(binder, pcs, n, frames));
	uint32_t *bin = ms_map_at(&binder->shared_bin_of, inner, kind);

	if (*bin == MS_MAP_NONE) {
		*bin = add_bin(binder, inner, kind, "other paths");
		binder->shared_bins++;
	}
	binder->data.at[*bin].paths++;
	return *bin;
}

static bool is_module(const struct ms_bins *binder, struct ms_bins_bound_pc pc,
		      const char *const *names, size_t n)
{
	const char *name = pc.module != MS_BOUND_NO_MODULE
				   ? ms_base_name(ms_bins_module_path(binder, pc.module))
				   : "";

	for (size_t i = 0; i < n; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/*
 * Whether an OpenMP runtime allocates it for itself. Its callers contain only the pragma, and no
 * variable: by them, the runtime's memory would have the name of the user's function.
 */
static bool is_of_openmp(const struct ms_bins *binder, uint32_t node)
{
	static const char *const runtimes[] = { "libgomp.so", "libomp.so", "libiomp5.so" };
	static const char *const allocators[] = { "libc.so", "ld-linux", "libstdc++.so" };
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	size_t n = ms_bins_node_path(binder, node, pcs, MS_WIRE_MAX_PATH), i = 0;

	while (i < n && i < MS_WIRE_MAX_PATH &&
	       is_module(binder, pcs[i], allocators, MS_COUNT(allocators)))
		i++;
	return i < n && i < MS_WIRE_MAX_PATH &&
	       is_module(binder, pcs[i], runtimes, MS_COUNT(runtimes));
}

uint32_t ms_bins_path_bin(struct ms_bins *binder, uint32_t node, enum ms_bins_bound_kind kind)
{
	if (kind == MS_BOUND_HEAP && is_of_openmp(binder, node))
		return MS_BOUND_OPENMP;
	if (ms_bins_is_of_mpi(binder, node))
		return MS_BOUND_MPI;
	if (binder->path_bins >= binder->path_limit)
		return shared_bin(binder, node, kind);
	binder->path_bins++;
	return add_bin(binder, node, kind, NULL);
}
