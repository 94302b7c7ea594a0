/* store/schema_slices.c - the tables of misses over time. */
#include "store/schema_priv.h"

const char ms_store_schema_slices[] =
	"create table slice (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	slice integer not null,\n"
	"	steps integer not null,\n"
	"	phase integer,\n"
	"	primary key (run, slice)\n"
	") strict, without rowid;\n"

	"create table slice_miss (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	slice integer not null,\n"
	"	code integer not null,\n"
	"	data integer not null,\n"
	"	level integer not null,\n"
	"	misses integer not null,\n"
	"	primary key (run, slice, code, data, level),\n"
	"	foreign key (run, slice) references slice (run, slice) on delete cascade\n"
	") strict, without rowid;\n"

	"create table slice_sum (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	slice integer not null,\n"
	"	processor integer not null,\n"
	"	level integer not null,\n"
	"	misses integer not null,\n"
	"	primary key (run, slice, processor, level),\n"
	"	foreign key (run, slice) references slice (run, slice) on delete cascade\n"
	") strict, without rowid;\n";

/* Misses by cache set and time. */
const char ms_store_schema_28[] =
	"create table set_slice (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	slice integer not null,\n"
	"	level integer not null,\n"
	"	sets integer not null,\n"
	"	misses integer not null,\n"
	"	primary key (run, slice, level, sets),\n"
	"	foreign key (run, slice) references slice (run, slice) on delete cascade\n"
	") strict, without rowid;\n";

/* Latency of threads over time. */
const char ms_store_schema_32[] =
	"create table slice_thread (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	slice integer not null,\n"
	"	thread integer not null,\n"
	"	latency integer not null,\n"
	"	primary key (run, slice, thread),\n"
	"	foreign key (run, slice) references slice (run, slice) on delete cascade,\n"
	"	foreign key (run, thread) references thread (run, thread) on delete cascade\n"
	") strict, without rowid;\n";

/* Causes of misses over time, and lines of source. */
#define CAUSES(table)                                                             \
	"alter table " table " add column first integer not null default 0;\n"    \
	"alter table " table " add column replaced integer not null default 0;\n" \
	"alter table " table " add column invalidated integer not null default 0;\n"
const char ms_store_schema_33[] = CAUSES("slice_miss") CAUSES(
	"slice_sum") "create table slice_line (\n"
		     "	" MS_SCHEMA_RUN ",\n"
		     "	slice integer not null,\n"
		     "	line integer not null,\n"
		     "	level integer not null,\n"
		     "	misses integer not null,\n"
		     "	first integer not null,\n"
		     "	replaced integer not null,\n"
		     "	invalidated integer not null,\n"
		     "	primary key (run, slice, line, level),\n"
		     "	foreign key (run, slice) references slice (run, slice) on delete cascade,\n"
		     "	foreign key (run, line) references line (run, line) on delete cascade\n"
		     ") strict, without rowid;\n";

/* Misses of curves, if distances are as short and as long as they may be. */
const char ms_store_schema_34[] =
	"alter table miss_curve add column least real not null default 0;\n"
	"alter table miss_curve add column most real not null default 0;\n"
	"update miss_curve set least = misses, most = misses;\n";

/* Lines that touched bytes would fill. */
const char ms_store_schema_30[] =
	"alter table optimal add column least real not null default 0;\n"
	"alter table optimal add column least_low real not null default 0;\n"
	"alter table optimal add column least_high real not null default 0;\n";
