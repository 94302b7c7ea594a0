/* collect/child_collector.h - collects one child of the program, in a process of its own. */
#ifndef MS_COLLECT_CHILD_COLLECTOR_H
#define MS_COLLECT_CHILD_COLLECTOR_H

#include "collect/collect.h"
#include "launch/follow_children.h"

struct ms_launch_choice;

struct ms_collect_child {
	const struct ms_collect_options *options; /* of the program */
	const struct ms_launch_choice *choice;    /* the front-end, also of children */
};

/* For struct ms_launch_collector; arg: a struct ms_collect_child. Ends the process. */
void ms_collect_child(struct ms_launch_child *child, void *arg);

#endif
