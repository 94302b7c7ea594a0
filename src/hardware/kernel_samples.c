/* hardware/kernel_samples.c - merges samples of the kernel with the program's events, in order of
 * time. */
#include "hardware/hardware.h"
#include "perf/perf.h"
#include "stream/ring.h"

static const uint32_t units[MS_RUN_SOURCES] = {
	[MS_RUN_PEBS] = MS_RUN_CYCLES,    [MS_RUN_IBS] = MS_RUN_CYCLES,
	[MS_RUN_SPE] = MS_RUN_CYCLES,     [MS_RUN_TIMER] = MS_RUN_NANOSECONDS,
	[MS_RUN_FAULTS] = MS_RUN_NO_UNIT,
};

static struct ms_perf_request request_of(struct ms_hardware *h)
{
	const struct ms_hardware_options *o = h->options;

	h->about.unit = units[o->source];
	return (struct ms_perf_request){ .source = o->source,
					 .event = o->event,
					 .period = o->period,
					 .rate = o->rate,
					 .overhead = o->overhead,
					 .min_latency = o->min_latency,
					 .buffer = o->buffer };
}

int ms_hardware_begin(struct ms_hardware *h, pid_t pid, struct ms_err *err)
{
	struct ms_perf_request request = request_of(h);

	if (request.source == MS_RUN_TIMER)
		return MS_OK; /* the program's own runtime takes them */
	MS_TRY(ms_perf_open(&h->perf, &request, pid, err));
	h->about.event = ms_perf_event(h->perf);
	return MS_OK;
}

int ms_hardware_attach(struct ms_hardware *h, pid_t pid, struct ms_err *err)
{
	struct ms_perf_request request = request_of(h);

	request.attach = true;
	MS_TRY(ms_perf_attach(&h->perf, &request, pid, err));
	if (request.source != MS_RUN_TIMER) /* it has the same name for the runtime's own timer */
		h->about.event = ms_perf_event(h->perf);
	return MS_OK;
}

void ms_hardware_take_perf(struct ms_hardware *h, const struct ms_perf_sample *s)
{
	struct ms_hardware_sample sample = {
		.what = MS_HARDWARE_REFERENCE,
		.pc = s->ip,
		.address = s->address,
		.events = s->period,
		.latency = s->latency,
		.answer = s->answer,
		.sureness = MS_SURE_EXACT,
		.kind = s->kind,
		.size = s->size,
	};

	if (s->skipped) {
		sample.what = MS_HARDWARE_LOSS;
		sample.reason = "of operations that are not memory references";
	} else if (s->address == 0) {
		sample.address = MS_HARDWARE_NO_ADDRESS;
		sample.reason = "the hardware recorded no address";
	}
	ms_hardware_take(h, &sample);
}

static void take_until(struct ms_hardware *h, uint64_t time)
{
	struct ms_perf_sample s;

	while (ms_perf_take(h->perf, time, &s))
		ms_hardware_take_perf(h, &s);
}

void ms_hardware_until(struct ms_hardware *h, uint64_t counter)
{
	if (h->perf != NULL)
		take_until(h, ms_perf_time(h->perf, counter));
}

void ms_hardware_count(struct ms_hardware *h)
{
	struct ms_perf_totals totals;

	ms_perf_totals(h->perf, &totals);
	ms_hardware_lose(h, MS_LOST_IN_KERNEL, totals.lost, 0);
	ms_hardware_lose(h, "in the kernel", totals.kernel, 0);
	ms_hardware_lose(h, "of processes that the program has forked", totals.foreign, 0);
	ms_hardware_lose(h, "of another program, which it has become (exec)", totals.after, 0);
	h->about.period = totals.period;
	h->about.throttled = totals.throttled;
	h->about.threads = totals.threads;
	if (h->about.cpu_ns > 0)
		h->about.overhead = totals.seconds * 1e9 / (double)h->about.cpu_ns;
}

void ms_hardware_end(struct ms_hardware *h)
{
	if (h->perf == NULL)
		return;
	ms_perf_stop(h->perf);
	take_until(h, UINT64_MAX);
	ms_hardware_count(h);
	if (h->about.cpu_ns > 0)
		h->about.overhead += (double)ms_stream_ring_describe_ns(h->memory.ring) /
				     (double)h->about.cpu_ns;
}
