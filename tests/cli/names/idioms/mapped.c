/* Mapped files, shared memory, named anonymous memory. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_VMA
#define PR_SET_VMA           0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif

static void __attribute__((noinline)) fill(volatile int *array, int n)
{
	for (int i = 0; i < n; i++)
		array[i] = i;
}

static void *map_file(int fd)
{
	if (ftruncate(fd, 65536) != 0)
		exit(1);
	return mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

int main(void)
{
	int *table = map_file(open("table.bin", O_RDWR | O_CREAT | O_TRUNC, 0600));
	int *queue = map_file(memfd_create("queue", 0));
	int *segment = map_file(shm_open("/memspy-names", O_RDWR | O_CREAT, 0600));
	int *both = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int *arena = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int *pool = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	shm_unlink("/memspy-names");
	prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, arena, 65536, "request arena");
	fill(table, 1000);
	fill(queue, 1000);
	fill(segment, 1000);
	fill(both, 1000);
	fill(arena, 1000);
	fill(pool, 1000);
	return 0;
}
