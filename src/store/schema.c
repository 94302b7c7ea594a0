/*
 * store/schema.c - the tables of the run database. docs/formats/database.md describes every column;
 * a test compares the two. A new version is a new element of the list: released versions never
 * change.
 */
#include "store/schema_priv.h"
#include "store/store_priv.h"

/* Phases and stops, which programs request, and parents of runs. */
static const char version_2[] =
	"alter table run add column stops integer not null default 0;\n"
	"alter table run add column parent integer references run (id) on delete set null;\n"
	"alter table run add column relation text not null default 'none';\n"

	"create table phase (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	phase integer not null,\n"
	"	name text not null,\n"
	"	times integer not null,\n"
	"	refs integer not null,\n"
	"	primary key (run, phase)\n"
	") strict, without rowid;\n"

	"create table phase_miss (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	phase integer not null,\n"
	"	level integer not null,\n"
	"	misses integer not null,\n"
	"	primary key (run, phase, level),\n"
	"	foreign key (run, phase) references phase (run, phase) on delete cascade\n"
	") strict, without rowid;\n";

/* The policies of a level, and misses that a prefetcher would have covered. */
static const char version_3[] =
	"alter table level add column replacement text not null default 'lru';\n"
	"alter table level add column write text not null default 'back';\n"
	"alter table level add column write_miss text not null default 'allocate';\n"
	"alter table level add column contents text not null default 'neither';\n"
	"alter table level add column prefetch integer not null default 0;\n"
	"alter table miss add column covered integer not null default 0;\n"

	"drop view bin_miss;\n"
	"create view bin_miss as\n"
	"select place.run, place.code, place.data, level.name as level,\n"
	"	sum(miss.first + miss.replaced + miss.invalidated) as misses,\n"
	"	sum(miss.first) as first, sum(miss.replaced) as replaced,\n"
	"	sum(miss.invalidated) as invalidated, sum(miss.covered) as covered\n"
	"from miss\n"
	"join place on place.run = miss.run and place.cell = miss.cell\n"
	"join level on level.run = miss.run and level.level = miss.level\n"
	"group by place.run, place.code, place.data, miss.level;\n";

/* The lines of each level that data occupies, over time. */
static const char version_5[] =
	"alter table run add column steps integer not null default 0;\n"
	"alter table run add column slice_steps integer not null default 0;\n"

	"create table occupancy (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	level integer not null,\n"
	"	data integer not null,\n"
	"	lines integer not null,\n"
	"	peak integer not null,\n"
	"	mean real not null,\n"
	"	primary key (run, level, data),\n"
	"	foreign key (run, data) references data (run, data) on delete cascade\n"
	") strict, without rowid;\n"

	"create table stay (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	stay integer not null,\n"
	"	level integer not null,\n"
	"	data integer,\n"
	"	slice integer not null,\n"
	"	lines real not null,\n"
	"	primary key (run, stay),\n"
	"	foreign key (run, data) references data (run, data) on delete cascade\n"
	") strict, without rowid;\n"

	"create view bin_eviction as\n"
	"select place.run, place.code, place.data as evictor, level.name as level,\n"
	"	victim.name as victim, sum(eviction.count) as count\n"
	"from eviction\n"
	"join place on place.run = eviction.run and place.cell = eviction.cell\n"
	"join level on level.run = eviction.run and level.level = eviction.level\n"
	"join data as victim on victim.run = eviction.run and victim.data = eviction.victim\n"
	"group by place.run, place.code, place.data, eviction.level, eviction.victim;\n";

