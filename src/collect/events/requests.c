/* collect/events/requests.c - events of the program's own requests: names, phases, when to count.
 */
#include <string.h>

#include "collect/events/events.h"

static int text_of(const struct ms_collect_event *e, size_t fixed_words, uint32_t bytes,
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

static int bind_name(struct ms_collect_state *c, const struct ms_collect_event *e,
		     struct ms_collect_bound_event *b, struct ms_err *err)
{
	char text[MS_WIRE_MAX_NAME + 1];
	struct ms_wire_name name;

	memcpy(&name, e->words, sizeof(name));
	MS_TRY(text_of(e, sizeof(name) / 8, name.text_bytes, text, err));
	b->data = name.flags & MS_WIRE_NAME_STACK ? ms_bins_stack_variable(c->binding.binder, text)
						  : ms_bins_named(c->binding.binder, text);
	return MS_OK;
}

static void apply_name(struct ms_collect_worker *w, const struct ms_collect_event *e,
		       const struct ms_collect_bound_event *b)
{
	EACH_SHARD(w, shard)
		ms_engine_name_range(shard, e->words[0], e->words[1], b->data);
	ms_collect_count_object(w, b->data, e->words[1]);
}

static void apply_unname(struct ms_collect_worker *w, const struct ms_collect_event *e,
			 const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_SHARD(w, shard)
		ms_engine_unname_range(shard, e->words[0]);
}

/* data is the phase's number here. */
static int bind_phase(struct ms_collect_state *c, const struct ms_collect_event *e,
		      struct ms_collect_bound_event *b, struct ms_err *err)
{
	char text[MS_WIRE_MAX_NAME + 1];

	MS_TRY(text_of(e, 0, e->arg, text, err));
	const char *name = ms_intern(&c->program.phase_names, text);
	for (b->data = 1; b->data < c->program.phases.n; b->data++)
		if (c->program.phases.at[b->data].name == name)
			break;
	if (b->data == c->program.phases.n)
		*ms_vec_add(&c->program.phases) = (struct ms_name_phase){ name, 0 };
	c->program.phases.at[b->data].times++;
	return MS_OK;
}

static void apply_phase(struct ms_collect_worker *w, const struct ms_collect_event *e,
			const struct ms_collect_bound_event *b)
{
	(void)e;
	EACH_SHARD(w, shard)
		ms_engine_begin_phase(shard, b->data);
	if (w->number == 0 && w->collector->hardware != NULL)
		w->collector->hardware->phase = b->data;
}

/* Executions that are not counted are not in the stream: there is nothing to do but to remember. */
static int bind_counting(struct ms_collect_state *c, const struct ms_collect_event *e,
			 struct ms_collect_bound_event *b, struct ms_err *err)
{
	(void)b;
	(void)err;
	c->program.stops += e->arg == 0;
	return MS_OK;
}

/* Samples still arrive: from the kernel, and from threads that have not seen the request yet. */
static void apply_counting(struct ms_collect_worker *w, const struct ms_collect_event *e,
			   const struct ms_collect_bound_event *b)
{
	(void)b;
	if (w->collector->hardware != NULL && w->number == 0)
		w->collector->hardware->stopped = e->arg == 0;
}

const struct ms_collect_handler ms_collect_event_name = { "name", sizeof(struct ms_wire_name) / 8,
							  bind_name, apply_name };
const struct ms_collect_handler ms_collect_event_unname = { "name's end", 1, NULL, apply_unname };
const struct ms_collect_handler ms_collect_event_phase = { "phase", 1, bind_phase, apply_phase };
const struct ms_collect_handler ms_collect_event_counting = { "switch of counting", 0,
							      bind_counting, apply_counting };
