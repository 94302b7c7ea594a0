/* stream/check/check_priv.h - shared by the files of the checker. */
#ifndef MS_STREAM_CHECK_CHECK_PRIV_H
#define MS_STREAM_CHECK_CHECK_PRIV_H

#include "base/arena.h"
#include "base/map.h"
#include "stream/check/check.h"

/* The limit of the kernel, as in collect/; there are fewer modules than that. */
enum { MS_CHECK_MOST_THREADS = 1 << 22 };

struct ms_check_record {
	size_t word; /* index in its chunk */
	uint32_t arg;
	const uint64_t *words; /* after the head */
	size_t n;
};

struct ms_check_exit {
	uint16_t refs;
	uint16_t instructions;
};

struct ms_check {
	struct ms_check_result result;
	struct ms_arena arena;
	size_t most;
	uint64_t chunk; /* being checked */
	bool stopped;   /* counting is off */
	bool window;    /* a window is open */
	uint32_t windows;
	uint32_t strata; /* number of strata so far, without the first */
	bool lost;       /* something could not be read: numbers may have increased meanwhile */
	/* Descriptions so far. */
	uint32_t blocks;
	uint32_t paths;
	MS_VEC(struct ms_check_exit) exits;
	MS_VEC(bool) modules; /* whether it is loaded */
	MS_VEC(bool) threads; /* whether it runs */
	MS_VEC(bool) waiting; /* by thread; likewise: */
	MS_VEC(uint64_t) clocks;
	struct ms_map heap; /* address to 1: allocated, or 0: not any more */
};

/* chunk and word: as in struct ms_check_problem. */
void ms_check_problem(struct ms_check *check, uint64_t chunk, uint64_t word, const char *fmt, ...)
	MS_PRINTF(4, 5);
#define PROBLEM(c, r, ...) ms_check_problem(c, (c)->chunk, (r)->word, __VA_ARGS__)

/* check.c */
void ms_check_range(struct ms_check *c, const struct ms_check_record *r, const char *what);
static inline size_t ms_check_text_words(uint32_t bytes)
{
	return ((size_t)bytes + 7) / 8;
}

/* threads.c */
void ms_check_thread(struct ms_check *c, const struct ms_check_record *r);
void ms_check_runs(struct ms_check *c, const struct ms_check_record *r);
void ms_check_switch(struct ms_check *c, const struct ms_check_record *r);
void ms_check_thread_end(struct ms_check *c, const struct ms_check_record *r);
void ms_check_clock(struct ms_check *c, const struct ms_check_record *r);
void ms_check_thread_at(struct ms_check *c, const struct ms_check_record *r);
void ms_check_spin(struct ms_check *c, const struct ms_check_record *r);
void ms_check_wait(struct ms_check *c, const struct ms_check_record *r);
void ms_check_wake(struct ms_check *c, const struct ms_check_record *r);
void ms_check_affinity(struct ms_check *c, const struct ms_check_record *r);
void ms_check_policy(struct ms_check *c, const struct ms_check_record *r);
void ms_check_sample(struct ms_check *c, const struct ms_check_record *r);

#endif
