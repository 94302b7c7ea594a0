/* launch/x86-64/remote_call.c - registers of another process's thread. */
#include "launch/remote_call.h"

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "base/compiler.h"

static struct user_regs_struct *regs_of(struct ms_launch_remote *remote)
{
	return (struct user_regs_struct *)remote->regs;
}

int ms_launch_remote_save(struct ms_launch_remote *remote, pid_t tid, struct ms_err *err)
{
	struct iovec vectors = { remote->vectors, sizeof(remote->vectors) };

	remote->tid = tid;
	if (ptrace(PTRACE_GETREGS, tid, NULL, regs_of(remote)) != 0 ||
	    ptrace(PTRACE_GETREGSET, tid, NT_X86_XSTATE, &vectors) != 0)
		return ms_fail_errno(err, "cannot read the registers of thread %d", (int)tid);
	remote->vector_bytes = vectors.iov_len;
	return MS_OK;
}

void ms_launch_remote_where(const struct ms_launch_remote *remote, uint64_t *pc, long *call)
{
	const struct user_regs_struct *regs = (const struct user_regs_struct *)remote->regs;

	*pc = regs->rip;
	*call = (long)regs->orig_rax;
}

/* A thread in a system call is not to begin that again inside the function. */
int ms_launch_remote_call(struct ms_launch_remote *remote, uint64_t function, const char *text,
			  uint64_t second, uint64_t *result,
			  struct ms_launch_remote_meanwhile *meanwhile, struct ms_err *err)
{
	enum { RED_ZONE = 128 };
	struct user_regs_struct regs = *regs_of(remote), now;
	size_t n = strlen(text) + 1;
	uint64_t at = (regs.rsp - RED_ZONE - n) & ~UINT64_C(15), back[1] = { 0 };
	struct iovec local[2] = { { back, sizeof(back) }, { (void *)text, n } };
	struct iovec there[2] = { { (void *)(at - 8), sizeof(back) }, { (void *)at, n } };

	if (process_vm_writev(remote->tid, local, 2, there, 2, 0) != (ssize_t)(n + sizeof(back)))
		return ms_fail_errno(err, "cannot write to the stack of thread %d",
				     (int)remote->tid);
	regs.rsp = at - 8;
	regs.rip = function;
	regs.rdi = at;
	regs.rsi = second;
	regs.rax = 0;
	regs.orig_rax = (unsigned long long)-1;
	if (ptrace(PTRACE_SETREGS, remote->tid, NULL, &regs) != 0)
		return ms_fail_errno(err, "cannot set the registers of thread %d",
				     (int)remote->tid);
	MS_TRY(ms_launch_remote_run(remote->tid, meanwhile, err));
	if (ptrace(PTRACE_GETREGS, remote->tid, NULL, &now) != 0)
		return ms_fail_errno(err, "cannot read the registers of thread %d",
				     (int)remote->tid);
	if (now.rip != 0)
		return ms_fail(err, MS_EIO,
			       "thread %d has not come back from a function of memspy's",
			       (int)remote->tid);
	*result = now.rax;
	regs_of(remote)->gs_base = now.gs_base;
	return MS_OK;
}

int ms_launch_remote_restore(struct ms_launch_remote *remote, struct ms_err *err)
{
	struct iovec vectors = { remote->vectors, remote->vector_bytes };

	if (ptrace(PTRACE_SETREGSET, remote->tid, NT_X86_XSTATE, &vectors) != 0 ||
	    ptrace(PTRACE_SETREGS, remote->tid, NULL, regs_of(remote)) != 0)
		return ms_fail_errno(err, "cannot give thread %d its registers back",
				     (int)remote->tid);
	return MS_OK;
}
