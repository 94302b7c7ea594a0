/* serve/live_priv.h - the files of running programs, for who writes and who reads them. */
#ifndef MS_SERVE_LIVE_PRIV_H
#define MS_SERVE_LIVE_PRIV_H

#include <stdbool.h>

#define MS_LIVE_SUFFIX "-live-"
/* Beside "memspy.db-live-123": somebody asks for a snapshot; the last one; the one to come. */
#define MS_LIVE_ASKED ".asked"
#define MS_LIVE_RUN   ".run"
#define MS_LIVE_DRAFT ".draft"
enum { MS_LIVE_BYTES = 64 << 10, MS_LIVE_WORDS = 64 };

bool ms_live_is_running(long pid);

/* Calls take for the files beside a database, up to a sane number of them; more: what stands behind
 * the process's number, such as ".run". */
typedef void ms_live_file(void *arg, int folder, const char *name, long pid, const char *more);
void ms_live_for_each(const char *db, ms_live_file *take, void *arg);

#endif
