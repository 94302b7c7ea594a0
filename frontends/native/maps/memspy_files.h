/* memspy_files.h - the files that are mapped for memspy only: its object, and libraries of it. */
#ifndef MS_NATIVE_MAPS_MEMSPY_FILES_H
#define MS_NATIVE_MAPS_MEMSPY_FILES_H

#include "maps/proc_maps.h"

/* Must be called before the other function, which compares with the files that this one finds. */
void ms_maps_find_memspy_files(const struct ms_maps_proc_maps *text);
bool ms_maps_is_memspy_file(const struct ms_maps_proc_maps_line *line);

#endif
