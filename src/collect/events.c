/*
 * collect/events.c - events of the stream: what they mean to the binder, once, and to every shard.
 *
 * Every worker meets every event, in the same order. The first to meet one tells the binder, under
 * the lock, and writes down what came of it; then each worker tells its own shard.
 */
#include <math.h>
#include <string.h>

#include "collect/collect_priv.h"

/* What a kernel allows; more is a broken stream, and would cost its memory. */
enum { MOST_THREADS = 1 << 22 };

struct event {
	uint32_t arg;
	const uint64_t *words; /* behind the head */
	size_t n;
};

/* bind: once. apply: for each shard. Each may be NULL. */
struct handler {
	const char *name;
	size_t words; /* at least; behind the head */
	int (*bind)(struct collector *c, const struct event *e, struct bound_event *b,
		    struct ms_err *err);
	void (*apply)(struct worker *w, const struct event *e, const struct bound_event *b);
};

#define EACH_SHARD(w, shard)                                                              \
	for (size_t shard##_i = 0; shard##_i < (w)->collector->engine_count; shard##_i++) \
		for (struct ms_shard *shard = (w)->shards[shard##_i]; shard != NULL; shard = NULL)

/* NULL for engines with one processor, which the functions of assign.c take calmly. */
#define EACH_ASSIGNMENT(w, p)                                                       \
	for (size_t p##_i = 0; p##_i < (w)->collector->engine_count; p##_i++)       \
		for (struct assignment *p = (w)->assignments[p##_i], *p##_once = p; \
		     p##_once != NULL; p##_once = NULL)

static struct data_stats *stats_of(struct collector *c, uint32_t data)
{
	if (data >= c->stats.n) {
		ms_vec_reserve(&c->stats, data + 1 - c->stats.n);
		c->stats.n = data + 1;
	}
	return &c->stats.at[data];
}

static void count_objects(struct worker *w, uint32_t data, uint64_t bytes, double objects)
{
	struct data_stats *s;

	if (w->number != 0)
		return;
	s = stats_of(w->collector, data);
	s->live -= (double)ms_shard_lost(w->shards[0], data);
	s->told++;
	s->objects += objects;
	s->bytes += objects * (double)bytes;
	s->live += objects * (double)bytes;
	if (s->live > s->peak)
		s->peak = s->live;
	if (bytes > s->largest)
		s->largest = bytes;
}

static void count_object(struct worker *w, uint32_t data, uint64_t bytes)
{
	count_objects(w, data, bytes, 1);
}

/* What is gone was as many as one is on average. */
static void uncount_object(struct worker *w, const struct ms_place *was)
{
	struct data_stats *s = stats_of(w->collector, was->data);
	double objects = s->told > 0 ? s->objects / (double)s->told : 1;

	s->live -= objects * (double)(was->end - was->start);
	if (s->live < 0)
		s->live = 0;
}

/* --- blocks and modules --- */

static int bind_block(struct collector *c, const struct event *e, struct bound_event *b,
		      struct ms_err *err)
{
	const struct ms_bound_block *bound = NULL;

	MS_TRY(ms_binder_block(c->binder, e->arg, e->words, e->n, &bound, err));

	struct ms_block *block = ms_arena_take(&c->arena, sizeof(*block));
	struct ms_block_ref *refs = ms_arena_take(&c->arena, bound->refs * sizeof(*refs));
	for (uint32_t i = 0; i < bound->refs; i++)
		refs[i] = (struct ms_block_ref){ bound->ref[i].site, bound->ref[i].size,
						 bound->ref[i].kind };
	*block = (struct ms_block){ bound->refs, bound->exits, refs, bound->exit_refs,
				    bound->exit_instructions };
	b->block = block;
	return MS_OK;
}

static void apply_block(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)e;
	EACH_SHARD(w, shard)
		ms_shard_add_block(shard, b->block);
}

static void keep_ranges(struct collector *c, const struct ms_bound_ranges *ranges,
			struct bound_event *b)
{
	struct ms_places all = { MS_VEC_INIT };

	for (size_t i = 0; i < ranges->n; i++)
		ms_splits_static(c, &ranges->at[i], &all);
	struct ms_place *places = ms_arena_take(&c->arena, all.at.n * sizeof(*places));
	if (all.at.n > 0)
		memcpy(places, all.at.at, all.at.n * sizeof(*places));
	b->places = places;
	b->place_count = all.at.n;
	ms_vec_free(&all.at);
}

static int bind_module(struct collector *c, const struct event *e, struct bound_event *b,
		       struct ms_err *err)
{
	struct ms_bound_ranges ranges;

	MS_TRY(ms_binder_module(c->binder, e->arg, e->words, e->n, &ranges, err));
	keep_ranges(c, &ranges, b);
	return MS_OK;
}

static void apply_module(struct worker *w, const struct event *e, const struct bound_event *b)
{
	EACH_SHARD(w, shard)
		ms_shard_add_module(shard, e->arg, b->places, b->place_count);
}

static int bind_module_gone(struct collector *c, const struct event *e, struct bound_event *b,
			    struct ms_err *err)
{
	(void)b;
	(void)err;
	ms_binder_module_gone(c->binder, e->arg);
	return MS_OK;
}

static void apply_module_gone(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_SHARD(w, shard)
		ms_shard_remove_module(shard, e->arg);
}

/* --- the heap --- */

static int bind_path(struct collector *c, const struct event *e, struct bound_event *b,
		     struct ms_err *err)
{
	(void)b;
	return ms_binder_path(c->binder, e->arg, e->words, e->n, err);
}

static int bind_alloc(struct collector *c, const struct event *e, struct bound_event *b,
		      struct ms_err *err)
{
	b->stride = 0;
	MS_TRY(ms_binder_heap(c->binder, e->arg, &b->data, err));
	if (c->split != NULL)
		ms_splits_alloc(c, e->words[1], b);
	return MS_OK;
}

/* Members of the structures in a block lie in it as objects of their own. */
static void place_members(struct worker *w, const struct event *e, const struct bound_event *b)
{
	for (uint64_t at = 0; b->stride > 0 && at + b->stride <= e->words[1]; at += b->stride)
		for (size_t i = 0; i < b->place_count; i++) {
			const struct ms_place *p = &b->places[i];

			EACH_SHARD(w, shard)
				ms_shard_place_inner(shard, e->words[0] + at + p->start,
						     p->end - p->start, p->data);
			count_object(w, p->data, p->end - p->start);
		}
}

/* How many a block stands for that was chosen by its size: see frontends/native/thin.c. */
static double objects_of(const struct event *e)
{
	double mean = e->n > 2 ? (double)e->words[2] : 0;

	return mean <= 0 ? 1 : 1 / -expm1(-((double)e->words[1] + 1) / mean);
}

static void apply_alloc(struct worker *w, const struct event *e, const struct bound_event *b)
{
	EACH_SHARD(w, shard)
		ms_shard_place(shard, e->words[0], e->words[1], b->data);
	count_objects(w, b->data, e->words[1], objects_of(e));
	if (e->n > 2 && w->number == 0 && w->collector->hardware != NULL)
		w->collector->hardware->thinned = true;
	place_members(w, e, b);
}

static void apply_free(struct worker *w, const struct event *e, const struct bound_event *b)
{
	struct ms_place was;
	bool found = false;

	(void)b;
	EACH_SHARD(w, shard)
		found = ms_shard_free(shard, e->words[0], &was);
	if (found && w->number == 0)
		uncount_object(w, &was);
}

static void apply_inner_alloc(struct worker *w, const struct event *e, const struct bound_event *b)
{
	EACH_SHARD(w, shard)
		ms_shard_place_inner(shard, e->words[0], e->words[1], b->data);
	count_object(w, b->data, e->words[1]);
}

static void apply_inner_free(struct worker *w, const struct event *e, const struct bound_event *b)
{
	struct ms_place was;
	bool found = false;

	(void)b;
	EACH_SHARD(w, shard)
		found = ms_shard_free_inner(shard, e->words[0], &was);
	if (found && w->number == 0)
		uncount_object(w, &was);
}

static bool *allocating(struct worker *w, uint32_t thread)
{
	if (thread >= w->allocating.n) {
		ms_vec_reserve(&w->allocating, thread + 1 - w->allocating.n);
		w->allocating.n = thread + 1;
	}
	return &w->allocating.at[thread];
}

/* A freed block is the allocator's own while it works; for the program it is nobody's. */
static void set_freed(struct worker *w)
{
	EACH_SHARD(w, shard)
		ms_shard_set_freed(shard, *allocating(w, w->running) ? MS_BOUND_ALLOCATOR
								     : MS_BOUND_FREED);
}

static void apply_heap_call(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	*allocating(w, w->running) = e->arg != 0;
	set_freed(w);
}

static int bind_switch(struct collector *c, const struct event *e, struct bound_event *b,
		       struct ms_err *err)
{
	(void)b;
	(void)err;
	c->bound_thread = e->arg;
	return MS_OK;
}

static void apply_switch(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	w->running = e->arg;
	set_freed(w);
	EACH_ASSIGNMENT(w, p)
	ms_assign_switch(p, e->arg);
}

/* --- mappings --- */

static struct ms_wire_map map_of(const struct event *e)
{
	struct ms_wire_map map;

	memcpy(&map, e->words, sizeof(map));
	return map;
}

static int bind_map(struct collector *c, const struct event *e, struct bound_event *b,
		    struct ms_err *err)
{
	struct ms_wire_map map = map_of(e);
	char path[MS_WIRE_MAX_TEXT + 1];

	if (map.path_bytes > (e->n * 8 - sizeof(map)) || map.path_bytes > MS_WIRE_MAX_TEXT)
		return ms_fail(err, MS_EFORMAT, "stream: a mapping's path is cut short");
	memcpy(path, (const char *)e->words + sizeof(map), map.path_bytes);
	path[map.path_bytes] = '\0';

	if (map.kind == MS_WIRE_MAP_FILE)
		b->data = ms_binder_file(c->binder, map.path_bytes > 0 ? path : "<file>");
	else if (map.kind == MS_WIRE_MAP_HEAP)
		b->data = MS_BOUND_ALLOCATOR;
	else if (map.kind == MS_WIRE_MAP_ANON && e->arg != MS_WIRE_NO_PATH)
		return ms_binder_mapping(c->binder, e->arg, &b->data, err);
	else
		b->data = MS_BOUND_START;
	return MS_OK;
}

static void apply_map(struct worker *w, const struct event *e, const struct bound_event *b)
{
	struct ms_wire_map map = map_of(e);

	bool exact = map.kind != MS_WIRE_MAP_HEAP && map.kind != MS_WIRE_MAP_START;

	EACH_SHARD(w, shard) {
		ms_shard_unmap(shard, map.address, map.address + map.size);
		ms_shard_map(shard, map.address, map.address + map.size, b->data, exact);
	}
	count_object(w, b->data, map.size);
}

static void apply_unmap(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_SHARD(w, shard)
		ms_shard_unmap(shard, e->words[0], e->words[0] + e->words[1]);
}

/* --- what the program tells --- */

static int text_of(const struct event *e, size_t fixed_words, uint32_t bytes,
		   char text[MS_WIRE_MAX_NAME + 1], struct ms_err *err)
{
	if (bytes == 0 || bytes > MS_WIRE_MAX_NAME || bytes > (e->n - fixed_words) * 8)
		return ms_fail(err, MS_EFORMAT,
			       "stream: a name of %u bytes in %zu words, expected 1 to %d bytes",
			       bytes, e->n, MS_WIRE_MAX_NAME);
	memcpy(text, e->words + fixed_words, bytes);
	text[bytes] = '\0';
	return MS_OK;
}

static int bind_name(struct collector *c, const struct event *e, struct bound_event *b,
		     struct ms_err *err)
{
	char text[MS_WIRE_MAX_NAME + 1];
	struct ms_wire_name name;

	memcpy(&name, e->words, sizeof(name));
	MS_TRY(text_of(e, sizeof(name) / 8, name.text_bytes, text, err));
	b->data = ms_binder_named(c->binder, text);
	return MS_OK;
}

static void apply_name(struct worker *w, const struct event *e, const struct bound_event *b)
{
	EACH_SHARD(w, shard)
		ms_shard_name(shard, e->words[0], e->words[1], b->data);
	count_object(w, b->data, e->words[1]);
}

static void apply_unname(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_SHARD(w, shard)
		ms_shard_unname(shard, e->words[0]);
}

/* data is the phase's number here. */
static int bind_phase(struct collector *c, const struct event *e, struct bound_event *b,
		      struct ms_err *err)
{
	char text[MS_WIRE_MAX_NAME + 1];

	MS_TRY(text_of(e, 0, e->arg, text, err));
	const char *name = ms_intern(&c->phase_names, text);
	for (b->data = 1; b->data < c->phases.n; b->data++)
		if (c->phases.at[b->data].name == name)
			break;
	if (b->data == c->phases.n)
		*ms_vec_add(&c->phases) = (struct phase){ name, 0 };
	c->phases.at[b->data].times++;
	return MS_OK;
}

static void apply_phase(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)e;
	EACH_SHARD(w, shard)
		ms_shard_phase(shard, b->data);
	if (w->number == 0 && w->collector->hardware != NULL)
		w->collector->hardware->phase = b->data;
}

/* Executions that are not counted are not in the stream: there is nothing to do but to remember. */
static int bind_counting(struct collector *c, const struct event *e, struct bound_event *b,
			 struct ms_err *err)
{
	(void)b;
	(void)err;
	c->stops += e->arg == 0;
	return MS_OK;
}

/* Samples come all the same: the kernel's, and those of threads that have not heard of it yet. */
static void apply_counting(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	if (w->collector->hardware != NULL && w->number == 0)
		w->collector->hardware->stopped = e->arg == 0;
}

/* --- windows --- */

static int bind_window(struct collector *c, struct ms_wire_window *sum, const struct event *e,
		       struct ms_err *err)
{
	struct ms_wire_window window;

	memcpy(&window, e->words, sizeof(window));
	ms_sampled_add(sum, &window);
	return c->sampling != NULL
		       ? MS_OK
		       : ms_fail(err, MS_EFORMAT,
				 "stream: it has windows of a sampled program, expected "
				 "all of it. Say --sample, --window and --sample-sets "
				 "as when the trace was made: older traces do not tell");
}

static int bind_open(struct collector *c, const struct event *e, struct bound_event *b,
		     struct ms_err *err)
{
	(void)b;
	return bind_window(c, &c->windows[c->stratum].out, e, err);
}

static int bind_close(struct collector *c, const struct event *e, struct bound_event *b,
		      struct ms_err *err)
{
	(void)b;
	__atomic_store_n(&c->pace.closed, c->pace.closed + 1, __ATOMIC_RELAXED);
	return bind_window(c, &c->windows[c->stratum].in, e, err);
}

static int bind_stratum(struct collector *c, const struct event *e, struct bound_event *b,
			struct ms_err *err)
{
	uint32_t most = c->sampling != NULL && c->sampling->head != 0 ? 3 : 2;

	if (c->sampling == NULL || !ms_sampling_is_paced(c->sampling) || e->arg != c->stratum + 1 ||
	    e->arg > most)
		return ms_fail(err, MS_EFORMAT,
			       "stream: stratum %u of windows behind stratum %u, expected the "
			       "next one, of a program whose windows change",
			       e->arg, c->stratum);
	b->data = ++c->stratum;
	c->windows[c->stratum].window = e->words[0];
	c->windows[c->stratum].period = e->words[1];
	return MS_OK;
}

static void apply_stratum(struct worker *w, const struct event *e, const struct bound_event *b)
{
	struct sampled_parts parts = ms_sampled_parts(w->collector->sampling, b->data);

	(void)e;
	EACH_SHARD(w, shard)
		ms_shard_stratum(shard, parts.first, parts.n);
}

static void apply_close(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)e;
	(void)b;
	EACH_SHARD(w, shard)
		ms_shard_window_end(shard);
}

static void apply_open(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_SHARD(w, shard)
		ms_shard_window(shard, e->arg);
}

/* --- the real machine --- */

static void apply_time(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	if (w->collector->hardware != NULL && w->number == 0)
		ms_hardware_until(w, e->words[0]);
}

/* --- threads --- */

static void apply_thread(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_SHARD(w, shard)
		ms_shard_map(shard, e->words[0], e->words[1], MS_BOUND_STACK, true);
	count_object(w, MS_BOUND_STACK, e->words[1] - e->words[0]);
	EACH_ASSIGNMENT(w, p)
	ms_assign_thread(p, e->arg, e->n > 2 ? e->words[2] : MS_WIRE_NO_THREAD);
}

static void apply_thread_end(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_assign_thread_end(p, e->arg, e->n > 0 && e->words[0] == MS_WIRE_END_TAKEN);
}

static void apply_clock(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_assign_clock(p, e->arg, e->words[0]);
}

static void apply_thread_at(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_assign_at(p, e->arg, e->words[0]);
}

static void apply_wait(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_assign_wait(p, e->arg, e->words[0], e->words[1]);
}

static void apply_wake(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_assign_wake(p, e->arg, e->words[0]);
}

static void apply_spin(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_assign_spin(p, e->arg, e->words[0], e->words[1]);
}

static void apply_affinity(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_assign_affinity(p, e->arg, e->words, e->n);
}

static void apply_policy(struct worker *w, const struct event *e, const struct bound_event *b)
{
	struct ms_wire_policy policy;

	(void)b;
	memcpy(&policy, e->words, sizeof(policy));
	EACH_ASSIGNMENT(w, p)
	ms_assign_policy(p, &policy);
}

static int bind_tls(struct collector *c, const struct event *e, struct bound_event *b,
		    struct ms_err *err)
{
	struct ms_bound_ranges ranges = { NULL, 0 };

	(void)err;
	if (e->words[0] != 0)
		ms_binder_tls(c->binder, e->words[0], &ranges);
	keep_ranges(c, &ranges, b);
	return MS_OK;
}

static void apply_tls(struct worker *w, const struct event *e, const struct bound_event *b)
{
	(void)e;
	for (size_t i = 0; i < b->place_count; i++) {
		const struct ms_place *p = &b->places[i];

		EACH_SHARD(w, shard)
			ms_shard_map(shard, p->start, p->end, p->data, true);
		count_object(w, p->data, p->end - p->start);
	}
}

/* --- samples of the real machine --- */

static int bind_sample(struct collector *c, const struct event *e, struct bound_event *b,
		       struct ms_err *err)
{
	(void)b;
	if (c->hardware == NULL)
		return ms_fail(err, MS_EFORMAT,
			       "stream: it has samples of a real machine, expected executions");
	return ms_timed_check(e->words, e->n, err);
}

/* A freed block is the allocator's own while it works, as above. */
static void apply_sample(struct worker *w, const struct event *e, const struct bound_event *b)
{
	struct ms_wire_sample sample;

	(void)b;
	memcpy(&sample, e->words, sizeof(sample));
	w->running = e->arg;
	*allocating(w, w->running) = (sample.flags & MS_WIRE_SAMPLE_IN_HEAP) != 0;
	set_freed(w);
	if (w->number == 0)
		ms_timed_take(w, e->arg, e->words);
}

static const struct handler handlers[MS_WIRE_KINDS] = {
	[MS_WIRE_BLOCK] = { "block", 1, bind_block, apply_block },
	[MS_WIRE_MODULE] = { "module", sizeof(struct ms_wire_module) / 8, bind_module,
			     apply_module },
	[MS_WIRE_MODULE_GONE] = { "module gone", 0, bind_module_gone, apply_module_gone },
	[MS_WIRE_PATH] = { "path", 0, bind_path, NULL },
	[MS_WIRE_ALLOC] = { "allocation", 2, bind_alloc, apply_alloc },
	[MS_WIRE_FREE] = { "free", 1, NULL, apply_free },
	[MS_WIRE_HEAP_CALL] = { "call of the allocator", 0, NULL, apply_heap_call },
	[MS_WIRE_MAP] = { "mapping", sizeof(struct ms_wire_map) / 8, bind_map, apply_map },
	[MS_WIRE_UNMAP] = { "unmapping", 2, NULL, apply_unmap },
	[MS_WIRE_THREAD] = { "thread", 2, NULL, apply_thread },
	[MS_WIRE_THREAD_END] = { "thread's end", 0, NULL, apply_thread_end },
	[MS_WIRE_SWITCH] = { "switch", 0, bind_switch, apply_switch },
	[MS_WIRE_TLS] = { "thread pointer", 1, bind_tls, apply_tls },
	[MS_WIRE_INNER_ALLOC] = { "private allocation", 2, bind_alloc, apply_inner_alloc },
	[MS_WIRE_NAME] = { "name", sizeof(struct ms_wire_name) / 8, bind_name, apply_name },
	[MS_WIRE_UNNAME] = { "name's end", 1, NULL, apply_unname },
	[MS_WIRE_PHASE] = { "phase", 1, bind_phase, apply_phase },
	[MS_WIRE_COUNTING] = { "switch of counting", 0, bind_counting, apply_counting },
	[MS_WIRE_INNER_FREE] = { "private free", 1, NULL, apply_inner_free },
	[MS_WIRE_CLOCK] = { "clock", 1, NULL, apply_clock },
	[MS_WIRE_THREAD_AT] = { "place of a thread", 1, NULL, apply_thread_at },
	[MS_WIRE_WAIT] = { "wait", 2, NULL, apply_wait },
	[MS_WIRE_WAKE] = { "wake-up", 1, NULL, apply_wake },
	[MS_WIRE_SPIN] = { "spin", 2, NULL, apply_spin },
	[MS_WIRE_AFFINITY] = { "affinity", 1, NULL, apply_affinity },
	[MS_WIRE_WINDOW_OPEN] = { "window", sizeof(struct ms_wire_window) / 8, bind_open,
				  apply_open },
	[MS_WIRE_WINDOW_CLOSE] = { "window's end", sizeof(struct ms_wire_window) / 8, bind_close,
				   apply_close },
	[MS_WIRE_STRATUM] = { "stratum", 2, bind_stratum, apply_stratum },
	[MS_WIRE_TIME] = { "time stamp", 1, NULL, apply_time },
	[MS_WIRE_POLICY] = { "memory policy", sizeof(struct ms_wire_policy) / 8, NULL,
			     apply_policy },
	[MS_WIRE_SAMPLE] = { "sample", sizeof(struct ms_wire_sample) / 8, bind_sample,
			     apply_sample },
};

/*
 * What the event came to, from whoever met it first. Workers are never further apart than the ring
 * is long, and an event takes a word of it at least: so many results are kept, no more.
 */
static int bound(struct worker *w, const struct handler *h, const struct event *e,
		 struct bound_event *b, struct ms_err *err)
{
	struct collector *c = w->collector;
	uint64_t number = w->events++;

	if (h->bind == NULL)
		return MS_OK;
	if (c->events == NULL)
		return h->bind(c, e, b, err);

	pthread_mutex_lock(&c->lock);
	struct bound_event *kept = &c->events[number % c->event_room];
	if (kept->number_plus_1 != number + 1) {
		*kept = (struct bound_event){ .number_plus_1 = number + 1 };
		kept->code = h->bind(c, e, kept, err);
		/* The reason, before another worker can say only that there is one. */
		if (kept->code != MS_OK && c->failure.code == MS_OK)
			c->failure = *err;
	} else if (kept->code != MS_OK) {
		ms_fail(err, kept->code, "stream: another worker has refused this %s", h->name);
	}
	*b = *kept;
	pthread_mutex_unlock(&c->lock);
	return b->code;
}

static bool is_of_thread(uint32_t kind)
{
	switch (kind) {
	case MS_WIRE_THREAD:
	case MS_WIRE_THREAD_END:
	case MS_WIRE_SWITCH:
	case MS_WIRE_CLOCK:
	case MS_WIRE_THREAD_AT:
	case MS_WIRE_WAIT:
	case MS_WIRE_WAKE:
	case MS_WIRE_SPIN:
	case MS_WIRE_AFFINITY:
	case MS_WIRE_SAMPLE:
		return true;
	default:
		return false;
	}
}

int ms_collect_event(struct worker *worker, const uint64_t *words, size_t n, struct ms_err *err)
{
	uint32_t kind = ms_wire_kind_of(words[0]);
	uint32_t length = ms_wire_words_of(words[0]);
	struct event e = { ms_wire_arg_of(words[0]), words + 1, length - 1u };
	struct bound_event b = { 0 };

	if (is_of_thread(kind) && e.arg > MOST_THREADS)
		return ms_fail(err, MS_EFORMAT, "stream: thread %u, expected at most %d", e.arg,
			       MOST_THREADS);
	if (kind == MS_WIRE_EXEC || kind >= MS_WIRE_KINDS)
		return ms_fail(err, MS_EFORMAT, "stream: record of kind %u, expected 1 to %d", kind,
			       MS_WIRE_KINDS - 1);
	if (length == 0 || length > n || length - 1 < handlers[kind].words)
		return ms_fail(err, MS_EFORMAT, "stream: a %s of %u words where %zu are left",
			       handlers[kind].name, length, n);
	MS_TRY(bound(worker, &handlers[kind], &e, &b, err));
	if (handlers[kind].apply != NULL)
		handlers[kind].apply(worker, &e, &b);
	return MS_OK;
}
