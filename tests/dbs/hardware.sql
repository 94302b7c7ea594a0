PRAGMA application_id=1297305689;
PRAGMA user_version=34;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE string (
	id integer primary key,
	text text not null unique
) strict;
INSERT INTO string VALUES(1,'/home/u/equake');
INSERT INTO string VALUES(2,'/home/u/src/quake.c');
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
INSERT INTO run VALUES(1,'pebs','2026-11-15T10:31:02Z','./equake','native','0.1.0','Intel(R) Xeon(R) made up','the real one',0,1.25,2,'exited',0,0,0,0,NULL,'none',1,'mesi',1,0,0,0,'first-touch',0,0,0,'00112233445566778899aabbccddeeff',NULL,NULL,NULL,0,NULL,1393,0,0.0,0,0,0,'in-order',0,0,0,0,0,'none',0.0,NULL,0,0,0,0,NULL);
INSERT INTO run VALUES(2,'timer','2026-11-15T10:31:02Z','./equake','native','0.1.0','Intel(R) Xeon(R) made up','the real one',0,1.25,2,'exited',0,0,0,0,NULL,'none',1,'mesi',1,0,0,0,'first-touch',0,0,0,'00112233445566778899aabbccddeeff',NULL,NULL,NULL,0,NULL,1173,0,0.0,0,0,0,'in-order',0,0,0,0,0,'none',0.0,NULL,0,0,0,0,NULL);
INSERT INTO run VALUES(3,'faults','2026-11-15T10:31:02Z','./equake','native','0.1.0','Intel(R) Xeon(R) made up','the real one',0,1.25,2,'exited',0,0,0,0,NULL,'none',1,'mesi',1,0,0,0,'first-touch',0,0,0,'00112233445566778899aabbccddeeff',NULL,NULL,NULL,0,NULL,1018,0,0.0,0,0,0,'in-order',0,0,0,0,0,'none',0.0,NULL,0,0,0,0,NULL);
CREATE TABLE argument (
	run integer not null references run (id) on delete cascade,
	position integer not null,
	text text not null,
	primary key (run, position)
) strict, without rowid;
INSERT INTO argument VALUES(1,0,'./equake');
INSERT INTO argument VALUES(2,0,'./equake');
INSERT INTO argument VALUES(3,0,'./equake');
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
INSERT INTO code VALUES(1,0,'smvp',1,2,750,4352);
INSERT INTO code VALUES(1,1,'phi2',1,2,510,4608);
INSERT INTO code VALUES(1,2,'main',1,2,290,4864);
INSERT INTO code VALUES(2,0,'smvp',1,2,750,4352);
INSERT INTO code VALUES(2,1,'phi2',1,2,510,4608);
INSERT INTO code VALUES(2,2,'main',1,2,290,4864);
INSERT INTO code VALUES(3,0,'smvp',1,2,750,4352);
INSERT INTO code VALUES(3,1,'phi2',1,2,510,4608);
INSERT INTO code VALUES(3,2,'main',1,2,290,4864);
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
INSERT INTO line VALUES(1,0,0,2,760,0,0);
INSERT INTO line VALUES(1,1,0,2,764,0,0);
INSERT INTO line VALUES(1,2,1,2,520,0,0);
INSERT INTO line VALUES(1,3,2,2,300,0,0);
INSERT INTO line VALUES(2,0,0,2,760,0,0);
INSERT INTO line VALUES(2,1,0,2,764,0,0);
INSERT INTO line VALUES(2,2,1,2,520,0,0);
INSERT INTO line VALUES(2,3,2,2,300,0,0);
INSERT INTO line VALUES(3,0,0,2,760,0,0);
INSERT INTO line VALUES(3,1,0,2,764,0,0);
INSERT INTO line VALUES(3,2,1,2,520,0,0);
INSERT INTO line VALUES(3,3,2,2,300,0,0);
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
INSERT INTO site VALUES(1,0,0,'read',8,4368,NULL);
INSERT INTO site VALUES(1,1,1,'read',8,4369,NULL);
INSERT INTO site VALUES(1,2,2,'read',8,4370,NULL);
INSERT INTO site VALUES(1,3,3,'write',8,4371,NULL);
INSERT INTO site VALUES(2,0,0,'read',8,4368,NULL);
INSERT INTO site VALUES(2,1,1,'read',8,4369,NULL);
INSERT INTO site VALUES(2,2,2,'read',8,4370,NULL);
INSERT INTO site VALUES(2,3,3,'write',8,4371,NULL);
INSERT INTO site VALUES(3,0,0,'access',8,4368,NULL);
INSERT INTO site VALUES(3,1,1,'access',8,4369,NULL);
INSERT INTO site VALUES(3,2,2,'access',8,4370,NULL);
INSERT INTO site VALUES(3,3,3,'access',8,4371,NULL);
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
INSERT INTO data VALUES(1,0,'mem_init','double.K < mem_init < main','double',NULL,'heap',9,16777216,16777216,4194304,0);
INSERT INTO data VALUES(1,1,'Exc','Exc (quake.c:30) in equake',NULL,NULL,'static',1,64,64,64,0);
INSERT INTO data VALUES(1,2,'<stack>','<stack>',NULL,NULL,'stack',0,0,0,0,0);
INSERT INTO data VALUES(1,3,'readpackfile','double.Pack < readpackfile < main',NULL,NULL,'heap',2,1048576,1048576,524288,0);
INSERT INTO data VALUES(1,4,'<unmapped>','<unmapped>',NULL,'address is in no mapped region','unknown',0,0,0,0,0);
INSERT INTO data VALUES(2,0,'mem_init','double.K < mem_init < main','double',NULL,'heap',9,16777216,16777216,4194304,0);
INSERT INTO data VALUES(2,1,'Exc','Exc (quake.c:30) in equake',NULL,NULL,'static',1,64,64,64,0);
INSERT INTO data VALUES(2,2,'<stack>','<stack>',NULL,NULL,'stack',0,0,0,0,0);
INSERT INTO data VALUES(2,3,'readpackfile','double.Pack < readpackfile < main',NULL,NULL,'heap',2,1048576,1048576,524288,0);
INSERT INTO data VALUES(2,4,'<unmapped>','<unmapped>',NULL,'address is in no mapped region','unknown',0,0,0,0,0);
INSERT INTO data VALUES(3,0,'mem_init','double.K < mem_init < main','double',NULL,'heap',9,16777216,16777216,4194304,0);
INSERT INTO data VALUES(3,1,'Exc','Exc (quake.c:30) in equake',NULL,NULL,'static',1,64,64,64,0);
INSERT INTO data VALUES(3,2,'<stack>','<stack>',NULL,NULL,'stack',0,0,0,0,0);
INSERT INTO data VALUES(3,3,'readpackfile','double.Pack < readpackfile < main',NULL,NULL,'heap',2,1048576,1048576,524288,0);
INSERT INTO data VALUES(3,4,'<unmapped>','<unmapped>',NULL,'address is in no mapped region','unknown',0,0,0,0,0);
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
INSERT INTO cell VALUES(1,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,1,1,1,0,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,2,1,2,0,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,3,2,3,0,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,4,3,4,0,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(2,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(2,1,1,1,0,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(2,2,2,4,0,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(3,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(3,1,2,3,0,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(3,2,3,2,0,0,0,NULL,0,0,0,0,0,0,0);
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
CREATE TABLE phase (
	run integer not null references run (id) on delete cascade,
	phase integer not null,
	name text not null,
	times integer not null,
	refs integer not null,
	primary key (run, phase)
) strict, without rowid;
CREATE TABLE phase_miss (
	run integer not null references run (id) on delete cascade,
	phase integer not null,
	level integer not null,
	misses integer not null,
	primary key (run, phase, level),
	foreign key (run, phase) references phase (run, phase) on delete cascade
) strict, without rowid;
CREATE TABLE line_time (
	run integer not null references run (id) on delete cascade,
	line integer not null,
	processor integer not null,
	instructions integer not null,
	weighted real not null, cycles integer not null default 0,
	primary key (run, line, processor),
	foreign key (run, line) references line (run, line) on delete cascade
) strict, without rowid;
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
CREATE TABLE sampled_level (
	run integer not null references run (id) on delete cascade,
	level integer not null,
	frames integer not null,
	unknown integer not null,
	primary key (run, level)
) strict, without rowid;
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
INSERT INTO hardware VALUES(1,0,'pebs','MEM_TRANS_RETIRED:LOAD_LATENCY_GT_32','cycles',2000.0,1,0.010000000000000000208,0.0040000000000000000832,1175,1,8000000000,3,1.0);
INSERT INTO hardware VALUES(2,0,'timer','thread-cpu-time','nanoseconds',1000000.0,0,0.0,0.0060000000000000001249,1000,0,1000000000,1,1.0);
INSERT INTO hardware VALUES(3,0,'page-faults','page-faults','none',1.0,0,0.0,-1.0,4355,0,1000000000,1,1.0);
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
INSERT INTO hardware_sample VALUES(1,0,0,'L3','exact',400,800000,1600000000.0,48000000,5760000000000.0);
INSERT INTO hardware_sample VALUES(1,1,0,'local','exact',600,1200000,2400000000.0,360000000,216000000000000.0);
INSERT INTO hardware_sample VALUES(1,2,1,'L2','exact',80,160000,320000000.0,2240000,62720000000.0);
INSERT INTO hardware_sample VALUES(1,3,2,'L1','exact',50,100000,200000000.0,900000,16200000000.0);
INSERT INTO hardware_sample VALUES(1,4,3,'remote','exact',4,8000,16000000.0,5600000,7840000000000.0);
INSERT INTO hardware_sample VALUES(1,5,4,'L1','exact',16,32000,64000000.0,288000,5184000000.0);
INSERT INTO hardware_sample VALUES(2,0,0,'unknown','exact',500,500,500.0,500000000,500000000000000.0);
INSERT INTO hardware_sample VALUES(2,1,0,'unknown','learnt',100,100,100.0,100000000,100000000000000.0);
INSERT INTO hardware_sample VALUES(2,2,1,'unknown','guessed',20,20,20.0,20000000,20000000000000.0);
INSERT INTO hardware_sample VALUES(2,3,2,'unknown','exact',5,5,5.0,5000000,5000000000000.0);
INSERT INTO hardware_sample VALUES(3,0,0,'unknown','exact',4096,4096,4096.0,0,0.0);
INSERT INTO hardware_sample VALUES(3,1,1,'unknown','exact',256,256,256.0,0,0.0);
INSERT INTO hardware_sample VALUES(3,2,2,'unknown','exact',3,3,3.0,0,0.0);
CREATE TABLE hardware_latency (
	run integer not null references run (id) on delete cascade,
	cell integer not null,
	bucket integer not null,
	samples integer not null,
	primary key (run, cell, bucket),
	foreign key (run, cell) references cell (run, cell) on delete cascade
) strict, without rowid;
INSERT INTO hardware_latency VALUES(1,0,5,400);
INSERT INTO hardware_latency VALUES(1,0,8,600);
INSERT INTO hardware_latency VALUES(1,1,3,80);
INSERT INTO hardware_latency VALUES(1,2,3,50);
INSERT INTO hardware_latency VALUES(1,3,9,4);
INSERT INTO hardware_latency VALUES(1,4,3,16);
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
INSERT INTO hardware_compute VALUES(2,0,1,300,300000000,300000000000000.0);
INSERT INTO hardware_compute VALUES(2,1,2,70,70000000,70000000000000.0);
CREATE TABLE hardware_loss (
	run integer not null references run (id) on delete cascade,
	loss integer not null,
	reason text not null,
	samples integer not null,
	latency integer not null,
	primary key (run, loss)
) strict, without rowid;
INSERT INTO hardware_loss VALUES(1,0,'the kernel''s buffer was full',25,0);
INSERT INTO hardware_loss VALUES(2,0,'in the kernel',5,5000000);
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
INSERT INTO sqlite_sequence VALUES('run',3);
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
