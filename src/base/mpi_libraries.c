#include "base/mpi_libraries.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/compiler.h"
#include "base/text.h"

/* Base names begin so. */
static const char *const libraries[] = {
	/* MPI itself */
	"libmpi.so",
	"libmpi_",
	"libmpich",
	"libmpicxx",
	"libmpifort",
	"libmpigf",
	"libmpl.so",
	"libpmpi",
	"libmpi-",
	"libopen-pal",
	"libopen-rte",
	"libprrte",
	"liboshmem",
	"libnbc",
	"libmca_common",
	"mca_",
	"libopa.so",
	"libvapich",
	"libtmpi",
	/* start-up of processes */
	"libpmix",
	"libpmi.so",
	"libpmi2.so",
	"libpmi-",
	"libcray-pmi",
	/* transports */
	"libfabric",
	"libucp.so",
	"libucs.so",
	"libuct.so",
	"libucm.so",
	"libuct_",
	"libucs_",
	"libucm_",
	"libucx_",
	"libucc",
	"libpsm",
	"libhcoll",
	"libsharp",
	"libibverbs",
	"libmlx",
	"librdmacm",
	"libefa",
	"libxpmem",
	"libportals",
};

static const char *const companions[] = { "libevent", "libhwloc" };

static const char *const interceptors[] = { "libucm.so", "libucm_", "mca_memory" };

/* Without "P", the prefix of the profiling interface; Fortran's have lower case and underscores. */
static const char *const allocators[] = {
	"MPI_Alloc_mem", "MPI_Win_allocate*", "shmem_malloc", "shmem_calloc", "shmem_align",
};

static const char *const polling[] = {
	"*progress*",      "*_poll",          "*_poll_*",     "*poll_cq*",
	"*_spin*",         "event_base_loop", "*_wait_sync*", "ompi_request_default_wait*",
	"ompi_sync_wait*", "MPIR_Wait*",      "psm*_poll*",
};

static bool begins_with_any(const char *path, const char *const *names, size_t n)
{
	const char *name = ms_base_name(path);

	for (size_t i = 0; i < n; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

bool ms_mpi_is_library(const char *path)
{
	return begins_with_any(path, libraries, MS_COUNT(libraries));
}

bool ms_mpi_is_companion(const char *path)
{
	return begins_with_any(path, companions, MS_COUNT(companions));
}

bool ms_mpi_is_interceptor(const char *path)
{
	return begins_with_any(path, interceptors, MS_COUNT(interceptors));
}

static bool matches_any(const char *name, const char *const *patterns, size_t n, int flags)
{
	for (size_t i = 0; i < n; i++)
		if (fnmatch(patterns[i], name, flags) == 0)
			return true;
	return false;
}

bool ms_mpi_is_allocator(const char *function)
{
	char name[64];
	size_t n = strcspn(function, "@"); /* mpi_alloc_mem_@plt */

	if (strncasecmp(function, "PMPI_", 5) == 0) {
		function++;
		n--;
	}
	while (n > 0 && function[n - 1] == '_')
		n--;
	if (n >= sizeof(name))
		return false;
	memcpy(name, function, n);
	name[n] = '\0';
	return matches_any(name, allocators, MS_COUNT(allocators), FNM_CASEFOLD);
}

bool ms_mpi_is_polling(const char *function)
{
	return matches_any(function, polling, MS_COUNT(polling), 0);
}
