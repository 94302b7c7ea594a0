/*
 * hardware/timer_samples.c - see timer_samples.h.
 *
 * The code around a pc is decoded once for each pc. Uncertain results are marked: an address that
 * the load has overwritten and that is derived from the loaded value, and a load that was not the
 * last instruction.
 */
#include "hardware/timer_samples.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "decode/decode.h"
#include "hardware/hardware.h"
#include "stream/ring.h"

/* What is known of a pc, as long as its code stays the same. */
struct known {
	uint64_t hash;
	struct ms_decode_stopped_thread stopped;
	double owed;     /* samples at the first reference to a line that have not waited either */
	uint32_t probed; /* samples for which the runtime was asked for the address */
};

/* A sample whose load has overwritten its address: kept until the load is executed again. */
struct held {
	struct ms_hardware_sample sample;
	struct ms_hardware_sample_loop in;
	uint32_t thread;
};

struct ms_hardware_timer {
	MS_VEC(struct held) held;
	struct ms_map known_of;
	MS_VEC(struct known) known;
	MS_VEC(bool) seen; /* by thread */
	uint64_t faults; /* nanoseconds of page faults that samples in the kernel have not shown */
	uint64_t cost;   /* nanoseconds that memspy took of the program's; likewise: */
	uint64_t time;
	uint64_t samples;
};

void ms_hardware_timer_close(struct ms_hardware_timer *t)
{
	if (t == NULL)
		return;
	ms_map_free(&t->known_of);
	ms_vec_free(&t->known);
	ms_vec_free(&t->held);
	ms_vec_free(&t->seen);
	ms_free(t);
}

int ms_hardware_timer_check(const uint64_t *words, size_t n, struct ms_err *err)
{
	struct ms_wire_sample s;
	size_t code, wanted;

	memcpy(&s, words, sizeof(s));
	code = (size_t)s.before + s.after;
	wanted = sizeof(s) / 8 + s.regs + (code + 7) / 8;
	if (s.regs > MS_WIRE_SAMPLE_REGS || s.before > MS_WIRE_SAMPLE_CODE ||
	    s.after > MS_WIRE_SAMPLE_CODE || n != wanted)
		return ms_fail(err, MS_EFORMAT,
			       "stream: a sample with %u registers and %zu bytes of code in %zu "
			       "words, expected %zu",
			       s.regs, code, n, wanted);
	return MS_OK;
}

static uint64_t hash_of(const uint8_t *bytes, size_t n)
{
	uint64_t h = n;

	for (size_t i = 0; i < n; i++)
		h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
	return h;
}

static struct known *known_at(struct ms_hardware_timer *t, const struct ms_decode_code_around *code)
{
	uint32_t *slot = ms_map_at(&t->known_of, code->pc, 0);
	uint64_t hash = hash_of(code->bytes, (size_t)code->before + code->after);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)t->known.n;
		*ms_vec_add(&t->known) = (struct known){ .hash = ~hash };
	}
	struct known *known = &t->known.at[*slot];
	if (known->hash != hash) {
		known->hash = hash;
		known->owed = 0;
		ms_decode_stop(code, &known->stopped);
	}
	return known;
}

/* --- classification --- */

static const uint32_t kinds[] = { MS_SITE_READ, MS_SITE_WRITE, MS_SITE_MODIFY };
_Static_assert(MS_WIRE_READ == 0 && MS_WIRE_WRITE == 1 && MS_WIRE_MODIFY == 2, "decode.h");

/* What was loaded is a pointer, and not a number. */
static bool is_mapped(const struct ms_hardware *h, uint64_t address)
{
	return ms_engine_find_data(h->memory.shard, address) != MS_BOUND_UNMAPPED;
}

static void find_address(const struct ms_hardware *h,
			 const struct ms_decode_stopped_thread *stopped,
			 const struct ms_wire_sample *wire, const uint64_t *regs,
			 struct ms_hardware_sample *sample, bool *approximate)
{
	static const uint32_t sureness[] = { [MS_ADDRESS_SURE] = MS_SURE_EXACT,
					     [MS_ADDRESS_LEFT] = MS_SURE_LEARNT,
					     [MS_ADDRESS_ABOUT] = MS_SURE_LEARNT,
					     [MS_ADDRESS_NONE] = MS_SURE_EXACT };
	enum ms_decode_address_form how = ms_decode_address(stopped, regs, wire->regs,
							    wire->thread_pointer, &sample->address);

