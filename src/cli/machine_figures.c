#include "cli/machine_figures.h"

#include <inttypes.h>
#include <string.h>

#include "base/table.h"

/* One figure: of the core, or of a level. */
struct shown {
	const char *section; /* "tlb", "level L1" */
	const char *key;
	const char *unit;
	const char *origin;
	char value[MS_FIGURE_TEXT];
};

struct shown_list {
	MS_VEC(struct shown) at;
	struct ms_arena arena;
};

static void add_core(struct shown_list *list, const struct ms_machine *machine)
{
	for (size_t i = 0; i < MS_FIGURES; i++) {
		const struct ms_machine_figure_row *row = &ms_machine_figures[i];

		if (machine->figure_origins[i] == NULL)
			continue;
		struct shown *shown = ms_vec_add(&list->at);

		*shown = (struct shown){ .section = row->section,
					 .key = row->key,
					 .unit = row->unit,
					 .origin = machine->figure_origins[i] };
		ms_machine_figure_text(&machine->core, (enum ms_machine_figure)i, shown->value);
	}
}

static void add_level(struct shown_list *list, const char *level, const char *key, uint32_t value,
		      const char *unit, const char *origin)
{
	if (origin == NULL || value == 0)
		return;
	struct shown *shown = ms_vec_add(&list->at);

	*shown = (struct shown){ .section = ms_arena_printf(&list->arena, "level %s", level),
				 .key = key,
				 .unit = unit,
				 .origin = origin };
	snprintf(shown->value, sizeof(shown->value), "%" PRIu32, value);
}

static void gather(struct shown_list *list, const struct ms_machine *machine)
{
	*list = (struct shown_list){ 0 };
	add_core(list, machine);
	for (size_t i = 0; i < machine->levels.n; i++) {
		const struct ms_machine_level *level = &machine->levels.at[i];

		add_level(list, level->name, "outstanding", level->outstanding, "misses",
			  level->outstanding_origin);
		add_level(list, level->name, "usable", level->usable, "percent",
			  level->usable_origin);
	}
}

static void release(struct shown_list *list)
{
	ms_vec_free(&list->at);
	ms_arena_free(&list->arena);
}

void ms_cli_print_figures(const struct ms_machine *machine, size_t width, FILE *out)
{
	static const struct ms_table_column columns[] = {
		{ "section", "section", false, 0, MS_CUT_END },
		{ "figure", "key", false, 0, MS_CUT_END },
		{ "value", "value", true, 0, MS_CUT_END },
		{ "unit", "unit", false, 0, MS_CUT_END },
		{ "from", "origin", false, 12, MS_CUT_END },
	};
	struct shown_list list;
	struct ms_table table;

	gather(&list, machine);
	if (list.at.n > 0) {
		ms_table_open(&table, out, MS_TABLE_TEXT, width, false);
		for (size_t i = 0; i < MS_COUNT(columns); i++)
			ms_table_column(&table, columns[i]);
		for (size_t i = 0; i < list.at.n; i++) {
			const struct shown *shown = &list.at.at[i];

			ms_table_text(&table, shown->section);
			ms_table_text(&table, shown->key);
			ms_table_text(&table, shown->value);
			ms_table_text(&table, shown->unit);
			ms_table_text(&table, shown->origin);
		}
		ms_table_close(&table);
		fputc('\n', out);
	}
	release(&list);
}

void ms_cli_json_figures(const struct ms_machine *machine, struct ms_json *json)
{
	struct shown_list list;

	gather(&list, machine);
	if (list.at.n > 0)
		ms_json_array(json, "figures");
	for (size_t i = 0; i < list.at.n; i++) {
		const struct shown *shown = &list.at.at[i];

		ms_json_object(json, NULL);
		ms_json_text(json, "section", shown->section);
		ms_json_text(json, "key", shown->key);
		/* As in a machine file: a size keeps its unit. */
		ms_json_text(json, "value", shown->value);
		ms_json_text(json, "unit", shown->unit);
		ms_json_text(json, "origin", shown->origin);
		ms_json_end(json);
	}
	if (list.at.n > 0)
		ms_json_end(json);
	release(&list);
}
