/*
 * bins/mpi_memory.c - memory that MPI allocates for itself: queues, buffers, descriptions of
 * plugins. MPI_Init() alone allocates by ten thousand call paths; as data structures of their own
 * they would take the bins of the program's.
 *
 * Limit: what the program allocates in a function that MPI calls (an operation of its own, in a
 * library) counts as MPI's.
 */
#include "base/mpi_libraries.h"
#include "bins/binder_priv.h"

enum { MOST_FRAMES = 64 };

void ms_bins_find_origin(struct ms_bins *binder, uint32_t module)
{
	struct ms_bins_bound_module *m = &binder->modules.at[module];

	if (module == 0)
		m->origin = MS_BINS_MODULE_PROGRAM;
	else if (ms_mpi_is_interceptor(m->path))
		m->origin = MS_BINS_MODULE_INTERCEPTOR;
	else if (ms_mpi_is_library(m->path))
		m->origin = MS_BINS_MODULE_MPI;
	binder->has_mpi |= m->origin == MS_BINS_MODULE_MPI;
}

bool ms_bins_is_mpi_module(const struct ms_bins *binder, uint32_t module)
{
	return module < binder->modules.n &&
	       binder->modules.at[module].origin >= MS_BINS_MODULE_MPI;
}

static enum ms_bins_module_origin origin_of(const struct ms_bins *binder,
					    struct ms_bins_bound_pc pc)
{
	return pc.module < binder->modules.n
		       ? (enum ms_bins_module_origin)binder->modules.at[pc.module].origin
		       : MS_BINS_MODULE_LIBRARY;
}

/* Whether the function that contains the call allocates for its caller. */
static bool is_allocator(const struct ms_bins *binder, struct ms_bins_bound_pc call)
{
	struct ms_symbols_frame frames[MOST_FRAMES];
	struct ms_symbols_module *symbols = ms_bins_symbols(binder, call.module);
	size_t n = symbols != NULL
			   ? ms_symbols_module_frames(symbols, call.offset - 1, frames, MOST_FRAMES)
			   : 0;

	return n > 0 && frames[n - 1].function != NULL &&
	       ms_mpi_is_allocator(frames[n - 1].function);
}

/* MPI's frames are inside of the program's: the outermost is the function that it called. */
bool ms_bins_is_of_mpi(const struct ms_bins *binder, uint32_t node)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	const struct ms_bins_bound_pc *called = NULL;

	if (!binder->has_mpi)
		return false;
	size_t n = ms_bins_node_path(binder, node, pcs, MS_WIRE_MAX_PATH);
	for (size_t i = 0; i < n && i < MS_WIRE_MAX_PATH; i++) {
		enum ms_bins_module_origin origin = origin_of(binder, pcs[i]);

		if (origin == MS_BINS_MODULE_PROGRAM)
			break;
		if (origin == MS_BINS_MODULE_MPI)
			called = &pcs[i];
	}
	return called != NULL && !is_allocator(binder, *called);
}
