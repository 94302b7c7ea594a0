/* cli/version.c - what memspy --version says: what this one can, and which libraries it found. */
#include <glob.h>

#include "base/text.h"
#include "cli/cli_priv.h"
#include "cli/shell/shell.h"
#include "decode/decode.h"
#include "perf/pfm.h"
#include "serve/serve.h"
#include "store/store.h"
#include "stream/trace/trace.h"
#include "symbols/symbols.h"
#include "views/html/html.h"
#include "wire/wire.h"

/* The front-ends, and the files without which they do not work. */
static const struct {
	const char *name;
	const char *file; /* a pattern: Valgrind's tools are named after their platform */
} parts[] = {
	{ "native", "memspy-native.so" },
	{ "valgrind", "memspy-*-linux" },
};

static bool is_there(const char *file)
{
	struct ms_text path = MS_TEXT_INIT;
	glob_t found;

	ms_text_addf(&path, "%s/%s", ms_cli_frontends_dir(), file);
	bool there = glob(path.at, GLOB_NOSORT, NULL, &found) == 0;
	if (there)
		globfree(&found);
	ms_text_free(&path);
	return there;
}

static void put_frontends(FILE *out)
{
	fputs("Front-ends:  ", out);
	for (size_t i = 0; i < MS_COUNT(parts); i++)
		fprintf(out, "%s%s%s", i > 0 ? ", " : "", parts[i].name,
			is_there(parts[i].file) ? "" : " (not installed)");
	fputc('\n', out);
}

static const char *serve_library(void)
{
	const char *version = ms_serve_library(ms_cli_frontends_dir());

	return version != NULL ? version : "(not installed)";
}

static const struct {
	const char *name;
	const char *(*version)(void); /* gives NULL where this architecture does without */
} libraries[] = {
	{ "SQLite", ms_store_library },     { "elfutils", ms_symbols_library },
	{ "zstd", ms_trace_library },       { "libedit", ms_shell_library },
	{ "Zydis", ms_decode_library },     { "libpfm", ms_perf_pfm_library },
	{ "libmicrohttpd", serve_library }, { "zlib", ms_html_library },
};

static void put_libraries(FILE *out)
{
	const char *before = "Libraries:   ";

	for (size_t i = 0; i < MS_COUNT(libraries); i++) {
		const char *version = libraries[i].version();

		if (version != NULL)
			fprintf(out, "%s%s %s", before, libraries[i].name, version);
		before = ", ";
	}
	fputc('\n', out);
}

void ms_cli_version(FILE *out)
{
	fprintf(out, "memspy %s\n", MS_VERSION);
	put_frontends(out);
	fprintf(out, "Formats:     run database %d, stream and traces %d to %d\n",
		ms_store_format(), MS_WIRE_OLDEST, MS_WIRE_NEWEST);
	put_libraries(out);
	fprintf(out, "Compiler:    %s\n", __VERSION__);
}
