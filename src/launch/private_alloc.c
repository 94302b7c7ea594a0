/*
 * launch/private_alloc.c - private allocators, as the user names them:
 *
 *    --malloc NAME[:ARG[*ARG]]   the size is the argument ARG, from 1 on, or two of them multiplied
 *    --malloc NAME=BYTES         every block has this size
 *    --free NAME[:ARG]           the block is the argument ARG
 *    --realloc NAME[:BLOCK,SIZE]
 */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "launch/options.h"

enum { MOST_ARGS = 4 };

struct parts {
	size_t name;
	long size, times, block; /* from 1; 0: none */
	uint64_t bytes;
};

/* Reads an argument's number at *text, which is advanced past it; 0: there is none. */
static long read_arg(const char **text)
{
	char *end;
	long number = strtol(*text, &end, 10);

	if (end == *text || **text < '0' || **text > '9' || number < 1 || number > MOST_ARGS)
		return 0;
	*text = end;
	return number;
}

static bool read_malloc(const char *rest, struct parts *p)
{
	p->size = 1;
	if (*rest == '\0')
		return true;
	if (*rest == '=') {
		p->size = 0;
		return ms_parse_size(rest + 1, &p->bytes) && p->bytes > 0 && p->bytes <= INT32_MAX;
	}
	rest++;
	p->size = read_arg(&rest);
	if (p->size != 0 && *rest == '*') {
		rest++;
		p->times = read_arg(&rest);
		return p->times != 0 && *rest == '\0';
	}
	return p->size != 0 && *rest == '\0';
}

static bool read_free(const char *rest, struct parts *p)
{
	p->block = 1;
	if (*rest == '\0')
		return true;
	if (*rest++ != ':')
		return false;
	p->block = read_arg(&rest);
	return p->block != 0 && *rest == '\0';
}

static bool read_realloc(const char *rest, struct parts *p)
{
	p->block = 1;
	p->size = 2;
	if (*rest == '\0')
		return true;
	if (*rest++ != ':')
		return false;
	p->block = read_arg(&rest);
	if (p->block == 0 || *rest++ != ',')
		return false;
	p->size = read_arg(&rest);
	return p->size != 0 && *rest == '\0';
}

static const struct {
	const char *option, *letter, *shapes;
	bool (*read)(const char *rest, struct parts *p);
} kinds[] = {
	[MS_LAUNCH_PRIVATE_MALLOC] = { "--malloc", "T",
				       "NAME, NAME:ARG or NAME:ARG*ARG (which arguments are the "
				       "size, 1 to "
				       "4), or NAME=BYTES",
				       read_malloc },
	[MS_LAUNCH_PRIVATE_FREE] = { "--free", "F",
				     "NAME or NAME:ARG (which argument is the block, 1 to 4)",
				     read_free },
	[MS_LAUNCH_PRIVATE_REALLOC] = { "--realloc", "R",
					"NAME or NAME:BLOCK,SIZE (which arguments they are, 1 to "
					"4)",
					read_realloc },
};

int ms_launch_private_alloc_option(enum ms_launch_private_alloc_kind kind, const char *text,
				   struct ms_arena *arena, const char **option, struct ms_err *err)
{
	struct parts p = { .name = strcspn(text, ":=") };

	if (p.name == 0 || !kinds[kind].read(text + p.name, &p))
		return ms_fail(err, MS_EUSAGE, "%s expects %s, not '%s'", kinds[kind].option,
			       kinds[kind].shapes, text);
	*option = ms_arena_printf(arena, "--own=%s,%ld,%ld,%ld,%llu,%.*s", kinds[kind].letter,
				  p.size - 1, p.times - 1, p.block - 1, (unsigned long long)p.bytes,
				  (int)p.name, text);
	return MS_OK;
}
