PRAGMA application_id=1297305689;
PRAGMA user_version=33;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE string (
	id integer primary key,
	text text not null unique
) strict;
INSERT INTO string VALUES(1,'/home/u/matmul');
INSERT INTO string VALUES(2,'/home/u/src/matmul.c');
INSERT INTO string VALUES(3,'/lib/libc.so.6');
INSERT INTO string VALUES(4,'at (matmul.c:5)');
INSERT INTO string VALUES(5,'NewMatrix');
INSERT INTO string VALUES(6,'main');
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
INSERT INTO run VALUES(1,'base','2026-11-15T10:31:02Z','./matmul','valgrind','0.1.0','sample','made up for tests',100,1.25,2,'exited',0,60000000,26561075,0,NULL,'none',1,'mesi',1,0,0,0,'first-touch',0,40000000,11000000,'00112233445566778899aabbccddeeff',NULL,NULL,NULL,0,NULL,7398,0,0.0,0,0,0,'in-order',0,0,0,0,0,'none',0.0,NULL,0,0,0,0,NULL);
CREATE TABLE argument (
	run integer not null references run (id) on delete cascade,
	position integer not null,
	text text not null,
	primary key (run, position)
) strict, without rowid;
INSERT INTO argument VALUES(1,0,'./matmul');
INSERT INTO argument VALUES(1,1,'295');
INSERT INTO argument VALUES(1,2,'a b');
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
INSERT INTO level VALUES(1,0,'L1',32768,1,64,0,1,9843262,'lru','back','allocate','neither',0);
INSERT INTO level VALUES(1,1,'L2',1048576,8,64,10,0,175262,'lru','back','allocate','neither',0);
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
INSERT INTO code VALUES(1,0,'BlkMultiply',1,2,20,4480);
INSERT INTO code VALUES(1,1,'main',1,2,40,4864);
INSERT INTO code VALUES(1,2,'ClearProduct',1,2,10,4352);
INSERT INTO code VALUES(1,3,'memcpy',3,NULL,0,630784);
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
INSERT INTO line VALUES(1,0,0,2,29,5000000,0);
INSERT INTO line VALUES(1,1,0,2,31,45000000,0);
INSERT INTO line VALUES(1,2,1,2,44,8000000,0);
INSERT INTO line VALUES(1,3,2,2,14,1900000,0);
INSERT INTO line VALUES(1,4,3,NULL,0,100000,0);
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
INSERT INTO site VALUES(1,0,0,'read',8,4496,NULL);
INSERT INTO site VALUES(1,1,1,'read',8,4512,4);
INSERT INTO site VALUES(1,2,1,'modify',8,4520,NULL);
INSERT INTO site VALUES(1,3,1,'write',8,4528,NULL);
INSERT INTO site VALUES(1,4,2,'write',8,4928,NULL);
INSERT INTO site VALUES(1,5,3,'write',8,4384,NULL);
INSERT INTO site VALUES(1,6,4,'read',32,-10485760,NULL);
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
INSERT INTO data VALUES(1,0,'Matrix.Y','main (matmul.c:41) > NewMatrix (matmul.c:3) > Matrix.Y','Matrix',NULL,'heap',1,696200,696200,696200,0);
INSERT INTO data VALUES(1,1,'Matrix.Z','main (matmul.c:42) > NewMatrix (matmul.c:3) > Matrix.Z','Matrix',NULL,'heap',1,696200,696200,696200,0);
INSERT INTO data VALUES(1,2,'Matrix.X','main (matmul.c:43) > NewMatrix (matmul.c:3) > Matrix.X','Matrix',NULL,'heap',1,696200,696200,696200,0);
INSERT INTO data VALUES(1,3,'<stack>','<stack>',NULL,NULL,'stack',0,0,0,0,0);
INSERT INTO data VALUES(1,4,'<unknown>','<unknown>',NULL,'heap block was already freed','unknown',0,0,0,0,0);
INSERT INTO data VALUES(1,5,'counter','matmul: counter','int',NULL,'static',1,4,4,4,0);
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
INSERT INTO frame VALUES(1,0,0,5,2,3,1,4624);
INSERT INTO frame VALUES(1,0,1,6,2,41,1,4880);
INSERT INTO frame VALUES(1,1,0,5,2,3,1,4624);
INSERT INTO frame VALUES(1,1,1,6,2,42,1,4881);
INSERT INTO frame VALUES(1,2,0,5,2,3,1,4624);
INSERT INTO frame VALUES(1,2,1,6,2,43,1,4882);
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
INSERT INTO cell VALUES(1,0,1,0,12880000,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,1,2,1,6440000,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,2,3,1,6440000,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,3,0,2,435000,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,4,0,3,100000,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,5,4,2,87025,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,6,4,0,87025,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,7,5,1,87025,0,0,NULL,0,0,0,0,0,0,0);
INSERT INTO cell VALUES(1,8,6,4,5000,0,0,NULL,0,0,0,0,0,0,0);
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
INSERT INTO miss VALUES(1,0,0,10000,8700000,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,0,1,10000,100000,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,1,0,0,700000,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,1,1,0,20000,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,3,0,0,400000,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,3,1,0,12000,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,5,0,10879,0,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,5,1,10879,0,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,6,0,10879,0,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,6,1,10879,0,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,7,0,10879,0,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,7,1,10879,0,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,8,0,625,0,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
INSERT INTO miss VALUES(1,8,1,625,0,0,0,0,0,0,0,0.0,0,0,0,0,0,0,0.0,0.0,0.0);
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
INSERT INTO occupancy VALUES(1,0,0,440,500,263.19999999999998863);
INSERT INTO occupancy VALUES(1,0,2,64,300,134.40000000000000568);
INSERT INTO occupancy VALUES(1,0,3,4,16,8.0999999999999996447);
INSERT INTO occupancy VALUES(1,1,0,9000,10879,8000.4999999999999995);
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
INSERT INTO stay VALUES(1,0,0,0,1,256.0,2000000);
INSERT INTO stay VALUES(1,1,0,0,2,384.0,3400000);
INSERT INTO stay VALUES(1,2,0,0,3,432.0,3310000);
INSERT INTO stay VALUES(1,3,0,2,0,256.0,20000);
INSERT INTO stay VALUES(1,4,0,2,1,128.0,9000);
INSERT INTO stay VALUES(1,5,0,2,2,64.0,4000);
INSERT INTO stay VALUES(1,6,0,2,3,64.0,3000);
INSERT INTO stay VALUES(1,7,0,NULL,0,16.0,10);
INSERT INTO stay VALUES(1,8,0,NULL,1,8.0,9);
INSERT INTO stay VALUES(1,9,0,NULL,2,4.0,8);
INSERT INTO stay VALUES(1,10,0,NULL,3,4.0,7);
INSERT INTO stay VALUES(1,11,1,0,0,8000.4999999999999995,0);
INSERT INTO stay VALUES(1,12,1,0,1,8000.4999999999999995,0);
INSERT INTO stay VALUES(1,13,1,0,2,8000.4999999999999995,0);
INSERT INTO stay VALUES(1,14,1,0,3,8000.4999999999999995,0);
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
INSERT INTO replacement VALUES(1,0,0,'{"0":7830000,"1":600300,"2":269700}','{"0":7830000,"1":500000}');
INSERT INTO replacement VALUES(1,0,1,'{"0":60000,"1":40000}',NULL);
INSERT INTO replacement VALUES(1,1,0,'{"0":650000,"1":50000}',NULL);
INSERT INTO replacement VALUES(1,1,1,'{"0":20000}',NULL);
INSERT INTO replacement VALUES(1,3,0,'{"0":400000}',NULL);
INSERT INTO replacement VALUES(1,3,1,'{"0":12000}',NULL);
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
	variance real not null,
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
INSERT INTO slice VALUES(1,0,5000000,NULL);
INSERT INTO slice VALUES(1,1,5000000,NULL);
INSERT INTO slice VALUES(1,2,5000000,NULL);
INSERT INTO slice VALUES(1,3,5000000,NULL);
INSERT INTO slice VALUES(1,4,5000000,NULL);
INSERT INTO slice VALUES(1,5,5000000,NULL);
INSERT INTO slice VALUES(1,6,5000000,NULL);
INSERT INTO slice VALUES(1,7,5000000,NULL);
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
INSERT INTO slice_miss VALUES(1,0,1,0,0,10000,10000,0,0);
INSERT INTO slice_miss VALUES(1,0,1,0,1,10000,10000,0,0);
INSERT INTO slice_miss VALUES(1,0,1,2,0,5000,5000,0,0);
INSERT INTO slice_miss VALUES(1,0,1,2,1,5000,5000,0,0);
INSERT INTO slice_miss VALUES(1,1,1,2,0,5000,5000,0,0);
INSERT INTO slice_miss VALUES(1,1,1,2,1,5000,5000,0,0);
INSERT INTO slice_miss VALUES(1,1,2,1,0,10000,10000,0,0);
INSERT INTO slice_miss VALUES(1,1,2,1,1,10000,10000,0,0);
INSERT INTO slice_miss VALUES(1,2,0,0,0,1450000,145000,1305000,0);
INSERT INTO slice_miss VALUES(1,2,0,0,1,18000,1800,16200,0);
INSERT INTO slice_miss VALUES(1,2,0,1,0,100000,10000,90000,0);
INSERT INTO slice_miss VALUES(1,2,0,1,1,3000,300,2700,0);
INSERT INTO slice_miss VALUES(1,2,0,2,0,60000,6000,54000,0);
INSERT INTO slice_miss VALUES(1,2,0,2,1,2000,200,1800,0);
INSERT INTO slice_miss VALUES(1,3,0,0,0,1450000,0,1450000,0);
INSERT INTO slice_miss VALUES(1,3,0,0,1,18000,0,18000,0);
INSERT INTO slice_miss VALUES(1,3,0,1,0,100000,0,100000,0);
INSERT INTO slice_miss VALUES(1,3,0,1,1,3000,0,3000,0);
INSERT INTO slice_miss VALUES(1,3,0,2,0,60000,0,60000,0);
INSERT INTO slice_miss VALUES(1,3,0,2,1,2000,0,2000,0);
INSERT INTO slice_miss VALUES(1,4,0,0,0,1450000,0,1450000,0);
INSERT INTO slice_miss VALUES(1,4,0,0,1,18000,0,18000,0);
INSERT INTO slice_miss VALUES(1,4,0,1,0,100000,0,100000,0);
INSERT INTO slice_miss VALUES(1,4,0,1,1,3000,0,3000,0);
INSERT INTO slice_miss VALUES(1,4,0,2,0,60000,0,60000,0);
INSERT INTO slice_miss VALUES(1,4,0,2,1,2000,0,2000,0);
INSERT INTO slice_miss VALUES(1,5,0,0,0,1450000,0,1450000,0);
INSERT INTO slice_miss VALUES(1,5,0,0,1,18000,0,18000,0);
INSERT INTO slice_miss VALUES(1,5,0,1,0,100000,0,100000,0);
INSERT INTO slice_miss VALUES(1,5,0,1,1,3000,0,3000,0);
INSERT INTO slice_miss VALUES(1,5,0,2,0,60000,0,60000,0);
INSERT INTO slice_miss VALUES(1,5,0,2,1,2000,0,2000,0);
INSERT INTO slice_miss VALUES(1,6,0,0,0,1450000,0,1450000,0);
INSERT INTO slice_miss VALUES(1,6,0,0,1,18000,0,18000,0);
INSERT INTO slice_miss VALUES(1,6,0,1,0,100000,0,100000,0);
INSERT INTO slice_miss VALUES(1,6,0,1,1,3000,0,3000,0);
INSERT INTO slice_miss VALUES(1,6,0,2,0,60000,0,60000,0);
INSERT INTO slice_miss VALUES(1,6,0,2,1,2000,0,2000,0);
INSERT INTO slice_miss VALUES(1,7,0,0,0,1450000,0,1450000,0);
INSERT INTO slice_miss VALUES(1,7,0,0,1,18000,0,18000,0);
INSERT INTO slice_miss VALUES(1,7,0,1,0,100000,0,100000,0);
INSERT INTO slice_miss VALUES(1,7,0,1,1,3000,0,3000,0);
INSERT INTO slice_miss VALUES(1,7,0,2,0,60000,0,60000,0);
INSERT INTO slice_miss VALUES(1,7,0,2,1,2000,0,2000,0);
CREATE TABLE slice_sum (
	run integer not null references run (id) on delete cascade,
	slice integer not null,
	processor integer not null,
	level integer not null,
	misses integer not null, first integer not null default 0, replaced integer not null default 0, invalidated integer not null default 0,
	primary key (run, slice, processor, level),
	foreign key (run, slice) references slice (run, slice) on delete cascade
) strict, without rowid;
INSERT INTO slice_sum VALUES(1,0,0,0,15010,15010,0,0);
INSERT INTO slice_sum VALUES(1,0,0,1,15010,15010,0,0);
INSERT INTO slice_sum VALUES(1,1,0,0,15010,15010,0,0);
INSERT INTO slice_sum VALUES(1,1,0,1,15010,15010,0,0);
INSERT INTO slice_sum VALUES(1,2,0,0,1610010,161001,1449009,0);
INSERT INTO slice_sum VALUES(1,2,0,1,23010,2301,20709,0);
INSERT INTO slice_sum VALUES(1,3,0,0,1610010,0,1610010,0);
INSERT INTO slice_sum VALUES(1,3,0,1,23010,0,23010,0);
INSERT INTO slice_sum VALUES(1,4,0,0,1610010,0,1610010,0);
INSERT INTO slice_sum VALUES(1,4,0,1,23010,0,23010,0);
INSERT INTO slice_sum VALUES(1,5,0,0,1610010,0,1610010,0);
INSERT INTO slice_sum VALUES(1,5,0,1,23010,0,23010,0);
INSERT INTO slice_sum VALUES(1,6,0,0,1610010,0,1610010,0);
INSERT INTO slice_sum VALUES(1,6,0,1,23010,0,23010,0);
INSERT INTO slice_sum VALUES(1,7,0,0,1610010,0,1610010,0);
INSERT INTO slice_sum VALUES(1,7,0,1,23010,0,23010,0);
CREATE TABLE set_slice (
	run integer not null references run (id) on delete cascade,
	slice integer not null,
	level integer not null,
	sets integer not null,
	misses integer not null,
	primary key (run, slice, level, sets),
	foreign key (run, slice) references slice (run, slice) on delete cascade
) strict, without rowid;
INSERT INTO set_slice VALUES(1,0,0,0,3002);
INSERT INTO set_slice VALUES(1,0,0,4,3002);
INSERT INTO set_slice VALUES(1,0,0,8,3002);
INSERT INTO set_slice VALUES(1,0,0,12,3002);
INSERT INTO set_slice VALUES(1,0,0,16,250);
INSERT INTO set_slice VALUES(1,0,0,20,250);
INSERT INTO set_slice VALUES(1,0,0,24,250);
INSERT INTO set_slice VALUES(1,0,0,28,250);
INSERT INTO set_slice VALUES(1,0,0,32,250);
INSERT INTO set_slice VALUES(1,0,0,36,250);
INSERT INTO set_slice VALUES(1,0,0,40,250);
INSERT INTO set_slice VALUES(1,0,0,44,250);
INSERT INTO set_slice VALUES(1,0,0,48,250);
INSERT INTO set_slice VALUES(1,0,0,52,250);
INSERT INTO set_slice VALUES(1,0,0,56,250);
INSERT INTO set_slice VALUES(1,0,0,60,250);
INSERT INTO set_slice VALUES(1,0,1,0,3002);
INSERT INTO set_slice VALUES(1,0,1,4,3002);
INSERT INTO set_slice VALUES(1,0,1,8,3002);
INSERT INTO set_slice VALUES(1,0,1,12,3002);
INSERT INTO set_slice VALUES(1,0,1,16,250);
INSERT INTO set_slice VALUES(1,0,1,20,250);
INSERT INTO set_slice VALUES(1,0,1,24,250);
INSERT INTO set_slice VALUES(1,0,1,28,250);
INSERT INTO set_slice VALUES(1,0,1,32,250);
INSERT INTO set_slice VALUES(1,0,1,36,250);
INSERT INTO set_slice VALUES(1,0,1,40,250);
INSERT INTO set_slice VALUES(1,0,1,44,250);
INSERT INTO set_slice VALUES(1,0,1,48,250);
INSERT INTO set_slice VALUES(1,0,1,52,250);
INSERT INTO set_slice VALUES(1,0,1,56,250);
INSERT INTO set_slice VALUES(1,0,1,60,250);
INSERT INTO set_slice VALUES(1,1,0,0,3002);
INSERT INTO set_slice VALUES(1,1,0,4,3002);
INSERT INTO set_slice VALUES(1,1,0,8,3002);
INSERT INTO set_slice VALUES(1,1,0,12,3002);
INSERT INTO set_slice VALUES(1,1,0,16,250);
INSERT INTO set_slice VALUES(1,1,0,20,250);
INSERT INTO set_slice VALUES(1,1,0,24,250);
INSERT INTO set_slice VALUES(1,1,0,28,250);
INSERT INTO set_slice VALUES(1,1,0,32,250);
INSERT INTO set_slice VALUES(1,1,0,36,250);
INSERT INTO set_slice VALUES(1,1,0,40,250);
INSERT INTO set_slice VALUES(1,1,0,44,250);
INSERT INTO set_slice VALUES(1,1,0,48,250);
INSERT INTO set_slice VALUES(1,1,0,52,250);
INSERT INTO set_slice VALUES(1,1,0,56,250);
INSERT INTO set_slice VALUES(1,1,0,60,250);
INSERT INTO set_slice VALUES(1,1,1,0,3002);
INSERT INTO set_slice VALUES(1,1,1,4,3002);
INSERT INTO set_slice VALUES(1,1,1,8,3002);
INSERT INTO set_slice VALUES(1,1,1,12,3002);
INSERT INTO set_slice VALUES(1,1,1,16,250);
INSERT INTO set_slice VALUES(1,1,1,20,250);
INSERT INTO set_slice VALUES(1,1,1,24,250);
INSERT INTO set_slice VALUES(1,1,1,28,250);
INSERT INTO set_slice VALUES(1,1,1,32,250);
INSERT INTO set_slice VALUES(1,1,1,36,250);
INSERT INTO set_slice VALUES(1,1,1,40,250);
INSERT INTO set_slice VALUES(1,1,1,44,250);
INSERT INTO set_slice VALUES(1,1,1,48,250);
INSERT INTO set_slice VALUES(1,1,1,52,250);
INSERT INTO set_slice VALUES(1,1,1,56,250);
INSERT INTO set_slice VALUES(1,1,1,60,250);
INSERT INTO set_slice VALUES(1,2,0,0,322002);
INSERT INTO set_slice VALUES(1,2,0,4,322002);
INSERT INTO set_slice VALUES(1,2,0,8,322002);
INSERT INTO set_slice VALUES(1,2,0,12,322002);
INSERT INTO set_slice VALUES(1,2,0,16,26833);
INSERT INTO set_slice VALUES(1,2,0,20,26833);
INSERT INTO set_slice VALUES(1,2,0,24,26833);
INSERT INTO set_slice VALUES(1,2,0,28,26833);
INSERT INTO set_slice VALUES(1,2,0,32,26833);
INSERT INTO set_slice VALUES(1,2,0,36,26833);
INSERT INTO set_slice VALUES(1,2,0,40,26833);
INSERT INTO set_slice VALUES(1,2,0,44,26833);
INSERT INTO set_slice VALUES(1,2,0,48,26833);
INSERT INTO set_slice VALUES(1,2,0,52,26833);
INSERT INTO set_slice VALUES(1,2,0,56,26833);
INSERT INTO set_slice VALUES(1,2,0,60,26833);
INSERT INTO set_slice VALUES(1,2,1,0,4602);
INSERT INTO set_slice VALUES(1,2,1,4,4602);
INSERT INTO set_slice VALUES(1,2,1,8,4602);
INSERT INTO set_slice VALUES(1,2,1,12,4602);
INSERT INTO set_slice VALUES(1,2,1,16,383);
INSERT INTO set_slice VALUES(1,2,1,20,383);
INSERT INTO set_slice VALUES(1,2,1,24,383);
INSERT INTO set_slice VALUES(1,2,1,28,383);
INSERT INTO set_slice VALUES(1,2,1,32,383);
INSERT INTO set_slice VALUES(1,2,1,36,383);
INSERT INTO set_slice VALUES(1,2,1,40,383);
INSERT INTO set_slice VALUES(1,2,1,44,383);
INSERT INTO set_slice VALUES(1,2,1,48,383);
INSERT INTO set_slice VALUES(1,2,1,52,383);
INSERT INTO set_slice VALUES(1,2,1,56,383);
INSERT INTO set_slice VALUES(1,2,1,60,383);
INSERT INTO set_slice VALUES(1,3,0,0,322002);
INSERT INTO set_slice VALUES(1,3,0,4,322002);
INSERT INTO set_slice VALUES(1,3,0,8,322002);
INSERT INTO set_slice VALUES(1,3,0,12,322002);
INSERT INTO set_slice VALUES(1,3,0,16,26833);
INSERT INTO set_slice VALUES(1,3,0,20,26833);
INSERT INTO set_slice VALUES(1,3,0,24,26833);
INSERT INTO set_slice VALUES(1,3,0,28,26833);
INSERT INTO set_slice VALUES(1,3,0,32,26833);
INSERT INTO set_slice VALUES(1,3,0,36,26833);
INSERT INTO set_slice VALUES(1,3,0,40,26833);
INSERT INTO set_slice VALUES(1,3,0,44,26833);
INSERT INTO set_slice VALUES(1,3,0,48,26833);
INSERT INTO set_slice VALUES(1,3,0,52,26833);
INSERT INTO set_slice VALUES(1,3,0,56,26833);
INSERT INTO set_slice VALUES(1,3,0,60,26833);
INSERT INTO set_slice VALUES(1,3,1,0,4602);
INSERT INTO set_slice VALUES(1,3,1,4,4602);
INSERT INTO set_slice VALUES(1,3,1,8,4602);
INSERT INTO set_slice VALUES(1,3,1,12,4602);
INSERT INTO set_slice VALUES(1,3,1,16,383);
INSERT INTO set_slice VALUES(1,3,1,20,383);
INSERT INTO set_slice VALUES(1,3,1,24,383);
INSERT INTO set_slice VALUES(1,3,1,28,383);
INSERT INTO set_slice VALUES(1,3,1,32,383);
INSERT INTO set_slice VALUES(1,3,1,36,383);
INSERT INTO set_slice VALUES(1,3,1,40,383);
INSERT INTO set_slice VALUES(1,3,1,44,383);
INSERT INTO set_slice VALUES(1,3,1,48,383);
INSERT INTO set_slice VALUES(1,3,1,52,383);
INSERT INTO set_slice VALUES(1,3,1,56,383);
INSERT INTO set_slice VALUES(1,3,1,60,383);
INSERT INTO set_slice VALUES(1,4,0,0,322002);
INSERT INTO set_slice VALUES(1,4,0,4,322002);
INSERT INTO set_slice VALUES(1,4,0,8,322002);
INSERT INTO set_slice VALUES(1,4,0,12,322002);
INSERT INTO set_slice VALUES(1,4,0,16,26833);
INSERT INTO set_slice VALUES(1,4,0,20,26833);
INSERT INTO set_slice VALUES(1,4,0,24,26833);
INSERT INTO set_slice VALUES(1,4,0,28,26833);
INSERT INTO set_slice VALUES(1,4,0,32,26833);
INSERT INTO set_slice VALUES(1,4,0,36,26833);
INSERT INTO set_slice VALUES(1,4,0,40,26833);
INSERT INTO set_slice VALUES(1,4,0,44,26833);
INSERT INTO set_slice VALUES(1,4,0,48,26833);
INSERT INTO set_slice VALUES(1,4,0,52,26833);
INSERT INTO set_slice VALUES(1,4,0,56,26833);
INSERT INTO set_slice VALUES(1,4,0,60,26833);
INSERT INTO set_slice VALUES(1,4,1,0,4602);
INSERT INTO set_slice VALUES(1,4,1,4,4602);
INSERT INTO set_slice VALUES(1,4,1,8,4602);
INSERT INTO set_slice VALUES(1,4,1,12,4602);
INSERT INTO set_slice VALUES(1,4,1,16,383);
INSERT INTO set_slice VALUES(1,4,1,20,383);
INSERT INTO set_slice VALUES(1,4,1,24,383);
INSERT INTO set_slice VALUES(1,4,1,28,383);
INSERT INTO set_slice VALUES(1,4,1,32,383);
INSERT INTO set_slice VALUES(1,4,1,36,383);
INSERT INTO set_slice VALUES(1,4,1,40,383);
INSERT INTO set_slice VALUES(1,4,1,44,383);
INSERT INTO set_slice VALUES(1,4,1,48,383);
INSERT INTO set_slice VALUES(1,4,1,52,383);
INSERT INTO set_slice VALUES(1,4,1,56,383);
INSERT INTO set_slice VALUES(1,4,1,60,383);
INSERT INTO set_slice VALUES(1,5,0,0,322002);
INSERT INTO set_slice VALUES(1,5,0,4,322002);
INSERT INTO set_slice VALUES(1,5,0,8,322002);
INSERT INTO set_slice VALUES(1,5,0,12,322002);
INSERT INTO set_slice VALUES(1,5,0,16,26833);
INSERT INTO set_slice VALUES(1,5,0,20,26833);
INSERT INTO set_slice VALUES(1,5,0,24,26833);
INSERT INTO set_slice VALUES(1,5,0,28,26833);
INSERT INTO set_slice VALUES(1,5,0,32,26833);
INSERT INTO set_slice VALUES(1,5,0,36,26833);
INSERT INTO set_slice VALUES(1,5,0,40,26833);
INSERT INTO set_slice VALUES(1,5,0,44,26833);
INSERT INTO set_slice VALUES(1,5,0,48,26833);
INSERT INTO set_slice VALUES(1,5,0,52,26833);
INSERT INTO set_slice VALUES(1,5,0,56,26833);
INSERT INTO set_slice VALUES(1,5,0,60,26833);
INSERT INTO set_slice VALUES(1,5,1,0,4602);
INSERT INTO set_slice VALUES(1,5,1,4,4602);
INSERT INTO set_slice VALUES(1,5,1,8,4602);
INSERT INTO set_slice VALUES(1,5,1,12,4602);
INSERT INTO set_slice VALUES(1,5,1,16,383);
INSERT INTO set_slice VALUES(1,5,1,20,383);
INSERT INTO set_slice VALUES(1,5,1,24,383);
INSERT INTO set_slice VALUES(1,5,1,28,383);
INSERT INTO set_slice VALUES(1,5,1,32,383);
INSERT INTO set_slice VALUES(1,5,1,36,383);
INSERT INTO set_slice VALUES(1,5,1,40,383);
INSERT INTO set_slice VALUES(1,5,1,44,383);
INSERT INTO set_slice VALUES(1,5,1,48,383);
INSERT INTO set_slice VALUES(1,5,1,52,383);
INSERT INTO set_slice VALUES(1,5,1,56,383);
INSERT INTO set_slice VALUES(1,5,1,60,383);
INSERT INTO set_slice VALUES(1,6,0,0,322002);
INSERT INTO set_slice VALUES(1,6,0,4,322002);
INSERT INTO set_slice VALUES(1,6,0,8,322002);
INSERT INTO set_slice VALUES(1,6,0,12,322002);
INSERT INTO set_slice VALUES(1,6,0,16,26833);
INSERT INTO set_slice VALUES(1,6,0,20,26833);
INSERT INTO set_slice VALUES(1,6,0,24,26833);
INSERT INTO set_slice VALUES(1,6,0,28,26833);
INSERT INTO set_slice VALUES(1,6,0,32,26833);
INSERT INTO set_slice VALUES(1,6,0,36,26833);
INSERT INTO set_slice VALUES(1,6,0,40,26833);
INSERT INTO set_slice VALUES(1,6,0,44,26833);
INSERT INTO set_slice VALUES(1,6,0,48,26833);
INSERT INTO set_slice VALUES(1,6,0,52,26833);
INSERT INTO set_slice VALUES(1,6,0,56,26833);
INSERT INTO set_slice VALUES(1,6,0,60,26833);
INSERT INTO set_slice VALUES(1,6,1,0,4602);
INSERT INTO set_slice VALUES(1,6,1,4,4602);
INSERT INTO set_slice VALUES(1,6,1,8,4602);
INSERT INTO set_slice VALUES(1,6,1,12,4602);
INSERT INTO set_slice VALUES(1,6,1,16,383);
INSERT INTO set_slice VALUES(1,6,1,20,383);
INSERT INTO set_slice VALUES(1,6,1,24,383);
INSERT INTO set_slice VALUES(1,6,1,28,383);
INSERT INTO set_slice VALUES(1,6,1,32,383);
INSERT INTO set_slice VALUES(1,6,1,36,383);
INSERT INTO set_slice VALUES(1,6,1,40,383);
INSERT INTO set_slice VALUES(1,6,1,44,383);
INSERT INTO set_slice VALUES(1,6,1,48,383);
INSERT INTO set_slice VALUES(1,6,1,52,383);
INSERT INTO set_slice VALUES(1,6,1,56,383);
INSERT INTO set_slice VALUES(1,6,1,60,383);
INSERT INTO set_slice VALUES(1,7,0,0,322002);
INSERT INTO set_slice VALUES(1,7,0,4,322002);
INSERT INTO set_slice VALUES(1,7,0,8,322002);
INSERT INTO set_slice VALUES(1,7,0,12,322002);
INSERT INTO set_slice VALUES(1,7,0,16,26833);
INSERT INTO set_slice VALUES(1,7,0,20,26833);
INSERT INTO set_slice VALUES(1,7,0,24,26833);
INSERT INTO set_slice VALUES(1,7,0,28,26833);
INSERT INTO set_slice VALUES(1,7,0,32,26833);
INSERT INTO set_slice VALUES(1,7,0,36,26833);
INSERT INTO set_slice VALUES(1,7,0,40,26833);
INSERT INTO set_slice VALUES(1,7,0,44,26833);
INSERT INTO set_slice VALUES(1,7,0,48,26833);
INSERT INTO set_slice VALUES(1,7,0,52,26833);
INSERT INTO set_slice VALUES(1,7,0,56,26833);
INSERT INTO set_slice VALUES(1,7,0,60,26833);
INSERT INTO set_slice VALUES(1,7,1,0,4602);
INSERT INTO set_slice VALUES(1,7,1,4,4602);
INSERT INTO set_slice VALUES(1,7,1,8,4602);
INSERT INTO set_slice VALUES(1,7,1,12,4602);
INSERT INTO set_slice VALUES(1,7,1,16,383);
INSERT INTO set_slice VALUES(1,7,1,20,383);
INSERT INTO set_slice VALUES(1,7,1,24,383);
INSERT INTO set_slice VALUES(1,7,1,28,383);
INSERT INTO set_slice VALUES(1,7,1,32,383);
INSERT INTO set_slice VALUES(1,7,1,36,383);
INSERT INTO set_slice VALUES(1,7,1,40,383);
INSERT INTO set_slice VALUES(1,7,1,44,383);
INSERT INTO set_slice VALUES(1,7,1,48,383);
INSERT INTO set_slice VALUES(1,7,1,52,383);
INSERT INTO set_slice VALUES(1,7,1,56,383);
INSERT INTO set_slice VALUES(1,7,1,60,383);
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
INSERT INTO slice_line VALUES(1,0,2,0,15000,15000,0,0);
INSERT INTO slice_line VALUES(1,0,2,1,15000,15000,0,0);
INSERT INTO slice_line VALUES(1,1,2,0,5000,5000,0,0);
INSERT INTO slice_line VALUES(1,1,2,1,5000,5000,0,0);
INSERT INTO slice_line VALUES(1,1,3,0,10000,10000,0,0);
INSERT INTO slice_line VALUES(1,1,3,1,10000,10000,0,0);
INSERT INTO slice_line VALUES(1,2,0,0,1610000,161000,1449000,0);
INSERT INTO slice_line VALUES(1,2,0,1,23000,2300,20700,0);
INSERT INTO slice_line VALUES(1,3,0,0,1610000,0,1610000,0);
INSERT INTO slice_line VALUES(1,3,0,1,23000,0,23000,0);
INSERT INTO slice_line VALUES(1,4,0,0,1610000,0,1610000,0);
INSERT INTO slice_line VALUES(1,4,0,1,23000,0,23000,0);
INSERT INTO slice_line VALUES(1,5,0,0,1610000,0,1610000,0);
INSERT INTO slice_line VALUES(1,5,0,1,23000,0,23000,0);
INSERT INTO slice_line VALUES(1,6,0,0,1610000,0,1610000,0);
INSERT INTO slice_line VALUES(1,6,0,1,23000,0,23000,0);
INSERT INTO slice_line VALUES(1,7,0,0,1610000,0,1610000,0);
INSERT INTO slice_line VALUES(1,7,0,1,23000,0,23000,0);
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
