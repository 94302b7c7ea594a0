/*
 * shared_memory.c - System V shared memory. shmdt() has no size, and the segment may have been
 * removed by then: sizes of attached segments are kept. A segment beyond the table stays known
 * until other memory is mapped there.
 */
#include <sys/shm.h>

#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/locks.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "syscalls/syscalls.h"

enum { MOST_ATTACHED = 256 };

static struct {
	uint64_t address, size; /* size 0: free */
} attached[MOST_ATTACHED];

uint64_t ms_syscalls_attach_shared_memory(int id, uint64_t address)
{
	struct shmid_ds segment;
	long failed = ms_runtime_syscall(__NR_shmctl, id, IPC_STAT, (long)&segment, 0, 0, 0);
	uint64_t size = failed ? 0 : (uint64_t)segment.shm_segsz;

	size = (size + MS_RUNTIME_PAGE_BYTES - 1) & ~(uint64_t)(MS_RUNTIME_PAGE_BYTES - 1);
	ms_runtime_lock(MS_RUNTIME_LOCK_MAPS);
	for (unsigned i = 0; i < MOST_ATTACHED && size != 0; i++)
		if (attached[i].size == 0 || attached[i].address == address) {
			attached[i].address = address;
			attached[i].size = size;
			break;
		}
	ms_runtime_unlock(MS_RUNTIME_LOCK_MAPS);
	return size;
}

void ms_syscalls_detach_shared_memory(struct ms_runtime_thread *t, uint64_t address)
{
	uint64_t size = 0;

	ms_runtime_lock(MS_RUNTIME_LOCK_MAPS);
	for (unsigned i = 0; i < MOST_ATTACHED; i++)
		if (attached[i].address == address && attached[i].size != 0) {
			size = attached[i].size;
			attached[i].size = 0;
		}
	ms_runtime_unlock(MS_RUNTIME_LOCK_MAPS);
	if (size != 0)
		ms_maps_remove_mapping(t, address, size);
}
