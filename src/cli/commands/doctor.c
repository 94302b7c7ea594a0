/* cli/commands/doctor.c - memspy doctor: what works on this machine, what does not, why, and the
 * remedy.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "collect/collect.h"
#include "machine/machine.h"
#include "perf/perf.h"
#include "run/enum_words.h"

struct doctor_command {
	bool json;
};

static const struct ms_opt doctor_rows[] = {
	{ .kind = MS_OPT_FLAG,
	  .name = "json",
	  .offset = offsetof(struct doctor_command, json),
	  .brief = "write one JSON object" },
	{ .name = NULL },
};
static const struct ms_opt *const doctor_tables[] = { doctor_rows, NULL };

/* One thing that memspy can do, or not. */
struct finding {
	const char *part; /* "sample", "run", "attach", "machine" */
	const char *name; /* as typed after --event or --frontend */
	bool works;
	const char *what;   /* works: what it reports; else why it does not */
	const char *remedy; /* NULL: none, or none needed */
};

struct findings {
	MS_VEC(struct finding) at;
	struct ms_arena arena;
};

static void add(struct findings *f, const char *part, const char *name, bool works,
		const char *what, const char *remedy)
{
	*ms_vec_add(&f->at) = (struct finding){ part, name, works, what, remedy };
}

#define NEEDS_NATIVE "it needs the native front-end, which is missing"
#define BUILD_NATIVE "build it (make) or install memspy again"

/* --- sources of samples --- */

/* Programs that memspy starts record what they allocate, by the runtime preloaded into them.
 */
static void add_source(struct findings *f, const struct ms_perf_world *world,
		       enum ms_run_source source, bool native)
{
	const struct ms_perf_request request = { .source = source, .overhead = 0.01 };
	struct ms_perf_state s;

	ms_perf_probe(world, &request, &s, &f->arena);
	if (s.works && !native) {
		add(f, "sample", ms_run_source_word(source), false,
		    NEEDS_NATIVE "; with --attach it works", BUILD_NATIVE);
		return;
	}
	add(f, "sample", ms_run_source_word(source), s.works,
	    s.works ? ms_arena_printf(&f->arena, "%s (%s)", s.tells, s.event) : s.why,
	    s.works ? NULL : s.remedy);
}

#define TIMER_TELLS "time that each thread waits for its data, and time that it computes"

/* The timer needs the native runtime, and nothing else; perf makes it finer. */
static void add_timer(struct findings *f, const struct ms_perf_world *world, bool native)
{
	const struct ms_perf_request request = { .source = MS_RUN_TIMER };
	const char *name = ms_run_source_word(MS_RUN_TIMER);
	struct ms_perf_state s;

	ms_perf_probe(world, &request, &s, &f->arena);
	if (!native) {
		add(f, "sample", name, false,
		    s.works ? NEEDS_NATIVE "; with --attach it works" : NEEDS_NATIVE, BUILD_NATIVE);
		return;
	}
	add(f, "sample", name, true,
	    s.works ? TIMER_TELLS
		    : ms_arena_printf(&f->arena,
				      TIMER_TELLS
				      "; at the scheduler's ticks only, a few hundred a "
				      "second: %s",
				      s.why),
	    s.works ? NULL : s.remedy);
}

/* --- front-ends --- */

static bool add_frontend(struct findings *f, enum ms_launch_frontend frontend, const char *name,
			 const char *what)
{
	struct ms_err err;
	bool works = ms_launch_has_frontend(frontend, ms_cli_frontends_dir(), &err) == MS_OK;

	add(f, "run", name, works, works ? what : ms_arena_strdup(&f->arena, err.text), NULL);
	return works;
}

/* --- the rest --- */

static long read_number(const char *path, long otherwise)
{
	char text[32] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	return n > 0 ? strtol(text, NULL, 10) : otherwise;
}

/* Sampling: the kernel looks at the program, memspy does not touch it. */
static void add_attach_sample(struct findings *f, const struct ms_perf_world *world)
{
	const struct ms_perf_request request = { .source = MS_RUN_TIMER, .attach = true };
	struct ms_perf_state s;

	ms_perf_probe(world, &request, &s, &f->arena);
	add(f, "attach", "perf", s.works,
	    s.works ? "memspy sample --attach PID looks at programs that run already" : s.why,
	    s.works ? NULL : s.remedy);
}

/* Simulating: the native front-end is brought into it. */
static void add_attach_run(struct findings *f, bool native)
{
	long scope = read_number("/proc/sys/kernel/yama/ptrace_scope", 0);
	bool may = ms_perf_capable(MS_CAP_PTRACE);

	if (!native)
		add(f, "attach", "ptrace", false, NEEDS_NATIVE, BUILD_NATIVE);
	else if (scope == 0 || (may && scope < 3))
		add(f, "attach", "ptrace", true,
		    "memspy run --attach PID follows programs that run already", NULL);
	else
		add(f, "attach", "ptrace", false,
		    ms_arena_printf(&f->arena, "kernel.yama.ptrace_scope is %ld: %s", scope,
				    scope == 3 ? "no process may attach to another"
					       : "attaching to programs that are not children of "
						 "memspy needs CAP_SYS_PTRACE"),
		    scope == 3 ? "it stays so until the machine starts again without it"
			       : "sysctl kernel.yama.ptrace_scope=0 (as root), or run memspy as "
				 "root; a container: --cap-add SYS_PTRACE");
}

