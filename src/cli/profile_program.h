/*
 * cli/profile_program.h - what memspy run is asked for (its options: commands/run.c), and one
 * profiled program, from its start to its report.
 */
#ifndef MS_CLI_PROFILE_PROGRAM_H
#define MS_CLI_PROFILE_PROGRAM_H

#include "cli/options/attach.h"
#include "cli/options/checkpoint.h"
#include "cli/options/detail_limits.h"
#include "cli/options/focus.h"
#include "cli/options/job.h"
#include "cli/options/machine.h"
#include "cli/options/observed_lines.h"
#include "cli/options/pmu.h"
#include "cli/options/processors.h"
#include "cli/options/report.h"
#include "cli/options/sampling.h"
#include "collect/collect.h"

struct ms_cli_run_command {
	struct ms_options_machine machine;
	struct ms_options_processors processors;
	bool auto_processors;
	struct ms_options_auto_processors choice;
	struct ms_launch_cpus cpus;
	struct ms_options_pmu pmu;
	struct ms_options_pmus pmus;
	struct ms_options_sampling sample;
	struct ms_stream_sampling sampling;
	bool samples;
	uint64_t seed;
	struct ms_options_report report;
	struct ms_options_focus focus;
	struct ms_options_job job;
	const char *frontend;
	uint64_t attach;
	double duration; /* seconds; 0: until it ends */
	const char *tag;
	const char *note;
	struct ms_opt_list variables;
	uint64_t db_limit;
	double checkpoint;        /* seconds from one to the next; 0: none */
	const struct ms_run *run; /* the program's own: children have its origin */
	const char *trace;
	uint64_t trace_limit;
	uint64_t workers;
	uint64_t threads;
	struct ms_opt_list own[MS_LAUNCH_PRIVATE_KINDS];
	MS_VEC(const char *) own_calls; /* in the form that the front-end reads */
	struct ms_arena arena;
	bool start_stopped;
	const char *timer;
	struct ms_collect_bin_limits limits;
	bool misses_only;
	struct ms_options_observed_lines observed;
	bool follow_forks;
	bool merge;
	bool quiet;
};

enum ms_launch_frontend ms_cli_get_frontend(const struct ms_cli_run_command *command);

/* Profiles argv, keeps the run and shows the report. *status: memspy's exit status. */
int ms_cli_profile_program(struct ms_cli_run_command *command, char *const argv[],
			   const struct ms_machine *machine, int *status, struct ms_err *err);

#endif