	sample->sureness = stopped->stop == MS_STOP_AFTER_USE ? MS_SURE_GUESSED : sureness[how];
	/* Registers may hold any value; the highest address belongs to no data. */
	sample->reason = "the load has overwritten its own address";
	*approximate = how == MS_ADDRESS_ABOUT;
	if (how == MS_ADDRESS_NONE || (how == MS_ADDRESS_LEFT && !is_mapped(h, sample->address)))
		sample->address = MS_HARDWARE_NO_ADDRESS;
}

static struct ms_hardware_sample sample_of(const struct ms_hardware *h,
					   const struct ms_decode_stopped_thread *stopped,
					   const struct ms_wire_sample *wire, const uint64_t *regs,
					   bool *approximate)
{
	struct ms_hardware_sample sample = { .what = MS_HARDWARE_COMPUTE,
					     .pc = stopped->site,
					     .events = 1,
					     .latency = wire->nanoseconds };

	switch (stopped->stop) {
	case MS_STOP_AFTER_ACCESS:
	case MS_STOP_AFTER_USE:
		sample.what = MS_HARDWARE_REFERENCE;
		sample.kind = kinds[stopped->operand.kind];
		sample.size = stopped->operand.size;
		find_address(h, stopped, wire, regs, &sample, approximate);
		if (ms_decode_is_local(stopped, regs, wire->regs, sample.address))
			sample.what = MS_HARDWARE_COMPUTE;
		break;
	case MS_STOP_KERNEL: /* a timer that expires at ticks */
		sample.pc = MS_BOUND_KERNEL_PC;
		break;
	case MS_STOP_UNKNOWN:
		sample.what = MS_HARDWARE_LOSS;
		sample.reason = "code that cannot be decoded";
		break;
	case MS_STOP_COMPUTE:
	case MS_STOPS:
		break;
	}
	return sample;
}

/*
 * A loop that accesses memory sequentially waits for the first reference to each line. A sample
 * after another reference to the line is compute time. Compute samples occur equally often after
 * first references, so as many of those are taken for compute time, too.
 */
static bool has_waited(struct known *known, const struct ms_decode_operand *operand,
		       const struct ms_hardware_sample *sample, const struct ms_wire_sample *wire,
		       const uint64_t *regs)
{
	double stride = operand->stride;

	if (ms_decode_goes_along(&known->stopped, regs, wire->regs, wire->thread_pointer,
				 sample->address))
		return false;
	if (stride < 0)
		stride = -stride;
	if (ms_decode_was_there(operand, sample->address)) {
		known->owed += stride / (MS_DECODE_LINE - stride);
		return false;
	}
	if (known->owed < 1)
		return true;
	known->owed--;
	return false;
}

/* Finds out how the reference advances in its loop, and by that whether the thread has waited. */
static void check_stride(struct known *known, struct ms_hardware_sample *sample,
			 const struct ms_wire_sample *wire, const uint64_t *regs,
			 struct ms_hardware_sample_loop *in)
{
	struct ms_decode_operand operand = known->stopped.operand;
	int64_t stride = ms_decode_stride(&operand, regs, wire->regs);

	in->strided = (operand.strides_far || stride != 0) && operand.kind != 1;
	if (sample->what != MS_HARDWARE_REFERENCE || sample->address == MS_HARDWARE_NO_ADDRESS ||
	    sample->sureness == MS_SURE_LEARNT || stride == 0 || stride <= -MS_DECODE_LINE ||
	    stride >= MS_DECODE_LINE)
		return;
	operand.stride = (int8_t)stride;
	in->in_order = true;
	if (operand.kind == 1 || !has_waited(known, &operand, sample, wire, regs))
		sample->what = MS_HARDWARE_COMPUTE;
}

/* --- addresses that the load has overwritten --- */

/* From the next sample with this pc on, the runtime records the address of the load. */
static void request_address(const struct ms_hardware *h, uint64_t stop, uint64_t site)
{
	struct ms_wire_wanted *w =
		(struct ms_wire_wanted *)((uint8_t *)h->memory.ring->stream + MS_WIRE_WANTED_AT) +
		ms_wire_wanted_at(stop);

	for (uint32_t i = 0; i < MS_WIRE_WANTED_NEAR; i++) {
		if (w[i].stop == stop)
			return;
		if (w[i].stop == 0) {
			w[i].site = site;
			__atomic_store_n(&w[i].stop, stop, __ATOMIC_RELEASE);
			return;
		}
	}
}

/* The runtime no longer records it. An address is never odd on aarch64, nor this low anywhere. */
static void withdraw_request(const struct ms_hardware *h, uint64_t stop)
{
	struct ms_wire_wanted *w =
		(struct ms_wire_wanted *)((uint8_t *)h->memory.ring->stream + MS_WIRE_WANTED_AT) +
		ms_wire_wanted_at(stop);

	for (uint32_t i = 0; i < MS_WIRE_WANTED_NEAR; i++)
		if (w[i].stop == stop)
			__atomic_store_n(&w[i].stop, 1, __ATOMIC_RELEASE);
}

