
delete from sqlite_schema where 0
create table r2 as select * from run
drop table run
alter table r2 rename to run
update run set started = null, program = null, machine = null, ended = null
