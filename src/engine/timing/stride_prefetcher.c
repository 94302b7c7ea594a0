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
	uint32_t shift = config->page_shift - config->line_shift;

	return !config->prefetch_crosses_pages && line >> shift != other >> shift;
}

bool ms_timing_prefetch(struct ms_timing_prefetcher *prefetcher, uint32_t site, uint64_t line,
			uint64_t now, uint64_t *requested)
{
	const struct ms_timing_config *config = prefetcher->config;

	if (config->prefetch_distance == 0)
		return false;
	struct ms_timing_stream *stream = find_stream(prefetcher, site);
	int64_t distance = (int64_t)(line - stream->line);
	bool is_first = stream->batch != prefetcher->batch, covered = false;

	if (is_first) {
		/* The stream has moved on meanwhile. If it was confirmed, it still is. */
		stream->run = stream->run > 0;
		stream->batch = prefetcher->batch;
	} else if (!continues(prefetcher, stream, distance) ||
		   is_other_page(config, line, stream->line)) {
		stream->run = 0;
	} else {
		uint32_t ahead = stream->run < config->prefetch_distance
					 ? stream->run
					 : config->prefetch_distance;

		stream->run++;
		covered = ahead > 0;
		if (covered)
			*requested = stream->times[(stream->run - ahead) % MS_TIMING_MAX_DISTANCE];
	}
	if (!is_first || stream->run == 0)
		stream->stride = distance;
	stream->line = line;
	stream->times[stream->run % MS_TIMING_MAX_DISTANCE] = now;
	return covered;
}
