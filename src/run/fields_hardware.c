/* run/fields_hardware.c - the columns of runs that were sampled on the real machine. */
#include <inttypes.h>
#include <math.h>

#include "base/compiler.h"
#include "run/enum_words.h"
#include "run/fields.h"

static const char *const source_words[] = { "pebs", "ibs", "spe", "timer", "page-faults", NULL };
static const char *const unit_words[] = { "none", "cycles", "nanoseconds", NULL };
static const char *const answer_words[] = { "unknown",     "L1",    "buffer", "L2",
					    "L3",          "peer",  "local",  "remote",
					    "remote-peer", "other", NULL };
static const char *const part_words[] = { "simulated", "measured", NULL };
static const char *const sureness_words[] = { "exact", "learnt", "guessed", "alike", NULL };

#define ARRAY(name) offsetof(struct ms_run, name)
#define END_OF_LIST                            \
	{                                      \
		NULL, MS_FIELD_U32, 0, 0, NULL \
	}

#define AT(field) offsetof(struct ms_run_hardware, field)
const struct ms_run_field ms_run_hardware_fields[] = {
	{ "source", MS_FIELD_WORD, AT(source), 0, source_words },
	{ "event", MS_FIELD_TEXT, AT(event), 0, NULL },
	{ "unit", MS_FIELD_WORD, AT(unit), 0, unit_words },
	{ "period", MS_FIELD_REAL, AT(period), 0, NULL },
	{ "adaptive", MS_FIELD_U32, AT(adaptive), 0, NULL },
	{ "wish", MS_FIELD_REAL, AT(wish), 0, NULL },
	{ "overhead", MS_FIELD_REAL, AT(overhead), 0, NULL },
	{ "samples", MS_FIELD_U64, AT(samples), 0, NULL },
	{ "throttled", MS_FIELD_U64, AT(throttled), 0, NULL },
	{ "cpu_ns", MS_FIELD_U64, AT(cpu_ns), 0, NULL },
	{ "threads", MS_FIELD_U64, AT(threads), 0, NULL },
	{ "covered", MS_FIELD_REAL, AT(covered), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_origin, field)
const struct ms_run_field ms_run_origin_fields[] = {
	{ "part", MS_FIELD_WORD, AT(part), 0, part_words },
	{ "uid", MS_FIELD_TEXT, AT(uid), 0, NULL },
	{ "tag", MS_FIELD_MAYBE_TEXT, AT(tag), 0, NULL },
	{ "started", MS_FIELD_TEXT, AT(started), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_hardware_sample, field)
const struct ms_run_field ms_run_hardware_sample_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "answer", MS_FIELD_WORD, AT(answer), 0, answer_words },
	{ "sureness", MS_FIELD_WORD, AT(sureness), 0, sureness_words },
	{ "samples", MS_FIELD_U64, AT(samples), 0, NULL },
	{ "events", MS_FIELD_U64, AT(events), 0, NULL },
	{ "events_squares", MS_FIELD_REAL, AT(events_squares), 0, NULL },
	{ "latency", MS_FIELD_U64, AT(latency), 0, NULL },
	{ "latency_squares", MS_FIELD_REAL, AT(latency_squares), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_hardware_latency, field)
const struct ms_run_field ms_run_hardware_latency_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "bucket", MS_FIELD_U32, AT(bucket), 0, NULL },
	{ "samples", MS_FIELD_U64, AT(samples), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_hardware_compute, field)
