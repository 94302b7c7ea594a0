/* cli/shell/edit.c - lines typed on a terminal: editing, history, Tab. The only user of libedit. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "base/utf8.h"
#include "base/words.h"
#include "cli/shell/shell.h"

enum { REMEMBERED = 1000, LISTED = 200, WIDEST = 40 };

struct editor {
	EditLine *line;
	History *history;
	struct ms_shell *shell;
	struct ms_text file; /* where the history is kept; empty: nowhere */
	int keys;            /* the terminal, of which a read does not wait */
	char prompt[64];
};

/*
 * Loaded when lines are edited: with the libraries that it needs it takes 0.4 ms, which every
 * command would pay for.
 */
#define LIBRARY "libedit.so.2"

static struct {
	__typeof__(el_init) *init;
	__typeof__(el_get) *get;
	__typeof__(el_set) *set;
	__typeof__(el_wset) *wset;
	__typeof__(el_line) *line;
	__typeof__(el_deletestr) *deletestr;
	__typeof__(el_insertstr) *insertstr;
	__typeof__(el_source) *source;
	__typeof__(el_resize) *resize;
	__typeof__(el_gets) *gets;
	__typeof__(el_reset) *reset;
	__typeof__(el_end) *end;
	__typeof__(history_init) *history_init;
	__typeof__(history_end) *history_end;
	__typeof__(history) *history;
} edit;

/* False: it is not installed. It stays loaded. */
static bool load_library(void)
{
	void *module = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (module == NULL)
		return false;
	edit.init = dlsym(module, "el_init");
	edit.get = dlsym(module, "el_get");
	edit.set = dlsym(module, "el_set");
	edit.wset = dlsym(module, "el_wset");
	edit.line = dlsym(module, "el_line");
	edit.deletestr = dlsym(module, "el_deletestr");
	edit.insertstr = dlsym(module, "el_insertstr");
	edit.source = dlsym(module, "el_source");
	edit.resize = dlsym(module, "el_resize");
	edit.gets = dlsym(module, "el_gets");
	edit.reset = dlsym(module, "el_reset");
	edit.end = dlsym(module, "el_end");
	edit.history_init = dlsym(module, "history_init");
	edit.history_end = dlsym(module, "history_end");
	edit.history = dlsym(module, "history");
	return true;
}

static char *prompt(EditLine *line)
{
	struct editor *e;

	edit.get(line, EL_CLIENTDATA, &e);
	snprintf(e->prompt, sizeof(e->prompt), "memspy%s%s> ", e->shell->run[0] != '\0' ? " " : "",
		 e->shell->run);
	return e->prompt;
}

/* --- completion --- */

static size_t columns_of(FILE *out)
{
	struct winsize size;

	return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* All candidates, made safe to show, in as many columns as there is room for. */
static void list(const struct ms_shell_completion *c, FILE *out)
{
	size_t widest = 0, n = c->words.at.n < LISTED ? c->words.at.n : LISTED;

	for (size_t i = 0; i < n; i++) {
		size_t width = ms_utf8_width(c->words.at.at[i]);

		widest = width > widest ? width : widest;
	}
	widest = widest < WIDEST ? widest : WIDEST;
	size_t columns = columns_of(out) / (widest + 2);
	columns = columns > 0 ? columns : 1;
	fputc('\n', out);
	for (size_t i = 0; i < n; i++) {
		struct ms_text safe = MS_TEXT_INIT;
		bool last = i + 1 == n || (i + 1) % columns == 0;

		ms_utf8_fit(&safe, c->words.at.at[i], widest, MS_CUT_START);
		fprintf(out, "%s%*s%s", ms_text_get(&safe),
			last ? 0 : (int)(widest + 2 - ms_utf8_width(ms_text_get(&safe))), "",
			last ? "\n" : "");
		ms_text_free(&safe);
	}
	if (c->words.at.n > n)
		fprintf(out, "and %zu more\n", c->words.at.n - n);
}

static bool is_folder(const char *word)
{
	size_t n = strlen(word);

	return n > 0 && word[n - 1] == '/';
}

/* Puts a word into the place of the one that was begun. */
static void replace(EditLine *line, size_t begun, const char *word, bool whole)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_words_quote(&text, word);
	if (whole && !is_folder(word))
		ms_text_add(&text, " ");
	else if (text.at[0] == '\'' || text.at[0] == '"')
		text.at[--text.n] = '\0'; /* more of it is to come */
	edit.deletestr(line, (int)begun);
	edit.insertstr(line, text.at);
	ms_text_free(&text);
}

static unsigned char complete(EditLine *line, int key)
{
	const LineInfo *info = edit.line(line);
	size_t n = (size_t)(info->cursor - info->buffer);
	struct ms_shell_completion c;
	struct editor *e;
	unsigned char done = CC_REFRESH;

	(void)key;
	edit.get(line, EL_CLIENTDATA, &e);
	ms_shell_complete(e->shell, info->buffer, n, &c);
	struct ms_text word = MS_TEXT_INIT;
	ms_words_last(info->buffer, n, &word);
	if (c.words.at.n == 0) {
		done = CC_REFRESH_BEEP;
	} else if (c.words.at.n == 1) {
		replace(line, n - c.begin, c.words.at.at[0], true);
	} else if (!c.parts && c.common.n > word.n) {
		replace(line, n - c.begin, c.common.at, false);
	} else {
		list(&c, stdout);
		fflush(stdout);
		done = CC_REDISPLAY;
	}
	ms_text_free(&word);
	ms_shell_completion_free(&c);
	return done;
}

/* --- history --- */

