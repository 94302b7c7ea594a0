/* Ranks by the variables of launchers, names of their files, and lists of ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "launch/job.h"

struct launcher_case {
	int line;
	const char *variables[10];
	const char *launcher; /* NULL: no rank */
	const char *id;       /* NULL: any */
	uint32_t rank, ranks, local_rank, local_ranks;
};

#define AT .line = __LINE__
static const struct launcher_case launchers[] = {
	{ AT, .variables = { "HOME=/home/u" } },
	{ AT,
	  .variables = { "OMPI_COMM_WORLD_RANK=5", "OMPI_COMM_WORLD_SIZE=8",
			 "OMPI_COMM_WORLD_LOCAL_RANK=1", "OMPI_COMM_WORLD_LOCAL_SIZE=4",
			 "PMIX_NAMESPACE=1163591681", "PMIX_RANK=5" },
	  "Open MPI", "1163591681", 5, 8, 1, 4 },
	/* Open MPI in a Slurm job: the daemon's variables of Slurm are in the environment, too. */
	{ AT,
	  .variables = { "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=2", "SLURM_JOB_ID=77",
			 "SLURM_STEP_ID=0", "PMIX_NAMESPACE=prterun-n1-12@1",
			 "OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=4" },
	  "Open MPI", "prterun-n1-12_1", 3, 4, 0, 0 },
	{ AT,
	  .variables = { "SLURM_PROCID=6", "SLURM_STEP_NUM_TASKS=9", "SLURM_JOB_ID=77",
			 "SLURM_STEP_ID=2", "SLURM_LOCALID=2", "SLURM_NODEID=1",
			 "SLURM_STEP_TASKS_PER_NODE=4(x2),1" },
	  "Slurm", "77.2", 6, 9, 2, 4 },
	{ AT,
	  .variables = { "SLURM_PROCID=8", "SLURM_STEP_NUM_TASKS=9", "SLURM_JOB_ID=77",
			 "SLURM_STEP_ID=2", "SLURM_LOCALID=0", "SLURM_NODEID=2",
			 "SLURM_STEP_TASKS_PER_NODE=4(x2),1" },
	  "Slurm", "77.2", 8, 9, 0, 1 },
	/* srun --mpi=pmix, and srun --mpi=pmi2 */
	{ AT,
	  .variables = { "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=2", "SLURM_JOB_ID=77",
			 "SLURM_STEP_ID=0", "PMIX_NAMESPACE=slurm.pmix.77.0", "PMIX_RANK=1" },
	  "Slurm", "77.0", 1, 2, 0, 0 },
	{ AT,
	  .variables = { "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=2", "SLURM_JOB_ID=77",
			 "SLURM_STEP_ID=0", "PMI_RANK=1", "PMI_SIZE=2", "PMI_JOBID=77.0" },
	  "Slurm", "77.0", 1, 2, 0, 0 },
	/* A batch script is no rank. */
	{ AT, .variables = { "SLURM_PROCID=0", "SLURM_NTASKS=8", "SLURM_JOB_ID=77" } },
	/* Hydra: one mpiexec of several in a batch job, by the process that has started the rank */
	{ AT, .variables = { "PMI_RANK=1", "PMI_SIZE=2", "MPI_LOCALRANKID=1", "MPI_LOCALNRANKS=2" },
	  "MPICH", NULL, 1, 2, 1, 2 },
	{ AT, .variables = { "PMI_RANK=1", "PMI_SIZE=2", "I_MPI_FABRICS=shm", "PBS_JOBID=12.n/1" },
	  "Intel MPI", NULL, 1, 2, 0, 0 },
	{ AT, .variables = { "PMIX_RANK=7", "PMIX_NAMESPACE=dvm-3@2" }, "PMIx", "dvm-3_2", 7 },
	/* one process, and values that are none */
	{ AT, .variables = { "OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=1" } },
	{ AT, .variables = { "OMPI_COMM_WORLD_RANK=x", "OMPI_COMM_WORLD_SIZE=4" } },
	{ AT, .variables = { "OMPI_COMM_WORLD_RANK=4", "OMPI_COMM_WORLD_SIZE=4" } },
};

static void ranks_are_found_in_the_environment(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(launchers); i++) {
		const struct launcher_case *c = &launchers[i];
		struct ms_arena arena = MS_ARENA_INIT;
		struct ms_launch_job job;
		char host[256] = "";

		ms_launch_find_job(&job, (char *const *)c->variables, &arena);
		print_message("line %d\n", c->line);
		if (c->launcher == NULL) {
			assert_null(job.launcher);
		} else {
			assert_string_equal(job.launcher, c->launcher);
			if (c->id != NULL)
				assert_string_equal(job.id, c->id);
			assert_null(strchr(job.id, '/'));
		}
		assert_int_equal(job.rank, c->rank);
		if (c->launcher != NULL) {
			assert_int_equal(job.ranks, c->ranks);
			assert_int_equal(job.local_rank, c->local_rank);
			assert_int_equal(job.local_ranks, c->local_ranks);
		}
		gethostname(host, sizeof(host));
		assert_string_equal(job.host, host);
		ms_arena_free(&arena);
	}
}

static void names_of_files_follow_their_pattern(void **state)
{
	const struct ms_launch_job job = { "Slurm", "77.0", "n1", 12, 16, 4, 8 }, none = { NULL };
	struct ms_text name = MS_TEXT_INIT;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_launch_expand_name(&name, "a/%j/%h-%r.db", &job, &err), MS_OK);
	assert_string_equal(name.at, "a/77.0/n1-12.db");
	ms_text_clear(&name);
	assert_int_equal(ms_launch_expand_name(&name, "50%%/%j-%r", &none, &err), MS_OK);
	assert_string_equal(name.at, "50%/local-0");
	ms_text_clear(&name);
	assert_int_equal(ms_launch_expand_name(&name, "a%x", &job, &err), MS_EUSAGE);
	assert_string_equal(err.text, "a%x: found %x, expected %r (rank), %h (host), %j (job), %p "
				      "(process) or %%");
	ms_text_free(&name);
	assert_int_equal(ms_launch_common_folder("a/%j/%h/%r.db"), 4);
	assert_int_equal(ms_launch_common_folder("a/%j/b-%r.db"), 4);
	assert_int_equal(ms_launch_common_folder("%r.db"), 0);
}

static void lists_of_ranks_have_ranges_and_steps(void **state)
{
	static const char *const bad[] = { "", "a", "1,", "3:1", "1/0", "1:2/", "1 2", "-1", "1:" };
	char found[256] = "";
	struct ms_err err;
	bool listed;

	(void)state;
	for (uint32_t rank = 0; rank < 64; rank++) {
		assert_int_equal(ms_launch_is_listed_rank("0,16:32/4,40:41", rank, &listed, &err),
				 MS_OK);
		if (listed)
			sprintf(found + strlen(found), "%u ", rank);
	}
	assert_string_equal(found, "0 16 20 24 28 32 40 41 ");
	for (size_t i = 0; i < MS_COUNT(bad); i++)
		assert_int_equal(ms_launch_is_listed_rank(bad[i], 1, &listed, &err), MS_EUSAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_are_found_in_the_environment),
		cmocka_unit_test(names_of_files_follow_their_pattern),
		cmocka_unit_test(lists_of_ranks_have_ranges_and_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
