/*
 * memory_limits.c - hides memspy's memory from limits on the address space (RLIMIT_AS) and on data
 * (RLIMIT_DATA). The kernel gets a limit that is higher by the size of what the tracer has mapped,
 * and the program sees the limit that it has set. This holds for limits that the program sets or
 * reads while it is traced, and for those that it starts with.
 *
 * Limits: a hard limit can only be raised with privileges, and a program that is traced in windows
 * would see the raised limit between them. In these cases the limit is unchanged, and the tracer
 * uses little memory (ms_syscalls_get_memory_left).
 */
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/thread_state.h"
#include "syscalls/syscalls.h"

enum { DATA = 2, ADDRESS_SPACE = 9 };
struct limit {
	uint64_t now, most;
};

/* The usage for each limit is a field of /proc/self/statm, counted from 0. */
enum { LIMITS = 2 };
static const struct {
	uint64_t limit;
	uint32_t number;
} known[LIMITS] = { { ADDRESS_SPACE, 0 }, { DATA, 5 } };
static uint64_t bytes_before[LIMITS], tracer_bytes[LIMITS];
static struct limit inherited[LIMITS];
static bool raised[LIMITS];
static struct limit added[LIMITS]; /* to what the program has set, or started with */

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

static void read_usage(uint64_t bytes[LIMITS])
{
	enum { HERE = -100, CLOEXEC = 02000000 };
	char text[128];
	long fd = ms_runtime_syscall(__NR_openat, HERE, (long)"/proc/self/statm", CLOEXEC, 0, 0, 0);
	long got =
		fd >= 0 ? ms_runtime_syscall(SYS_read, fd, (long)text, sizeof(text), 0, 0, 0) : -1;

	if (fd >= 0)
		ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	for (uint32_t i = 0; i < LIMITS; i++)
		bytes[i] = number_in(text, got, known[i].number) * MS_RUNTIME_PAGE_BYTES;
}

static bool set_limit(uint32_t which, const struct limit *to)
{
	return ms_runtime_syscall(__NR_prlimit64, 0, (long)known[which].limit, (long)to, 0, 0, 0) ==
	       0;
}

/* Removes the limit while the tracer maps its memory; without privileges, raises it to the hard
 * limit. */
static void raise_limit(uint32_t which)
{
	struct limit none = { UINT64_MAX, UINT64_MAX };
	struct limit hard = { inherited[which].most, inherited[which].most };

	raised[which] = set_limit(which, &none) ||
			(hard.now > inherited[which].now && set_limit(which, &hard));
}

void ms_syscalls_raise_memory_limits(void)
{
	bool always_traced = !ms_runtime_config.no_tracing && ms_runtime_config.period == 0;

	read_usage(bytes_before);
	for (uint32_t i = 0; i < LIMITS; i++) {
		if (ms_runtime_syscall(__NR_prlimit64, 0, (long)known[i].limit, 0,
				       (long)&inherited[i], 0, 0) != 0)
			inherited[i] = (struct limit){ UINT64_MAX, UINT64_MAX };
		if (inherited[i].now != UINT64_MAX && always_traced)
			raise_limit(i);
	}
}

uint64_t ms_syscalls_get_memory_left(void)
{
	uint64_t used[LIMITS], left = UINT64_MAX;

	read_usage(used);
	for (uint32_t i = 0; i < LIMITS; i++) {
		if (inherited[i].now == UINT64_MAX || raised[i])
			continue;
		uint64_t here = inherited[i].now > used[i] ? inherited[i].now - used[i] : 0;
		left = here < left ? here : left;
	}
	return left;
}

/* Infinity stays infinity. */
static uint64_t add_tracer_bytes(uint32_t which, uint64_t limit)
{
	return limit > UINT64_MAX - tracer_bytes[which] ? limit : limit + tracer_bytes[which];
}

/* Infinity stays infinity; another process may have lowered the limit below what was added. */
static uint64_t subtract_added(uint64_t limit, uint64_t extra)
{
	if (limit == UINT64_MAX)
		return limit;
	return limit > extra ? limit - extra : 0;
}

