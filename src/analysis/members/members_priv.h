/* analysis/members/members_priv.h - what members.c, affinity.c and used_members.c share. */
#ifndef MS_ANALYSIS_MEMBERS_MEMBERS_PRIV_H
#define MS_ANALYSIS_MEMBERS_MEMBERS_PRIV_H

#include "analysis/members/members.h"

/* What all references of a cell cost. */
struct ms_members_cost {
	double first_misses;
	double last_misses;
	double stall; /* cycles */
};

/* members.c */
struct ms_members_cost ms_members_find_cost(const struct ms_summary *summary, uint32_t cell);
/* Adds to the references of each row those by the cells with a flag ... */
void ms_members_count_in_cells(const struct ms_members *members, const bool *is_chosen,
			       double *references);
/* ... or those by one function (of the run). */
void ms_members_count_in_code(const struct ms_members *members, uint32_t code, double *references);
/* affinity.c: which members are used together; the accesses of all rows must be known. */
void ms_members_add_pairs(struct ms_members *members, const struct ms_summary *summary);

#endif
