/* views/reports.c - which function writes which report in which format. */
#include "views/accuracy.h"
#include "views/advise.h"
#include "views/callers.h"
#include "views/compare.h"
#include "views/diff.h"
#include "views/evictions.h"
#include "views/fullname.h"
#include "views/lines.h"
#include "views/members.h"
#include "views/ranks.h"
#include "views/rules.h"
#include "views/sharing.h"
#include "views/simulated_pmu.h"
#include "views/single_list.h"
#include "views/threads.h"
#include "views/verify.h"
#include "views/views.h"

ms_views_report_writer *const ms_views_report_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_report,
	[MS_VIEWS_JSON] = ms_views_json_report,
	[MS_VIEWS_CSV] = ms_views_csv_report,
};

ms_views_show_writer *const ms_views_show_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_show,
	[MS_VIEWS_JSON] = ms_views_json_show,
	[MS_VIEWS_CSV] = ms_views_csv_show,
};

/* In JSON and CSV a list is a part of the report. */
ms_views_report_writer *const ms_views_list_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_list,
	[MS_VIEWS_JSON] = ms_views_json_report,
	[MS_VIEWS_CSV] = ms_views_csv_report,
};

ms_views_show_writer *const ms_views_list_part_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_list_part,
	[MS_VIEWS_JSON] = ms_views_json_show,
	[MS_VIEWS_CSV] = ms_views_csv_show,
};

ms_views_lines_writer *const ms_views_lines_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_lines,
	[MS_VIEWS_JSON] = ms_views_json_lines,
	[MS_VIEWS_CSV] = ms_views_csv_lines,
};

ms_views_evictions_writer *const ms_views_evictions_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_evictions,
	[MS_VIEWS_JSON] = ms_views_json_evictions,
	[MS_VIEWS_CSV] = ms_views_csv_evictions,
};

ms_views_occupancy_writer *const ms_views_occupancy_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_occupancy,
	[MS_VIEWS_JSON] = ms_views_json_occupancy,
	[MS_VIEWS_CSV] = ms_views_csv_occupancy,
};

ms_views_members_writer *const ms_views_members_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_members,
	[MS_VIEWS_JSON] = ms_views_json_members,
	[MS_VIEWS_CSV] = ms_views_csv_members,
};

ms_views_sharing_writer *const ms_views_sharing_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_sharing,
	[MS_VIEWS_JSON] = ms_views_json_sharing,
	[MS_VIEWS_CSV] = ms_views_csv_sharing,
};

ms_views_ranks_writer *const ms_views_ranks_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_ranks,
	[MS_VIEWS_JSON] = ms_views_json_ranks,
	[MS_VIEWS_CSV] = ms_views_csv_ranks,
};
ms_views_threads_writer *const ms_views_threads_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_threads,
	[MS_VIEWS_JSON] = ms_views_json_threads,
	[MS_VIEWS_CSV] = ms_views_csv_threads,
};

ms_views_pmu_writer *const ms_views_pmu_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_pmu,
	[MS_VIEWS_JSON] = ms_views_json_pmu,
	[MS_VIEWS_CSV] = ms_views_csv_pmu,
};

ms_views_callers_writer *const ms_views_callers_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_callers,
	[MS_VIEWS_JSON] = ms_views_json_callers,
	[MS_VIEWS_CSV] = ms_views_csv_callers,
};

ms_views_report_writer *const ms_views_paths_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_paths,
	[MS_VIEWS_JSON] = ms_views_json_paths,
	[MS_VIEWS_CSV] = ms_views_csv_paths,
};

ms_views_diff_writer *const ms_views_diff_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_diff,
	[MS_VIEWS_JSON] = ms_views_json_diff,
	[MS_VIEWS_CSV] = ms_views_csv_diff,
};

ms_views_compare_writer *const ms_views_compare_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_compare,
	[MS_VIEWS_JSON] = ms_views_json_compare,
	[MS_VIEWS_CSV] = ms_views_csv_compare,
};

ms_views_accuracy_writer *const ms_views_accuracy_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_accuracy,
	[MS_VIEWS_JSON] = ms_views_json_accuracy,
	[MS_VIEWS_CSV] = ms_views_csv_accuracy,
};

ms_views_advise_writer *const ms_views_advise_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_advise,
	[MS_VIEWS_JSON] = ms_views_json_advise,
	[MS_VIEWS_CSV] = ms_views_csv_advise,
};

ms_views_verify_writer *const ms_views_verify_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_verify,
	[MS_VIEWS_JSON] = ms_views_json_verify,
	[MS_VIEWS_CSV] = ms_views_csv_verify,
};
ms_views_verified_writer *const ms_views_verified_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_verified,
	[MS_VIEWS_JSON] = ms_views_json_verified,
	[MS_VIEWS_CSV] = ms_views_csv_verified,
};

ms_views_runs_writer *const ms_views_runs_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_runs,
	[MS_VIEWS_JSON] = ms_views_json_runs,
	[MS_VIEWS_CSV] = ms_views_csv_runs,
};

ms_views_rules_writer *const ms_views_rules_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_rules,
	[MS_VIEWS_JSON] = ms_views_json_rules,
	[MS_VIEWS_CSV] = ms_views_csv_rules,
};

ms_views_fullname_writer *const ms_views_fullname_writers[MS_VIEWS_FORMATS] = {
	[MS_VIEWS_TEXT] = ms_views_text_fullname,
	[MS_VIEWS_JSON] = ms_views_json_fullname,
	[MS_VIEWS_CSV] = ms_views_csv_fullname,
};
