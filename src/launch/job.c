/*
 * launch/job.c - the variables by which launchers describe a rank. A launcher that starts its
 * daemons by another one (mpirun in a Slurm job) leaves the other one's variables in the
 * environment, so rows come before those of what may have started them.
 */
#include "launch/job.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/num.h"
#include "base/process_stat.h"

enum { NAMES = 4, MOST_PARENTS = 16 };

struct launcher {
	const char *name;
	const char *mark; /* a variable that must be there, too; "I_MPI_*": one that begins so */
	const char *rank;
	const char *ranks[NAMES];
	const char *local_rank[NAMES];
	const char *local_ranks[NAMES];
	const char *job[NAMES]; /* the first one that is set */
	const char *step;       /* is added to the job's */
	bool has_hydra;         /* the job is also identified by the process that starts ranks */
};

static const struct launcher launchers[] = {
	{ .name = "Open MPI",
	  .rank = "OMPI_COMM_WORLD_RANK",
	  .ranks = { "OMPI_COMM_WORLD_SIZE" },
	  .local_rank = { "OMPI_COMM_WORLD_LOCAL_RANK" },
	  .local_ranks = { "OMPI_COMM_WORLD_LOCAL_SIZE" },
	  .job = { "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid" } },
	/* srun --mpi=pmi2 sets PMI_RANK and a step; Hydra in a Slurm job has the daemon's. */
	{ .name = "Slurm",
	  .mark = "PMI_JOBID",
	  .rank = "SLURM_PROCID",
	  .ranks = { "SLURM_STEP_NUM_TASKS" },
	  .local_rank = { "SLURM_LOCALID" },
	  .job = { "SLURM_JOB_ID", "SLURM_JOBID" },
	  .step = "SLURM_STEP_ID" },
	{ .name = "Intel MPI",
	  .mark = "I_MPI_*",
	  .rank = "PMI_RANK",
	  .ranks = { "PMI_SIZE" },
	  .local_rank = { "MPI_LOCALRANKID" },
	  .local_ranks = { "MPI_LOCALNRANKS" },
	  .job = { "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID" },
	  .has_hydra = true },
	{ .name = "MPICH",
	  .rank = "PMI_RANK",
	  .ranks = { "PMI_SIZE" },
	  .local_rank = { "MPI_LOCALRANKID" },
	  .local_ranks = { "MPI_LOCALNRANKS" },
	  .job = { "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID" },
	  .has_hydra = true },
	/* A batch script has SLURM_PROCID, but no step. */
	{ .name = "Slurm",
	  .mark = "SLURM_STEP_NUM_TASKS",
	  .rank = "SLURM_PROCID",
	  .ranks = { "SLURM_STEP_NUM_TASKS" },
	  .local_rank = { "SLURM_LOCALID" },
	  .job = { "SLURM_JOB_ID", "SLURM_JOBID" },
	  .step = "SLURM_STEP_ID" },
	{ .name = "PMIx",
	  .rank = "PMIX_RANK",
	  .local_rank = { "PMIX_LOCAL_RANK" },
	  .job = { "PMIX_NAMESPACE" } },
};

static const char *value_of(char *const *environment, const char *name)
{
	size_t n = strlen(name);

	for (; *environment != NULL; environment++)
		if (strncmp(*environment, name, n) == 0 && (*environment)[n] == '=')
			return *environment + n + 1;
	return NULL;
}

static bool is_set(char *const *environment, const char *mark)
{
	size_t n = strlen(mark);

	if (n == 0 || mark[n - 1] != '*')
		return value_of(environment, mark) != NULL;
	for (; *environment != NULL; environment++)
		if (strncmp(*environment, mark, n - 1) == 0)
			return true;
	return false;
}

static bool number_of(char *const *environment, const char *name, uint32_t *number)
{
	const char *text = name != NULL ? value_of(environment, name) : NULL;
	uint64_t value;

	if (text == NULL || !ms_parse_u64(text, &value) || value > INT32_MAX)
		return false;
	*number = (uint32_t)value;
	return true;
}

static uint32_t first_number(char *const *environment, const char *const *names)
{
	uint32_t number = 0;

	for (int i = 0; i < NAMES && names[i] != NULL; i++)
		if (number_of(environment, names[i], &number))
			break;
	return number;
}

