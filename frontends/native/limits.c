/*
 * limits.c - a limit on the address space (RLIMIT_AS) that the program sets or asks for while it is
 * traced: what the tracer has mapped is not the program's. The kernel is told of as much more, and
 * the program sees what it has set.
 */
#include "runtime.h"

#include "sys.h"

enum { ADDRESS_SPACE = 9 };
struct limit {
	uint64_t now, most;
};

static uint64_t before, ours;

/* Of the process: the first number in its file. */
static uint64_t mapped_bytes(void)
{
	enum { HERE = -100, CLOEXEC = 02000000 };
	char text[128];
	long fd = ms_sys(__NR_openat, HERE, (long)"/proc/self/statm", CLOEXEC, 0, 0, 0);
	long got = fd >= 0 ? ms_sys(SYS_read, fd, (long)text, sizeof(text), 0, 0, 0) : -1;
	uint64_t pages = 0;

	if (fd >= 0)
		ms_sys(SYS_close, fd, 0, 0, 0, 0, 0);
	for (long i = 0; i < got && text[i] >= '0' && text[i] <= '9'; i++)
		pages = pages * 10 + (uint64_t)(text[i] - '0');
	return pages * MS_PAGE;
}

void ms_limits_begin(void)
{
	before = mapped_bytes();
}

void ms_limits_begun(void)
{
	uint64_t now = mapped_bytes();

	ours = before != 0 && now > before ? now - before : 0;
}

/* No limit stays none. */
static uint64_t more(uint64_t limit)
{
	return limit > UINT64_MAX - ours ? limit : limit + ours;
}

static uint64_t less(uint64_t limit)
{
	return limit == UINT64_MAX ? limit : limit > ours ? limit - ours : 0;
}

/* Between our memory and the program's, which need not be there. */
static bool copy(uint64_t call, void *own, uint64_t programs)
{
	uint64_t local[2] = { (uint64_t)own, sizeof(struct limit) };
	uint64_t remote[2] = { programs, sizeof(struct limit) };
	long pid = ms_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);

	return ms_sys((long)call, pid, (long)local, 1, (long)remote, 1, 0) == sizeof(struct limit);
}

static bool is_own(uint64_t pid)
{
	return pid == 0 || pid == (uint64_t)ms_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

/* wanted, old: the program's, or 0. */
static int64_t change(uint64_t wanted, uint64_t old)
{
	enum { EFAULT = 14 };
	struct limit set, was;

	if (wanted != 0 && !copy(__NR_process_vm_readv, &set, wanted))
		return -EFAULT;
	if (wanted != 0) {
		set.now = more(set.now);
		set.most = more(set.most);
	}
	long result = ms_sys(__NR_prlimit64, 0, ADDRESS_SPACE, (long)(wanted != 0 ? &set : NULL),
			     (long)&was, 0, 0);
	if (result != 0 || old == 0)
		return result;
	was.now = less(was.now);
	was.most = less(was.most);
	return copy(__NR_process_vm_writev, &was, old) ? 0 : -EFAULT;
}

bool ms_limits_call(uint64_t number, const uint64_t args[6], uint64_t *result)
{
	if (number == __NR_prlimit64 && is_own(args[0]) && args[1] == ADDRESS_SPACE)
		*result = (uint64_t)change(args[2], args[3]);
	else if (number == __NR_setrlimit && args[0] == ADDRESS_SPACE)
		*result = (uint64_t)change(args[1], 0);
	else if (number == __NR_getrlimit && args[0] == ADDRESS_SPACE)
		*result = (uint64_t)change(0, args[1]);
	else
		return false;
	return true;
}
