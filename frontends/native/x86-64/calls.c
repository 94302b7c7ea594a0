/*
 * calls.c - system calls of traced code. They run natively, from C, with the program's registers
 * and on its stack; the runtime is told before and after.
 *
 * Some change the ground that the tracer stands on: signals (signals.c), code that goes, threads. A
 * new thread starts natively; a forked child goes on in the window that its parent was in.
 */
#include "asm.h"

enum { CLONE_VM_FLAG = 0x100, MAP_FIXED_FLAG = 0x10 };
enum { SITES = 32, SITE_BYTES = 64 };

/* --- threads --- */

static struct site {
	uint64_t pc;
	uint8_t *code;
} sites[SITES];

/*
 * Child and parent come out of the call with the same registers and, when they share memory, the
 * same %gs: only the code that they run can tell the child where it belongs.
 */
static uint8_t *write_site(uint64_t pc)
{
	uint8_t *code = ms_cache_at, *parent;

	put8(0x0f), put8(0x05);             /* syscall */
	put8(0x48), put8(0x85), put8(0xc0); /* test rax, rax */
	parent = put_branch(5);
	put_constant(RCX, pc + 2);
	put8(0xff), put8(0xe1); /* jmp rcx */
	aim_here(parent);
	put_gs_jump(MS_AT_GLUE + 8 * MS_GLUE_CLONED);
	return code;
}

static uint8_t *site_of(uint64_t pc)
{
	uint8_t *code = NULL;

	ms_lock(&ms_tracer_lock);
	for (uint32_t i = 0; i < SITES && code == NULL; i++) {
		if (sites[i].code == NULL && ms_cache_has_room())
			sites[i] = (struct site){ pc, write_site(pc) };
		if (sites[i].pc == pc)
			code = sites[i].code;
	}
	ms_unlock(&ms_tracer_lock);
	return code;
}

bool ms_calls_is_site(uint64_t pc, bool *done)
{
	for (uint32_t i = 0; i < SITES && sites[i].code != NULL; i++)
		if (pc - (uint64_t)sites[i].code < SITE_BYTES) {
			*done = pc != (uint64_t)sites[i].code;
			return true;
		}
	return false;
}

static bool shares_memory(uint64_t number, const uint64_t *args)
{
	if (number == __NR_vfork)
		return true;
	if (number == __NR_clone)
		return args[0] & CLONE_VM_FLAG;
	return number == __NR_clone3 && ms_signals_can_read(args[0]) &&
	       *(const uint64_t *)args[0] & CLONE_VM_FLAG;
}

static bool forks(uint64_t number)
{
	return number == __NR_fork || number == __NR_vfork || number == __NR_clone ||
	       number == __NR_clone3;
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
			return ms_clone_program();
	}
	return ms_call_program();
}

static struct ms_frame frame_of(const struct ms_window *w)
{
	const uint64_t *r = w->regs;

	return (struct ms_frame){
		{ r[RBX], r[RBP], r[R12], r[R13], r[R14], r[R15] }, w->pc, r[RSP], 0
	};
}

void ms_calls_done(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);

	struct ms_frame frame;

	w->pc += 2;
	frame = frame_of(w);
	ms_call_after(t, w->call, w->call_args, (int64_t)w->regs[RAX], &frame);
	w->regs[RCX] = w->pc;
	w->regs[R11] = w->flags;
}

static void after_fork(struct ms_thread *t)
{
	ms_tracer_forked(t);
	ms_runtime_forked(t);
}

static void copy_args(struct ms_window *w)
{
	static const uint8_t from[] = { RDI, RSI, RDX, R10, R8, R9 };

	for (uint32_t i = 0; i < 6; i++)
		w->call_args[i] = w->regs[from[i]];
	w->call = w->regs[RAX];
}

void ms_calls_run(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	const uint64_t *args = w->call_args;
	struct ms_frame frame;

	copy_args(w);
	w->calls++;
	if (w->call == __NR_rt_sigreturn)
		ms_signals_return(t);
	if (changes_code(w->call, args) && ms_cache_may_hold(args[0], args[1]))
		ms_tracer_forget(args[0], args[1]);
	if (w->call == __NR_rt_sigaction) {
		w->regs[RAX] = (uint64_t)ms_signals_action(args);
		ms_calls_done(t);
		return;
	}
	if (w->call == __NR_sigaltstack) {
		w->regs[RAX] = (uint64_t)ms_other_call(w, args);
		ms_calls_done(t);
		return;
	}
	frame = frame_of(w);
	ms_call_before(t, w->call, args, &frame);
	if (run(t, w->call, args) != 0)
		return; /* a signal comes first */
	if (forks(w->call) && w->regs[RAX] == 0)
		after_fork(t);
	ms_calls_done(t);
}
