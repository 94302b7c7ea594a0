/* engine/spatial/reuse_distance.c - see reuse_distance.h. */
#include "engine/spatial/reuse_distance.h"

#include "base/mem.h"

void ms_spatial_close_reuse(struct ms_spatial_reuse *reuse)
{
	ms_free(reuse->tree);
	*reuse = (struct ms_spatial_reuse){ 0 };
}

static void add(struct ms_spatial_reuse *reuse, uint32_t time, uint32_t n)
{
	for (; time <= reuse->size; time += time & -time)
		reuse->tree[time] += n;
}

/* Lines whose latest use is not after this time. */
static uint32_t count_until(const struct ms_spatial_reuse *reuse, uint32_t time)
{
	uint32_t n = 0;

	for (; time > 0; time &= time - 1)
		n += reuse->tree[time];
	return n;
}

uint32_t ms_spatial_count_used_since(const struct ms_spatial_reuse *reuse, uint32_t time)
{
	return reuse->lines - count_until(reuse, time);
}

uint32_t ms_spatial_use_again(struct ms_spatial_reuse *reuse, uint32_t time)
{
	if (time == reuse->now && time != 0)
		return time;
	if (time != 0)
		add(reuse, time, UINT32_MAX);
	else
		reuse->lines++;
	add(reuse, ++reuse->now, 1);
	return reuse->now;
}

void ms_spatial_renumber_uses(struct ms_spatial_reuse *reuse, uint32_t n, uint32_t room)
{
	uint32_t size = 1;

	while (size < 2 * n || size < room)
		size *= 2;
	ms_free(reuse->tree);
	*reuse = (struct ms_spatial_reuse){ .tree = ms_alloc((size + 1u) * sizeof(*reuse->tree)),
					    .size = size,
					    .now = n,
					    .lines = n };
	for (uint32_t time = 1; time <= n; time++)
		add(reuse, time, 1);
}