static void find_file(struct editor *e)
{
	const char *file = getenv("MEMSPY_HISTORY"), *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (file != NULL && strcmp(file, "none") != 0)
		ms_text_add(&e->file, file);
	else if (file == NULL && state != NULL && state[0] == '/')
		ms_text_addf(&e->file, "%s/memspy/history", state);
	else if (file == NULL && home != NULL && home[0] == '/')
		ms_text_addf(&e->file, "%s/.local/state/memspy/history", home);
}

static void load_history(struct editor *e)
{
	HistEvent event;

	edit.history(e->history, &event, H_SETSIZE, REMEMBERED);
	edit.history(e->history, &event, H_SETUNIQUE, 1);
	find_file(e);
	if (e->file.n > 0)
		edit.history(e->history, &event, H_LOAD, e->file.at);
}

/* Two shells at a time: the last one to leave has its say. */
static void save_history(struct editor *e)
{
	HistEvent event;

	if (e->file.n == 0)
		return;
	ms_cli_make_folders(e->file.at);
	mode_t mask = umask(077);
	edit.history(e->history, &event, H_SAVE, e->file.at);
	umask(mask);
}

static void remember(struct editor *e, const char *line)
{
	HistEvent event;

	if (line[strspn(line, " \t\n")] != '\0')
		edit.history(e->history, &event, H_ENTER, line);
}

/* --- lines --- */

static void block(int how)
{
	sigset_t interrupt;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	sigprocmask(how, &interrupt, NULL);
}

/* Ctrl-C is let in only here: it ends the line whenever it was typed. */
static bool wait_for_key(const struct editor *e)
{
	struct pollfd keys = { .fd = e->keys, .events = POLLIN };
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	sigdelset(&mask, SIGINT);
	return ppoll(&keys, 1, NULL, &mask) > 0;
}

/* Ctrl-C throws away what was typed before it: then the key that there was is gone again. */
static ssize_t read_byte(const struct editor *e, char *byte)
{
	ssize_t got;

	do {
		if (!wait_for_key(e))
			return -1;
		got = read(e->keys, byte, 1);
	} while (got < 0 && errno == EAGAIN);
	return got;
}

/* One character of the terminal's character set; what is none is shown as '?'. */
static int get_key(EditLine *line, wchar_t *key)
{
	char bytes[MB_LEN_MAX];
	size_t n = 0, taken;
	struct editor *e;

	edit.get(line, EL_CLIENTDATA, &e);
	do {
		mbstate_t state = { 0 };
		ssize_t got = read_byte(e, bytes + n);

		if (got <= 0)
			return (int)got;
		taken = mbrtowc(key, bytes, ++n, &state);
	} while (taken == (size_t)-2 && n < sizeof(bytes));
	if (taken == (size_t)-1 || taken == (size_t)-2)
		*key = L'?';
	return 1;
}

/* Opened anew: processes that share standard input stay in blocking mode. */
static int open_keys(void)
{
	int fd = open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return fd >= 0 ? fd : STDIN_FILENO;
}

static bool open_editor(struct editor *e)
{
	e->keys = open_keys();
	e->line = edit.init("memspy", stdin, stdout, stderr);
	e->history = edit.history_init();
	if (e->line == NULL || e->history == NULL)
		return false;
	edit.set(e->line, EL_CLIENTDATA, e);
	edit.set(e->line, EL_PROMPT, prompt);
	edit.set(e->line, EL_GETCFN, get_key);
	edit.set(e->line, EL_EDITOR, "emacs");
	edit.set(e->line, EL_HIST, edit.history, e->history);
	/* In wide characters: libedit never frees the copies that el_set makes of these. */
	edit.wset(e->line, EL_ADDFN, L"memspy-complete", L"complete a word", complete);
	edit.set(e->line, EL_BIND, "^I", "memspy-complete", NULL);
	edit.set(e->line, EL_BIND, "^R", "em-inc-search-prev", NULL);
	edit.source(e->line, NULL); /* the user's ~/.editrc */
	load_history(e);
	return true;
}

static void read_lines(struct editor *e)
{
	while (!e->shell->leaving) {
		int n = 0;

		errno = 0;
		edit.resize(e->line);
		block(SIG_BLOCK);
		/* Before the prompt is seen: libedit would do so after it, and lose a quick
		 * Ctrl-D. */
		edit.set(e->line, EL_PREP_TERM, 1);
		const char *line = edit.gets(e->line, &n);
		block(SIG_UNBLOCK);
		if (line == NULL || n <= 0) {
			if (n < 0 && errno == EINTR) { /* Ctrl-C: the line is given up */
				fputs("^C\n", stdout);
				edit.reset(e->line);
				continue;
			}
			return;
		}
		remember(e, line);
		ms_shell_line(e->shell, line);
	}
}

void ms_shell_edit(struct ms_shell *shell)
{
	struct editor e = { .shell = shell };

	if (!load_library()) {
		fprintf(stderr,
			"memspy: lines cannot be edited without " LIBRARY ": install libedit\n");
		return;
	}
	if (open_editor(&e)) {
		read_lines(&e);
		save_history(&e);
	} else {
		fprintf(stderr, "memspy: the terminal cannot be edited on\n");
	}
	if (e.history != NULL)
		edit.history_end(e.history);
	if (e.line != NULL)
		edit.end(e.line);
	if (e.keys != STDIN_FILENO)
		close(e.keys);
	ms_text_free(&e.file);
}

#define TEXT_OF_(x) #x
#define TEXT_OF(x)  TEXT_OF_(x)

const char *ms_shell_library(void)
{
	return TEXT_OF(LIBEDIT_MAJOR) "." TEXT_OF(LIBEDIT_MINOR);
}