const struct ms_run_field ms_run_hardware_compute_fields[] = {
	{ "line", MS_FIELD_INDEX, AT(line), ARRAY(lines), NULL },
	{ "samples", MS_FIELD_U64, AT(samples), 0, NULL },
	{ "time", MS_FIELD_U64, AT(time), 0, NULL },
	{ "time_squares", MS_FIELD_REAL, AT(time_squares), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_hardware_loss, field)
const struct ms_run_field ms_run_hardware_loss_fields[] = {
	{ "reason", MS_FIELD_TEXT, AT(reason), 0, NULL },
	{ "samples", MS_FIELD_U64, AT(samples), 0, NULL },
	{ "latency", MS_FIELD_U64, AT(latency), 0, NULL },
	END_OF_LIST,
};
#undef AT

static bool is_sound(const struct ms_run_hardware *h)
{
	return isfinite(h->period) && h->period >= 0 && h->adaptive <= 1 && isfinite(h->wish) &&
	       isfinite(h->overhead) && h->covered > 0 && h->covered <= 1;
}

/* Every sample is counted exactly once. */
static int check_sum(const struct ms_run *run, struct ms_err *err)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->hardware_samples.n; i++)
		sum += run->hardware_samples.at[i].samples;
	for (size_t i = 0; i < run->hardware_computes.n; i++)
		sum += run->hardware_computes.at[i].samples;
	for (size_t i = 0; i < run->hardware_losses.n; i++)
		sum += run->hardware_losses.at[i].samples;
	if (sum != run->hardware.at[0].samples)
		return ms_fail(err, MS_EBUG,
			       "%" PRIu64 " samples in cells, lines and losses, expected %" PRIu64,
			       sum, run->hardware.at[0].samples);
	return MS_OK;
}

int ms_run_check_hardware(const struct ms_run *run, struct ms_err *err)
{
	size_t joined = ms_run_is_joined(run) ? MS_RUN_ORIGIN_PARTS : 0;
	size_t rows = run->hardware_samples.n + run->hardware_latencies.n +
		      run->hardware_computes.n + run->hardware_losses.n;

	if (run->hardware.n > 1 || (run->hardware.n == 0 && rows > 0))
		return ms_fail(err, MS_EBUG,
			       "%zu rows of hardware and %zu of what it sampled, expected one, or "
			       "nothing of both",
			       run->hardware.n, rows);
	if (run->origins.n != 0 && run->origins.n != joined)
		return ms_fail(err, MS_EBUG, "%zu runs were joined to a run, expected %zu",
			       run->origins.n, joined);
	if (run->hardware.n == 0)
		return MS_OK;
	if (!is_sound(&run->hardware.at[0]))
		return ms_fail(err, MS_EBUG,
			       "sampled on hardware with period %g, adaptive %" PRIu32
			       ", wish %g, overhead %g and %g of the time covered, expected "
			       "numbers, and 0 or 1",
			       run->hardware.at[0].period, run->hardware.at[0].adaptive,
			       run->hardware.at[0].wish, run->hardware.at[0].overhead,
			       run->hardware.at[0].covered);
	if (run->levels.n > 0 && run->hardware.at[0].unit != MS_RUN_NANOSECONDS)
		return ms_fail(err, MS_EBUG,
			       "%zu levels in a run with samples in %s, expected none, or "
			       "nanoseconds",
			       run->levels.n, ms_run_unit_word(run->hardware.at[0].unit));
	for (size_t i = 0; i < run->hardware_latencies.n; i++)
		if (run->hardware_latencies.at[i].bucket >= MS_RUN_BUCKETS)
			return ms_fail(err, MS_EBUG,
				       "a latency in bucket %" PRIu32 ", and there are only %d",
				       run->hardware_latencies.at[i].bucket, (int)MS_RUN_BUCKETS);
	return check_sum(run, err);
}

static const char *word_of(const char *const *words, size_t n, uint32_t value)
{
	return value < n - 1 ? words[value] : "unknown";
}

const char *ms_run_source_word(uint32_t source)
{
	return word_of(source_words, MS_COUNT(source_words), source);
}

const char *ms_run_unit_word(uint32_t unit)
{
	return word_of(unit_words, MS_COUNT(unit_words), unit);
}

const char *ms_run_answer_word(uint32_t answer)
{
	return word_of(answer_words, MS_COUNT(answer_words), answer);
}

const char *ms_run_sureness_word(uint32_t sureness)
{
	return word_of(sureness_words, MS_COUNT(sureness_words), sureness);
}
