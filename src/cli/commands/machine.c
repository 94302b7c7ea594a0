/* cli/commands/machine.c - memspy machine: which memory system is simulated, and where its figures
 * come from. */
#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/describe/describe.h"
#include "base/json.h"
#include "base/num.h"
#include "base/table.h"
#include "cli/commands/commands.h"
#include "cli/machine_figures.h"
#include "cli/options/machine.h"
#include "cli/options/report.h"
#include "collect/collect.h"
#include "machine/calibrate.h"
#include "run/enum_words.h"

struct machine_command {
	struct ms_options_machine machine;
	const char *output;
	bool calibrate;
	bool force;
	bool save;
	bool ini;
	bool json;
	bool csv;
};

#define AT(field) offsetof(struct machine_command, field)

static const struct ms_opt machine_options[] = {
	MS_OPTIONS_LEVEL_ROWS(struct machine_command, machine),
	{ .kind = MS_OPT_FLAG,
	  .name = "ini",
	  .offset = AT(ini),
	  .brief = "write the machine as a machine file, to start one's own from" },
	{ .kind = MS_OPT_FLAG,
	  .name = "calibrate",
	  .offset = AT(calibrate),
	  .brief = "measure this machine and write a machine file",
	  .full = "Takes less than a minute, in which nothing else should run: if other programs "
		  "run "
		  "or time is stolen by other guests, it measures again, and at last refuses." },
	{ .kind = MS_OPT_FLAG,
	  .name = "force",
	  .offset = AT(force),
	  .brief = "with --calibrate: write the file even if the machine is not quiet",
	  .full = "A comment in the file says so." },
	{ .kind = MS_OPT_FLAG,
	  .name = "save",
	  .offset = AT(save),
	  .brief = "with --calibrate: use the figures for this machine from now on",
	  .full = "Writes ~/.config/memspy/host.ini (below XDG_CONFIG_HOME, if that is set). "
		  "'host', the default machine of all commands, has its figures while processor "
		  "and caches are the same. Remove the file to have the old figures again." },
	{ .kind = MS_OPT_TEXT,
	  .letter = 'o',
	  .name = "output",
	  .value = "FILE",
	  .offset = AT(output),
	  .brief = "write what --calibrate found to FILE, not to the terminal" },
	{ .kind = MS_OPT_FLAG, .name = "json", .offset = AT(json), .brief = "write JSON" },
	{ .kind = MS_OPT_FLAG, .name = "csv", .offset = AT(csv), .brief = "write CSV" },
	{ .name = NULL },
};
static const struct ms_opt *const machine_tables[] = { machine_options, NULL };

/* --- one machine ---------------------------------------------------------------------------- */

static void put_columns(struct ms_table *table)
{
	static const struct ms_table_column columns[] = {
		{ "level", "level", false, 0, MS_CUT_END },
		{ "size", "size", true, 0, MS_CUT_END },
		{ "ways", "ways", true, 0, MS_CUT_END },
		{ "sets", "sets", true, 0, MS_CUT_END },
		{ "line", "line", true, 0, MS_CUT_END },
		{ "latency", "latency", true, 0, MS_CUT_END },
		{ "shared by", "processors", true, 0, MS_CUT_END },
		{ "geometry from", "geometry_origin", false, 12, MS_CUT_END },
		{ "latency from", "latency_origin", false, 12, MS_CUT_END },
	};

	static const char *const more[] = { "replacement", "write", "write_miss", "contents",
					    "prefetch" };

	for (size_t i = 0; i < MS_COUNT(columns); i++)
		ms_table_column(table, columns[i]);
	for (size_t i = 0; table->mode == MS_TABLE_CSV && i < MS_COUNT(more); i++)
		ms_table_column(table, (struct ms_table_column){ .key = more[i] });
}

/* A geometry is no place for rounded numbers. */
static void put_exact(struct ms_table *table, uint64_t value)
{
	char text[MS_NUM_TEXT];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	ms_table_text(table, text);
}

static void put_level(struct ms_table *table, const struct ms_machine_level *level)
{
	ms_table_text(table, level->name);
	ms_table_size(table, level->size);
	put_exact(table, level->ways);
	put_exact(table, ms_machine_sets(level));
	ms_table_size(table, level->line);
	put_exact(table, level->latency);
	if (level->processors == 0)
		ms_table_text(table, "all");
	else
		put_exact(table, level->processors);
	ms_table_text(table, level->origin);
	ms_table_text(table, level->latency_origin);
	if (table->mode != MS_TABLE_CSV)
		return; /* text says below what is unusual */
	for (size_t i = 0; i < MS_MACHINE_CHOICES; i++)
		ms_table_text(table, ms_machine_word(level, i));
	put_exact(table, level->prefetch);
}

