/*
 * serve/live.h - programs that are being profiled now: `memspy run` and `memspy sample` keep a
 * small file beside their database while the program runs, and whoever serves that database reads
 * it.
 *
 * The file is text, a line a fact, and replaced whole. It is believed only as far as it is what it
 * should be: the process that it names must be there, and numbers must be numbers.
 *
 * Who serves may ask for a snapshot, by a file that is there; who profiles takes that away, and
 * leaves a run database with the one run as it is by then.
 */
#ifndef MS_SERVE_LIVE_H
#define MS_SERVE_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/vec.h"

/* So many moments are kept; then every second one is left out and they lie twice as far apart. */
enum { MS_LIVE_MOMENTS = 64 };

struct ms_live_moment {
	double seconds;
	uint64_t references; /* of a program that is sampled: samples */
	uint64_t misses;     /* of the first level; both from the start on */
};

struct ms_live {
	char *path;  /* NULL: nothing is told */
	char *about; /* the lines that stay the same */
	long pid;    /* children of the program that are followed tell nothing */
	double told; /* when, in seconds of the run; below 0: never */
	double apart;
	struct ms_live_moment moments[MS_LIVE_MOMENTS];
	uint32_t n;
};

/* For who profiles. Where the file cannot be written nothing is told: it is only a convenience. */
void ms_live_open(struct ms_live *live, const char *db, char *const *argv, const char *machine,
		  bool sampled);
void ms_live_tell(struct ms_live *live, const struct ms_live_moment *now, bool ended);
/* Whether somebody has asked for a snapshot since this was last asked. */
bool ms_live_is_asked(const struct ms_live *live);
/* Where to write it, for ms_free(); when it is whole it is published. */
char *ms_live_draft(const struct ms_live *live);
void ms_live_publish(const struct ms_live *live);
void ms_live_close(struct ms_live *live);

/* For who serves: an array of all that are running on this database. */
void ms_live_json(const char *db, FILE *out);
/* Asks that one for a snapshot; *run: the file of the last one, for ms_free(), or NULL. */
int ms_live_ask(const char *db, int64_t pid, char **run, struct ms_err *err);

#endif
