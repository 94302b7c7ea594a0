#include "machine/quiet.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

/* Beyond these, figures of a round are not used. */
#define MOST_STOLEN    1.0  /* percent */
#define MOST_OTHERS    0.5  /* tasks */
#define MOST_PREEMPTED 50.0 /* a second */

/* "cpu  user nice system idle iowait irq softirq steal guest guest_nice" */
static void read_ticks(const char *line, struct ms_machine_quiet_state *state)
{
	uint64_t t[8] = { 0 };

	if (sscanf(line,
		   "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64,
		   &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) < 4)
		return;
	state->stolen = t[7];
	for (int i = 0; i < 8; i++)
		state->total += t[i];
}

struct ms_machine_quiet_state ms_machine_quiet_read(const char *proc_root)
{
	struct ms_machine_quiet_state state = { 0 };
	struct rusage usage;
	struct timespec now;
	char line[512];

	snprintf(line, sizeof(line), "%s/stat", proc_root);
	FILE *in = fopen(line, "re");
	while (in != NULL && fgets(line, sizeof(line), in) != NULL) {
		if (line[0] == 'c' && line[3] == ' ')
			read_ticks(line, &state);
		else
			sscanf(line, "procs_running %" SCNu32, &state.running);
	}
	if (in != NULL)
		fclose(in);
	if (getrusage(RUSAGE_THREAD, &usage) == 0)
		state.preempted = (uint64_t)usage.ru_nivcsw;
	clock_gettime(CLOCK_MONOTONIC, &now);
	state.seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
	return state;
}

struct ms_machine_quiet ms_machine_quiet_judge(const struct ms_machine_quiet_state *states,
					       unsigned n)
{
	const struct ms_machine_quiet_state *first = &states[0], *last = &states[n - 1];
	struct ms_machine_quiet quiet = { 0 };

	for (unsigned i = 0; i < n; i++)
		if (states[i].running > 1)
			quiet.others += (double)(states[i].running - 1) / n;
	if (last->total > first->total)
		quiet.stolen = 100 * (double)(last->stolen - first->stolen) /
			       (double)(last->total - first->total);
	if (last->seconds > first->seconds)
		quiet.preempted = (double)(last->preempted - first->preempted) /
				  (last->seconds - first->seconds);
	quiet.quiet = quiet.stolen <= MOST_STOLEN && quiet.others <= MOST_OTHERS &&
		      quiet.preempted <= MOST_PREEMPTED;
	return quiet;
}
