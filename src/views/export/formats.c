#include "views/export/export.h"

#include <string.h>

#include "analysis/describe/describe.h"
#include "views/export/export_priv.h"
#include "views/export/formats.h"

#define ROW(name, has_views, has_metric, description) \
	{ #name, has_views, has_metric, ms_export_##name },
const struct ms_export_format ms_export_formats[] = {
	MS_EXPORT_FORMATS(ROW){ .name = NULL },
};

void ms_export_name(FILE *out, const char *name, const char *others)
{
	for (; *name != '\0'; name++)
		fputc((unsigned char)*name < ' ' || *name == 0x7f || strchr(others, *name) != NULL
			      ? ' '
			      : *name,
		      out);
}

void ms_export_command(FILE *out, const struct ms_run *run)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_describe_command(&text, run->program, run->argv.at, run->argv.n);
	ms_export_name(out, text.at, "");
	ms_text_free(&text);
}

int ms_export_no_weight(const struct ms_lines_point_weight *w, struct ms_err *err)
{
	return ms_fail(err, MS_EUSAGE,
		       "the run has no %s, so there is nothing to draw; --metric names another",
		       w->key);
}
