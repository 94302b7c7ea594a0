#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"

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

void ms_progress_show(const struct ms_collect_progress *progress, void *arg)
{
	struct ms_progress_line *line = arg;
	char references[MS_NUM_TEXT], rate[MS_NUM_TEXT], text[160];
	double seconds = progress->seconds > 0 ? progress->seconds : 1e-9;

	if (line->shown_at != 0 && progress->seconds - line->shown_at < 0.2)
		return;
	if (line->clock_hz == 0)
		line->clock_hz = read_clock();
	line->shown_at = progress->seconds;
	/* Native time is not known while we run: one reference in two cycles is a fair guess. */
	double native = 2 * (double)progress->references / line->clock_hz;
	int n = snprintf(text, sizeof(text),
			 "memspy: %s references, %s/s, about %.0fx native time, %.2f %% miss",
			 ms_format_count(progress->references, references),
			 ms_format_count((uint64_t)((double)progress->references / seconds), rate),
			 native > 0 ? seconds / native : 0.0,
			 progress->references > 0 ? 100.0 * (double)progress->misses /
							    (double)progress->references
						  : 0.0);
	fprintf(stderr, "\r%s%*s", text, line->width > n ? line->width - n : 0, "");
	fflush(stderr);
	line->width = n;
}

void ms_progress_clear(struct ms_progress_line *line)
{
	if (line->width > 0)
		fprintf(stderr, "\r%*s\r", line->width, "");
	line->width = 0;
}
