#include "cli/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/num.h"
#include "base/text.h"

/* References a second below which the program is doing something else most of the time. */
static const double BUSY_RATE = 10e6;

/* Where the kernel does not say: typical of today's machines. */
static const double assumed_hz = 2.5e9;

static double read_clock(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char text[256];
	double mhz = 0;

	while (file != NULL && mhz == 0 && fgets(text, sizeof(text), file) != NULL)
		if (sscanf(text, "cpu MHz : %lf", &mhz) != 1)
			mhz = 0;
	if (file != NULL)
		fclose(file);
	return mhz > 0 ? mhz * 1e6 : assumed_hz;
}

static int terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/*
 * Native time is not known while the program runs: where it is busy, one reference in two cycles is
 * a fair guess. Where it waits for something else there is none.
 */
static void add_slowdown(struct ms_text *text, double rate, double clock_hz)
{
	if (rate > BUSY_RATE)
		ms_text_addf(text, ", about %.0fx native time", clock_hz / 2 / rate);
}

void ms_progress_show(const struct ms_collect_progress *progress, void *arg)
{
	struct ms_progress_line *line = arg;
	char references[MS_NUM_TEXT], rate_text[MS_NUM_TEXT];
	struct ms_text text = MS_TEXT_INIT;

	ms_live_tell(&line->live,
		     &(struct ms_live_moment){ progress->seconds, progress->references,
					       progress->misses },
		     progress->ended);
	if (line->silent || progress->references == 0 || progress->seconds - line->shown_at < 0.2)
		return;
	if (line->clock_hz == 0)
		line->clock_hz = read_clock();
	line->shown_at = progress->seconds;
	double rate = (double)progress->references / progress->seconds;
	ms_text_addf(&text, "memspy: %s references, %s/s",
		     ms_format_count(progress->references, references),
		     ms_format_count((uint64_t)rate, rate_text));
	add_slowdown(&text, rate, line->clock_hz);
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

void ms_progress_clear(struct ms_progress_line *line)
{
	int most = terminal_width() - 1;

	if (line->width > 0)
		fprintf(stderr, "\r%*s\r", line->width < most ? line->width : most, "");
	line->width = 0;
}
