/* build: -O2 -g -pthread
   userfault: memory whose pages another thread supplies (userfaultfd). Readers wait in page faults
   until the supplier has copied the page; the supplier itself is traced like any other thread.
   Prints the sums of what was read. Exit status 77: the kernel does not permit it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGES = 256, READERS = 3, ROUNDS = 4 };

static size_t page_size;
static int fault_fd, end_pipe[2];
static unsigned char *memory;
static unsigned long served;

static void fail(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(3);
}

static void fill(unsigned char *page, size_t number)
{
	uint64_t x = number * 0x9e3779b97f4a7c15u + 1;

	for (size_t i = 0; i < page_size; i++) {
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		page[i] = (unsigned char)x;
	}
}

static void supply(uint64_t address)
{
	static unsigned char page[1 << 16] __attribute__((aligned(1 << 16)));
	uint64_t start = address & ~(uint64_t)(page_size - 1);
	struct uffdio_copy copy = { .dst = start, .src = (uintptr_t)page, .len = page_size };

	fill(page, (start - (uintptr_t)memory) / page_size);
	/* Two readers may wait for one page: it is there when the second one is answered. */
	if (ioctl(fault_fd, UFFDIO_COPY, &copy) != 0 && errno != EEXIST)
		fail("UFFDIO_COPY");
	served++;
}

static void *supplier(void *arg)
{
	struct pollfd wait[2] = { { .fd = fault_fd, .events = POLLIN },
				  { .fd = end_pipe[0], .events = POLLIN } };

	(void)arg;
	for (;;) {
		struct uffd_msg message;

		if (poll(wait, 2, -1) < 0)
			fail("poll");
		if (wait[1].revents != 0)
			return NULL;
		if (read(fault_fd, &message, sizeof(message)) != (ssize_t)sizeof(message)) {
			if (errno == EAGAIN)
				continue;
			fail("read of a fault");
		}
		if (message.event == UFFD_EVENT_PAGEFAULT)
			supply(message.arg.pagefault.address);
	}
}

struct reader {
	pthread_t thread;
	uint64_t sum;
	size_t number;
};

/* Each in another order, so that they wait for different pages and for the same ones. */
static void *read_pages(void *arg)
{
	struct reader *reader = arg;
	static const size_t steps[READERS] = { 1, 37, 101 };

	for (size_t i = 0; i < PAGES; i++) {
		const unsigned char *page =
			memory + (i * steps[reader->number] % PAGES) * page_size;

		for (size_t at = 0; at < page_size; at += 8)
			reader->sum += page[at] * (at + 1);
	}
	return NULL;
}

static void one_round(int round)
{
	struct reader readers[READERS] = { 0 };

	for (size_t i = 0; i < READERS; i++) {
		readers[i].number = i;
		if (pthread_create(&readers[i].thread, NULL, read_pages, &readers[i]) != 0)
			fail("pthread_create");
	}
	for (size_t i = 0; i < READERS; i++) {
		pthread_join(readers[i].thread, NULL);
		printf("round %d, reader %zu: %016llx\n", round, i,
		       (unsigned long long)readers[i].sum);
	}
	/* A store waits for a page, too. After that all pages are missing again. */
	madvise(memory, PAGES * page_size, MADV_DONTNEED);
	memory[page_size / 2] = 1;
	madvise(memory, PAGES * page_size, MADV_DONTNEED);
}

int main(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register region = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	fault_fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
	if (fault_fd < 0) {
		printf("userfaultfd: %s\n", strerror(errno));
		return 77;
	}
	memory = mmap(NULL, PAGES * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	region.range.start = (uintptr_t)memory;
	region.range.len = PAGES * page_size;
	if (memory == MAP_FAILED || ioctl(fault_fd, UFFDIO_API, &api) != 0 ||
	    ioctl(fault_fd, UFFDIO_REGISTER, &region) != 0 || pipe(end_pipe) != 0)
		fail("set up");
	if (pthread_create(&thread, NULL, supplier, NULL) != 0)
		fail("pthread_create");
	for (int round = 0; round < ROUNDS; round++)
		one_round(round);
	close(end_pipe[1]);
	pthread_join(thread, NULL);
	printf("pages were supplied: %d\n", served >= PAGES * ROUNDS);
	return 0;
}
