#include "cli/options/checkpoint.h"

#include "store/store.h"

/* In a process of its own. Whatever fails here is tried again at the next checkpoint. */
static int keep(struct ms_run *run, void *arg)
{
	const struct ms_options_checkpoint *c = arg;
	struct ms_store *store = NULL;
	struct ms_err err;

	if (c->tag != NULL)
		run->tag = ms_arena_strdup(&run->arena, c->tag);
	if (c->note != NULL)
		run->note = ms_arena_strdup(&run->arena, c->note);
	ms_options_record_rank(c->job, run);
	int code = ms_store_open(&store, c->report->db, MS_STORE_WRITE, &err);
	ms_options_apply_focus(c->focus, c->report, store, run);
	if (code == MS_OK)
		code = ms_store_save(store, run, &err);
	ms_store_close(store);
	return code;
}

struct ms_collect_checkpoint_options
ms_options_checkpoint_collect(struct ms_options_checkpoint *checkpoint, double seconds, bool usable)
{
	return (struct ms_collect_checkpoint_options){ usable ? seconds : 0, keep, checkpoint };
}
