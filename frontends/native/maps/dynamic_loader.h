/* dynamic_loader.h - the dynamic loader's list of objects, because the system's <dynamic_loader.h>
 * needs libc. */
#ifndef MS_NATIVE_MAPS_DYNAMIC_LOADER_H
#define MS_NATIVE_MAPS_DYNAMIC_LOADER_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

struct ms_maps_loaded_object {
	uint64_t bias;
	const char *name;
	const Elf64_Dyn *dynamic;
	const struct ms_maps_loaded_object *next, *before;
};

struct ms_maps_loader_debug {
	int version;
	const struct ms_maps_loaded_object *first;
};

/* The first object in lookup order; NULL: unknown loader. */
const struct ms_maps_loaded_object *ms_maps_get_first_object(void);
bool ms_maps_is_memspy_object(const struct ms_maps_loaded_object *link);
/* Whether it is memspy's object, or a library that it needs and that no other object needs. */
bool ms_maps_is_only_for_memspy(const struct ms_maps_loaded_object *link);
/* The function of this name that follows ours in the order of look-up, and the file of its object;
 * NULL: none. */
void *ms_maps_find_next_function(const char *name, const char **object);
/* The variable of this name that all objects use; NULL: none. */
void *ms_maps_find_variable(const char *name);

#endif
