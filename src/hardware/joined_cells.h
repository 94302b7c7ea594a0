/*
 * hardware/joined_cells.h - the cells of a simulated run to which samples belong: samples that a
 * timer took while the program ran natively between the windows of its simulation. For hardware/
 * only.
 */
#ifndef MS_HARDWARE_JOINED_CELLS_H
#define MS_HARDWARE_JOINED_CELLS_H

#include <stdint.h>

#include "base/map.h"
#include "hardware/hardware.h"
#include "name/name.h"

/* Sites and cells that the run has, and those that were added. */
struct ms_hardware_joined {
	struct ms_run *run;
	struct ms_name_state *naming;
	struct ms_map site_of; /* (offset, line and kind), or (line and kind), to sites */
	struct ms_map cell_of; /* (site, data) to cells */
	/* Sites of the simulation to their first cell, if all are of one data structure. */
	struct ms_map only_data_of;
};

void ms_hardware_join_open(struct ms_hardware_joined *joined, struct ms_name_state *naming);
/*
 * The run's cell for samples of this site and of the binder's data; added if there is none. Samples
 * whose address is not known have the data that the site uses in the simulation, if that is one
 * only; then *sureness is MS_SURE_LEARNT.
 */
uint32_t ms_hardware_join_cell(struct ms_hardware_joined *joined,
			       const struct ms_hardware_site *site, uint32_t data,
			       uint32_t *sureness);
/* After the last one: puts the run's samples in the order of cells. */
void ms_hardware_join_close(struct ms_hardware_joined *joined);

#endif
