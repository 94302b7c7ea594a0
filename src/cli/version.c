/* cli/version.c - what memspy --version says: what this one can, and which libraries it found. */
#include <glob.h>

#include "base/text.h"
#include "cli/cli_priv.h"
#include "store/store.h"
#include "stream/trace.h"
#include "stream/wire.h"
#include "symbols/symbols.h"

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

void ms_cli_version(FILE *out)
{
	fprintf(out, "memspy %s\n", MS_VERSION);
	put_frontends(out);
	fprintf(out, "Formats:     run database %d, stream and traces %d to %d\n",
		ms_store_format(), MS_WIRE_OLDEST, MS_WIRE_NEWEST);
	fprintf(out, "Libraries:   SQLite %s, elfutils %s, zstd %s\n", ms_store_library(),
		ms_symbols_library(), ms_trace_library());
	fprintf(out, "Compiler:    %s\n", __VERSION__);
}