/* A limit of the kernel as the program sees it. */
static struct limit get_visible_limit(uint32_t which, const struct limit *kernels)
{
	return (struct limit){
		subtract_added(kernels->now, added[which].now),
		subtract_added(kernels->most, added[which].most),
	};
}

/* Raises the program's limit by memspy's memory, as far as the hard limit permits. */
static bool set_for_program(uint32_t which, const struct limit *programs,
			    const struct limit *kernels)
{
	struct limit to = { add_tracer_bytes(which, programs->now),
			    add_tracer_bytes(which, programs->most) };

	if (!set_limit(which, &to)) {
		to.most = to.most < kernels->most ? to.most : kernels->most;
		to.now = to.now < to.most ? to.now : to.most;
		if (programs->most > get_visible_limit(which, kernels).most ||
		    programs->now > programs->most || !set_limit(which, &to))
			return false;
	}
	added[which] = (struct limit){ to.now > programs->now ? to.now - programs->now : 0,
				       to.most > programs->most ? to.most - programs->most : 0 };
	return true;
}

/* The program has its initial limits for its own memory. */
static void restore(uint32_t which)
{
	if (raised[which] && !set_for_program(which, &inherited[which], &inherited[which]))
		set_limit(which, &inherited[which]);
}

void ms_syscalls_restore_memory_limits(void)
{
	uint64_t now[LIMITS];

	read_usage(now);
	for (uint32_t i = 0; i < LIMITS; i++) {
		tracer_bytes[i] = bytes_before[i] != 0 && now[i] > bytes_before[i]
					  ? now[i] - bytes_before[i]
					  : 0;
		restore(i);
	}
}

/* Copies between the runtime's memory and the program's, which may be unmapped. */
static bool copy_limit(uint64_t call, void *memspy_copy, uint64_t programs)
{
	uint64_t local[2] = { (uint64_t)memspy_copy, sizeof(struct limit) };
	uint64_t remote[2] = { programs, sizeof(struct limit) };
	long pid = ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);

	return ms_runtime_syscall((long)call, pid, (long)local, 1, (long)remote, 1, 0) ==
	       sizeof(struct limit);
}

static bool is_own_process(uint64_t pid)
{
	return pid == 0 || pid == (uint64_t)ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

/* wanted, old: addresses in the program, or 0. */
static int64_t change_limit(uint32_t which, uint64_t wanted, uint64_t old)
{
	enum { EPERM = 1, EFAULT = 14, EINVAL = 22 };
	struct limit set, was;

	if (wanted != 0 && !copy_limit(__NR_process_vm_readv, &set, wanted))
		return -EFAULT;
	long result = ms_runtime_syscall(__NR_prlimit64, 0, (long)known[which].limit, 0, (long)&was,
					 0, 0);
	if (result != 0)
		return result;
	struct limit before_it = get_visible_limit(which, &was);
	if (wanted != 0 && !set_for_program(which, &set, &was))
		return set.now > set.most ? -EINVAL : -EPERM;
	return old == 0 || copy_limit(__NR_process_vm_writev, &before_it, old) ? 0 : -EFAULT;
}

bool ms_syscalls_emulate_limit_call(uint64_t number, const uint64_t args[6], uint64_t *result)
{
	uint64_t limit = number == __NR_prlimit64 ? args[1] : args[0];
	uint32_t which = 0;

	while (which < LIMITS && known[which].limit != limit)
		which++;
	if (which == LIMITS)
		return false;
	if (number == __NR_prlimit64 && is_own_process(args[0]))
		*result = (uint64_t)change_limit(which, args[2], args[3]);
	else if (number == __NR_setrlimit)
		*result = (uint64_t)change_limit(which, args[1], 0);
	else if (number == __NR_getrlimit)
		*result = (uint64_t)change_limit(which, 0, args[1]);
	else
		return false;
	return true;
}
