/* cli/remarks.h - what names of data and code were taken as, on standard error. */
#ifndef MS_CLI_REMARKS_H
#define MS_CLI_REMARKS_H

#include "base/text.h"

/* Prints each line as a message, and frees the text. */
void ms_cli_print_remarks(struct ms_text *remarks);

#endif
