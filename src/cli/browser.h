/*
 * cli/browser.h - opens an address in the user's browser without showing it to other users.
 *
 * Every user can read the arguments of every process (ps). So the browser is not given the address
 * but a file in a directory, both for their owner alone, which leads it there.
 */
#ifndef MS_CLI_BROWSER_H
#define MS_CLI_BROWSER_H

#include "base/err.h"

struct ms_cli_browser {
	char *directory; /* NULL: nothing was opened */
	char *file;
};

/* Starts the browser, and does not wait for it. A browser that fails later is reported on standard
 * error. */
int ms_cli_browser_open(struct ms_cli_browser *browser, const char *address, struct ms_err *err);
/* The file is not needed any more; may be called several times. */
void ms_cli_browser_remove_file(const struct ms_cli_browser *browser);
void ms_cli_browser_free(struct ms_cli_browser *browser);

#endif
