/*
 * analysis/members/members.h - the members of the elements of a data structure: references, misses
 * and stall of each, and which of them are used together.
 *
 * What a (site, data) costs is known; where in the element it accesses, is estimated from observed
 * accesses. An access to several members counts as a reference of each; its misses and its stall
 * are divided equally.
 */
#ifndef MS_ANALYSIS_MEMBERS_MEMBERS_H
#define MS_ANALYSIS_MEMBERS_MEMBERS_H

#include "analysis/summary/summary.h"
#include "base/arena.h"
#include "base/text.h"

struct ms_members_row {
	uint32_t offset; /* in an object with one element: after its header */
	uint32_t size;
	const char *name; /* NULL: bytes that belong to no member: padding */
	const char *type;
	double reads;
	double writes;
	double first_misses; /* of the first level ... */
	double last_misses;  /* ... and of the last one */
	double bytes;        /* that references accessed */
	double stall;        /* cycles */
	/* Stays of lines in the first level in which it was used, by the stall of the misses that
	 * fetched them; without stall, their number ... */
	double stays;
	/* ... and the other member that was most often used in the same ones; MS_NONE: none. */
	uint32_t partner; /* index into rows */
	double together;  /* share of its stays */
	/* By thread of the run; NULL: threads are not known. */
	double *thread_reads;
	double *thread_writes;
	/* Misses on a line that another processor had written, by its references (memspy sharing).
	 */
	uint64_t truly;
	uint64_t falsely;
	/* Members that are mostly used in the same stays have the same number, from 1 on; 0: with
	 * no other one. */
	uint32_t group;
	bool hidden; /* ms_members_limit() */
};

/* Two members that are used in the same stays. */
struct ms_members_pair {
	uint32_t a; /* index into rows */
	uint32_t b;
	double stays;
	double share; /* of the stays in which any of both is used */
};

struct ms_members {
	const struct ms_run *run;
	uint32_t data;
	uint32_t element;                   /* size */
	uint32_t header;                    /* bytes before the first one; their rows come first */
	MS_VEC(struct ms_members_row) rows; /* by offset; none: members are not known */
	MS_VEC(struct ms_members_pair) pairs;
	size_t hidden; /* rows */
	double stall;  /* of all rows */
	struct ms_arena arena;
};

/* Threads that read or write a member, as "0, 3-5"; "": none. In the arena. */
const char *ms_members_list_threads(const struct ms_members *members, const double *references,
				    struct ms_arena *arena);

void ms_members_make(struct ms_members *members, const struct ms_summary *summary, uint32_t data);
/* Hides all rows but the `top` with the most stall, then references; 0: hides none. */
void ms_members_limit(struct ms_members *members, size_t top);
void ms_members_free(struct ms_members *members);
/*
 * Sets a flag for each row that is used by the loop of a line (of the run), that is by its
 * references that wait for most of the stall, or in the stays of lines that these fetch
 * (used_members.c).
 */
void ms_members_find_used(const struct ms_members *members, const struct ms_summary *summary,
			  uint32_t line, bool *used);
/*
 * Whether the chosen rows are used in the same stays of lines that one function fetches: of each of
 * them and the most used one, half of the stays or more. Without observed stays they are.
 */
bool ms_members_are_used_together(const struct ms_members *members, uint32_t code,
				  const bool *chosen);
/* Whether the run has members of this data. */
bool ms_members_are_known(const struct ms_run *run, uint32_t data);
/* Whether accesses to lines of this data were observed; without them no members are known. */
bool ms_members_are_observed(const struct ms_run *run, uint32_t data);

/*
 * The data of which `name` is the type, or else the name, both as in select.h: sets a flag for each
 * of the run.
 */
int ms_members_select(const struct ms_summary *summary, const char *name, bool *chosen,
		      struct ms_text *remarks, struct ms_err *err);

#endif
