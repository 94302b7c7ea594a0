/* stream/check/threads.c - the rules of records about threads, which start, wait, wake, run and
 * end in this order. */
#include <inttypes.h>
#include <string.h>

#include "stream/check/check_priv.h"

static bool runs(const struct ms_check *c, const struct ms_check_record *r)
{
	return r->arg < c->threads.n && c->threads.at[r->arg];
}

static void set_runs(struct ms_check *c, const struct ms_check_record *r, bool it_does)
{
	if (r->arg > MS_CHECK_MOST_THREADS) {
		PROBLEM(c, r, "thread %u, expected at most %d", r->arg, MS_CHECK_MOST_THREADS);
		return;
	}
	while (r->arg >= c->threads.n)
		*ms_vec_add(&c->threads) = false;
	c->threads.at[r->arg] = it_does;
}

void ms_check_thread(struct ms_check *c, const struct ms_check_record *r)
{
	if (runs(c, r) && !c->lost)
		PROBLEM(c, r, "thread %u starts, which runs already", r->arg);
	if (r->n > 3)
		PROBLEM(c, r, "threads: a record of %zu words, expected 3 or 4", r->n + 1);
	if (r->words[0] > r->words[1])
		PROBLEM(c, r,
			"thread %u: its stack from 0x%" PRIx64 " to 0x%" PRIx64 " is upside down",
			r->arg, r->words[0], r->words[1]);
	set_runs(c, r, true);
}

void ms_check_runs(struct ms_check *c, const struct ms_check_record *r)
{
	if (!runs(c, r) && !c->lost)
		PROBLEM(c, r, "thread %u, expected one that was started and has not ended", r->arg);
}

static void set_waits(struct ms_check *c, const struct ms_check_record *r, bool it_does)
{
	while (r->arg >= c->waiting.n && r->arg <= MS_CHECK_MOST_THREADS)
		*ms_vec_add(&c->waiting) = false;
	if (r->arg <= MS_CHECK_MOST_THREADS)
		c->waiting.at[r->arg] = it_does;
}

static bool waits(const struct ms_check *c, const struct ms_check_record *r)
{
	return r->arg < c->waiting.n && c->waiting.at[r->arg];
}

void ms_check_switch(struct ms_check *c, const struct ms_check_record *r)
{
	ms_check_runs(c, r);
	if (waits(c, r) && !c->lost)
		PROBLEM(c, r, "thread %u runs, which waits", r->arg);
}

void ms_check_thread_end(struct ms_check *c, const struct ms_check_record *r)
{
	ms_check_runs(c, r);
	if (r->n > 1 || (r->n == 1 && r->words[0] >= MS_WIRE_END_KINDS))
		PROBLEM(c, r,
			"the end of thread %u in %zu words, of kind %" PRIu64
			", expected at most one, and 0 or 1",
			r->arg, (size_t)r->n, r->words[0]);
	set_runs(c, r, false);
	set_waits(c, r, false);
	if (r->arg < c->clocks.n)
		c->clocks.at[r->arg] = 0;
}

static void path_known(struct ms_check *c, const struct ms_check_record *r, uint64_t path)
{
	if (path != MS_WIRE_NO_PATH && path >= c->paths && !c->lost)
		PROBLEM(c, r, "thread %u is at path %" PRIu64 ", expected one of the %u described",
			r->arg, path, c->paths);
}

void ms_check_clock(struct ms_check *c, const struct ms_check_record *r)
{
	ms_check_runs(c, r);
	while (r->arg >= c->clocks.n && r->arg <= MS_CHECK_MOST_THREADS)
		*ms_vec_add(&c->clocks) = 0;
	if (r->arg > MS_CHECK_MOST_THREADS)
		return;
	if (r->words[0] < c->clocks.at[r->arg] && !c->lost)
		PROBLEM(c, r, "thread %u: its clock goes back from %" PRIu64 " to %" PRIu64, r->arg,
			c->clocks.at[r->arg], r->words[0]);
	c->clocks.at[r->arg] = r->words[0];
}

void ms_check_thread_at(struct ms_check *c, const struct ms_check_record *r)
{
	ms_check_runs(c, r);
	path_known(c, r, r->words[0]);
}

void ms_check_spin(struct ms_check *c, const struct ms_check_record *r)
{
	ms_check_runs(c, r);
	path_known(c, r, r->words[1]);
}

void ms_check_wait(struct ms_check *c, const struct ms_check_record *r)
{
	ms_check_runs(c, r);
	path_known(c, r, r->words[1]);
	if (r->words[0] >= MS_WIRE_WAIT_REASONS)
		PROBLEM(c, r, "thread %u waits for reason %" PRIu64 ", expected 0 to %d", r->arg,
			r->words[0], MS_WIRE_WAIT_REASONS - 1);
	if (waits(c, r) && !c->lost)
		PROBLEM(c, r, "thread %u waits, which it did already", r->arg);
	set_waits(c, r, true);
}

/* The thread that woke it may have ended meanwhile, but must have existed. */
void ms_check_wake(struct ms_check *c, const struct ms_check_record *r)
{
	ms_check_runs(c, r);
	if (!waits(c, r) && !c->lost)
		PROBLEM(c, r, "thread %u wakes, which did not wait", r->arg);
	if (r->words[0] != MS_WIRE_NO_THREAD && r->words[0] >= c->threads.n && !c->lost)
		PROBLEM(c, r, "thread %u is woken by thread %" PRIu64 ", which never started",
			r->arg, r->words[0]);
	set_waits(c, r, false);
}

void ms_check_affinity(struct ms_check *c, const struct ms_check_record *r)
{
	uint64_t any = 0;

	ms_check_runs(c, r);
	for (size_t i = 0; i < r->n; i++)
		any |= r->words[i];
	if (any == 0 || r->n > MS_WIRE_MAX_PROCESSORS / 64)
		PROBLEM(c, r,
			"thread %u: affinity of %zu words to %s processor, expected at most %d "
			"words and at least one processor",
			r->arg, r->n, any == 0 ? "no" : "some", MS_WIRE_MAX_PROCESSORS / 64);
}

void ms_check_policy(struct ms_check *c, const struct ms_check_record *r)
{
	struct ms_wire_policy policy;

	memcpy(&policy, r->words, sizeof(policy));
	ms_check_runs(c, r);
	ms_check_range(c, r, "a memory policy");
	if (policy.policy >= MS_WIRE_POLICIES)
		PROBLEM(c, r, "a memory policy of kind %" PRIu64 ", expected 0 to %d",
			policy.policy, MS_WIRE_POLICIES - 1);
	if (policy.size == 0 && policy.start != 0)
		PROBLEM(c, r,
			"a memory policy for no bytes at 0x%" PRIx64
			", expected 0 where it is for all",
			policy.start);
}

void ms_check_sample(struct ms_check *c, const struct ms_check_record *r)
{
	struct ms_wire_sample s;

	memcpy(&s, r->words, sizeof(s));
	ms_check_runs(c, r);
	if (s.regs > MS_WIRE_SAMPLE_REGS || s.before > MS_WIRE_SAMPLE_CODE ||
	    s.after > MS_WIRE_SAMPLE_CODE ||
	    r->n != sizeof(s) / 8 + s.regs + ms_check_text_words((uint32_t)s.before + s.after))
		PROBLEM(c, r,
			"a sample in %zu words, with %u registers and %u bytes of code, expected "
			"at most %d and %d",
			(size_t)r->n, s.regs, s.before + s.after, MS_WIRE_SAMPLE_REGS,
			2 * MS_WIRE_SAMPLE_CODE);
}