static void add_machine(struct findings *f)
{
	struct ms_machine machine;
	struct ms_err err;

	if (ms_machine_load_host(&machine, "/sys", &err) != MS_OK) {
		add(f, "machine", "host", false, ms_arena_strdup(&f->arena, err.text),
		    "name a machine: memspy run --machine PRESET (memspy machine --list), or "
		    "--l1, --l2, --ll");
		return;
	}
	add(f, "machine", "host", true,
	    ms_arena_printf(&f->arena, "%zu cache levels are known (%s)", machine.levels.n,
			    machine.origin),
	    NULL);
	ms_machine_free(&machine);
}

static void look(struct findings *f)
{
	struct ms_perf_world world;

	ms_perf_this_world(&world);
	bool native = add_frontend(f, MS_LAUNCH_FRONTEND_NATIVE, "native",
				   "dynamically linked programs, in their own process");
	add_frontend(f, MS_LAUNCH_FRONTEND_VALGRIND, "valgrind", "any program, slower");
	for (int i = 0; i < MS_PERF_SOURCES; i++) {
		/* In the order of preference: the timer comes before page faults. */
		if (ms_perf_sources[i] == MS_RUN_FAULTS)
			add_timer(f, &world, native);
		add_source(f, &world, ms_perf_sources[i], native);
	}
	add_attach_sample(f, &world);
	add_attach_run(f, native);
	add_machine(f);
}

/* --- telling --- */

/* Whether the finding with this name works. */
static bool does(const struct findings *f, const char *name)
{
	for (size_t i = 0; i < f->at.n; i++)
		if (strcmp(f->at.at[i].name, name) == 0)
			return f->at.at[i].works;
	return false;
}

static void print_text(const struct findings *f)
{
	static const struct {
		const char *part, *title;
	} parts[] = {
		{ "sample", "Sources of memspy sample, the best first" },
		{ "run", "Front-ends of memspy run" },
		{ "attach", "Attaching to programs that run" },
		{ "machine", "This machine as memspy simulates it" },
	};

	for (size_t p = 0; p < MS_COUNT(parts); p++) {
		printf("%s%s:\n", p > 0 ? "\n" : "", parts[p].title);
		for (size_t i = 0; i < f->at.n; i++) {
			const struct finding *x = &f->at.at[i];

			if (strcmp(x->part, parts[p].part) != 0)
				continue;
			printf("  %-12s %-6s %s\n", x->name, x->works ? "works" : "no", x->what);
			if (x->remedy != NULL)
				printf("  %-12s %-6s What helps: %s\n", "", "", x->remedy);
		}
	}
	if (does(f, "timer"))
		printf("\nNext: memspy sample PROGRAM\n");
	else if (does(f, "valgrind"))
		printf("\nNext: memspy run PROGRAM\n");
}

static void print_json(const struct findings *f)
{
	struct ms_json j;

	ms_json_init(&j, stdout);
	ms_json_object(&j, NULL);
	ms_json_u64(&j, "schema_version", 1);
	ms_json_array(&j, "findings");
	for (size_t i = 0; i < f->at.n; i++) {
		const struct finding *x = &f->at.at[i];

		ms_json_object(&j, NULL);
		ms_json_text(&j, "part", x->part);
		ms_json_text(&j, "name", x->name);
		ms_json_bool(&j, "works", x->works);
		ms_json_text(&j, "what", x->what);
		ms_json_text(&j, "remedy", x->remedy);
		ms_json_end(&j);
	}
	ms_json_end(&j);
	ms_json_end(&j);
}

static int run_doctor(int argc, char *const argv[])
{
	struct doctor_command command = { .json = false };
	struct findings f = { MS_VEC_INIT, MS_ARENA_INIT };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_doctor, argc, argv, &command, &words, &status))
		return status;
	if (words.at.n > 0) {
		ms_fail(&err, MS_EUSAGE, "unexpected argument '%s'", words.at.at[0]);
		status = ms_cli_fail(&err);
	} else {
		look(&f);
		(command.json ? print_json : print_text)(&f);
		if (ms_options_flush_output("standard output", stdout, &err) != MS_OK)
			status = ms_cli_fail(&err);
	}
	ms_vec_free(&words.at);
	ms_vec_free(&f.at);
	ms_arena_free(&f.arena);
	return status;
}

const struct ms_cli_command ms_commands_doctor = {
	.name = "doctor",
	.usage = "doctor [--json]",
	.brief = "report what works on this machine, what does not, and why",
	.full = "Tries every source of samples that memspy supports, and looks for its front-ends. "
		"Of "
		"what does not work it says why (no PMU in this virtual machine, "
		"kernel.perf_event_paranoid, a missing capability, a container's seccomp filter) "
		"and the command that helps.",
	.examples =
		"memspy doctor\twhy is there no PEBS here?\n"
		"memspy doctor --json | jq '.findings[] | select(.works | not)'\twhat is missing\n",
	.options = { doctor_tables, false },
	.run = run_doctor,
};
