#include "analysis/describe/checkpoint.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "base/process_id.h"
#include "run/run_list.h"

const char *ms_describe_checkpoint_state(const struct ms_run_checkpoint *c)
{
	static const char *const words[] = {
		[MS_PROCESS_RUNS] = "running",
		[MS_PROCESS_ENDED] = "interrupted",
		[MS_PROCESS_ELSEWHERE] = "unknown",
	};

	return words[ms_process_state(c->pid, c->pid_start, c->system)];
}

/* "incomplete" where the state is not known, or there is no checkpoint that contains it. */
static const char *state_of(const struct ms_run_checkpoint *c)
{
	const char *state = c != NULL ? ms_describe_checkpoint_state(c) : "unknown";

	return strcmp(state, "unknown") == 0 ? "incomplete" : state;
}

void ms_describe_run_end(struct ms_text *out, const struct ms_run *run)
{
	const struct ms_run_checkpoint *c = run->checkpoints.n > 0 ? run->checkpoints.at : NULL;
	uint64_t seconds = run->wall_seconds > 0 ? (uint64_t)run->wall_seconds : 0;

	if (run->end != MS_END_INCOMPLETE) {
		ms_describe_end(out, run->end, run->exit_status);
		return;
	}
	ms_text_addf(out, "%s; figures until %02" PRIu64 ":%02u:%02u", state_of(c), seconds / 3600,
		     (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
}

void ms_describe_head_end(struct ms_text *out, const struct ms_run_list_entry *head)
{
	if (head->end == MS_END_INCOMPLETE)
		ms_text_add(out,
			    state_of(head->checkpoint.system != NULL ? &head->checkpoint : NULL));
	else
		ms_describe_end(out, head->end, head->exit_status);
}
