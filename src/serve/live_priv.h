/* serve/live_priv.h - the files of running programs, for their writer and their readers. */
#ifndef MS_SERVE_LIVE_PRIV_H
#define MS_SERVE_LIVE_PRIV_H

#include <stdbool.h>

#define MS_LIVE_SUFFIX "-live-"
/* Next to "memspy.db-live-123": the request for a snapshot; the last snapshot; the next one. */
#define MS_LIVE_ASKED ".asked"
#define MS_LIVE_RUN   ".run"
#define MS_LIVE_DRAFT ".draft"
enum { MS_LIVE_BYTES = 64 << 10, MS_LIVE_WORDS = 64 };

bool ms_serve_live_is_running(long pid);

/*
 * Called for the files next to a database, up to a limited number of them; more: the text after the
 * process ID, such as ".run".
 */
typedef void ms_serve_live_file(void *arg, int folder, const char *name, long pid,
				const char *more);
void ms_serve_live_for_each(const char *db, ms_serve_live_file *take, void *arg);

#endif
