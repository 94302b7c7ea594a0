#include "base/vec.h"

#include <string.h>

void ms_vec_reserve_(void **at, size_t n, size_t *cap, size_t more, size_t size)
{
	if (*cap - n >= more)
		return;

	size_t wanted = *cap ? *cap * 2 : 8;
	while (wanted - n < more)
		wanted *= 2;
	if (*cap == 0) {
		*at = ms_alloc(wanted * size); /* pages that nobody has touched are zeros already */
	} else {
		*at = ms_realloc(*at, wanted * size);
		memset((char *)*at + *cap * size, 0, (wanted - *cap) * size);
	}
	*cap = wanted;
}
