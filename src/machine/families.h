/*
 * machine/families.h - processor families whose figures are known: for a host that was not
 * calibrated, the core and latencies of the preset of its family are used.
 */
#ifndef MS_MACHINE_FAMILIES_H
#define MS_MACHINE_FAMILIES_H

#include <stdbool.h>

#include "machine/machine.h"

/* What /proc/cpuinfo says about the first processor. */
struct ms_machine_cpu_id {
	char vendor[32];  /* "GenuineIntel", or the implementer: "0x41" */
	uint32_t family;  /* or the part number */
	uint32_t model;   /* or 0 */
	char flags[4096]; /* " fpu vme ... ", each between spaces */
};

/* path is "/proc/cpuinfo" except in tests; false: it is not described there. */
bool ms_machine_read_cpu_id(const char *path, struct ms_machine_cpu_id *id);
/* The name of the preset of the family; NULL: it is not known. */
const char *ms_machine_family_of(const struct ms_machine_cpu_id *id);
/*
 * The latest known family of the vendor that has the features of this processor; NULL: none has.
 * For models that are not known: newer ones, and those that a hypervisor makes up.
 */
const char *ms_machine_family_by_features(const struct ms_machine_cpu_id *id);
/*
 * Gives the host the out-of-order core of its family and its latencies, from the preset in
 * preset_dir; assumed figures if the family is not known or has no preset there. Geometry, pages
 * and figures with an origin stay.
 */
void ms_machine_apply_family(struct ms_machine *machine, const char *cpuinfo,
			     const char *preset_dir);

#endif
