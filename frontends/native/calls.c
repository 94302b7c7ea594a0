/* calls.c - system calls of traced code that tell something: mappings, ends. */
#include "runtime.h"

#include "sys.h"

enum { PROT_CODE = 4, MAP_ANON = 0x20 };

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + MS_PAGE - 1) & ~(uint64_t)(MS_PAGE - 1);
}

static void mapped(struct ms_thread *t, const uint64_t args[6], uint64_t result,
		   const struct ms_frame *frame)
{
	int fd = args[3] & MAP_ANON ? -1 : (int)args[4];

	ms_maps_new(t, result, whole_pages(args[1]), fd, args[2] & PROT_CODE, frame);
}

static void moved(struct ms_thread *t, const uint64_t args[6], uint64_t to,
		  const struct ms_frame *frame)
{
	uint64_t from = args[0], old = whole_pages(args[1]), size = whole_pages(args[2]);

	if (to != from) {
		if (old != 0)
			ms_maps_gone(t, from, old);
		ms_maps_new(t, to, size, -1, false, frame);
	} else if (size > old) {
		ms_maps_new(t, from + old, size - old, -1, false, frame);
	} else if (size < old) {
		ms_maps_gone(t, from + size, old - size);
	}
}

/* Of the thread that is made: struct clone_args, or clone's arguments. */
static void clones(struct ms_thread *t, uint64_t number, const uint64_t args[6])
{
	const uint64_t *wanted = (const uint64_t *)args[0];

	if (number == __NR_clone3)
		ms_thread_makes(t, wanted[5], wanted[6]);
	else
		ms_thread_makes(t, 0, args[1]);
}

/* Those that never wait and are called often. */
static bool is_quick(uint64_t number)
{
	switch (number) {
	case __NR_brk:
	case __NR_mmap:
	case __NR_munmap:
	case __NR_mprotect:
	case __NR_madvise:
	case __NR_mremap:
	case __NR_getpid:
	case __NR_gettid:
	case __NR_clock_gettime:
	case __NR_rt_sigprocmask:
	case __NR_rt_sigaction:
	case __NR_fstat:
	case __NR_lseek:
		return true;
	default:
		return false;
	}
}

void ms_call_before(struct ms_thread *t, uint64_t number, const uint64_t args[6],
		    const struct ms_frame *frame)
{
	(void)frame;
	t->busy = 1;
	if (number == __NR_exit_group)
		ms_runtime_end(t, (uint32_t)args[0] & 0xff);
	else if (number == __NR_exit)
		ms_thread_end(t, (uint32_t)args[0] & 0xff);
	else if ((number == __NR_clone || number == __NR_clone3) && t->making != NULL)
		clones(t, number, args);
	if (!is_quick(number))
		ms_lane_turn(t);
	t->busy = 0;
}

void ms_call_after(struct ms_thread *t, uint64_t number, const uint64_t args[6], int64_t result,
		   const struct ms_frame *frame)
{
	if (ms_failed(result))
		return;
	t->busy = 1;
	switch (number) {
	case __NR_mmap:
		mapped(t, args, (uint64_t)result, frame);
		break;
	case __NR_munmap:
		ms_maps_gone(t, args[0], whole_pages(args[1]));
		break;
	case __NR_mremap:
		moved(t, args, (uint64_t)result, frame);
		break;
	case __NR_brk:
		ms_maps_brk(t, (uint64_t)result);
		break;
	default:
		break;
	}
	t->busy = 0;
}
