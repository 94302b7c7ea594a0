#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
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

/* Terminals that have a title; others would show the sequence. */
static bool has_title(void)
{
	static const char *const kinds[] = { "xterm",     "screen", "tmux",  "rxvt",
					     "alacritty", "foot",   "kitty", "gnome",
					     "konsole",   "vte",    "st-" };
	const char *kind = getenv("TERM");

	for (size_t i = 0; kind != NULL && i < MS_COUNT(kinds); i++)
		if (strncmp(kind, kinds[i], strlen(kinds[i])) == 0)
			return true;
	return false;
}

/* A program whose input is the terminal may write a question to it (on standard error) at any time,
 * and where its cursor is is not known: nothing may be drawn there. */
struct ms_cli_progress_line ms_cli_progress_begin(bool quiet, bool sampled)
{
	bool in_title = isatty(STDIN_FILENO);

	return (struct ms_cli_progress_line){
		.silent = quiet || !isatty(STDERR_FILENO) || isatty(STDOUT_FILENO) ||
			  (in_title && !has_title()),
		.in_title = in_title,
		.sampled = sampled,
	};
}

/* The title that there was is kept on the terminal's stack. */
static void put_title(struct ms_cli_progress_line *line, const struct ms_text *text)
{
	fprintf(stderr, "%s\033]2;%s\a", line->width == 0 ? "\033[22;2t" : "", text->at);
	line->width = (int)text->n;
}

/* The cursor goes back to the line's start: what the program writes goes over it. */
static void put_line(struct ms_cli_progress_line *line, const struct ms_text *text)
{
	int most = terminal_width() - 1;
	int width = (int)text->n < most ? (int)text->n : most;
	int before = line->width < most ? line->width : most; /* it may be narrower by now */
	int rest = before > width ? before - width : 0;

	fprintf(stderr, "\r%.*s%*s\r", width, text->at, rest, "");
	line->width = width;
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
	line->shown_at = progress->seconds;
	double rate = (double)progress->references / progress->seconds;
	ms_text_addf(&text, "memspy: %s references%s, %s/s",
		     ms_format_count(progress->references, references),
		     line->sampled ? " simulated" : "", ms_format_count((uint64_t)rate, rate_text));
	ms_text_addf(&text, ", %.2f %% miss",
		     100.0 * (double)progress->misses / (double)progress->references);
	(line->in_title ? put_title : put_line)(line, &text);
	fflush(stderr);
	ms_text_free(&text);
}

void ms_cli_progress_clear(struct ms_cli_progress_line *line)
{
	int most = terminal_width() - 1;

	if (line->width > 0 && line->in_title)
		fputs("\033]2;\a\033[23;2t", stderr);
	else if (line->width > 0)
		fprintf(stderr, "\r%*s\r", line->width < most ? line->width : most, "");
	line->width = 0;
}
