/* launch/aarch64/remote_call.c - registers of another process's thread. */
#include "launch/remote_call.h"

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "base/compiler.h"

#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif
#ifndef NT_ARM_SVE
#define NT_ARM_SVE 0x405
#endif

static struct user_regs_struct *regs_of(struct ms_launch_remote *remote)
{
	return (struct user_regs_struct *)remote->regs;
}

static bool get(pid_t tid, struct user_regs_struct *regs)
{
	struct iovec part = { regs, sizeof(*regs) };

	return ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &part) == 0;
}

static bool set(pid_t tid, struct user_regs_struct *regs)
{
	struct iovec part = { regs, sizeof(*regs) };

	return ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &part) == 0;
}

/* The number of the thread's system call is stored after the registers. */
static int *call_of(struct ms_launch_remote *remote)
{
	return (int *)(remote->regs + sizeof(struct user_regs_struct));
}

/* After it: the kind of vector registers. */
static int *kind_of(struct ms_launch_remote *remote)
{
	return call_of(remote) + 1;
}

/* All of their length, where the processor has such. */
static bool get_vectors(struct ms_launch_remote *remote)
{
	static const int kinds[] = { NT_ARM_SVE, NT_FPREGSET };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct iovec part = { remote->vectors, sizeof(remote->vectors) };

		if (ptrace(PTRACE_GETREGSET, remote->tid, kinds[i], &part) == 0) {
			*kind_of(remote) = kinds[i];
			remote->vector_bytes = part.iov_len;
			return true;
		}
	}
	return false;
}

static bool set_call(pid_t tid, int call)
{
	struct iovec part = { &call, sizeof(call) };

	return ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &part) == 0;
}

int ms_launch_remote_save(struct ms_launch_remote *remote, pid_t tid, struct ms_err *err)
{
	struct iovec call = { call_of(remote), sizeof(int) };

	remote->tid = tid;
	if (!get(tid, regs_of(remote)) || !get_vectors(remote) ||
	    ptrace(PTRACE_GETREGSET, tid, NT_ARM_SYSTEM_CALL, &call) != 0)
		return ms_fail_errno(err, "cannot read the registers of thread %d", (int)tid);
	return MS_OK;
}

/* The kernel has it at the instruction again, which will make the call anew, and does not say any
 * more that it was in it. */
static bool makes_call(const struct ms_launch_remote *remote, uint64_t pc)
{
	static const uint32_t svc = 0xd4000001;
	uint32_t at = 0;
	struct iovec local = { &at, sizeof(at) }, there = { (void *)pc, sizeof(at) };

	return process_vm_readv(remote->tid, &local, 1, &there, 1, 0) == sizeof(at) && at == svc;
}

void ms_launch_remote_where(const struct ms_launch_remote *remote, uint64_t *pc, long *call)
{
	enum { NUMBER = 8 };
	const struct user_regs_struct *regs = (const struct user_regs_struct *)remote->regs;

	*pc = regs->pc;
	*call = *call_of((struct ms_launch_remote *)remote);
	if (*call < 0 && makes_call(remote, *pc))
		*call = (long)regs->regs[NUMBER];
}

/* A thread in a system call is not to begin that again inside the function. */
int ms_launch_remote_call(struct ms_launch_remote *remote, uint64_t function, const char *text,
			  uint64_t second, uint64_t *result,
			  struct ms_launch_remote_meanwhile *meanwhile, struct ms_err *err)
{
	enum { LINK = 30 };
	struct user_regs_struct regs = *regs_of(remote), now;
	size_t n = strlen(text) + 1;
	uint64_t at = (regs.sp - n) & ~UINT64_C(15);
	struct iovec local = { (void *)text, n }, there = { (void *)at, n };

	if (process_vm_writev(remote->tid, &local, 1, &there, 1, 0) != (ssize_t)n)
		return ms_fail_errno(err, "cannot write to the stack of thread %d",
				     (int)remote->tid);
	regs.sp = at;
	regs.pc = function;
	regs.regs[0] = at;
	regs.regs[1] = second;
	regs.regs[LINK] = 0;
	if (!set(remote->tid, &regs) || !set_call(remote->tid, -1))
		return ms_fail_errno(err, "cannot set the registers of thread %d",
				     (int)remote->tid);
	MS_TRY(ms_launch_remote_run(remote->tid, meanwhile, err));
	if (!get(remote->tid, &now))
		return ms_fail_errno(err, "cannot read the registers of thread %d",
				     (int)remote->tid);
	if (now.pc != 0)
		return ms_fail(err, MS_EIO,
			       "thread %d has not come back from a function of memspy's",
			       (int)remote->tid);
	*result = now.regs[0];
	return MS_OK;
}

int ms_launch_remote_restore(struct ms_launch_remote *remote, struct ms_err *err)
{
	struct iovec vectors = { remote->vectors, remote->vector_bytes };

	if (ptrace(PTRACE_SETREGSET, remote->tid, *kind_of(remote), &vectors) != 0 ||
	    !set(remote->tid, regs_of(remote)) || !set_call(remote->tid, *call_of(remote)))
		return ms_fail_errno(err, "cannot give thread %d its registers back",
				     (int)remote->tid);
	return MS_OK;
}
