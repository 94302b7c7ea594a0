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

struct ms_members_row {
	uint32_t offset;
	uint32_t size;
	const char *name; /* NULL: bytes that belong to no member: padding */
	const char *type;
	double reads;
	double writes;
	double first_misses; /* of the first level ... */
	double last_misses;  /* ... and of the last one */
	double stall;        /* cycles */
	double lines;        /* stays of lines in the first level in which it was used ... */
	/* ... and the other member that was most often used in the same ones; MS_NONE: none. */
	uint32_t partner; /* index into rows */
	double together;  /* share of its stays */
};

struct ms_members {
	const struct ms_run *run;
	uint32_t data;
	uint32_t element;                   /* size */
	MS_VEC(struct ms_members_row) rows; /* by offset; none: members are not known */
	double stall;                       /* of all rows */
};

void ms_members_make(struct ms_members *members, const struct ms_summary *summary, uint32_t data);
void ms_members_free(struct ms_members *members);
/* Whether the run has members of this data. */
bool ms_members_are_known(const struct ms_run *run, uint32_t data);

/* The data of which `name` is the type, or the name as in select.h: a flag for each of the run. */
int ms_members_select(const struct ms_summary *summary, const char *name, bool *chosen,
		      struct ms_err *err);

#endif
