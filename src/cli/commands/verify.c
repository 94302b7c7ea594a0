/* cli/commands/verify.c - memspy verify: the gain of a change, measured without memspy, beside the
 * predicted one. */
#include "views/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advise/advise.h"
#include "base/mem.h"
#include "base/seconds.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/measure_time.h"
#include "store/verifications.h"

/* Times below this are mostly that of starting a program. */
#define LEAST_SECONDS 0.01

struct verify_command {
	struct ms_options_report report;
	uint64_t rounds;
	uint64_t finding;
	const char *run;
	bool list;
};

static const struct ms_opt verify_rows[] = {
	{ .kind = MS_OPT_NUMBER,
	  .name = "rounds",
	  .value = "N",
	  .offset = offsetof(struct verify_command, rounds),
	  .min = 1,
	  .max = 1000,
	  .brief = "run each command N times (default: 7)" },
	{ .kind = MS_OPT_TEXT,
	  .name = "run",
	  .value = "RUN",
	  .offset = offsetof(struct verify_command, run),
	  .brief = "the run with the prediction (default: the latest of BEFORE); none: no run" },
	{ .kind = MS_OPT_NUMBER,
	  .name = "finding",
	  .value = "N",
	  .offset = offsetof(struct verify_command, finding),
	  .min = 1,
	  .max = MS_ADVISE_MOST,
	  .brief = "which finding of it the change follows (default: the first)" },
	{ .kind = MS_OPT_FLAG,
	  .name = "list",
	  .offset = offsetof(struct verify_command, list),
	  .brief = "measure nothing; list the gains that were stored, of all runs or of --run" },
	MS_OPTIONS_DB_ROW(struct verify_command, report),
	MS_OPTIONS_RULES_ROW(struct verify_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct verify_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct verify_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const verify_tables[] = { verify_rows, NULL };

/* --- the prediction --- */

/* *id: the latest run of the command, as it was typed; 0: there is none. */
static int find_run_of(const char *db, const char *command, int64_t *id, struct ms_err *err)
{
	struct ms_run_list heads;
	struct ms_store *store;

	*id = 0;
	if (access(db, F_OK) != 0)
		return MS_OK;
	MS_TRY(ms_store_open(&store, db, MS_STORE_READ, err));
	int code = ms_store_list(store, &heads, err);
	ms_store_close(store);
	if (code != MS_OK)
		return code;
	for (size_t i = 0; i < heads.at.n; i++)
		if (strcmp(heads.at.at[i].program, command) == 0)
			*id = heads.at.at[i].id;
	ms_run_list_free(&heads);
	return MS_OK;
}

static void take_finding(struct ms_run_verification *v, struct ms_arena *arena,
			 const struct ms_run *run, const struct ms_advise_finding *f)
{
	v->kind = ms_advise_kind_word(f->kind);
	v->data = f->data != MS_NONE ? ms_arena_strdup(arena, run->data.at[f->data].name) : NULL;
	v->predicted = f->gain;
	v->predicted_low = f->gain_low;
	v->predicted_high = f->gain_high;
}

/* Fills in what was predicted; *id: the run, 0 if there is none. */
static int predict(const struct verify_command *c, const char *before,
		   struct ms_run_verification *v, struct ms_arena *arena, int64_t *id,
		   struct ms_err *err)
{
	const char *name = c->run;
	struct ms_summary summary;
	struct ms_advise advise;
	struct ms_run run;

	*id = 0;
	if (name == NULL)
		MS_TRY(find_run_of(c->report.db, before, id, err));
	if (*id != 0)
		name = ms_arena_printf(arena, "@%lld", (long long)*id);
	if (name == NULL || strcmp(name, "none") == 0)
		return MS_OK;
	MS_TRY(ms_cli_load(&c->report, name, &run, err));
	*id = run.id;
	int code = ms_summary_make(&summary, &run, NULL, NULL, err);
	if (code == MS_OK) {
		ms_advise_make(&advise, &summary);
		if (c->finding <= advise.at.n)
			take_finding(v, arena, &run, &advise.at.at[c->finding - 1]);
		else if (c->finding > 1)
			code = ms_fail(err, MS_EUSAGE,
				       "--finding %llu: run @%lld has %zu finding%s (memspy advise "
				       "@%lld)",
				       (unsigned long long)c->finding, (long long)run.id,
				       advise.at.n, advise.at.n == 1 ? "" : "s", (long long)run.id);
		ms_advise_free(&advise);
		ms_summary_free(&summary);
	}
	ms_run_free(&run);
	return code;
}

/* --- measuring --- */

static int measure(const struct verify_command *c, const struct ms_words *words, double *before,
		   double *after, struct ms_err *err)
{
	const char *const *arguments = words->at.at + 2;
	size_t n = words->at.n - 2;

	for (size_t i = 0; i < c->rounds; i++) {
		MS_TRY(ms_cli_measure_time(words->at.at[0], arguments, n, &before[i], err));
		MS_TRY(ms_cli_measure_time(words->at.at[1], arguments, n, &after[i], err));
	}
	for (size_t i = 0; i < c->rounds; i++)
		if (before[i] < LEAST_SECONDS)
			return ms_fail(err, MS_EUSAGE,
				       "'%s' takes %.4f s of processor time, expected at least "
				       "%.2f s; give it more to do",
				       words->at.at[0], floor(before[i] * 1e4) / 1e4,
				       LEAST_SECONDS);
	return MS_OK;
}

static void fill_in(struct ms_run_verification *v, const struct ms_verify *measured,
		    const struct ms_words *words, struct ms_arena *arena)
{
	char now[MS_SECONDS_UTC_TEXT];

	ms_seconds_format_utc(time(NULL), now);
	v->verified = ms_arena_strdup(arena, now);
	v->before = words->at.at[0];
	v->after = words->at.at[1];
	v->rounds = measured->rounds;
	v->before_seconds = measured->before.median;
	v->after_seconds = measured->after.median;
	v->measured = measured->gain;
	v->measured_low = measured->gain_low;
	v->measured_high = measured->gain_high;
}

static int keep(const struct verify_command *c, int64_t id, const struct ms_run_verification *v,
		struct ms_err *err)
{
	struct ms_store *store;

	if (id == 0)
		return MS_OK;
	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_WRITE, err));
	int code = ms_store_add_verification(store, id, v, err);
	ms_store_close(store);
	return code;
}

