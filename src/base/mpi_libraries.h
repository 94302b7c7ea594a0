/*
 * base/mpi_libraries.h - recognises the libraries of MPI implementations by their file names: Open
 * MPI, MPICH and what derives from it (Intel MPI, MVAPICH, Cray), and the transports below them
 * (UCX, libfabric, PSM, verbs, PMIx).
 */
#ifndef MS_BASE_MPI_LIBRARIES_H
#define MS_BASE_MPI_LIBRARIES_H

#include <stdbool.h>

/* The code that polls for other ranks, in reports. */
#define MS_MPI_WAITING "<MPI waiting>"
/* All other code of these libraries. */
#define MS_MPI_WORKING "<MPI>"

/* Whether the path is that of such a library, or of one of its plugins. */
bool ms_mpi_is_library(const char *path);
/*
 * Libraries that others use, too: event loops and topologies. In a program that uses MPI they are
 * taken for MPI's.
 */
bool ms_mpi_is_companion(const char *path);
/*
 * Libraries that intercept the allocation of memory and pass it on: between a program and the C
 * library they are no caller of their own.
 */
bool ms_mpi_is_interceptor(const char *path);
/* Whether a function of MPI allocates memory for its caller: MPI_Alloc_mem() and its relatives. */
bool ms_mpi_is_allocator(const char *function);
/*
 * Whether the name of a function of such a library says that it polls for other ranks. Libraries
 * without symbols have no such names.
 */
bool ms_mpi_is_polling(const char *function);

#endif
