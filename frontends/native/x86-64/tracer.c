/* x86-64/tracer.c - nothing is traced yet: the runtime tells what the program allocates and maps.
 */
#include "runtime.h"

bool ms_tracer_start(void)
{
	return false;
}

void ms_tracer_thread(struct ms_thread *t)
{
	(void)t;
}

void ms_tracer_enter(struct ms_thread *t)
{
	(void)t;
}
