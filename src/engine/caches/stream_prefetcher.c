#include "engine/caches/stream_prefetcher.h"

#include <string.h>

#include "base/mem.h"

void ms_caches_open_streams(struct ms_caches_streams *streams, const struct ms_machine_level *level)
{
	*streams = (struct ms_caches_streams){
		.at = ms_alloc(level->prefetch * sizeof(*streams->at)),
		.most = level->prefetch,
		.page_shift = (uint32_t)__builtin_ctz(MS_PREFETCH_PAGE / level->line),
	};
}

void ms_caches_close_streams(struct ms_caches_streams *streams)
{
	ms_free(streams->at);
}

/*
 * Distance of the line from the stream's last one, upwards; 0: in another page, or the same line.
 */
static int64_t distance(const struct ms_caches_streams *streams,
			const struct ms_caches_stream *stream, uint64_t line)
{
	if (stream->last >> streams->page_shift != line >> streams->page_shift)
		return 0;
	return (int64_t)(line - stream->last);
}

static bool is_covered(const struct ms_caches_streams *streams,
		       const struct ms_caches_stream *stream, uint64_t line)
{
	int64_t ahead = distance(streams, stream, line) * stream->direction;

	return ahead >= 1 && ahead <= MS_CACHES_PREFETCH_AHEAD;
}

/* The stream advances to its next line and becomes the most recent one. */
static void move_on(struct ms_caches_streams *streams, uint32_t i, struct ms_caches_stream next)
{
	memmove(streams->at + 1, streams->at, i * sizeof(*streams->at));
	streams->at[0] = next;
}

/* Finds an unconfirmed stream at an adjacent line, or a stream at this line; n: none. */
static uint32_t find_beside(const struct ms_caches_streams *streams, uint64_t line)
{
	uint32_t i = 0;

	for (; i < streams->n; i++) {
		const struct ms_caches_stream *stream = &streams->at[i];
		int64_t ahead = distance(streams, stream, line);

		if (stream->last == line || (stream->direction == 0 && (ahead == 1 || ahead == -1)))
			break;
	}
	return i;
}

bool ms_caches_observe_miss(struct ms_caches_streams *streams, uint64_t line)
{
	for (uint32_t i = 0; i < streams->n; i++)
		if (is_covered(streams, &streams->at[i], line)) {
			move_on(streams, i,
				(struct ms_caches_stream){ line, streams->at[i].direction });
			return true;
		}

	uint32_t i = find_beside(streams, line);
	struct ms_caches_stream next = { line, 0 };
	if (i < streams->n) {
		next.direction = streams->at[i].last == line
					 ? streams->at[i].direction
					 : (int)distance(streams, &streams->at[i], line);
	} else if (streams->n < streams->most) {
		streams->n++;
	} else {
		i = streams->n - 1;
	}
	move_on(streams, i, next);
	return false;
}
