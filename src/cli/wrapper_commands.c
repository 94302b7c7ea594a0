#include "cli/wrapper_commands.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"
#include "launch/launch.h"

/*
 * How to find the program among a wrapper's words. Options that are not listed leave it unknown:
 * they may do something else (taskset -p), or change the folder (env -C).
 */
static const struct wrapper {
	const char *name;
	const char *flags;      /* letters of options without a value */
	const char *valued;     /* letters of options with a value */
	const char *long_flags; /* the same by name, each between spaces */
	const char *long_valued;
	unsigned words;   /* after the options: a mask, a duration */
	bool assignments; /* NAME=VALUE words precede the program */
	bool numbers;     /* -10 is an option */
} wrappers[] = {
	{ "env", "i0v", "u", " ignore-environment ", " unset ", 0, true, false },
	{ "nice", "", "n", "", " adjustment ", 0, false, true },
	{ "taskset", "ca", "", " cpu-list all-tasks ", "", 1, false, false },
	{ "time", "apqv", "fo", " append portability quiet verbose ", " format output ", 0, false,
	  false },
	{ "numactl", "al", "NmCip", " all localalloc ",
	  " interleave cpunodebind membind physcpubind preferred ", 0, false, false },
	{ "timeout", "v", "ks", " foreground preserve-status verbose ", " kill-after signal ", 1,
	  false, false },
	{ "stdbuf", "", "ioe", "", " input output error ", 0, false, false },
	{ "ionice", "t", "cn", " ignore ", " class classdata ", 0, false, false },
	{ "chrt", "abdfior", "TPD", " all-tasks batch deadline fifo idle other rr ", "", 1, false,
	  false },
	{ "setsid", "cfw", "", " ctty fork wait ", "", 0, false, false },
	{ "nohup", "", "", "", "", 0, false, false },
};

/* By its name alone, or in a folder of the system: ./time is the user's own. */
static const struct wrapper *find_wrapper(const char *word)
{
	const char *base = ms_base_name(word);
	size_t folder = (size_t)(base - word);

	if (folder > 0 && !(folder == 5 && strncmp(word, "/bin/", 5) == 0) &&
	    !(folder == 9 && strncmp(word, "/usr/bin/", 9) == 0))
		return NULL;
	for (size_t i = 0; i < MS_COUNT(wrappers); i++)
		if (strcmp(wrappers[i].name, base) == 0)
			return &wrappers[i];
	return NULL;
}

bool ms_cli_is_wrapper(const char *program)
{
	return find_wrapper(program) != NULL;
}

static bool is_listed(const char *list, const char *name, size_t n)
{
	for (const char *at = list; (at = strchr(at, ' ')) != NULL && at[1] != '\0'; at++)
		if (strncmp(at + 1, name, n) == 0 && at[n + 1] == ' ')
			return true;
	return false;
}

/* The number of words of the option at the start of words; 0: it is not known. */
static size_t long_option(const struct wrapper *w, const char *option)
{
	size_t n = strcspn(option, "=");

	if (is_listed(w->long_valued, option, n))
		return option[n] == '=' ? 1 : 2;
	return option[n] == '\0' && is_listed(w->long_flags, option, n) ? 1 : 0;
}

static size_t short_options(const struct wrapper *w, const char *letters)
{
	if (w->numbers && letters[strspn(letters, "-+0123456789")] == '\0')
		return 1;
	for (; *letters != '\0'; letters++) {
		if (strchr(w->valued, *letters) != NULL)
			return letters[1] == '\0' ? 2 : 1;
		if (strchr(w->flags, *letters) == NULL)
			return 0;
	}
	return 1;
}

/* Skips one wrapper; 0: the program is not found. */
static size_t skip_wrapper(const struct wrapper *w, const char *const *words)
{
	size_t i = 1;

	while (words[i] != NULL && words[i][0] == '-' && words[i][1] != '\0') {
		bool last = strcmp(words[i], "--") == 0;
		size_t n = last                 ? 1
			   : words[i][1] == '-' ? long_option(w, words[i] + 2)
						: short_options(w, words[i] + 1);

		if (n == 0 || (n == 2 && words[i + 1] == NULL))
			return 0;
		i += n;
		if (last)
			break;
	}
	while (w->assignments && words[i] != NULL && strchr(words[i], '=') != NULL)
		i++;
	for (unsigned k = 0; k < w->words && words[i] != NULL; k++)
		i++;
	return words[i] != NULL ? i : 0;
}

size_t ms_cli_count_wrapper_words(const char *const *words)
{
	size_t i = 0;

	while (words[i] != NULL) {
		const struct wrapper *w = find_wrapper(words[i]);
		size_t n = w != NULL ? skip_wrapper(w, words + i) : 0;

		if (n == 0)
			break;
		i += n;
	}
	return words[i] != NULL ? i : 0;
}

static bool wraps_unfollowable(const char *const *words)
{
	size_t before = ms_cli_count_wrapper_words(words);
	char *path = before > 0 ? ms_launch_find_program(words[before]) : NULL;
	bool unfollowable = path != NULL && ms_launch_why_not_native(path) != NULL;

	ms_free(path);
	return unfollowable;
}

bool ms_cli_is_wrapper_entered(enum ms_launch_frontend frontend, const char *const *words)
{
	return frontend == MS_LAUNCH_FRONTEND_VALGRIND ||
	       (frontend == MS_LAUNCH_FRONTEND_AUTO && wraps_unfollowable(words));
}

int ms_cli_enter_wrapper(int argc, char *const argv[], const char *const *words, struct ms_err *err)
{
	size_t before = ms_cli_count_wrapper_words(words), n = 0;
	MS_VEC(const char *) all = MS_VEC_INIT;
	char self[PATH_MAX];
	ssize_t length = before > 0 ? readlink("/proc/self/exe", self, sizeof(self) - 1) : -1;

	if (length <= 0)
		return MS_OK;
	self[length] = '\0';
	while (words[n] != NULL)
		n++;
	for (size_t i = 0; i < before; i++)
		*ms_vec_add(&all) = words[i];
	*ms_vec_add(&all) = self;
	for (int i = 0; i < argc - (int)n; i++)
		*ms_vec_add(&all) = argv[i];
	if (strcmp(all.at[all.n - 1], "--") != 0)
		*ms_vec_add(&all) = "--";
	for (size_t i = before; i <= n; i++)
		*ms_vec_add(&all) = words[i];
	execvp(all.at[0], (char *const *)all.at);
	ms_vec_free(&all);
	return ms_fail_errno(err, "%s: could not be executed", words[0]);
}
