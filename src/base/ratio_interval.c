#include "base/ratio_interval.h"

#include <math.h>
#include <stdbool.h>

#include "base/compiler.h"

double ms_ratio_quantile(size_t freedom)
{
	static const double t[] = { NAN,   12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
				    2.306, 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131 };

	return freedom < MS_COUNT(t) ? t[freedom] : 2.131;
}

/*
 * The squared differences of the parts from a ratio, around their mean, which is 0 if there is only
 * one stratum. A single part has no other to compare with, so its own value is used.
 */
static double squares(const struct ms_ratio_stratum *s, double ratio, bool alone, size_t *parts)
{
	double sum = 0, mean = 0;

	*parts = 0;
	for (size_t i = 0; i < s->n; i++) {
		*parts += s->x[i] > 0;
		mean += s->y[i] - ratio * s->x[i];
	}
	double k = (double)*parts;
	mean = *parts > 1 && !alone ? mean / k : 0;
	for (size_t i = 0; i < s->n; i++) {
		double rest = s->y[i] - ratio * s->x[i] - mean;

		sum += s->x[i] > 0 ? rest * rest : 0;
	}
	return *parts > 1 ? k / (k - 1) * sum : sum;
}

double ms_ratio_spread(const struct ms_ratio_stratum *strata, size_t n)
{
	double sum_y = 0, sum_x = 0, variance = 0;
	size_t freedom = 0, sampled = 0;

	for (size_t s = 0; s < n; s++) {
		double weight = strata[s].scale / strata[0].scale;

		for (size_t i = 0; i < strata[s].n; i++) {
			sum_y += weight * strata[s].y[i];
			sum_x += weight * strata[s].x[i];
		}
	}
	for (size_t s = 0; s < n; s++) {
		double scale = strata[s].scale, weight = scale / strata[0].scale;
		size_t parts;
		double sum = squares(&strata[s], sum_y / sum_x, n == 1, &parts);

		if (parts == 0 || scale <= 1)
			continue;
		sampled++;
		freedom += parts - 1;
		variance += weight * weight * sum * (1 - 1 / scale);
	}
	if (sampled == 0)
		return sum_x > 0 ? 0 : NAN;
	return freedom > 0 ? ms_ratio_quantile(freedom) * sqrt(variance) / sum_x : NAN;
}
