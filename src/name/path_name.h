/* name/path_name.h - the name of the memory that a call path allocates. */
#ifndef MS_NAME_PATH_NAME_H
#define MS_NAME_PATH_NAME_H

#include "bins/binder.h"
#include "bins/naming.h"

void ms_name_path(struct ms_bins *binder, uint32_t node, struct ms_bins_data_name *name);

#endif
