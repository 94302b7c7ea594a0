/*
 * perf/record.c - decodes one record of perf's ring. The event's sample type determines the fields
 * of a sample and their order (perf_event_open(2)). Each field is checked against the remaining
 * bytes.
 */
#include <string.h>

#include "perf/perf_priv.h"

struct record_cursor {
	const uint8_t *at;
	size_t left;
	bool bad;
};

static uint64_t take(struct record_cursor *c, size_t bytes)
{
	uint64_t value = 0;

	if (c->left < bytes) {
		c->bad = true;
		return 0;
	}
	memcpy(&value, c->at, bytes);
	c->at += bytes;
	c->left -= bytes;
	return value;
}

static void skip(struct record_cursor *c, size_t bytes)
{
	if (c->left < bytes) {
		c->bad = true;
		return;
	}
	c->at += bytes;
	c->left -= bytes;
}

/* A count and its bytes, together a multiple of eight. */
static void take_raw(struct record_cursor *c, struct ms_perf_sample *s)
{
	size_t n = (size_t)take(c, 4);

	if (n <= c->left)
		ms_perf_ibs_read(c->at, n, s);
	skip(c, n);
}

static void take_weight(struct record_cursor *c, uint64_t type, struct ms_perf_sample *s)
{
	uint64_t weight = take(c, 8);

	/* The structure holds several values; its lower half is the latency. */
	s->latency = (type & PERF_SAMPLE_WEIGHT_STRUCT) != 0 ? weight & UINT32_MAX : weight;
}

static void take_source(struct record_cursor *c, struct ms_perf_sample *s)
{
	uint64_t source = take(c, 8);

	s->answer = (uint8_t)ms_perf_data_src_answer(source);
	s->kind = (uint8_t)ms_perf_data_src_kind(source);
}

/* A thread that never leaves the kernel has none. */
static const uint8_t *take_regs(struct record_cursor *c)
{
	uint64_t abi = take(c, 8);
	const uint8_t *at = c->at;

	if (abi == PERF_SAMPLE_REGS_ABI_NONE)
		return NULL;
	skip(c, ms_perf_regs_count * 8);
	return c->bad ? NULL : at;
}

/* Fields that are never requested are not skipped either: the order is that of the manual. */
static void read_sample(struct record_cursor *c, const struct perf_event_attr *attr,
			struct ms_perf_record *r)
{
	struct ms_perf_sample *s = &r->sample;
	uint64_t type = attr->sample_type;

	s->kind = MS_SITE_ACCESS;
	s->period = attr->sample_period;
	if (type & PERF_SAMPLE_IDENTIFIER)
		skip(c, 8);
	if (type & PERF_SAMPLE_IP)
		s->ip = take(c, 8);
	if (type & PERF_SAMPLE_TID) {
		s->pid = (uint32_t)take(c, 4);
		s->tid = (uint32_t)take(c, 4);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = take(c, 8);
	if (type & PERF_SAMPLE_ADDR)
		s->address = take(c, 8);
	if (type & PERF_SAMPLE_CPU)
		skip(c, 8);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = take(c, 8);
	if (type & PERF_SAMPLE_RAW)
		take_raw(c, s);
	if (type & PERF_SAMPLE_REGS_USER)
		r->regs = take_regs(c);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		take_weight(c, type, s);
	if (type & PERF_SAMPLE_DATA_SRC)
		take_source(c, s);
}

/* With sample_id_all every record ends with a sample identity, which ends with its time. */
static uint64_t last_word(const struct record_cursor *c)
{
	uint64_t value = 0;

	if (c->left >= sizeof(value))
		memcpy(&value, c->at + c->left - sizeof(value), sizeof(value));
	return value;
}

static void read_aux(struct record_cursor *c, struct ms_perf_record *r)
{
	r->kind = MS_RECORD_AUX;
	r->aux_offset = take(c, 8);
	r->aux_size = take(c, 8);
	r->aux_cut = (take(c, 8) & PERF_AUX_FLAG_TRUNCATED) != 0;
}

void ms_perf_record_read(const struct perf_event_attr *attr, const void *bytes, size_t n,
			 struct ms_perf_record *r)
{
	struct perf_event_header head;

	*r = (struct ms_perf_record){ .kind = MS_RECORD_OTHER };
	if (n < sizeof(head)) {
		r->kind = MS_RECORD_BROKEN;
		return;
	}
	memcpy(&head, bytes, sizeof(head));
	struct record_cursor c = { (const uint8_t *)bytes + sizeof(head), n - sizeof(head), false };

	switch (head.type) {
	case PERF_RECORD_SAMPLE:
		r->kind = MS_RECORD_SAMPLE;
		read_sample(&c, attr, r);
		break;
	case PERF_RECORD_LOST:
		r->kind = MS_RECORD_LOST;
		skip(&c, 8);
		r->lost = take(&c, 8);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		r->kind = MS_RECORD_LOST;
		r->lost = take(&c, 8);
		break;
	case PERF_RECORD_THROTTLE:
		r->kind = MS_RECORD_THROTTLE;
		break;
	case PERF_RECORD_COMM:
		r->kind = (head.misc & PERF_RECORD_MISC_COMM_EXEC) != 0 ? MS_RECORD_EXEC
									: MS_RECORD_OTHER;
		r->pid = (uint32_t)take(&c, 4);
		r->time = last_word(&c);
		break;
	case PERF_RECORD_AUX:
		read_aux(&c, r);
		break;
	default:
		break;
	}
	if (c.bad)
		r->kind = MS_RECORD_BROKEN;
}
