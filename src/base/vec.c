#include "base/vec.h"

#include <string.h>

/* Doubling is for small arrays: at the peak, a large one would leave half of its memory unused. */
enum { LARGE_BYTES = 1024 * 1024 };

static size_t next_capacity(size_t cap, size_t size)
{
	if (cap == 0)
		return 8;
	return cap * size < LARGE_BYTES ? cap * 2 : cap + cap / 4;
}

void ms_vec_reserve_(void **at, size_t n, size_t *cap, size_t more, size_t size)
{
	if (*cap - n >= more)
		return;

	size_t wanted = next_capacity(*cap, size);
	if (wanted - n < more && n == 0)
		wanted = more;
	while (wanted - n < more)
		wanted = next_capacity(wanted, size);
	if (*cap == 0) {
		*at = ms_alloc(wanted * size); /* untouched pages are already zero */
	} else {
		*at = ms_realloc(*at, wanted * size);
		memset((char *)*at + *cap * size, 0, (wanted - *cap) * size);
	}
	*cap = wanted;
}
