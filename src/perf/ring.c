/* perf/ring.c - reads perf's ring of one processor. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/compiler.h"
#include "perf/perf_priv.h"

enum { MOST_RECORD = 65536 }; /* the size of a record has sixteen bits */

static int cannot_map(size_t bytes, struct ms_err *err)
{
	return ms_fail_errno(
		err,
		"cannot map %zu KiB of the kernel's buffer for samples; --buffer takes "
		"less, sysctl kernel.perf_event_mlock_kb allows more",
		bytes / 1024);
}

int ms_perf_ring_map(struct ms_perf_ring *ring, size_t bytes, size_t aux_bytes, struct ms_err *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (at == MAP_FAILED)
		return cannot_map(bytes, err);
	ring->page = at;
	ring->bytes = bytes;
	if (aux_bytes == 0)
		return MS_OK;
	ring->page->aux_offset = page + bytes;
	ring->page->aux_size = aux_bytes;
	at = mmap(NULL, aux_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd,
		  (off_t)(page + bytes));
	if (at == MAP_FAILED)
		return cannot_map(aux_bytes, err);
	ring->aux = at;
	ring->aux_bytes = aux_bytes;
	return MS_OK;
}

void ms_perf_ring_unmap(struct ms_perf_ring *ring)
{
	if (ring->aux != NULL)
		munmap(ring->aux, ring->aux_bytes);
	if (ring->page != NULL)
		munmap(ring->page, (size_t)sysconf(_SC_PAGESIZE) + ring->bytes);
	ms_vec_free(&ring->queue);
	ms_vec_free(&ring->regs);
	if (ring->fd >= 0)
		close(ring->fd);
}

/* Copies a piece of a ring, which may wrap around. */
static void copy(uint8_t *to, const uint8_t *ring, size_t bytes, uint64_t from, size_t n)
{
	size_t at = (size_t)(from % bytes), first = n < bytes - at ? n : bytes - at;

	memcpy(to, ring + at, first);
	memcpy(to + first, ring, n - first);
}

void ms_perf_ring_read(struct ms_perf_ring *ring, const struct perf_event_attr *attr,
		       ms_perf_each *each, void *arg)
{
	const uint8_t *data = (const uint8_t *)ring->page + sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	uint8_t bytes[MOST_RECORD];

	while (tail < head) {
		struct perf_event_header h;
		struct ms_perf_record record;

		copy((uint8_t *)&h, data, ring->bytes, tail, sizeof(h));
		if (h.size < sizeof(h) || h.size > head - tail) {
			tail = head; /* invalid: the kernel does not write this */
			break;
		}
		copy(bytes, data, ring->bytes, tail, h.size);
		ms_perf_record_read(attr, bytes, h.size, &record);
		each(arg, ring, &record);
		tail += h.size;
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}
