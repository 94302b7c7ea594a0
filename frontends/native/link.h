/* link.h - the dynamic loader's list of objects, because the system's <link.h> needs libc. */
#ifndef MS_NATIVE_LINK_H
#define MS_NATIVE_LINK_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

struct ms_link {
	uint64_t bias;
	const char *name;
	const Elf64_Dyn *dynamic;
	const struct ms_link *next, *before;
};

struct ms_link_debug {
	int version;
	const struct ms_link *first;
};

/* The first object in lookup order; NULL: unknown loader. */
const struct ms_link *ms_link_first(void);
bool ms_link_is_own(const struct ms_link *link);
/* The function of this name that follows ours in the order of look-up, and the file of its object;
 * NULL: none. */
void *ms_link_next(const char *name, const char **object);

#endif
