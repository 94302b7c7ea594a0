/* Libraries of MPI by their file names, and functions of theirs by their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/mpi_libraries.h"

static void libraries_by_name(void **state)
{
	static const struct {
		const char *path;
		bool library, companion, interceptor;
	} cases[] = {
		{ "/usr/lib/x86_64-linux-gnu/libmpi.so.40.30.4", true, false, false },
		{ "/usr/lib/x86_64-linux-gnu/libmpich.so.12.2.2", true, false, false },
		{ "/opt/intel/lib/libmpifort.so.12", true, false, false },
		{ "/usr/lib/openmpi/lib/openmpi3/mca_btl_vader.so", true, false, false },
		{ "libmpi_mpifh.so.40", true, false, false },
		{ "/usr/lib/x86_64-linux-gnu/libopen-pal.so.40.30.2", true, false, false },
		{ "/usr/lib/pmix2/lib/libpmix.so.2.6.2", true, false, false },
		{ "/usr/lib/libfabric.so.1.19.0", true, false, false },
		{ "/usr/lib/libucp.so.0.0.0", true, false, false },
		{ "/usr/lib/ucx/libuct_ib.so.0.0.0", true, false, false },
		{ "/usr/lib/libpsm2.so.2.2", true, false, false },
		{ "/usr/lib/libucm.so.0.0.0", true, false, true },
		{ "/usr/lib/openmpi/mca_memory_patcher.so", true, false, true },
		{ "/usr/lib/libevent_core-2.1.so.7", false, true, false },
		{ "/usr/lib/libhwloc.so.15", false, true, false },
		{ "/usr/lib/libmpfr.so.6", false, false, false },
		{ "/usr/lib/libmpdec.so.3", false, false, false },
		{ "/usr/lib/libc.so.6", false, false, false },
		{ "/home/user/mca/solver", false, false, false },
		{ "", false, false, false },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		assert_int_equal(ms_mpi_is_library(cases[i].path), cases[i].library);
		assert_int_equal(ms_mpi_is_companion(cases[i].path), cases[i].companion);
		assert_int_equal(ms_mpi_is_interceptor(cases[i].path), cases[i].interceptor);
	}
}

static void functions_that_allocate_for_their_caller(void **state)
{
	(void)state;
	assert_true(ms_mpi_is_allocator("MPI_Alloc_mem"));
	assert_true(ms_mpi_is_allocator("PMPI_Alloc_mem"));
	assert_true(ms_mpi_is_allocator("mpi_alloc_mem_"));
	assert_true(ms_mpi_is_allocator("pmpi_alloc_mem__"));
	assert_true(ms_mpi_is_allocator("MPI_Win_allocate_shared"));
	assert_false(ms_mpi_is_allocator("MPI_Init"));
	assert_false(ms_mpi_is_allocator("MPI_Win_create"));
	assert_false(ms_mpi_is_allocator("_"));
	assert_false(ms_mpi_is_allocator(""));
}

static void functions_that_poll(void **state)
{
	(void)state;
	assert_true(ms_mpi_is_polling("opal_progress"));
	assert_true(ms_mpi_is_polling("ucp_worker_progress"));
	assert_true(ms_mpi_is_polling("MPIDI_CH3I_Progress_poll_network"));
	assert_true(ms_mpi_is_polling("ompi_sync_wait_mt"));
	assert_false(ms_mpi_is_polling("MPI_Send"));
	assert_false(ms_mpi_is_polling("opal_datatype_copy_content_same_ddt"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(libraries_by_name),
		cmocka_unit_test(functions_that_allocate_for_their_caller),
		cmocka_unit_test(functions_that_poll),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
