/* views/fullname.c - which data have their full names shown. */
#include "views/shared.h"

/* In the order of the summary: what waits the most first. */
uint32_t ms_views_fullname_next(const struct ms_summary *s, const bool *chosen, size_t *at)
{
	while (*at < s->data.at.n) {
		uint32_t data = s->data.at.at[(*at)++].data;

		if (chosen[data])
			return data;
	}
	return MS_NONE;
}
