/*
 * base/near.h - "did you mean": the candidate that a mistyped word most likely stands for.
 *
 *    struct ms_near near = { .word = "reprot" };
 *    for each command
 *            ms_near_try(&near, name);
 *    if (near.best != NULL)
 *            say("did you mean '%s'?", near.best);
 */
#ifndef MS_BASE_NEAR_H
#define MS_BASE_NEAR_H

#include <stddef.h>

struct ms_near {
	const char *word;
	const char *best; /* NULL while no candidate is near enough */
	size_t distance;  /* of best */
};

void ms_near_try(struct ms_near *near, const char *candidate);

#endif