/* Runs of which windows or some of the sets were simulated. */
static const char version_7[] =
	"create table sampling (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	sampling integer not null,\n"
	"	ratio real not null,\n"
	"	window integer not null,\n"
	"	sets integer not null,\n"
	"	seed integer not null,\n"
	"	windows integer not null,\n"
	"	refs integer not null,\n"
	"	total real not null,\n"
	"	exact integer not null,\n"
	"	scale real not null,\n"
	"	time_scale real not null,\n"
	"	parts integer not null,\n"
	"	primary key (run, sampling)\n"
	") strict, without rowid;\n"

	"create table sampled_level (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	level integer not null,\n"
	"	frames integer not null,\n"
	"	unknown integer not null,\n"
	"	primary key (run, level)\n"
	") strict, without rowid;\n"

	"create table sampled_life (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	level integer not null,\n"
	"	data integer not null,\n"
	"	generations integer not null,\n"
	"	dead integer not null,\n"
	"	whole integer not null,\n"
	"	primary key (run, level, data),\n"
	"	foreign key (run, data) references data (run, data) on delete cascade\n"
	") strict, without rowid;\n"

	"create table sampled_reference (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	cell integer not null,\n"
	"	part integer not null,\n"
	"	refs integer not null,\n"
	"	primary key (run, cell, part),\n"
	"	foreign key (run, cell) references cell (run, cell) on delete cascade\n"
	") strict, without rowid;\n"

	"create table sampled_miss (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	cell integer not null,\n"
	"	level integer not null,\n"
	"	part integer not null,\n"
	"	known integer not null,\n"
	"	unknown_hits integer not null,\n"
	"	unknown_misses integer not null,\n"
	"	unseen_known integer not null,\n"
	"	unseen_unknown integer not null,\n"
	"	primary key (run, cell, level, part),\n"
	"	foreign key (run, cell) references cell (run, cell) on delete cascade\n"
	") strict, without rowid;\n";

/* The identity and origin of a run beside its tag (uid, note, environment); rules. */
static const char version_8[] =
	"alter table run add column uid text not null default '';\n"
	"update run set uid = lower(hex(randomblob(16)));\n"
	"alter table run add column note text;\n"
	"alter table run add column build_id text;\n"
	"alter table run add column git_commit text;\n"
	"alter table run add column git_dirty integer not null default 0;\n"
	"alter table run add column host text;\n"
	"alter table run add column bytes integer not null default 0;\n"

	"create table tag (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	position integer not null,\n"
	"	tag text not null,\n"
	"	primary key (run, position)\n"
	") strict, without rowid;\n"

	"create table environment (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	position integer not null,\n"
	"	name text not null,\n"
	"	value text not null,\n"
	"	primary key (run, position)\n"
	") strict, without rowid;\n"

	"create table rule (\n"
	"	id integer primary key autoincrement,\n"
	"	program text,\n"
	"	subject text not null,\n"
	"	verb text not null,\n"
	"	pattern text not null,\n"
	"	name text,\n"
	"	added text not null\n"
	") strict;\n"
	"create unique index rule_once on rule (ifnull(program, ''), subject, verb, pattern);\n";

/* Misses over time. */
static const char version_10[] = "alter table stay add column came integer not null default 0;\n";

/*
 * The error that a sampled run aims at (rows of sampling after the first are its strata), and runs
 * that count references by code only.
 */
static const char version_11[] =
	"alter table sampling add column wanted real not null default 0;\n"
	"alter table run add column misses_only integer not null default 0;\n";

/*
 * Bounds of the number of references of a sampled program, and the misses that were certainly
 * caused by an invalidation. Older runs do not distinguish these.
 */
static const char version_12[] =
	"alter table sampling add column total_low real not null default 0;\n"
	"alter table sampling add column total_high real not null default 0;\n"
	"update sampling set total_low = total, total_high = total;\n"
	"alter table sampled_miss add column lost integer not null default 0;\n"
	"alter table sampled_miss add column surely_lost integer not null default 0;\n";

/* The share of the sampled references that a thread made while others were in no window. */
static const char version_13[] = "alter table sampling add column alone real not null default 0;\n";

/* Untraced parts of a program, and the reasons. Older runs do not have them. */
static const char version_14[] =
	"alter table run add column processor_seconds real not null default 0;\n"
	"create table untraced (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	position integer not null,\n"
	"	reason text not null,\n"
	"	who text not null,\n"
	"	times integer not null,\n"
	"	seconds real not null,\n"
	"	primary key (run, position)\n"
	") strict, without rowid;\n";

