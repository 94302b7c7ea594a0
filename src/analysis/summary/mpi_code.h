/*
 * analysis/summary/mpi_code.h - which code of a run belongs to MPI, and which of that polls for
 * other ranks: its time depends on theirs, and no change of this code saves it.
 */
#ifndef MS_ANALYSIS_SUMMARY_MPI_CODE_H
#define MS_ANALYSIS_SUMMARY_MPI_CODE_H

#include "analysis/summary/summary.h"

enum ms_summary_mpi { MS_SUMMARY_NOT_MPI, MS_SUMMARY_MPI_WORKING, MS_SUMMARY_MPI_WAITING };

/*
 * Fills in one for each code of the run: by the libraries that functions are in, or by the group
 * that they were added up to (MS_MPI_WORKING, MS_MPI_WAITING in base/mpi_libraries.h).
 */
void ms_summary_find_mpi(const struct ms_run *run, enum ms_summary_mpi *roles);

/* The time of the code that polls: part of the run's, but not of its work. */
struct ms_summary_mpi_waiting {
	uint64_t compute, stall; /* cycles */
};
struct ms_summary_mpi_waiting ms_summary_sum_mpi_waiting(const struct ms_summary *summary,
							 const enum ms_summary_mpi *roles);

#endif