/* Names of jobs and nodes become names of files. */
static const char *make_file_name(const char *text, struct ms_arena *arena)
{
	char *name = ms_arena_strdup(arena, text);

	for (char *p = name; *p != '\0'; p++)
		if (!isalnum((unsigned char)*p) && strchr("._-", *p) == NULL)
			*p = '_';
	if (name[0] == '.')
		name[0] = '_';
	return name;
}

/* "PORT" of --control-port HOST:PORT in the command line of Hydra's proxy: the port of mpiexec, on
 * all nodes. */
static bool read_control_port(pid_t pid, char port[MS_NUM_TEXT])
{
	static const char option[] = "--control-port";
	char path[64], line[4096];
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	FILE *in = fopen(path, "re");
	size_t n = in != NULL ? fread(line, 1, sizeof(line) - 1, in) : 0;

	line[n] = '\0';
	for (size_t i = 0; i + sizeof(option) < n && !found; i += strlen(line + i) + 1) {
		const char *value = line + i + sizeof(option);
		const char *colon = strrchr(value, ':');

		found = strcmp(line + i, option) == 0 && colon != NULL;
		if (found)
			snprintf(port, MS_NUM_TEXT, "%.16s", colon + 1);
	}
	if (in != NULL)
		fclose(in);
	return found;
}

/* What identifies the job to all of its ranks: mpiexec's port; else, on one node, their parent. */
static void name_hydra(char name[MS_NUM_TEXT])
{
	pid_t pid = getppid();
	char text[512];

	for (int i = 0; i < MOST_PARENTS && pid > 1; i++) {
		if (read_control_port(pid, name))
			return;
		const char *stat = ms_process_stat(pid, text, sizeof(text)); /* "S PARENT ..." */

		pid = stat != NULL && strlen(stat) > 2 ? (pid_t)strtol(stat + 2, NULL, 10) : 0;
	}
	snprintf(name, MS_NUM_TEXT, "%d", (int)getppid());
}

static const char *find_id(const struct launcher *l, char *const *environment,
			   struct ms_arena *arena)
{
	const char *id = NULL, *step = NULL;
	char hydra[MS_NUM_TEXT];

	for (int i = 0; i < NAMES && id == NULL && l->job[i] != NULL; i++)
		id = value_of(environment, l->job[i]);
	if (l->has_hydra) {
		name_hydra(hydra);
		step = hydra;
	} else if (l->step != NULL) {
		step = value_of(environment, l->step);
	}
	if (id == NULL && step == NULL)
		return ms_arena_printf(arena, "parent-%d", (int)getppid());
	return make_file_name(ms_arena_printf(arena, "%s%s%s", id != NULL ? id : "mpi",
					      step != NULL ? "." : "", step != NULL ? step : ""),
			      arena);
}

/* SLURM_STEP_TASKS_PER_NODE=4(x2),3 says for each node how many ranks it has. */
static uint32_t count_tasks(const char *text, uint32_t node)
{
	while (text != NULL && isdigit((unsigned char)*text)) {
		char *end;
		unsigned long tasks = strtoul(text, &end, 10), nodes = 1;

		if (strncmp(end, "(x", 2) == 0)
			nodes = strtoul(end + 2, &end, 10);
		if (node < nodes)
			return (uint32_t)tasks;
		node -= (uint32_t)nodes;
		end += strcspn(end, ",");
		text = *end == ',' ? end + 1 : NULL;
	}
	return 0;
}

static void read_slurm_tasks(struct ms_launch_job *job, char *const *environment)
{
	const char *tasks = value_of(environment, "SLURM_STEP_TASKS_PER_NODE");
	uint32_t node = 0;

	if (number_of(environment, "SLURM_NODEID", &node))
		job->local_ranks = count_tasks(tasks, node);
}

static bool matches(const struct launcher *l, char *const *environment, uint32_t *rank)
{
	if (l->mark != NULL && !is_set(environment, l->mark))
		return false;
	return number_of(environment, l->rank, rank);
}

