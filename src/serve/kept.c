/* serve/kept.c - one run, with a count of the threads that read it. */
#include "serve/kept.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/text.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER; /* one run at a time */
static struct ms_serve_kept *last;

/* Whatever is written to the database changes its file, or the journal beside it. */
static void read_stamp(const char *db, uint64_t stamp[8])
{
	struct ms_text log = MS_TEXT_INIT;

	ms_text_addf(&log, "%s-wal", db);
	const char *const files[] = { db, log.at };

	memset(stamp, 0, 8 * sizeof(*stamp));
	for (size_t i = 0; i < 2; i++) {
		struct stat s;

		if (stat(files[i], &s) != 0)
			continue;
		stamp[4 * i] = s.st_ino;
		stamp[4 * i + 1] = (uint64_t)s.st_size;
		stamp[4 * i + 2] = (uint64_t)s.st_mtim.tv_sec;
		stamp[4 * i + 3] = (uint64_t)s.st_mtim.tv_nsec;
	}
	ms_text_free(&log);
}

void ms_serve_release_run(struct ms_serve_kept *kept)
{
	pthread_mutex_lock(&lock);
	bool unused = --kept->users == 0;

	pthread_mutex_unlock(&lock);
	if (!unused)
		return;
	ms_advise_free(&kept->advise);
	ms_summary_free(&kept->summary);
	ms_run_free(&kept->run);
	ms_free(kept);
}

/* kept: NULL, or a run that is used. */
static void replace(struct ms_serve_kept *kept)
{
	pthread_mutex_lock(&lock);
	struct ms_serve_kept *old = last;

	last = kept;
	if (kept != NULL)
		kept->users++;
	pthread_mutex_unlock(&lock);
	if (old != NULL)
		ms_serve_release_run(old);
}

static struct ms_serve_kept *find(int64_t id, const uint64_t stamp[8])
{
	struct ms_serve_kept *found = NULL;

	pthread_mutex_lock(&lock);
	if (last != NULL && last->id == id &&
	    memcmp(last->stamp, stamp, sizeof(last->stamp)) == 0) {
		found = last;
		found->users++;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

static int load(const struct ms_serve_options *options, struct ms_serve_kept *kept,
		struct ms_err *err)
{
	MS_TRY(options->load(options->arg, kept->id, &kept->run, err));
	int code = ms_summary_make(&kept->summary, &kept->run, NULL, NULL, err);

	if (code == MS_OK)
		ms_advise_make(&kept->advise, &kept->summary);
	else
		ms_run_free(&kept->run);
	return code;
}

int ms_serve_keep_run(const struct ms_serve_options *options, int64_t id,
		      struct ms_serve_kept **kept, struct ms_err *err)
{
	uint64_t stamp[8];
	int code = MS_OK;

	pthread_mutex_lock(&loading);
	read_stamp(options->db, stamp);
	*kept = find(id, stamp);
	if (*kept == NULL) {
		*kept = ms_alloc(sizeof(**kept));
		(*kept)->id = id;
		(*kept)->users = 1;
		memcpy((*kept)->stamp, stamp, sizeof(stamp));
		code = load(options, *kept, err);
		if (code == MS_OK) {
			replace(*kept);
		} else {
			ms_free(*kept);
			*kept = NULL;
		}
	}
	pthread_mutex_unlock(&loading);
	return code;
}

bool ms_serve_keeps_other_run(const struct ms_serve_options *options, int64_t id)
{
	uint64_t stamp[8];

	read_stamp(options->db, stamp);
	pthread_mutex_lock(&lock);
	bool keeps = last != NULL && last->id != id &&
		     memcmp(last->stamp, stamp, sizeof(last->stamp)) == 0;
	pthread_mutex_unlock(&lock);
	return keeps;
}

void ms_serve_forget_run(void)
{
	replace(NULL);
}
