/* views/export/speedscope.c - stacks as a file for speedscope: both views in one file. */
#include "views/export/export_priv.h"

#include <string.h>

#include "analysis/describe/describe.h"
#include "analysis/measured/measured.h"
#include "base/json.h"
#include "base/map.h"
#include "views/export/call_paths.h"

/* Frames are defined once, and referenced by number. */
struct frames {
	struct ms_names names;
	struct ms_map map;
	MS_VEC(struct ms_lines_stack_frame) at;
};

static uint32_t frame_number(struct frames *f, const struct ms_lines_stack_frame *frame)
{
	const char *name = ms_intern(&f->names, frame->name);
	const char *file = frame->file != NULL ? ms_intern(&f->names, frame->file) : NULL;
	uint32_t *slot =
		ms_map_at(&f->map, (uintptr_t)name ^ (uint64_t)frame->line << 48, (uintptr_t)file);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)f->at.n;
		*ms_vec_add(&f->at) = (struct ms_lines_stack_frame){ name, file, frame->line };
	}
	return *slot;
}

/* A stack and its weight. */
struct sample {
	uint32_t point;
	struct ms_export_part part;
};

struct samples {
	MS_VEC(struct sample) at;
};

static void find_samples(struct samples *samples, const struct ms_lines_points *p,
			 const struct ms_lines_point_weight *w, const struct ms_export_paths *paths)
{
	struct ms_export_parts parts = { MS_VEC_INIT };

	for (uint32_t i = 0; i < p->at.n; i++) {
		ms_export_divide(paths, w, &p->at.at[i], &parts);
		for (size_t k = 0; k < parts.at.n; k++)
			*ms_vec_add(&samples->at) = (struct sample){ i, parts.at.at[k] };
	}
	ms_vec_free(&parts.at);
}

static void put_samples(struct ms_json *j, struct ms_lines_points *p,
			const struct ms_lines_point_weight *w, enum ms_lines_stack_view view,
			struct frames *frames)
{
	struct ms_lines_stack stack = { .at = MS_VEC_INIT };
	struct ms_export_paths paths = { .are_known = false };
	struct samples samples = { MS_VEC_INIT };

	if (view == MS_STACK_CODE)
		ms_export_open_paths(&paths, p);
	find_samples(&samples, p, w, &paths);
	ms_json_array(j, "samples");
	for (size_t i = 0; i < samples.at.n; i++) {
		const struct ms_lines_point *point = &p->at.at[samples.at.at[i].point];

		ms_lines_point_stack(p, point, view, &stack);
		if (view == MS_STACK_CODE)
			ms_export_add_callers(p->run, samples.at.at[i].part.path,
					      ms_lines_point_function(p, point), &stack);
		ms_json_array(j, NULL);
		for (size_t k = 0; k < stack.at.n; k++)
			ms_json_u64(j, NULL, frame_number(frames, &stack.at.at[k]));
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_array(j, "weights");
	for (size_t i = 0; i < samples.at.n; i++)
		ms_json_u64(j, NULL, samples.at.at[i].part.value);
	ms_json_end(j);
	ms_vec_free(&samples.at);
	ms_vec_free(&stack.at);
	ms_export_close_paths(&paths);
}

/* Stall of a timer's run; speedscope knows no cycles. */
static bool is_time(const struct ms_run *run, const struct ms_lines_point_weight *w)
{
	return ms_run_is_measured(run) && run->hardware.at[0].unit == MS_RUN_NANOSECONDS &&
	       strcmp(w->key, "stall") == 0;
}

static void put_profile(struct ms_json *j, struct ms_lines_points *p,
			const struct ms_lines_point_weight *w, enum ms_lines_stack_view view,
			struct frames *frames)
{
	static const char *const names[] = {
		[MS_STACK_CODE] = "by code", [MS_STACK_DATA] = "by data"
	};
	char name[96];

	snprintf(name, sizeof(name), "%s %s", w->key, names[view]);
	ms_json_object(j, NULL);
	ms_json_text(j, "type", "sampled");
	ms_json_text(j, "name", name);
	ms_json_text(j, "unit", is_time(p->run, w) ? "nanoseconds" : "none");
	ms_json_u64(j, "startValue", 0);
	ms_json_u64(j, "endValue", w->total);
	put_samples(j, p, w, view, frames);
	ms_json_end(j);
}

static void put_frames(struct ms_json *j, const struct frames *frames)
{
	ms_json_object(j, "shared");
	ms_json_array(j, "frames");
	for (size_t i = 0; i < frames->at.n; i++) {
		const struct ms_lines_stack_frame *f = &frames->at.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", f->name);
		if (f->file != NULL)
			ms_json_text(j, "file", f->file);
		if (f->line > 0)
			ms_json_u64(j, "line", f->line);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_end(j);
}

/* Both views, that which was asked for in front. */
MS_EXPORT(speedscope)
{
	struct frames frames = { .at = MS_VEC_INIT };
	struct ms_text command = MS_TEXT_INIT;
	struct ms_lines_point_weight weight;
	struct ms_json j;

	MS_TRY(ms_lines_point_weight_choose(&weight, points, options->metric, err));
	if (weight.total == 0)
		return ms_export_no_weight(&weight, err);
	ms_describe_command(&command, points->run->program, points->run->argv.at,
			    points->run->argv.n);
	ms_json_init(&j, out);
	ms_json_object(&j, NULL);
	ms_json_text(&j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	ms_json_text(&j, "name", command.at);
	ms_json_text(&j, "exporter", "memspy " MS_VERSION);
	ms_json_u64(&j, "activeProfileIndex", options->view == MS_STACK_DATA);
	ms_json_array(&j, "profiles");
	put_profile(&j, points, &weight, MS_STACK_CODE, &frames);
	put_profile(&j, points, &weight, MS_STACK_DATA, &frames);
	ms_json_end(&j);
	put_frames(&j, &frames);
	ms_json_end(&j);
	ms_text_free(&command);
	ms_vec_free(&frames.at);
	ms_map_free(&frames.map);
	ms_names_free(&frames.names);
	return MS_OK;
}
