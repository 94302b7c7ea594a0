/*
 * engine/spatial/reuse_distance.h - how many other lines were used since a line was used last.
 *
 * Each line has the time of its latest use. A binary indexed tree counts the lines whose latest use
 * is not before a time. Times are renumbered when they reach the size of the tree.
 */
#ifndef MS_ENGINE_SPATIAL_REUSE_DISTANCE_H
#define MS_ENGINE_SPATIAL_REUSE_DISTANCE_H

#include <stddef.h>
#include <stdint.h>

struct ms_spatial_reuse {
	uint32_t *tree; /* by time, from 1 on */
	uint32_t size;  /* times that it has room for; a power of two, or 0 */
	uint32_t now;   /* the latest time that was given */
	uint32_t lines; /* that have a time */
};

void ms_spatial_close_reuse(struct ms_spatial_reuse *reuse);
/* Whether times must be renumbered before the next line is used. */
static inline int ms_spatial_is_reuse_full(const struct ms_spatial_reuse *reuse)
{
	return reuse->now == reuse->size;
}
/* Lines used since this time. */
uint32_t ms_spatial_count_used_since(const struct ms_spatial_reuse *reuse, uint32_t time);
/* The line of this time (0: it had none) is used now: returns its new time. */
uint32_t ms_spatial_use_again(struct ms_spatial_reuse *reuse, uint32_t time);
/*
 * Gives n lines the times 1 to n, in the order in which they were used; the caller sets them. The
 * tree gets room for twice as many and for at least `room`.
 */
void ms_spatial_renumber_uses(struct ms_spatial_reuse *reuse, uint32_t n, uint32_t room);

#endif