/* What answers when no level does; processors 0: all. */
static void put_behind(struct ms_table *table, const char *name, uint32_t latency,
		       uint32_t processors, const char *origin)
{
	ms_table_text(table, name);
	for (int i = 0; i < 4; i++)
		ms_table_none(table);
	put_exact(table, latency);
	if (processors == 0)
		ms_table_text(table, "all");
	else
		put_exact(table, processors);
	ms_table_none(table);
	ms_table_text(table, origin);
	for (size_t i = 0; table->mode == MS_TABLE_CSV && i < MS_MACHINE_CHOICES + 1; i++)
		ms_table_none(table);
}

/* Far memory and other processors' caches stand there where there are any. */
static void put_memory(struct ms_table *table, const struct ms_machine *machine)
{
	uint32_t processors = machine->whole.processors, nodes = machine->whole.nodes;

	put_behind(table, "memory", machine->memory_latency, nodes > 1 ? processors / nodes : 0,
		   machine->memory_latency_origin);
	if (nodes > 1)
		put_behind(table, "remote memory", machine->remote_latency, 0,
			   machine->remote_latency_origin);
	if (processors > 1)
		put_behind(table, "peer cache", machine->peer_latency, 0,
			   machine->peer_latency_origin);
}

static size_t terminal_width(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static void show_table(const struct ms_machine *machine, enum ms_table_mode mode)
{
	struct ms_table table;

	ms_table_open(&table, stdout, mode, terminal_width(), false);
	put_columns(&table);
	for (size_t i = 0; i < machine->levels.n; i++)
		put_level(&table, &machine->levels.at[i]);
	put_memory(&table, machine);
	ms_table_close(&table);
}

/* The command that simulates this machine: the same options again. */
static void put_next(const struct ms_options_machine *options)
{
	const char *const given[][2] = {
		{ "machine", options->machine }, { "l1", options->l1 }, { "l2", options->l2 },
		{ "l3", options->l3 },           { "ll", options->ll },
	};

	printf("Next: memspy run");
	for (size_t i = 0; i < MS_COUNT(given); i++)
		if (given[i][1] != NULL)
			printf(" --%s %s", given[i][0], given[i][1]);
	printf(" -- ./program\n");
}

/* "Levels: L1 write-through write-around, L3 exclusive": what differs from the usual. */
static void put_unusual(const struct ms_machine *machine)
{
	struct ms_text all = MS_TEXT_INIT, one = MS_TEXT_INIT;

	for (size_t i = 0; i < machine->levels.n; i++) {
		struct ms_run_level level;

		ms_text_clear(&one);
		ms_collect_level(&machine->levels.at[i], &level);
		ms_describe_level(&one, &level);
		if (one.n > 0)
			ms_text_addf(&all, "%s%s%s", all.n > 0 ? ", " : "", level.name, one.at);
	}
	if (all.n > 0)
		printf("Levels: %s.\n", all.at);
	ms_text_free(&all);
	ms_text_free(&one);
}

/* The size of the machine, of which runs simulate as much as they are asked for. */
static void put_whole(const struct ms_machine *machine)
{
	char placement[32];

	if (machine->whole.processors <= 1)
		return;
	printf("Processors: %" PRIu32 ", kept coherent by %s", machine->whole.processors,
	       ms_machine_protocols[machine->protocol]);
	if (machine->whole.nodes > 1)
		printf("; memory: %" PRIu32 " nodes, %s", machine->whole.nodes,
		       ms_machine_placement_text(machine, placement));
	printf(". One is simulated unless more are asked for.\n");
}

static void show_text(const struct ms_machine *machine, const struct ms_options_machine *options)
{
	printf("%s: %s\nFigures: %s.\n\n", machine->name, machine->text, machine->origin);
	show_table(machine, MS_TABLE_TEXT);
	putchar('\n');
	ms_cli_print_figures(machine, terminal_width(), stdout);
	put_unusual(machine);
	put_whole(machine);
	printf("Latency: cycles that a reference waits when this level answers it.\n");
	put_next(options);
}

static void json_level(struct ms_json *json, const struct ms_machine_level *level)
{
	ms_json_object(json, NULL);
	ms_json_text(json, "name", level->name);
	ms_json_u64(json, "size", level->size);
	ms_json_u64(json, "ways", level->ways);
	ms_json_u64(json, "sets", ms_machine_sets(level));
	ms_json_u64(json, "line", level->line);
	ms_json_u64(json, "latency", level->latency);
	if (level->processors == 0)
		ms_json_null(json, "processors");
	else
		ms_json_u64(json, "processors", level->processors);
	ms_json_text(json, "geometry_origin", level->origin);
	ms_json_text(json, "latency_origin", level->latency_origin);
	for (int i = 0; i < MS_TRAITS; i++)
		ms_json_text(json, ms_run_level_trait_name((enum ms_run_level_trait)i),
			     ms_machine_word(level, (size_t)i));
	ms_json_u64(json, "prefetch", level->prefetch);
	ms_json_end(json);
}

static void json_memory(struct ms_json *json, const struct ms_machine *machine)
{
	char placement[32];

	ms_json_object(json, "memory");
	ms_json_u64(json, "latency", machine->memory_latency);
	ms_json_text(json, "latency_origin", machine->memory_latency_origin);
	ms_json_u64(json, "remote_latency", machine->remote_latency);
	ms_json_text(json, "remote_latency_origin", machine->remote_latency_origin);
	ms_json_u64(json, "peer_latency", machine->peer_latency);
	ms_json_text(json, "peer_latency_origin", machine->peer_latency_origin);
	ms_json_u64(json, "nodes", machine->whole.nodes);
	ms_json_text(json, "placement", ms_machine_placement_text(machine, placement));
	ms_json_end(json);
}

static void show_json(const struct ms_machine *machine)
{
	struct ms_json json;

	ms_json_init(&json, stdout);
	ms_json_object(&json, NULL);
	ms_json_u64(&json, "schema_version", 1);
	ms_json_text(&json, "name", machine->name);
	ms_json_text(&json, "text", machine->text);
	ms_json_text(&json, "origin", machine->origin);
	ms_json_u64(&json, "processors", machine->whole.processors);
	ms_json_text(&json, "protocol", ms_machine_protocols[machine->protocol]);
	ms_json_array(&json, "levels");
	for (size_t i = 0; i < machine->levels.n; i++)
		json_level(&json, &machine->levels.at[i]);
	ms_json_end(&json);
	json_memory(&json, machine);
	ms_cli_json_figures(machine, &json);
	ms_json_end(&json);
}

static int show_machine(struct machine_command *c, const char *word, struct ms_err *err)
{
	struct ms_machine machine;

	c->machine.machine = word;
	MS_TRY(ms_options_read_machine(&c->machine, &machine, err));
	if (c->ini)
		ms_machine_write(&machine, stdout);
	else if (c->json)
		show_json(&machine);
	else if (c->csv)
		show_table(&machine, MS_TABLE_CSV);
	else
		show_text(&machine, &c->machine);
	ms_machine_free(&machine);
	return MS_OK;
}

/* --- all presets ---------------------------------------------------------------------------- */

struct machine_entry {
	const char *name;
	const char *text;
};

struct listing {
	struct ms_arena arena;
	MS_VEC(struct machine_entry) entries;
};

static int gather(struct listing *listing, struct ms_err *err)
{
	const char **names;
	size_t n;

	MS_TRY(ms_machine_list(ms_cli_machines_dir(), &listing->arena, &names, &n, err));
	*ms_vec_add(&listing->entries) =
		(struct machine_entry){ "host",
					"this machine, as the system describes it (the default)" };
	for (size_t i = 0; i < n; i++) {
		struct ms_machine machine;

		MS_TRY(ms_machine_load(&machine, names[i], ms_cli_machines_dir(), err));
		*ms_vec_add(&listing->entries) =
			(struct machine_entry){ names[i],
						ms_arena_strdup(&listing->arena, machine.text) };
		ms_machine_free(&machine);
	}
	return MS_OK;
}

static void list_json(const struct listing *listing)
{
	struct ms_json json;

	ms_json_init(&json, stdout);
	ms_json_array(&json, NULL);
	for (size_t i = 0; i < listing->entries.n; i++) {
		ms_json_object(&json, NULL);
		ms_json_text(&json, "name", listing->entries.at[i].name);
		ms_json_text(&json, "text", listing->entries.at[i].text);
		ms_json_end(&json);
	}
	ms_json_end(&json);
}

static void list_table(const struct listing *listing, enum ms_table_mode mode)
{
	struct ms_table table;

	ms_table_open(&table, stdout, mode, terminal_width(), false);
	ms_table_column(&table, (struct ms_table_column){ .head = "machine", .key = "name" });
	ms_table_column(&table, (struct ms_table_column){ .head = "", .key = "text", .least = 20 });
	for (size_t i = 0; i < listing->entries.n; i++) {
		ms_table_text(&table, listing->entries.at[i].name);
		ms_table_text(&table, listing->entries.at[i].text);
	}
	ms_table_close(&table);
}

static int list_machines(struct machine_command *c, const char *word, struct ms_err *err)
{
	struct listing listing = { 0 };
	int code = gather(&listing, err);

	(void)word;
	if (code == MS_OK && c->json)
		list_json(&listing);
	else if (code == MS_OK)
		list_table(&listing, c->csv ? MS_TABLE_CSV : MS_TABLE_TEXT);
	if (code == MS_OK && !c->json && !c->csv)
		printf("\nNext: memspy machine NAME\n");
	ms_vec_free(&listing.entries);
	ms_arena_free(&listing.arena);
	return code;
}

static int check_machine(struct machine_command *c, const char *word, struct ms_err *err)
{
	struct ms_machine machine;

	(void)c;
	MS_TRY(ms_machine_load_file(&machine, word, err));
	printf("%s: a valid machine with %zu cache level%s", word, machine.levels.n,
	       machine.levels.n == 1 ? "" : "s");
	if (machine.whole.processors > 1)
		printf(" and %" PRIu32 " processors", machine.whole.processors);
	if (machine.whole.nodes > 1)
		printf(" on %" PRIu32 " nodes", machine.whole.nodes);
	puts(".");
	printf("Next: memspy run --machine %s%s -- ./program\n", strchr(word, '/') ? "" : "./",
	       word);
	ms_machine_free(&machine);
	return MS_OK;
}

/* --- measuring ------------------------------------------------------------------------------ */

static void print_measured(const char *level, const struct ms_machine_measurement *m, void *arg)
{
	char size[MS_NUM_TEXT];

	(void)arg;
	if (m->bytes == 0)
		fprintf(stderr, "memspy: %s: cannot be distinguished from the level before it\n",
			level);
	else
		fprintf(stderr,
			"memspy: %s: %.1f ns, %.1f cycles (%.1f..%.1f), a walk through %s\n", level,
			m->ns.median, m->cycles.median, m->cycles.least, m->cycles.most,
			ms_format_size(m->bytes, size));
}

static void print_round(const struct ms_machine_round *round, unsigned number, void *arg)
{
	const double *v = round->value;

	(void)arg;
	fprintf(stderr,
		"memspy: core, round %u: %.0f MHz, %.2f instructions a cycle, %.0f misses in "
		"flight, "
		"memory %.0f cycles, %.1f bytes a cycle",
		number, v[MS_QUANTITY_CLOCK], v[MS_QUANTITY_IPC], v[MS_QUANTITY_OUTSTANDING],
		v[MS_QUANTITY_MEMORY], v[MS_QUANTITY_READ]);
	if (!round->quiet.quiet)
		fprintf(stderr, "; disturbed (%.1f other tasks, %.1f %% stolen)",
			round->quiet.others, round->quiet.stolen);
	fputc('\n', stderr);
}

/* --calibrate measures this machine and writes a machine file: refuses options for others. */
static int check_alone(const struct machine_command *c, const char *word, struct ms_err *err)
{
	const struct ms_options_machine *m = &c->machine;

	if (word != NULL)
		return ms_fail(err, MS_EUSAGE,
			       "unexpected argument '%s': --calibrate measures this machine", word);
	if (m->l1 != NULL || m->l2 != NULL || m->l3 != NULL || m->ll != NULL)
		return ms_fail(err, MS_EUSAGE,
			       "--calibrate measures the caches that are there; it goes without "
			       "--l1, --l2, --l3 and --ll");
	if (c->json || c->csv)
		return ms_fail(
			err, MS_EUSAGE,
			"--calibrate writes a machine file; it goes without --json and --csv");
	if (c->save && c->output != NULL)
		return ms_fail(err, MS_EUSAGE,
			       "--save writes a file of its own; it goes without --output");
	if (c->save && ms_cli_calibration_file() == NULL)
		return ms_fail(err, MS_EUSAGE,
			       "--save needs a home folder: set HOME, or write a file with -o and "
			       "set MEMSPY_MACHINE to its name");
	return MS_OK;
}

/* The file that is written; NULL: standard output. */
static const char *output_file(const struct machine_command *c)
{
	if (!c->save)
		return c->output;
	ms_cli_make_folders(ms_cli_calibration_file());
	return ms_cli_calibration_file();
}

static int calibrate(struct machine_command *c, const char *word, struct ms_err *err)
{
	const struct ms_machine_calibrate_options options = { .sysfs_root = "/sys",
							      .round_seconds = 0.02,
							      .preset_dir = ms_cli_machines_dir(),
							      .force = c->force,
							      .progress = print_measured,
							      .round = print_round };
	struct ms_options_report output = { 0 };
	struct ms_machine machine;
	FILE *out;

	MS_TRY(check_alone(c, word, err));
	output.output = output_file(c);
	MS_TRY(ms_options_try_output(&output, err));
	MS_TRY(ms_machine_calibrate(&machine, &options, err));
	/* Not opened before: a measurement that fails or is given up leaves an older file as it
	 * was. */
	int code = ms_options_open_output(&output, &out, err);
	if (code == MS_OK) {
		ms_machine_write(&machine, out);
		code = ms_options_close_output(&output, out, MS_OK, err);
	}
	if (code == MS_OK && c->save)
		fprintf(stderr,
			"memspy: 'host', the default machine, has these figures from now on (%s)\n",
			output.output);
	ms_machine_free(&machine);
	return code;
}

/* --- the command ---------------------------------------------------------------------------- */

static const struct {
	const char *word;
	const char *needs; /* NULL: nothing may follow */
	int (*run)(struct machine_command *c, const char *word, struct ms_err *err);
} verbs[] = {
	{ "list", NULL, list_machines },
	{ "check", "FILE", check_machine },
	{ "show", "MACHINE", show_machine },
};

static int dispatch(struct machine_command *c, const struct ms_words *rest, struct ms_err *err)
{
	const char *const *words = rest->at.at;
	size_t n = rest->at.n;

	if (c->calibrate)
		return calibrate(c, n > 0 ? words[0] : NULL, err);
	if (c->output != NULL)
		return ms_fail(err, MS_EUSAGE, "--output goes with --calibrate only");
	if (c->force || c->save)
		return ms_fail(err, MS_EUSAGE, "--%s goes with --calibrate only",
			       c->force ? "force" : "save");
	for (size_t i = 0; n > 0 && i < MS_COUNT(verbs); i++) {
		if (strcmp(verbs[i].word, words[0]) != 0)
			continue;
		size_t wanted = verbs[i].needs != NULL ? 2 : 1;

		if (n < wanted)
			return ms_fail(err, MS_EUSAGE, "machine %s expects a %s", words[0],
				       verbs[i].needs);
		if (n > wanted)
			return ms_fail(err, MS_EUSAGE, "machine %s: unexpected argument '%s'",
				       words[0], words[wanted]);
		return verbs[i].run(c, n > 1 ? words[1] : NULL, err);
	}
	if (n > 1)
		return ms_fail(err, MS_EUSAGE, "machine: unexpected argument '%s'", words[1]);
	return show_machine(c, n > 0 ? words[0] : NULL, err);
}

static int run_machine(int argc, char *const argv[])
{
	struct machine_command command = { 0 };
	struct ms_words rest = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_machine, argc, argv, &command, &rest, &status))
		return status;
	if (dispatch(&command, &rest, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&rest.at);
	return status;
}

