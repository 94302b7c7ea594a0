/*
 * What a kernel, or whatever pretends to be one, writes into perf's ring and into the area of Arm's
 * SPE: no byte is read that is not there, and what comes out are samples that a run can hold.
 *
 * Input: which fields a sample has (a byte), then records, then packets: the first byte of each
 * part is its length.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "perf/perf_priv.h"

static void check(const struct ms_perf_sample *s)
{
	if (s->answer >= MS_ANSWERS)
		fuzz_fail("answer %u", s->answer);
	if (s->kind > MS_SITE_ACCESS)
		fuzz_fail("kind %u", s->kind);
}

/* A copy of its own, so that one byte too far is noticed. */
static void read_record(const struct perf_event_attr *attr, const uint8_t *bytes, size_t n)
{
	uint8_t *copy = malloc(n + (n == 0));
	struct ms_perf_record record;

	memcpy(copy, bytes, n);
	ms_perf_record_read(attr, copy, n, &record);
	if (record.kind == MS_RECORD_SAMPLE)
		check(&record.sample);
	if (record.regs != NULL && record.regs + ms_perf_regs_count * 8 > copy + n)
		fuzz_fail("registers after the record's end");
	free(copy);
}

static void read_packets(const uint8_t *bytes, size_t n)
{
	uint8_t *copy = malloc(n + (n == 0));
	struct ms_perf_spe_reader reader = { .any = false };
	bool done;

	memcpy(copy, bytes, n);
	for (size_t at = 0, length; at < n; at += length) {
		length = ms_perf_spe_packet(&reader, copy + at, n - at, at, &done);
		if (length == 0)
			break;
		if (length > n - at)
			fuzz_fail("a packet of %zu bytes where %zu are left", length, n - at);
		if (done)
			check(&reader.sample);
	}
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t fields[] = { PERF_SAMPLE_IP,     PERF_SAMPLE_TID,
					   PERF_SAMPLE_ADDR,   PERF_SAMPLE_PERIOD,
					   PERF_SAMPLE_RAW,    PERF_SAMPLE_REGS_USER,
					   PERF_SAMPLE_WEIGHT, PERF_SAMPLE_DATA_SRC };
	struct fuzz_input in = { data, size };
	uint64_t chosen = fuzz_take(&in, 1);
	struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_TIME, .sample_id_all = 1 };

	for (unsigned i = 0; i < 8; i++)
		if (chosen >> i & 1)
			attr.sample_type |= fields[i];
	while (in.n > 0) {
		size_t n = (size_t)fuzz_take(&in, 1);

		n = n < in.n ? n : in.n;
		read_record(&attr, in.at, n);
		read_packets(in.at, n);
		in.at += n;
		in.n -= n;
	}
	return 0;
}
