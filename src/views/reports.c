/* views/reports.c - which function writes which report in which format. */
#include "views/accuracy.h"
#include "views/compare.h"
#include "views/diff.h"
#include "views/evictions.h"
#include "views/fullname.h"
#include "views/lines.h"
#include "views/lists.h"
#include "views/pmu.h"
#include "views/rules.h"
#include "views/sharing.h"
#include "views/threads.h"
#include "views/views.h"

ms_report_writer *const ms_report_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_text_report,
	[MS_VIEW_JSON] = ms_json_report,
	[MS_VIEW_CSV] = ms_csv_report,
};

ms_show_writer *const ms_show_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_text_show,
	[MS_VIEW_JSON] = ms_json_show,
	[MS_VIEW_CSV] = ms_csv_show,
};

/* In JSON and CSV a list is a part of the report. */
ms_report_writer *const ms_list_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_views_text_list,
	[MS_VIEW_JSON] = ms_json_report,
	[MS_VIEW_CSV] = ms_csv_report,
};

ms_show_writer *const ms_list_part_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_views_text_list_part,
	[MS_VIEW_JSON] = ms_json_show,
	[MS_VIEW_CSV] = ms_csv_show,
};

ms_lines_writer *const ms_lines_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_lines_text,
	[MS_VIEW_JSON] = ms_lines_json,
	[MS_VIEW_CSV] = ms_lines_csv,
};

ms_evictions_writer *const ms_evictions_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_evictions_text,
	[MS_VIEW_JSON] = ms_evictions_json,
	[MS_VIEW_CSV] = ms_evictions_csv,
};

ms_occupancy_writer *const ms_occupancy_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_views_text_occupancy,
	[MS_VIEW_JSON] = ms_views_json_occupancy,
	[MS_VIEW_CSV] = ms_views_csv_occupancy,
};

ms_sharing_writer *const ms_sharing_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_sharing_text,
	[MS_VIEW_JSON] = ms_sharing_json,
	[MS_VIEW_CSV] = ms_sharing_csv,
};

ms_threads_writer *const ms_threads_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_threads_text,
	[MS_VIEW_JSON] = ms_threads_json,
	[MS_VIEW_CSV] = ms_threads_csv,
};

ms_monitor_writer *const ms_monitor_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_monitor_text,
	[MS_VIEW_JSON] = ms_monitor_json,
	[MS_VIEW_CSV] = ms_monitor_csv,
};

ms_diff_writer *const ms_diff_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_diff_text,
	[MS_VIEW_JSON] = ms_diff_json,
	[MS_VIEW_CSV] = ms_diff_csv,
};

ms_compare_writer *const ms_compare_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_compare_text,
	[MS_VIEW_JSON] = ms_compare_json,
	[MS_VIEW_CSV] = ms_compare_csv,
};

ms_accuracy_writer *const ms_accuracy_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_accuracy_text,
	[MS_VIEW_JSON] = ms_accuracy_json,
	[MS_VIEW_CSV] = ms_accuracy_csv,
};

ms_runs_writer *const ms_runs_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_text_runs,
	[MS_VIEW_JSON] = ms_json_runs,
	[MS_VIEW_CSV] = ms_csv_runs,
};

ms_rules_writer *const ms_rules_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_rules_text,
	[MS_VIEW_JSON] = ms_rules_json,
	[MS_VIEW_CSV] = ms_rules_csv,
};

ms_fullname_writer *const ms_fullname_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_fullname_text,
	[MS_VIEW_JSON] = ms_fullname_json,
	[MS_VIEW_CSV] = ms_fullname_csv,
};