/* Evictors and victims: one row for each cell and level, not for each pair. */
static const char version_15[] =
	"create table replacement (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	cell integer not null,\n"
	"	level integer not null,\n"
	"	evictors text,\n"
	"	victims text,\n"
	"	primary key (run, cell, level),\n"
	"	foreign key (run, cell) references cell (run, cell) on delete cascade\n"
	") strict, without rowid;\n"

	"insert into replacement (run, cell, level, evictors)\n"
	"select run, cell, level, json_group_object(evictor, count) from replaced\n"
	"group by run, cell, level;\n"
	"insert into replacement (run, cell, level, victims)\n"
	"select run, cell, level, json_group_object(victim, count) from eviction where true\n"
	"group by run, cell, level\n"
	"on conflict (run, cell, level) do update set victims = excluded.victims;\n"
	"drop table replaced;\n"
	"drop table eviction;\n"

	"create view replaced as\n"
	"select run, cell, level, cast(pair.key as integer) as evictor, pair.value as count\n"
	"from replacement, json_each(evictors) as pair;\n"
	"create view eviction as\n"
	"select run, cell, level, cast(pair.key as integer) as victim, pair.value as count\n"
	"from replacement, json_each(victims) as pair;\n";

/* The parts of a sampled run in which a cell occurs: in its own row, not in a row for each part. */
static const char version_16[] =
	"alter table cell add column parts text;\n"
	"update cell set parts = (select nullif(json_group_object(part, refs), '{}')\n"
	"	from sampled_reference as s where s.run = cell.run and s.cell = cell.cell)\n"
	"where run in (select run from sampling);\n"
	"drop table sampled_reference;\n"
	"create view sampled_reference as\n"
	"select run, cell, cast(pair.key as integer) as part, pair.value as refs\n"
	"from cell, json_each(parts) as pair;\n";

/* Checkpoints: runs that were saved while their programs ran. */
static const char version_17[] = "create table checkpoint (\n"
				 "	" MS_SCHEMA_RUN ",\n"
				 "	checkpoint integer not null,\n"
				 "	pid integer not null,\n"
				 "	pid_start integer not null,\n"
				 "	system text not null,\n"
				 "	saved text not null,\n"
				 "	string_bytes integer not null,\n"
				 "	primary key (run, checkpoint)\n"
				 ") strict, without rowid;\n";

/* What was merged in a large run. */
static const char version_18[] =
	"alter table run add column merged_sites integer not null default 0;\n"
	"alter table run add column merged_pairs integer not null default 0;\n"
	"alter table run add column pair_error integer not null default 0;\n"
	"alter table data add column paths integer not null default 0;\n";

/* The counts of the timing model of out-of-order cores. Older runs are of in-order ones. */
static const char version_19[] =
	"alter table run add column core text not null default 'in-order';\n"
	"alter table run add column ipc_milli integer not null default 0;\n"
	"alter table run add column clock_mhz integer not null default 0;\n"
	"alter table run add column walk_latency integer not null default 0;\n"
	"alter table run add column bandwidth_milli integer not null default 0;\n"
	"alter table run add column compute_cycles integer not null default 0;\n"
	"alter table line add column cycles integer not null default 0;\n"
	"alter table line_time add column cycles integer not null default 0;\n"
	"alter table cell add column walks integer not null default 0;\n"
	"alter table cell add column exposed_walks integer not null default 0;\n"
	"alter table cell add column waited_bytes integer not null default 0;\n"
	"alter table cell add column unknown_dependence integer not null default 0;\n"
	"alter table cell add column affine integer not null default 0;\n"
	"alter table cell add column led integer not null default 0;\n"
	"alter table cell add column chained integer not null default 0;\n"
	"alter table miss add column exposed integer not null default 0;\n"
	"alter table miss add column prefetched integer not null default 0;\n";

/* Runs that are simulated and sampled on the real machine, and what they were joined from. */
static const char version_20[] =
	"alter table hardware add column covered real not null default 1;\n"
	"create table origin (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	origin integer not null,\n"
	"	part text not null,\n"
	"	uid text not null,\n"
	"	tag text,\n"
	"	started text not null,\n"
	"	primary key (run, origin)\n"
	") strict, without rowid;\n";

