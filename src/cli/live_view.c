/* cli/live_view.c - snapshots of a run that continues, for memspy serve. */
#include "cli/live_view.h"

#include "base/mem.h"
#include "store/store.h"

static bool is_looked_at(void *arg)
{
	const struct ms_cli_live_view *look = arg;

	return ms_serve_live_is_requested(look->live);
}

/* In a process of its own. */
static int keep_look(struct ms_run *run, void *arg)
{
	const struct ms_cli_live_view *look = arg;
	struct ms_store *store = NULL;
	struct ms_err err;

	ms_options_apply_focus(look->focus, look->report, NULL, run);
	char *path = ms_serve_live_draft(look->live);
	int code = ms_store_open(&store, path, MS_STORE_DRAFT, &err);
	if (code == MS_OK)
		code = ms_store_save(store, run, &err);
	ms_store_close(store);
	if (code == MS_OK)
		ms_serve_live_publish(look->live);
	ms_free(path);
	return code;
}

struct ms_collect_snapshot ms_cli_live_view_snapshot(struct ms_cli_live_view *look)
{
	return (struct ms_collect_snapshot){ is_looked_at, keep_look, look };
}
