/*
 * serve/live.h - programs that are being profiled now: `memspy run` and `memspy sample` keep a
 * small file next to their database while the program runs, and a server of that database reads it.
 *
 * The file is text, one line per fact, and is replaced as a whole. Readers validate it: the process
 * that it names must exist, and numbers must be numbers.
 *
 * The server may request a snapshot by creating a file. The profiling process removes this file,
 * and writes a run database with the one run in its current state.
 */
#ifndef MS_SERVE_LIVE_H
#define MS_SERVE_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/vec.h"

/* The maximum number of moments; then every second one is dropped and their distance doubles. */
enum { MS_LIVE_MOMENTS = 64 };

struct ms_serve_live_moment {
	double seconds;
	uint64_t references; /* of a sampled program: samples */
	uint64_t misses;     /* of the first level; both since the start */
};

struct ms_serve_live {
	char *path;         /* NULL: nothing is reported */
	char *about;        /* the lines that do not change */
	long pid;           /* followed children of the program report nothing */
	double reported_at; /* when it last reported, in seconds of the run; below 0: never */
	double apart;
	struct ms_serve_live_moment moments[MS_LIVE_MOMENTS];
	uint32_t n;
};

/*
 * For the profiling process. If the file cannot be written, nothing is reported, because the file
 * is optional.
 */
void ms_serve_live_open(struct ms_serve_live *live, const char *db, char *const *argv,
			const char *machine, bool sampled);
void ms_serve_live_report(struct ms_serve_live *live, const struct ms_serve_live_moment *now,
			  bool ended);
/* Whether a snapshot was requested since the last call. */
bool ms_serve_live_is_requested(const struct ms_serve_live *live);
/* The path for the snapshot, for ms_free(); publish it when it is complete. */
char *ms_serve_live_draft(const struct ms_serve_live *live);
void ms_serve_live_publish(const struct ms_serve_live *live);
void ms_serve_live_close(struct ms_serve_live *live);

/* For the server: a JSON array of all programs that are running with this database. */
void ms_serve_live_json(const char *db, FILE *out);
/* Requests a snapshot from this process; *run: the file of the last one, for ms_free(), or NULL. */
int ms_serve_live_request(const char *db, int64_t pid, char **run, struct ms_err *err);

#endif
