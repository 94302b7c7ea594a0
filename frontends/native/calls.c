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

/* The kernel takes the pages of a file that becomes code: the loader of some programs does so. */
static void protected(struct ms_thread *t, const uint64_t args[6])
{
	(void)t;
	(void)args;
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
	case __NR_mprotect:
		protected
		(t, args);
		break;
	default:
		break;
	}
	t->busy = 0;
}