/*
 * Whether an address is worth a breakpoint: always if none is known; for a while if only its data
 * structure is known, to find out how many lines the load uses.
 */
static bool is_probed(struct ms_hardware *h, struct known *known,
		      const struct ms_hardware_sample *sample, bool approximate, uint64_t stop)
{
	enum { PROBES = 512 };

	if (sample->what != MS_HARDWARE_REFERENCE)
		return false;
	if (sample->address == MS_HARDWARE_NO_ADDRESS)
		return true;
	if (!approximate || known->probed > PROBES)
		return false;
	if (++known->probed > PROBES)
		withdraw_request(h, stop);
	return known->probed <= PROBES;
}

/* A thread has at most one. If the load was not executed again, its address stays unknown. */
static void release_held(struct ms_hardware *h, struct ms_hardware_timer *t, uint32_t thread,
			 uint64_t address)
{
	for (size_t i = 0; i < t->held.n; i++) {
		if (t->held.at[i].thread != thread)
			continue;
		if (address != MS_HARDWARE_NO_ADDRESS) {
			t->held.at[i].sample.address = address;
			t->held.at[i].sample.sureness = MS_SURE_LEARNT;
			t->held.at[i].in.approximate = false;
		}
		t->held.at[i].sample.in = &t->held.at[i].in;
		ms_hardware_take(h, &t->held.at[i].sample);
		t->held.at[i] = t->held.at[--t->held.n];
		return;
	}
}

static void take_recorded_address(struct ms_hardware *h, struct ms_hardware_timer *t,
				  uint32_t thread, const struct ms_wire_sample *wire,
				  const struct ms_decode_code_around *code, const uint64_t *regs)
{
	struct ms_decode_stopped_thread stopped;
	uint64_t address = MS_HARDWARE_NO_ADDRESS;

	if (ms_decode_here(code, &stopped) &&
	    ms_decode_address(&stopped, regs, wire->regs, wire->thread_pointer, &address) ==
		    MS_ADDRESS_NONE)
		address = MS_HARDWARE_NO_ADDRESS;
	release_held(h, t, thread, address);
}

/* --- time in the kernel --- */

/* Time of page faults is part of it: samples that this explains are not counted again. */
static void take_kernel_time(struct ms_hardware *h, const struct ms_wire_sample *wire)
{
	uint64_t *faults = &h->timed->faults;
	const struct ms_hardware_sample sample = { .what = MS_HARDWARE_COMPUTE,
						   .pc = MS_BOUND_KERNEL_PC,
						   .events = 1,
						   .latency = wire->nanoseconds };

	for (uint32_t i = 0; i < wire->lost; i++) {
		if (*faults >= wire->nanoseconds)
			*faults -= wire->nanoseconds;
		else
			ms_hardware_take(h, &sample);
	}
}

/*
 * Page faults are waiting for the data that is touched: of the instruction that has caused the last
 * one, or its code, if that does not access memory.
 */
static void take_faults(struct ms_hardware *h, uint32_t thread, const struct ms_wire_sample *wire,
			const struct ms_decode_code_around *code, const uint64_t *regs)
{
	struct ms_decode_stopped_thread stopped;
	struct ms_hardware_sample sample = { .what = MS_HARDWARE_REFERENCE,
					     .pc = MS_BOUND_FAULTS_PC,
					     .address = wire->pc,
					     .events = 1,
					     .latency = wire->nanoseconds,
					     .sureness = MS_SURE_GUESSED,
					     .kind = MS_SITE_ACCESS };

	if (ms_decode_here(code, &stopped) &&
	    ms_decode_address(&stopped, regs, wire->regs, wire->thread_pointer, &sample.address) ==
		    MS_ADDRESS_NONE)
		sample.address = wire->pc;
	/* The code of the sample is that of page faults: its caller is the code at pc. */
	sample.context =
		ms_hardware_add_call(&h->paths, ms_hardware_take_context(&h->paths, thread),
				     ms_bins_locate(h->memory.binder, wire->pc));
	h->timed->faults += wire->nanoseconds;
	ms_hardware_take(h, &sample);
}

/* --- the sampler's own cost --- */

