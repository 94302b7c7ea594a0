PRAGMA application_id=1297305689;
PRAGMA user_version=34;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE string (
	id integer primary key,
	text text not null unique
) strict;
INSERT INTO string VALUES(1,'/home/u/workers');
INSERT INTO string VALUES(2,'/home/u/src/workers.c');
INSERT INTO string VALUES(3,'main');
INSERT INTO string VALUES(4,'.n[0]');
INSERT INTO string VALUES(5,'.n[1]');
INSERT INTO string VALUES(6,'.n[2]');
INSERT INTO string VALUES(7,'.n[3]');
INSERT INTO string VALUES(8,'.head');
INSERT INTO string VALUES(9,'.tail');
CREATE TABLE run (
	id integer primary key autoincrement,
	tag text,
	started text not null,
	program text not null,
	frontend text not null,
	memspy text not null,
	machine text not null,
	machine_origin text not null,
	memory_latency integer not null,
	wall_seconds real not null,
	workers integer not null,
	ended text not null,
	exit_status integer not null,
	instructions integer not null,
	refs integer not null default 0
, stops integer not null default 0, parent integer references run (id) on delete set null, relation text not null default 'none', processors integer not null default 1, protocol text not null default 'mesi', nodes integer not null default 1, node_processors integer not null default 0, peer_latency integer not null default 0, remote_latency integer not null default 0, placement text not null default 'first-touch', seed integer not null default 0, steps integer not null default 0, slice_steps integer not null default 0, uid text not null default '', note text, build_id text, git_commit text, git_dirty integer not null default 0, host text, bytes integer not null default 0, misses_only integer not null default 0, processor_seconds real not null default 0, merged_sites integer not null default 0, merged_pairs integer not null default 0, pair_error integer not null default 0, core text not null default 'in-order', ipc_milli integer not null default 0, clock_mhz integer not null default 0, walk_latency integer not null default 0, bandwidth_milli integer not null default 0, compute_cycles integer not null default 0, division text not null default 'none', observed_part real not null default 0, job text, rank integer not null default 0, ranks integer not null default 0, local_rank integer not null default 0, local_ranks integer not null default 0, folder text) strict;
INSERT INTO run VALUES(1,'windows','2026-11-15T10:31:02Z','./workers','valgrind','0.1.0','sample','made up for tests',100,1.25,2,'exited',0,20200000,3700000,0,NULL,'none',4,'mesi',2,2,60,180,'first-touch',7,0,0,'00112233445566778899aabbccddeeff',NULL,NULL,NULL,0,NULL,6859,0,0.0,0,0,0,'in-order',0,0,0,0,0,'none',0.0,NULL,0,0,0,0,NULL);
CREATE TABLE argument (
	run integer not null references run (id) on delete cascade,
	position integer not null,
	text text not null,
	primary key (run, position)
) strict, without rowid;
INSERT INTO argument VALUES(1,0,'./workers');
CREATE TABLE level (
	run integer not null references run (id) on delete cascade,
	level integer not null,
	name text not null,
	size integer not null,
	ways integer not null,
	line_size integer not null,
	latency integer not null,
	processors integer not null,
	misses integer not null default 0, replacement text not null default 'lru', write text not null default 'back', write_miss text not null default 'allocate', contents text not null default 'neither', prefetch integer not null default 0,
	primary key (run, level)
) strict, without rowid;
INSERT INTO level VALUES(1,0,'L1',32768,1,64,0,1,162500,'lru','back','allocate','neither',0);
INSERT INTO level VALUES(1,1,'L2',1048576,8,64,10,2,113500,'lru','back','allocate','neither',0);
CREATE TABLE code (
	run integer not null references run (id) on delete cascade,
	code integer not null,
	name text not null,
	module integer not null references string (id),
	file integer references string (id),
	source_line integer not null,
	offset integer not null,
	primary key (run, code)
) strict, without rowid;
INSERT INTO code VALUES(1,0,'count',1,2,10,4352);
INSERT INTO code VALUES(1,1,'take',1,2,28,4608);
INSERT INTO code VALUES(1,2,'sum',1,2,17,4864);
INSERT INTO code VALUES(1,3,'main',1,2,45,5120);
CREATE TABLE line (
	run integer not null references run (id) on delete cascade,
	line integer not null,
	code integer not null,
	file integer references string (id),
	source_line integer not null,
	instructions integer not null, cycles integer not null default 0,
	primary key (run, line),
	foreign key (run, code) references code (run, code) on delete cascade
) strict, without rowid;
INSERT INTO line VALUES(1,0,0,2,12,8000000,0);
INSERT INTO line VALUES(1,1,1,2,30,2400000,0);
INSERT INTO line VALUES(1,2,1,2,33,1600000,0);
INSERT INTO line VALUES(1,3,2,2,20,8000000,0);
INSERT INTO line VALUES(1,4,3,2,50,200000,0);
CREATE TABLE site (
	run integer not null references run (id) on delete cascade,
	site integer not null,
	line integer not null,
	kind text not null,
	size integer not null,
	offset integer not null,
	inlined integer references string (id),
	primary key (run, site),
	foreign key (run, line) references line (run, line) on delete cascade
) strict, without rowid;
INSERT INTO site VALUES(1,0,0,'modify',8,4368,NULL);
INSERT INTO site VALUES(1,1,1,'read',8,4624,NULL);
INSERT INTO site VALUES(1,2,2,'write',8,4640,NULL);
INSERT INTO site VALUES(1,3,3,'read',8,4880,NULL);
INSERT INTO site VALUES(1,4,4,'write',8,5136,NULL);
INSERT INTO site VALUES(1,5,3,'read',8,4888,NULL);
CREATE TABLE data (
	run integer not null references run (id) on delete cascade,
	data integer not null,
	name text not null,
	full_name text not null,
	type text,
	reason text,
	kind text not null,
	objects integer not null,
	bytes integer not null,
	peak_bytes integer not null,
	largest integer not null, paths integer not null default 0,
	primary key (run, data)
) strict, without rowid;
INSERT INTO data VALUES(1,0,'counters','counters (workers.c:5) in /home/u/workers','struct counters',NULL,'static',1,32,32,32,0);
INSERT INTO data VALUES(1,1,'Queue.q','main (workers.c:47) > Queue.q','Queue',NULL,'heap',1,48,48,48,0);
INSERT INTO data VALUES(1,2,'double.x','main (workers.c:48) > double.x','double',NULL,'heap',1,800000,800000,800000,0);
INSERT INTO data VALUES(1,3,'<stack>','<stack>',NULL,NULL,'stack',0,0,0,0,0);
CREATE TABLE frame (
	run integer not null references run (id) on delete cascade,
	data integer not null,
	depth integer not null,
	function integer not null references string (id),
	file integer references string (id),
	source_line integer not null,
	module integer not null references string (id),
	offset integer not null,
	primary key (run, data, depth),
	foreign key (run, data) references data (run, data) on delete cascade
) strict, without rowid;
INSERT INTO frame VALUES(1,1,0,3,2,47,1,5168);
INSERT INTO frame VALUES(1,2,0,3,2,48,1,5184);
CREATE TABLE cell (
	run integer not null references run (id) on delete cascade,
	cell integer not null,
	site integer not null,
	data integer not null,
	refs integer not null, processor integer not null default 0, upgrades integer not null default 0, parts text, walks integer not null default 0, exposed_walks integer not null default 0, waited_bytes integer not null default 0, unknown_dependence integer not null default 0, affine integer not null default 0, led integer not null default 0, chained integer not null default 0,
	primary key (run, cell),
	foreign key (run, site) references site (run, site) on delete cascade,
	foreign key (run, data) references data (run, data) on delete cascade
) strict, without rowid;
INSERT INTO cell VALUES(1,0,0,0,400000,0,0,'{"0":10000,"1":10000,"2":10000,"3":10000}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,1,0,0,400000,1,0,'{"0":10000,"1":10000,"2":10000,"3":10000}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,2,0,0,400000,2,0,'{"0":10000,"1":10000,"2":10000,"3":10000}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,3,0,0,400000,3,0,'{"0":10000,"1":10000,"2":10000,"3":10000}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,4,1,1,100000,0,0,'{"0":3750,"1":3750,"2":1250,"3":1250}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,5,1,1,100000,1,0,'{"0":3750,"1":3750,"2":1250,"3":1250}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,6,1,1,100000,2,0,'{"0":3750,"1":3750,"2":1250,"3":1250}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,7,1,1,100000,3,0,'{"0":3750,"1":3750,"2":1250,"3":1250}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,8,2,1,50000,0,3000,'{"0":1875,"1":1875,"2":625,"3":625}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,9,2,1,50000,1,3000,'{"0":1875,"1":1875,"2":625,"3":625}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,10,2,1,50000,2,3000,'{"0":1875,"1":1875,"2":625,"3":625}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,11,2,1,50000,3,3000,'{"0":1875,"1":1875,"2":625,"3":625}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,12,3,2,100000,0,0,'{"0":2500,"1":2500,"2":2500,"3":2500}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,13,3,2,100000,1,0,'{"0":2500,"1":2500,"2":2500,"3":2500}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,14,3,2,100000,2,0,'{"0":2500,"1":2500,"2":2500,"3":2500}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,15,3,2,100000,3,0,'{"0":2500,"1":2500,"2":2500,"3":2500}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,16,4,2,100000,0,0,'{"0":2500,"1":2500,"2":2500,"3":2500}',0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,17,5,3,1000000,3,0,'{"0":25000,"1":25000,"2":25000,"3":25000}',0,0,0,0,0,0,0);
CREATE TABLE miss (
	run integer not null references run (id) on delete cascade,
	cell integer not null,
	level integer not null,
	first integer not null,
	replaced integer not null,
	invalidated integer not null, covered integer not null default 0, falsely integer not null default 0, peer integer not null default 0, remote integer not null default 0, write_backs integer not null default 0, weighted real not null default 0, exposed integer not null default 0, prefetched integer not null default 0, conflict integer not null default 0, capacity integer not null default 0, saved integer not null default 0, maybe_saved integer not null default 0, conflict_variance real not null default 0, capacity_variance real not null default 0, saved_variance real not null default 0,
	primary key (run, cell, level),
	foreign key (run, cell) references cell (run, cell) on delete cascade
) strict, without rowid;
INSERT INTO miss VALUES(1,0,0,0,0,20000,0,20000,5000,0,0,5000.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,0,1,0,0,15000,0,15000,15000,0,15000,3750.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,1,0,0,0,20000,0,20000,5000,0,0,5000.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,1,1,0,0,15000,0,15000,15000,0,15000,3750.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,2,0,0,0,20000,0,20000,5000,0,0,5000.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,2,1,0,0,15000,0,15000,15000,0,15000,3750.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,3,0,0,0,20000,0,20000,5000,0,0,5000.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,3,1,0,0,15000,0,15000,15000,0,15000,3750.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,4,0,0,0,5000,0,500,0,0,0,1250.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,4,1,0,0,4000,0,400,4000,0,4000,1000.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,5,0,0,0,5000,0,500,0,0,0,1250.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,5,1,0,0,4000,0,400,4000,0,4000,1000.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,6,0,0,0,5000,0,500,0,0,0,1250.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,6,1,0,0,4000,0,400,4000,0,4000,1000.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,7,0,0,0,5000,0,500,0,0,0,1250.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,7,1,0,0,4000,0,400,4000,0,4000,1000.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,12,0,12500,0,0,0,0,0,0,0,3125.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,12,1,12500,0,0,0,0,0,0,0,3125.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,13,0,12500,0,0,0,0,0,0,0,3125.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,14,0,12500,0,0,0,0,0,0,0,3125.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,14,1,12500,0,0,0,0,0,12500,0,3125.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,15,0,12500,0,0,0,0,0,0,0,3125.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,16,0,12500,0,0,0,0,0,0,0,12500.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,16,1,12500,0,0,0,0,0,0,0,12500.0,0,0,0,0,0,0,0.0,0.0,0.0);
CREATE TABLE phase (
	run integer not null references run (id) on delete cascade,
	phase integer not null,
	name text not null,
	times integer not null,
	refs integer not null,
	primary key (run, phase)
) strict, without rowid;
INSERT INTO phase VALUES(1,0,'<start>',1,925000);
INSERT INTO phase VALUES(1,1,'work',3,2775000);
CREATE TABLE phase_miss (
	run integer not null references run (id) on delete cascade,
	phase integer not null,
	level integer not null,
	misses integer not null,
	primary key (run, phase, level),
	foreign key (run, phase) references phase (run, phase) on delete cascade
) strict, without rowid;
INSERT INTO phase_miss VALUES(1,0,0,40000);
INSERT INTO phase_miss VALUES(1,0,1,20);
INSERT INTO phase_miss VALUES(1,1,0,120000);
INSERT INTO phase_miss VALUES(1,1,1,80000);
CREATE TABLE line_time (
	run integer not null references run (id) on delete cascade,
	line integer not null,
	processor integer not null,
	instructions integer not null,
	weighted real not null, cycles integer not null default 0,
	primary key (run, line, processor),
	foreign key (run, line) references line (run, line) on delete cascade
) strict, without rowid;
INSERT INTO line_time VALUES(1,0,0,2000000,500000.0,0);
INSERT INTO line_time VALUES(1,0,1,2000000,500000.0,0);
INSERT INTO line_time VALUES(1,0,2,2000000,500000.0,0);
INSERT INTO line_time VALUES(1,0,3,2000000,500000.0,0);
INSERT INTO line_time VALUES(1,1,0,600000,150000.0,0);
INSERT INTO line_time VALUES(1,1,1,600000,150000.0,0);
INSERT INTO line_time VALUES(1,1,2,600000,150000.0,0);
INSERT INTO line_time VALUES(1,1,3,600000,150000.0,0);
INSERT INTO line_time VALUES(1,2,0,400000,100000.0,0);
INSERT INTO line_time VALUES(1,2,1,400000,100000.0,0);
INSERT INTO line_time VALUES(1,2,2,400000,100000.0,0);
INSERT INTO line_time VALUES(1,2,3,400000,100000.0,0);
INSERT INTO line_time VALUES(1,3,0,2000000,500000.0,0);
INSERT INTO line_time VALUES(1,3,1,2000000,500000.0,0);
INSERT INTO line_time VALUES(1,3,2,2000000,500000.0,0);
INSERT INTO line_time VALUES(1,3,3,2000000,500000.0,0);
INSERT INTO line_time VALUES(1,4,0,200000,200000.0,0);
CREATE TABLE sharing (
	run integer not null references run (id) on delete cascade,
	sharing integer not null,
	cell integer not null,
	writer integer not null,
	address integer,
	offset integer not null,
	writer_offset integer not null,
	object_offset integer,
	writer_object_offset integer,
	field integer references string (id),
	writer_field integer references string (id),
	truly integer not null,
	falsely integer not null,
	peer integer not null,
	remote integer not null,
	primary key (run, sharing),
	foreign key (run, cell) references cell (run, cell) on delete cascade,
	foreign key (run, writer) references cell (run, cell) on delete cascade
) strict, without rowid;
INSERT INTO sharing VALUES(1,0,0,1,4210752,0,8,0,8,4,5,0,5000,5000,0);
INSERT INTO sharing VALUES(1,1,0,2,4210752,0,16,0,16,4,6,0,7500,7500,0);
INSERT INTO sharing VALUES(1,2,0,3,4210752,0,24,0,24,4,7,0,7500,7500,0);
INSERT INTO sharing VALUES(1,3,1,0,4210752,8,0,8,0,5,4,0,5000,5000,0);
INSERT INTO sharing VALUES(1,4,1,2,4210752,8,16,8,16,5,6,0,7500,7500,0);
INSERT INTO sharing VALUES(1,5,1,3,4210752,8,24,8,24,5,7,0,7500,7500,0);
INSERT INTO sharing VALUES(1,6,2,0,4210752,16,0,16,0,6,4,0,7500,7500,0);
INSERT INTO sharing VALUES(1,7,2,1,4210752,16,8,16,8,6,5,0,7500,7500,0);
INSERT INTO sharing VALUES(1,8,2,3,4210752,16,24,16,24,6,7,0,5000,5000,0);
INSERT INTO sharing VALUES(1,9,3,0,4210752,24,0,24,0,7,4,0,7500,7500,0);
INSERT INTO sharing VALUES(1,10,3,1,4210752,24,8,24,8,7,5,0,7500,7500,0);
INSERT INTO sharing VALUES(1,11,3,2,4210752,24,16,24,16,7,6,0,5000,5000,0);
INSERT INTO sharing VALUES(1,12,4,10,83886144,8,8,8,8,8,8,4500,0,3600,0);
INSERT INTO sharing VALUES(1,13,4,10,83886144,8,16,8,16,8,9,0,500,400,0);
INSERT INTO sharing VALUES(1,14,5,11,83886144,8,8,8,8,8,8,4500,0,3600,0);
INSERT INTO sharing VALUES(1,15,5,11,83886144,8,16,8,16,8,9,0,500,400,0);
INSERT INTO sharing VALUES(1,16,6,8,83886144,8,8,8,8,8,8,4500,0,3600,0);
INSERT INTO sharing VALUES(1,17,6,8,83886144,8,16,8,16,8,9,0,500,400,0);
INSERT INTO sharing VALUES(1,18,7,9,83886144,8,8,8,8,8,8,4500,0,3600,0);
INSERT INTO sharing VALUES(1,19,7,9,83886144,8,16,8,16,8,9,0,500,400,0);
CREATE TABLE thread (
	run integer not null references run (id) on delete cascade,
	thread integer not null,
	name text,
	processor integer not null,
	instructions integer not null,
	refs integer not null,
	began integer not null,
	elapsed integer not null,
	weighted real not null,
	ended text not null,
	primary key (run, thread)
) strict, without rowid;
INSERT INTO thread VALUES(1,0,'main',0,200000,100000,0,11100000,200000.0,'ended');
INSERT INTO thread VALUES(1,1,'worker',0,5000000,650000,1450000,8650000,1250000.0,'ended');
INSERT INTO thread VALUES(1,2,NULL,1,5000000,650000,1450000,7525000,1250000.0,'ended');
INSERT INTO thread VALUES(1,3,'worker',2,5000000,650000,1450000,9650000,1250000.0,'ended');
INSERT INTO thread VALUES(1,4,'worker',3,5000000,1650000,1450000,7525000,1250000.0,'waiting');
CREATE TABLE thread_miss (
	run integer not null references run (id) on delete cascade,
	thread integer not null,
	level integer not null,
	misses integer not null,
	peer integer not null,
	remote integer not null,
	weighted real not null,
	primary key (run, thread, level),
	foreign key (run, thread) references thread (run, thread) on delete cascade
) strict, without rowid;
INSERT INTO thread_miss VALUES(1,0,0,12500,0,0,12500.0);
INSERT INTO thread_miss VALUES(1,0,1,12500,0,0,12500.0);
INSERT INTO thread_miss VALUES(1,1,0,37500,5000,0,9375.0);
INSERT INTO thread_miss VALUES(1,1,1,31500,19000,0,7875.0);
INSERT INTO thread_miss VALUES(1,2,0,37500,5000,0,9375.0);
INSERT INTO thread_miss VALUES(1,2,1,19000,19000,0,4750.0);
INSERT INTO thread_miss VALUES(1,3,0,37500,5000,0,9375.0);
INSERT INTO thread_miss VALUES(1,3,1,31500,19000,12500,7875.0);
INSERT INTO thread_miss VALUES(1,4,0,37500,5000,0,9375.0);
INSERT INTO thread_miss VALUES(1,4,1,19000,19000,0,4750.0);
CREATE TABLE wait (
	run integer not null references run (id) on delete cascade,
	wait integer not null,
	thread integer not null,
	line integer,
	reason text not null,
	times integer not null,
	cycles integer not null,
	primary key (run, wait),
	foreign key (run, thread) references thread (run, thread) on delete cascade,
	foreign key (run, line) references line (run, line) on delete cascade
) strict, without rowid;
INSERT INTO wait VALUES(1,0,0,4,'join',4,9650000);
INSERT INTO wait VALUES(1,1,1,1,'spin',30,50000);
INSERT INTO wait VALUES(1,2,1,NULL,'futex',2,900000);
INSERT INTO wait VALUES(1,3,2,1,'spin',30,50000);
INSERT INTO wait VALUES(1,4,2,NULL,'futex',2,900000);
INSERT INTO wait VALUES(1,5,3,1,'spin',30,50000);
INSERT INTO wait VALUES(1,6,3,NULL,'futex',2,900000);
INSERT INTO wait VALUES(1,7,4,1,'spin',30,50000);
INSERT INTO wait VALUES(1,8,4,NULL,'futex',2,900000);
CREATE TABLE occupancy (
	run integer not null references run (id) on delete cascade,
	level integer not null,
	data integer not null,
	lines integer not null,
	peak integer not null,
	mean real not null,
	primary key (run, level, data),
	foreign key (run, data) references data (run, data) on delete cascade
) strict, without rowid;
CREATE TABLE stay (
	run integer not null references run (id) on delete cascade,
	stay integer not null,
	level integer not null,
	data integer,
	slice integer not null,
	lines real not null, came integer not null default 0,
	primary key (run, stay),
	foreign key (run, data) references data (run, data) on delete cascade
) strict, without rowid;
CREATE TABLE pmu (
	run integer not null references run (id) on delete cascade,
	pmu integer not null,
	event text not null,
	level integer,
	period integer not null,
	adaptive integer not null,
	wish real not null,
	seed integer not null,
	cost integer not null,
	events integer not null,
	interrupts integer not null,
	effective real not null,
	handler_instructions integer not null,
	handler_refs integer not null,
	cycles integer not null,
	clean_cycles integer not null,
	primary key (run, pmu)
) strict, without rowid;
CREATE TABLE pmu_level (
	run integer not null references run (id) on delete cascade,
	pmu integer not null,
	level integer not null,
	misses integer not null,
	monitor_misses integer not null,
	primary key (run, pmu, level),
	foreign key (run, pmu) references pmu (run, pmu) on delete cascade
) strict, without rowid;
CREATE TABLE pmu_sample (
	run integer not null references run (id) on delete cascade,
	sample integer not null,
	pmu integer not null,
	cell integer not null,
	victim integer,
	count integer not null,
	events integer not null,
	latency integer not null,
	monitor integer not null,
	primary key (run, sample),
	foreign key (run, pmu) references pmu (run, pmu) on delete cascade,
	foreign key (run, cell) references cell (run, cell) on delete cascade
) strict, without rowid;
CREATE TABLE sampling (
	run integer not null references run (id) on delete cascade,
	sampling integer not null,
	ratio real not null,
	window integer not null,
	sets integer not null,
	seed integer not null,
	windows integer not null,
	refs integer not null,
	total real not null,
	exact integer not null,
	scale real not null,
	time_scale real not null,
	parts integer not null, wanted real not null default 0, total_low real not null default 0, total_high real not null default 0, alone real not null default 0,
	primary key (run, sampling)
) strict, without rowid;
INSERT INTO sampling VALUES(1,0,0.10000000000000000555,9250,1,1,40,370000,3700000.0,1,10.0,10.0,4,0.0,3700000.0,3700000.0,0.0);
CREATE TABLE sampled_level (
	run integer not null references run (id) on delete cascade,
	level integer not null,
	frames integer not null,
	unknown integer not null,
	primary key (run, level)
) strict, without rowid;
INSERT INTO sampled_level VALUES(1,0,512,1000);
INSERT INTO sampled_level VALUES(1,1,512,1000);
CREATE TABLE sampled_life (
	run integer not null references run (id) on delete cascade,
	level integer not null,
	data integer not null,
	generations integer not null,
	dead integer not null,
	whole integer not null,
	primary key (run, level, data),
	foreign key (run, data) references data (run, data) on delete cascade
) strict, without rowid;
CREATE TABLE sampled_miss (
	run integer not null references run (id) on delete cascade,
	cell integer not null,
	level integer not null,
	part integer not null,
	known integer not null,
	unknown_hits integer not null,
	unknown_misses integer not null,
	unseen_known integer not null,
	unseen_unknown integer not null, lost integer not null default 0, surely_lost integer not null default 0,
	primary key (run, cell, level, part),
	foreign key (run, cell) references cell (run, cell) on delete cascade
) strict, without rowid;
INSERT INTO sampled_miss VALUES(1,0,0,0,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,0,0,1,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,0,0,2,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,0,0,3,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,0,1,0,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,0,1,1,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,0,1,2,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,0,1,3,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,1,0,0,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,1,0,1,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,1,0,2,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,1,0,3,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,1,1,0,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,1,1,1,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,1,1,2,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,1,1,3,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,2,0,0,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,2,0,1,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,2,0,2,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,2,0,3,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,2,1,0,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,2,1,1,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,2,1,2,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,2,1,3,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,3,0,0,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,3,0,1,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,3,0,2,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,3,0,3,450,0,50,0,0,450,450);
INSERT INTO sampled_miss VALUES(1,3,1,0,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,3,1,1,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,3,1,2,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,3,1,3,338,0,37,0,0,338,338);
INSERT INTO sampled_miss VALUES(1,4,0,0,169,0,18,0,0,169,169);
INSERT INTO sampled_miss VALUES(1,4,0,1,169,0,18,0,0,169,169);
INSERT INTO sampled_miss VALUES(1,4,0,2,57,0,6,0,0,57,57);
INSERT INTO sampled_miss VALUES(1,4,0,3,57,0,6,0,0,57,57);
INSERT INTO sampled_miss VALUES(1,4,1,0,135,0,15,0,0,135,135);
INSERT INTO sampled_miss VALUES(1,4,1,1,135,0,15,0,0,135,135);
INSERT INTO sampled_miss VALUES(1,4,1,2,45,0,5,0,0,45,45);
INSERT INTO sampled_miss VALUES(1,4,1,3,45,0,5,0,0,45,45);
INSERT INTO sampled_miss VALUES(1,5,0,0,169,0,18,0,0,169,169);
INSERT INTO sampled_miss VALUES(1,5,0,1,169,0,18,0,0,169,169);
INSERT INTO sampled_miss VALUES(1,5,0,2,57,0,6,0,0,57,57);
INSERT INTO sampled_miss VALUES(1,5,0,3,57,0,6,0,0,57,57);
INSERT INTO sampled_miss VALUES(1,5,1,0,135,0,15,0,0,135,135);
INSERT INTO sampled_miss VALUES(1,5,1,1,135,0,15,0,0,135,135);
INSERT INTO sampled_miss VALUES(1,5,1,2,45,0,5,0,0,45,45);
INSERT INTO sampled_miss VALUES(1,5,1,3,45,0,5,0,0,45,45);
INSERT INTO sampled_miss VALUES(1,6,0,0,169,0,18,0,0,169,169);
INSERT INTO sampled_miss VALUES(1,6,0,1,169,0,18,0,0,169,169);
INSERT INTO sampled_miss VALUES(1,6,0,2,57,0,6,0,0,57,57);
INSERT INTO sampled_miss VALUES(1,6,0,3,57,0,6,0,0,57,57);
INSERT INTO sampled_miss VALUES(1,6,1,0,135,0,15,0,0,135,135);
INSERT INTO sampled_miss VALUES(1,6,1,1,135,0,15,0,0,135,135);
INSERT INTO sampled_miss VALUES(1,6,1,2,45,0,5,0,0,45,45);
INSERT INTO sampled_miss VALUES(1,6,1,3,45,0,5,0,0,45,45);
INSERT INTO sampled_miss VALUES(1,7,0,0,169,0,18,0,0,169,169);
INSERT INTO sampled_miss VALUES(1,7,0,1,169,0,18,0,0,169,169);
INSERT INTO sampled_miss VALUES(1,7,0,2,57,0,6,0,0,57,57);
INSERT INTO sampled_miss VALUES(1,7,0,3,57,0,6,0,0,57,57);
INSERT INTO sampled_miss VALUES(1,7,1,0,135,0,15,0,0,135,135);
INSERT INTO sampled_miss VALUES(1,7,1,1,135,0,15,0,0,135,135);
INSERT INTO sampled_miss VALUES(1,7,1,2,45,0,5,0,0,45,45);
INSERT INTO sampled_miss VALUES(1,7,1,3,45,0,5,0,0,45,45);
INSERT INTO sampled_miss VALUES(1,12,0,0,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,12,0,1,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,12,0,2,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,12,0,3,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,12,1,0,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,12,1,1,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,12,1,2,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,12,1,3,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,13,0,0,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,13,0,1,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,13,0,2,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,13,0,3,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,14,0,0,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,14,0,1,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,14,0,2,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,14,0,3,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,14,1,0,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,14,1,1,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,14,1,2,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,14,1,3,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,15,0,0,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,15,0,1,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,15,0,2,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,15,0,3,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,16,0,0,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,16,0,1,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,16,0,2,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,16,0,3,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,16,1,0,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,16,1,1,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,16,1,2,281,0,31,312,0,0,0);
INSERT INTO sampled_miss VALUES(1,16,1,3,281,0,31,312,0,0,0);
CREATE TABLE tag (
	run integer not null references run (id) on delete cascade,
	position integer not null,
	tag text not null,
	primary key (run, position)
) strict, without rowid;
CREATE TABLE environment (
	run integer not null references run (id) on delete cascade,
	position integer not null,
	name text not null,
	value text not null,
	primary key (run, position)
) strict, without rowid;
CREATE TABLE rule (
	id integer primary key autoincrement,
	program text,
	subject text not null,
	verb text not null,
	pattern text not null,
	name text,
	added text not null
) strict;
CREATE TABLE hardware (
	run integer not null references run (id) on delete cascade,
	hardware integer not null,
	source text not null,
	event text not null,
	unit text not null,
	period real not null,
	adaptive integer not null,
	wish real not null,
	overhead real not null,
	samples integer not null,
	throttled integer not null,
	cpu_ns integer not null,
	threads integer not null, covered real not null default 1,
	primary key (run, hardware)
) strict, without rowid;
CREATE TABLE hardware_sample (
	run integer not null references run (id) on delete cascade,
	sample integer not null,
	cell integer not null,
	answer text not null,
	sureness text not null,
	samples integer not null,
	events integer not null,
	events_squares real not null,
	latency integer not null,
	latency_squares real not null,
	primary key (run, sample),
	foreign key (run, cell) references cell (run, cell) on delete cascade
) strict, without rowid;
CREATE TABLE hardware_latency (
	run integer not null references run (id) on delete cascade,
	cell integer not null,
	bucket integer not null,
	samples integer not null,
	primary key (run, cell, bucket),
	foreign key (run, cell) references cell (run, cell) on delete cascade
) strict, without rowid;
CREATE TABLE hardware_compute (
	run integer not null references run (id) on delete cascade,
	compute integer not null,
	line integer not null,
	samples integer not null,
	time integer not null,
	time_squares real not null,
	primary key (run, compute),
	foreign key (run, line) references line (run, line) on delete cascade
) strict, without rowid;
CREATE TABLE hardware_loss (
	run integer not null references run (id) on delete cascade,
	loss integer not null,
	reason text not null,
	samples integer not null,
	latency integer not null,
	primary key (run, loss)
) strict, without rowid;
CREATE TABLE untraced (
	run integer not null references run (id) on delete cascade,
	position integer not null,
	reason text not null,
	who text not null,
	times integer not null,
	seconds real not null,
	primary key (run, position)
) strict, without rowid;
CREATE TABLE replacement (
	run integer not null references run (id) on delete cascade,
	cell integer not null,
	level integer not null,
	evictors text,
	victims text,
	primary key (run, cell, level),
	foreign key (run, cell) references cell (run, cell) on delete cascade
) strict, without rowid;
CREATE TABLE checkpoint (
	run integer not null references run (id) on delete cascade,
	checkpoint integer not null,
	pid integer not null,
	pid_start integer not null,
	system text not null,
	saved text not null,
	string_bytes integer not null,
	primary key (run, checkpoint)
) strict, without rowid;
CREATE TABLE origin (
	run integer not null references run (id) on delete cascade,
	origin integer not null,
	part text not null,
	uid text not null,
	tag text,
	started text not null,
	primary key (run, origin)
) strict, without rowid;
CREATE TABLE path (
	run integer not null references run (id) on delete cascade,
	path integer not null,
	parent integer,
	line integer,
	kind text not null,
	primary key (run, path)
) strict, without rowid;
CREATE TABLE path_miss (
	run integer not null references run (id) on delete cascade,
	path integer not null,
	line integer not null,
	data integer not null,
	level integer not null,
	misses integer not null,
	primary key (run, path, line, data, level)
) strict, without rowid;
CREATE TABLE verification (
	run integer not null references run (id) on delete cascade,
	verification integer not null,
	verified text not null,
	before text not null,
	after text not null,
	rounds integer not null,
	before_seconds real not null,
	after_seconds real not null,
	measured real not null,
	measured_low real not null,
	measured_high real not null,
	kind text,
	data text,
	predicted real not null,
	predicted_low real not null,
	predicted_high real not null,
	primary key (run, verification)
) strict, without rowid;
CREATE TABLE line_use (
	run integer not null references run (id) on delete cascade,
	cell integer not null,
	level integer not null,
	lines real not null,
	used_bytes real not null,
	variance real not null,
	written_lines real not null,
	written_bytes real not null,
	primary key (run, cell, level)
) strict, without rowid;
CREATE TABLE stride (
	run integer not null references run (id) on delete cascade,
	site integer not null,
	stride integer not null,
	count integer not null,
	primary key (run, site, stride)
) strict, without rowid;
CREATE TABLE miss_curve (
	run integer not null references run (id) on delete cascade,
	data integer not null,
	size_bits integer not null,
	misses real not null,
	variance real not null, least real not null default 0, most real not null default 0,
	primary key (run, data, size_bits)
) strict, without rowid;
CREATE TABLE reuse (
	run integer not null references run (id) on delete cascade,
	data integer not null,
	from_line integer not null,
	to_line integer not null,
	count real not null,
	log2_bytes real not null,
	primary key (run, data, from_line, to_line)
) strict, without rowid;
CREATE TABLE member (
	run integer not null references run (id) on delete cascade,
	member integer not null,
	data integer not null,
	offset integer not null,
	size integer not null,
	element integer not null,
	name integer not null references string (id),
	type integer not null references string (id),
	primary key (run, member)
) strict, without rowid;
CREATE TABLE member_access (
	run integer not null references run (id) on delete cascade,
	cell integer not null,
	offset integer not null,
	size integer not null,
	refs real not null,
	primary key (run, cell, offset, size)
) strict, without rowid;
CREATE TABLE set_miss (
	run integer not null references run (id) on delete cascade,
	data integer not null,
	level integer not null,
	sets integer not null,
	misses integer not null,
	replaced integer not null,
	primary key (run, data, level, sets)
) strict, without rowid;
CREATE TABLE optimal (
	run integer not null references run (id) on delete cascade,
	data integer not null,
	level integer not null,
	misses real not null,
	low real not null,
	high real not null, least real not null default 0, least_low real not null default 0, least_high real not null default 0,
	primary key (run, data, level)
) strict, without rowid;
CREATE TABLE member_thread (
	run integer not null references run (id) on delete cascade,
	cell integer not null,
	offset integer not null,
	size integer not null,
	thread integer not null,
	refs real not null,
	primary key (run, cell, offset, size, thread)
) strict, without rowid;
CREATE TABLE member_stay (
	run integer not null references run (id) on delete cascade,
	cell integer not null,
	offset integer not null,
	other integer not null,
	lines real not null,
	primary key (run, cell, offset, other)
) strict, without rowid;
CREATE TABLE address_range (
	run integer not null references run (id) on delete cascade,
	data integer not null,
	range integer not null,
	bytes integer not null,
	refs real not null,
	first_misses real not null,
	last_misses real not null,
	primary key (run, data, range)
) strict, without rowid;
CREATE TABLE slice (
	run integer not null references run (id) on delete cascade,
	slice integer not null,
	steps integer not null,
	phase integer,
	primary key (run, slice)
) strict, without rowid;
CREATE TABLE slice_miss (
	run integer not null references run (id) on delete cascade,
	slice integer not null,
	code integer not null,
	data integer not null,
	level integer not null,
	misses integer not null, first integer not null default 0, replaced integer not null default 0, invalidated integer not null default 0,
	primary key (run, slice, code, data, level),
	foreign key (run, slice) references slice (run, slice) on delete cascade
) strict, without rowid;
CREATE TABLE slice_sum (
	run integer not null references run (id) on delete cascade,
	slice integer not null,
	processor integer not null,
	level integer not null,
	misses integer not null, first integer not null default 0, replaced integer not null default 0, invalidated integer not null default 0,
	primary key (run, slice, processor, level),
	foreign key (run, slice) references slice (run, slice) on delete cascade
) strict, without rowid;
CREATE TABLE set_slice (
	run integer not null references run (id) on delete cascade,
	slice integer not null,
	level integer not null,
	sets integer not null,
	misses integer not null,
	primary key (run, slice, level, sets),
	foreign key (run, slice) references slice (run, slice) on delete cascade
) strict, without rowid;
CREATE TABLE rank_cluster (
	run integer not null references run (id) on delete cascade,
	cluster integer not null,
	representative integer not null,
	ranks integer not null,
	time integer not null,
	uid text,
	primary key (run, cluster)
) strict, without rowid;
CREATE TABLE rank (
	run integer not null references run (id) on delete cascade,
	rank integer not null,
	state text not null,
	uid text,
	host integer references string (id),
	program integer references string (id),
	file text,
	reason text,
	ended text not null,
	exit_status integer not null,
	wall_seconds real not null,
	instructions integer not null,
	refs integer not null,
	compute integer not null,
	stall integer not null,
	waiting integer not null,
	cluster integer,
	features text,
	primary key (run, rank)
) strict, without rowid;
CREATE TABLE rank_bin (
	run integer not null references run (id) on delete cascade,
	code integer not null,
	data integer not null,
	least_rank integer not null,
	most_rank integer not null,
	ranks integer not null,
	sum integer not null,
	squares real not null,
	least integer not null,
	most integer not null,
	primary key (run, code, data),
	foreign key (run, data) references data (run, data) on delete cascade
) strict, without rowid;
CREATE TABLE rank_data (
	run integer not null references run (id) on delete cascade,
	rank integer not null,
	data integer not null,
	stall integer not null,
	primary key (run, rank, data),
	foreign key (run, data) references data (run, data) on delete cascade
) strict, without rowid;
CREATE TABLE slice_thread (
	run integer not null references run (id) on delete cascade,
	slice integer not null,
	thread integer not null,
	latency integer not null,
	primary key (run, slice, thread),
	foreign key (run, slice) references slice (run, slice) on delete cascade,
	foreign key (run, thread) references thread (run, thread) on delete cascade
) strict, without rowid;
CREATE TABLE slice_line (
	run integer not null references run (id) on delete cascade,
	slice integer not null,
	line integer not null,
	level integer not null,
	misses integer not null,
	first integer not null,
	replaced integer not null,
	invalidated integer not null,
	primary key (run, slice, line, level),
	foreign key (run, slice) references slice (run, slice) on delete cascade,
	foreign key (run, line) references line (run, line) on delete cascade
) strict, without rowid;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('run',1);
CREATE VIEW bin as
select run, code, data,
	sum(case kind when 'write' then 0 else refs end) as reads,
	sum(case kind when 'write' then refs else 0 end) as writes
