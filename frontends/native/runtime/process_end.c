/* process_end.c - the stream ends: the process ends, or memspy leaves it. */
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

void ms_runtime_end_process(struct ms_runtime_thread *t, uint32_t code)
{
	const uint64_t how = MS_WIRE_END_OWN;

	if (!ms_runtime_active)
		return;
	ms_native_hooks.process_ends(t);
	ms_runtime_write_event(t, MS_WIRE_THREAD_END, t->number, &how, 1, NULL, 0);
	ms_runtime_active = 0;
	ms_runtime_set_exit_code(code);
	ms_runtime_finish_stream(t);
}

void ms_runtime_leave_program(struct ms_runtime_thread *t, const char *why)
{
	if (!ms_runtime_active)
		return;
	ms_native_hooks.program_left(t, why);
	ms_runtime_active = 0;
	ms_native_hooks.stream_abandoned();
	ms_runtime_finish_stream(t);
}

/* Called by any thread, with any locks held. */
void ms_runtime_abandon_program(const char *why)
{
	if (!ms_runtime_active)
		return;
	ms_runtime_log_message("memspy: the program ran on untraced to its end: %s", why);
	ms_runtime_active = 0;
	ms_runtime_abandon_stream();
}