static void count(struct ms_hardware_timer *t, struct ms_hardware *h, uint32_t thread,
		  const struct ms_wire_sample *wire)
{
	while (t->seen.n <= thread)
		*ms_vec_add(&t->seen) = false;
	h->about.threads += !t->seen.at[thread];
	t->seen.at[thread] = true;
	t->samples += 1 + wire->lost;
	t->time += wire->nanoseconds * (1 + (uint64_t)wire->lost);
	t->cost += (uint64_t)wire->cost * (1 + (uint64_t)wire->lost);
	if (wire->flags & MS_WIRE_SAMPLE_TICK) /* of one thread, if only that */
		h->about.event = "processor time, at ticks";
	h->about.unit = MS_RUN_NANOSECONDS;
	h->about.period = (double)t->time / (double)t->samples;
}

/* The time of taking samples and of describing threads and blocks, relative to the program's. */
static double overhead(const struct ms_hardware_timer *t, uint64_t describing, uint64_t cpu_ns)
{
	uint64_t cost = t->cost + describing;
	uint64_t own = cpu_ns > cost ? cpu_ns - cost : 0;

	if (own < t->time)
		own = t->time;
	return own > 0 ? (double)cost / (double)own : 0;
}

void ms_hardware_timer_finish(struct ms_hardware *h)
{
	/* perf/ measures the cost of samples that the kernel takes by itself. */
	if (h->timed != NULL && h->perf == NULL)
		h->about.overhead = overhead(h->timed, ms_stream_ring_describe_ns(h->memory.ring),
					     h->about.cpu_ns);
	for (size_t i = 0; h->timed != NULL && i < h->timed->held.n; i++) {
		struct held *held = &h->timed->held.at[i];

		if (held->sample.address == MS_HARDWARE_NO_ADDRESS) {
			ms_hardware_lose(h, held->sample.reason, 1, held->sample.latency);
			continue;
		}
		held->sample.in = &held->in;
		ms_hardware_take(h, &held->sample);
	}
}

static void take(struct ms_hardware *h, uint32_t thread, const struct ms_bins_bound_pc *at,
		 const struct ms_wire_sample *wire, const struct ms_decode_code_around *code,
		 const uint64_t *regs)
{
	struct ms_hardware_timer *t = h->timed;
	struct known *known = known_at(t, code);
	const struct ms_decode_stopped_thread *stopped = &known->stopped;
	struct ms_hardware_sample_loop in = { .loop = stopped->loop, .thread = thread };
	struct ms_hardware_sample sample = sample_of(h, stopped, wire, regs, &in.approximate);

	if (at != NULL && stopped->stop != MS_STOP_KERNEL) {
		sample.is_bound = true;
		sample.bound = (struct ms_bins_bound_pc){ at->module,
							  at->offset + (sample.pc - wire->pc) };
	}
	sample.context = ms_hardware_take_context(&h->paths, thread);
	release_held(h, t, thread, MS_HARDWARE_NO_ADDRESS);
	check_stride(known, &sample, wire, regs, &in);
	if (is_probed(h, known, &sample, in.approximate, wire->pc)) {
		request_address(h, wire->pc, stopped->site);
		if (wire->flags & MS_WIRE_SAMPLE_WATCHED) {
			*ms_vec_add(&t->held) = (struct held){ sample, in, thread };
			return;
		}
	}
	sample.in = &in;
	ms_hardware_take(h, &sample);
}

void ms_hardware_timer_take(struct ms_hardware *h, uint32_t thread,
			    const struct ms_bins_bound_pc *at, const uint64_t *words)
{
	const uint64_t *regs = words + sizeof(struct ms_wire_sample) / 8;
	struct ms_wire_sample wire;

	memcpy(&wire, words, sizeof(wire));
	struct ms_decode_code_around code = { .pc = wire.pc,
					      .bytes = (const uint8_t *)(regs + wire.regs),
					      .before = wire.before,
					      .after = wire.after };
	if (h->timed == NULL)
		h->timed = ms_alloc(sizeof(*h->timed));
	if (wire.flags & MS_WIRE_SAMPLE_KERNEL) {
		take_kernel_time(h, &wire);
		return;
	}
	if (wire.flags & MS_WIRE_SAMPLE_FAULT) {
		h->timed->cost += wire.cost;
		take_faults(h, thread, &wire, &code, regs);
		return;
	}
	if (wire.flags & MS_WIRE_SAMPLE_LEARNT) {
		h->timed->cost += wire.cost;
		take_recorded_address(h, h->timed, thread, &wire, &code, regs);
		return;
	}
	count(h->timed, h, thread, &wire);
	ms_hardware_lose(h, "memspy itself was at work for the thread", wire.lost,
			 wire.lost * wire.nanoseconds);
	take(h, thread, at, &wire, &code, regs);
}