from place group by run, code, data;
CREATE VIEW bin_replaced as
select place.run, place.code, place.data, level.name as level, evictor.name as evictor,
	sum(replaced.count) as count
from replaced
join place on place.run = replaced.run and place.cell = replaced.cell
join level on level.run = replaced.run and level.level = replaced.level
join data as evictor on evictor.run = replaced.run and evictor.data = replaced.evictor
group by place.run, place.code, place.data, replaced.level, replaced.evictor;
CREATE VIEW place as
select cell.run, cell.cell, code.name as code, file.text as file, line.source_line,
	site.kind, site.offset, data.name as data, cell.processor, cell.refs
from cell
join site on site.run = cell.run and site.site = cell.site
join line on line.run = cell.run and line.line = site.line
join code on code.run = cell.run and code.code = line.code
join data on data.run = cell.run and data.data = cell.data
left join string as file on file.id = line.file;
CREATE VIEW bin_miss as
select place.run, place.code, place.data, level.name as level,
	sum(miss.first + miss.replaced + miss.invalidated) as misses,
	sum(miss.first) as first, sum(miss.replaced) as replaced,
	sum(miss.invalidated) as invalidated, sum(miss.falsely) as falsely,
	sum(miss.peer) as peer, sum(miss.remote) as remote, sum(miss.covered) as covered
