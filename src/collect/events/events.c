/*
 * collect/events/events.c - passes an event of the stream to its handler: see events.h.
 */
#include "collect/events/events.h"

#include <string.h>

#include "collect/heap_lookahead.h"
#include "collect/short_lived_blocks.h"

/* The kernel's limit. A larger number means a corrupt stream, and would exhaust memory. */
enum { MOST_THREADS = 1 << 22 };

static const struct ms_collect_handler *const handlers[MS_WIRE_KINDS] = {
	[MS_WIRE_BLOCK] = &ms_collect_event_block,
	[MS_WIRE_MODULE] = &ms_collect_event_module,
	[MS_WIRE_MODULE_GONE] = &ms_collect_event_module_gone,
	[MS_WIRE_PATH] = &ms_collect_event_path,
	[MS_WIRE_ALLOC] = &ms_collect_event_alloc,
	[MS_WIRE_FREE] = &ms_collect_event_free,
	[MS_WIRE_HEAP_CALL] = &ms_collect_event_heap_call,
	[MS_WIRE_MAP] = &ms_collect_event_map,
	[MS_WIRE_UNMAP] = &ms_collect_event_unmap,
	[MS_WIRE_THREAD] = &ms_collect_event_thread,
	[MS_WIRE_THREAD_END] = &ms_collect_event_thread_end,
	[MS_WIRE_SWITCH] = &ms_collect_event_switch,
	[MS_WIRE_TLS] = &ms_collect_event_tls,
	[MS_WIRE_INNER_ALLOC] = &ms_collect_event_inner_alloc,
	[MS_WIRE_NAME] = &ms_collect_event_name,
	[MS_WIRE_UNNAME] = &ms_collect_event_unname,
	[MS_WIRE_PHASE] = &ms_collect_event_phase,
	[MS_WIRE_COUNTING] = &ms_collect_event_counting,
	[MS_WIRE_INNER_FREE] = &ms_collect_event_inner_free,
	[MS_WIRE_CLOCK] = &ms_collect_event_clock,
	[MS_WIRE_THREAD_AT] = &ms_collect_event_thread_at,
	[MS_WIRE_WAIT] = &ms_collect_event_wait,
	[MS_WIRE_WAKE] = &ms_collect_event_wake,
	[MS_WIRE_SPIN] = &ms_collect_event_spin,
	[MS_WIRE_AFFINITY] = &ms_collect_event_affinity,
	[MS_WIRE_WINDOW_OPEN] = &ms_collect_event_open,
	[MS_WIRE_WINDOW_CLOSE] = &ms_collect_event_close,
	[MS_WIRE_STRATUM] = &ms_collect_event_stratum,
	[MS_WIRE_LEFT_OUT] = &ms_collect_event_outside,
	[MS_WIRE_UNTRACED] = &ms_collect_event_untraced,
	[MS_WIRE_SPIN_LOOP] = &ms_collect_event_spin_loop,
	[MS_WIRE_TIME] = &ms_collect_event_time,
	[MS_WIRE_POLICY] = &ms_collect_event_policy,
	[MS_WIRE_SAMPLE] = &ms_collect_event_sample,
	[MS_WIRE_CALLS] = &ms_collect_event_calls,
};

/*
 * The result of binding the event, which the first worker that reaches it computes. The distance
 * between workers is at most the length of the ring, and an event has at least one word. So the
 * number of results that must be kept is bounded.
 */
static int bound(struct ms_collect_worker *w, const struct ms_collect_handler *h,
		 const struct ms_collect_event *e, struct ms_collect_bound_event *b,
		 struct ms_err *err)
{
	struct ms_collect_state *c = w->collector;
	uint64_t number = w->events++;

	if (c->binding.events == NULL) {
		c->binding.thread = w->running;
		return h->bind(c, e, b, err);
	}

	pthread_mutex_lock(&c->binding.lock);
	struct ms_collect_bound_event *kept = &c->binding.events[number % c->binding.event_room];
	if (kept->number_plus_1 != number + 1) {
		*kept = (struct ms_collect_bound_event){ .number_plus_1 = number + 1 };
		c->binding.thread = w->running;
		kept->code = h->bind(c, e, kept, err);
		/* Keeps the reason: the other workers only report that there is an error. */
		if (kept->code != MS_OK && c->pool.failure.code == MS_OK)
			c->pool.failure = *err;
	} else if (kept->code != MS_OK) {
		ms_fail(err, kept->code, "stream: another worker has refused this %s", h->name);
	}
	*b = *kept;
	pthread_mutex_unlock(&c->binding.lock);
	return b->code;
}

/* Kinds whose argument is a thread. */
static const bool of_thread[MS_WIRE_KINDS] = {
	[MS_WIRE_THREAD] = true, [MS_WIRE_THREAD_END] = true, [MS_WIRE_SWITCH] = true,
	[MS_WIRE_CLOCK] = true,  [MS_WIRE_THREAD_AT] = true,  [MS_WIRE_WAIT] = true,
	[MS_WIRE_WAKE] = true,   [MS_WIRE_SPIN] = true,       [MS_WIRE_AFFINITY] = true,
	[MS_WIRE_SAMPLE] = true, [MS_WIRE_CALLS] = true,
};

