/* collect/trace_file.h - keeps the stream in a file while it is simulated. */
#ifndef MS_COLLECT_TRACE_FILE_H
#define MS_COLLECT_TRACE_FILE_H

#include <pthread.h>
#include <stdbool.h>

#include "base/err.h"
#include "run/run.h"
#include "stream/trace/trace.h"

struct ms_collect_state;

struct ms_collect_trace {
	struct ms_trace_writer *writer; /* NULL: the stream is not kept */
	pthread_t thread;
	bool started; /* the thread exists */
	struct ms_err failure;
};

/* Writes the stream to a file from here on; path NULL: does nothing. */
int ms_collect_start_trace(struct ms_collect_state *collector, const char *frontend,
			   const char *path, uint64_t limit, const char *const *argv,
			   struct ms_err *err);
/* A trace that cannot be written is lost; the run is kept. */
void ms_collect_finish_trace(struct ms_collect_state *collector, struct ms_run *run);
/* The thread that writes. It is a reader of the ring, also where the file could not be created. */
int ms_collect_write_trace(struct ms_collect_state *collector, struct ms_err *err);
void ms_collect_join_trace(struct ms_collect_state *collector);

#endif