from miss
join place on place.run = miss.run and place.cell = miss.cell
join level on level.run = miss.run and level.level = miss.level
group by place.run, place.code, place.data, miss.level;
CREATE VIEW bin_sharing as
select place.run, place.code, place.data, writer.code as writer_code,
	writer.data as writer_data, sum(sharing.truly) as truly,
	sum(sharing.falsely) as falsely
from sharing
join place on place.run = sharing.run and place.cell = sharing.cell
join place as writer on writer.run = sharing.run and writer.cell = sharing.writer
group by place.run, place.code, place.data, writer.code, writer.data;
CREATE VIEW bin_eviction as
select place.run, place.code, place.data as evictor, level.name as level,
	victim.name as victim, sum(eviction.count) as count
from eviction
join place on place.run = eviction.run and place.cell = eviction.cell
join level on level.run = eviction.run and level.level = eviction.level
join data as victim on victim.run = eviction.run and victim.data = eviction.victim
group by place.run, place.code, place.data, eviction.level, eviction.victim;
CREATE VIEW bin_sample as
select place.run, pmu_sample.pmu, place.code, place.data, victim.name as victim,
	sum(pmu_sample.count) as samples, sum(pmu_sample.events) as events
from pmu_sample
join place on place.run = pmu_sample.run and place.cell = pmu_sample.cell
left join data as victim on victim.run = pmu_sample.run
	and victim.data = pmu_sample.victim
group by place.run, pmu_sample.pmu, place.code, place.data, pmu_sample.victim;
CREATE UNIQUE INDEX rule_once on rule (ifnull(program, ''), subject, verb, pattern);
CREATE VIEW bin_latency as
select place.run, place.code, place.data, sum(hardware_sample.samples) as samples,
	sum(hardware_sample.events) as events, sum(hardware_sample.latency) as latency
from hardware_sample
join place on place.run = hardware_sample.run and place.cell = hardware_sample.cell
group by place.run, place.code, place.data;
CREATE VIEW replaced as
select run, cell, level, cast(pair.key as integer) as evictor, pair.value as count
from replacement, json_each(evictors) as pair;
CREATE VIEW eviction as
select run, cell, level, cast(pair.key as integer) as victim, pair.value as count
from replacement, json_each(victims) as pair;
CREATE VIEW sampled_reference as
select run, cell, cast(pair.key as integer) as part, pair.value as refs
from cell, json_each(parts) as pair;
COMMIT;