/* Whether only the addresses and the number of heap blocks are needed. */
static bool may_omit_short_lived(const struct ms_collect_worker *w)
{
	if (w->collector->splits.choose != NULL)
		return false;
	EACH_SHARD(w, shard)
		if (!ms_engine_allows_short_lived(shard))
			return false;
	return true;
}

/* A block that comes, and goes later in the record: it is counted. */
static int count_short_lived(struct ms_collect_worker *w, const uint64_t *record, uint32_t *data,
			     struct ms_err *err)
{
	struct ms_collect_event e = { ms_wire_arg_of(record[0]), record + 1, 2 };
	struct ms_collect_bound_event b = { 0 };

	MS_TRY(bound(w, &ms_collect_event_alloc, &e, &b, err));
	ms_collect_count_object(w, b.data, record[2]);
	*data = b.data;
	return MS_OK;
}

/* Processes word i of a packed record; addresses are relative to base. */
static int process_block(struct ms_collect_worker *w, uint64_t base, const uint64_t *words,
			 size_t i, struct ms_err *err)
{
	struct ms_collect_short_lived *p = w->passing;
	uint64_t record[MS_WIRE_UNPACKED];
	size_t length = ms_wire_unpack(base, words[i], record);

	if (p->partner[i] == 0)
		return ms_collect_process_event(w, record, length, err);
	if (ms_wire_kind_of(record[0]) == MS_WIRE_ALLOC)
		return count_short_lived(w, record, &p->data[i], err);
	w->events++;
	ms_wire_unpack(base, words[p->partner[i] - 1], record);
	ms_collect_free_short_lived(w, record + 1, p->data[p->partner[i] - 1]);
	return MS_OK;
}

/* Has the same effect as one record for each block. */
static int process_packed(struct ms_collect_worker *w, const uint64_t *words, size_t n,
			  struct ms_err *err)
{
	size_t length = ms_wire_words_of(words[0]);

	if (length < 2 || length > n)
		return ms_fail(err, MS_EFORMAT, "stream: blocks in %zu words where %zu are left",
			       length, n);
	if (w->passing == NULL)
		w->passing = ms_alloc(sizeof(*w->passing));
	if (may_omit_short_lived(w))
		ms_collect_find_short_lived(w->passing, words + 2, length - 2);
	else
		memset(w->passing->partner, 0, (length - 2) * sizeof(*w->passing->partner));
	for (size_t i = 0; i < length - 2; i++) {
		ms_collect_look_ahead_packed(w, words[1], words + 2, w->passing->partner,
					     length - 2, i);
		MS_TRY(process_block(w, words[1], words + 2, i, err));
	}
	return MS_OK;
}

static int bind_and_apply(struct ms_collect_worker *w, const struct ms_collect_handler *h,
			  const struct ms_collect_event *e, struct ms_err *err)
{
	struct ms_collect_bound_event b = { 0 };

	MS_TRY(bound(w, h, e, &b, err));
	if (h->apply != NULL)
		h->apply(w, e, &b);
	return MS_OK;
}

/* Most events are of the heap, and most of these need not be bound. */
static void apply_unbound(struct ms_collect_worker *w, const struct ms_collect_handler *h,
			  const struct ms_collect_event *e)
{
	static const struct ms_collect_bound_event nothing;

	w->events++;
	if (h->apply != NULL)
		h->apply(w, e, &nothing);
}

int ms_collect_process_event(struct ms_collect_worker *worker, const uint64_t *words, size_t n,
			     struct ms_err *err)
{
	uint32_t kind = ms_wire_kind_of(words[0]);
	uint32_t length = ms_wire_words_of(words[0]);
	struct ms_collect_event e = { ms_wire_arg_of(words[0]), words + 1, length - 1u };

	if (kind == MS_WIRE_PACKED)
		return process_packed(worker, words, n, err);
	if (kind >= MS_WIRE_KINDS || handlers[kind] == NULL)
		return ms_fail(err, MS_EFORMAT, "stream: record of kind %u, expected 1 to %d", kind,
			       MS_WIRE_KINDS - 1);
	if (of_thread[kind] && e.arg > MOST_THREADS)
		return ms_fail(err, MS_EFORMAT, "stream: thread %u, expected at most %d", e.arg,
			       MOST_THREADS);

	const struct ms_collect_handler *h = handlers[kind];
	if (length == 0 || length > n || length - 1 < h->words)
		return ms_fail(err, MS_EFORMAT, "stream: a %s of %u words where %zu are left",
			       h->name, length, n);
	if (h->bind != NULL)
		return bind_and_apply(worker, h, &e, err);
	apply_unbound(worker, h, &e);
	return MS_OK;
}
