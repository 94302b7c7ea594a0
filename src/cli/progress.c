#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/num.h"
#include "base/text.h"

static int terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* Bytes that the process has written, to whatever file; 0: not known. */
static unsigned long long bytes_written(pid_t pid)
{
	unsigned long long bytes = 0;
	char path[64], text[256];

	snprintf(path, sizeof(path), "/proc/%d/io", (int)pid);
	FILE *file = fopen(path, "re");
	while (file != NULL && fgets(text, sizeof(text), file) != NULL)
		if (sscanf(text, "wchar: %llu", &bytes) == 1)
			break;
	if (file != NULL)
		fclose(file);
	return bytes;
}

/* Valgrind writes a little itself, into files of its own. */
static bool is_valgrind(pid_t pid)
{
	char path[64], program[4096];

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	ssize_t n = readlink(path, program, sizeof(program) - 1);
	if (n <= 0)
		return false;
	program[n] = '\0';
	return strncmp(ms_base_name(program), "memspy-", 7) == 0;
}

/*
 * Whether the program may have written to the terminal, which is also its standard error: a prompt
 * must not be drawn over. Where it writes to is not known, so any text counts.
 */
static bool has_written(pid_t pid)
{
	enum { OF_VALGRIND = 1024 };

	return pid != 0 && bytes_written(pid) > (is_valgrind(pid) ? OF_VALGRIND : 0);
}

/* The slowdown is not shown: how long the program takes alone is unknown. */
void ms_cli_progress_show(const struct ms_collect_progress *progress, void *arg)
{
	struct ms_cli_progress_line *line = arg;
	char references[MS_NUM_TEXT], rate_text[MS_NUM_TEXT];
	struct ms_text text = MS_TEXT_INIT;

	ms_serve_live_report(&line->live,
			     &(struct ms_serve_live_moment){
				     progress->seconds, progress->references, progress->misses },
			     progress->ended);
	if (line->silent || progress->references == 0 || progress->seconds - line->shown_at < 0.2)
		return;
	if (has_written(progress->pid)) {
		/* If a line is there, the program's text is in the same place by now. */
		line->silent = true;
		line->width = 0;
		return;
	}
	line->shown_at = progress->seconds;
	double rate = (double)progress->references / progress->seconds;
	ms_text_addf(&text, "memspy: %s references%s, %s/s",
		     ms_format_count(progress->references, references),
		     line->sampled ? " simulated" : "", ms_format_count((uint64_t)rate, rate_text));
	ms_text_addf(&text, ", %.2f %% miss",
		     100.0 * (double)progress->misses / (double)progress->references);
	/* The cursor goes back to the line's start: what the program writes goes over it. */
	int most = terminal_width() - 1;
	int width = (int)text.n < most ? (int)text.n : most;
	int before = line->width < most ? line->width : most; /* it may be narrower by now */
	int rest = before > width ? before - width : 0;
	fprintf(stderr, "\r%.*s%*s\r", width, text.at, rest, "");
	fflush(stderr);
	line->width = width;
	ms_text_free(&text);
}

void ms_cli_progress_clear(struct ms_cli_progress_line *line)
{
	int most = terminal_width() - 1;

	if (line->width > 0)
		fprintf(stderr, "\r%*s\r", line->width < most ? line->width : most, "");
	line->width = 0;
}
