/* build: -O2 -g -pthread
   uring: io_uring by its system calls alone. The kernel writes into the program's memory while the
   program runs. Reads, writes, time-outs and polls are submitted in batches; each thread has a ring
   of its own. No signal is expected, so EINTR is an error. Exit status 77: the kernel does not
   permit it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ENTRIES = 64, BLOCK = 4096, BLOCKS = 64, ROUNDS = 30, THREADS = 2 };

struct ring {
	int fd;
	_Atomic uint32_t *sq_tail, *cq_head, *cq_tail;
	uint32_t *sq_mask, *cq_mask, *sq_array;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqes;
};

static void fail(const char *what, int error)
{
	printf("%s: %s\n", what, strerror(error));
	exit(3);
}

static void *map(int fd, size_t size, off_t offset)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset);

	if (at == MAP_FAILED)
		fail("mmap of a ring", errno);
	return at;
}

static void open_ring(struct ring *ring)
{
	struct io_uring_params p;

	memset(&p, 0, sizeof(p));
	ring->fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	if (ring->fd < 0) {
		printf("io_uring_setup: %s\n", strerror(errno));
		exit(77);
	}
	char *sq =
		map(ring->fd, p.sq_off.array + p.sq_entries * sizeof(uint32_t), IORING_OFF_SQ_RING);
	char *cq = map(ring->fd, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe),
		       IORING_OFF_CQ_RING);
	ring->sqes = map(ring->fd, p.sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
	ring->sq_tail = (_Atomic uint32_t *)(sq + p.sq_off.tail);
	ring->sq_mask = (uint32_t *)(sq + p.sq_off.ring_mask);
	ring->sq_array = (uint32_t *)(sq + p.sq_off.array);
	ring->cq_head = (_Atomic uint32_t *)(cq + p.cq_off.head);
	ring->cq_tail = (_Atomic uint32_t *)(cq + p.cq_off.tail);
	ring->cq_mask = (uint32_t *)(cq + p.cq_off.ring_mask);
	ring->cqes = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
}

static void submit(struct ring *ring, const struct io_uring_sqe *sqe)
{
	uint32_t tail = atomic_load_explicit(ring->sq_tail, memory_order_relaxed);
	uint32_t index = tail & *ring->sq_mask;

	ring->sqes[index] = *sqe;
	ring->sq_array[index] = index;
	atomic_store_explicit(ring->sq_tail, tail + 1, memory_order_release);
}

/* Submits n entries, waits for all of them, and checks that each has this result. */
static void complete(struct ring *ring, unsigned n, int wanted)
{
	long done = syscall(SYS_io_uring_enter, ring->fd, n, n, IORING_ENTER_GETEVENTS, NULL, 0);

	if (done != (long)n)
		fail("io_uring_enter", done < 0 ? errno : EIO);
	uint32_t head = atomic_load_explicit(ring->cq_head, memory_order_relaxed);
	uint32_t tail = atomic_load_explicit(ring->cq_tail, memory_order_acquire);
	if (tail - head != n)
		fail("fewer completions than waited for", EIO);
	for (; head != tail; head++)
		if (ring->cqes[head & *ring->cq_mask].res != wanted)
			fail("a result", -ring->cqes[head & *ring->cq_mask].res);
	atomic_store_explicit(ring->cq_head, head, memory_order_release);
}

static void transfer(struct ring *ring, uint8_t opcode, int file, unsigned char *memory)
{
	for (unsigned i = 0; i < BLOCKS; i++) {
		unsigned block = opcode == IORING_OP_READ ? BLOCKS - 1 - i : i;
		struct io_uring_sqe sqe = { .opcode = opcode, .fd = file, .len = BLOCK };

		sqe.off = (uint64_t)block * BLOCK;
		sqe.addr = (uintptr_t)(memory + (size_t)block * BLOCK);
		submit(ring, &sqe);
	}
	complete(ring, BLOCKS, BLOCK);
}

/* A wait of some milliseconds in the kernel. */
static void pause_in_ring(struct ring *ring)
{
	struct __kernel_timespec time = { .tv_nsec = 3000000 };
	struct io_uring_sqe sqe = { .opcode = IORING_OP_TIMEOUT, .len = 1 };

	sqe.addr = (uintptr_t)&time;
	submit(ring, &sqe);
	complete(ring, 1, -ETIME);
}

static uint64_t checksum(const unsigned char *memory)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < (size_t)BLOCKS * BLOCK; i++)
		sum = sum * 31 + memory[i];
	return sum;
}

static void *use_ring(void *arg)
{
	unsigned number = (unsigned)(uintptr_t)arg;
	unsigned char *from = malloc(BLOCKS * BLOCK), *to = malloc(BLOCKS * BLOCK);
	char name[] = "uring-XXXXXX";
	uint64_t sum = 0;
	struct ring ring;
	int file = mkstemp(name);

	if (file < 0 || from == NULL || to == NULL)
		fail("a file", errno);
	unlink(name);
	open_ring(&ring);
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < (size_t)BLOCKS * BLOCK; i++)
			from[i] = (unsigned char)(i * 7 + round + number + (i >> 8));
		memset(to, 0, BLOCKS * BLOCK);
		transfer(&ring, IORING_OP_WRITE, file, from);
		pause_in_ring(&ring);
		transfer(&ring, IORING_OP_READ, file, to);
		if (memcmp(from, to, BLOCKS * BLOCK) != 0)
			fail("what was read", EIO);
		sum ^= checksum(to);
	}
	close(ring.fd);
	close(file);
	free(from);
	free(to);
	return (void *)(uintptr_t)sum;
}

int main(void)
{
	pthread_t threads[THREADS];
	void *sum;

	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, use_ring, (void *)i) != 0)
			fail("pthread_create", errno);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &sum);
		printf("ring %u: %016llx\n", i, (unsigned long long)(uintptr_t)sum);
	}
	return 0;
}
