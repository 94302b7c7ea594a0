/*
 * limits.c - a limit on the address space (RLIMIT_AS) or on data (RLIMIT_DATA) that the program
 * sets or asks for while it is traced: what the tracer has mapped is not the program's. The kernel
 * is told of as much more, and the program sees what it has set.
 */
#include "runtime.h"

#include "sys.h"

enum { DATA = 2, ADDRESS_SPACE = 9 };
struct limit {
	uint64_t now, most;
};

/* What counts for each is a number of the process's file, the first one of 0. */
enum { LIMITS = 2 };
static const struct {
	uint64_t limit;
	uint32_t number;
} known[LIMITS] = { { ADDRESS_SPACE, 0 }, { DATA, 5 } };
static uint64_t before[LIMITS], ours[LIMITS];

static uint64_t number_in(const char *text, long n, uint32_t which)
{
	uint64_t value = 0;

	for (long i = 0; i < n; i++) {
		if (text[i] == ' ' && which-- == 0)
			break;
		value = text[i] >= '0' && text[i] <= '9' ? value * 10 + (uint64_t)(text[i] - '0')
							 : 0;
	}
	return value;
}

static void look(uint64_t bytes[LIMITS])
{
	enum { HERE = -100, CLOEXEC = 02000000 };
	char text[128];
	long fd = ms_sys(__NR_openat, HERE, (long)"/proc/self/statm", CLOEXEC, 0, 0, 0);
	long got = fd >= 0 ? ms_sys(SYS_read, fd, (long)text, sizeof(text), 0, 0, 0) : -1;

	if (fd >= 0)
		ms_sys(SYS_close, fd, 0, 0, 0, 0, 0);
	for (uint32_t i = 0; i < LIMITS; i++)
		bytes[i] = number_in(text, got, known[i].number) * MS_PAGE;
}

void ms_limits_begin(void)
{
	look(before);
}

void ms_limits_begun(void)
{
	uint64_t now[LIMITS];

	look(now);
	for (uint32_t i = 0; i < LIMITS; i++)
		ours[i] = before[i] != 0 && now[i] > before[i] ? now[i] - before[i] : 0;
}

/* No limit stays none. */
static uint64_t more(uint32_t which, uint64_t limit)
{
	return limit > UINT64_MAX - ours[which] ? limit : limit + ours[which];
}

static uint64_t less(uint32_t which, uint64_t limit)
{
	return limit == UINT64_MAX ? limit : limit > ours[which] ? limit - ours[which] : 0;
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
static int64_t change(uint32_t which, uint64_t wanted, uint64_t old)
{
	enum { EFAULT = 14 };
	struct limit set, was;

	if (wanted != 0 && !copy(__NR_process_vm_readv, &set, wanted))
		return -EFAULT;
	if (wanted != 0) {
		set.now = more(which, set.now);
		set.most = more(which, set.most);
	}
	long result = ms_sys(__NR_prlimit64, 0, (long)known[which].limit,
			     (long)(wanted != 0 ? &set : NULL), (long)&was, 0, 0);
	if (result != 0 || old == 0)
		return result;
	was.now = less(which, was.now);
	was.most = less(which, was.most);
	return copy(__NR_process_vm_writev, &was, old) ? 0 : -EFAULT;
}

bool ms_limits_call(uint64_t number, const uint64_t args[6], uint64_t *result)
{
	uint64_t limit = number == __NR_prlimit64 ? args[1] : args[0];
	uint32_t which = 0;

	while (which < LIMITS && known[which].limit != limit)
		which++;
	if (which == LIMITS)
		return false;
	if (number == __NR_prlimit64 && is_own(args[0]))
		*result = (uint64_t)change(which, args[2], args[3]);
	else if (number == __NR_setrlimit)
		*result = (uint64_t)change(which, args[1], 0);
	else if (number == __NR_getrlimit)
		*result = (uint64_t)change(which, 0, args[1]);
	else
		return false;
	return true;
}
