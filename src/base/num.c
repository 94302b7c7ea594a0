#include "base/num.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *suffix;
	unsigned shift;
} size_suffixes[] = {
	{ "", 0 },     { "B", 0 },   { "K", 10 },   { "KB", 10 }, { "KiB", 10 },
	{ "M", 20 },   { "MB", 20 }, { "MiB", 20 }, { "G", 30 },  { "GB", 30 },
	{ "GiB", 30 }, { "T", 40 },  { "TiB", 40 },
};

bool ms_parse_size(const char *text, uint64_t *bytes)
{
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	double value = strtod(text, &end);
	while (*end == ' ')
		end++;
	for (size_t i = 0; i < sizeof(size_suffixes) / sizeof(size_suffixes[0]); i++) {
		if (strcasecmp(end, size_suffixes[i].suffix) != 0)
			continue;
		value = ldexp(value, (int)size_suffixes[i].shift);
		if (errno != 0 || value >= 0x1p63 || value != floor(value))
			return false;
		*bytes = (uint64_t)value;
		return true;
	}
	return false;
}

bool ms_parse_u64(const char *text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	unsigned long long v = strtoull(text, &end, 10);
	if (errno != 0 || *end != '\0')
		return false;
	*value = v;
	return true;
}

char *ms_format_count(uint64_t value, char out[MS_NUM_TEXT])
{
	static const char units[] = "KMGTPE";
	double scaled = (double)value;
	int unit = -1;

	if (value < 10000) {
		snprintf(out, MS_NUM_TEXT, "%" PRIu64, value);
		return out;
	}
	while (scaled >= 999.95) {
		scaled /= 1000;
		unit++;
	}
	snprintf(out, MS_NUM_TEXT, scaled < 9.995 ? "%.2f%c" : "%.1f%c", scaled, units[unit]);
	return out;
}

char *ms_format_nanoseconds(uint64_t ns, char out[MS_NUM_TEXT])
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double scaled = (double)ns;
	int unit = 0;

	while (scaled >= 999.5 && unit < 3) {
		scaled /= 1000;
		unit++;
	}
	snprintf(out, MS_NUM_TEXT,
		 unit == 0 || scaled >= 99.95 ? "%.0f %s"
		 : scaled >= 9.995            ? "%.1f %s"
					      : "%.2f %s",
		 scaled, units[unit]);
	return out;
}

char *ms_format_seconds(double seconds, char out[MS_NUM_TEXT])
{
	return ms_format_nanoseconds(ms_round_u64(seconds * 1e9), out);
}

char *ms_format_size(uint64_t bytes, char out[MS_NUM_TEXT])
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double scaled = (double)bytes;
	int unit = 0;

	while (scaled >= 1024 && unit < 6) {
		scaled /= 1024;
		unit++;
	}
	snprintf(out, MS_NUM_TEXT, scaled == floor(scaled) ? "%.0f %s" : "%.1f %s", scaled,
		 units[unit]);
	return out;
}
