/* collect/events/windows.c - events of a program that is sampled: windows, and how many there are.
 */
#include <string.h>

#include "collect/events/events.h"

static int bind_window(struct ms_collect_state *c, struct ms_wire_window *sum,
		       const struct ms_wire_window *window, struct ms_err *err)
{
	ms_estimate_add_window(sum, window);
	return c->setup.sampling != NULL
		       ? MS_OK
		       : ms_fail(err, MS_EFORMAT,
				 "stream: it has windows of a sampled program, expected "
				 "all of it. Pass --sample, --window and --sample-sets "
				 "as when the trace was made: older traces do not contain them");
}

/* Adds the gap before a window; some of its references may have been counted. */
static void add_gap(struct ms_collect_state *c, const struct ms_collect_event *e, uint64_t counted)
{
	const size_t words = sizeof(struct ms_wire_window) / 8;
	struct ms_wire_window out;
	struct ms_estimate_gap gap = { .window = e->arg,
				       .counted = counted > 0,
				       .blocks = (double)c->windows.heap_blocks };

	memcpy(&out, e->words, sizeof(out));
	gap.by_time = (double)(out.nanoseconds - counted);
	if (e->n >= words + sizeof(gap.timed) / 8)
		memcpy(&gap.timed, e->words + words, sizeof(gap.timed));
	*ms_vec_add(&c->windows.strata[c->windows.stratum].gaps) = gap;
}

/* Completes the gap when the window after it has closed. */
static void end_gap(struct ms_collect_state *c, uint32_t window, uint64_t references)
{
	const struct ms_estimate_sums *s = &c->windows.strata[c->windows.stratum];

	if (s->gaps.n > 0 && s->gaps.at[s->gaps.n - 1].window == window) {
		s->gaps.at[s->gaps.n - 1].references = (double)references;
		s->gaps.at[s->gaps.n - 1].blocks_in = (double)c->windows.heap_blocks;
	}
	c->windows.heap_blocks = 0;
}

static int bind_open(struct ms_collect_state *c, const struct ms_collect_event *e,
		     struct ms_collect_bound_event *b, struct ms_err *err)
{
	struct ms_estimate_sums *sums = &c->windows.strata[c->windows.stratum];
	struct ms_wire_window out;

	(void)b;
	memcpy(&out, e->words, sizeof(out));
	sums->open = true;
	sums->counts = out.references != MS_WIRE_NOT_KNOWN;
	const uint64_t counted = sums->counts ? out.references : 0;
	sums->counted += counted;
	if (out.nanoseconds != MS_WIRE_NOT_KNOWN && out.nanoseconds > out.references)
		out.references = MS_WIRE_NOT_KNOWN; /* not of all of them */
	if (out.references == MS_WIRE_NOT_KNOWN && out.nanoseconds != MS_WIRE_NOT_KNOWN)
		add_gap(c, e, counted);
	c->windows.heap_blocks = 0;
	return bind_window(c, &sums->out, &out, err);
}

static int bind_close(struct ms_collect_state *c, const struct ms_collect_event *e,
		      struct ms_collect_bound_event *b, struct ms_err *err)
{
	struct ms_wire_window in;

	(void)b;
	memcpy(&in, e->words, sizeof(in));
	c->windows.strata[c->windows.stratum].open = false;
	end_gap(c, e->arg, in.references);
	__atomic_store_n(&c->windows.closed, c->windows.closed + 1, __ATOMIC_RELAXED);
	ms_estimate_close_window(&c->windows.concurrency, in.references);
	return bind_window(c, &c->windows.strata[c->windows.stratum].in, &in, err);
}

static int bind_stratum(struct ms_collect_state *c, const struct ms_collect_event *e,
			struct ms_collect_bound_event *b, struct ms_err *err)
{
	uint32_t most = c->setup.sampling != NULL && c->setup.sampling->head != 0 ? 3 : 2;

	if (c->setup.sampling == NULL || !ms_stream_sampling_is_planned(c->setup.sampling) ||
	    e->arg != c->windows.stratum + 1 || e->arg > most)
		return ms_fail(err, MS_EFORMAT,
			       "stream: stratum %u of windows after stratum %u, expected the "
			       "next one, of a program whose windows change",
			       e->arg, c->windows.stratum);
	b->data = ++c->windows.stratum;
	c->windows.strata[c->windows.stratum].window = e->words[0];
	c->windows.strata[c->windows.stratum].period = e->words[1];
	return MS_OK;
}

static void apply_stratum(struct ms_collect_worker *w, const struct ms_collect_event *e,
			  const struct ms_collect_bound_event *b)
{
	struct ms_estimate_parts parts =
		ms_estimate_find_parts(w->collector->setup.sampling, b->data);

	(void)e;
	EACH_SHARD(w, shard)
		ms_engine_windows_set_stratum(shard, parts.first, parts.n);
}

static int bind_left_out(struct ms_collect_state *c, const struct ms_collect_event *e,
			 struct ms_collect_bound_event *b, struct ms_err *err)
{
	(void)b;
	if (c->setup.sampling == NULL || e->arg >= c->binding.exits)
		return ms_fail(err, MS_EFORMAT,
			       "stream: executions in no window, left by exit %u, expected one of "
			       "the %llu described, of a sampled program",
			       e->arg, (unsigned long long)c->binding.exits);
	while (c->windows.outside.n <= e->arg)
		*ms_vec_add(&c->windows.outside) = 0;
	c->windows.outside.at[e->arg] += e->words[0];
	return MS_OK;
}

static void apply_close(struct ms_collect_worker *w, const struct ms_collect_event *e,
			const struct ms_collect_bound_event *b)
{
	(void)e;
	(void)b;
	EACH_SHARD(w, shard)
		ms_engine_windows_end(shard);
}

static void apply_open(struct ms_collect_worker *w, const struct ms_collect_event *e,
		       const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_SHARD(w, shard) {
		ms_engine_windows_begin(shard, e->arg);
		ms_engine_forget_calls(shard);
	}
}

const struct ms_collect_handler ms_collect_event_open = { "window",
							  sizeof(struct ms_wire_window) / 8,
							  bind_open, apply_open };
const struct ms_collect_handler ms_collect_event_close = { "window's end",
							   sizeof(struct ms_wire_window) / 8,
							   bind_close, apply_close };
const struct ms_collect_handler ms_collect_event_stratum = { "stratum", 2, bind_stratum,
							     apply_stratum };
const struct ms_collect_handler ms_collect_event_outside = { "number of executions", 1,
							     bind_left_out, NULL };
