/*
 * run/members.h - members of the elements of data structures, and their use; part of run/run.h.
 *
 * An element is one object of the data's type; offsets are from its first byte. Data without a
 * known type has ranges of bytes as members, named after their offset: "+16". If objects have a
 * header before their elements, its members have its size instead of that of an element, and
 * offsets of the others are after it: all are those in an object with one element.
 */
#ifndef MS_RUN_MEMBERS_H
#define MS_RUN_MEMBERS_H

#include <stdint.h>

/* A member, of members that are structures themselves: their members. */
struct ms_run_member {
	uint32_t data;
	uint32_t offset;
	uint32_t size;
	uint32_t element; /* size of the element */
	const char *name; /* "position.x" */
	const char *type; /* "double" */
};

/*
 * The part of a cell's references that access so many bytes at this offset of an element; an
 * estimate from observed accesses. Misses and stall of the cell have the same parts.
 */
struct ms_run_member_access {
	uint32_t cell;
	uint32_t offset;
	uint32_t size;
	double references;
};

/* The part of that which is by one thread. Runs with one simulated processor have none. */
struct ms_run_member_thread {
	uint32_t cell;
	uint32_t offset;
	uint32_t size;
	uint32_t thread; /* index into threads */
	double references;
};

/*
 * Stays of lines in the first level in which both members were used; with itself: in which it was
 * used. By the cell whose reference fetched the line. Offsets are those of members.
 */
struct ms_run_member_pair {
	uint32_t cell;
	uint32_t offset;
	uint32_t other; /* at least offset */
	double lines;
};

#endif
