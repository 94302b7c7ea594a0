/* views/verify.h - measured and predicted gain of a change: as text, JSON and CSV. */
#ifndef MS_VIEWS_VERIFY_H
#define MS_VIEWS_VERIFY_H

#include "analysis/verify/verify.h"
#include "run/verified_list.h"
#include "views/views.h"

struct ms_views_verify {
	const struct ms_verify *verify;
	const struct ms_run_verification *stored; /* with the prediction, if there is one */
	int64_t run;                              /* that has the prediction; 0: none */
	double load; /* runnable processes beside it; below 0: unknown */
};

/* docs/formats/verify-json.md describes JSON and CSV. */
typedef void ms_views_verify_writer(const struct ms_views_verify *verify,
				    const struct ms_views_options *options, FILE *out);
ms_views_verify_writer ms_views_text_verify, ms_views_json_verify, ms_views_csv_verify;
extern ms_views_verify_writer *const ms_views_verify_writers[MS_VIEWS_FORMATS];

/* All that were stored. */
typedef void ms_views_verified_writer(const struct ms_run_verified_list *list,
				      const struct ms_views_options *options, FILE *out);
ms_views_verified_writer ms_views_text_verified, ms_views_json_verified, ms_views_csv_verified;
extern ms_views_verified_writer *const ms_views_verified_writers[MS_VIEWS_FORMATS];

#endif
