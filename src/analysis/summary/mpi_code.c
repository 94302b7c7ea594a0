/* analysis/summary/mpi_code.c - see mpi_code.h. */
#include "analysis/summary/mpi_code.h"

#include <string.h>

#include "base/mpi_libraries.h"

/* Groups have no module but their own name: a function cannot be taken for one. */
static enum ms_summary_mpi role_of_group(const struct ms_run_code *code)
{
	if (code->module == NULL)
		return MS_SUMMARY_NOT_MPI;
	if (strcmp(code->module, MS_MPI_WAITING) == 0)
		return MS_SUMMARY_MPI_WAITING;
	return strcmp(code->module, MS_MPI_WORKING) == 0 ? MS_SUMMARY_MPI_WORKING
							 : MS_SUMMARY_NOT_MPI;
}

static bool is_in_library(const struct ms_run_code *code)
{
	return code->module != NULL && ms_mpi_is_library(code->module);
}

static bool uses_mpi(const struct ms_run *run)
{
	for (size_t i = 0; i < run->codes.n; i++)
		if (is_in_library(&run->codes.at[i]) ||
		    role_of_group(&run->codes.at[i]) != MS_SUMMARY_NOT_MPI)
			return true;
	return false;
}

/* Observed where the program was simulated. By its name otherwise, and where it polled little. */
static bool is_polling(const struct ms_run *run, const char *function)
{
	for (size_t i = 0; i < run->untraced.n; i++)
		if (run->untraced.at[i].who == MS_WHO_POLLING &&
		    strcmp(run->untraced.at[i].reason, function) == 0)
			return true;
	return ms_mpi_is_polling(function);
}

static enum ms_summary_mpi role_of(const struct ms_run *run, const struct ms_run_code *code)
{
	if (!is_in_library(code) && (code->module == NULL || !ms_mpi_is_companion(code->module)))
		return role_of_group(code);
	return is_polling(run, code->name) ? MS_SUMMARY_MPI_WAITING : MS_SUMMARY_MPI_WORKING;
}

void ms_summary_find_mpi(const struct ms_run *run, enum ms_summary_mpi *roles)
{
	bool mpi = uses_mpi(run);

	for (size_t i = 0; i < run->codes.n; i++)
		roles[i] = mpi ? role_of(run, &run->codes.at[i]) : MS_SUMMARY_NOT_MPI;
}

struct ms_summary_mpi_waiting ms_summary_sum_mpi_waiting(const struct ms_summary *summary,
							 const enum ms_summary_mpi *roles)
{
	struct ms_summary_mpi_waiting sum = { 0, 0 };

	for (size_t i = 0; i < summary->code.at.n; i++) {
		const struct ms_summary_entry *e = &summary->code.at.at[i];

		if (roles[e->code] != MS_SUMMARY_MPI_WAITING)
			continue;
		sum.compute += e->counts.compute;
		sum.stall += ms_summary_rw_sum(e->counts.stall);
	}
	return sum;
}