/* Call paths of misses. */
static const char version_21[] = "create table path (\n"
				 "	" MS_SCHEMA_RUN ",\n"
				 "	path integer not null,\n"
				 "	parent integer,\n"
				 "	line integer,\n"
				 "	kind text not null,\n"
				 "	primary key (run, path)\n"
				 ") strict, without rowid;\n"
				 "create table path_miss (\n"
				 "	" MS_SCHEMA_RUN ",\n"
				 "	path integer not null,\n"
				 "	line integer not null,\n"
				 "	data integer not null,\n"
				 "	level integer not null,\n"
				 "	misses integer not null,\n"
				 "	primary key (run, path, line, data, level)\n"
				 ") strict, without rowid;\n";

/* Measured gains of changes, beside predicted ones. */
static const char version_22[] = "create table verification (\n"
				 "	" MS_SCHEMA_RUN ",\n"
				 "	verification integer not null,\n"
				 "	verified text not null,\n"
				 "	before text not null,\n"
				 "	after text not null,\n"
				 "	rounds integer not null,\n"
				 "	before_seconds real not null,\n"
				 "	after_seconds real not null,\n"
				 "	measured real not null,\n"
				 "	measured_low real not null,\n"
				 "	measured_high real not null,\n"
				 "	kind text,\n"
				 "	data text,\n"
				 "	predicted real not null,\n"
				 "	predicted_low real not null,\n"
				 "	predicted_high real not null,\n"
				 "	primary key (run, verification)\n"
				 ") strict, without rowid;\n";

/* Replacement misses divided into conflict and capacity misses. */
static const char version_24[] =
	"alter table run add column division text not null default 'none';\n"
	"alter table run add column observed_part real not null default 0;\n"
	"alter table miss add column conflict integer not null default 0;\n"
	"alter table miss add column capacity integer not null default 0;\n"
	"alter table miss add column saved integer not null default 0;\n"
	"create table set_miss (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	data integer not null,\n"
	"	level integer not null,\n"
	"	sets integer not null,\n"
	"	misses integer not null,\n"
	"	replaced integer not null,\n"
	"	primary key (run, data, level, sets)\n"
	") strict, without rowid;\n"
	"create table optimal (\n"
	"	" MS_SCHEMA_RUN ",\n"
	"	data integer not null,\n"
	"	level integer not null,\n"
	"	misses real not null,\n"
	"	low real not null,\n"
	"	high real not null,\n"
	"	primary key (run, data, level)\n"
	") strict, without rowid;\n";

/* Estimates of conflict and capacity misses have variances. */
static const char version_27[] =
	"alter table miss add column maybe_saved integer not null default 0;\n"
	"alter table miss add column conflict_variance real not null default 0;\n"
	"alter table miss add column capacity_variance real not null default 0;\n"
	"alter table miss add column saved_variance real not null default 0;\n";

/* Runs that are ranks of a job. */
static const char version_29[] =
	"alter table run add column job text;\n"
	"alter table run add column rank integer not null default 0;\n"
	"alter table run add column ranks integer not null default 0;\n"
	"alter table run add column local_rank integer not null default 0;\n"
	"alter table run add column local_ranks integer not null default 0;\n";

const char *const ms_store_migrations[MS_STORE_SCHEMA] = { ms_store_schema_1,
							   version_2,
							   version_3,
							   ms_store_schema_4,
							   version_5,
							   ms_store_schema_6,
							   version_7,
							   version_8,
							   ms_store_schema_9,
							   version_10,
							   version_11,
							   version_12,
							   version_13,
							   version_14,
							   version_15,
							   version_16,
							   version_17,
							   version_18,
							   version_19,
							   version_20,
							   version_21,
							   version_22,
							   ms_store_schema_spatial,
							   version_24,
							   ms_store_schema_25,
							   ms_store_schema_slices,
							   version_27,
							   ms_store_schema_28,
							   version_29,
							   ms_store_schema_30,
							   ms_store_schema_31,
							   ms_store_schema_32,
							   ms_store_schema_33,
							   ms_store_schema_34 };
