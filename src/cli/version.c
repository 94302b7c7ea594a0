/* cli/version.c - what memspy --version says: what this one can, and which libraries it found. */
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli_priv.h"
#include "store/store.h"
#include "stream/trace.h"
#include "stream/wire.h"
#include "symbols/symbols.h"

/* The front-ends, and the files without which they do not work. */
static const struct {
	const char *name;
	const char *file;
	const char *architecture; /* as uname -m has it; NULL: any */
} parts[] = {
	{ "native", "memspy-native.so", NULL },
	{ "valgrind", "memspy-amd64-linux", "x86_64" },
	{ "valgrind", "memspy-arm64-linux", "aarch64" },
};

static bool is_there(const char *file)
{
	struct ms_text path = MS_TEXT_INIT;

	ms_text_addf(&path, "%s/%s", ms_cli_frontends_dir(), file);
	bool found = access(path.at, R_OK) == 0;
	ms_text_free(&path);
	return found;
}

static void put_frontends(FILE *out)
{
	struct utsname machine;
	bool known = uname(&machine) == 0;
	const char *comma = "";

	fputs("Front-ends:  ", out);
	for (size_t i = 0; i < MS_COUNT(parts); i++) {
		if (parts[i].architecture != NULL &&
		    (!known || strcmp(parts[i].architecture, machine.machine) != 0))
			continue;
		fprintf(out, "%s%s%s", comma, parts[i].name,
			is_there(parts[i].file) ? "" : " (not installed)");
		comma = ", ";
	}
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
