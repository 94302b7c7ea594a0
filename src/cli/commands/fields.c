/* cli/commands/fields.c - memspy fields: the members of a type or of data, and their use. */
#include "base/mem.h"
#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "cli/remarks.h"
#include "run/join.h"
#include "views/members.h"

struct fields_command {
	struct ms_options_report report;
	const char *name;
};

static const struct ms_opt fields_rows[] = {
	MS_OPTIONS_DB_ROW(struct fields_command, report),
	MS_OPTIONS_RULES_ROW(struct fields_command, report),
	MS_OPTIONS_RANK_ROWS(struct fields_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct fields_command, report),
	MS_OPTIONS_COST_ROW(struct fields_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct fields_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const fields_tables[] = { fields_rows, NULL };

/* Why no run of this kind has members. */
static int check_run(const struct ms_run *run, struct ms_err *err)
{
	if (run->samplings.n > 0)
		return ms_fail(err, MS_EUSAGE, "fields: not available with --sample");
	if (run->line_uses.n == 0)
		return ms_fail(err, MS_EUSAGE,
			       "fields: no lines were observed in this run (see memspy help run, "
			       "--observed-lines)");
	return MS_OK;
}

static int write_chosen(const struct fields_command *c, const struct ms_summary *summary,
			const bool *chosen, FILE *out, struct ms_err *err)
{
	MS_VEC(struct ms_members) members = MS_VEC_INIT;
	enum ms_views_format format;
	struct ms_views_options options;

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	for (uint32_t i = 0; i < summary->run->data.n; i++)
		if (chosen[i] && ms_members_are_known(summary->run, i))
			ms_members_make(ms_vec_add(&members), summary, i);
	for (uint32_t i = 0; members.n == 0 && i < summary->run->data.n; i++)
		if (chosen[i])
			ms_members_make(ms_vec_add(&members), summary, i);
	for (size_t i = 0; i < members.n; i++)
		ms_members_limit(&members.at[i], options.top);
	ms_views_members_writers[format](summary, members.at, members.n, &options, out);
	for (size_t i = 0; i < members.n; i++)
		ms_members_free(&members.at[i]);
	ms_vec_free(&members);
	return MS_OK;
}

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct fields_command *c = arg;
	struct ms_summary summary;

	MS_TRY(check_run(run, err));
	MS_TRY(ms_summary_make(&summary, run, NULL, c->report.latency, err));
	bool *chosen = ms_alloc((run->data.n + 1) * sizeof(*chosen));
	struct ms_text remarks = MS_TEXT_INIT;
	int code = ms_members_select(&summary, c->name, chosen, &remarks, err);

	ms_cli_print_remarks(&remarks);

	if (code == MS_OK)
		code = write_chosen(c, &summary, chosen, out, err);
	ms_free(chosen);
	ms_summary_free(&summary);
	return code;
}

static int run_fields(int argc, char *const argv[])
{
	struct fields_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 }, asked = { 0 };
	struct ms_err err = { MS_OK, "" };
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_fields, argc, argv, &command, &words, &status))
		return status;
	if (words.at.n == 0) {
		ms_fail(&err, MS_EUSAGE, "fields: expected the name of a type or of data");
		status = ms_cli_fail(&err);
	} else {
		command.name = *ms_vec_add(&asked.at) = words.at.at[0];
		command.report.asked_names = &asked;
		words.at.n--;
		for (size_t i = 0; i < words.at.n; i++)
			words.at.at[i] = words.at.at[i + 1];
		if (ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK)
			status = ms_cli_fail(&err);
	}
	ms_vec_free(&words.at);
	ms_vec_free(&asked.at);
	return status;
}

const struct ms_cli_command ms_commands_fields = {
	.name = "fields",
	.usage = "fields [options] TYPE|DATA [RUN]",
	.brief = "show the members of a type or of data: references, misses, stall, use together",
	.full = "Shows the layout of the elements of data, as pahole does, with the use of each "
		"member: reads, writes, misses and stall, and the member that is used most often "
		"while the same line is in the first level; stays of lines count by the stall of "
		"the misses that fetched them. Members that are never read or written show 0. In "
		"runs with several processors, the threads that read and write each member, and "
		"its misses by false sharing.\n\n"
		"An access to several members counts for each of them; its stall is divided. "
		"memcpy() and its relatives are left out. Unions and arrays are one member, arrays "
		"of up to 8 structures are entered (at[2].x); a union without a name has those of "
		"its members (low|whole). The figures follow from the counts of each instruction "
		"and from the places in elements at which some of its accesses were observed. "
		"Bytes before the elements of a heap object are a header: members before a "
		"flexible array, whose elements are shown (items[].x), the number of elements of "
		"an array of C++, the counters of std::make_shared(). Offsets are those in an "
		"object with one element.\n\n"
		"Types need debug information. Without it, the size of an element follows from the "
		"distances between accesses of one instruction, and the bytes that are accessed "
		"are named after their offset in the element: +16. --top N shows, of each data, "
		"the "
		"N members with the most stall. Not available with --sample "
		"and --sample-sets. RUN is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy fields 'struct node'\tall data of a type\n"
		    "memspy fields nodes @3\tone data structure of run 3\n",
	.options = { fields_tables, false },
	.run = run_fields,
};
