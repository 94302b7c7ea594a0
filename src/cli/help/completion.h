/* cli/help/completion.h - what may stand where on memspy's command line, for all shells. */
#ifndef MS_CLI_HELP_COMPLETION_H
#define MS_CLI_HELP_COMPLETION_H

#include "cli/cli_priv.h"

/* In a list of words: what only a running memspy knows. */
#define MS_HELP_COMPLETE_COMMANDS "%c"
#define MS_HELP_COMPLETE_MACHINES "%m"
#define MS_HELP_COMPLETE_RUNS     "%r"
#define MS_HELP_COMPLETE_DATA     "%d"
#define MS_HELP_COMPLETE_CODE     "%f"

/* For sed -E and the like: the figures before a name in a line of --csv. */
#define MS_HELP_COMPLETE_FIGURES "^([-+]?[0-9.]*(e[-+]?[0-9]+)?,)+"

/* What a word that is no option may be, blanks between them; NULL: a file. */
const char *ms_help_complete_words(const struct ms_cli_command *cmd);
/* What the value of an option may be, blanks or '|' between them; NULL: a file; "": anything. */
const char *ms_help_complete_value(const struct ms_opt *row);

#endif
