-- Makes run 2 of the stored run matmul: 5000 functions, 5000 data, 100000 pairs of them, 300000 rows of misses.
begin;
insert into run (id, started, program, frontend, memspy, machine, machine_origin, memory_latency, wall_seconds, workers, ended, exit_status, instructions, steps, slice_steps)
	select 2, started, './large', frontend, memspy, machine, machine_origin, memory_latency, wall_seconds, workers, ended, exit_status, 900000000, 40000000, 11000000 from run where id = 1;
insert into level (run, level, name, size, ways, line_size, latency, processors) values (2, 0, 'L1', 32768, 8, 64, 0, 1), (2, 1, 'L2', 1048576, 8, 64, 12, 1), (2, 2, 'L3', 8388608, 16, 64, 40, 0);
create temp table n as with recursive n (i) as (values (0) union all select i + 1 from n where i < 99999) select i from n;
insert into code select 2, i, 'namespace::Class' || (i % 97) || '::function' || i || '(std::vector<int> const&)', 1, 2, 10 * i + 1, 64 * i from n where i < 5000;
insert into data (run, data, name, full_name, type, reason, kind, objects, bytes, peak_bytes, largest) select 2, i, 'Table' || (i % 89) || '.member' || i, 'Table.member' || i || ' < make < main', 'struct node *', null, 'heap', i % 7 + 1, 4096 * (i % 50 + 1), 4096 * (i % 50 + 1), 4096 from n where i < 5000;
insert into line (run, line, code, file, source_line, instructions) select 2, i, i / 5, 2, 10 * (i / 5) + i % 5 + 2, 36000 from n where i < 25000;
insert into site select 2, i, i / 4, case i % 3 when 0 then 'write' else 'read' end, 8, 4 * i, null from n;
insert into cell (run, cell, site, data, refs) select 2, i, i, (i * 7919) % 5000, 1000000 / (1 + i / 20) + 3000 from n;
insert into miss (run, cell, level, first, replaced, invalidated) select 2, i, l, 10, 400000 / (1 + i / 20) / (1 + 3 * l) + 90 - l, 0 from n, (select 0 as l union select 1 union select 2);
insert into replacement select 2, i, l, pair, pair from (
	select i, l, json_object(cast((i * 7919 + i % 9) % 5000 as text), 400000 / (1 + i / 20) / (1 + 3 * l) + 90 - l) as pair from n, (select 0 as l union select 1 union select 2));
update run set refs = (select sum(refs) from cell where run = 2) where id = 2;
commit;
