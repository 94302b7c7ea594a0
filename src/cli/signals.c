/* cli/signals.c - writes that fail are errors with a sentence, not the death of memspy. */
#include <signal.h>
#include <stddef.h>

#include "cli/command.h"

static void fail_instead(int number)
{
	(void)number;
}

/* Caught, not ignored: a program that memspy starts gets it back as memspy found it. */
void ms_cli_outlive(int number)
{
	struct sigaction now, catching = { .sa_handler = fail_instead, .sa_flags = SA_RESTART };

	sigemptyset(&catching.sa_mask);
	if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
		sigaction(number, &catching, NULL);
}
