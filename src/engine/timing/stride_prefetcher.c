/* engine/timing/stride_prefetcher.c - see stride_prefetcher.h. */
#include "engine/timing/stride_prefetcher.h"

#include "base/map.h"
#include "base/mem.h"

void ms_timing_open_prefetcher(struct ms_timing_prefetcher *prefetcher,
			       const struct ms_timing_config *config)
{
	*prefetcher = (struct ms_timing_prefetcher){
		.config = config,
		.streams = ms_alloc((config->streams + 1) * sizeof(*prefetcher->streams)),
	};
}

void ms_timing_close_prefetcher(struct ms_timing_prefetcher *prefetcher)
{
	ms_free(prefetcher->streams);
}

void ms_timing_restart_prefetcher(struct ms_timing_prefetcher *prefetcher)
{
	prefetcher->batch++;
}

/* Two streams can be at the site's place: its own, or else the one that was used less recently. */
static struct ms_timing_stream *find_stream(struct ms_timing_prefetcher *prefetcher, uint32_t site)
{
	uint64_t at = ms_hash(site, 0) % prefetcher->config->streams;
	struct ms_timing_stream *one = &prefetcher->streams[at],
				*other = &prefetcher->streams[at ^ (at > 0)];

	if (one->site_plus_1 == site + 1)
		return one;
	if (other->site_plus_1 == site + 1)
		return other;
	if (one->site_plus_1 != 0 && other->batch < one->batch)
		one = other;
	*one = (struct ms_timing_stream){ .site_plus_1 = site + 1 };
	return one;
}

static bool continues(const struct ms_timing_prefetcher *prefetcher,
		      const struct ms_timing_stream *stream, int64_t distance)
{
	enum { NEAR = 2 };
	uint64_t lines = (uint64_t)(distance < 0 ? -distance : distance);

	if (distance == 0 || lines > prefetcher->config->prefetch_stride)
		return false;
	return distance == stream->stride ||
	       (lines <= NEAR && stream->stride >= -NEAR && stream->stride <= NEAR &&
		(distance < 0) == (stream->stride < 0) && stream->stride != 0);
}