/* One of both: what was measured now, or what was stored. */
static int print(const struct verify_command *c, const struct ms_views_verify *v,
		 const struct ms_run_verified_list *list, struct ms_err *err)
{
	enum ms_views_format format;
	struct ms_views_options options;
	FILE *out;

	MS_TRY(ms_options_open_output(&c->report, &out, err));
	int code = ms_options_read_view(&c->report, out, &format, &options, err);
	if (code == MS_OK && list != NULL)
		ms_views_verified_writers[format](list, &options, out);
	else if (code == MS_OK)
		ms_views_verify_writers[format](v, &options, out);
	return ms_options_close_output(&c->report, out, code, err);
}

static int verify(const struct verify_command *c, const struct ms_words *words,
		  struct ms_arena *arena, struct ms_err *err)
{
	double *before = ms_arena_take(arena, c->rounds * sizeof(*before));
	double *after = ms_arena_take(arena, c->rounds * sizeof(*after));
	struct ms_run_verification stored = { .kind = NULL };
	struct ms_verify measured;
	double load = -1;
	int64_t id;

	MS_TRY(ms_options_check_output(&c->report, err));
	MS_TRY(predict(c, words->at.at[0], &stored, arena, &id, err));
	if (getloadavg(&load, 1) != 1)
		load = -1;
	MS_TRY(measure(c, words, before, after, err));
	ms_verify_make(&measured, before, after, c->rounds);
	fill_in(&stored, &measured, words, arena);
	MS_TRY(print(c, &(struct ms_views_verify){ &measured, &stored, id, load }, NULL, err));
	return keep(c, id, &stored, err);
}

/* --- the list --- */

static int load_list(const struct verify_command *c, struct ms_run_verified_list *list,
		     struct ms_err *err)
{
	struct ms_store *store;
	int64_t id = 0;
	int code = MS_OK;

	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_READ, err));
	if (c->run != NULL)
		code = ms_store_find(store, c->run, &id, err);
	if (code == MS_OK)
		code = ms_store_list_verifications(store, id, list, err);
	ms_store_close(store);
	return code;
}

static int list_verified(const struct verify_command *c, const struct ms_words *words,
			 struct ms_err *err)
{
	struct ms_run_verified_list list = { .arena = MS_ARENA_INIT };

	if (words->at.n > 0)
		return ms_fail(err, MS_EUSAGE,
			       "unexpected argument '%s': --list measures nothing; --run RUN "
			       "lists the gains of one run",
			       words->at.at[0]);
	int code = load_list(c, &list, err);
	if (code == MS_OK)
		code = print(c, NULL, &list, err);
	ms_vec_free(&list.at);
	ms_arena_free(&list.arena);
	return code;
}

static int run_verify(int argc, char *const argv[])
{
	struct verify_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS,
					  .rounds = 7,
					  .finding = 1 };
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_verify, argc, argv, &command, &words, &status))
		return status;
	if (command.list)
		status = list_verified(&command, &words, &err);
	else if (words.at.n < 2)
		status = ms_fail(
			&err, MS_EUSAGE,
			"expected two commands: memspy verify BEFORE AFTER [-- ARGUMENT...]");
	else
		status = verify(&command, &words, &arena, &err);
	if (status != MS_OK)
		status = ms_cli_fail(&err);
	ms_arena_free(&arena);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_verify = {
	.name = "verify",
	.usage = "verify [options] BEFORE AFTER [-- ARGUMENT...] | --list",
	.brief = "measure the gain of a change, beside the predicted one",
	.full = "Runs two commands without memspy, in turn: usually two builds of a program, "
		"before "
		"and after a change that a finding suggests (memspy advise). Both get the same "
		"arguments; a command with blanks is run by a shell. Standard output of the "
		"commands "
		"is discarded, and a command that fails ends the measurement.\n\n"
		"Shows the processor time of both, and the measured gain: the median of all "
		"rounds, "
		"with an interval. If the run database has a run of BEFORE (or --run names one), "
		"the "
		"predicted gain of its first finding (--finding) is shown beside it, and both are "
		"stored with that run. --list shows what was stored.",
	.examples =
		"memspy verify ./before ./after -- input.txt\tseven rounds of each\n"
		"memspy verify --run @3 --finding 2 './p old' './p new'\ttwo modes of a program\n"
		"memspy verify --list\tall gains that were measured, beside the predicted ones\n",
	.options = { verify_tables, false },
	.run = run_verify,
};
