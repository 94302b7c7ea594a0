/*
 * base/opt.h - option tables, which the parser, --help, the man page and completion use.
 *
 * Options are in a struct of the command, not in globals. Short forms: -n 3, -n3; long forms: --top
 * 3, --top=3; a flag has no value. Parsing stops at "--" or, if the command requests it
 * (stop_at_word), at the first word that is not an option; words before that are positional. Each
 * option may also be given as MEMSPY_<LONG NAME> in the environment (upper case, '-' as '_'); the
 * command line takes precedence. Range and syntax errors are reported here: a command starts with
 * valid values.
 */
#ifndef MS_BASE_OPT_H
#define MS_BASE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/vec.h"

enum ms_opt_kind {
	MS_OPT_FLAG,   /* bool */
	MS_OPT_NUMBER, /* uint64_t, min..max */
	MS_OPT_SIZE,   /* uint64_t from "32K", min..max */
	MS_OPT_REAL,   /* double, min..max */
	MS_OPT_TEXT,   /* const char *; points into argv or the environment */
	MS_OPT_WORD,   /* const char *, one of the words in `choices` ("auto|always|never") */
	MS_OPT_LIST,   /* struct ms_opt_list; may be repeated */
};

struct ms_opt_list {
	MS_VEC(const char *) words;
};

struct ms_opt {
	enum ms_opt_kind kind;
	char letter;         /* 0: no short form */
	const char *name;    /* long form, without "--" */
	const char *value;   /* the name of the value in help: "N", "FILE"; NULL for flags */
	const char *brief;   /* one line, for --help */
	const char *full;    /* more text, for the man page; NULL: brief suffices */
	size_t offset;       /* of the field in the command's options struct: offsetof(...) */
	double min, max;     /* numbers, sizes, reals; 0,0: no bounds */
	const char *choices; /* MS_OPT_WORD */
};

/* A command's options: its own table, then tables that it shares with others. Ends with NULL. */
struct ms_opt_set {
	const struct ms_opt *const *tables; /* each ends with a row whose name is NULL */
	bool stop_at_word;                  /* the first word starts a program's command line */
};

struct ms_words {
	MS_VEC(const char *) at;
};

/*
 * Parses argv[1..], reads the environment, fills the struct at `into`; positional words and the
 * words after "--" go to *rest, in order. Defaults are the values in *into.
 */
int ms_opt_parse(const struct ms_opt_set *set, int argc, char *const argv[], void *into,
		 struct ms_words *rest, struct ms_err *err);
/*
 * Whether --help (or -h, unless a row has that letter) is among the options: it is valid
 * everywhere, takes precedence over errors in other options, and needs no row.
 */
bool ms_opt_wants_help(const struct ms_opt_set *set, int argc, char *const argv[]);
extern const struct ms_opt ms_opt_help_row; /* --help itself, for lists of options */
/* Writes the options as --help shows them, --help itself last. */
void ms_opt_help(const struct ms_opt_set *set, FILE *out);

#endif
