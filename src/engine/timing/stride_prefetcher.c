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

/* --- neighbours --- */

/* Half a page on either side; requests are at most this many misses ahead. */
enum { NEAR_LINES = 32, NEAR_AHEAD = 12 };

static bool is_near(const struct ms_timing_stream *stream, uint64_t line)
{
	return line - stream->line + NEAR_LINES <= 2 * NEAR_LINES;
}

/* Learns whether misses of the site are near each other. Returns whether they were so far. */
static bool learn_near(struct ms_timing_stream *stream, uint64_t line)
{
	bool was_near = stream->near >= MS_TIMING_NEAREST / 2;

	if (is_near(stream, line))
		stream->near += stream->near < MS_TIMING_NEAREST;
	else
		stream->near -= stream->near > 0;
	return was_near && is_near(stream, line);
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

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* How many misses ahead of this one its line was requested; 0: it was not. */
static uint32_t find_lead(const struct ms_timing_prefetcher *prefetcher,
			  struct ms_timing_stream *stream, uint64_t line)
{
	const struct ms_timing_config *config = prefetcher->config;
	int64_t distance = (int64_t)(line - stream->line);
	uint32_t lead = 0;

	if (continues(prefetcher, stream, distance) && !is_other_page(config, line, stream->line))
		lead = smaller(stream->run++, config->prefetch_distance);
	else
		stream->run = 0;
	stream->stride = distance;
	if (learn_near(stream, line) && lead == 0)
		lead = smaller(NEAR_AHEAD, config->prefetch_distance);
	return lead;
}

/* The first miss in a replay: the stream has moved on since the last one. */
static uint32_t find_first_lead(const struct ms_timing_prefetcher *prefetcher,
				struct ms_timing_stream *stream)
{
	uint32_t distance = prefetcher->config->prefetch_distance;

	if (stream->run > 0)
		stream->run = distance;
	return stream->run > 0                         ? distance
	       : stream->near >= MS_TIMING_NEAREST / 2 ? smaller(NEAR_AHEAD, distance)
						       : 0;
}

bool ms_timing_prefetch(struct ms_timing_prefetcher *prefetcher, uint32_t site, uint64_t line,
			uint64_t now, uint64_t *requested)
{
	if (prefetcher->config->prefetch_distance == 0)
		return false;
	struct ms_timing_stream *stream = find_stream(prefetcher, site);
	bool is_first = stream->batch != prefetcher->batch;

	if (is_first)
		resume(prefetcher, stream, now);
	uint64_t before = stream->times[stream->made % MS_TIMING_MAX_DISTANCE];
	uint32_t lead = is_first ? find_first_lead(prefetcher, stream)
				 : find_lead(prefetcher, stream, line);

	if (!is_first)
		stream->interval = (3 * stream->interval + (now > before ? now - before : 0)) / 4;
	stream->made++;
	stream->line = line;
	stream->times[stream->made % MS_TIMING_MAX_DISTANCE] = now;
	*requested = stream->times[(stream->made - lead) % MS_TIMING_MAX_DISTANCE];
	return lead > 0;
}
