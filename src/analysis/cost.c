#include "analysis/cost.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/text.h"

enum { MOST_CYCLES = 1000000 };

/* The level whose misses `name` answers, or n when it is no such level. */
static size_t answered_by(const struct ms_run *run, const char *name, size_t n)
{
	if (run->levels.n > 0 && n == 6 && strncasecmp(name, "memory", n) == 0)
		return run->levels.n - 1;
	for (size_t i = 1; i < run->levels.n; i++)
		if (strlen(run->levels.at[i].name) == n &&
		    strncasecmp(name, run->levels.at[i].name, n) == 0)
			return i - 1;
	return run->levels.n;
}

static int unknown(const struct ms_run *run, const char *item, size_t n, struct ms_err *err)
{
	struct ms_text names = MS_TEXT_INIT;

	for (size_t i = 1; i < run->levels.n; i++)
		ms_text_addf(&names, "%s, ", run->levels.at[i].name);
	ms_text_add(&names, "memory");
	int code = ms_fail(
		err, MS_EUSAGE,
		"--latency: \"%.*s\" is not NAME=CYCLES with a name of this run's machine (%s) and "
		"at most %d cycles%s",
		(int)n, item, names.at, (int)MOST_CYCLES,
		run->levels.n > 0 ? "; a hit in the first level is part of compute time" : "");
	ms_text_free(&names);
	return code;
}

static int change(struct ms_cost *cost, const struct ms_run *run, const char *item, size_t n,
		  struct ms_err *err)
{
	const char *equals = memchr(item, '=', n);
	size_t name = equals ? (size_t)(equals - item) : n;
	size_t level = answered_by(run, item, name);
	char digits[16] = "";
	uint64_t cycles;

	if (equals != NULL && n - name - 1 < sizeof(digits))
		memcpy(digits, equals + 1, n - name - 1);
	if (level == run->levels.n || !ms_parse_u64(digits, &cycles) || cycles > MOST_CYCLES)
		return unknown(run, item, n, err);
	cost->answer.at[level] = cycles;
	return MS_OK;
}

int ms_cost_init(struct ms_cost *cost, const struct ms_run *run, const char *changes,
		 struct ms_err *err)
{
	*cost = (struct ms_cost){ MS_VEC_INIT };
	for (size_t i = 0; i < run->levels.n; i++)
		*ms_vec_add(&cost->answer) =
			i + 1 < run->levels.n ? run->levels.at[i + 1].latency : run->memory_latency;
	while (changes != NULL && *changes != '\0') {
		size_t n = strcspn(changes, ",");
		int code = change(cost, run, changes, n, err);

		if (code != MS_OK) {
			ms_cost_free(cost);
			return code;
		}
		changes += n + (changes[n] == ',');
	}
	return MS_OK;
}

uint64_t ms_cost_stall(const struct ms_cost *cost, const uint64_t *misses)
{
	uint64_t stall = 0;

	for (size_t i = 0; i < cost->answer.n; i++) {
		uint64_t beyond = i + 1 < cost->answer.n ? misses[i + 1] : 0;

		if (misses[i] > beyond)
			stall += (misses[i] - beyond) * cost->answer.at[i];
	}
	return stall;
}

void ms_cost_free(struct ms_cost *cost)
{
	ms_vec_free(&cost->answer);
}
