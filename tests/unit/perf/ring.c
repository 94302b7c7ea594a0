/* perf: the kernel's ring of records, which goes round, and what it cannot have written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "perf/perf_priv.h"

enum { BYTES = 4096, MOST = 300 };

/* A record of lost samples is the shortest that has a figure. */
struct lost {
	struct perf_event_header head;
	uint64_t lost;
};

struct fixture {
	struct ms_perf_ring ring;
	uint8_t *data;
	uint64_t seen[MOST];
	size_t n;
};

static void open_ring(struct fixture *f)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	*f = (struct fixture){ .ring = { .fd = -1, .bytes = BYTES } };
	f->ring.page = calloc(1, page + BYTES);
	f->data = (uint8_t *)f->ring.page + page;
}

static void write_record(struct fixture *f, uint64_t lost, uint16_t size)
{
	struct lost record = { { PERF_RECORD_LOST_SAMPLES, 0, size }, lost };
	const uint8_t *bytes = (const uint8_t *)&record;

	for (size_t i = 0; i < sizeof(record); i++)
		f->data[f->ring.page->data_head++ % BYTES] = bytes[i];
}

static void take(void *arg, struct ms_perf_ring *ring, const struct ms_perf_record *record)
{
	struct fixture *f = arg;

	(void)ring;
	assert_int_equal(record->kind, MS_RECORD_LOST);
	assert_true(f->n < MOST);
	f->seen[f->n++] = record->lost;
}

static void read_ring(struct fixture *f)
{
	const struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_IP };

	ms_perf_ring_read(&f->ring, &attr, take, f);
	assert_int_equal(f->ring.page->data_tail, f->ring.page->data_head);
}

static void records_go_on_at_the_start(void **state)
{
	struct fixture f;

	(void)state;
	open_ring(&f);
	/* The kernel aligns records to 8 bytes: one of 16 is cut after its head. */
	f.ring.page->data_head = f.ring.page->data_tail = BYTES - 3 * sizeof(struct lost) - 8;
	for (uint64_t i = 0; i < 8; i++)
		write_record(&f, UINT64_C(0x1122334455667700) + i, sizeof(struct lost));
	read_ring(&f);
	assert_int_equal(f.n, 8);
	for (uint64_t i = 0; i < 8; i++)
		assert_int_equal(f.seen[i], UINT64_C(0x1122334455667700) + i);
	read_ring(&f); /* nothing new */
	assert_int_equal(f.n, 8);
	free(f.ring.page);
}

static void records_longer_than_what_is_there(void **state)
{
	static const uint16_t sizes[] = { 0, 4, sizeof(struct lost) + 8, UINT16_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct fixture f;

		open_ring(&f);
		write_record(&f, 1, sizeof(struct lost));
		write_record(&f, 2, sizes[i]);
		read_ring(&f);
		assert_int_equal(f.n, 1);
		assert_int_equal(f.seen[0], 1);
		free(f.ring.page);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_go_on_at_the_start),
		cmocka_unit_test(records_longer_than_what_is_there),
	};

	return cmocka_run_group_tests_name("perf ring", tests, NULL, NULL);
}
