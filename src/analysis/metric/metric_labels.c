/* analysis/metric/metric_labels.c - what a row is: names, places, objects, in ms_metric_table. */
#include "analysis/metric/metric_priv.h"
#include "analysis/summary/rounded_shares.h"
#include "base/num.h"
#include "run/enum_words.h"

#define VALUE(name)                                                                 \
	struct ms_metric_value name(MS_UNUSED const struct ms_summary *whole,       \
				    MS_UNUSED const struct ms_summary_entry *entry, \
				    MS_UNUSED size_t level)

VALUE(ms_metric_name)
{
	return ms_metric_of_text(entry->name);
}

VALUE(ms_metric_code)
{
	return ms_metric_of_text(whole->run->codes.at[entry->code].name);
}

VALUE(ms_metric_data)
{
	return ms_metric_of_text(whole->run->data.at[entry->data].name);
}

VALUE(ms_metric_kind)
{
	return ms_metric_of_text(ms_run_data_kind_word(whole->run->data.at[entry->data].kind));
}

/* A figure of the objects; not of several data together, nor of data that is no object. */
static struct ms_metric_value of_objects(const struct ms_summary *whole,
					 const struct ms_summary_entry *entry,
					 uint64_t (*figure)(const struct ms_run_data *))
{
	if (entry->data == MS_NONE || whole->run->data.at[entry->data].objects == 0)
		return (struct ms_metric_value){ .known = false };
	return ms_metric_of_count(figure(&whole->run->data.at[entry->data]));
}

static uint64_t largest_of(const struct ms_run_data *data)
{
	return data->largest;
}

static uint64_t mean_of(const struct ms_run_data *data)
{
	return ms_round_u64(ms_summary_share(data->bytes, data->objects));
}

VALUE(ms_metric_largest)
{
	return of_objects(whole, entry, largest_of);
}

VALUE(ms_metric_mean_size)
{
	return of_objects(whole, entry, mean_of);
}

VALUE(ms_metric_objects)
{
	if (entry->data == MS_NONE)
		return (struct ms_metric_value){ .known = false };
	return ms_metric_of_count(whole->run->data.at[entry->data].objects);
}

VALUE(ms_metric_bytes)
{
	if (entry->data == MS_NONE)
		return (struct ms_metric_value){ .known = false };
	return ms_metric_of_count(whole->run->data.at[entry->data].bytes);
}

VALUE(ms_metric_peak_bytes)
{
	return ms_metric_of_count(whole->run->data.at[entry->data].peak_bytes);
}

VALUE(ms_metric_type)
{
	return ms_metric_of_text(whole->run->data.at[entry->data].type);
}

VALUE(ms_metric_full_name)
{
	return ms_metric_of_text(whole->run->data.at[entry->data].full_name);
}

VALUE(ms_metric_module)
{
	return ms_metric_of_text(whole->run->codes.at[entry->code].module);
}

static const struct ms_run_line *line_at(const struct ms_summary *whole,
					 const struct ms_summary_entry *entry)
{
	return &whole->run->lines.at[entry->line];
}

VALUE(ms_metric_file)
{
	if (entry->line != MS_NONE)
		return ms_metric_of_text(line_at(whole, entry)->file);
	return ms_metric_of_text(whole->run->codes.at[entry->code].file);
}

VALUE(ms_metric_processor)
{
	return ms_metric_of_count(entry->processor);
}

VALUE(ms_metric_source_line)
{
	uint32_t line = entry->line != MS_NONE ? line_at(whole, entry)->line
					       : whole->run->codes.at[entry->code].line;
	struct ms_metric_value value = ms_metric_of_count(line);

	value.known = line != 0;
	return value;
}
