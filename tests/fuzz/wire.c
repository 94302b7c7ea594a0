/*
 * The stream of a front-end that writes anything: whatever the words, the collector comes to an end
 * and makes a run that can be stored.
 *
 * Input: how many workers (2 bits), how many words a chunk has (a byte, times 8), how many
 * processors (2 bits), five bytes of nothing, then words.
 */
#include <string.h>

#include "collect/collect_priv.h"
#include "fuzz/fuzz.h"
#include "store/store_priv.h"
#include "stream/check/check.h"
#include "stream/writer.h"

enum { CHUNK_WORDS = MS_WIRE_MIN_CHUNK / 8 };

static void pour(struct ms_collect_state *c, struct fuzz_input *in, size_t most)
{
	while (in->n >= 8) {
		uint64_t *room = ms_stream_ring_room(&c->ring);
		size_t n = in->n / 8 < most ? in->n / 8 : most;

		if (room == NULL)
			return;
		memcpy(room, in->at, n * 8);
		in->at += n * 8;
		in->n -= n * 8;
		ms_stream_ring_publish(&c->ring, n);
	}
}

static void collect(struct fuzz_input in, unsigned workers, size_t most, unsigned processors)
{
	static const char *const argv[] = { "fuzz", NULL };
	const struct ms_launch_cpus cpus = { .affinity = processors % 2 == 0 };
	struct ms_machine several = *fuzz_machine();
	const struct ms_machine *machine = &several;
	/* Nothing that a stream says may bring a monitor out of step; one processor has some. */
	const struct ms_pmu_config pmus[] = { { .event = MS_PMU_EVICTIONS, .period = 2, .seed = 1 },
					      { .event = MS_PMU_LATENCY, .wish = 0.5, .cost = 9 } };
	struct ms_collect_state c = { .setup.machines = &machine,
				      .setup.machine_count = 1,
				      .setup.pmus = pmus,
				      .setup.pmu_count = processors == 1 ? MS_COUNT(pmus) : 0,
				      .setup.cpus = &cpus };
	struct ms_run run = { 0 };
	struct ms_err err;

	several.processors = processors;
	if (ms_collect_open(&c, MS_WIRE_MIN_CHUNK, workers, false, &err) != MS_OK ||
	    ms_collect_start_workers(&c, &err) != MS_OK)
		fuzz_fail("%s", err.text);
	pour(&c, &in, most);
	ms_stream_ring_end(&c.ring);
	ms_collect_join_workers(&c);
	ms_collect_describe_run(&c, machine, "fuzz", argv, &run);
	ms_collect_result(&c, 0, &run);
	if (ms_run_check(&run, &err) != MS_OK)
		fuzz_fail("%s", err.text);
	ms_run_free(&run);
	ms_collect_close(&c);
}

/* What the collector takes without a word need not please the checker, but neither may crash. */
static void check(struct fuzz_input in, size_t most)
{
	struct ms_check *c = ms_check_open(8);

	while (in.n >= 8) {
		uint64_t words[CHUNK_WORDS];
		size_t n = in.n / 8 < most ? in.n / 8 : most;

		memcpy(words, in.at, n * 8);
		ms_check_chunk(c, words, n);
		in.at += n * 8;
		in.n -= n * 8;
	}
	ms_check_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	unsigned workers = 1 + (unsigned)fuzz_take(&in, 1) % 3;
	size_t most = 8 * (1 + (size_t)fuzz_take(&in, 1));

	unsigned processors = 1 + (unsigned)fuzz_take(&in, 1) % 4;

	fuzz_take(&in, 5); /* so that words stand at words */
	if (most > CHUNK_WORDS)
		most = CHUNK_WORDS;
	collect(in, workers, most, processors);
	check(in, most);
	return 0;
}