/* Of srun --mpi=pmix, Slurm's own variables say more. */
static const struct launcher *find_launcher(char *const *environment, uint32_t *rank)
{
	const char *space = value_of(environment, "PMIX_NAMESPACE");
	bool other_pmix = space != NULL && strncmp(space, "slurm.", 6) != 0;

	for (size_t i = 0; i < MS_COUNT(launchers); i++) {
		const struct launcher *l = &launchers[i];

		if (strcmp(l->name, "Slurm") == 0 && other_pmix)
			continue;
		if (matches(l, environment, rank))
			return l;
	}
	return NULL;
}

void ms_launch_find_job(struct ms_launch_job *job, char *const *environment, struct ms_arena *arena)
{
	struct utsname name;

	*job = (struct ms_launch_job){ .launcher = NULL };
	const struct launcher *l = find_launcher(environment, &job->rank);

	job->host = make_file_name(uname(&name) == 0 ? name.nodename : "host", arena);
	if (l == NULL)
		return;
	job->ranks = first_number(environment, l->ranks);
	job->local_rank = first_number(environment, l->local_rank);
	job->local_ranks = first_number(environment, l->local_ranks);
	if (strcmp(l->name, "Slurm") == 0)
		read_slurm_tasks(job, environment);
	/* A job of one process is like a program without a launcher. */
	if (job->ranks == 1 || (job->ranks != 0 && job->rank >= job->ranks)) {
		job->rank = 0;
		return;
	}
	job->launcher = l->name;
	job->id = find_id(l, environment, arena);
}

/* --- names of files --- */

static int add_part(struct ms_text *name, char letter, const struct ms_launch_job *job)
{
	bool none = job->launcher == NULL;

	switch (letter) {
	case 'r':
		ms_text_addf(name, "%u", job->rank);
		return 0;
	case 'h':
		ms_text_add(name, job->host);
		return 0;
	case 'j':
		ms_text_add(name, none ? "local" : job->id);
		return 0;
	case 'p':
		ms_text_addf(name, "%d", (int)getpid());
		return 0;
	case '%':
		ms_text_add(name, "%");
		return 0;
	default:
		return -1;
	}
}

int ms_launch_expand_name(struct ms_text *name, const char *pattern,
			  const struct ms_launch_job *job, struct ms_err *err)
{
	for (const char *p = pattern; *p != '\0'; p++) {
		if (*p != '%') {
			ms_text_add_n(name, p, 1);
			continue;
		}
		if (add_part(name, *++p, job) != 0)
			return ms_fail(err, MS_EUSAGE,
				       "%s: found %%%.1s, expected %%r (rank), %%h (host), %%j "
				       "(job), %%p (process) or %%%%",
				       pattern, p);
	}
	return MS_OK;
}

size_t ms_launch_common_folder(const char *pattern)
{
	size_t folder = 0;

	for (size_t i = 0; pattern[i] != '\0'; i++) {
		if (pattern[i] == '/')
			folder = i;
		if (pattern[i] == '%' && strchr("rhp", pattern[++i]) != NULL)
			break;
	}
	return folder;
}

bool ms_launch_is_pattern(const char *name)
{
	return strchr(name, '%') != NULL;
}

/* --- lists of ranks --- */

static bool read_number(const char **text, uint32_t *number)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	unsigned long value = strtoul(*text, &end, 10);
	*text = end;
	*number = (uint32_t)value;
	return value <= INT32_MAX;
}

int ms_launch_is_listed_rank(const char *list, uint32_t rank, bool *listed, struct ms_err *err)
{
	const char *at = list;

	*listed = false;
	do {
		uint32_t first, last, step = 1;
		bool good = read_number(&at, &first);

		last = first;
		if (good && *at == ':')
			at++, good = read_number(&at, &last) && last >= first;
		if (good && *at == '/')
			at++, good = read_number(&at, &step) && step > 0;
		if (!good || (*at != ',' && *at != '\0'))
			return ms_fail(err, MS_EUSAGE,
				       "%s: expected a list of ranks such as 0,16:32/4 (16 to 32 "
				       "in steps of 4)",
				       list);
		if (rank >= first && rank <= last && (rank - first) % step == 0)
			*listed = true;
	} while (*at++ == ',');
	return MS_OK;
}