const struct ms_cli_command ms_commands_machine = {
	.name = "machine",
	.usage = "machine [options] [show] [host|PRESET|FILE] | list | check FILE | --calibrate",
	.brief = "show which memory system is simulated, and where its figures come from",
	.full = "Shows the cache levels of a machine and the origin of every figure: of this "
		"machine "
		"(host, the default), of a preset, or of a machine file. 'list' names the presets; "
		"'check' reads a machine file and says what is wrong with it.\n\n"
		"With --l1, --l2, --l3 or --ll it shows the machine that 'memspy run' would "
		"simulate "
		"with the same options.\n\n"
		"--calibrate measures what the system does not report: latencies, misses in "
		"flight, "
		"bandwidth, prefetching, TLB, instructions per cycle; docs/formats/machine.md says "
		"how. What it does not measure is taken from the preset of the processor family.",
	.examples = "memspy machine\tthe caches of this machine\n"
		    "memspy machine list\tthe presets\n"
		    "memspy machine show dash --ini > my.ini\ta file to start from\n"
		    "memspy machine check my.ini\twhether it is right\n"
		    "memspy machine --calibrate --save\tmeasure this machine, once\n"
		    "memspy machine --calibrate -o host.ini\tthe same, into a file\n",
	.options = { machine_tables, false },
	.run = run_machine,
};