static bool is_other_page(const struct ms_timing_config *config, uint64_t line, uint64_t other)
{
	uint32_t shift = config->small_page_shift - config->line_shift;

	return !config->prefetch_crosses_pages && line >> shift != other >> shift;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* --- regions --- */

/*
 * A third of the misses return to a region: then it is a pattern. Replays are short; in a longer
 * one, almost all would.
 */
enum { REGION_LINES = 64, MOST_RETURNS = 16, ENOUGH_RETURNS = 8, RETURN = 2, OTHER = 1 };

static bool enters_region(struct ms_timing_prefetcher *prefetcher,
			  const struct ms_timing_stream *stream, uint64_t number)
{
	struct ms_timing_region entry = { number, stream->site_plus_1, prefetcher->batch };
	struct ms_timing_region *at =
		&prefetcher->regions[ms_hash(number, entry.site_plus_1) % MS_TIMING_REGIONS];
	bool is_known = at->number == number && at->site_plus_1 == entry.site_plus_1 &&
			at->batch == entry.batch;

	*at = entry;
	return !is_known;
}

/* Learns from a far miss whether the site returns to regions. Returns whether it did so far. */
static bool learn_region(struct ms_timing_prefetcher *prefetcher, struct ms_timing_stream *stream,
			 uint64_t line)
{
	bool was_enough = stream->returns >= ENOUGH_RETURNS;
	bool is_new = enters_region(prefetcher, stream, line / REGION_LINES);

	if (line / REGION_LINES == stream->line / REGION_LINES)
		return was_enough;
	if (is_new)
		stream->returns -= stream->returns < OTHER ? stream->returns : OTHER;
	else
		stream->returns = smaller(stream->returns + RETURN, MOST_RETURNS);
	return was_enough;
}

/* --- consecutive lines of any sites --- */

static const struct ms_timing_recent_line *
find_recent(const struct ms_timing_prefetcher *prefetcher, uint64_t line)
{
	const struct ms_timing_recent_line *at = &prefetcher->recent[line % MS_TIMING_RECENT_LINES];

	return at->line == line && at->batch == prefetcher->batch ? at : NULL;
}

/* One of the next two lines in a direction; NULL: neither has missed. */
static const struct ms_timing_recent_line *
find_neighbour(const struct ms_timing_prefetcher *prefetcher, uint64_t line, int64_t direction)
{
	const struct ms_timing_recent_line *next =
		find_recent(prefetcher, line + (uint64_t)direction);

	return next != NULL ? next : find_recent(prefetcher, line + (uint64_t)(2 * direction));
}

/*
 * Two lines before this one, in either direction, with at most one between: then a prefetcher that
 * looks at lines only has run ahead since, at the speed of these. Returns whether there are such.
 */
static bool follows_lines(const struct ms_timing_prefetcher *prefetcher, uint64_t line,
			  uint64_t now, uint64_t *requested)
{
	for (int64_t direction = -1; direction <= 1; direction += 2) {
		const struct ms_timing_recent_line *one =
			find_neighbour(prefetcher, line, direction);
		const struct ms_timing_recent_line *two =
			one == NULL ? NULL : find_neighbour(prefetcher, one->line, direction);

		if (two == NULL)
			continue;
		uint64_t lines = direction < 0 ? line - two->line : two->line - line;
		uint64_t interval = (now > two->at ? now - two->at : 0) / lines;

		*requested = now - interval * prefetcher->config->prefetch_distance;
		return true;
	}
	return false;
}

static void note_line(struct ms_timing_prefetcher *prefetcher, uint64_t line, uint64_t now)
{
	prefetcher->recent[line % MS_TIMING_RECENT_LINES] =
		(struct ms_timing_recent_line){ line, now, prefetcher->batch };
}

/* --- streams --- */

/* The stream has been running since the last replay. */
static void resume(const struct ms_timing_prefetcher *prefetcher, struct ms_timing_stream *stream,
		   uint64_t now)
{
	uint32_t distance = prefetcher->config->prefetch_distance;

	stream->batch = prefetcher->batch;
	stream->made = MS_TIMING_MAX_DISTANCE;
	for (uint32_t k = 0; k <= distance; k++)
		stream->times[(stream->made - k) % MS_TIMING_MAX_DISTANCE] =
			now - k * stream->interval;
}

static bool wastes_pair(int64_t stride)
{
	return stride > 1 || stride < -1;
}

/* How many misses ahead of this one its line was requested; 0: it was not. */
static uint32_t find_lead(struct ms_timing_prefetcher *prefetcher, struct ms_timing_stream *stream,
			  uint64_t line, bool is_far)
{
	const struct ms_timing_config *config = prefetcher->config;
	int64_t distance = (int64_t)(line - stream->line);
	uint32_t lead = 0;

	if (continues(prefetcher, stream, distance) && !is_other_page(config, line, stream->line))
		lead = smaller(stream->run++, config->prefetch_distance);
	else
		stream->run = 0;
	stream->stride = distance;
	if (is_far && learn_region(prefetcher, stream, line) && lead == 0)
		lead = config->prefetch_distance;
	return lead;
}

/* The first miss in a replay: the stream has moved on since the last one. */
static uint32_t find_first_lead(const struct ms_timing_prefetcher *prefetcher,
				struct ms_timing_stream *stream, bool is_far)
{
	uint32_t distance = prefetcher->config->prefetch_distance;

	if (stream->run > 0)
		return stream->run = distance;
	return is_far && stream->returns >= ENOUGH_RETURNS ? distance : 0;
}

struct ms_timing_prefetched ms_timing_prefetch(struct ms_timing_prefetcher *prefetcher,
					       uint32_t site, uint64_t line, uint64_t now,
					       bool is_far)
{
	if (prefetcher->config->prefetch_distance == 0)
		return (struct ms_timing_prefetched){ .is_requested = false };
	struct ms_timing_stream *stream = find_stream(prefetcher, site);
	bool is_first = stream->batch != prefetcher->batch;

	if (is_first)
		resume(prefetcher, stream, now);
	uint64_t before = stream->times[stream->made % MS_TIMING_MAX_DISTANCE];
	uint32_t lead = is_first ? find_first_lead(prefetcher, stream, is_far)
				 : find_lead(prefetcher, stream, line, is_far);

	if (!is_first)
		stream->interval = (3 * stream->interval + (now > before ? now - before : 0)) / 4;
	stream->made++;
	stream->line = line;
	stream->times[stream->made % MS_TIMING_MAX_DISTANCE] = now;
	struct ms_timing_prefetched prefetched = {
		.is_requested = lead > 0,
		.wastes_pair = stream->run > 1 && wastes_pair(stream->stride),
		.requested = stream->times[(stream->made - lead) % MS_TIMING_MAX_DISTANCE],
	};
	if (!is_far)
		return prefetched;
	if (lead == 0)
		prefetched.is_requested =
			follows_lines(prefetcher, line, now, &prefetched.requested);
	note_line(prefetcher, line, now);
	return prefetched;
}
