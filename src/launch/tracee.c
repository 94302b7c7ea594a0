/*
 * launch/tracee.c - the program has called ptrace(PTRACE_TRACEME): memspy is its parent, and so
 * its tracer. Each signal stops the thread that has called it until the tracer goes on. memspy goes
 * on at once and passes the signal to the program, which so behaves as without a tracer.
 *
 * Signals that stop a process (SIGSTOP ...) end the tracing: a tracee does not stay stopped until
 * SIGCONT comes. Only the first thread stays traced after a signal: the kernel keeps others that
 * have ended until their tracer waits for them.
 */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "launch/launch.h"

static bool stops_process(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/*
 * Meant for the tracer, which does not pass it on: the SIGTRAP that the kernel sends to a tracee
 * that has executed a program, and the SIGSTOP by which a tracee waits for its tracer. Valgrind
 * sends it to itself in place of a signal that would end the program, which is lost there.
 */
static bool is_for_tracer(int signal, pid_t program, const siginfo_t *info)
{
	return info->si_pid == program &&
	       (signal == SIGSTOP || (signal == SIGTRAP && info->si_code == SI_USER));
}

static void resume(pid_t program, pid_t thread, int signal)
{
	siginfo_t info;
	/* There is none where the whole process is stopped, and no signal to pass on. */
	bool delivers = ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) == 0;
	if (!delivers || is_for_tracer(signal, program, &info))
		signal = 0;
	bool detaches = thread != program || !delivers || stops_process(signal);

	ptrace(detaches ? PTRACE_DETACH : PTRACE_CONT, thread, NULL, (void *)(intptr_t)signal);
}

void ms_launch_tracee_resume(pid_t program)
{
	siginfo_t how = { .si_pid = 0 };

	while (waitid(P_ALL, 0, &how, WSTOPPED | WNOHANG | __WALL) == 0 && how.si_pid != 0) {
		if (how.si_code == CLD_TRAPPED)
			resume(program, how.si_pid, how.si_status & 0x7f);
		how.si_pid = 0;
	}
	/* Threads of the program that have ended; memspy's own children are not looked for. */
	while (waitid(P_ALL, 0, &how, WEXITED | WNOHANG | WNOWAIT | __WCLONE) == 0 &&
	       how.si_pid != 0 && how.si_pid != program) {
		waitid(P_PID, (id_t)how.si_pid, &how, WEXITED | WNOHANG | __WALL);
		how.si_pid = 0;
	}
}
