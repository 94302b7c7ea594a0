/*
 * calls.c - system calls of traced code. They run natively, from C, with the program's registers
 * and on its stack; the runtime is told before and after.
 *
 * Some change the ground that the tracer stands on: signals (signals.c), code that goes, threads. A
 * new thread starts natively; a forked child goes on in the window that its parent was in.
 */
#include "asm.h"

enum { CLONE_VM_FLAG = 0x100, MAP_FIXED_FLAG = 0x10 };
enum { SITES = 32, SITE_WORDS = 10 };

/* --- threads --- */

static struct site {
	uint64_t pc;
	uint32_t *code;
} sites[SITES];

/*
 * Child and parent come out of the call with the same registers and, when they share memory, the
 * same x18: only the code that they run can tell the child where it belongs. It needs a register to
 * get there; x17 where none is dead, as calls between modules destroy that too.
 */
static uint32_t *write_site(uint64_t pc)
{
	uint32_t *from = ms_cache_at, *parent;
	uint32_t dead = MS_ALL_REGS & ~(ms_live_at(pc + 4) | ms_reg_bit(MS_OURS) | 1);
	uint32_t reg = dead != 0 ? (uint32_t)__builtin_ctz(dead) : 17;

	put(0xd4000001); /* svc #0 */
	parent = ms_cache_at;
	put(0xb5000000); /* cbnz x0 */
	put(0x58000000 | 6 << 5 | reg);
	put_load(MS_OURS, MS_OURS, MS_AT_REGS + 8 * MS_OURS);
	put_jump_register(reg);
	aim_here(parent);
	put_load(16, MS_OURS, MS_AT_GLUE + 8 * MS_GLUE_CLONED);
	put_jump_register(16);
	put(0);
	*(uint64_t *)ms_cache_at = pc + 4;
	ms_cache_at += 2;
	ms_cache_sync(from, ms_cache_at);
	return from;
}

static uint32_t *site_of(uint64_t pc)
{
	uint32_t *code = NULL;

	ms_lock(&ms_tracer_lock);
	for (uint32_t i = 0; i < SITES && code == NULL; i++) {
		if (sites[i].code == NULL && ms_cache_has_room()) {
			if ((uint64_t)ms_cache_at % 8 != 0)
				put(0);
			sites[i] = (struct site){ pc, write_site(pc) };
		}
		if (sites[i].pc == pc)
			code = sites[i].code;
	}
	ms_unlock(&ms_tracer_lock);
	return code;
}

bool ms_calls_is_site(uint64_t pc, bool *done)
{
	for (uint32_t i = 0; i < SITES && sites[i].code != NULL; i++)
		if (pc - (uint64_t)sites[i].code < SITE_WORDS * 4) {
			*done = pc != (uint64_t)sites[i].code;
			return true;
		}
	return false;
}

static bool forks(uint64_t number)
{
	return number == __NR_clone || number == __NR_clone3;
}

static bool shares_memory(uint64_t number, const uint64_t *args)
{
	uint64_t flags = number == __NR_clone3 ? *(const uint64_t *)args[0] : args[0];

	return flags & CLONE_VM_FLAG;
}

/* --- code that goes --- */

static bool changes_code(uint64_t number, const uint64_t *args)
{
	return number == __NR_munmap || number == __NR_mprotect || number == __NR_mremap ||
	       (number == __NR_mmap && (args[3] & MAP_FIXED_FLAG) != 0);
}

/* --- one call --- */

static int run(struct ms_thread *t, uint64_t number, const uint64_t *args)
{
	struct ms_window *w = ms_window_of(t);

	if (forks(number) && shares_memory(number, args)) {
		w->site = (uint64_t)site_of(w->pc);
		if (w->site != 0)
			return ms_clone_program(t);
	}
	return ms_call_program(t);
}

static struct ms_frame frame_of(const struct ms_window *w)
{
	struct ms_frame frame = { .pc = w->pc, .sp = w->regs[SP], .link = w->regs[30] };

	ms_copy(frame.kept, &w->regs[19], sizeof(frame.kept));
	return frame;
}

void ms_calls_done(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_frame frame;

	w->pc += 4;
	frame = frame_of(w);
	ms_call_after(t, w->call, w->call_args, (int64_t)w->regs[0], &frame);
}

static void after_fork(struct ms_thread *t)
{
	ms_tracer_forked(t);
	ms_runtime_forked(t);
}

void ms_calls_run(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	const uint64_t *args = w->call_args;
	struct ms_frame frame;

	ms_copy(w->call_args, w->regs, sizeof(w->call_args));
	w->call = w->regs[8];
	w->calls++;
	if (w->call == __NR_rt_sigreturn)
		ms_signals_return(t);
	if (changes_code(w->call, args) && ms_cache_may_hold(args[0], args[1]))
		ms_tracer_forget(args[0], args[1]);
	if (w->call == __NR_rt_sigaction) {
		w->regs[0] = (uint64_t)ms_signals_action(args);
		ms_calls_done(t);
		return;
	}
	frame = frame_of(w);
	ms_call_before(t, w->call, args, &frame);
	if (run(t, w->call, args) != 0)
		return; /* a signal comes first */
	if (forks(w->call) && w->regs[0] == 0)
		after_fork(t);
	ms_calls_done(t);
}
