/*
 * advise/advise.h - findings: what the user can change so that the program waits less, with the
 * figures that show it, the predicted gain in time, and what would prove it wrong.
 *
 * A finding is given only if even the lower bound of its gain is worth the work (LEAST_GAIN in
 * advise.c). A program without a problem has none.
 */
#ifndef MS_ADVISE_ADVISE_H
#define MS_ADVISE_ADVISE_H

#include "analysis/summary/summary.h"
#include "base/arena.h"
#include "base/vec.h"

enum ms_advise_kind {
	MS_ADVISE_LOOP_ORDER,
	MS_ADVISE_BLOCKING,
	MS_ADVISE_FUSION,
	MS_ADVISE_WORKING_SET,
	MS_ADVISE_THREAD_WORKING_SET,
	MS_ADVISE_PADDING,
	MS_ADVISE_SPLIT,
	MS_ADVISE_SOA,
	MS_ADVISE_MEMBER_ORDER,
	MS_ADVISE_LINE_USE,
	MS_ADVISE_POINTER_CHASING,
	MS_ADVISE_GATHER,
	MS_ADVISE_STREAMING_STORES,
	MS_ADVISE_HUGE_PAGES,
	MS_ADVISE_FALSE_SHARING,
	MS_ADVISE_TRUE_SHARING,
	MS_ADVISE_REMOTE_MEMORY,
	MS_ADVISE_ALLOCATION,
	MS_ADVISE_KINDS,
};

enum { MS_ADVISE_MOST = 5, MS_ADVISE_EVIDENCE_MOST = 5 };

/* A figure in words, and the command that shows it. */
struct ms_advise_evidence {
	const char *figure;
	const char *command;
};

struct ms_advise_finding {
	enum ms_advise_kind kind;
	uint32_t data; /* of the run, here and below; MS_NONE: none */
	uint32_t code;
	uint32_t line;
	/* Of the program's time, 0 to 1: predicted, and between which bounds it should be. */
	double gain, gain_low, gain_high;
	bool is_estimate; /* how far misses overlap is not known, but assumed */
	struct ms_advise_evidence evidence[MS_ADVISE_EVIDENCE_MOST];
	size_t n_evidence;
	const char *remedy;    /* a sentence or two */
	const char *snippet;   /* lines of source; NULL: none */
	const char *falsifier; /* what would show that it is wrong */
};

/* Texts are in memory of the arena. */
struct ms_advise {
	const struct ms_summary *summary; /* must outlive it */
	struct ms_arena arena;
	MS_VEC(struct ms_advise_finding) at; /* at most MS_ADVISE_MOST, the largest gain first */
	const char *statement;               /* why there is none; NULL: there are some */
};

void ms_advise_make(struct ms_advise *advise, const struct ms_summary *summary);
void ms_advise_free(struct ms_advise *advise);

/* "pointer-chasing": as JSON and options name it; and as text shows it. */
const char *ms_advise_kind_word(enum ms_advise_kind kind);
const char *ms_advise_kind_title(enum ms_advise_kind kind);

#endif
