/* views/json/advise.c - findings as JSON; docs/formats/advise-json.md describes it. */
#include "views/advise.h"

#include "views/json/parts.h"
#include "views/json/report.h"

static void put_gain(struct ms_json *j, const struct ms_advise_finding *f)
{
	ms_json_object(j, "gain");
	ms_json_real(j, "predicted", f->gain);
	ms_json_real(j, "low", f->gain_low);
	ms_json_real(j, "high", f->gain_high);
	ms_json_end(j);
}

static void put_finding(struct ms_json *j, const struct ms_run *run,
			const struct ms_advise_finding *f)
{
	uint32_t number;
	const char *file = ms_views_finding_file(run, f, &number);

	ms_json_object(j, NULL);
	ms_json_text(j, "kind", ms_advise_kind_word(f->kind));
	ms_json_text(j, "title", ms_advise_kind_title(f->kind));
	ms_json_text(j, "data", f->data != MS_NONE ? run->data.at[f->data].name : NULL);
	ms_json_text(j, "code", f->code != MS_NONE ? run->codes.at[f->code].name : NULL);
	ms_json_text(j, "file", file);
	if (number > 0)
		ms_json_u64(j, "line", number);
	else
		ms_json_null(j, "line");
	put_gain(j, f);
	ms_json_array(j, "evidence");
	for (size_t i = 0; i < f->n_evidence; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "figure", f->evidence[i].figure);
		ms_json_text(j, "command", f->evidence[i].command);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_text(j, "remedy", f->remedy);
	ms_json_text(j, "snippet", f->snippet);
	ms_json_text(j, "wrong_if", f->falsifier);
	ms_json_end(j);
}

static void put_findings(struct ms_json *j, const struct ms_advise *advise)
{
	ms_json_array(j, "findings");
	for (size_t i = 0; i < advise->at.n; i++)
		put_finding(j, advise->summary->run, &advise->at.at[i]);
	ms_json_end(j);
}

void ms_views_json_findings(struct ms_json *j, const struct ms_summary *whole)
{
	struct ms_advise advise;

	ms_advise_make(&advise, whole);
	put_findings(j, &advise);
	ms_json_text(j, "no_findings", advise.statement);
	ms_advise_free(&advise);
}

void ms_views_json_advise(const struct ms_advise *advise, const struct ms_views_options *options,
			  FILE *out)
{
	struct ms_json j;

	(void)options;
	ms_views_json_begin_run(&j, advise->summary->run, out);
	ms_json_end(&j);
	put_findings(&j, advise);
	ms_json_text(&j, "statement", advise->statement);
	ms_json_end(&j);
}
