/* Memory from mmap: anonymous, shared, a file, partly gone again, grown by mremap; the break. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static __attribute__((noinline)) void put(volatile char *p, long n)
{
	for (long i = 0; i < n; i++)
		p[i] = 1;
}

static __attribute__((noinline)) int get(const volatile char *p, long n)
{
	int sum = 0;

	for (long i = 0; i < n; i++)
		sum += p[i];
	return sum;
}

static char *map(size_t n, int flags)
{
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	return p;
}

int main(int argc, char **argv)
{
	char *anonymous = map(16384, MAP_PRIVATE);
	char *shared = map(8192, MAP_SHARED);
	char *holed = map(12288, MAP_PRIVATE);
	char *grown = map(4096, MAP_PRIVATE);

	put(anonymous, 10000);
	put(shared, 5000);
	if (munmap(holed + 4096, 4096) != 0)
		return 2;
	put(holed, 100);
	put(holed + 8192, 200);
	grown = mremap(grown, 4096, 1 << 20, MREMAP_MAYMOVE);
	if (grown == MAP_FAILED)
		return 3;
	put(grown, 9000);

	if (argc > 1) {
		int fd = open(argv[1], O_RDONLY);
		char *file = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);

		if (file == MAP_FAILED)
			return 4;
		close(fd);
		get(file, 3000);
		munmap(file, 4096);
	}
	char *by_break = sbrk(4096);
	put(by_break, 1000);
	return 0;
}
